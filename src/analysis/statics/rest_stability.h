// Whether an equilibrium is stable: by the eigenvalues of small motions about it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/statics/static_problem.h"

namespace trammel {

struct RestStability {
  enum class Kind { stable, unstable, neutral, undecided };
  Kind kind = Kind::stable;  ///< unstable where there is one such mode; else neutral where there is one
  std::string undecided;     ///< why it is, and what is known
  int unstable = 0;          ///< eigenvalues with a positive real part
  bool at_least = false;     ///< there may be more of these, and faster ones
  int neutral = 0;           ///< modes that nothing holds: eigenvalues of zero, or pairs of these
  double largest_real = 0;   ///< [1/time]
  /// δq per coordinate of the mode that grows fastest, else of a neutral one; empty: neither.
  std::vector<double> direction;
  std::vector<std::string> neutral_parts;  ///< parts that neutral modes move
};

/// Adds the labels of the bodies that δq moves, δq an entry per coordinate, to those that are named already.
/// A rotation is a displacement at the distance `arm`.
void name_moved_parts(const Model& model, std::span<const double> dq, double arm,
                      std::vector<std::string>& names);

/// How many coordinates, and how many of them free to move with how many states, a model has at most whose
/// eigenvalues are all computed: the problems are dense, and take a second or two at these sizes.
inline constexpr int most_coordinates_classified = 1000, most_free_classified = 300;

/// At a state at rest with its reactions, by all eigenvalues of small motions (analysis/linear/modes.h).
/// None for larger models (large_rest_stability.h). Throws Failure(solver) as small_motions() and
/// state_equations() do.
std::optional<RestStability> stability_at(StaticProblem& problem, const State& state);

}  // namespace trammel
