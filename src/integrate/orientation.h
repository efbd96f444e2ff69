// Re-basing: keeps every body's 3-1-3 angles ε away from sin θ = 0 by changing the constant rotations G and R
// of A = G A₃₁₃(ε) R. All stored angles and rates are transformed exactly through (A, ω, α).
#pragma once

#include <span>

#include "integrate/rebase_body.h"
#include "model/state.h"

namespace trammel {

inline bool needs_rebase(const BodyBlock& body, const State& state) {
  return needs_rebase(body, state.q.data());
}

/// Chooses R so that the third rotation axis is the body's present axis of rotation (along ω, else α, else
/// body z) and G so that the state is at ψ = 0, θ = 90°, φ = 0; transforms the state and the points
/// `history`. The angles ψ and φ of all points are within ±π of the new base.
void rebase(const Model& model, int body, State& state, std::span<const CoordinatePoint> history);

/// A place or a vector in global axes, such as that of a body's centre of mass, along the axes in which the
/// body's translations are counted; a planar body has the first two.
Vec3d along_translations(const Body& body, const Vec3d& x);

/// Sets basis and angles of a body from its orientation A, ω and α (global axes). The angle of a planar body
/// is that nearest to the one it has.
void set_orientation(const Body& body, State& state, int index, const Mat3d& A, const Vec3d& w,
                     const Vec3d& alpha);

}  // namespace trammel
