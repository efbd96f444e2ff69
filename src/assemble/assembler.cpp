#include "assemble/assembler.h"

#include <algorithm>

#include "element/wrench.h"

namespace trammel {

namespace {

Pose<double> pose(const MarkerKinematics<double>& m) {
  return {m.r, m.A};
}

void store(const WrenchPair<double>& w, double* out) {
  const Vec3d* part[4] = {&w.fi, &w.ti, &w.fj, &w.tj};
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k < 3; ++k) out[3 * p + k] = (*part[p])[k];
}

Vec3d load(const double* p) {
  return {p[0], p[1], p[2]};
}

}  // namespace

Assembler::Assembler(const Model& model)
    : model_(model),
      kinematics_(model),
      tapes_(model),
      tape_values_(3 * model.tapes.size()),
      wrench_(12 * model.wrench_elements.size()),
      body_force_(model.bodies.size()),
      body_moment_(model.bodies.size()),
      body_arm_(model.bodies.size()),
      constraint_gradients_(model.general_constraints.size()),
      masked_(model.multipliers),
      phase_ok_(model.multipliers, 1) {
  build_tables();
  build_pattern();
}

void Assembler::build_tables() {
  for (const Body& b : model_.bodies)
    body_inertia_.push_back({b.first, b.point_mass, b.exact_position() && !b.point_mass, b.mass, b.inertia});
  for (std::size_t n = 0; n < model_.row_elements.size(); ++n) {
    const RowElement& e = model_.row_elements[n];
    row_start_.push_back(static_cast<int>(rows_.size()));
    for (int r = 0; r < e.rows; ++r)
      rows_.push_back({e.row[r], e.first_row + r, e.I, e.J, e.angle[r], e.offset[r],
                       e.motion ? static_cast<int>(n) : -1, e.curves});
  }
  row_start_.push_back(static_cast<int>(rows_.size()));
  row_gradients_.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k)  // those that never change
    if (row_is_linear(rows_[k].row))
      row_gradients_[k] = row_gradient(rows_[k].row, Pose<double>{}, Pose<double>{});

  const auto body = [&](int marker) { return model_.markers[marker].body; };
  const auto sides = [&](const auto& e) { sides_.push_back({e.I, e.J, body(e.I), body(e.J)}); };
  for (const RowElement& e : model_.row_elements) sides(e);
  for (std::size_t n = 0; n < model_.general_constraints.size(); ++n) sides_.push_back({0, 0, -1, -1});
  for (const LawForce& f : model_.law_forces) sides(f);
  for (const ExpressionForce& f : model_.expression_forces) sides(f);
  for (const NodalForce& f : model_.nodal_forces)
    for (int I : f.I) sides_.push_back({I, f.J, body(I), body(f.J)});

  std::vector<int> level(model_.markers.size(), -1);
  const auto need = [&](int marker, int depth) { level[marker] = std::max(level[marker], depth); };
  const auto need_pair = [&](const auto& e, int depth) { need(e.I, depth), need(e.J, depth); };
  const auto need_tape = [&](int tape) {
    for (const TapeMarker& m : model_.tapes[tape].markers) need(m.marker, m.level);
  };
  for (const Row& row : rows_) need_pair(row, row_is_linear(row.row) ? 0 : 1);
  for (const LawForce& f : model_.law_forces) need_pair(f, 2);
  for (const ExpressionForce& f : model_.expression_forces) need_pair(f, 1), need(f.RM, 1);
  for (const NodalForce& f : model_.nodal_forces) {
    need(f.J, 2);
    for (int I : f.I) need(I, 2);
  }
  for (const GeneralConstraint& g : model_.general_constraints)
    need(g.reporting_marker, 1), need_tape(g.tape);
  for (const AngleCounter& counter : model_.tape_angles) need_pair(counter, 1);
  for (const Delay& d : model_.delays) need_tape(d.tape);
  for (std::size_t k = 0; k < model_.tapes.size(); ++k)
    if (model_.tape_in_equations[k])
      equation_tapes_.push_back(static_cast<int>(k)), need_tape(static_cast<int>(k));
  for (std::size_t m = 0; m < level.size(); ++m)
    if (level[m] >= 0 && body(static_cast<int>(m)) >= 0)
      equation_markers_.push_back({static_cast<int>(m), level[m]});
}

void Assembler::set_phase(const State& state, Phase phase) {
  std::fill(phase_ok_.begin(), phase_ok_.end(), 1);
  for (const RowElement& e : model_.row_elements)
    for (int r = 0; r < e.rows; ++r) phase_ok_[e.first_row + r] = (e.phases[r] & phase) != 0;
  for (const GeneralConstraint& g : model_.general_constraints) phase_ok_[g.row] = (g.phases & phase) != 0;
  for (int k = 0; k < model_.multipliers; ++k) masked_[k] = state.dropped[k] || !phase_ok_[k];
}

void Assembler::evaluate(const State& state, int mode) {
  kinematics_.update(state);
  evaluate_wrenches(state, mode);
}

void Assembler::evaluate_equations(const State& state, int mode) {
  kinematics_.update(state, equation_markers_);
  evaluate_wrenches(state, mode);
}

void Assembler::evaluate_wrenches(const State& state, int mode) {
  reads_ = {&state, &kinematics_, wrench_.data(), mode};
  for (int k : equation_tapes_) tapes_.values(k, reads_, &tape_values_[3 * k]);
  evaluate_constraint_wrenches(state);
  evaluate_force_wrenches(state);
  gather_bodies();
}

void Assembler::evaluate_constraints(const State& state, int mode) {
  kinematics_.update(state);
  reads_ = {&state, &kinematics_, wrench_.data(), mode};
  evaluate_constraint_wrenches(state);
}

void Assembler::evaluate_constraint_wrenches(const State& state) {
  double* out = wrench_.data();
  for (std::size_t n = 0; n < model_.row_elements.size(); ++n, out += 12) {
    WrenchPair<double> w;
    for (int k = row_start_[n]; k < row_start_[n + 1]; ++k) {
      const Row& row = rows_[k];
      // F = −λ ∂φ/∂r, T = −λ ∂φ/∂θ (primer, Eq. 41-42)
      const double lambda = masked_[row.at] ? 0.0 : state.lambda[row.at];
      if (row_is_linear(row.row)) {  // ∂φ/∂r_I = e_j = −∂φ/∂r_J
        w.fi[row.row.j] -= lambda;
        w.fj[row.row.j] += lambda;
        continue;
      }
      RowGradient<double>& g = row_gradients_[k];
      const Pose<double> I = pose(kinematics_.marker(row.I)), J = pose(kinematics_.marker(row.J));
      g = row.curves < 0 ? row_gradient(row.row, I, J)
                         : curve_row_gradient(row.row, curve_contact(state, row.curves), I, J);
      w.fi -= lambda * g.fi;
      w.ti -= lambda * g.ti;
      w.fj -= lambda * g.fj;
      w.tj -= lambda * g.tj;
    }
    store(w, out);
  }
  for (std::size_t n = 0; n < model_.general_constraints.size(); ++n, out += 12) {
    const GeneralConstraint& g = model_.general_constraints[n];
    tapes_.gradient(g.tape, 0, reads_, constraint_gradients_[n]);
    // Only I is reported; the whole reaction goes to bodies in gather_bodies().
    const Tape& tape = model_.tapes[g.tape];
    const double lambda = masked_[g.row] ? 0.0 : state.lambda[g.row];
    WrenchPair<double> w;
    for (std::size_t m = 0; m < tape.markers.size(); ++m) {
      const int marker = tape.markers[m].marker;
      if (model_.markers[marker].body != model_.markers[g.reporting_marker].body) continue;
      const double* d = &constraint_gradients_[n].marker[18 * m + (g.pfaffian ? 6 : 0)];
      const Vec3d f = -lambda * load(d);
      w.fi += f;
      w.ti += cross(kinematics_.marker(marker).r - kinematics_.marker(g.reporting_marker).r, f) -
              lambda * load(d + 3);
    }
    store(w, out);
  }
}

void Assembler::evaluate_force_wrenches(const State& state) {
  double* out = wrench_.data() + 12 * (model_.row_elements.size() + model_.general_constraints.size());
  for (const LawForce& f : model_.law_forces) {
    const auto &I = kinematics_.marker(f.I), &J = kinematics_.marker(f.J);
    const double* last = f.angle >= 0 ? &state.angle[f.angle] : nullptr;
    store(std::visit([&](const auto& law) { return wrench(law, I, J, last); }, f.law), out);
    out += 12;
  }
  for (const ExpressionForce& f : model_.expression_forces) {
    const Pose<double> I = pose(kinematics_.marker(f.I)), J = pose(kinematics_.marker(f.J)),
                       RM = pose(kinematics_.marker(f.RM));
    WrenchPair<double> w;
    for (int k = 0; k < f.count(); ++k)
      if (f.components[k] >= 0)
        w = w + tape_values_[3 * f.components[k] + f.result[k]] * unit_wrench(f.law, k, I, J, RM);
    store(w, out);
    out += 12;
  }
  for (const NodalForce& f : model_.nodal_forces) {
    nodal_wrenches(f, state, nodal_wrench_);
    for (const WrenchPair<double>& w : nodal_wrench_) {
      store(w, out);
      out += 12;
    }
  }
}

/// Calls add(marker, body, F, T) for the wrench on every marker of a moving body.
template <class Add>
void Assembler::for_each_wrench(Add&& add) const {
  const double* p = wrench_.data();
  for (const WrenchSides& s : sides_) {
    if (s.body_I >= 0) add(s.I, s.body_I, load(p), load(p + 3));
    if (s.body_J >= 0) add(s.J, s.body_J, load(p + 6), load(p + 9));
    p += 12;
  }
  for (std::size_t n = 0; n < model_.general_constraints.size(); ++n) {
    const GeneralConstraint& g = model_.general_constraints[n];
    const double lambda = masked_[g.row] ? 0.0 : reads_.state->lambda[g.row];
    const Tape& tape = model_.tapes[g.tape];
    for (std::size_t m = 0; m < tape.markers.size(); ++m) {
      const int marker = tape.markers[m].marker, body = model_.markers[marker].body;
      const double* d = &constraint_gradients_[n].marker[18 * m + (g.pfaffian ? 6 : 0)];
      if (body >= 0) add(marker, body, -lambda * load(d), -lambda * load(d + 3));
    }
  }
}

/// Σ F and Σ (T + s × F) of every body.
void Assembler::gather_bodies() {
  std::fill(body_force_.begin(), body_force_.end(), Vec3d{});
  std::fill(body_moment_.begin(), body_moment_.end(), Vec3d{});
  for_each_wrench([&](int marker, int body, const Vec3d& f, const Vec3d& t) {
    body_force_[body] += f;
    body_moment_[body] += t + cross(kinematics_.arm(marker), f);
  });
}

/// δ(s × F) = F̃ s̃ δθ = (s Fᵀ − (s·F) 1) δθ, summed over every body's markers.
void Assembler::gather_arms() {
  std::fill(body_arm_.begin(), body_arm_.end(), Mat3d{});
  for_each_wrench([&](int marker, int body, const Vec3d& f, const Vec3d&) {
    const Vec3d& s = kinematics_.arm(marker);
    const double sf = dot(s, f);
    body_arm_[body] += outer(s, f) - Mat3d::diagonal(sf, sf, sf);
  });
}

void Assembler::residual(const State& state, const Coefficients& c, std::span<double> r) const {
  for (std::size_t b = 0; b < body_inertia_.size(); ++b) {
    const BodyInertia& body = body_inertia_[b];
    const BodyKinematics& k = kinematics_.body(static_cast<int>(b));
    // r_x = m (ẍ − g) − F
    const Vec3d rx = body.mass * (k.a - model_.gravity) - body_force_[b];
    for (int i = 0; i < 3; ++i) r[body.first + i] = rx[i];
    if (body.point_mass) continue;
    // r_ε = Hᵀ n,  n = J α + ω × J ω − T,  J = A J_body Aᵀ
    const Vec3d Ja = k.A * (body.inertia * transpose_times(k.A, k.alpha));
    const Vec3d Jw = k.A * (body.inertia * transpose_times(k.A, k.w));
    const Vec3d re = transpose_times(k.H, Ja + cross(k.w, Jw) - body_moment_[b]);
    for (int i = 0; i < 3; ++i) r[body.first + 3 + i] = re[i];
  }
  const double holonomic = c.c != 0 ? 1.0 / c.c : 1.0, pfaffian = c.b != 0 ? 1.0 / c.b : 1.0;
  double* row = r.data() + model_.coordinates;
  for (const Row& k : rows_) row[k.at] = masked_[k.at] ? state.lambda[k.at] : holonomic * row_phi(state, k);
  for (const GeneralConstraint& g : model_.general_constraints)
    row[g.row] = masked_[g.row]
                     ? state.lambda[g.row]
                     : (g.pfaffian ? pfaffian : holonomic) *
                           (tape_values_[3 * g.tape] - (g.offset >= 0 ? state.offset[g.offset] : 0.0));
  double* scalar = r.data() + model_.first_scalar();
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    const Scalar& s = model_.scalars[k];
    const double e = s.tape >= 0 ? tape_values_[3 * s.tape + s.result] : 0.0;
    switch (s.kind) {
      case ScalarKind::variable:
        scalar[k] = state.s[k] - e;
        break;
      case ScalarKind::differential:
        scalar[k] = state.sdot[k] - e;
        break;
      case ScalarKind::implicit:
        scalar[k] = e;
        break;
      case ScalarKind::motion_rate:
        scalar[k] = state.sdot[k] - state.s[k + 1];
        break;
      case ScalarKind::force_output:
        scalar[k] = state.s[k] - wrench_[12 * s.element + s.component];
        break;
    }
  }
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
                 : row.curves >= 0
                     ? curve_row_value(row.row, curve_contact(state, row.curves), pose(I), pose(J))
                     : row_value(row.row, pose(I), pose(J), row.angle >= 0 ? state.angle[row.angle] : 0.0);
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
      tapes_.jet(e.tape, 0, reads_, g);
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
    tapes_.jet(g.tape, 0, reads_, value);
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

void Assembler::current_angles(const State& state, std::span<double> angle) const {
  current_curve_parameters(state, angle);
  for (const Row& k : rows_) {
    if (k.angle < 0) continue;
    const Pose<double> I = pose(kinematics_.marker(k.I)), J = pose(kinematics_.marker(k.J));
    ConstraintRow row = k.row;
    if (row.kind == RowKind::screw) row.kind = RowKind::angle_z;
    double value = row_value(row, I, J, state.angle[k.angle]);
    if (row.kind == RowKind::rack) value = (value - dot(I.r - J.r, J.A.column(2))) / row.parameter;
    angle[k.angle] = value;
  }
  for (const LawForce& f : model_.law_forces) {
    if (f.angle < 0) continue;
    const Vec3d a = projected_angles(kinematics_.marker(f.I).A, kinematics_.marker(f.J).A);
    const CountedAngles use = std::visit([](const auto& law) { return counted_angles(law); }, f.law);
    for (int k = 0; k < use.count; ++k)
      angle[f.angle + k] = continued_angle(a[use.first + k], state.angle[f.angle + k]);
  }
  for (const NodalForce& f : model_.nodal_forces)
    for (int i = 0; i < f.count(); ++i) {
      const Vec3d a = projected_angles(kinematics_.marker(f.I[i]).A, kinematics_.marker(f.J).A);
      for (int k = 0; k < 3; ++k) {
        const int slot = f.angle + 3 * i + k;
        angle[slot] = continued_angle(a[k], state.angle[slot]);
      }
    }
  for (const AngleCounter& counter : model_.tape_angles) {
    const Vec3d a = projected_angles(kinematics_.marker(counter.I).A, kinematics_.marker(counter.J).A);
    angle[counter.slot] = continued_angle(a[counter.axis], state.angle[counter.slot]);
  }
}

CurveContact Assembler::curve_contact(const State& state, int use) const {
  const CurveUse& u = model_.curve_uses[use];
  CurveContact contact;
  contact.J = &model_.curves[u.curve_J];
  contact.last_J = state.angle[u.slot_J];
  if (u.curve_I < 0) return contact;
  contact.I = &model_.curves[u.curve_I];
  contact.last_I = state.angle[u.slot_I];
  return contact;
}

/// Contacts on curves: they must exist, and not have run over an end.
void Assembler::current_curve_parameters(const State& state, std::span<double> angle) const {
  for (const RowElement& e : model_.row_elements) {
    if (e.curves < 0 || e.initial_only) continue;
    bool holds = false;
    for (int k = 0; k < e.rows; ++k) holds = holds || !masked_[e.first_row + k];
    if (!holds) continue;
    const CurveContact contact = curve_contact(state, e.curves);
    const ContactPlace at =
        contact_place(contact, pose(kinematics_.marker(e.I)), pose(kinematics_.marker(e.J)));
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
        offset[e.offset[k]] =
            row_value(e.row[k], pose(kinematics_.marker(e.I)), pose(kinematics_.marker(e.J)),
                      e.angle[k] >= 0 ? state.angle[e.angle[k]] : 0.0);
  for (const GeneralConstraint& g : model_.general_constraints) {
    if (g.offset < 0) continue;
    double value[3];
    tapes_.jet(g.tape, 0, {&state, &kinematics_, nullptr, reads_.mode}, value);
    offset[g.offset] = value[0];
  }
}

double Assembler::kinetic_energy() const {
  double energy = 0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const BodyKinematics& k = kinematics_.body(static_cast<int>(b));
    const Vec3d w = transpose_times(k.A, k.w);
    energy += 0.5 * body.mass * dot(k.v, k.v);
    if (!body.point_mass) energy += 0.5 * dot(w, body.inertia * w);
  }
  return energy;
}

double Assembler::gravity_energy() const {
  double energy = 0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    energy -= model_.bodies[b].mass * dot(model_.gravity, kinematics_.body(static_cast<int>(b)).x);
  return energy;
}

}  // namespace trammel
