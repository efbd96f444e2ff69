// The longest step in which a body that turns brings nothing to where a force comes and goes unseen: IMPACT,
// BISTOP, IF, STEP, a spline or a CONTACT of what its turning moves. A body that turns freely is integrated
// without error in steps of any length, whole turns among them, and a force that is 0 at both ends of a step
// has no error there.
#pragma once

#include <tuple>
#include <vector>

#include "assemble/kinematics.h"
#include "model/model.h"

namespace trammel {

class ResolvedTurns {
 public:
  explicit ResolvedTurns(const Model& model);
  bool empty() const { return moved_.empty(); }
  /// The step [time] in which all that such functions and CONTACTs read turns by `largest_turn` at most, if
  /// bodies go on with their present angular velocities and accelerations; infinite where nothing turns.
  /// What turns about a centre of mass no farther from it than ERROR stays where it is.
  double longest_step(const Kinematics& now, double error) const;
  /// [rad] A force that is there over as much of a turn is met by the end of a step. Of shorter ones the
  /// parabola through the ends of three steps tells, whose error is that angle cubed of the radius, 1/64.
  static constexpr double largest_turn = 0.25;

 private:
  /// What turning moves: a place, by its distance from the centre of mass; an axis, by its angle to the
  /// angular velocity; or, of what has no symmetry, the whole.
  enum class What { place, axis, whole };
  struct Moved {
    int marker;
    What what;
    Vec3d at;  ///< in the marker's axes: of a place from the marker, or along an axis
    auto key() const { return std::tuple(marker, what, at.x, at.y, at.z); }
  };
  class Readings;
  double longest_step(const Kinematics& now, const Moved& moved, double error) const;

  const Model& model_;
  std::vector<Moved> moved_;
};

}  // namespace trammel
