// The residual, and the constraints at each of their levels.
#include "assemble/assembler.h"

namespace trammel {

namespace {

Vec3d load(const double* p) {
  return {p[0], p[1], p[2]};
}

}  // namespace

void Assembler::residual(const State& state, const Coefficients& c, std::span<double> r) const {
  parallel_(static_cast<int>(body_inertia_.size()), 512, [&](int begin, int end, int) {
    for (int b = begin; b < end; ++b) body_residual(b, r.data() + body_inertia_[b].first);
  });
  const double holonomic = c.c != 0 ? 1.0 / c.c : 1.0, pfaffian = c.b != 0 ? 1.0 / c.b : 1.0;
  double* row = r.data() + model_.coordinates;
  parallel_(static_cast<int>(rows_.size()), 1024, [&](int begin, int end, int) {
    for (int n = begin; n < end; ++n) {
      const Row& k = rows_[n];
      row[k.at] = masked_[k.at] ? state.lambda[k.at] : holonomic * row_phi(state, k);
    }
  });
  for (const GeneralConstraint& g : model_.general_constraints)
    row[g.row] = masked_[g.row]
                     ? state.lambda[g.row]
                     : (g.pfaffian ? pfaffian : holonomic) *
                           (tape_values_[3 * g.tape] - (g.offset >= 0 ? state.offset[g.offset] : 0.0));
  double* scalar = r.data() + model_.first_scalar();
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) scalar[k] = scalar_residual(state, k);
}

/// r_x = m (ẍ − g) − F;  r_ε = Hᵀ n,  n = J α + ω × J ω − T,  J = A J_body Aᵀ
void Assembler::body_residual(int b, double* r) const {
  const BodyInertia& body = body_inertia_[b];
  const BodyKinematics& k = kinematics_.body(b);
  const Vec3d rx = body.mass * (k.a - model_.gravity) - body_force_[b];
  for (int i = 0; i < 3; ++i) r[i] = rx[i];
  if (body.point_mass) return;
  const Vec3d Ja = k.A * (body.inertia * transpose_times(k.A, k.alpha));
  const Vec3d Jw = k.A * (body.inertia * transpose_times(k.A, k.w));
  const Vec3d re = transpose_times(k.H, Ja + cross(k.w, Jw) - body_moment_[b]);
  for (int i = 0; i < 3; ++i) r[3 + i] = re[i];
}

double Assembler::scalar_residual(const State& state, std::size_t k) const {
  const Scalar& s = model_.scalars[k];
  const double e = s.tape >= 0 ? tape_values_[3 * s.tape + s.result] : 0.0;
  switch (s.kind) {
    case ScalarKind::variable:
      return state.s[k] - e;
    case ScalarKind::differential:
      return state.sdot[k] - e;
    case ScalarKind::implicit:
      return e;
    case ScalarKind::motion_rate:
      return state.sdot[k] - state.s[k + 1];
    case ScalarKind::force_output:
      break;
  }
  return state.s[k] - wrench_[12 * s.element + s.component];
}

void Assembler::mass_times_acceleration(const State& state, std::span<double> out) const {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const BodyKinematics& k = kinematics_.body(static_cast<int>(b));
    for (int i = 0; i < 3; ++i) out[body.first + i] = body.mass * k.a[i];
    if (body.point_mass) continue;
    const Mat3d J = k.A * body.inertia * transpose(k.A);
    const Vec3d m = transpose_times(k.H, J * (k.H * load(&state.a[body.first + 3])));
    for (int i = 0; i < 3; ++i) out[body.first + 3 + i] = m[i];
  }
}

/// φ of a row, less its offset and, of a motion, less f(t) or s.
double Assembler::row_phi(const State& state, const Row& row) const {
  const MarkerKinematics<double>&I = kinematics_.marker(row.I), &J = kinematics_.marker(row.J);
  double value = row_is_linear(row.row) ? I.r[row.row.j] - J.r[row.row.j]
                 : row.curves >= 0      ? curve_row_value(row.row, curve_contact(state, row.curves), I, J)
                                   : row_value(row.row, I, J, row.angle >= 0 ? state.angle[row.angle] : 0.0);
  if (row.offset >= 0) value -= state.offset[row.offset];
  if (row.motion >= 0) {
    const RowElement& e = model_.row_elements[row.motion];
    value -= e.level == 0 ? tape_values_[3 * e.tape] : state.s[e.scalar];
  }
  return value;
}

void Assembler::constraints(const State& state, ConstraintLevel level, std::span<double> rows) {
  const int order = static_cast<int>(level);
  for (const RowElement& e : model_.row_elements) {
    double f[3] = {0, 0, 0};
    if (e.motion) {
      // q − f(t), or q − s with ṡ = f (level 1), s̈ = f (level 2)
      double g[3] = {0, 0, 0};
      lanes_[0]->tapes.jet(e.tape, 0, reads_, g);
      if (e.level == 0) std::copy(g, g + 3, f);
      if (e.level == 1) f[0] = state.s[e.scalar], f[1] = g[0], f[2] = g[1];
      if (e.level == 2) f[0] = state.s[e.scalar], f[1] = state.s[e.scalar + 1], f[2] = g[0];
    }
    const auto I = kinematics_.jet(e.I), J = kinematics_.jet(e.J);
    using Jet = Kinematics::Jet;
    const Pose<Jet> pi{I.r, I.A}, pj{J.r, J.A};
    for (int k = 0; k < e.rows; ++k) {
      const int at = e.first_row + k;
      if (masked_[at]) {
        rows[at] = 0;
        continue;
      }
      const Jet phi = e.curves >= 0
                          ? curve_row_value(e.row[k], curve_contact(state, e.curves), pi, pj)
                          : row_value(e.row[k], pi, pj, e.angle[k] >= 0 ? state.angle[e.angle[k]] : 0.0);
      const double value[3] = {phi.v.v - (e.offset[k] >= 0 ? state.offset[e.offset[k]] : 0.0) - e.target[k],
                               phi.d[0].v - e.target_rate[k], phi.d[0].d[0]};
      rows[at] = value[order] - f[order];
    }
  }
  for (const GeneralConstraint& g : model_.general_constraints) {
    double value[3];
    lanes_[0]->tapes.jet(g.tape, 0, reads_, value);
    if (g.offset >= 0) value[0] -= state.offset[g.offset];
    const int at = g.pfaffian ? order - 1 : order;
    rows[g.row] = masked_[g.row] || at < 0 ? 0.0 : value[at];
  }
}

void Assembler::all_constraints(const State& state, std::span<double> rows) {
  const std::vector<unsigned char> saved = masked_;
  for (int k = 0; k < model_.multipliers; ++k) masked_[k] = !phase_ok_[k];
  constraints(state, ConstraintLevel::position, rows);
  masked_ = saved;
}

}  // namespace trammel
