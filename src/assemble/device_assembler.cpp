#include "assemble/device_assembler.h"

#include <algorithm>

#include "assemble/lane.h"

namespace trammel {

namespace {

/// A device as a place of tables (pools/pool.h).
struct DevicePlaceOfTables {
  DeviceArena& arena;
  template <class T>
  const T* table(const std::vector<T>& v) const {
    return arena.copy(v);
  }
  template <class T>
  const T* keep(const std::vector<T>& v) const {
    return arena.copy(v);
  }
  template <class T>
  T* array(const std::vector<T>& v) const {
    return arena.filled(v);
  }
};

}  // namespace

std::string DeviceAssembler::refusal(const Model& model) {
  if (!model.general_constraints.empty()) return model.general_constraints[0].name.label();
  if (!model.nodal_forces.empty()) return model.nodal_forces[0].name.label();
  for (const RowElement& e : model.row_elements)
    if (e.curves >= 0) return e.name.label();
  for (std::size_t k = 0; k < model.tapes.size();
       ++k)  // also of requests: histories are kept on the processor
    if (!model.tapes[k].delays.empty()) return model.tape_name[k] + " (DELAY)";
  return "";
}

DeviceAssembler::DeviceAssembler(Device& device, Assembler& host, const Model& model)
    : model_(model), host_(host), own_(std::in_place, device), arena_(*own_) {
  make(State(model));
  arena_.flush();
}

DeviceAssembler::DeviceAssembler(DeviceArena& arena, Assembler& host, const Model& model, const State& state)
    : model_(model), host_(host), arena_(arena) {
  make(state);
}

void DeviceAssembler::make(const State& state) {
  if (const std::string element = refusal(model_); !element.empty())
    fail(ExitCode::unsupported, "{} is not computed on a device: run with --backend cpu", element);
  const EvaluationPoint point{};
  const AssemblyView from = host_.view(state, point);
  held_here_.resize(model_.multipliers);
  host_.held_multipliers(state, phase_dynamics, held_here_);
  make_state(state);
  make_arrays(from);
  copy_tables(from);
  copy_tapes(from);
  copy_pools();
  on_device_.deep = deep_markers();
  on_device_.registers = jet_rooms();
  on_device_.motion_jets = motion_jets();
}

const WantedMarker* DeviceAssembler::deep_markers() {
  std::vector<WantedMarker> markers = host_.equation_markers_.markers;
  for (WantedMarker& m : markers) m.level = 3;
  return arena_.copy(markers);
}

TwiceInTime* const* DeviceAssembler::jet_rooms() {
  std::vector<TwiceInTime*> rooms;
  for (const RowElement& e : model_.row_elements) {
    const Tape* tape = e.motion ? &model_.tapes[e.tape] : nullptr;
    rooms.push_back(tape && tape->only_time() ? arena_.room<TwiceInTime>(tape->code.size()) : nullptr);
  }
  return arena_.copy(rooms);
}

MotionJetPlan DeviceAssembler::motion_jets() {
  const MotionScalars reached = motion_scalars(model_);
  MotionJetPlan plan{};
  std::size_t markers = 0, states = 0, rates = 0, angles = 0, code = 0;
  const auto fit = [&](const Tape& tape) {
    markers = std::max(markers, tape.markers.size());
    states = std::max(states, tape.states.size());
    rates = std::max(rates, tape.rates.size());
    angles = std::max(angles, tape.angles.size());
    code = std::max(code, tape.code.size());
  };
  for (const int n : reached.motions) fit(model_.tapes[model_.row_elements[n].tape]);
  std::vector<int> scalars = reached.variables;
  scalars.insert(scalars.end(), reached.states.begin(), reached.states.end());
  for (const int k : scalars)
    if (model_.scalars[k].tape >= 0) fit(model_.tapes[model_.scalars[k].tape]);
  plan.scalar = arena_.copy(scalars);
  plan.variables = static_cast<int>(reached.variables.size());
  plan.scalars = static_cast<int>(scalars.size());
  plan.motion = arena_.copy(reached.motions);
  plan.motions = static_cast<int>(reached.motions.size());
  if (plan.motions == 0) return plan;
  plan.value = arena_.room<TwiceInTime>(model_.scalars.size());
  plan.rate = arena_.room<TwiceInTime>(model_.scalars.size());
  plan.jet = arena_.room<double>(3 * model_.row_elements.size());
  plan.scratch = {arena_.room<MarkerKinematics<TwiceInTime>>(markers), arena_.room<TwiceInTime>(states),
                  arena_.room<TwiceInTime>(rates), arena_.room<TwiceInTime>(code),
                  arena_.room<double>(angles)};
  return plan;
}

void DeviceAssembler::make_state(const State& state) {
  DeviceState& s = on_device_.state;
  s = {arena_.filled(state.q),      arena_.filled(state.v),     arena_.filled(state.a),
       arena_.filled(state.lambda), arena_.filled(state.s),     arena_.filled(state.sdot),
       arena_.filled(state.basis),  arena_.filled(state.angle), arena_.filled(state.offset)};
  on_device_.view.state = {s.q, s.v, s.a, s.lambda, s.s, s.sdot, s.basis, s.angle, s.offset};
  on_device_.view.point = on_device_.point = arena_.room<EvaluationPoint>(1);
}

/// Arrays begin with what the processor's hold: some of their entries never change (ground, point masses,
/// gradients of linear rows).
void DeviceAssembler::make_arrays(const AssemblyView& from) {
  const std::size_t bodies = model_.bodies.size(), markers = model_.markers.size();
  AssemblyArrays& a = on_device_.view.array;
  a.body = arena_.filled(from.array.body, bodies);
  a.cos_theta = arena_.filled(from.array.cos_theta, bodies);
  a.variation = arena_.room<BodyVariation>(bodies);
  a.marker = arena_.filled(from.array.marker, markers);
  a.arm = arena_.filled(from.array.arm, markers);
  a.tape_value = arena_.room<double>(3 * model_.tapes.size());
  a.wrench = arena_.filled(std::vector<double>(host_.wrench_.size()));  // out of force: 0
  a.body_force = arena_.room<Vec3d>(bodies);
  a.body_moment = arena_.room<Vec3d>(bodies);
  a.masked = masked_ = arena_.filled(held_here_);
  DeviceAssembly& d = on_device_;
  d.places = {arena_.filled(std::vector<double>(host_.slots_.size())), arena_.copy(host_.place_),
              arena_.copy(host_.item_start_)};
  d.shared = arena_.copy(host_.shared_);
  d.counter = arena_.copy(model_.tape_angles);
  d.shared_values = static_cast<int>(host_.shared_.size());
  d.angles = model_.angles;
  d.counters = static_cast<int>(model_.tape_angles.size());
}

void DeviceAssembler::copy_tables(const AssemblyView& from) {
  const std::size_t bodies = model_.bodies.size();
  AssemblyTables& t = on_device_.view.table;
  t = from.table;
  t.place = arena_.copy(from.table.place, bodies);
  t.inertia = arena_.copy(host_.body_inertia_);
  t.marker = arena_.copy(model_.markers);
  t.wanted_start = arena_.copy(host_.equation_markers_.start);
  t.wanted = arena_.copy(host_.equation_markers_.markers);
  t.scalar = arena_.copy(host_.scalars_);
  t.force_output = arena_.copy(model_.force_output);
  t.body_wrench_start = arena_.copy(host_.body_wrench_start_);
  t.body_wrench = arena_.copy(host_.body_wrenches_);
}

TapeItem DeviceAssembler::copy_tape(const TapeItem& tape, const Tape& from) {
  TapeItem out = tape;
  out.view.code = arena_.copy(from.code);
  out.view.constants = arena_.copy(from.constants);
  out.view.coefficients = arena_.copy(from.coefficients);
  out.view.arguments = arena_.copy(from.arguments);
  out.view.leaves = arena_.copy(from.leaves);
  out.view.results = arena_.copy(from.results);
  out.view.splines = arena_.copy(from.splines);
  out.view.delays = nullptr;
  out.markers = arena_.copy(from.markers);
  out.states = arena_.copy(from.states);
  out.rates = arena_.copy(from.rates);
  out.angles = arena_.copy(from.angles);
  return out;
}

TapeRoom DeviceAssembler::room_for(const TapeItem& tape) {
  const std::size_t markers = tape.view.n_markers, states = tape.view.n_states, rates = tape.view.n_rates,
                    size = tape.view.size;
  TapeRoom room{};
  room.scratch.markers = arena_.room<MarkerKinematics<double>>(markers);
  double* next = arena_.room<double>(2 * (states + rates + size) + tape.n_angles + 18 * markers);
  const auto take = [&](std::size_t n) {
    double* mine = next;
    next += n;
    return mine;
  };
  room.scratch.states = take(states);
  room.scratch.rates = take(rates);
  room.scratch.angles = take(tape.n_angles);
  room.scratch.registers = take(size);
  room.scratch.adjoints = take(size);
  room.derivatives.marker = take(18 * markers);
  room.derivatives.state = take(states);
  room.derivatives.rate = take(rates);
  return room;
}

/// Tapes of the equations, each with room for values.
void DeviceAssembler::copy_tapes(const AssemblyView& from) {
  std::vector<TapeItem> items(model_.tapes.size());
  for (const int k : host_.equation_tapes_) items[k] = copy_tape(from.table.tape[k], model_.tapes[k]);
  on_device_.view.table.tape = arena_.copy(items);
  std::vector<SplineView> splines;
  for (const SplineTable& table : model_.splines) {
    SplineView v = trammel::view(table);
    v.x = arena_.copy(table.x);
    v.z = arena_.copy(table.z);
    v.y = arena_.copy(table.y);
    v.cubic = arena_.copy(table.cubic_slopes);
    v.akima = arena_.copy(table.akima_slopes);
    splines.push_back(v);
  }
  on_device_.view.table.tape_tables = {arena_.copy(splines), nullptr};

  DeviceAssembly& d = on_device_;
  d.tapes = static_cast<int>(host_.equation_tapes_.size());
  d.tape = arena_.copy(host_.equation_tapes_);
  std::vector<TapeRoom> rooms;
  for (const int k : host_.equation_tapes_) rooms.push_back(room_for(items[k]));
  d.tape_room = arena_.copy(rooms);
  d.note = arena_.filled(std::vector<double>(d.tapes, tape_fine));
  told_here_.assign(d.tapes, 0);
  d.told = arena_.filled(told_here_);
  note_scratch_ = arena_.room<Place>(reduction_scratch(d.tapes));
}

/// Tables of all pools, and per element that runs tapes room for derivatives, as large as the largest of
/// them.
void DeviceAssembler::copy_pools() {
  on_device_.pools = host_.pools_->tables(DevicePlaceOfTables{arena_});
  host_.pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
    if constexpr (P::runs_tapes && P::on_device) {
      std::vector<TapeRoom> rooms;
      for (const auto& e : P::elements(model_)) {
        TapeItem room{};
        e.for_tapes([&](int tape) {
          const TapeItem& item = host_.lanes_[0]->tapes.items()[tape];
          room.view.size = std::max(room.view.size, item.view.size);
          room.view.n_markers = std::max(room.view.n_markers, item.view.n_markers);
          room.view.n_states = std::max(room.view.n_states, item.view.n_states);
          room.view.n_rates = std::max(room.view.n_rates, item.view.n_rates);
          room.n_angles = std::max(room.n_angles, item.n_angles);
        });
        rooms.push_back(room_for(room));
      }
      on_device_.pools.of<P>().room = arena_.copy(rooms);
    }
  });
}

void DeviceAssembler::hold_multipliers(const State& state, Phase phase) {
  host_.held_multipliers(state, phase, held_here_);
  if (!held_here_.empty()) device().upload(masked_, held_here_.data(), held_here_.size());
}

namespace {

/// Calls f(device array, values of the state) for every array of a state.
template <class AnyState, class F>
void for_arrays(const DeviceState& there, AnyState& here, F f) {
  f(there.q, here.q);
  f(there.v, here.v);
  f(there.a, here.a);
  f(there.lambda, here.lambda);
  f(there.s, here.s);
  f(there.sdot, here.sdot);
  f(there.basis, here.basis);
  f(there.angle, here.angle);
  f(there.offset, here.offset);
}

}  // namespace

void DeviceAssembler::upload(const State& state) {
  for_arrays(on_device_.state, state, [this](auto* there, const auto& here) {
    if (!here.empty()) device().upload(there, here.data(), here.size() * sizeof *there);
  });
}

void DeviceAssembler::download(State& state) const {
  state.t = point_.t;
  for_arrays(on_device_.state, state, [this](auto* there, auto& here) {
    if (!here.empty()) device().download(here.data(), there, here.size() * sizeof *there);
  });
}

void DeviceAssembler::set_point(const EvaluationPoint& point) {
  point_ = point;
  on_device_.set_point(launch(), point);
}

void DeviceAssembler::evaluate_equations() {
  on_device_.evaluate(launch(), on_device_.view.table.wanted);
}

void DeviceAssembler::evaluate_deep() {
  on_device_.evaluate(launch(), on_device_.deep);
}

void DeviceAssembler::rates(int order, double* rows) {
  on_device_.rates(launch(), order, rows);
}

void DeviceAssembler::residual(double* r) {
  on_device_.residual(launch(), r);
}

void DeviceAssembler::tangent() {
  on_device_.tangent(launch());
}

void DeviceAssembler::keep_angles() {
  on_device_.keep_angles(launch());
}

void DeviceAssembler::check() {
  if (on_device_.tapes == 0) return;
  Place worst{};
  device().download(&worst, launch_largest(device(), on_device_.note, on_device_.tapes, note_scratch_),
                    sizeof worst);
  if (worst.value <= tape_fine) return;
  State state(model_);
  download(state);
  host_.evaluate_equations(state, {static_cast<AnalysisMode>(point_.mode), phase_dynamics});
  if (worst.value >= tape_failed)
    fail(ExitCode::solver,
         "a function has no value on the device at time {:.9g}, but on the processor it has: it is at the "
         "edge "
         "of its domain",
         point_.t);
  // The processor has told which splines are read outside their data: not again for these tapes.
  std::vector<double> notes(on_device_.tapes);
  device().download(notes.data(), on_device_.note, notes.size() * sizeof(double));
  for (int k = 0; k < on_device_.tapes; ++k)
    if (notes[k] == tape_outside_spline) told_here_[k] = 1;
  device().upload(on_device_.told, told_here_.data(), told_here_.size());
}

}  // namespace trammel
