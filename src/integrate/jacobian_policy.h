// When the Jacobian is renewed: it is kept over iterations and steps until convergence becomes slow.
#pragma once

#include <cmath>
#include <cstddef>

#include "base/hd.h"

namespace trammel {

/// Largest number of entries in PATTERN.
inline constexpr std::size_t most_pattern_entries = 64;

/// PATTERN of INTEGRATOR.
struct JacobianPattern {
  unsigned long long entries = 0;  ///< bit k: new Jacobian in iteration k + 1; repeats after `length`
  int length = 1;
  bool adaptive = true;  ///< also renew on slow convergence; false (F:F): only after a failure
  TRAMMEL_HD bool wants(int iteration) const { return entries >> ((iteration - 1) % length) & 1; }
  template <class Archive>
  void archive(Archive& a) {
    a(entries, length, adaptive);
  }
};

/// The larger one, NaN where one is.
TRAMMEL_HD inline double worse(double a, double b) {
  return a < b || b != b ? b : a;
}

/// A number for each part of a correction.
struct CorrectionParts {
  double coordinates = 0, multipliers = 0, scalars = 0;
  TRAMMEL_HD double largest() const { return worse(worse(coordinates, multipliers), scalars); }
  /// The rates at which these follow others; those below 1 count as 1.
  TRAMMEL_HD CorrectionParts over(const CorrectionParts& before) const {
    const auto rate = [](double now, double then) { return now / (then < 1 ? 1 : then); };
    return {rate(coordinates, before.coordinates), rate(multipliers, before.multipliers),
            rate(scalars, before.scalars)};
  }
  template <class Archive>
  void archive(Archive& a) {
    a(coordinates, multipliers, scalars);
  }
};

struct JacobianPolicy {
  static constexpr double slow_rate = 0.25;  // convergence rate from which a new Jacobian is made
  static constexpr int patience = 3;         // iterations after which a slow old Jacobian is replaced
  static constexpr double cost = 3;  // of a Jacobian, in iterations: 2 to 6 on the models of `trammel bench`

  /// A correction below this fraction of the tolerance is accepted at any rate up to 0.99: near the rounding
  /// of the residual the measured rate has no meaning.
  static constexpr double negligible = 0.01;

  JacobianPattern pattern;
  bool valid = false;        ///< there is a Jacobian, for steps of about h
  bool fresh = false;        ///< made during the present attempt
  int age = 0, life = 1000;  ///< accepted steps since it was made, and the most that are allowed
  int full_lives = 0;        ///< Jacobians in a row that reached `life` without slow convergence
  double h = 0;              ///< step size that it was made for
  double rate = -1;          ///< last convergence rate with it; −1: none measured
  CorrectionParts rates;     ///< the same of its parts
  int age_of_rate = 0;       ///< its age then
  double spent = 0;          ///< its cost and that of all iterations with it, in iterations
  int last = 0;              ///< iterations of the last step
  double usual = 0;          ///< iterations of a step, mean over the last few
  double young = 0;          ///< same, over steps with a Jacobian that is young
  double remainder = 0;      ///< what the last step left by its measured rate, in units of its tolerance
  template <class Archive>
  void archive(Archive& a) {
    a(pattern, valid, fresh, age, life, full_lives, h, rate, rates, age_of_rate, spent, last, usual, young,
      remainder);
  }

  /// Records that a Jacobian was made for steps of size `step`.
  TRAMMEL_HD void made(double step) {
    valid = fresh = true;
    h = step;
    age = 0;
    rate = -1;
    spent = cost;
    usual = young;
  }

  /// Takes the convergence rates of two iterations with it.
  TRAMMEL_HD void measured(double convergence_rate, const CorrectionParts& of_parts) {
    rate = convergence_rate;
    rates = of_parts;
    age_of_rate = age;
  }

  /// Upper bound of a convergence rate where none has been measured yet in this step, by that of an earlier
  /// one: rates grow with the motion since the matrix was made, so with its age.
  TRAMMEL_HD double expected_rate(double earlier) const {
    constexpr double reserve = 2, least_rate = 0.02;
    const double bound = reserve * earlier * (age + 1) / (age_of_rate + 1);
    return bound > least_rate ? bound : least_rate;
  }

  /// What further iterations would add to a part of the last correction whose size is given, both in units of
  /// its tolerance, by its convergence rate: that of this iteration, or an earlier one. INFINITY from a rate
  /// of 1 on.
  TRAMMEL_CALLED double remainder_of(double size, double last_rate, bool measured_now) const {
    if (size <= negligible) return 0;
    const double convergence_rate = measured_now ? last_rate : expected_rate(last_rate);
    return convergence_rate < 1 ? size * convergence_rate / (1 - convergence_rate) : INFINITY;
  }

  /// Takes the number of iterations of a step, and the error that it left.
  TRAMMEL_HD void stepped(int iterations, double error_left) {
    constexpr double weight = 0.3;  // of the last step in the means
    constexpr int youth = 3;        // steps
    remainder = error_left;
    last = iterations;
    usual += weight * (iterations - usual);
    if (age >= 1 && age <= youth) young += weight * (iterations - young);
  }

  /// Iterations that the next step will need. One in which k corrections were made leaves (growth of the
  /// rate)^k times as much as the last.
  TRAMMEL_HD double expected_iterations() const {
    if (age < 2) return usual;
    double left = remainder;
    for (int k = 0; k < last; ++k) left *= double(age) / (age - 1);
    return usual + (left > 1 ? 1 : 0);
  }

  /// Whether the next step would cost more than steps have with this Jacobian on average, its own cost
  /// included (it is at its cheapest per step when it is replaced then), and more than with a young one.
  TRAMMEL_HD bool worn() const {
    constexpr double noticed = 0.1;  // iterations; with 0.5 some of models/ cost 9 % more
    const double next = expected_iterations();
    return next * age > spent && next - young > noticed;
  }

  /// Slow convergence, or failure, with a Jacobian of age k: the next one may live for k − 1 steps. (After
  /// eight that reached their age limit without it, review() doubles the limit.)
  TRAMMEL_HD void shorten_life() {
    const int shorter = life < age ? life : age;
    life = shorter > 1 ? shorter - 1 : 0;
    full_lives = 0;
    valid = false;
  }

  /// Before a step of size `step`: invalidates a Jacobian that is too old, was made for another step size, or
  /// is worn.
  TRAMMEL_HD void review(double step) {
    constexpr int full_lives_wanted = 8;  // Jacobians in a row that reached `life` before it is doubled
    if (age > life && pattern.adaptive) {
      valid = false;
      if (++full_lives >= full_lives_wanted) {
        life = 2 * life + 1;
        full_lives = 0;
      }
    }
    if (step > 2 * h || step < 0.5 * h) valid = false;
    if (pattern.adaptive && worn()) valid = false;
  }

  /// Whether this iteration makes a new Jacobian: there is none, PATTERN says T, or the old one is too slow.
  TRAMMEL_HD bool wanted(int iteration) const {
    const bool too_slow = !fresh && pattern.adaptive && iteration > patience && rate > 0.5 * slow_rate;
    return !valid || pattern.wants(iteration) || too_slow;
  }
};

}  // namespace trammel
