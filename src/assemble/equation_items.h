// Wrenches of elements and rows of the residual, one element, body or scalar each.
#pragma once

#include "assemble/view.h"
#include "element/wrench.h"

namespace trammel {

#if !defined(__CUDA_ARCH__)
/// Rows of contacts on curves, which no device computes (continued_angles.cpp).
double curve_row_phi(const AssemblyView& w, const RowItem& row);
void curve_row_jet(const AssemblyView& w, const RowItem& row, double (&phi)[3]);
RowGradient<double> curve_row_slope(const AssemblyView& w, const RowItem& row);
void curve_row_curvature(const AssemblyView& w, const RowItem& row, double weight, double (&h)[12][12]);
#endif

/// F = −λ ∂φ/∂r, T = −λ ∂φ/∂θ over the rows of a joint or motion (primer, Eq. 41-42).
TRAMMEL_HD inline void row_element_wrench(const AssemblyView& w, int n) {
  const MarkerKinematics<double>* marker = w.array.marker;
  WrenchPair<double> sum;
  for (int k = w.table.row_start[n]; k < w.table.row_start[n + 1]; ++k) {
    const RowItem& row = w.table.row[k];
    const double lambda = w.array.masked[row.at] ? 0.0 : w.state.lambda[row.at];
    if (row_is_linear(row.row)) {  // ∂φ/∂r_I = e_j = −∂φ/∂r_J
      sum.fi[row.row.j] -= lambda;
      sum.fj[row.row.j] += lambda;
      continue;
    }
    RowGradient<double>& g = w.array.row_gradient[k];
    if (row.row.kind == RowKind::dot) {  // t_I = u × w = −t_J
      const Vec3d t = cross(marker[row.I].A.column(row.row.i), marker[row.J].A.column(row.row.j));
      g.ti = t;
      g.tj = -t;
      sum.ti -= lambda * t;
      sum.tj += lambda * t;
      continue;
    }
#if !defined(__CUDA_ARCH__)
    if (row.curves >= 0)
      g = curve_row_slope(w, row);
    else
#endif
      g = row_gradient<double>(row.row, marker[row.I], marker[row.J]);
    sum.fi -= lambda * g.fi;
    sum.ti -= lambda * g.ti;
    sum.fj -= lambda * g.fj;
    sum.tj -= lambda * g.tj;
  }
  store(sum, w.array.wrench + 12 * static_cast<long>(n));
}

TRAMMEL_HD inline void law_force_wrench(const AssemblyView& w, int n) {
  const LawItem& f = w.table.law_force[n];
  const MarkerKinematics<double>&I = w.array.marker[f.I], &J = w.array.marker[f.J];
  const double* last = f.angle >= 0 ? w.state.angle + f.angle : nullptr;
  store(w.table.laws.visit(f.law, [&](const auto& law) { return wrench(law, I, J, last); }),
        w.array.wrench + 12 * static_cast<long>(w.table.law_wrench + n));
}

/// Σ e_k U_k: components times the wrenches of unit components.
TRAMMEL_HD inline void expression_force_wrench(const AssemblyView& w, int n) {
  const ExpressionItem& f = w.table.expression_force[n];
  const Pose<double>&I = w.array.marker[f.I], &J = w.array.marker[f.J], &RM = w.array.marker[f.RM];
  WrenchPair<double> sum;
  for (int k = 0; k < f.count(); ++k)
    if (f.components[k] >= 0)
      sum = sum + w.array.tape_value[3 * f.components[k] + f.result[k]] * unit_wrench(f.law, k, I, J, RM);
  store(sum, w.array.wrench + 12 * static_cast<long>(w.table.expression_wrench + n));
}

/// Σ F and Σ (T + s × F) of a body.
TRAMMEL_HD inline void gather_body(const AssemblyView& w, int b) {
  Vec3d force{}, moment{};
  for (int k = w.table.body_wrench_start[b]; k < w.table.body_wrench_start[b + 1]; ++k) {
    const BodyWrench& at = w.table.body_wrench[k];
    const double* x = w.array.wrench + at.at;
    const Vec3d f = load(x);
    force += f;
    moment += load(x + 3) + cross(w.array.arm[at.marker], f);
  }
  w.array.body_force[b] = force;
  w.array.body_moment[b] = moment;
}

/// Σ F̃ s̃ over a body's markers: δ(s × F) = F̃ s̃ δθ = (s Fᵀ − (s·F) 1) δθ.
TRAMMEL_HD inline Mat3d arms_of_body(const AssemblyView& w, int b) {
  Mat3d sum{};
  for (int k = w.table.body_wrench_start[b]; k < w.table.body_wrench_start[b + 1]; ++k) {
    const BodyWrench& at = w.table.body_wrench[k];
    const Vec3d f = load(w.array.wrench + at.at), &s = w.array.arm[at.marker];
    const double sf = dot(s, f);
    sum += outer(s, f) - Mat3d::diagonal(sf, sf, sf);
  }
  return sum;
}

/// r_x = m (ẍ − g) − F;  r_ε = Hᵀ n,  n = J α + ω × J ω − T,  J = A J_body Aᵀ
TRAMMEL_HD inline void body_residual(const AssemblyView& w, int b, double* residual) {
  const BodyInertia& body = w.table.inertia[b];
  const BodyKinematics& k = w.array.body[b];
  double* r = residual + body.first;
  const Vec3d rx = body.mass * (k.a - w.table.gravity) - w.array.body_force[b];
  for (int i = 0; i < 3; ++i) r[i] = rx[i];
  if (!body.turns()) return;
  const Vec3d Ja = k.A * (body.inertia * transpose_times(k.A, k.alpha));
  const Vec3d Jw = k.A * (body.inertia * transpose_times(k.A, k.w));
  const Vec3d re = transpose_times(k.H, Ja + cross(k.w, Jw) - w.array.body_moment[b]);
  for (int i = 0; i < 3; ++i) r[3 + i] = re[i];
}

/// φ of a row, less its offset and, of a motion, less f(t) or s.
TRAMMEL_HD inline double row_phi(const AssemblyView& w, const RowItem& row) {
  const MarkerKinematics<double>&I = w.array.marker[row.I], &J = w.array.marker[row.J];
  double value;
  if (row_is_linear(row.row)) value = I.r[row.row.j] - J.r[row.row.j];
#if !defined(__CUDA_ARCH__)
  else if (row.curves >= 0)
    value = curve_row_phi(w, row);
#endif
  else
    value = row_value<double>(row.row, I, J, row.angle >= 0 ? w.state.angle[row.angle] : 0.0);
  if (row.offset >= 0) value -= w.state.offset[row.offset];
  if (row.motion >= 0) {
    const MotionItem& m = w.table.motion[row.motion];
    value -= m.scalar < 0 ? w.array.tape_value[3 * m.tape] : w.state.s[m.scalar];
  }
  return value;
}

/// φ/c, or λ where the row is masked.
TRAMMEL_HD inline void row_residual(const AssemblyView& w, int k, double* residual) {
  const RowItem& row = w.table.row[k];
  const double c = w.point->c.c, scale = c != 0 ? 1.0 / c : 1.0;
  residual[w.table.coordinates + row.at] =
      w.array.masked[row.at] ? w.state.lambda[row.at] : scale * row_phi(w, row);
}

TRAMMEL_HD inline void scalar_residual(const AssemblyView& w, int k, double* residual) {
  const ScalarItem& s = w.table.scalar[k];
  const double e = s.tape >= 0 ? w.array.tape_value[3 * s.tape + s.result] : 0.0;
  double& r = residual[w.table.first_scalar() + k];
  switch (s.kind) {
    case ScalarKind::variable:
      r = w.state.s[k] - e;
      break;
    case ScalarKind::differential:
      r = w.state.sdot[k] - e;
      break;
    case ScalarKind::implicit:
    case ScalarKind::algebraic:
      r = e;
      break;
    case ScalarKind::motion_rate:
      r = w.state.sdot[k] - w.state.s[k + 1];
      break;
    case ScalarKind::force_output:
      r = w.state.s[k] - w.array.wrench[s.wrench];
      break;
  }
}

}  // namespace trammel
