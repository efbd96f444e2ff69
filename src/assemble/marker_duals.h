// Markers in dual numbers, for derivatives of element laws.
#pragma once

#include "expression/marker_kinematics.h"

namespace trammel {

/// Position, axes and velocities of a marker as constants: without variation.
template <class D>
TRAMMEL_HD void lift(const MarkerKinematics<double>& in, MarkerKinematics<D>& out) {
  for (int k = 0; k < 3; ++k) {
    out.r[k] = D(in.r[k]);
    out.v[k] = D(in.v[k]);
    out.w[k] = D(in.w[k]);
  }
  for (int k = 0; k < 9; ++k) out.A.m[k] = D(in.A.m[k]);
}

/// The same with accelerations.
template <class D>
TRAMMEL_HD void lift_deep(const MarkerKinematics<double>& in, MarkerKinematics<D>& out) {
  lift(in, out);
  for (int k = 0; k < 3; ++k) {
    out.a[k] = D(in.a[k]);
    out.alpha[k] = D(in.alpha[k]);
  }
}

/// Adds six variations to a lifted marker: of its pose, (δr, δθ) with δA = δθ̃ A (level 0), or of its
/// velocities, (δv, δω) (level 1).
template <class D>
TRAMMEL_HD void seed(const MarkerKinematics<double>& in, int level, MarkerKinematics<D>& out) {
  for (int k = 0; k < 3; ++k) {
    if (level == 1) {
      out.v[k].d[k] = 1;
      out.w[k].d[3 + k] = 1;
      continue;
    }
    out.r[k].d[k] = 1;
    Vec3d axis{};
    axis[k] = 1;
    const Mat3d dA = skew(axis) * in.A;  // δA = [e_k]× A
    for (int e = 0; e < 9; ++e) out.A.m[e].d[3 + k] = dA.m[e];
  }
}

}  // namespace trammel
