// Whether an equilibrium is stable: by the eigenvalues of small motions about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/statics/static_problem.h"

namespace trammel {

struct RestStability {
  enum class Kind { stable, unstable, neutral };
  Kind kind = Kind::stable;  ///< unstable where there is one such mode; else neutral where there is one
  int unstable = 0;          ///< eigenvalues with a positive real part
  int neutral = 0;           ///< modes that nothing holds: eigenvalues of zero, or pairs of these
  double largest_real = 0;   ///< [1/time]
  /// δq per coordinate of the mode that grows fastest, else of a neutral one; empty: neither.
  std::vector<double> direction;
  std::vector<std::string> neutral_parts;  ///< parts that neutral modes move
};

/// How many coordinates, and how many of them free to move with how many states, a model has at most whose
/// eigenvalues are computed: the problems are dense, and take a second or two at these sizes.
inline constexpr int most_coordinates_classified = 1000, most_free_classified = 300;

/// At a state at rest with its reactions, by the eigenvalues of small motions (analysis/linear/modes.h). None
/// for larger models. Throws Failure(solver) as small_motions() and state_equations() do.
std::optional<RestStability> stability_at(StaticProblem& problem, const State& state);

}  // namespace trammel
