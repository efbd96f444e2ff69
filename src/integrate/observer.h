// What iterations and steps tell to who watches them: the tables of DEBUG, and statistics of a run. Nobody
// watches unless asked to; then all arrays are on the processor.
#pragma once

#include <array>
#include <span>
#include <string>

#include "assemble/assembler.h"
#include "integrate/step_data.h"

namespace trammel {

/// One iteration of Newton. Arrays have an entry per unknown of the model, and there is one per stage.
struct IterationSeen {
  static constexpr int most_stages = 3;
  using Arrays = std::array<std::span<const double>, most_stages>;
  int iteration = 0;  ///< 1, 2, ...
  int stages = 1;
  Arrays residual{};    ///< before the correction
  Arrays correction{};  ///< empty: none was made
  double sign = 1;      ///< of the residual's entries: −1 where they have been negated
  bool new_jacobian = false;
  double rate = -1;  ///< of convergence: size of the correction over that before; −1: not measured
  Place worst{};  ///< the unknown whose correction is largest in the corrector's units; index −1: not known
};

/// The matrix of the iterations that follow.
struct JacobianSeen {
  const SparsePattern& pattern;
  std::span<const double> values;
};

enum class AttemptEnd {
  accepted,
  error_too_large,
  leap,  ///< past the peak of some friction (SlipLeaps)
  not_converged,
  no_value,
  singular,
  refused,
  no_advance
};

/// Where the estimated local error of an attempt is largest.
struct ErrorPlace {
  enum class Kind { none, position, velocity, state };
  Kind kind = Kind::none;
  int unknown = -1;       ///< a coordinate or scalar, as an unknown of the model
  bool rotation = false;  ///< it stands for the three angles of its body
};

/// An attempt at a step; its iterations have been told.
struct AttemptSeen {
  AttemptEnd end = AttemptEnd::accepted;
  double t = 0, h = 0;                 ///< beginning and size
  double suggested = 0;                ///< size that error and corrector allow
  double error = 0;                    ///< estimated over ERROR; meaningful if converged
  ErrorPlace largest{};                ///< its largest part, if converged
  const StepState& steps;              ///< all data of the steps
  int order = 0;                       ///< of the formula
  std::span<const double> unknowns{};  ///< q̈, λ, then Ẋ or scalars at its end, if it is accepted
  bool iterates = true;                ///< false: of an explicit method
  /// Of a method in independent coordinates of a constrained model: per coordinate, whether it is one.
  std::span<const unsigned char> independent{};
};

/// An iteration for one point of time: initial conditions, states brought onto the constraints.
struct PointSeen {
  std::string what;  ///< "initial positions"
  int iterations = 0;
  bool converged = true;
};

/// Steps that begin, or go on after an output or event.
struct StepsSeen {
  const std::string& method;
  bool stabilized = false, anew = false;  ///< anew: by a new integrator, without history
  double t = 0;
  const StepCounters& before;  ///< of the session, without those of the integrator
};

class SolveObserver {
 public:
  virtual ~SolveObserver() = default;
  virtual void steps_begin(const StepsSeen&) {}
  virtual void jacobian(const JacobianSeen&) {}
  virtual void iteration(const IterationSeen&) {}
  virtual void attempt(const AttemptSeen&) {}
  virtual void point(const PointSeen&) {}
};

}  // namespace trammel
