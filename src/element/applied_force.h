// Forces whose size is a function expression: SFORCE, VFORCE, VTORQUE, GFORCE, MFORCE.
// The wrench is linear in the expression values e, so element code gives the wrench of each unit value.
//   SFORCE translation: F_I = e (r_I − r_J)/DM = −F_J      (ACTIONONLY: F_I = e ẑ_J)
//   SFORCE rotation:    T_I = e ẑ_J = −T_J                 (ACTIONONLY: T_I only)
//   VFORCE … GFORCE:    F_I = A_RM (e₁,e₂,e₃), T_I = A_RM (e₄,e₅,e₆); the body of JFLOAT gets the
//                       opposite at the same point, so about its centre of mass
//                       T_J = −T_I − (r_I − r_J) × F_I  with J that centre of mass.
//   MFORCE:             F_I = e A_I F₀, T_I = e A_I T₀ of a load case, I the frame of the flexible body; with
//                       JFLOAT the opposite as above, else (ACTIONONLY) nothing. Its forces on the modes are
//                       in assemble/pools/applied_forces.h.
#pragma once

#include "element/constraint_row.h"
#include "element/wrench.h"
#include "expression/marker_kinematics.h"

namespace trammel {

enum class AppliedKind : unsigned char { translation, rotation, vector, modal };

struct AppliedForce {
  AppliedKind kind = AppliedKind::translation;
  bool action_only = false;
  Vec3d force{}, moment{};  ///< modal: F₀ and T₀ about the origin of I, axes of I
};

/// Wrench where expression `component` (0; 0..5 of vectors) has the value 1. J of vectors and of modal forces
/// is the centre of mass of JFLOAT's body.
template <class T>
TRAMMEL_HD WrenchPair<T> unit_wrench(const AppliedForce& p, int component, const Pose<T>& I, const Pose<T>& J,
                                     const Pose<T>& RM) {
  WrenchPair<T> w;
  if (p.kind == AppliedKind::modal) {
    for (int k = 0; k < 3; ++k) {
      w.fi = w.fi + T(p.force[k]) * I.A.column(k);
      w.ti = w.ti + T(p.moment[k]) * I.A.column(k);
    }
    if (p.action_only) return w;
    w.fj = -w.fi;
    w.tj = -w.ti - cross(I.r - J.r, w.fi);
    return w;
  }
  if (p.kind == AppliedKind::vector) {
    const Vec3<T> u = RM.A.column(component % 3);
    if (component < 3) {
      w.fi = u;
      if (p.action_only) return w;
      w.fj = -u;
      w.tj = -cross(I.r - J.r, u);
    } else {
      w.ti = u;
      if (!p.action_only) w.tj = -u;
    }
    return w;
  }
  const Vec3<T> z = J.A.column(2);
  if (p.kind == AppliedKind::rotation) {
    w.ti = z;
    if (!p.action_only) w.tj = -z;
    return w;
  }
  if (p.action_only) {
    w.fi = z;
    return w;
  }
  const Vec3<T> d = I.r - J.r;
  w.fi = (1.0 / norm(d)) * d;
  w.fj = -w.fi;
  return w;
}

}  // namespace trammel
