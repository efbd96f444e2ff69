// The residual, and the constraints at each of their levels.
#include "assemble/assembler.h"
#include "assemble/equation_items.h"
#include "assemble/rate_items.h"

namespace trammel {

void Assembler::residual(const State& state, const Coefficients& c, std::span<double> r) const {
  require_evaluated(state, {.forces = true});
  const EvaluationPoint point{state.t, reads_.mode, c};
  const AssemblyView now = view(state, point);
  double* out = r.data();
  parallel_(static_cast<int>(body_inertia_.size()), 512, [&](int begin, int end, int) {
    for (int b = begin; b < end; ++b) body_residual(now, b, out);
  });
  parallel_(static_cast<int>(rows_.size()), 1024, [&](int begin, int end, int) {
    for (int k = begin; k < end; ++k) row_residual(now, k, out);
  });
  const double holonomic = c.c != 0 ? 1.0 / c.c : 1.0, pfaffian = c.b != 0 ? 1.0 / c.b : 1.0;
  double* row = out + model_.coordinates;
  for (const GeneralConstraint& g : model_.general_constraints)
    row[g.row] = masked_[g.row]
                     ? state.lambda[g.row]
                     : (g.pfaffian ? pfaffian : holonomic) *
                           (tape_values_[3 * g.tape] - (g.offset >= 0 ? state.offset[g.offset] : 0.0));
  for (int k = 0; k < model_.scalar_count(); ++k) scalar_residual(now, k, out);
}

void Assembler::mass_times_acceleration(const State& state, std::span<double> out) const {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const BodyKinematics& k = kinematics_.body(static_cast<int>(b));
    for (int i = 0; i < 3; ++i) out[body.first + i] = body.mass * k.a[i];
    if (!body.turns()) continue;
    const Mat3d J = k.A * body.inertia * transpose(k.A);
    const Vec3d m = transpose_times(k.H, J * (k.H * load(&state.a[body.angles()])));
    for (int i = 0; i < 3; ++i) out[body.angles() + i] = m[i];
  }
}

void Assembler::constraints(const State& state, ConstraintLevel level, std::span<double> rows) {
  require_evaluated(state, {.all_markers = level == ConstraintLevel::acceleration});
  const int order = static_cast<int>(level);
  const EvaluationPoint point{state.t, reads_.mode, {}};
  const AssemblyView now = view(state, point);
  for (std::size_t n = 0; n < model_.row_elements.size(); ++n) {
    const RowElement& e = model_.row_elements[n];
    double f[3] = {0, 0, 0};
    if (e.motion) {
      double g[3] = {0, 0, 0};
      if (order >= e.level) lanes_[0]->tapes.jet(e.tape, 0, reads_, g, order - e.level);
      motion_jet(now, motions_[n], g, f);
    }
    for (int k = 0; k < e.rows; ++k) {
      const RowItem& row = rows_[row_start_[n] + k];
      if (masked_[row.at]) {
        rows[row.at] = 0;
        continue;
      }
      double phi[3];
      if (row.curves >= 0)
        curve_row_jet(now, row, phi);
      else
        row_jet(now, row, phi);
      const double target[3] = {e.target[k], e.target_rate[k], 0};
      rows[row.at] = phi[order] - target[order] - f[order];
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
  for (int k = 0; k < model_.multipliers; ++k) masked_[k] = !(row_phases_[k] & phase_);
  constraints(state, ConstraintLevel::position, rows);
  masked_ = saved;
}

}  // namespace trammel
