#include "assemble/device_assembler.h"

#include <algorithm>
#include <cmath>

#include "assemble/device_modes.h"
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
  template <class T>
  T* object(const T& x) const {
    return arena.filled(&x, 1);
  }
};

}  // namespace

std::string DeviceAssembler::refusal(const Model& model) {
  for (std::size_t k = 0; k < model.tapes.size(); ++k) {
    if (!model.tapes[k].users.empty()) return model.tape_name[k] + " (user code)";
    for (const DelaySlot& slot : model.tapes[k].delays)  // also of requests
      if (std::isinf(model.delays[slot.buffer].longest))
        return model.tape_name[k] + " (DELAY without a bound)";
  }
  for (const ContactElement& c : model.contacts)
    if (c.law.user) return c.name.label() + " (user code)";
  return "";
}

DeviceAssembler::DeviceAssembler(Device& device, Assembler& host, const Model& model)
    : model_(model), host_(host), own_(std::in_place, device), arena_(*own_) {
  make(State(model));
  arena_.flush();
  of_structure_->flush();
  if (shapes_) shapes_->take();
  changes_.emplace(device, model, on_device_, shapes_ ? &*shapes_ : nullptr);
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
  copy_delays();
  copy_pools();
  copy_markers();
  copy_jets();
}

void DeviceAssembler::copy_markers() {
  const MarkersByPlace markers =
      by_place(model_, host_.equation_markers_.start, host_.equation_markers_.markers);
  on_device_.marker_start = arena_.copy(markers.start);
  on_device_.marker = arena_.copy(markers.on_bodies);
  on_device_.deep = arena_.copy(deepened(markers.on_bodies));
  on_device_.modes = copy_modes(arena_, model_, host_.modal_products_, markers.at_nodes);
}

namespace {

/// Of two tapes the larger of each size.
void enlarge(TapeItem& room, const TapeItem& tape) {
  room.view.size = std::max(room.view.size, tape.view.size);
  room.view.n_markers = std::max(room.view.n_markers, tape.view.n_markers);
  room.view.n_states = std::max(room.view.n_states, tape.view.n_states);
  room.view.n_rates = std::max(room.view.n_rates, tape.view.n_rates);
  room.n_angles = std::max(room.n_angles, tape.n_angles);
}

}  // namespace

JetScratch DeviceAssembler::jet_scratch(const TapeItem& size) {
  return {arena_.room<MarkerKinematics<TwiceInTime>>(size.view.n_markers),
          arena_.room<TwiceInTime>(size.view.n_states), arena_.room<TwiceInTime>(size.view.n_rates),
          arena_.room<TwiceInTime>(size.view.size), arena_.room<double>(size.n_angles)};
}

/// Derivatives in time of the tapes of constraints.
void DeviceAssembler::copy_jets() {
  const std::vector<TapeItem>& items = host_.lanes_[0]->tapes.items();
  std::vector<TapeJet> jets;
  host_.pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
    if constexpr (P::has_rows) {
      std::vector<JetPlace> places;
      for (const auto& e : P::elements(model_)) {
        const int tape = e.rate_tape();
        JetPlace place{};
        if (tape >= 0 && model_.tapes[tape].only_time()) {
          place.registers = arena_.room<TwiceInTime>(items[tape].view.size);
        } else if (tape >= 0) {
          double* values = arena_.room<double>(3);
          place.values = values;
          jets.push_back({tape, values, jet_scratch(items[tape])});
        }
        places.push_back(place);
      }
      on_device_.pools.of<P>().jets = arena_.copy(places);
    }
  });
  on_device_.tape_jet = arena_.copy(jets);
  on_device_.tape_jets = static_cast<int>(jets.size());
  const RateScalars reached = scalars_of_rates(model_);
  std::vector<int> scalars = reached.variables;
  scalars.insert(scalars.end(), reached.states.begin(), reached.states.end());
  TapeItem largest{};
  for (const int k : scalars) enlarge(largest, items[model_.scalars[k].tape]);
  const std::size_t all = jets.empty() ? 0 : model_.scalars.size();
  on_device_.scalar_jets = {arena_.copy(scalars),
                            static_cast<int>(reached.variables.size()),
                            static_cast<int>(scalars.size()),
                            arena_.room<TwiceInTime>(all),
                            arena_.room<TwiceInTime>(all),
                            jet_scratch(largest)};
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
  a.cos_theta = arena_.filled(from.array.cos_theta, bodies + model_.flexible_bodies.size());
  make_modal_arrays(arena_, model_, host_.modal_products_, a);
  a.variation = arena_.room<BodyVariation>(bodies);
  a.marker = arena_.filled(from.array.marker, markers);
  a.arm = arena_.filled(from.array.arm, markers);
  a.tape_value = arena_.room<double>(3 * model_.tapes.size());
  a.wrench = arena_.filled(std::vector<double>(host_.wrench_.size()));  // out of force: 0
  a.body_force = arena_.room<Vec3d>(bodies);
  a.body_moment = arena_.room<Vec3d>(bodies);
  a.masked = masked_ = arena_.filled(held_here_);
  if (own_) of_structure_.emplace(device());
  copy_structure(own_ ? *of_structure_ : arena_);
  DeviceAssembly& d = on_device_;
  d.counter = arena_.copy(model_.tape_angles);
  d.angles = model_.angles;
  d.counters = static_cast<int>(model_.tape_angles.size());
  d.contacts = static_cast<int>(model_.curve_uses.size());
  if (d.contacts > 0) {
    d.contact_note = arena_.room<double>(model_.constraint_elements.size());
    contact_scratch_ =
        arena_.room<Place>(reduction_scratch(static_cast<int>(model_.constraint_elements.size())));
  }
}

/// Where the entries of the tangent go.
void DeviceAssembler::copy_structure(DeviceArena& arena) {
  const Structure& from = *host_.structure_;
  DeviceAssembly& d = on_device_;
  d.places = {arena.filled(std::vector<double>(host_.slots_.size())), arena.copy(from.place()),
              arena.copy(from.item_start())};
  d.shared = arena.copy(from.shared());
  d.shared_values = static_cast<int>(from.shared().size());
}

void DeviceAssembler::take_structure() {
  of_structure_.emplace(device());
  copy_structure(*of_structure_);
  of_structure_->flush();
  const Contacts& contacts = *host_.pools_;
  if (!contacts.coupled.empty())
    device().upload(on_device_.pools.of<Contacts>().coupled, contacts.coupled.data(),
                    contacts.coupled.size());
  if (shapes_) shapes_->take_coupled();
}

void DeviceAssembler::copy_tables(const AssemblyView& from) {
  const std::size_t flexible = model_.flexible_bodies.size();
  AssemblyTables& t = on_device_.view.table;
  t = from.table;
  t.place = arena_.copy(from.table.place, model_.bodies.size() + flexible);
  t.flexible = arena_.copy(from.table.flexible, flexible);
  t.node = arena_.copy(model_.nodes);
  t.node_shape = arena_.copy(model_.node_shapes);
  t.settling = model_.settling.empty() ? nullptr : arena_.copy(model_.settling);
  t.gradient_of = arena_.copy(host_.modal_products_.gradient_of());
  t.inertia = arena_.copy(host_.body_inertia_);
  t.marker = arena_.copy(model_.markers);
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
  out.view.delays = arena_.copy(from.delays);
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
  for (const Delay& d : model_.delays)
    items[d.tape] = copy_tape(from.table.tape[d.tape], model_.tapes[d.tape]);
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
  delay_views_ = arena_.filled(std::vector<DelayView>(model_.delays.size()));
  on_device_.view.table.tape_tables = {arena_.copy(splines), delay_views_};

  DeviceAssembly& d = on_device_;
  d.tapes = static_cast<int>(host_.equation_tapes_.size());
  d.tape = arena_.copy(host_.equation_tapes_);
  std::vector<TapeRoom> rooms;
  for (const int k : host_.equation_tapes_) rooms.push_back(room_for(items[k]));
  d.tape_room = arena_.copy(rooms);
  const ContactGroups& groups = *host_.pools_;
  notes_ = d.tapes + static_cast<int>(groups.shape.size()) + OverlapSearches(*host_.pools_, groups).all();
  d.note = arena_.filled(std::vector<double>(notes_, tape_fine));
  told_here_.assign(d.tapes, 0);
  d.told = arena_.filled(told_here_);
  note_scratch_ = arena_.room<Place>(reduction_scratch(notes_));
}

void DeviceAssembler::add_dual_room(const TapeItem& tape, TapeRoom& room) {
  using D = DualRoom::D;
  const std::size_t markers = tape.view.n_markers, states = tape.view.n_states, rates = tape.view.n_rates,
                    size = tape.view.size;
  D* next = arena_.room<D>(2 * (states + rates + size) + 18 * markers);
  const auto take = [&](std::size_t n) {
    D* mine = next;
    next += n;
    return mine;
  };
  DualRoom& d = room.dual;
  d.markers = arena_.room<MarkerKinematics<D>>(markers);
  d.states = take(states);
  d.rates = take(rates);
  d.registers = take(size);
  d.adjoints = take(size);
  d.gradient = {take(18 * markers), take(states), take(rates), {}};
  d.angles = room.scratch.angles;
  room.hessian = arena_.room<double>(36 * markers * markers);
  room.mixed = arena_.room<double>(6 * markers * states);
}

/// Tables of all pools, and per element that runs tapes room for derivatives, as large as the largest of
/// them.
void DeviceAssembler::copy_pools() {
  on_device_.pools = host_.pools_->tables(DevicePlaceOfTables{arena_});
  host_.pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
    if constexpr (P::has_room) {
      std::vector<TapeRoom> rooms;
      for (const auto& e : P::elements(model_)) {
        TapeItem size{};
        e.for_tapes([&](int tape) { enlarge(size, host_.lanes_[0]->tapes.items()[tape]); });
        TapeRoom room = room_for(size);
        if (P::has_rows) add_dual_room(size, room);
        room.own = arena_.room<double>(P::room_size(e));
        rooms.push_back(room);
      }
      on_device_.pools.of<P>().room = arena_.copy(rooms);
    }
  });
  if (const auto& contacts = on_device_.pools.of<Contacts>(); contacts.coupled) {
    uncoupled_note_ = arena_.room<double>(contacts.count);
    uncoupled_scratch_ = arena_.room<Place>(reduction_scratch(contacts.count));
  }
  copy_shapes();
}

/// Shapes of groups, and what searches for overlaps need.
void DeviceAssembler::copy_shapes() {
  ContactGroups& groups = *host_.pools_;
  auto& of_contacts = on_device_.pools.of<Contacts>();
  auto& of_groups = on_device_.pools.of<ContactGroups>();
  double* note = on_device_.note + on_device_.tapes;
  if (!groups.shape.empty()) {
    shapes_.emplace(arena_, groups, of_groups);
    on_device_.shapes = shapes_->margins(note);
    note += groups.shape.size();
  }
  const OverlapSearches searches(*host_.pools_, groups);
  if (searches.all() == 0) return;
  of_contacts.tables.meshes = of_groups.tables.meshes = copy_meshes(arena_, model_.solids);
  of_contacts.tables.curves = copy_curves(arena_, model_.planar_curves);
  contact_rooms_.emplace(arena_, searches.contacts, false);
  on_device_.contact_rooms = contact_rooms_->rooms(note);
  of_contacts.tables.work = on_device_.contact_rooms.work;
  group_rooms_.emplace(arena_, searches.shapes, true);
  on_device_.group_rooms = group_rooms_->rooms(note + searches.contacts);
  of_groups.tables.work = on_device_.group_rooms.work;
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
  upload_delays(state);
  if (shapes_) shapes_->take();
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
  on_device_.evaluate(launch());
}

void DeviceAssembler::evaluate_deep() {
  on_device_.evaluate(launch(), true);
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
  if (on_device_.contacts == 0) return;
  const int n = static_cast<int>(model_.constraint_elements.size());
  Place worst{};
  device().download(&worst, launch_largest(device(), on_device_.contact_note, n, contact_scratch_),
                    sizeof worst);
  if (worst.value <= tape_fine) return;
  State state(model_);
  download(state);
  host_.evaluate_equations(state, {static_cast<AnalysisMode>(point_.mode), phase_dynamics});
  host_.refuse_turning_back(state);
  host_.current_angles(state, state.angle);  // names the contact that is lost
  fail(ExitCode::solver, "{} loses its contact on the device at time {:.9g}, but not on the processor",
       model_.constraint_elements[worst.index].name.label(), point_.t);
}

void DeviceAssembler::find_failure() {
  if (notes_ > 0) worst_note_ = launch_largest(device(), on_device_.note, notes_, note_scratch_);
}

void DeviceAssembler::find_uncoupled(Place* told) {
  const auto& contacts = on_device_.pools.of<Contacts>();
  if (!contacts.coupled) return;
  device().launch(NoteUncoupled{on_device_.view, contacts, uncoupled_note_}, contacts.count);
  launch_largest(device(), uncoupled_note_, contacts.count, uncoupled_scratch_, told);
}

Standing DeviceAssembler::tell_failure() {
  if (notes_ == 0) return Standing::stands;
  Place worst{};
  device().download(&worst, worst_note_, sizeof worst);
  if (worst.value <= tape_fine) return Standing::stands;
  if (worst.value >= room_lacks) {
    contact_rooms_->enlarge();
    group_rooms_->enlarge();
    return Standing::room_lacked;
  }
  if (worst.value >= shape_left) {
    shapes_->follow();
    return Standing::list_was_old;
  }
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
  return Standing::stands;
}

}  // namespace trammel
