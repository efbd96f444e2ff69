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
  Kind kind = Kind::stable;  ///< unstable with one unstable mode; else neutral with one neutral mode
  std::string undecided;     ///< reason for `undecided`, and what is known
  int unstable = 0;          ///< number of eigenvalues with a positive real part
  bool at_least = false;     ///< there may be more unstable eigenvalues, and faster ones
  int neutral = 0;           ///< number of modes that nothing holds: eigenvalues of zero, or pairs of them
  double largest_real = 0;   ///< largest real part of an eigenvalue [1/time]; 0: none is positive
  /// δq, one entry per coordinate, of the mode that grows fastest, else of a neutral mode; empty: there is
  /// neither.
  std::vector<double> direction;
  std::vector<std::string> neutral_parts;  ///< labels of the parts that neutral modes move
};

/// Adds to `names` the labels of the bodies that `dq` (one entry per coordinate) moves, unless they are
/// there. A rotation counts as a displacement at the distance `arm`.
void name_moved_parts(const Model& model, std::span<const double> dq, double arm,
                      std::vector<std::string>& names);

/// Largest numbers of coordinates, and of free coordinates, of a model whose eigenvalues are all computed:
/// the matrices are dense, and take a second or two at these sizes.
inline constexpr int most_coordinates_classified = 1000, most_free_classified = 300;

/// `state`: at rest, with its reactions. By all eigenvalues of small motions (analysis/linear/modes.h); empty
/// for larger models (large_rest_stability.h). Throws Failure(solver) as small_motions() and
/// state_equations() do.
std::optional<RestStability> stability_at(StaticProblem& problem, const State& state);

}  // namespace trammel
