// What the unknowns of a body mean: generalized forces by its unknowns, and motions of the body from their
// changes. Elements see markers alone, and are the same for all kinds of bodies.
//
// The columns of H are the axes about which the angles turn the body. H of a planar body is constant,
// [n, e_x, e_y]: the normal of its plane, about which its angle is, and the axes e_x, e_y along which its
// translations are.
#pragma once

#include "assemble/view.h"

namespace trammel {

/// Generalized force of a force f at, and a moment t about, the centre of mass: f and Hᵀ t (six numbers); of
/// a planar body e_x·f, e_y·f, n·t.
TRAMMEL_HD inline void generalized_force(const BodyBlock& body, const Mat3d& H, const Vec3d& f,
                                         const Vec3d& t, double* out) {
  if (body.planar()) [[unlikely]] {
    out[0] = dot(H.column(1), f);
    out[1] = dot(H.column(2), f);
    out[2] = dot(H.column(0), t);
    return;
  }
  const Vec3d e = transpose_times(H, t);
  for (int k = 0; k < 3; ++k) {
    out[k] = f[k];
    out[3 + k] = e[k];
  }
}

/// The same by calls put(k, force by unknown k), without the translations along which no force in the given
/// global axes (bits x, y, z) has a part.
template <class Put>
TRAMMEL_HD inline void put_generalized_force(const BodyBlock& body, const Mat3d& H, const Vec3d& f,
                                             const Vec3d& t, int axes, Put&& put) {
  if (body.planar()) [[unlikely]] {
    for (int k = 0; k < 2; ++k) {
      bool reached = false;
      for (int i = 0; i < 3; ++i) reached = reached || ((axes >> i & 1) && H(i, 1 + k) != 0);
      if (reached) put(k, dot(H.column(1 + k), f));
    }
    put(2, dot(H.column(0), t));
    return;
  }
  for (int k = 0; k < 3; ++k)
    if (axes >> k & 1) put(k, f[k]);
  if (!body.turns()) return;
  const Vec3d e = transpose_times(H, t);
  for (int k = 0; k < 3; ++k) put(3 + k, e[k]);
}

/// δx from the changes d of a body's unknowns.
TRAMMEL_HD inline Vec3d translation_of(const BodyBlock& body, const Mat3d& H, const double* d) {
  if (body.planar()) return d[0] * H.column(1) + d[1] * H.column(2);
  return {d[0], d[1], d[2]};
}

/// δθ = H δε of a body that turns.
TRAMMEL_HD inline Vec3d rotation_of(const BodyBlock& body, const Mat3d& H, const double* d) {
  if (body.planar()) return d[2] * H.column(0);
  return H * Vec3d{d[3], d[4], d[5]};
}

}  // namespace trammel
