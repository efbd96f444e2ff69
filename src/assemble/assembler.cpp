#include "assemble/assembler.h"

#include <algorithm>
#include <cstring>

#include "assemble/equation_items.h"

namespace trammel {

Assembler::Assembler(const Model& model, Parallel parallel)
    : model_(model),
      parallel_(parallel),
      kinematics_(model, parallel),
      tape_values_(3 * model.tapes.size()),
      body_force_(model.bodies.size()),
      body_moment_(model.bodies.size()),
      constraint_gradients_(model.general_constraints.size()),
      masked_(model.multipliers),
      row_phases_(model.multipliers, phase_all) {
  for (const RowElement& e : model_.row_elements)
    std::copy_n(e.phases, e.rows, row_phases_.begin() + e.first_row);
  for (const GeneralConstraint& g : model_.general_constraints) row_phases_[g.row] = g.phases;
  for (int k = 0; k < parallel.threads(); ++k) lanes_.push_back(std::make_unique<Lane>(model));
  build_tables();
  list_body_wrenches();
  build_pattern();
}

void Assembler::on_extrapolation(std::function<void(const SplineRange&)> call) {
  for (const auto& lane : lanes_)
    lane->tapes.on_extrapolation = [this, call](const SplineRange& range) {
      const std::lock_guard lock(telling_);
      call(range);
    };
}

void Assembler::on_zero_by_zero(std::function<void(int, const std::string&)> call) {
  for (const auto& lane : lanes_)
    lane->tapes.on_zero_by_zero = [this, call](int tape, const std::string& place) {
      const std::lock_guard lock(telling_);
      call(tape, place);
    };
}

void Assembler::build_tables() {
  for (const Body& b : model_.bodies)
    body_inertia_.push_back({b, b.exact_position() && b.turns(), b.mass, b.inertia});
  build_items();
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

  std::vector<int> level(model_.markers.size(), -1);
  const auto need = [&](int marker, int depth) { level[marker] = std::max(level[marker], depth); };
  const auto need_pair = [&](const auto& e, int depth) { need(e.I, depth), need(e.J, depth); };
  const auto need_tape = [&](int tape) {
    for (const TapeMarker& m : model_.tapes[tape].markers) need(m.marker, m.level);
  };
  for (const RowItem& row : rows_) need_pair(row, row_is_linear(row.row) ? 0 : 1);
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
  equation_markers_ = select_markers(model_, level);
}

/// Packed tables of what the model's own hold with names and initial values besides, which do not fit a
/// cache.
void Assembler::build_items() {
  for (const RowElement& e : model_.row_elements)
    motions_.push_back({e.tape, e.motion ? e.scalar : -1, e.level});
  for (const LawForce& f : model_.law_forces)
    laws_.push_back({f.I, f.J, f.angle, append_law(law_vectors_, f.law)});
  for (const ExpressionForce& f : model_.expression_forces) {
    expressions_.push_back({f.law, f.I, f.J, f.RM, {}, {}});
    std::copy_n(f.components, 6, expressions_.back().components);
    std::copy_n(f.result, 6, expressions_.back().result);
  }
  for (const Scalar& s : model_.scalars)
    scalars_.push_back({s.kind, s.tape, s.result, 12 * s.element + s.component});
}

AssemblyView Assembler::view(const State& state, const EvaluationPoint& point) const {
  auto& self = const_cast<Assembler&>(*this);  // a view of a constant assembler is for reading
  AssemblyView w = self.kinematics_.view(state, point);
  AssemblyTables& t = w.table;
  t.coordinates = model_.coordinates;
  t.multipliers = model_.multipliers;
  t.scalars = model_.scalar_count();
  t.gravity = model_.gravity;
  t.inertia = body_inertia_.data();
  t.wanted_start = equation_markers_.start.data();
  t.wanted = equation_markers_.markers.data();
  t.row_start = row_start_.data();
  t.row = rows_.data();
  t.motion = motions_.data();
  t.law_force = laws_.data();
  t.laws = law_pointers(law_vectors_);
  t.expression_force = expressions_.data();
  t.scalar = scalars_.data();
  t.tape = lanes_[0]->tapes.items().data();
  t.force_output = model_.force_output.data();
  t.body_wrench_start = body_wrench_start_.data();
  t.body_wrench = body_wrenches_.data();
  t.law_wrench = static_cast<int>(model_.row_elements.size() + model_.general_constraints.size());
  t.expression_wrench = t.law_wrench + static_cast<int>(model_.law_forces.size());
  t.host = this;
  AssemblyArrays& out = w.array;
  out.tape_value = self.tape_values_.data();
  out.wrench = self.wrench_.data();
  out.row_gradient = self.row_gradients_.data();
  out.body_force = self.body_force_.data();
  out.body_moment = self.body_moment_.data();
  out.masked = masked_.data();
  return w;
}

/// Which wrenches act on every body, elements in their order.
void Assembler::list_body_wrenches() {
  std::vector<std::vector<BodyWrench>> of_body(model_.bodies.size());
  int at = 0;
  const auto add = [&](int marker) {
    const int body = model_.markers[marker].body;
    if (body >= 0) of_body[body].push_back({at, marker});
    at += 6;
  };
  const auto add_pair = [&](const auto& e) { add(e.I), add(e.J); };
  for (const RowElement& e : model_.row_elements) add_pair(e);
  at += 12 * static_cast<int>(model_.general_constraints.size());  // reported only
  for (const LawForce& f : model_.law_forces) add_pair(f);
  for (const ExpressionForce& f : model_.expression_forces) add_pair(f);
  for (const NodalForce& f : model_.nodal_forces)
    for (int I : f.I) add(I), add(f.J);
  for (const GeneralConstraint& g : model_.general_constraints) {
    general_wrench_.push_back(at);
    for (const TapeMarker& m : model_.tapes[g.tape].markers) add(m.marker);
  }
  wrench_.resize(at);
  body_wrench_start_.assign(1, 0);
  for (const auto& list : of_body) {
    body_wrenches_.insert(body_wrenches_.end(), list.begin(), list.end());
    body_wrench_start_.push_back(static_cast<int>(body_wrenches_.size()));
  }
}

void Assembler::held_multipliers(const State& state, Phase phase, std::span<unsigned char> held) const {
  for (int k = 0; k < model_.multipliers; ++k) held[k] = state.dropped[k] | ((row_phases_[k] & phase) == 0);
}

AssemblyView Assembler::begin_evaluation(const State& state, const AnalysisPoint& point,
                                         EvaluationPoint& numbers, Coverage covers) {
  held_multipliers(state, point.phase, masked_);
  phase_ = point.phase;
  covers_ = covers;
#ifndef NDEBUG
  evaluated_ = state;
#endif
  numbers = {state.t, static_cast<int>(point.mode), {}};
  return view(state, numbers);
}

/// Throws Failure(internal) where the last evaluation was of less, or, in debug builds, of another state.
void Assembler::require_evaluated(const State& state, Coverage wanted) const {
  if (wanted.forces > covers_.forces || wanted.all_markers > covers_.all_markers)
    fail(ExitCode::internal, "the equations are asked for more than was evaluated");
#ifndef NDEBUG
  for (const auto x : {&State::q, &State::v, &State::a, &State::lambda, &State::s, &State::sdot})
    if (std::memcmp((state.*x).data(), (evaluated_.*x).data(), (state.*x).size() * sizeof(double)) != 0)
      fail(ExitCode::internal, "the equations are asked at another state than was evaluated");
#else
  (void)state;
#endif
}

void Assembler::evaluate(const State& state, const AnalysisPoint& point) {
  EvaluationPoint numbers;
  const AssemblyView now = begin_evaluation(state, point, numbers, {.forces = true, .all_markers = true});
  kinematics_.update(now);
  evaluate_wrenches(state, now);
}

void Assembler::evaluate_equations(const State& state, const AnalysisPoint& point) {
  EvaluationPoint numbers;
  const AssemblyView now = begin_evaluation(state, point, numbers, {.forces = true, .all_markers = false});
  kinematics_.update(now, equation_markers_);
  evaluate_wrenches(state, now);
}

void Assembler::evaluate_wrenches(const State& state, const AssemblyView& now) {
  reads_ = {&state, &kinematics_, wrench_.data(), now.point->mode};
  parallel_(static_cast<int>(equation_tapes_.size()), 64, [&](int begin, int end, int lane) {
    for (int i = begin; i < end; ++i) {
      const int k = equation_tapes_[i];
      lanes_[lane]->tapes.values(k, reads_, &tape_values_[3 * k]);
    }
  });
  evaluate_constraint_wrenches(state, now);
  evaluate_force_wrenches(state, now);
  parallel_(static_cast<int>(body_force_.size()), 512, [&](int begin, int end, int) {
    for (int b = begin; b < end; ++b) gather_body(now, b);
  });
}

void Assembler::evaluate_constraints(const State& state, const AnalysisPoint& point) {
  EvaluationPoint numbers;
  const AssemblyView now = begin_evaluation(state, point, numbers, {.forces = false, .all_markers = true});
  kinematics_.update(now);
  reads_ = {&state, &kinematics_, wrench_.data(), numbers.mode};
  evaluate_constraint_wrenches(state, now);
}

void Assembler::evaluate_constraint_wrenches(const State& state, const AssemblyView& now) {
  parallel_(static_cast<int>(model_.row_elements.size()), 256, [&](int begin, int end, int) {
    for (int n = begin; n < end; ++n) row_element_wrench(now, n);
  });
  parallel_(static_cast<int>(model_.general_constraints.size()), 64, [&](int begin, int end, int lane) {
    for (int n = begin; n < end; ++n) general_constraint_wrench(state, n, *lanes_[lane]);
  });
}

/// The same of a general constraint, on every marker of its expression; reported is what acts on the body of
/// the reporting marker, about that marker.
void Assembler::general_constraint_wrench(const State& state, int n, Lane& lane) {
  const GeneralConstraint& g = model_.general_constraints[n];
  lane.tapes.gradient(g.tape, 0, reads_, constraint_gradients_[n]);
  const Tape& tape = model_.tapes[g.tape];
  const double lambda = masked_[g.row] ? 0.0 : state.lambda[g.row];
  WrenchPair<double> reported;
  for (std::size_t m = 0; m < tape.markers.size(); ++m) {
    const int marker = tape.markers[m].marker;
    const double* d = &constraint_gradients_[n].marker[18 * m + (g.pfaffian ? 6 : 0)];
    const Vec3d f = -lambda * load(d), t = -lambda * load(d + 3);
    double* out = &wrench_[general_wrench_[n] + 6 * m];
    for (int k = 0; k < 3; ++k) out[k] = f[k], out[3 + k] = t[k];
    if (model_.markers[marker].body != model_.markers[g.reporting_marker].body) continue;
    reported.fi += f;
    reported.ti += cross(kinematics_.marker(marker).r - kinematics_.marker(g.reporting_marker).r, f) + t;
  }
  store(reported, &wrench_[12 * (model_.row_elements.size() + n)]);
}

/// A force along the line of its markers has no value where these coincide.
template <class Force>
void Assembler::refuse_coincident(const Force& force, int element, const State& state) const {
  const double fx = wrench_[12 * static_cast<std::size_t>(element)];
  if (fx - fx == 0) return;
  const Marker &I = model_.markers[force.I], &J = model_.markers[force.J];
  if (norm(kinematics_.marker(force.I).r - kinematics_.marker(force.J).r) > 0) return;
  fail(ExitCode::solver,
       "{}: its markers I={} and J={} coincide, so that its force has no direction, at t = {:.9g}; move one "
       "of "
       "them",
       force.name.label(), I.id, J.id, state.t);
}

void Assembler::evaluate_force_wrenches(const State& state, const AssemblyView& now) {
  parallel_(static_cast<int>(model_.law_forces.size()), 128, [&](int begin, int end, int) {
    for (int n = begin; n < end; ++n) {
      law_force_wrench(now, n);
      refuse_coincident(model_.law_forces[n], now.table.law_wrench + n, state);
    }
  });
  parallel_(static_cast<int>(model_.expression_forces.size()), 128, [&](int begin, int end, int) {
    for (int n = begin; n < end; ++n) {
      expression_force_wrench(now, n);
      refuse_coincident(model_.expression_forces[n], now.table.expression_wrench + n, state);
    }
  });
  double* out = wrench_.data() + 12 * (now.table.expression_wrench + model_.expression_forces.size());
  parallel_(static_cast<int>(model_.nodal_forces.size()), 1, [&](int begin, int end, int lane) {
    for (int n = begin; n < end; ++n) {
      const NodalForce& f = model_.nodal_forces[n];
      nodal_wrenches(f, state, *lanes_[lane], out + 12 * f.first_pair);
    }
  });
}

double Assembler::kinetic_energy() const {
  double energy = 0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const BodyKinematics& k = kinematics_.body(static_cast<int>(b));
    const Vec3d w = transpose_times(k.A, k.w);
    energy += 0.5 * body.mass * dot(k.v, k.v);
    if (body.turns()) energy += 0.5 * dot(w, body.inertia * w);
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
