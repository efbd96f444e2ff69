// What goes on from step to step: angles that count revolutions, parameters of contacts on curves, offsets.
#include "assemble/angle_items.h"
#include "assemble/assembler.h"
#include "assemble/equation_items.h"
#include "assemble/rate_items.h"

namespace trammel {

void Assembler::current_angles(const State& state, std::span<double> angle) const {
  if (angle.empty()) return;
  current_curve_parameters(state, angle);
  const EvaluationPoint point{state.t, reads_.mode, {}};
  const AssemblyView now = view(state, point);
  for (std::size_t k = 0; k < rows_.size(); ++k) current_row_angle(now, static_cast<int>(k), angle.data());
  for (std::size_t n = 0; n < laws_.size(); ++n) current_law_angles(now, static_cast<int>(n), angle.data());
  for (const NodalForce& f : model_.nodal_forces)
    for (int i = 0; i < f.count(); ++i) {
      const Vec3d a = projected_angles(kinematics_.marker(f.I[i]).A, kinematics_.marker(f.J).A);
      for (int k = 0; k < 3; ++k) {
        const int slot = f.angle + 3 * i + k;
        angle[slot] = continued_angle(a[k], state.angle[slot]);
      }
    }
  for (const AngleCounter& counter : model_.tape_angles) current_counter(now, counter, angle.data());
}

CurveContact Assembler::curve_contact(const double* angle, int use) const {
  const CurveUse& u = model_.curve_uses[use];
  CurveContact contact;
  contact.J = &model_.curves[u.curve_J];
  contact.last_J = angle[u.slot_J];
  if (u.curve_I < 0) return contact;
  contact.I = &model_.curves[u.curve_I];
  contact.last_I = angle[u.slot_I];
  return contact;
}

double curve_row_phi(const AssemblyView& w, const RowItem& row) {
  return curve_row_value(row.row, w.table.host->curve_contact(w.state.angle, row.curves),
                         w.array.marker[row.I], w.array.marker[row.J]);
}
void curve_row_jet(const AssemblyView& w, const RowItem& row, double (&phi)[3]) {
  const TwiceInTime j = curve_row_value(row.row, w.table.host->curve_contact(w.state.angle, row.curves),
                                        pose_jet(w.array.marker[row.I]), pose_jet(w.array.marker[row.J]));
  phi[0] = j.v.v - (row.offset >= 0 ? w.state.offset[row.offset] : 0.0);
  phi[1] = j.d[0].v;
  phi[2] = j.d[0].d[0];
}
RowGradient<double> curve_row_slope(const AssemblyView& w, const RowItem& row) {
  return curve_row_gradient(row.row, w.table.host->curve_contact(w.state.angle, row.curves),
                            w.array.marker[row.I], w.array.marker[row.J]);
}
void curve_row_curvature(const AssemblyView& w, const RowItem& row, double weight, double (&h)[12][12]) {
  curve_row_hessian(row.row, w.table.host->curve_contact(w.state.angle, row.curves), w.array.marker[row.I],
                    w.array.marker[row.J], weight, h);
}

/// Contacts on curves: they must exist, and not have run over an end.
void Assembler::current_curve_parameters(const State& state, std::span<double> angle) const {
  if (model_.curve_uses.empty()) return;
  for (const RowElement& e : model_.row_elements) {
    if (e.curves < 0 || e.initial_only) continue;
    bool holds = false;
    for (int k = 0; k < e.rows; ++k) holds = holds || !masked_[e.first_row + k];
    if (!holds) continue;
    const CurveContact contact = curve_contact(state.angle.data(), e.curves);
    const ContactPlace at = contact_place(contact, kinematics_.marker(e.I), kinematics_.marker(e.J));
    if (!at.found)
      fail(ExitCode::solver,
           "{}: no point at which CURVE/{} touches CURVE/{} is found near the last one at time {:.9g}",
           e.name.label(), contact.I->id, contact.J->id, state.t);
    const auto inside = [&](const CurveTable* curve, double parameter) {
      constexpr double rounding = 1e-9;  // of the range of 2, far below any step
      if (curve && !curve->closed && std::abs(parameter) > 1 + rounding)
        fail(ExitCode::solver, "{}: the contact left the {} end of CURVE/{} at time {:.9g}", e.name.label(),
             parameter > 0 ? "last" : "first", curve->id, state.t);
    };
    inside(contact.J, at.J);
    inside(contact.I, at.I);
    const CurveUse& use = model_.curve_uses[e.curves];
    angle[use.slot_J] = at.J;
    if (use.slot_I >= 0) angle[use.slot_I] = at.I;
  }
}

void Assembler::current_offsets(const State& state, std::span<double> offset) const {
  for (const RowElement& e : model_.row_elements)
    for (int k = 0; k < e.rows; ++k)
      if (e.offset[k] >= 0)
        offset[e.offset[k]] = row_value(e.row[k], kinematics_.marker(e.I), kinematics_.marker(e.J),
                                        e.angle[k] >= 0 ? state.angle[e.angle[k]] : 0.0);
  for (const GeneralConstraint& g : model_.general_constraints) {
    if (g.offset < 0) continue;
    double value[3];
    lanes_[0]->tapes.jet(g.tape, 0, {&state, &kinematics_, nullptr, reads_.mode}, value);
    offset[g.offset] = value[0];
  }
}

}  // namespace trammel
