#include "assemble/kinematics.h"

#include <cmath>

namespace trammel {

namespace {

Vec3d load(const double* p) {
  return {p[0], p[1], p[2]};
}

Kinematics::Jet make_jet(double value, double first, double second) {
  Kinematics::Jet j;
  j.v.v = value;
  j.v.d[0] = j.d[0].v = first;
  j.d[0].d[0] = second;
  return j;
}

/// Orientation, ω, α of a body with the angles q, rates v, second derivatives a (three each).
void rotate(const OrientationBasis& basis, const double* q, const double* v, const double* a,
            BodyKinematics& k) {
  const double cpsi = std::cos(q[0]), spsi = std::sin(q[0]), ctheta = std::cos(q[1]), stheta = std::sin(q[1]),
               cphi = std::cos(q[2]), sphi = std::sin(q[2]);
  // The three axes of rotation in global axes: ψ about h0, θ about h1, φ about h2;
  // (h1, p, h0) is G turned by ψ, (h1, n, h2) that turned by θ, and G A₃₁₃ that turned by φ.
  const Vec3d gx = basis.G.column(0), gy = basis.G.column(1), h0 = basis.G.column(2);
  const Vec3d h1 = cpsi * gx + spsi * gy, p = cpsi * gy - spsi * gx;
  const Vec3d n = ctheta * p + stheta * h0, h2 = ctheta * h0 - stheta * p;
  // A = G A₃₁₃ R
  k.A = Mat3d::from_columns(cphi * h1 + sphi * n, cphi * n - sphi * h1, h2) * basis.R;
  // Axes turn with what is before them: ḣ1 = ψ̇ h0 × h1 = ψ̇ p,  ḣ2 = (ψ̇ h0 + θ̇ h1) × h2 = ψ̇ sin θ h1 − θ̇ n
  const Vec3d h1_rate = v[0] * p, h2_rate = (v[0] * stheta) * h1 - v[1] * n;
  k.H = Mat3d::from_columns(h0, h1, h2);
  k.Hdot = Mat3d::from_columns(Vec3d{}, h1_rate, h2_rate);
  // ω = H ε̇,  α = H ε̈ + Ḣ ε̇
  k.w = v[0] * h0 + v[1] * h1 + v[2] * h2;
  k.alpha = a[0] * h0 + a[1] * h1 + a[2] * h2 + v[1] * h1_rate + v[2] * h2_rate;
}

}  // namespace

Kinematics::Kinematics(const Model& model)
    : model_(model),
      bodies_(model.bodies.size()),
      variations_(model.bodies.size()),
      markers_(model.markers.size()),
      arms_(model.markers.size()) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    places_.push_back({model.bodies[b].first, model.bodies[b].point_mass});
    bodies_[b].A = model.bodies[b].orientation;  // of a point mass: for good
  }
  for (std::size_t m = 0; m < markers_.size(); ++m) {
    const Marker& marker = model.markers[m];
    if (marker.body >= 0) continue;
    markers_[m].r = marker.s;  // ground: global position and axes, at rest
    markers_[m].A = marker.A;
  }
}

void Kinematics::update(const State& state) {
  update_bodies(state);
  for (std::size_t m = 0; m < markers_.size(); ++m) update_marker(static_cast<int>(m), 3);
}

void Kinematics::update(const State& state, std::span<const TapeMarker> needed) {
  update_bodies(state);
  for (const TapeMarker& m : needed) update_marker(m.marker, m.level);
}

void Kinematics::update_bodies(const State& state) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const double *q = &state.q[places_[b].first], *v = &state.v[places_[b].first],
                 *a = &state.a[places_[b].first];
    BodyKinematics& k = bodies_[b];
    k.x = load(q);
    k.v = load(v);
    k.a = load(a);
    if (!places_[b].point_mass) rotate(state.basis[b], q + 3, v + 3, a + 3, k);
  }
}

void Kinematics::update_marker(int m, int level) {
  const Marker& marker = model_.markers[m];
  if (marker.body < 0) return;
  const BodyKinematics& k = bodies_[marker.body];
  MarkerKinematics<double>& out = markers_[m];
  // r = x + A s,  v = ẋ + ω × s,  a = ẍ + α × s + ω × (ω × s)
  const Vec3d s = k.A * marker.s;
  arms_[m] = s;
  out.r = k.x + s;
  if (level < 1) return;
  out.A = k.A * marker.A;
  if (level < 2) return;
  const Vec3d ws = cross(k.w, s);
  out.v = k.v + ws;
  out.w = k.w;
  if (level < 3) return;
  out.a = k.a + cross(k.alpha, s) + cross(k.w, ws);
  out.alpha = k.alpha;
}

void Kinematics::update_variations(const State& state, const Coefficients& c) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (places_[b].point_mass) continue;
    const BodyKinematics& k = bodies_[b];
    const double *v = &state.v[places_[b].first + 3], *a = &state.a[places_[b].first + 3];
    const Vec3d h0 = k.H.column(0), h1 = k.H.column(1), h2 = k.H.column(2);
    // A variation of ψ turns all that moves about h0, one of θ turns h2 about h1, none of φ turns an axis:
    //   ∂ω/∂ε = [h0 × ω, φ̇ h1 × h2, 0],
    //   ∂α/∂ε = [h0 × α, φ̈ h1 × h2 + φ̇ (ψ̇ h0 + θ̇ h1) × (h1 × h2), 0]
    const Vec3d h12 = cross(h1, h2);
    const Mat3d w_gradient = Mat3d::from_columns(cross(h0, k.w), v[2] * h12, Vec3d{});
    const Mat3d alpha_gradient = Mat3d::from_columns(
        cross(h0, k.alpha), a[2] * h12 + v[2] * cross(v[0] * h0 + v[1] * h1, h12), Vec3d{});
    BodyVariation& d = variations_[b];
    // δθ = H δε;  δω = H δε̇ + ∂ω/∂ε δε;  δα = H δε̈ + (Ḣ + ∂ω/∂ε) δε̇ + ∂α/∂ε δε
    d.P = c.c * k.H;
    d.V = c.b * k.H + c.c * w_gradient;
    d.Q = c.a * k.H + c.b * (k.Hdot + w_gradient) + c.c * alpha_gradient;
  }
}

MarkerKinematics<Kinematics::Jet> Kinematics::jet(int m) const {
  const MarkerKinematics<double>& k = markers_[m];
  const Mat3d w = skew(k.w);
  const Mat3d first = w * k.A, second = (skew(k.alpha) + w * w) * k.A;
  MarkerKinematics<Jet> j;
  for (int i = 0; i < 3; ++i) {
    j.r[i] = make_jet(k.r[i], k.v[i], k.a[i]);
    // Velocities to first order in time: enough for velocity-level constraints, differentiated once.
    j.v[i] = make_jet(k.v[i], k.a[i], 0.0);
    j.w[i] = make_jet(k.w[i], k.alpha[i], 0.0);
    j.a[i] = make_jet(k.a[i], 0.0, 0.0);
    j.alpha[i] = make_jet(k.alpha[i], 0.0, 0.0);
  }
  for (int i = 0; i < 9; ++i) j.A.m[i] = make_jet(k.A.m[i], first.m[i], second.m[i]);
  return j;
}

}  // namespace trammel
