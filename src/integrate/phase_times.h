// Wall time of a run by phase.
#pragma once

#include "base/clock.h"

namespace trammel {

/// Seconds, summed over all steps. Of steps on a device the phases are the submission of its work; it works
/// on while the program goes on, and where the program asks for an answer it waits for all that was submitted
/// before.
struct PhaseTimes {
  double equations = 0;      ///< kinematics, function expressions, forces, residual
  double tangent = 0;        ///< evaluation of the Jacobian's blocks
  double factorization = 0;  ///< of the Jacobian
  double solution = 0;       ///< solves with it, with the check of each
  double waiting = 0;        ///< for a device, in whatever phase
  template <class Archive>
  void archive(Archive& a) {
    a(equations, tangent, factorization, solution, waiting);
  }
};

/// Adds its own lifetime to `sum`, unless that is null; without what `waited` grows by in it, if that is
/// given.
class PhaseTimer {
 public:
  explicit PhaseTimer(double* sum, const double* waited = nullptr) : sum_(sum), waited_(waited) {
    if (!sum_) return;
    if (waited_) waited_before_ = *waited_;
    begin_ = nanoseconds_now();
  }
  ~PhaseTimer() {
    if (!sum_) return;
    *sum_ += 1e-9 * static_cast<double>(nanoseconds_now() - begin_);
    if (waited_) *sum_ -= *waited_ - waited_before_;
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double* sum_;
  const double* waited_;
  double waited_before_ = 0;
  unsigned long long begin_ = 0;
};

}  // namespace trammel
