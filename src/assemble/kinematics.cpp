#include "assemble/kinematics.h"

namespace trammel {

namespace {

Vec3d load(const double* p) { return {p[0], p[1], p[2]}; }

Kinematics::Jet make_jet(double value, double first, double second) {
  Kinematics::Jet j;
  j.v.v = value;
  j.v.d[0] = j.d[0].v = first;
  j.d[0].d[0] = second;
  return j;
}

}  // namespace

BodyKinematics body_kinematics(const Body& body, const OrientationBasis& basis, const double* q,
                               const double* v, const double* a) {
  BodyKinematics k;
  k.x = load(q);
  k.v = load(v);
  k.a = load(a);
  k.A = body.orientation;
  if (body.point_mass) return k;
  const Vec3d e = load(q + 3), ed = load(v + 3), edd = load(a + 3);
  const AngularVelocityMap map(e);
  // A = G A₃₁₃ R,  ω = G E ε̇,  α = G (E ε̈ + Ė ε̇)
  k.A = basis.G * rotation_313(e) * basis.R;
  k.H = basis.G * map.E;
  k.Hdot = basis.G * map.rate(ed);
  k.w = k.H * ed;
  k.alpha = k.H * edd + k.Hdot * ed;
  return k;
}

Kinematics::Kinematics(const Model& model)
    : model_(model), bodies_(model.bodies.size()), variations_(model.bodies.size()),
      markers_(model.markers.size()), marker_variations_(model.markers.size()), arms_(model.markers.size()) {
  for (std::size_t m = 0; m < markers_.size(); ++m) {
    const Marker& marker = model.markers[m];
    if (marker.body >= 0) continue;
    markers_[m].r = marker.s;  // ground: global position and axes, at rest
    markers_[m].A = marker.A;
  }
}

void Kinematics::update(const State& state) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = model_.bodies[b];
    bodies_[b] = body_kinematics(body, state.basis[b], &state.q[body.first], &state.v[body.first],
                                 &state.a[body.first]);
  }
  for (std::size_t m = 0; m < markers_.size(); ++m) {
    const Marker& marker = model_.markers[m];
    if (marker.body < 0) continue;
    const BodyKinematics& k = bodies_[marker.body];
    const Vec3d s = k.A * marker.s;
    const Vec3d ws = cross(k.w, s);
    arms_[m] = s;
    // r = x + A s,  v = ẋ + ω × s,  a = ẍ + α × s + ω × (ω × s)
    markers_[m] = {k.x + s, k.A * marker.A, k.v + ws, k.w, k.a + cross(k.alpha, s) + cross(k.w, ws), k.alpha};
  }
}

void Kinematics::update_variations(const State& state, const Coefficients& c) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = model_.bodies[b];
    if (body.point_mass) continue;
    const BodyKinematics& k = bodies_[b];
    const double *q = &state.q[body.first], *v = &state.v[body.first], *a = &state.a[body.first];
    const Vec3d ed = load(v + 3), edd = load(a + 3);
    const AngularVelocityMap map(load(q + 3));
    const Mat3d& G = state.basis[b].G;
    const Mat3d velocity_gradient = G * map.velocity_gradient(ed);
    BodyVariation& d = variations_[b];
    // δθ = H δε;  δω = H δε̇ + ∂(Hε̇)/∂ε δε;  δα = H δε̈ + (Ḣ + ∂(Hε̇)/∂ε) δε̇ + ∂(Hε̈ + Ḣε̇)/∂ε δε
    d.P = c.c * k.H;
    d.V = c.b * k.H + c.c * velocity_gradient;
    d.Q = c.a * k.H + c.b * (k.Hdot + velocity_gradient) +
          c.c * (G * map.acceleration_gradient(ed, edd));
  }
  for (std::size_t m = 0; m < markers_.size(); ++m) {
    const int b = model_.markers[m].body;
    if (b < 0 || model_.bodies[b].point_mass) continue;
    const BodyKinematics& k = bodies_[b];
    const BodyVariation& d = variations_[b];
    const Mat3d s = skew(arms_[m]), w = skew(k.w);
    const Mat3d sP = s * d.P, sV = s * d.V;
    MarkerVariation& mv = marker_variations_[m];
    // δr = −s̃ δθ;  δv = −s̃ δω − ω̃s̃ δθ;
    // δa = −s̃ δα − α̃s̃ δθ − (ω×s)~ δω − ω̃s̃ δω − ω̃ω̃s̃ δθ
    mv.R = -sP;
    mv.S = -(sV + w * sP);
    mv.U = -(s * d.Q + skew(k.alpha) * sP + skew(cross(k.w, arms_[m])) * d.V + w * sV + w * (w * sP));
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
