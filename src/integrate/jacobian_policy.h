// When the Jacobian is renewed: it is kept over iterations and steps until convergence becomes slow.
#pragma once

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

struct JacobianPolicy {
  static constexpr double slow_rate = 0.25;  // convergence rate from which a new Jacobian is made
  static constexpr int patience = 3;         // iterations after which a slow old Jacobian is replaced

  JacobianPattern pattern;
  bool valid = false;        ///< there is a Jacobian, for steps of about h
  bool fresh = false;        ///< made during the present attempt
  int age = 0, life = 1000;  ///< accepted steps since it was made, and the most that are allowed
  int full_lives = 0;        ///< Jacobians in a row that reached `life` without slow convergence
  double h = 0;              ///< step size that it was made for
  double rate = -1;          ///< last convergence rate with it; −1: none measured
  template <class Archive>
  void archive(Archive& a) {
    a(pattern, valid, fresh, age, life, full_lives, h, rate);
  }

  /// Records that a Jacobian was made for steps of size `step`.
  TRAMMEL_HD void made(double step) {
    valid = fresh = true;
    h = step;
    age = 0;
    rate = -1;
  }

  /// Slow convergence, or failure, with a Jacobian of age k: the next one may live for k − 1 steps. (After
  /// eight that reached their age limit without it, review() doubles the limit.)
  TRAMMEL_HD void shorten_life() {
    const int shorter = life < age ? life : age;
    life = shorter > 1 ? shorter - 1 : 0;
    full_lives = 0;
    valid = false;
  }

  /// Before a step of size `step`: invalidates a Jacobian that is too old or was made for another step size.
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
  }

  /// Whether this iteration makes a new Jacobian: there is none, PATTERN says T, or the old one is too slow.
  TRAMMEL_HD bool wanted(int iteration) const {
    const bool too_slow = !fresh && pattern.adaptive && iteration > patience && rate > 0.5 * slow_rate;
    return !valid || pattern.wants(iteration) || too_slow;
  }
};

}  // namespace trammel
