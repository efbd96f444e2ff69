// Forces left over on bodies, how far bodies move, and the work that the ones do along the other.
#pragma once

#include <span>
#include <vector>

#include "assemble/kinematics.h"

namespace trammel {

/// Two vectors per body, global axes: force and torque about the centre of mass, or its displacement and the
/// body's rotation vector. Those of point masses are zero in the second place. Then as many per modal
/// coordinate, whose force or displacement is the first number.
using BodyVectors = std::vector<Vec3d>;

/// −r as forces and torques: of the rows r_ε = Hᵀ n the torque is n = H⁻ᵀ r_ε.
BodyVectors forces_left(const Model& model, const Kinematics& at, std::span<const double> residual);
/// What a correction of coordinates is.
BodyVectors way_of(const Model& model, const Kinematics& at, std::span<const double> correction);
/// From one configuration to another nearby.
BodyVectors way_between(const Model& model, const Kinematics& from, const Kinematics& to);
/// Moves the bodies `scale` times such a way; velocities of rotations become zero.
void move_along(const Model& model, const Kinematics& at, const BodyVectors& way, double scale, State& state);
/// Σ F·δx + T·δθ.
double work(const BodyVectors& forces, const BodyVectors& way);
/// The root of Σ F² + (T / arm)².
double size_of_forces(const BodyVectors& forces, double arm);
/// Σ m δx² + δθᵀ J δθ.
double inertia_of(const Model& model, const Kinematics& at, const BodyVectors& way);

}  // namespace trammel
