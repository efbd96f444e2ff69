// BUSHING: linear spring and damper in six directions, in the axes of J.
//   F_I = FORCE − K∘d − C∘v,  T_I = TORQUE − KT∘(AX, AY, AZ) − CT∘ω   (J axes)
//   F_J = −F_I,  T_J = −T_I − (r_I − r_J) × F_I
// d, v: position and velocity of I as seen in J; ω: relative angular velocity.
#pragma once

#include "element/wrench.h"
#include "expression/marker_kinematics.h"
#include "language/forces.h"

namespace trammel {

struct Bushing {
  /// K, C, KT, CT, FORCE, TORQUE along the axes of J.
  Vec3d k, c, kt, ct, force, torque;
};

TRAMMEL_HD inline CountedAngles counted_angles(const Bushing&) {
  return {0, 3};
}

template <class T>
TRAMMEL_HD WrenchPair<T> wrench(const Bushing& p, const MarkerKinematics<T>& I, const MarkerKinematics<T>& J,
                                const double* last) {
  T e[6], rate[6], f[6];
  relative_motion(I, J, last, e, rate);
  for (int k = 0; k < 3; ++k) {
    f[k] = p.force[k] - p.k[k] * e[k] - p.c[k] * rate[k];
    f[3 + k] = p.torque[k] - p.kt[k] * e[3 + k] - p.ct[k] * rate[3 + k];
  }
  return balanced_wrench(f, I, J);
}

struct BushingStatement {
  static constexpr const StatementSpec& spec = statements::bushing;
  static Bushing read(const auto& s) {
    const auto three = [&](std::string_view name) {
      const auto* a = s.find(name);
      return a ? Vec3d{a->numbers[0], a->numbers[1], a->numbers[2]} : Vec3d{};
    };
    return {three("K"), three("C"), three("KT"), three("CT"), three("FORCE"), three("TORQUE")};
  }
};

}  // namespace trammel
