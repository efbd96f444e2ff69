// Statistics of steps: what limits their size, where they converge slowly or are refused, and how fast the
// coordinates that limit them move.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "analysis/session.h"
#include "integrate/observer.h"

namespace trammel {

/// What limits the size of an accepted step.
enum class StepLimit {
  error,      ///< the estimated local error of a coordinate or state
  hmax,       ///< HMAX
  output,     ///< an output time, also as HMAX where none is given
  corrector,  ///< the corrector did not converge in a longer step
  growth,     ///< steps that still grow after a start
  fixed,      ///< fixed steps
};

/// A coordinate, state or body by which steps are counted.
struct StepCause {
  int unknown = -1;
  bool rotation = false;  ///< the rotation of its body as a whole
  auto operator<=>(const StepCause&) const = default;
};

/// Counts over the time of a run, in bins of equal width, which doubles as the run goes on.
class TimeBins {
 public:
  static constexpr int count = 64;
  using Counts = std::array<double, count>;
};

struct CauseTally {
  long steps = 0;
  TimeBins::Counts by_time{};  ///< steps in each bin
};

/// A time at which refused steps, with few accepted ones between, made the step far smaller.
struct StepCollapse {
  double t = 0;             ///< where the smallest step begins
  double from = 0, to = 0;  ///< size of the first refused step, and of the smallest
  StepCause cause;          ///< of the last step refused for its error
  int equation = -1;        ///< equation with the largest residual in the first iteration of a refused step
};

/// The frequency of a motion, in periods per unit of time.
struct Frequency {
  double value = 0;       ///< 0: not known
  bool at_least = false;  ///< a lower bound: steps are too long to resolve every period
};

class StepStatistics final : public SolveObserver {
 public:
  void steps_begin(const StepsSeen& seen) override;
  void iteration(const IterationSeen& seen) override;
  void attempt(const AttemptSeen& seen) override;
  /// Sets the model of the steps that follow.
  void begin(const Model& model);
  bool hmax_given = false;  ///< whether the deck gives HMAX, which else is the output step

  /// Call after the last step.
  void end() { end_trouble(); }

  // ---- results

  long steps = 0, refused_error = 0, refused_corrector = 0, refused_other = 0;
  long iterations = 0, slow_iterations = 0, new_jacobians = 0, starts = 0;
  std::map<StepLimit, long> limits;
  std::map<StepLimit, double> log_error;     ///< Σ log(1/error), with errors of at least 1e-12 (of ERROR)
  std::map<StepCause, CauseTally> by_error;  ///< steps that the error limits, by coordinate or state
  std::map<StepCause, long> refusals;        ///< steps refused for their error
  std::map<int, long> slow;                  ///< slow iterations, by the unknown with the largest correction
  std::vector<StepCollapse> collapses;       ///< the first hundred of collapse_count
  long collapse_count = 0;
  double smallest = 0, smallest_at = 0, hmin = 0, hmax = 0;
  double order_sum = 0;
  double begin_time = 0, end_time = 0;
  /// Number of steps, and the time that they cover, by the size h of the step. Key k: 2^(k−1024) ≤ h <
  /// 2^(k−1023).
  std::map<int, std::pair<long, double>> by_size;

  /// An interval of time that contains most of the steps of a cause.
  struct Stretch {
    double begin = 0, end = 0;
    double share = 0;  ///< of all steps in the interval, those that the cause limits
  };
  Stretch stretch_of(const CauseTally& tally) const;
  /// The frequency of the unknown of a cause, in the bins where the cause limits more than half of the steps.
  Frequency frequency_of(const StepCause& cause, const CauseTally& tally) const;
  /// The median frequency of the coordinates of other bodies and of other states, of those that have one; 0:
  /// none has.
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
  // Of the present step:
  double first_h_ = 0;  ///< size of its first refused attempt; 0: none was refused
  bool corrector_failed_ = false;
  int attempt_worst_ = -1;
  Place first_residual_{0, -1};  ///< largest residual in its first iteration
  // Of refused steps near each other:
  StepCollapse trouble_;
  double trouble_residual_ = 0;
  /// The trouble does not belong to a start, whose first step may be far too long, nor to a much lower order
  /// that is tried (integrate/methods/order_bound.h).
  bool settled_ = false;
  int calm_ = -1;  ///< accepted steps since the last refused one; −1: there is no trouble
  // Bins of time: their width, the steps in each, the time that these cover.
  double width_ = 0;
  TimeBins::Counts steps_by_time_{}, time_{};
  /// Per unknown and bin: the number of turning points of its rate (q̈, Ẋ) or value.
  std::vector<std::array<unsigned, TimeBins::count>> turns_;
  /// The course of an unknown's rate: last value and last change, extreme since the last turning point,
  /// roughness (running mean of second differences), total travel, direction (1, −1; 0: not known).
  struct Motion {
    double last = 0, change = 0, extreme = 0, rough = 0, travel = 0;
    int direction = 0;
  };
  bool turns_round(Motion& motion, double now, double ratio) const;
  std::vector<Motion> motion_;
  double last_h_ = 0;
  int last_order_ = 0;  ///< of the last accepted step
  int points_ = 0;      ///< accepted steps since the integrator began
};

}  // namespace trammel
