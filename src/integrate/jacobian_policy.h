// How long a Jacobian is kept: over iterations and steps, until it makes convergence slow.
#pragma once

#include <cstddef>

#include "base/hd.h"

namespace trammel {

/// Entries that PATTERN may have.
inline constexpr std::size_t most_pattern_entries = 64;

/// When new Jacobians are due: PATTERN of INTEGRATOR.
struct JacobianPattern {
  unsigned long long entries = 0;  ///< bit k: a new one in iteration k + 1; repeats when exhausted
  int length = 1;
  bool adaptive = true;  ///< also where convergence is slow; else only after failure (F:F)
  TRAMMEL_HD bool wants(int iteration) const { return entries >> ((iteration - 1) % length) & 1; }
  template <class Archive>
  void archive(Archive& a) {
    a(entries, length, adaptive);
  }
};

struct JacobianPolicy {
  static constexpr double slow_rate = 0.25;  // convergence rate at which a new Jacobian is asked for
  static constexpr int patience = 3;  // iterations after which an old Jacobian at a slow rate is replaced

  JacobianPattern pattern;
  bool valid = false;        ///< there is one for steps of about h
  bool fresh = false;        ///< made in the present attempt
  int age = 0, life = 1000;  ///< accepted steps: of the present Jacobian, and allowed
  int calm_lives = 0;        ///< Jacobians that lived through their time without trouble, in a row
  double h = 0;              ///< step that it was made for
  double rate = -1;          ///< last convergence rate with it; −1: none measured
  template <class Archive>
  void archive(Archive& a) {
    a(pattern, valid, fresh, age, life, calm_lives, h, rate);
  }

  /// A Jacobian for steps of `step` was made.
  TRAMMEL_HD void made(double step) {
    valid = fresh = true;
    h = step;
    age = 0;
    rate = -1;
  }

  /// A Jacobian that made convergence slow (or fail) after k steps gives the next one k − 1 steps to live;
  /// after eight that lived through their time without trouble, that time is doubled.
  TRAMMEL_HD void trouble() {
    const int shorter = life < age ? life : age;
    life = shorter > 1 ? shorter - 1 : 0;
    calm_lives = 0;
    valid = false;
  }

  /// Whether the Jacobian's time is over before a step of `step` begins: by age, or by a change of the step.
  TRAMMEL_HD void review(double step) {
    constexpr int calm_lives_wanted = 8;  // Jacobians without trouble before their lifetime is doubled
    if (age > life && pattern.adaptive) {
      valid = false;
      if (++calm_lives >= calm_lives_wanted) {
        life = 2 * life + 1;
        calm_lives = 0;
      }
    }
    if (step > 2 * h || step < 0.5 * h) valid = false;
  }

  /// Whether this iteration takes a new Jacobian: none there, PATTERN says T, or the old one is too slow.
  TRAMMEL_HD bool wanted(int iteration) const {
    const bool too_slow = !fresh && pattern.adaptive && iteration > patience && rate > 0.5 * slow_rate;
    return !valid || pattern.wants(iteration) || too_slow;
  }
};

}  // namespace trammel
