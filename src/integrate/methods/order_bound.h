// A bound of the order of backward differentiation formulas. From order 3 on they let oscillations without
// damping grow where h ω is about 1: such a mode grows until its error is ERROR, and steps then stay at some
// 1/ω, though nothing of interest moves as fast. Orders 1 and 2 damp it. Where corrections turn from step to
// step, order 2 is tried; where its steps are not much shorter it is kept for a time, twice as long whenever
// the same returns soon. The instability: A. C. Hindmarsh, Detecting stability barriers in BDF solvers
// (1992), who measures the roots of the formula instead.
#pragma once

#include "base/hd.h"

namespace trammel {

struct OrderBound {
  enum Phase : int { free, trial, held };
  static constexpr int damping_order = 2;
  static constexpr int shortest_hold = 200, longest_hold = 100000;  // in accepted steps
  static constexpr int shortest_pause = 50, longest_pause = 400;

  int phase = free;
  int left = 0;         ///< accepted steps until the next decision
  int undisturbed = 0;  ///< accepted steps since the bound was last lifted
  int next_hold = shortest_hold, next_pause = shortest_pause;
  double turning = 0;                     ///< mean of what looked() was told
  double mean_step = 0, step_before = 0;  ///< of the last steps, and of those before the trial

  TRAMMEL_HD int highest_order(int kmax) const {
    return phase == free || kmax < damping_order ? kmax : damping_order;
  }

  /// Takes |e_{n+1} − e_n|/|e_{n+1}| of the corrections e of two steps of one size, of an order above 2:
  /// about h ω of what they consist of.
  TRAMMEL_HD void looked(double turn) {
    constexpr double weight = 0.3;      // of the last one in the mean
    constexpr double most_counted = 1;  // a jump turns it once, a mode again and again
    turning += weight * ((turn < most_counted ? turn : most_counted) - turning);
  }

  /// After an accepted step: true where the order has to come down to 2 now.
  TRAMMEL_HD bool stepped(double h, int order) {
    constexpr int steps_of_trial = 40;  // some doublings of the step, each of which takes four
    constexpr double fast = 0.6;        // h ω above which a mode is resolved badly
    constexpr double worth_it = 0.75;   // of the step before: order 2 is kept, as no mode grows with it
    constexpr double too_short = 0.6;   // of the step before: order 2 is given up at once
    constexpr double weight = 0.1;      // of the last step in the mean
    mean_step = mean_step > 0 ? mean_step + weight * (h - mean_step) : h;
    ++undisturbed;
    const bool given_up = phase != free && mean_step < too_short * step_before;
    if (left > 0 && --left > 0 && !given_up) return false;
    if (phase == free) {
      if (undisturbed > 4 * next_hold) next_hold = shortest_hold, next_pause = shortest_pause;
      if (order <= damping_order || turning <= fast) return false;
      step_before = mean_step;
      enter(trial, steps_of_trial);
      return true;
    }
    if (phase == trial && mean_step > worth_it * step_before) {
      enter(held, doubled(next_hold, longest_hold));
      return false;
    }
    enter(free, phase == trial ? doubled(next_pause, longest_pause) : shortest_pause);
    turning = undisturbed = 0;
    return false;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(phase, left, undisturbed, next_hold, next_pause, turning, mean_step, step_before);
  }

 private:
  TRAMMEL_HD void enter(Phase next, int steps) {
    phase = next;
    left = steps;
  }
  TRAMMEL_HD static int doubled(int& steps, int most) {
    const int now = steps;
    if (steps < most) steps *= 2;
    return now;
  }
};

}  // namespace trammel
