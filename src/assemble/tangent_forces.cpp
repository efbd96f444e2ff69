// The tangent of forces and of scalar equations.
#include "assemble/marker_duals.h"
#include "assemble/tangent_writer.h"

namespace trammel {

void TangentWriter::law_force(const LawForce& f, int element) {
  const double* last = f.angle >= 0 ? &state_.angle[f.angle] : nullptr;
  for (int side = 0; side < 2; ++side) {
    double K[12][12] = {};  // position and velocity of one marker
    if (numbers())
      for (int level = 0; level < 2; ++level) law_derivative(f, last, side, level, K);
    body_columns(element, f.I, f.J, side == 0 ? f.I : f.J, &K[0][0], 2, all_axes);
  }
}

/// ∂(wrench pair)/∂(δr, δθ) (level 0) or ∂/∂(δv, δω) (level 1) of one marker by dual numbers.
void TangentWriter::law_derivative(const LawForce& f, const double* last, int side, int level,
                                   double (&K)[12][12]) const {
  using D = Dual<double, 6>;
  MarkerKinematics<D> m[2];
  const int marker[2] = {f.I, f.J};
  for (int p = 0; p < 2; ++p) {
    lift(kin_.marker(marker[p]), m[p]);
    if (p == side) seed(kin_.marker(marker[p]), level, m[p]);
  }
  const WrenchPair<D> w = std::visit([&](const auto& law) { return wrench(law, m[0], m[1], last); }, f.law);
  const Vec3<D>* part[4] = {&w.fi, &w.ti, &w.fj, &w.tj};
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 6; ++d) K[3 * p + k][6 * level + d] = (*part[p])[k].d[d];
}

void TangentWriter::expression_force(const ExpressionForce& f, int element) {
  const Pose<double>&I = pose(f.I), &J = pose(f.J), &RM = pose(f.RM);
  double e[6] = {};
  WrenchPair<double> U[6];
  for (int k = 0; k < f.count(); ++k) {
    if (f.components[k] < 0) continue;
    U[k] = unit_wrench(f.law, k, I, J, RM);
    if (mode_ != Mode::record) e[k] = as_.tape_values_[3 * f.components[k] + f.result[k]];
  }
  const int marker[3] = {f.I, f.J, f.RM};
  for (int side = 0; side < 3; ++side) {
    if (side == 2 && f.law.kind != AppliedKind::vector) continue;
    double K[12][6] = {};
    if (numbers()) geometry_derivative(f, e, side, K);
    body_columns(element, f.I, f.J, marker[side], &K[0][0], 1, all_axes);
  }
  for (int k = 0; k < f.count(); ++k)
    if (f.components[k] >= 0) tape_columns(element, f.I, f.J, f.components[k], f.result[k], U[k]);
}

/// ∂(Σ e_k U_k)/∂(pose of one of I, J, RM).
void TangentWriter::geometry_derivative(const ExpressionForce& f, const double (&e)[6], int side,
                                        double (&K)[12][6]) const {
  using D = Dual<double, 6>;
  const int marker[3] = {f.I, f.J, f.RM};
  Pose<D> p[3];
  for (int s = 0; s < 3; ++s) {
    MarkerKinematics<D> m;
    lift(kin_.marker(marker[s]), m);
    if (s == side) seed(kin_.marker(marker[s]), 0, m);
    p[s] = {m.r, m.A};
  }
  for (int k = 0; k < f.count(); ++k) {
    if (f.components[k] < 0) continue;
    const WrenchPair<D> w = unit_wrench(f.law, k, p[0], p[1], p[2]);
    const Vec3<D>* part[4] = {&w.fi, &w.ti, &w.fj, &w.tj};
    for (int q = 0; q < 4; ++q)
      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 6; ++d) K[3 * q + i][d] += e[k] * (*part[q])[i].d[d];
  }
}

/// Columns of everything a tape depends on: U ∂e/∂Δ.
void TangentWriter::tape_columns(int element, int I, int J, int tape_index, int result,
                                 const WrenchPair<double>& U) {
  const Tape& tape = model_.tapes[tape_index];
  TapeDerivatives& d = lane_.gradient;
  if (numbers()) lane_.tapes.gradient(tape_index, result, as_.reads_, d);
  const Vec3d* part[4] = {&U.fi, &U.ti, &U.fj, &U.tj};
  const auto columns = [&](const double* g, int first, int count) {
    WrenchColumns M;
    for (int p = 0; p < 4; ++p)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < count; ++k) M.m[3 * p + i][k] = (*part[p])[i] * g[k];
    wrench_columns(element, I, J, first, count, M, all_axes);
  };
  for (std::size_t m = 0; m < tape.markers.size(); ++m) {
    const int marker = tape.markers[m].marker, b = body_of(marker);
    if (b < 0) continue;
    double g[6] = {};
    if (numbers()) project(&d.marker[18 * m], tape.markers[m].level, marker, g);
    columns(g, model_.bodies[b].first, model_.bodies[b].unknowns());
  }
  for (std::size_t k = 0; k < tape.states.size(); ++k) {
    const double g = numbers() ? d.state[k] * state_factor(tape.states[k]) : 0.0;
    columns(&g, model_.first_scalar() + tape.states[k], 1);
  }
  for (std::size_t k = 0; k < tape.rates.size(); ++k) {
    const double g = numbers() ? d.rate[k] * c_.rate : 0.0;
    columns(&g, model_.first_scalar() + tape.rates[k], 1);
  }
}

void TangentWriter::scalar(int k) {
  const Scalar& s = model_.scalars[k];
  const int row = model_.first_scalar() + k;
  const double own = s.kind == ScalarKind::implicit ? 0.0 : s.differential() ? c_.rate : 1.0;
  put(row, row, mode_ == Mode::weights ? 1.0 : own);
  if (s.kind == ScalarKind::motion_rate) put(row, row + 1, numbers() ? -c_.state : 0.0);
  if (s.tape >= 0) scalar_tape(s, row);
}

/// −∂e/∂Δ (explicit equations) or +∂e/∂Δ (implicit ones) in a scalar row.
void TangentWriter::scalar_tape(const Scalar& s, int row) {
  const Tape& tape = model_.tapes[s.tape];
  const double sign = s.kind == ScalarKind::implicit ? 1.0 : -1.0;
  const TapeDerivatives& gradient = lane_.gradient;
  if (numbers()) lane_.tapes.gradient(s.tape, s.result, as_.reads_, lane_.gradient);
  for (std::size_t m = 0; m < tape.markers.size(); ++m) {
    const int marker = tape.markers[m].marker, b = body_of(marker);
    if (b < 0) continue;
    double g[6] = {};
    if (numbers()) project(&gradient.marker[18 * m], tape.markers[m].level, marker, g);
    for (int i = 0; i < model_.bodies[b].unknowns(); ++i) put(row, model_.bodies[b].first + i, sign * g[i]);
  }
  for (std::size_t i = 0; i < tape.states.size(); ++i)
    put(row, model_.first_scalar() + tape.states[i],
        numbers() ? sign * gradient.state[i] * state_factor(tape.states[i]) : 0.0);
  for (std::size_t i = 0; i < tape.rates.size(); ++i)
    put(row, model_.first_scalar() + tape.rates[i], numbers() ? sign * gradient.rate[i] * c_.rate : 0.0);
}

}  // namespace trammel
