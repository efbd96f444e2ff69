#include "assemble/kinematics.h"

#include <cmath>
#include <numeric>

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
  // ω = H ε̇,  α = H ε̈ + Ḣ ε̇
  k.w = v[0] * h0 + v[1] * h1 + v[2] * h2;
  k.alpha = a[0] * h0 + a[1] * h1 + a[2] * h2 + v[1] * h1_rate + v[2] * h2_rate;
}

}  // namespace

MarkerSelection select_markers(const Model& model, const std::vector<int>& level) {
  MarkerSelection out;
  out.start.assign(model.bodies.size() + 1, 0);
  const auto wanted = [&](std::size_t m) { return level[m] >= 0 && model.markers[m].body >= 0; };
  for (std::size_t m = 0; m < level.size(); ++m)
    if (wanted(m)) ++out.start[model.markers[m].body + 1];
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.markers.resize(out.start.back());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for (std::size_t m = 0; m < level.size(); ++m)
    if (wanted(m)) out.markers[next[model.markers[m].body]++] = {static_cast<int>(m), level[m]};
  return out;
}

Kinematics::Kinematics(const Model& model, Parallel parallel)
    : model_(model),
      parallel_(parallel),
      all_(select_markers(model, std::vector<int>(model.markers.size(), 3))),
      bodies_(model.bodies.size()),
      cos_theta_(model.bodies.size()),
      variations_(model.bodies.size()),
      markers_(model.markers.size()),
      arms_(model.markers.size()) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    places_.push_back({model.bodies[b].first, model.bodies[b].point_mass, model.bodies[b].mass});
    bodies_[b].A = model.bodies[b].orientation;  // of a point mass: for good
  }
  for (std::size_t m = 0; m < markers_.size(); ++m) {
    const Marker& marker = model.markers[m];
    if (marker.body >= 0) continue;
    markers_[m].r = marker.s;  // ground: global position and axes, at rest
    markers_[m].A = marker.A;
  }
}

void Kinematics::update(const State& state, const MarkerSelection& selection) {
  parallel_(static_cast<int>(bodies_.size()), 256, [&](int begin, int end, int) {
    for (int b = begin; b < end; ++b) {
      update_body(state, b);
      for (int k = selection.start[b]; k < selection.start[b + 1]; ++k)
        update_marker(bodies_[b], selection.markers[k].marker, selection.markers[k].level);
    }
  });
}

void Kinematics::update_body(const State& state, int b) {
  const int first = places_[b].first;
  BodyKinematics& k = bodies_[b];
  k.x = load(&state.q[first]);
  k.v = load(&state.v[first]);
  k.a = load(&state.a[first]);
  if (places_[b].point_mass) return;
  rotate(state.basis[b], &state.q[first + 3], &state.v[first + 3], &state.a[first + 3], k);
  cos_theta_[b] = dot(k.H.column(0), k.H.column(2));
}

void Kinematics::update_marker(const BodyKinematics& k, int m, int level) {
  const Marker& marker = model_.markers[m];
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
  parallel_(static_cast<int>(bodies_.size()), 256, [&](int begin, int end, int) {
    for (int b = begin; b < end; ++b)
      if (!places_[b].point_mass) update_variation(state, c, b);
  });
}

void Kinematics::update_variation(const State& state, const Coefficients& c, int b) {
  const BodyKinematics& k = bodies_[b];
  const double *v = &state.v[places_[b].first + 3], *a = &state.a[places_[b].first + 3];
  const Vec3d h0 = k.H.column(0), h1 = k.H.column(1), h2 = k.H.column(2);
  // A variation of ψ turns all that moves about h0, one of θ turns h2 about h1, none of φ turns an axis:
  //   ∂ω/∂ε = [h0 × ω, φ̇ h1 × h2, 0],
  //   ∂α/∂ε = [h0 × α, φ̈ h1 × h2 + φ̇ (ψ̇ h0 + θ̇ h1) × (h1 × h2), 0]
  const Vec3d h12 = cross(h1, h2);
  // Ḣ: axes turn with what is before them
  const Mat3d H_rate = Mat3d::from_columns(Vec3d{}, v[0] * cross(h0, h1), cross(v[0] * h0 + v[1] * h1, h2));
  const Mat3d w_gradient = Mat3d::from_columns(cross(h0, k.w), v[2] * h12, Vec3d{});
  const Mat3d alpha_gradient =
      Mat3d::from_columns(cross(h0, k.alpha), a[2] * h12 + v[2] * cross(v[0] * h0 + v[1] * h1, h12), Vec3d{});
  BodyVariation& d = variations_[b];
  // δθ = H δε;  δω = H δε̇ + ∂ω/∂ε δε;  δα = H δε̈ + (Ḣ + ∂ω/∂ε) δε̇ + ∂α/∂ε δε
  d.P = c.c * k.H;
  d.V = c.b * k.H + c.c * w_gradient;
  d.Q = c.a * k.H + c.b * (H_rate + w_gradient) + c.c * alpha_gradient;
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
