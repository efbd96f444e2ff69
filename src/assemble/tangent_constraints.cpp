// The tangent of general constraints.
#include <algorithm>

#include "assemble/tangent_writer.h"

namespace trammel {

/// Generalized force of a marker wrench: rows x: f, rows ε: Hᵀ(t + s × f).
void TangentWriter::generalized(int marker, const Vec3d& f, const Vec3d& t, double (&out)[6]) const {
  const Vec3d e = transpose_times(w_.array.body[body_of(marker)].H, t + cross(w_.array.arm[marker], f));
  for (int k = 0; k < 3; ++k) {
    out[k] = f[k];
    out[3 + k] = e[k];
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
    if (!sink.records() && active) {
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
    for (int k = 0; k < body.count; ++k) {
      put(body.first + k, row, column[k]);
      put(row, body.first + k, line[k]);
    }
    for (int w = 0; w < markers; ++w) hessian_block(g, tape, p, w, hessian);
    for (std::size_t k = 0; k < tape.states.size(); ++k) {  // λ ∂(gradient at p)/∂state
      double rows[6] = {};
      const Derivative6 m = mixed_block(mixed, p, tape, k);
      generalized(marker, m.f, m.t, rows);
      for (int r = 0; r < body.count; ++r)
        put(body.first + r, model_.first_scalar() + tape.states[k], w_.state.lambda[g.row] * rows[r]);
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
  const double lambda = active ? w_.state.lambda[g.row] : 0.0;
  for (int p = 0; p < markers; ++p) {
    const int marker = tape.markers[p].marker;
    if (body_of(marker) != body) continue;
    const Vec3d s = pose(marker).r - pose(g.reporting_marker).r;
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
      for (int k = 0; k < model_.bodies[bw].count; ++k) {
        const Vec3d mr{M[0][k], M[1][k], M[2][k]}, mt{M[3][k], M[4][k], M[5][k]};
        put_wrench(first, model_.bodies[bw].first + k, lambda * mr, lambda * (cross(s, mr) + mt));
      }
    }
    for (std::size_t k = 0; k < tape.states.size(); ++k) {
      const Derivative6 m = mixed_block(mixed, p, tape, k);
      put_wrench(first, model_.first_scalar() + tape.states[k], lambda * m.f, lambda * (cross(s, m.f) + m.t));
    }
    if (body < 0 || !model_.bodies[body].turns()) continue;
    for (int k = 0; k < 3; ++k) {  // δs = δθ × s
      const Vec3d turn = numbers() ? w_.array.variation[body].P.column(k) : Vec3d{};
      put_wrench(first, model_.bodies[body].angles() + k, Vec3d{}, lambda * cross(cross(turn, s), gr));
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
  const double lambda = w_.state.lambda[g.row];
  for (int k = 0; k < column_body.count; ++k) {
    double rows[6];
    generalized(mp, {M[0][k], M[1][k], M[2][k]}, {M[3][k], M[4][k], M[5][k]}, rows);
    for (int r = 0; r < row_body.count; ++r) put(row_body.first + r, column_body.first + k, lambda * rows[r]);
  }
}

}  // namespace trammel
