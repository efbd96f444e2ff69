// Kinematics of one body, its markers and its variation.
#pragma once

#include "assemble/body_motion.h"
#include "assemble/modal_kinematics.h"
#include "base/unroll.h"
#include "math/sine_cosine.h"

namespace trammel {

/// Orientation, ω, α of a body from sines and cosines of its angles, their rates v and second derivatives a
/// (three each).
TRAMMEL_HD inline void rotate(const OrientationBasis& basis, const SineCosine* of, const double* v,
                              const double* a, BodyKinematics& k) {
  const double cpsi = of[0].cosine, spsi = of[0].sine, ctheta = of[1].cosine, stheta = of[1].sine,
               cphi = of[2].cosine, sphi = of[2].sine;
  // The three axes of rotation in global axes: ψ about h0, θ about h1, φ about h2. (h1, p, h0) are the axes
  // of G turned by ψ; these turned by θ are (h1, n, h2), and turned by φ as well the axes of G A₃₁₃.
  const Vec3d gx = basis.G.column(0), gy = basis.G.column(1), h0 = basis.G.column(2);
  const Vec3d h1 = cpsi * gx + spsi * gy, p = cpsi * gy - spsi * gx;
  const Vec3d n = ctheta * p + stheta * h0, h2 = ctheta * h0 - stheta * p;
  // A = G A₃₁₃ R
  k.A = Mat3d::from_columns(cphi * h1 + sphi * n, cphi * n - sphi * h1, h2) * basis.R;
  // Each axis turns with the rotations before it:
  //   ḣ1 = ψ̇ h0 × h1 = ψ̇ p,  ḣ2 = (ψ̇ h0 + θ̇ h1) × h2 = ψ̇ sin θ h1 − θ̇ n
  const Vec3d h1_rate = v[0] * p, h2_rate = (v[0] * stheta) * h1 - v[1] * n;
  k.H = Mat3d::from_columns(h0, h1, h2);
  // ω = H ε̇,  α = H ε̈ + Ḣ ε̇
  k.w = v[0] * h0 + v[1] * h1 + v[2] * h2;
  k.alpha = a[0] * h0 + a[1] * h1 + a[2] * h2 + v[1] * h1_rate + v[2] * h2_rate;
}

/// Kinematics of a planar body, theory.md (8a). `of`: sine and cosine of the angle φ from e_x to the x axis
/// of the body. H does not change.
TRAMMEL_HD inline void update_planar_body(const AssemblyView& w, const BodyPlace& place, const SineCosine& of,
                                          BodyKinematics& k) {
  const double *q = w.state.q + place.first, *v = w.state.v + place.first, *a = w.state.a + place.first;
  const Vec3d n = k.H.column(0), ex = k.H.column(1), ey = k.H.column(2);
  k.x = translation_of(place, k.H, q) + place.height * n;
  k.v = translation_of(place, k.H, v);
  k.a = translation_of(place, k.H, a);
  k.A = Mat3d::from_columns(of.cosine * ex + of.sine * ey, of.cosine * ey - of.sine * ex, n);
  k.w = v[2] * n;
  k.alpha = a[2] * n;
}

/// Kinematics of a body, theory.md (1)-(3). `of`: sine and cosine of each of its angles.
TRAMMEL_HD inline void update_body(const AssemblyView& w, int b, const SineCosine* of) {
  const BodyPlace& place = w.table.place[b];
  BodyKinematics& k = w.array.body[b];
  if (place.planar()) [[unlikely]]
    return update_planar_body(w, place, of[0], k);
  const int first = place.first;
  k.x = load(w.state.q + first);
  k.v = load(w.state.v + first);
  k.a = load(w.state.a + first);
  if (!place.turns()) return;
  rotate(w.state.basis[b], of, w.state.v + place.angles(), w.state.a + place.angles(), k);
  w.array.cos_theta[b] = dot(k.H.column(0), k.H.column(2));
}

/// r = x + A s,  v = ẋ + ω × s,  a = ẍ + α × s + ω × (ω × s), as deep as `level`. `nodes`: the marker may be
/// at a node of a flexible body.
template <bool nodes = true>
TRAMMEL_HD inline void update_marker(const AssemblyView& w, const BodyKinematics& k,
                                     const WantedMarker& wanted) {
  const Marker& marker = w.table.marker[wanted.marker];
  if (nodes && marker.node >= 0) [[unlikely]]
    return update_node_marker(w, wanted);
  MarkerKinematics<double>& out = w.array.marker[wanted.marker];
  const Vec3d s = k.A * marker.s;
  w.array.arm[wanted.marker] = s;
  out.r = k.x + s;
  if (wanted.level < 1) return;
  out.A = k.A * marker.A;
  if (wanted.level < 2) return;
  const Vec3d ws = cross(k.w, s);
  out.v = k.v + ws;
  out.w = k.w;
  if (wanted.level < 3) return;
  out.a = k.a + cross(k.alpha, s) + cross(k.w, ws);
  out.alpha = k.alpha;
}

/// A body and those of its markers that `start` and `wanted` list. `of`: sine and cosine of each of its
/// angles.
template <bool nodes = true>
TRAMMEL_HD inline void update_body_and_markers(const AssemblyView& w, const int* start,
                                               const WantedMarker* wanted, int b, const SineCosine* of) {
  update_body(w, b, of);
  TRAMMEL_ROLLED
  for (int k = start[b]; k < start[b + 1]; ++k) update_marker<nodes>(w, w.array.body[b], wanted[k]);
}

TRAMMEL_HD inline void update_variation(const AssemblyView& w, int b) {
  const BodyPlace& place = w.table.place[b];
  if (!place.turns()) return;
  const Coefficients& c = w.point->c;
  const BodyKinematics& k = w.array.body[b];
  if (place.planar()) [[unlikely]] {  // δθ = n δφ, δω = n δφ̇, δα = n δφ̈
    const Mat3d normal = Mat3d::from_columns(k.H.column(0), Vec3d{}, Vec3d{});
    w.array.variation[b] = {c.c * normal, c.b * normal, c.a * normal};
    return;
  }
  const double *v = w.state.v + place.angles(), *a = w.state.a + place.angles();
  const Vec3d h0 = k.H.column(0), h1 = k.H.column(1), h2 = k.H.column(2);
  // A variation of ψ turns h1 and h2 about h0, one of θ turns h2 about h1, one of φ turns no axis:
  //   ∂ω/∂ε = [h0 × ω, φ̇ h1 × h2, 0],
  //   ∂α/∂ε = [h0 × α, φ̈ h1 × h2 + φ̇ (ψ̇ h0 + θ̇ h1) × (h1 × h2), 0]
  const Vec3d h12 = cross(h1, h2);
  // Ḣ: each axis turns with the rotations before it
  const Mat3d H_rate = Mat3d::from_columns(Vec3d{}, v[0] * cross(h0, h1), cross(v[0] * h0 + v[1] * h1, h2));
  const Mat3d w_gradient = Mat3d::from_columns(cross(h0, k.w), v[2] * h12, Vec3d{});
  const Mat3d alpha_gradient =
      Mat3d::from_columns(cross(h0, k.alpha), a[2] * h12 + v[2] * cross(v[0] * h0 + v[1] * h1, h12), Vec3d{});
  BodyVariation& d = w.array.variation[b];
  // δθ = H δε;  δω = H δε̇ + ∂ω/∂ε δε;  δα = H δε̈ + (Ḣ + ∂ω/∂ε) δε̇ + ∂α/∂ε δε
  d.P = c.c * k.H;
  d.V = c.b * k.H + c.c * w_gradient;
  d.Q = c.a * k.H + c.b * (H_rate + w_gradient) + c.c * alpha_gradient;
}

}  // namespace trammel
