// The tangent of constraints: rows of joints and motions, general constraints.
#include <algorithm>

#include "assemble/tangent_writer.h"

namespace trammel {

TangentWriter::Side TangentWriter::side_of(int marker) const {
  const int b = body_of(marker);
  if (b < 0) return {};
  const Assembler::BodyInertia& body = as_.body_inertia_[b];
  return {body.first, !body.point_mass, &kin_.body(b).H, &kin_.variation(b).P, kin_.arm(marker)};
}

/// Φqᵀ and Φq of a constraint gradient (f, t) at a marker: the same numbers in column and row of λ.
void TangentWriter::constraint_entries(int row, const Side& side, const Vec3d& f, const Vec3d& t, int axes) {
  if (side.first < 0) return;
  const auto both = [&](int unknown, double value) {
    put(unknown, row, value);
    put(row, unknown, value);
  };
  for (int k = 0; k < 3; ++k)
    if (axes >> k & 1) both(side.first + k, f[k]);
  if (!side.turns) return;
  const Vec3d e = transpose_times(*side.H, axes == 0 ? t : t + cross(side.s, f));
  for (int k = 0; k < 3; ++k) both(side.first + 3 + k, e[k]);
}

void TangentWriter::row_element(int n, int element) {
  const int first = as_.row_start_[n], last = as_.row_start_[n + 1];
  if (first == last) return;
  const Side side[2] = {side_of(as_.rows_[first].I), side_of(as_.rows_[first].J)};
  bool linear = true, dots = model_.force_output[element] < 0;
  Mat3d B{};  // curvature of products of axes
  for (int k = first; k < last; ++k) {
    const Assembler::Row& r = as_.rows_[k];
    const int row = model_.coordinates + r.at;
    const int axes = row_is_linear(r.row) ? 1 << r.row.j : row_is_rotational(r.row) ? 0 : all_axes;
    const bool active = !as_.masked_[r.at];
    const RowGradient<double> none{}, &g = active ? as_.row_gradients_[k] : none;
    constraint_entries(row, side[0], g.fi, g.ti, axes);
    constraint_entries(row, side[1], g.fj, g.tj, axes);
    put(row, row, active ? 0.0 : 1.0);
    if (model_.force_output[element] >= 0)  // W − w = 0 with w = −λ (f_I, t_I)
      put_wrench(model_.first_scalar() + model_.force_output[element], row, g.fi, g.ti);
    if (row_is_linear(r.row)) continue;
    linear = false;
    dots = dots && row_is_of_dots(r.row);
    if (dots && active && numbers() && c_.c != 0)
      add_dot_curvature(r.row, pose(r.I), pose(r.J), -state_.lambda[r.at], B);
  }
  const RowElement* e = nullptr;
  if (!linear || as_.rows_[first].motion >= 0) e = &model_.row_elements[n];
  if (e && e->scalar >= 0)  // q − s: δs = state Δ, row scaled by 1/c
    for (int r = 0; r < e->rows; ++r)
      put(model_.coordinates + e->first_row + r, model_.first_scalar() + e->scalar,
          !as_.masked_[e->first_row + r] && numbers() && c_.c != 0 ? -c_.state / c_.c : 0.0);
  if (linear) return;
  if (dots)
    dot_curvature(side, B);
  else
    row_curvature(*e, element);
}

/// The wrench (0, T, 0, −T) with δT = B δθ_I − Bᵀ δθ_J in coordinates: −Hᵀ δT P of every pair of sides.
void TangentWriter::dot_curvature(const Side (&side)[2], const Mat3d& B) {
  for (int column = 0; column < 2; ++column) {
    if (!side[column].turns) continue;
    const Mat3d turned = (column == 0 ? B : -transpose(B)) * *side[column].P;
    for (int row = 0; row < 2; ++row) {
      if (!side[row].turns) continue;
      const Mat3d block = transpose_times(*side[row].H, turned);
      for (int k = 0; k < 3; ++k)
        for (int r = 0; r < 3; ++r)
          put(side[row].first + 3 + r, side[column].first + 3 + k, row == 0 ? -block(r, k) : block(r, k));
    }
  }
}

/// −λ ∂(gradient)/∂(poses of I and J), all rows of the element together.
void TangentWriter::row_curvature(const RowElement& e, int element) {
  double h[12][12] = {};
  bool rotational = true;
  for (int r = 0; r < e.rows; ++r) {
    if (row_is_linear(e.row[r])) continue;
    rotational = rotational && row_is_rotational(e.row[r]);
    if (!numbers() || as_.masked_[e.first_row + r] || c_.c == 0) continue;
    const double weight = -state_.lambda[e.first_row + r];
    if (e.curves >= 0)
      curve_row_hessian(e.row[r], as_.curve_contact(state_, e.curves), pose(e.I), pose(e.J), weight, h);
    else
      row_hessian(e.row[r], pose(e.I), pose(e.J), weight, h);
  }
  const int side[2] = {e.I, e.J};
  for (int p = 0; p < 2; ++p) {
    double K[12][6];
    for (int r = 0; r < 12; ++r) std::copy(h[r] + 6 * p, h[r] + 6 * p + 6, K[r]);
    body_columns(element, e.I, e.J, side[p], &K[0][0], 1, rotational ? 0 : all_axes, rotational);
  }
}

void TangentWriter::general_constraint(int n, int element) {
  const GeneralConstraint& g = model_.general_constraints[n];
  const Tape& tape = model_.tapes[g.tape];
  const TapeDerivatives& d = as_.constraint_gradients_[n];
  const int row = model_.coordinates + g.row, markers = static_cast<int>(tape.markers.size());
  const bool active = !as_.masked_[g.row];
  std::vector<double>&hessian = lane_.hessian, &mixed = lane_.mixed;
  hessian.clear();
  mixed.clear();
  if (numbers() && active && c_.c != 0) lane_.tapes.hessian(g.tape, as_.reads_, g.pfaffian, hessian);
  if (numbers() && active && !tape.states.empty())
    lane_.tapes.state_hessian(g.tape, as_.reads_, g.pfaffian, mixed);
  for (int p = 0; p < markers; ++p) {
    const int marker = tape.markers[p].marker, b = body_of(marker);
    if (b < 0) continue;
    const Body& body = model_.bodies[b];
    double column[6] = {}, line[6] = {};
    if (mode_ != Mode::record && active) {
      const double* q = &d.marker[18 * p];
      const double* reaction = q + (g.pfaffian ? 6 : 0);
      generalized(marker, {reaction[0], reaction[1], reaction[2]}, {reaction[3], reaction[4], reaction[5]},
                  column);
      std::copy(column, column + 6, line);
      if (g.pfaffian && numbers() && c_.b != 0) {
        project(q, 2, marker, line);  // Φ_q̇ b + Φ_q c, row scaled by 1/b
        for (double& x : line) x /= c_.b;
      }
    }
    for (int k = 0; k < body.unknowns(); ++k) {
      put(body.first + k, row, column[k]);
      put(row, body.first + k, line[k]);
    }
    for (int w = 0; w < markers; ++w) hessian_block(g, tape, p, w, hessian);
    for (std::size_t k = 0; k < tape.states.size(); ++k) {  // λ ∂(gradient at p)/∂state
      double rows[6] = {};
      const Derivative6 m = mixed_block(mixed, p, tape, k);
      generalized(marker, m.f, m.t, rows);
      for (int r = 0; r < body.unknowns(); ++r)
        put(body.first + r, model_.first_scalar() + tape.states[k], state_.lambda[g.row] * rows[r]);
    }
  }
  put(row, row, active ? 0.0 : 1.0);
  const double scale = g.pfaffian ? c_.b : c_.c;
  for (std::size_t k = 0; k < tape.states.size(); ++k)
    put(row, model_.first_scalar() + tape.states[k],
        numbers() && active && scale != 0 ? d.state[k] * state_factor(tape.states[k]) / scale : 0.0);
  if (model_.force_output[element] >= 0) general_output(g, element, d, active, hessian, mixed);
}

/// Rows of the force outputs that read the reaction on the reporting marker,
///   F = −λ Σ g_r,  T = −λ Σ (s × g_r + g_θ)  over the markers of its body, s from the reporting marker.
void TangentWriter::general_output(const GeneralConstraint& g, int element, const TapeDerivatives& d,
                                   bool active, const std::vector<double>& hessian,
                                   const std::vector<double>& mixed) {
  const Tape& tape = model_.tapes[g.tape];
  const int markers = static_cast<int>(tape.markers.size()), body = body_of(g.reporting_marker);
  const int first = model_.first_scalar() + model_.force_output[element];
  const double lambda = active ? state_.lambda[g.row] : 0.0;
  for (int p = 0; p < markers; ++p) {
    const int marker = tape.markers[p].marker;
    if (body_of(marker) != body) continue;
    const Vec3d s = kin_.marker(marker).r - kin_.marker(g.reporting_marker).r;
    Vec3d gr{}, gt{};
    if (numbers() && active) {
      const double* x = &d.marker[18 * p + (g.pfaffian ? 6 : 0)];
      gr = {x[0], x[1], x[2]};
      gt = {x[3], x[4], x[5]};
    }
    put_wrench(first, model_.coordinates + g.row, gr, cross(s, gr) + gt);
    for (int w = 0; w < markers; ++w) {
      const int mw = tape.markers[w].marker, bw = body_of(mw);
      if (bw < 0) continue;
      double M[6][6] = {};
      if (!hessian.empty())
        for (int r = 0; r < 6; ++r) project(&hessian[36 * (p * markers + w) + 6 * r], 1, mw, M[r]);
      for (int k = 0; k < model_.bodies[bw].unknowns(); ++k) {
        const Vec3d mr{M[0][k], M[1][k], M[2][k]}, mt{M[3][k], M[4][k], M[5][k]};
        put_wrench(first, model_.bodies[bw].first + k, lambda * mr, lambda * (cross(s, mr) + mt));
      }
    }
    for (std::size_t k = 0; k < tape.states.size(); ++k) {
      const Derivative6 m = mixed_block(mixed, p, tape, k);
      put_wrench(first, model_.first_scalar() + tape.states[k], lambda * m.f, lambda * (cross(s, m.f) + m.t));
    }
    if (body < 0 || model_.bodies[body].point_mass) continue;
    for (int k = 0; k < 3; ++k) {  // δs = δθ × s
      const Vec3d turn = numbers() ? kin_.variation(body).P.column(k) : Vec3d{};
      put_wrench(first, model_.bodies[body].first + 3 + k, Vec3d{}, lambda * cross(cross(turn, s), gr));
    }
  }
}

/// ∂(gradient at marker p)/∂δstate k of a tape: zero while the pattern is made or the row is masked.
TangentWriter::Derivative6 TangentWriter::mixed_block(const std::vector<double>& mixed, int p,
                                                      const Tape& tape, std::size_t k) const {
  if (mixed.empty()) return {};
  const double* m = &mixed[6 * (p * tape.states.size() + k)];
  const double factor = state_factor(tape.states[k]);
  return {factor * Vec3d{m[0], m[1], m[2]}, factor * Vec3d{m[3], m[4], m[5]}};
}

/// λ ∂(gradient at marker p)/∂(pose of marker w) in coordinates.
void TangentWriter::hessian_block(const GeneralConstraint& g, const Tape& tape, int p, int w,
                                  const std::vector<double>& hessian) {
  const int mp = tape.markers[p].marker, mw = tape.markers[w].marker, bw = body_of(mw);
  if (bw < 0) return;
  const Body &row_body = model_.bodies[body_of(mp)], &column_body = model_.bodies[bw];
  double M[6][6] = {};
  if (!hessian.empty()) {
    const double* block = &hessian[36 * (p * tape.markers.size() + w)];
    for (int r = 0; r < 6; ++r) project(block + 6 * r, 1, mw, M[r]);
  }
  const double lambda = state_.lambda[g.row];
  for (int k = 0; k < column_body.unknowns(); ++k) {
    double rows[6];
    generalized(mp, {M[0][k], M[1][k], M[2][k]}, {M[3][k], M[4][k], M[5][k]}, rows);
    for (int r = 0; r < row_body.unknowns(); ++r)
      put(row_body.first + r, column_body.first + k, lambda * rows[r]);
  }
}

}  // namespace trammel
