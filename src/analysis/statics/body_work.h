// Unbalanced forces on bodies, displacements of bodies, and the work of the one along the other.
#pragma once

#include <span>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

/// Two vectors per body in global axes: force and torque about the centre of mass, or displacement of the
/// centre of mass and rotation vector (the second is zero for point masses). Then two vectors per modal
/// coordinate, whose force or displacement is the first component of the first.
using BodyVectors = std::vector<Vec3d>;

/// −r as forces and torques, r the residual per coordinate; the torque of the rows r_ε = Hᵀ n is −n = −H⁻ᵀ
/// r_ε.
BodyVectors forces_left(const Model& model, const Kinematics& at, std::span<const double> residual);
/// Displacements and rotation vectors of a correction, which has one entry per coordinate.
BodyVectors displacements_of(const Model& model, const Kinematics& at, std::span<const double> correction);
/// Displacements and rotation vectors from one configuration to another (rotations by at most half a turn).
BodyVectors displacements_between(const Model& model, const Kinematics& from, const Kinematics& to);
/// Moves the bodies of the state, whose kinematics are `at`, by `scale` times `way`; rates of their angles
/// become zero.
void move_along(const Model& model, const Kinematics& at, const BodyVectors& way, double scale, State& state);
/// Σ F·δx + T·δθ.
double work(const BodyVectors& forces, const BodyVectors& way);
/// √(Σ F² + (T / arm)²).
double size_of_forces(const BodyVectors& forces, double arm);
/// Δ·MΔ = Σ m δx² + δθᵀ J δθ, and of a flexible body also what its modes and the place of its frame add:
/// twice the kinetic energy of the velocities Δ where the assembler has evaluated last.
double inertia_of(const Model& model, const Assembler& assembler, const BodyVectors& way);

}  // namespace trammel
