#include "integrate/orientation.h"

#include <cmath>
#include <numbers>

#include "math/rotation.h"

namespace trammel {

namespace {

Vec3d load(const double* p) {
  return {p[0], p[1], p[2]};
}
void store(const Vec3d& v, double* p) {
  for (int k = 0; k < 3; ++k) p[k] = v[k];
}

/// Rotation that takes the unit vector u to ẑ.
Mat3d align_with_z(const Vec3d& u) {
  Vec3d helper{};
  int smallest = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(u[k]) < std::abs(u[smallest])) smallest = k;
  helper[smallest] = 1;
  Vec3d x = cross(helper, u);
  x = (1 / norm(x)) * x;
  return transpose(Mat3d::from_columns(x, cross(u, x), u));
}

struct Motion {
  Mat3d A;
  Vec3d w, alpha;
};

Motion motion_of(const OrientationBasis& basis, const Vec3d& e, const Vec3d& ed, const Vec3d& edd) {
  const AngularVelocityMap map(e);
  return {basis.G * rotation_313(e) * basis.R, basis.G * (map.E * ed),
          basis.G * (map.E * edd + map.rate(ed) * ed)};
}

/// ε, ε̇, ε̈ of a motion in a basis: E ε̇ = Gᵀω,  E ε̈ = Gᵀα − Ė ε̇.
void coordinates_of(const Motion& m, const OrientationBasis& basis, double* q, double* v, double* a) {
  const Vec3d e = angles_313(transpose_times(basis.G, m.A) * transpose(basis.R));
  const AngularVelocityMap map(e);
  const Mat3d inverse_E = inverse(map.E);
  const Vec3d ed = inverse_E * transpose_times(basis.G, m.w);
  const Vec3d edd = inverse_E * (transpose_times(basis.G, m.alpha) - map.rate(ed) * ed);
  store(e, q);
  store(ed, v);
  store(edd, a);
}

OrientationBasis make_basis(const Mat3d& A, const Vec3d& w, const Vec3d& alpha) {
  Vec3d axis = transpose_times(A, w);
  if (norm(axis) < 1e-12) axis = transpose_times(A, alpha);
  const double size = norm(axis);
  OrientationBasis basis;
  basis.R = size < 1e-12 ? Mat3d::identity() : align_with_z((1 / size) * axis);
  // A = G Rx(90°) R
  basis.G = orthonormalized(A * transpose(basis.R) * rotation_x(-std::numbers::pi / 2));
  return basis;
}

}  // namespace

void rebase(const Model& model, int index, State& state, std::span<const CoordinatePoint> history,
            double* extra) {
  const Body& body = model.bodies[index];
  const int at = body.first + 3;
  const OrientationBasis old = state.basis[index];
  const Vec3d e = load(&state.q[at]), ed = load(&state.v[at]);
  const Motion present = motion_of(old, e, ed, load(&state.a[at]));
  OrientationBasis& basis = state.basis[index];
  basis = make_basis(present.A, present.w, present.alpha);
  if (extra) {  // accelerations that belong to the present (ε, ε̇)
    double q[3], v[3];
    coordinates_of(motion_of(old, e, ed, load(extra + at)), basis, q, v, extra + at);
  }
  for (const CoordinatePoint& p : history) {
    const Motion m = motion_of(old, load(p.q + at), load(p.v + at), load(p.a + at));
    coordinates_of(m, basis, p.q + at, p.v + at, p.a + at);
  }
  coordinates_of(present, basis, &state.q[at], &state.v[at], &state.a[at]);
}

void set_orientation(const Body& body, State& state, int index, const Mat3d& A, const Vec3d& w,
                     const Vec3d& alpha) {
  state.basis[index] = make_basis(A, w, alpha);
  const int at = body.first + 3;
  coordinates_of({A, w, alpha}, state.basis[index], &state.q[at], &state.v[at], &state.a[at]);
}

}  // namespace trammel
