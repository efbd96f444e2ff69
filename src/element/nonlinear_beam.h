// BEAM with FORMULATION=NONLINEAR: a beam of Euler and Bernoulli for large rotations (docs/theory.md, section
// 2a). Seen from the frame half way between both ends, M, with D = (G I_xx, E I_yy, E I_zz):
//   exp(Θ̃) = A_Jᵀ A_I,  M = A_J exp(Θ̃/2),  B = ∫ exp(tΘ̃) dt over −½ ≤ t ≤ ½,  L Γ = B⁻¹ Mᵀ (r_I − r_J)
//   ε = Γ_x − 1 + 3/5 (Γ_y² + Γ_z²),   κ L = Θ − Θ × g,  g = (g_x, Γ_z, −Γ_y)
//   U = L/2 (E A ε² + 12/L² (E I_zz Γ_y² + E I_yy Γ_z²)) + 1/(2L) (κL·D κL + 12 G I_xx g_x²),  least by g_x
// Γ and Θ do not change where the whole beam moves. Forces and moments on both ends are the exact gradient of
// U, and
//   damping −C ẋ along x = (L ε, L Γ_y + L Θ_z/2, L Γ_z − L Θ_y/2, Θ)
// which for small deformations are displacements and rotations of I in J, those of the linear law.
// Sources: constant strains between two frames: V. Sonneville, A. Cardona, O. Brüls, Computer Methods in
// Applied Mechanics and Engineering 268 (2014); bending left over by them (12/L² ...): R. MacNeal, Computers
// & Structures 8 (1978).
#pragma once

#include "element/wrench.h"
#include "expression/marker_kinematics.h"
#include "math/rotation_vector.h"

namespace trammel {

struct NonlinearBeam {
  double length = 0, ea = 0;
  Vec3d d;              ///< G I_xx, E I_yy, E I_zz
  double c[6][6] = {};  ///< damping: force on I by rates of x, row by column
};

TRAMMEL_HD inline CountedAngles counted_angles(const NonlinearBeam&) {
  return {};
}

/// The largest turn of one end against the other, in radians (170 degrees): at π the rotation vector Θ jumps
/// to that of the turn the other way round.
constexpr double most_turn_of_beam = 2.967;

/// The ends as seen from the frame half way between them, M. It follows their motion by
///   B Θ̇ = Mᵀ(ω_I − ω_J),  Mᵀω_M = ½ Mᵀ(ω_I + ω_J) − c/4 Θ × Θ̇
template <class T>
struct HalfWay {
  Vec3<T> turn;  ///< Θ
  T x;           ///< Θ·Θ
  HalfTurnSeries<T> series;
  Mat3<T> m;      ///< M
  Vec3<T> chord;  ///< Mᵀ(r_I − r_J)

  TRAMMEL_HD HalfWay(const Pose<T>& I, const Pose<T>& J)
      : turn(rotation_vector_of(transpose_times(J.A, I.A))), x(dot(turn, turn)), series(x) {
    m = J.A * rotation_by(T(0.5) * turn);
    chord = transpose_times(m, I.r - J.r);
  }
  /// B⁻¹ v.
  TRAMMEL_HD Vec3<T> straightened(const Vec3<T>& v) const {
    return v - series.e * cross(turn, cross(turn, v));
  }
};

/// Derivatives of U by Γ and Θ as if these were independent.
template <class T>
struct BeamStress {
  Vec3<T> by_gamma, by_turn;
};

/// Derivatives of the elastic energy U. As ∂U/∂g_x = 0, with the moment m = D κ: δU = ... + m·δ(Θ − Θ × g).
template <class T>
TRAMMEL_HD BeamStress<T> elastic_stress(const NonlinearBeam& p, const Vec3<T>& gamma, const Vec3<T>& turn) {
  const double l = p.length, across = 12 / l;
  const T strain = gamma.x - 1.0 + 0.6 * (gamma.y * gamma.y + gamma.z * gamma.z), n = p.ea * l * strain;
  Vec3<T> g = {T(0.0), gamma.z, -gamma.y};
  Vec3<T> bent = turn - cross(turn, g);
  if (p.d.x > 0) {  // ∂(κL)/∂g_x = (0, −Θ_z, Θ_y)
    const T slope = p.d.z * bent.z * turn.y - p.d.y * bent.y * turn.z,
            curve = p.d.y * turn.z * turn.z + p.d.z * turn.y * turn.y + 12 * p.d.x;
    g.x = -slope / curve;
    bent.y = bent.y - g.x * turn.z;
    bent.z = bent.z + g.x * turn.y;
  }
  const Vec3<T> moment = {p.d.x / l * bent.x, p.d.y / l * bent.y, p.d.z / l * bent.z},
                by_g = cross(turn, moment);
  return {{n, 1.2 * n * gamma.y + across * p.d.z * gamma.y - by_g.z,
           1.2 * n * gamma.z + across * p.d.y * gamma.z + by_g.y},
          moment + cross(moment, g)};
}

/// Damping: C ẋ brought to Γ and Θ as ∂U/∂x is, theory.md (10f).
template <class T>
TRAMMEL_HD BeamStress<T> damping_stress(const NonlinearBeam& p, const HalfWay<T>& at, const Vec3<T>& gamma,
                                        const MarkerKinematics<T>& I, const MarkerKinematics<T>& J) {
  const double l = p.length;
  const Vec3<T>& turn = at.turn;
  const Vec3<T> turning = at.straightened(transpose_times(at.m, I.w - J.w)),
                spin =
                    T(0.5) * transpose_times(at.m, I.w + J.w) - T(0.25) * at.series.c * cross(turn, turning),
                chord_rate = transpose_times(at.m, I.v - J.v) + cross(at.chord, spin),
                across = cross(turn, at.chord);
  const Vec3<T> rate = at.straightened(chord_rate) -
                       at.series.e * (cross(turning, across) + cross(turn, cross(turning, at.chord))) -
                       T(2.0 * at.series.de * dot(turn, turning)) * cross(turn, across);  // L Γ̇
  const T x_rate[6] = {rate.x + 1.2 * (gamma.y * rate.y + gamma.z * rate.z),
                       rate.y + 0.5 * l * turning.z,
                       rate.z - 0.5 * l * turning.y,
                       turning.x,
                       turning.y,
                       turning.z};
  T f[6];
  for (int r = 0; r < 6; ++r) {
    f[r] = T(0.0);
    for (int s = 0; s < 6; ++s) f[r] = f[r] + p.c[r][s] * x_rate[s];
  }
  return {{l * f[0], l * (f[1] + 1.2 * gamma.y * f[0]), l * (f[2] + 1.2 * gamma.z * f[0])},
          {f[3], f[4] - 0.5 * l * f[2], f[5] + 0.5 * l * f[1]}};
}

/// Wrenches on the ends, theory.md (10e). Not a number beyond most_turn_of_beam, which the caller reports.
template <class T>
TRAMMEL_HD WrenchPair<T> wrench(const NonlinearBeam& p, const MarkerKinematics<T>& I,
                                const MarkerKinematics<T>& J, const double*) {
  const HalfWay<T> at(I, J);
  const Vec3<T>& turn = at.turn;
  const bool defined = value_of(at.x) < most_turn_of_beam * most_turn_of_beam;
  const Vec3<T> gamma = T(defined ? 1 / p.length : NAN) * at.straightened(at.chord);
  const BeamStress<T> elastic = elastic_stress(p, gamma, turn), damping = damping_stress(p, at, gamma, I, J);
  const Vec3<T> w = T(1 / p.length) * (elastic.by_gamma + damping.by_gamma);
  // `force` is p = ∂U/∂(Mᵀ(r_I − r_J)). `by_turn` has the derivative of U by Θ itself, that by way of B⁻¹,
  // and that by way of M, which turns with Θ.
  const T chord_along = dot(turn, at.chord), w_along = dot(turn, w), together = dot(w, at.chord);
  const Vec3<T> force = at.straightened(w), twice = cross(force, at.chord);
  const Vec3<T> by_turn = elastic.by_turn + damping.by_turn -
                          at.series.e * (chord_along * w + w_along * at.chord - T(2.0 * together) * turn) -
                          T(2.0 * at.series.de * (w_along * chord_along - at.x * together)) * turn -
                          T(0.25 * at.series.c) * cross(twice, turn);
  const Vec3<T> half = T(0.5) * twice, bend = at.straightened(by_turn);
  WrenchPair<T> out;
  out.fi = at.m * -force;
  out.fj = -out.fi;
  out.ti = at.m * -(half + bend);
  out.tj = -out.ti - cross(I.r - J.r, out.fi);  // = M (bend − half)
  return out;
}

}  // namespace trammel
