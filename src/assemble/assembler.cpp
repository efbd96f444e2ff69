#include "assemble/assembler.h"

#include <algorithm>
#include <cstring>
#include <numbers>
#include <type_traits>
#include <utility>

#include "assemble/lane.h"
#include "assemble/pools/list.h"
#include "base/buckets.h"

namespace trammel {

Assembler::Assembler(const Model& model, Parallel parallel, std::shared_ptr<const Structure> like)
    : model_(model),
      parallel_(parallel),
      kinematics_(model, parallel),
      pools_(std::make_unique<Pools>(model)),
      tape_values_(3 * model.tapes.size()),
      wrench_(pools_->wrench_numbers()),
      body_force_(model.bodies.size()),
      body_moment_(model.bodies.size()),
      masked_(model.multipliers),
      row_phases_(model.multipliers, phase_all),
      has_corners_(model.contact_with_corners() != nullptr),
      modal_products_(model, *pools_) {
  for (int k = 0; k < parallel.threads(); ++k) lanes_.push_back(std::make_unique<Lane>(model, reads_));
  build_tables();
  select_markers_of_equations();
  list_body_wrenches();
  make_view();
  take_couplings(std::move(like));
}

void Assembler::take_couplings(std::shared_ptr<const Structure> like) {
  const Couplings found = couplings();
  structure_ = like && like->fits(found) ? std::move(like) : std::make_shared<const Structure>(found);
  slots_.resize(static_cast<std::size_t>(structure_->slots()));
}

Assembler::~Assembler() = default;

TapeRunner& Assembler::tapes() {
  return lanes_[0]->tapes;
}

void Assembler::leave_out(const std::vector<char>& tapes) {
  for (const auto& lane : lanes_) lane->tapes.leave_out(tapes);
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

/// Packs what evaluations read of bodies and scalars: the tables of the model also hold names, with which
/// they do not fit a cache.
namespace {

/// Whether W of initial positions or velocities has entries between unknowns of a body other than its angles:
/// its frame's own origin is EXACT, or some of VX, VY, VZ are given along axes that are oblique to those of
/// x.
bool couples(const Body& body, const InitialBody& given) {
  if (given.exact_position() && body.turns()) return true;
  const auto* along = given.velocity_given.data();
  if (along[0] == along[1] && along[1] == along[2]) return false;
  if (given.velocity_marker != 0 || !body.planar()) return given.velocity_marker != 0;
  for (int k = 0; k < 3; ++k)
    if (along[k] && body.plane(k, 0) * body.plane(k, 1) != 0) return true;
  return false;
}

}  // namespace

void Assembler::build_tables() {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    body_inertia_.push_back({body, couples(body, model_.initial.bodies[b]), body.mass, body.inertia});
  }
  for (const Scalar& s : model_.scalars)
    if (s.kind == ScalarKind::modal_output)
      scalars_.push_back({s.kind, s.tape, s.component, s.element});
    else
      scalars_.push_back({s.kind, s.tape, s.result, 12 * s.element + s.component});
  pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
    if constexpr (P::has_rows)
      for (const auto& e : P::elements(model_))
        P::rows(e, [&](int row, unsigned phases) { row_phases_[row] = phases; });
  });
}

/// Selects the markers and tapes that the equations read, and how deep they read each marker.
void Assembler::select_markers_of_equations() {
  std::vector<int> level(model_.markers.size(), -1);
  const auto need = [&](int marker, int depth) { level[marker] = std::max(level[marker], depth); };
  const auto need_tape = [&](int tape) {
    for (const TapeMarker& m : model_.tapes[tape].markers) need(m.marker, m.level);
  };
  pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
    if constexpr (P::has_wrench)
      for (const auto& e : P::elements(model_)) P::needs(model_, e, need);
  });
  for (const AngleCounter& counter : model_.tape_angles) need(counter.I, 1), need(counter.J, 1);
  for (const Delay& d : model_.delays) {
    need_tape(d.tape);
    if (d.lag >= 0) need_tape(d.lag);
  }
  for (std::size_t k = 0; k < model_.tapes.size(); ++k)
    if (model_.tape_in_equations[k])
      equation_tapes_.push_back(static_cast<int>(k)), need_tape(static_cast<int>(k));
  equation_markers_ = select_markers(model_, level);
}

/// The tables and arrays of views, which stay where they are.
void Assembler::make_view() {
  AssemblyView& w = view_ = kinematics_.view();
  AssemblyTables& t = w.table;
  t.coordinates = model_.coordinates;
  t.multipliers = model_.multipliers;
  t.scalars = model_.scalar_count();
  t.gravity = model_.gravity;
  t.inertia = body_inertia_.data();
  t.scalar = scalars_.data();
  t.tape = lanes_[0]->tapes.items().data();
  t.settling = model_.settling.empty() ? nullptr : model_.settling.data();
  t.force_output = model_.force_output.data();
  t.body_wrench_start = body_wrench_start_.data();
  t.body_wrench = body_wrenches_.data();
  modal_products_.show(w);
  AssemblyArrays& out = w.array;
  out.tape_value = tape_values_.data();
  out.wrench = wrench_.data();
  out.body_force = body_force_.data();
  out.body_moment = body_moment_.data();
  out.masked = masked_.data();
}

AssemblyView Assembler::view(const State& state, const EvaluationPoint& point) const {
  AssemblyView now = view_;
  now.state = view_of(state);
  now.point = &point;
  return now;
}

/// Which wrenches act on every body, elements in their order, those on pairs of markers first.
void Assembler::list_body_wrenches() {
  auto of_body = in_buckets<BodyWrench>(static_cast<int>(model_.bodies.size()), [&](auto put) {
    int at = 0;
    const auto add = [&](int marker) {
      const int body = model_.markers[marker].body;
      if (body >= 0) put(body, BodyWrench{at, marker});
      at += 6;
    };
    pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
      if constexpr (P::has_wrench)
        for (const auto& e : P::elements(model_))
          e.for_ends([&](int marker) { P::acts ? add(marker) : void(at += 6); });
    });
    pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
      if constexpr (P::has_wrench)
        for (const auto& e : P::elements(model_)) P::further(model_, e, add);
    });
  });
  body_wrench_start_ = std::move(of_body.start);
  body_wrenches_ = std::move(of_body.item);
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

/// Throws Failure(internal) where the last evaluation did not cover what is wanted or, in debug builds, was
/// at another state.
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
  pools_->prepare(now, parallel_);
  pools_->for_each([&]<class P>(PoolTag<P>, const auto&) { evaluate_pool<P>(now); });
  parallel_(static_cast<int>(body_force_.size()), 512, [&](int begin, int end, int) {
    for (int b = begin; b < end; ++b) gather_body(now, b);
  });
}

void Assembler::evaluate_constraints(const State& state, const AnalysisPoint& point) {
  EvaluationPoint numbers;
  const AssemblyView now = begin_evaluation(state, point, numbers, {.forces = false, .all_markers = true});
  kinematics_.update(now);
  reads_ = {&state, &kinematics_, wrench_.data(), numbers.mode};
  pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
    if constexpr (P::has_rows) evaluate_pool<P>(now);
  });
}

/// Wrenches of the elements in force.
template <class P>
void Assembler::evaluate_pool(const AssemblyView& now) {
  if constexpr (P::has_wrench) {
    const auto& t = pools_->tables().of<P>();
    if (t.count == 0) return;
    parallel_(t.count, P::grain, [&](int begin, int end, int lane) {
      for (int i = begin; i < end; ++i) {
        if (!t.in_force(i)) continue;
        P::wrench(now, t, i, *lanes_[lane]);
        if constexpr (P::along_line)
          if (const double fx = *t.wrench_of(now, i); fx - fx != 0)
            refuse_undefined(P::elements(model_)[i], now.point->t);
        if constexpr (P::runs_user_code)
          if (const double fx = *t.wrench_of(now, i); t.item[i].law.user && fx - fx != 0)
            refuse_user_force(model_.contacts[i], now.point->t);
      }
    });
  }
}

/// A force along the line of its markers has no value where these coincide, a beam for large rotations none
/// beyond its reach.
template <class Force>
void Assembler::refuse_undefined(const Force& force, double t) const {
  const Marker &I = model_.markers[force.I], &J = model_.markers[force.J];
  if constexpr (std::is_same_v<Force, Connector>)
    if (std::holds_alternative<NonlinearBeam>(force.law))
      fail(ExitCode::solver,
           "{}: one end is turned by more than {:.0f} degrees against the other at t = {:.9g}; make it of "
           "several "
           "BEAMs with parts between them",
           force.name.label(), most_turn_of_beam * (180 / std::numbers::pi), t);
  if (norm(kinematics_.marker(force.I).r - kinematics_.marker(force.J).r) > 0) return;
  fail(ExitCode::solver,
       "{}: its markers I={} and J={} coincide, so that its force has no direction, at t = {:.9g}; move one "
       "of "
       "them",
       force.name.label(), I.id, J.id, t);
}

void Assembler::refuse_user_force(const ContactElement& contact, double t) const {
  fail(ExitCode::solver,
       "{}: its NORMAL_FUNCTION ({}) gives no force at t = {:.9g}; it must be a number in the first of three "
       "places, with 0 in the others (ni, nj, gapdotdot and area, which are not told, come as NaN)",
       contact.name.label(), contact.law.user->name, t);
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
  const auto& flexible = pools_->tables().of<FlexibleBodies>();
  for (int i = 0; i < flexible.count; ++i) {
    const FlexiblePlace& place = flexible.item[i].place;
    const BodyKinematics& k = kinematics_.body(place.body);
    energy += modal_kinetic_energy(i, k.v, k.w, &kinematics_.modal().v[place.first - model_.first_modal()]);
  }
  return energy;
}

double Assembler::modal_kinetic_energy(int flexible, const Vec3d& v, const Vec3d& w,
                                       const double* rates) const {
  const auto& item = pools_->tables().of<FlexibleBodies>().item[flexible];
  const Mat3d& A = kinematics_.body(item.place.body).A;
  const double* q = &kinematics_.modal().q[item.place.first - model_.first_modal()];
  return FlexibleBodies::kinetic_energy(
      item, {transpose_times(A, v), transpose_times(A, w), Vec3d{}, q, rates, nullptr});
}

double Assembler::modal_dissipation(int flexible, const Vec3d& v, const Vec3d& w, const double* rates) const {
  const auto& item = pools_->tables().of<FlexibleBodies>().item[flexible];
  const Mat3d& A = kinematics_.body(item.place.body).A;
  return FlexibleBodies::dissipated_power(
      tape_values_.data(), item,
      {Vec3d{}, transpose_times(A, w), Vec3d{}, nullptr, rates, nullptr, transpose_times(A, v)});
}

double Assembler::elastic_energy() const {
  double energy = 0;
  for (const FlexibleBody& f : model_.flexible_bodies) {
    const double* q = kinematics_.modal().q.data() + (f.first - model_.first_modal());
    for (int j = 0; j < f.modes; ++j)
      for (int k = 0; k < f.modes; ++k)
        energy += 0.5 * q[j] * q[k] * f.stiffness[static_cast<std::size_t>(j) * f.modes + k];
  }
  return energy;
}

double Assembler::gravity_energy() const {
  double energy = 0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    energy -= model_.bodies[b].mass * dot(model_.gravity, kinematics_.body(static_cast<int>(b)).x);
  for (const FlexibleBody& f : model_.flexible_bodies) {
    Vec3d moment = f.moment;
    for (int j = 0; j < f.modes && !f.momentum.empty(); ++j)
      moment += kinematics_.modal().q[f.first - model_.first_modal() + j] * f.momentum[j];
    energy -= dot(model_.gravity, kinematics_.body(f.body).A * moment);
  }
  return energy;
}

}  // namespace trammel
