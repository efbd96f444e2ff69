// Wall time of a run by phase.
#pragma once

#include <chrono>

namespace trammel {

/// Seconds, summed over all steps.
struct PhaseTimes {
  double equations = 0;      ///< kinematics, function expressions, forces, residual
  double tangent = 0;        ///< evaluation of the Jacobian's blocks
  double factorization = 0;  ///< of the Jacobian
  double solution = 0;       ///< solves with it, with the check of each
  template <class Archive>
  void archive(Archive& a) {
    a(equations, tangent, factorization, solution);
  }
};

/// Adds its own lifetime to `sum`, unless that is null.
class PhaseTimer {
 public:
  explicit PhaseTimer(double* sum) : sum_(sum) {
    if (sum_) begin_ = Clock::now();
  }
  ~PhaseTimer() {
    if (sum_) *sum_ += std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double* sum_;
  Clock::time_point begin_;
};

}  // namespace trammel
