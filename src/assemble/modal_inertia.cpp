#include "assemble/modal_inertia.h"

#include "base/diagnostics.h"
#include "math/cholesky.h"

namespace trammel {

namespace {

/// A symmetric matrix for (v, ω).
using Six = double[6][6];

/// Whether xᵀS x is negative for some x. Pivots of an elimination without exchanges have the signs of the
/// eigenvalues.
bool is_indefinite(Six& S, const double* largest) {
  constexpr double rounding = 1e-8;  // of an entry, by which a motion without energy may be negative
  for (int k = 0; k < 6; ++k) {
    const double pivot = S[k][k];
    if (pivot < -rounding * largest[k]) return true;
    if (pivot <= rounding * largest[k]) continue;
    for (int r = k + 1; r < 6; ++r)
      for (int c = k + 1; c < 6; ++c) S[r][c] -= S[r][k] / pivot * S[k][c];
  }
  return false;
}

}  // namespace

ModalInertia::ModalInertia(const Model& model) : model_(model) {
  for (const FlexibleBody& f : model.flexible_bodies) {
    if (!f.spin_by_q.empty() && !f.inertia2.empty()) continue;
    const int n = f.dynamic;
    Linear linear{&f, std::vector<double>(n * n), std::vector<double>(6 * n)};
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) linear.factor[j * n + k] = f.mass[j * f.modes + k];
    if (factor_cholesky(linear.factor, n) >= 0)
      fail(ExitCode::internal, "{}: its modal mass is not positive definite", f.name.label());
    bodies_.push_back(std::move(linear));
  }
}

/// Of the matrix of (65) for (v, ω, q̇), what is left for v and ω when q̇ makes the energy least:
///     S = [I1, −c̃; c̃, J] − Y Yᵀ,   Y = [I3; B] L⁻ᵀ
bool ModalInertia::is_negative(Linear& of, const double* q) const {
  const FlexibleBody& f = *of.body;
  const Body& frame = model_.bodies[f.body];
  const int n = f.dynamic;
  Vec3d c = f.moment;
  Mat3d J = frame.inertia;
  for (int j = 0; j < f.modes; ++j) {
    if (!f.momentum.empty()) c += q[j] * f.momentum[j];
    if (!f.inertia1.empty()) J += q[j] * matrix_of(f.inertia1[j]);
    for (int k = 0; k < f.modes && !f.inertia2.empty(); ++k)
      J += (0.5 * q[j] * q[k]) * matrix_of(f.inertia2[j * f.modes + k]);
    if (j >= n) continue;
    const Vec3d momentum = f.momentum.empty() ? Vec3d{} : f.momentum[j];
    Vec3d B = f.spin.empty() ? Vec3d{} : f.spin[j];
    for (int k = 0; k < f.modes && !f.spin_by_q.empty(); ++k) B -= q[k] * f.spin_by_q[j * f.modes + k];
    double* y = &of.coupling[6 * j];
    for (int i = 0; i < 3; ++i) {
      y[i] = momentum[i];
      y[3 + i] = B[i];
    }
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < j; ++k) y[i] -= of.factor[j * n + k] * of.coupling[6 * k + i];
      y[i] /= of.factor[j * n + j];
    }
  }
  const Mat3d across{{0, -c.z, c.y, c.z, 0, -c.x, -c.y, c.x, 0}};
  Six S;
  double largest[6];
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k) {
      S[r][k] = r == k ? frame.mass : 0;
      S[r][3 + k] = -across(r, k);
      S[3 + r][k] = across(r, k);
      S[3 + r][3 + k] = J(r, k);
    }
    largest[r] = frame.mass;
    largest[3 + r] = J(r, r);
  }
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < n; ++j) S[r][k] -= of.coupling[6 * j + r] * of.coupling[6 * j + k];
  return is_indefinite(S, largest);
}

void ModalInertia::refuse_negative_energy(const State& state) {
  for (Linear& of : bodies_)
    if (is_negative(of, state.q.data() + of.body->first))
      fail(ExitCode::solver,
           "{}: at time {:.9g} it is deformed so far that its kinetic energy would be negative for some "
           "motions, as invariant {} is left out: INVARIANTS with it, or a stiffer body",
           of.body->name.label(), state.t, of.body->inertia2.empty() ? 9 : 5);
}

}  // namespace trammel
