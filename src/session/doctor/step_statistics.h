// Where steps go: what limits each, where they converge slowly or are refused, how fast what limits them
// moves.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "analysis/session.h"
#include "integrate/observer.h"

namespace trammel {

/// What the size of an accepted step follows from.
enum class StepLimit {
  error,      ///< the estimated local error of a coordinate or state
  hmax,       ///< HMAX
  output,     ///< an output time, also as HMAX where none is given
  corrector,  ///< it did not converge with a longer one
  growth,     ///< steps grow, after a start
  fixed,      ///< one size for all
};

/// A coordinate, state or row by which things are counted.
struct StepCause {
  int unknown = -1;
  bool rotation = false;  ///< of its body
  auto operator<=>(const StepCause&) const = default;
};

/// Counts over the time of a run, in bins that are as wide as it needs.
class TimeBins {
 public:
  static constexpr int count = 64;
  using Counts = std::array<double, count>;
};

struct CauseTally {
  long steps = 0;
  TimeBins::Counts by_time{};  ///< steps of each bin
};

/// A place where refused steps, with few others between, became far smaller.
struct StepCollapse {
  double t = 0;             ///< of the smallest
  double from = 0, to = 0;  ///< sizes: of the first one refused, the smallest
  StepCause cause;          ///< of the last refusal for its error
  int equation = -1;        ///< with the largest residual that a refused one had in its first iteration
};

/// Of a motion, in periods per unit of time.
struct Frequency {
  double value = 0;       ///< 0: there is none that could be told
  bool at_least = false;  ///< steps are too long to see every period
};

class StepStatistics final : public SolveObserver {
 public:
  void steps_begin(const StepsSeen& seen) override;
  void iteration(const IterationSeen& seen) override;
  void attempt(const AttemptSeen& seen) override;
  /// What the steps that follow are of.
  void begin(const Model& model);
  bool hmax_given = false;  ///< by the deck, else it is the output step

  /// After the last step.
  void end() { end_trouble(); }

  // ---- what was found

  long steps = 0, refused_error = 0, refused_corrector = 0, refused_other = 0;
  long iterations = 0, slow_iterations = 0, new_jacobians = 0, starts = 0;
  std::map<StepLimit, long> limits;
  std::map<StepLimit, double> log_error;     ///< Σ log(1/error), errors below 1e-12 as that
  std::map<StepCause, CauseTally> by_error;  ///< steps that the error limits
  std::map<StepCause, long> refusals;        ///< for the error
  std::map<int, long> slow;                  ///< slow iterations by unknown
  std::vector<StepCollapse> collapses;       ///< the first hundred
  long collapse_count = 0;
  double smallest = 0, smallest_at = 0, hmin = 0, hmax = 0;
  double order_sum = 0;
  double begin_time = 0, end_time = 0;
  /// By the binary logarithm of the step: steps and time. Entry k: 2^(k−1024) ≤ h < 2^(k−1023).
  std::map<int, std::pair<long, double>> by_size;

  /// A stretch of time in which most of the steps of a cause lie.
  struct Stretch {
    double begin = 0, end = 0;
    double share = 0;  ///< of all steps in it that the cause limits
  };
  Stretch stretch_of(const CauseTally& tally) const;
  /// Of the motion of an unknown, in the bins where the cause has most of the steps.
  Frequency frequency_of(const StepCause& cause, const CauseTally& tally) const;
  /// The middle one over all coordinates of other bodies, and other states, that have a frequency; 0: none
  /// has.
  double usual_frequency(const StepCause& besides) const;

 private:
  void note_refusal(const AttemptSeen& seen);
  void end_trouble();
  void note_step(const AttemptSeen& seen);
  StepLimit limit_of(const AttemptSeen& seen) const;
  void note_motion(const AttemptSeen& seen, int bin);
  int bin_of(double t);
  Frequency frequency_between(int unknown, const std::array<bool, TimeBins::count>& where,
                              unsigned least_turns) const;

  const Model* model_ = nullptr;
  // Of the step under way.
  double first_h_ = 0;  ///< 0: no attempt was refused
  bool corrector_failed_ = false;
  int attempt_worst_ = -1;
  Place first_residual_{0, -1};  ///< the largest one of the first iteration
  // Of refused steps near each other.
  StepCollapse trouble_;
  double trouble_residual_ = 0;
  bool settled_ = false;  ///< they do not belong to a start, whose first step may be far too long
  int calm_ = -1;         ///< steps since the last one was refused; −1: long ago
  // Bins.
  double width_ = 0;
  TimeBins::Counts steps_by_time_{}, time_{};
  /// Per unknown and bin: how often its rate (q̈, Ẋ) or value turns round.
  std::vector<std::array<unsigned, TimeBins::count>> turns_;
  /// What is known of an unknown's rate: the last value and its change, the extreme since the last turn,
  /// which way it goes (1, −1; 0: not known), how rough it is (mean of the last second differences), how far
  /// it went.
  struct Motion {
    double last = 0, change = 0, extreme = 0, rough = 0, travel = 0;
    int direction = 0;
  };
  bool turns_round(Motion& motion, double now, double ratio) const;
  std::vector<Motion> motion_;
  double last_h_ = 0;
  int points_ = 0;  ///< steps since the integrator began
};

}  // namespace trammel
