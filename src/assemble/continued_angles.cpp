// What goes on from step to step: angles that count revolutions, parameters of contacts on curves, offsets.
#include <algorithm>

#include "assemble/assembler.h"
#include "assemble/lane.h"
#include "assemble/pools/list.h"

namespace trammel {

namespace {

/// Whether a row of the element holds; `masked`: per multiplier, those that are held at zero.
bool holds_some_row(const ConstraintElement& e, const std::vector<unsigned char>& masked) {
  const auto first = masked.begin() + e.first_row;
  return std::find(first, first + e.rows, 0) != first + e.rows;
}

}  // namespace

void Assembler::current_angles(const State& state, std::span<double> angle) const {
  if (angle.empty()) return;
  const EvaluationPoint point{state.t, reads_.mode, {}};
  const AssemblyView now = view(state, point);
  current_curve_parameters(now, angle);
  pools_->for_each([&]<class P>(PoolTag<P>, const auto& t) {
    if constexpr (P::has_angles)
      for (int i = 0; i < t.count; ++i) P::angles(now, t, i, angle.data());
  });
  for (const AngleCounter& counter : model_.tape_angles) current_counter(now, counter, angle.data());
}

/// The present parameters of points of contact on curves. Throws Failure(solver) where no point of contact is
/// found, or it has run over an end.
void Assembler::current_curve_parameters(const AssemblyView& now, std::span<double> angle) const {
  if (model_.curve_uses.empty()) return;
  const Constraints::Table& t = pools_->tables().of<Constraints>();
  for (std::size_t n = 0; n < model_.constraint_elements.size(); ++n) {
    const ConstraintElement& e = model_.constraint_elements[n];
    if (e.curves < 0 || e.initial_only || !holds_some_row(e, masked_)) continue;
    const CurveContact contact = Constraints::contact(now, t, t.row[t.row_start[n]]);
    const ContactPlace at = contact_place(contact, kinematics_.marker(e.I), kinematics_.marker(e.J));
    if (!at.found && contact.I.points == 0)
      fail(ExitCode::solver,
           "{}: marker I has left CURVE/{} where it turns sharply, at time {:.9g}; take shorter steps "
           "(HMAX), or "
           "round the corner",
           e.name.label(), contact.J.id, now.point->t);
    if (!at.found)
      fail(ExitCode::solver,
           "{}: no point at which CURVE/{} touches CURVE/{} is found near the last one at time {:.9g}",
           e.name.label(), contact.I.id, contact.J.id, now.point->t);
    const auto inside = [&](const CurveView& curve, double parameter) {
      if (left_curve(curve, parameter))
        fail(ExitCode::solver, "{}: the contact left the {} end of CURVE/{} at time {:.9g}", e.name.label(),
             parameter > 0 ? "last" : "first", curve.id, now.point->t);
    };
    inside(contact.J, at.J);
    inside(contact.I, at.I);
    const CurveUse& use = model_.curve_uses[e.curves];
    angle[use.slot_J] = at.J;
    if (use.slot_I >= 0) angle[use.slot_I] = at.I;
  }
}

void Assembler::refuse_turning_back(const State& state) const {
  if (!has_corners_) return;
  const EvaluationPoint point{state.t, reads_.mode, {}};
  const AssemblyView now = view(state, point);
  const Constraints::Table& t = pools_->tables().of<Constraints>();
  for (std::size_t n = 0; n < model_.constraint_elements.size(); ++n) {
    const ConstraintElement& e = model_.constraint_elements[n];
    if (e.curves < 0 || e.initial_only || !holds_some_row(e, masked_)) continue;
    const CurveContact on = Constraints::contact(now, t, t.row[t.row_start[n]]);
    const ContactPlace at = contact_place(on, kinematics_.marker(e.I), kinematics_.marker(e.J));
    if (at.found && Constraints::turned_back(on, at))
      fail(ExitCode::solver,
           "{}: at time {:.9g} it has passed a corner of a curve of ORDER=2 that turns by more than a right "
           "angle; the equations do not tell what velocity is left behind it: round that corner",
           e.name.label(), state.t);
  }
}

double Assembler::sharpest_corner(std::span<const double> from, std::span<const double> to) const {
  constexpr double at = 1e-12;  // what is met at the beginning or the end is passed
  const Constraints::Table& t = pools_->tables().of<Constraints>();
  double least = 1;
  for_curves_in_force([&](const ConstraintElement&, int curve, int slot) {
    const auto [first, last] = std::minmax(from[slot], to[slot]);
    least = std::min(least, sharpest_turn(t.curve[curve], first - at, last + at));
  });
  return least;
}

std::string Assembler::contact_at_corner(std::span<const double> angle) const {
  constexpr double near = 1e-5;  // of a parameter that goes from -1 to 1
  const Constraints::Table& t = pools_->tables().of<Constraints>();
  std::string contact;
  for_curves_in_force([&](const ConstraintElement& e, int curve, int slot) {
    if (sharpest_turn(t.curve[curve], angle[slot] - near, angle[slot] + near) < 1) contact = e.name.label();
  });
  return contact;
}

/// f(element, curve, slot of the parameter on it) for the curves of contacts that hold.
template <class Visit>
void Assembler::for_curves_in_force(Visit&& visit) const {
  for (const ConstraintElement& e : model_.constraint_elements) {
    if (e.curves < 0 || e.initial_only || !holds_some_row(e, masked_)) continue;
    const CurveUse& use = model_.curve_uses[e.curves];
    visit(e, use.curve_J, use.slot_J);
    if (use.curve_I >= 0) visit(e, use.curve_I, use.slot_I);
  }
}

void Assembler::overlaps(std::span<ContactOverlaps> contacts, double time) const {
  const EvaluationPoint point{reads_.state->t, reads_.mode, {}};
  const AssemblyView now = view(*reads_.state, point);
  const Contacts::Table& t = pools_->tables().of<Contacts>();
  for (int n = 0; n < t.count; ++n)
    contacts[n] = t.in_force(n) ? Contacts::overlaps(now, t, n, time) : ContactOverlaps{};
}

void Assembler::slips(std::span<ContactSlips> contacts, std::span<const double> least) const {
  const EvaluationPoint point{reads_.state->t, reads_.mode, {}};
  const AssemblyView now = view(*reads_.state, point);
  const Contacts::Table& t = pools_->tables().of<Contacts>();
  for (int n = 0; n < t.count; ++n) {
    const ContactElement& c = model_.contacts[n];
    const bool touched = contacts[n].count > 0,
               slow = !least.empty() &&
                      Contacts::most_slip(t, n, now.array.marker[c.I], now.array.marker[c.J]) < least[n];
    ContactSlips& found = contacts[n] = {};
    if (!t.in_force(n)) continue;
    if (slow && touched) found.add({});
    if (!slow) Contacts::for_slips(now, t, n, [&](const Vec3d& v) { found.add(v); });
  }
}

void Assembler::current_offsets(const State& state, std::span<double> offset) const {
  for (const ConstraintElement& e : model_.constraint_elements)
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
