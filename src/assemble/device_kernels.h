// The loops of the assembler as kernels: one thread per body, element or scalar (device_api/kernel.h).
#pragma once

#include "assemble/body_kinematics.h"
#include "assemble/law_changes.h"
#include "assemble/pools/list.h"
#include "assemble/tape_jets.h"
#include "expression/evaluate_definitions.h"
#if defined(__CUDACC__)
#include "geometry/mesh_touch_definitions.h"
#include "geometry/planar_touch_definitions.h"
#endif

namespace trammel {

/// *to = value, in order with the other launches.
struct SetPoint {
  static constexpr const char* name = "set_point";
  EvaluationPoint value;
  EvaluationPoint* to;
  TRAMMEL_HD void operator()(int) const { *to = value; }
};

// Kernels have the parameter View: AssemblyView, which is copied with a launch, or a reference to one, for a
// group of threads that loops over items where it is.

/// Bodies, and those of their markers that are listed, as deep as they say. `nodes`: markers may be at nodes
/// of flexible bodies.
template <bool nodes, class View>
struct UpdateBodiesOf {
  static constexpr const char* name = "update_bodies";
  static constexpr bool is_large = true;
  View w;
  const int* start;
  const WantedMarker* wanted;
  TRAMMEL_HD void operator()(int b) const {
    const BodyPlace& place = w.table.place[b];
    SineCosine of[3]{};
    TRAMMEL_ROLLED
    for (int k = 0; k < place.rotations; ++k) of[k] = sine_cosine(w.state.q[place.angles() + k]);
    update_body_and_markers<nodes>(w, start, wanted, b, of);
  }
};
using UpdateBodies = UpdateBodiesOf<true, AssemblyView>;

template <class View>
struct UpdateVariationsOf {
  static constexpr const char* name = "update_variations";
  static constexpr bool is_large = true;
  View w;
  TRAMMEL_HD void operator()(int b) const { update_variation(w, b); }
};
using UpdateVariations = UpdateVariationsOf<AssemblyView>;

/// How the evaluation of a tape went, as a number of which the largest matters.
inline constexpr double tape_fine = 0, tape_outside_spline = 1, tape_failed = 2;
/// Or that a shape of a group in contact has left its margin.
inline constexpr double shape_left = 3;
/// Or that a search for overlaps of shapes had no room to find all.
inline constexpr double room_lacks = 4;
TRAMMEL_HD inline double note_of(const TapeStatus& status) {
  return !status.ok() ? tape_failed : status.extrapolated >= 0 ? tape_outside_spline : tape_fine;
}

/// Room for one run of a tape and its derivatives.
struct TapeRoom {
  TapeScratch scratch;
  TapeDerivativeRoom derivatives;
  DualRoom dual;            ///< of constraints
  double *hessian, *mixed;  ///< of constraints
  double* own;              ///< Pool::room_size numbers
};

/// Values of the tapes that the equations read; item k is tape[k], which has room[k], told[k] and note[k].
template <class View>
struct EvaluateTapesOf {
  static constexpr const char* name = "evaluate_tapes";
  static constexpr bool is_large = true;
  View w;
  const int* tape;
  const TapeRoom* room;
  const unsigned char* told;
  double* note;
  TRAMMEL_HD void operator()(int k) const {
    const TapeItem& item = w.table.tape[tape[k]];
    const TapeInputs<double> in = gather_inputs(sources(w), item, room[k].scratch);
    const TapeStatus status = evaluate(item.view, in, room[k].scratch.registers);
    const double found = note_of(status);
    note[k] = found == tape_outside_spline && told[k] ? tape_fine : found;
    for (int r = 0; r < item.view.n_results; ++r)
      w.array.tape_value[3 * tape[k] + r] = room[k].scratch.registers[item.view.results[r]];
  }
};
using EvaluateTapes = EvaluateTapesOf<AssemblyView>;

/// The same of tapes that are constants.
template <class View>
struct ConstantTapesOf {
  View w;
  const int* tape;
  TRAMMEL_HD void operator()(int k) const {
    const TapeView& view = w.table.tape[tape[k]].view;
    for (int r = 0; r < view.n_results; ++r)
      w.array.tape_value[3 * tape[k] + r] = view.constants[view.code[view.results[r]].a];
  }
};

/// What tapes with switches find at time `t`; item k is tape[k], the at[k]-th of those of the equations,
/// which have rooms. They are run again, as states have been corrected since the equations were evaluated.
struct ReadSwitches {
  static constexpr const char* name = "read_switches";
  static constexpr bool is_large = true;
  AssemblyView w;
  double t;
  const SwitchedTape* tape;
  const TapeRoom* room;
  const LawSwitch* item;
  const PartPlace* part;
  SwitchValues* found;
  TRAMMEL_HD void operator()(int k) const {
    const SwitchedTape& of = tape[k];
    const TapeScratch& scratch = room[of.place].scratch;
    const TapeItem& code = w.table.tape[of.tape];
    TapeSources from = sources(w);
    from.t = t;
    TapeInputs<double> in = gather_inputs(from, code, scratch);
    const auto run = [&](bool every_branch) {
      for (int r = 0; r < code.view.size; ++r) scratch.registers[r] = NAN;
      in.every_branch = every_branch;
      (void)evaluate(code.view, in, scratch.registers);
      return TapeRegisters{scratch.registers, in.markers};
    };
    read_switches(of, item, part, run, found);
  }
};

template <class View>
struct GatherBodiesOf {
  static constexpr const char* name = "gather_bodies";
  static constexpr bool is_large = true;
  View w;
  TRAMMEL_HD void operator()(int b) const { gather_body(w, b); }
};
using GatherBodies = GatherBodiesOf<AssemblyView>;

/// Parameters of contacts on curves; note[n]: whether constraint n has lost its contact.
struct KeepContacts {
  static constexpr const char* name = "keep_contacts";
  AssemblyView w;
  Constraints::Table table;
  double* angle;
  double* note;
  TRAMMEL_HD void operator()(int n) const {
    note[n] = Constraints::keep_contact(w, table, n, angle) ? tape_fine : tape_failed;
  }
};

/// note[n]: 1 where CONTACT n must have places in the matrix and has none, else 0.
struct NoteUncoupled {
  static constexpr const char* name = "note_uncoupled";
  AssemblyView w;
  Contacts::Table table;
  double* note;
  TRAMMEL_HD void operator()(int n) const { note[n] = Contacts::lacks_places(w, table, n) ? 1 : 0; }
};

template <class View>
struct CounterAnglesOf {
  static constexpr const char* name = "counter_angles";
  View w;
  const AngleCounter* counter;
  double* angle;
  TRAMMEL_HD void operator()(int k) const { current_counter(w, counter[k], angle); }
};
using CounterAngles = CounterAnglesOf<AssemblyView>;

// ---- tangent

/// Where the entries of the tangent go: item i writes slots[place[k]] from k = start[i] on.
struct TangentPlaces {
  double* slots;
  const int *place, *start;
};

/// Runs of tapes on a device (pools/pool.h); elements without tapes have no room.
class DeviceTapes {
 public:
  TRAMMEL_HD DeviceTapes(const AssemblyView& w, const TapeRoom* room) : w_(w), room_(room) {}

  TRAMMEL_HD TapeDerivativeView gradient(int tape, int result) {
    gradient(tape, result, room_->derivatives);
    return room_->derivatives;
  }
  /// It has a value: checked with the equations.
  TRAMMEL_HD void gradient(int tape, int result, const TapeDerivativeRoom& out) {
    const TapeItem& item = w_.table.tape[tape];
    const TapeInputs<double> in = gather_inputs(sources(w_), item, room_->scratch);
    evaluate(item.view, in, room_->scratch.registers);
    TapeGradient<double> g{out.marker, out.state, out.rate, 0.0};
    trammel::gradient(item.view, in, room_->scratch.registers, room_->scratch.adjoints, result, g);
  }

  TRAMMEL_CALLED const double* hessian(int tape, bool velocities) {
    DualRoom dual = room_->dual;
    const TapeStatus status =
        tape_hessian(sources(w_), w_.table.tape[tape], velocities, dual, room_->hessian);
    if (!status.ok()) room_->hessian[0] = NAN;  // no matrix
    return room_->hessian;
  }
  TRAMMEL_CALLED const double* state_hessian(int tape, bool velocities) {
    DualRoom dual = room_->dual;
    const TapeStatus status =
        tape_state_hessian(sources(w_), w_.table.tape[tape], velocities, dual, room_->mixed);
    if (!status.ok()) room_->mixed[0] = NAN;
    return room_->mixed;
  }
  TRAMMEL_HD double* room(int) const { return room_->own; }

 private:
  const AssemblyView& w_;
  const TapeRoom* room_;
};

/// Derivatives in time of tapes on a device.
struct DeviceJets {
  const AssemblyView& w;
  const JetPlace* place;  ///< per element
  TRAMMEL_HD bool jet(int n, int tape, int, double (&g)[3]) const {
    if (place[n].registers) return time_jet_of(w, w.table.tape[tape], place[n].registers, g).ok();
    for (int i = 0; i < 3; ++i) g[i] = place[n].values[i];
    return true;
  }
};

class DeviceSink : public DeviceTapes {
 public:
  TRAMMEL_HD DeviceSink(const AssemblyView& w, const TangentPlaces& out, int item, const TapeRoom* room)
      : DeviceTapes(w, room), slots_(out.slots), place_(out.place + out.start[item]) {}

  TRAMMEL_HD static bool numbers() { return true; }
  TRAMMEL_HD void put(int, int, double value) { slots_[*place_++] = value; }

 private:
  double* slots_;
  const int* place_;
};

/// Of models without flexible bodies.
class RigidSink : public DeviceSink {
 public:
  static constexpr bool without_nodes = true;
  using DeviceSink::DeviceSink;
};

// ---- pools: a thread per element

/// "wrenches" and "constraints": "wrenches_of_constraints"
struct KernelName {
  char text[64] = {};
  constexpr KernelName(const char* what, const char* pool) {
    int n = 0;
    for (const char* part : {what, "_of_", pool})
      for (; *part != 0; ++part) text[n++] = *part;
  }
};

/// The table of a pool as it goes with a view: a copy, or a reference.
template <class View, class P>
using TableFor = std::conditional_t<std::is_reference_v<View>, const typename P::Table&, typename P::Table>;

template <class P>
TRAMMEL_HD const TapeRoom* room_of(const typename P::Table& t, int i) {
  return P::has_room ? t.room + i : nullptr;
}

template <class P, class View>
struct PoolWrenchesOf {
  static constexpr KernelName text{"wrenches", P::name};
  static constexpr const char* name = text.text;
  static constexpr bool is_large = true;
  View w;
  TableFor<View, P> table;
  TRAMMEL_HD void operator()(int i) const {
    if (table.in_force(i)) P::wrench(w, table, i, DeviceTapes(w, room_of<P>(table, i)));
  }
};
template <class P>
using PoolWrenches = PoolWrenchesOf<P, AssemblyView>;

template <class P, class View>
struct PoolResidualsOf {
  static constexpr KernelName text{"residuals", P::name};
  static constexpr const char* name = text.text;
  static constexpr bool is_large = true;
  View w;
  TableFor<View, P> table;
  double* residual;
  TRAMMEL_HD void operator()(int i) const { P::residual(w, table, i, residual); }
};
template <class P>
using PoolResiduals = PoolResidualsOf<P, AssemblyView>;

/// Rows differentiated `order` times in time, 0 where masked.
template <class P, class View>
struct PoolRatesOf {
  static constexpr KernelName text{"rates", P::name};
  static constexpr const char* name = text.text;
  static constexpr bool is_large = true;
  View w;
  TableFor<View, P> table;
  int order;
  double* rows;
  TRAMMEL_HD void operator()(int i) const { P::rates(w, table, i, order, DeviceJets{w, table.jets}, rows); }
};
template <class P>
using PoolRates = PoolRatesOf<P, AssemblyView>;

template <class P, class View>
struct PoolAnglesOf {
  static constexpr KernelName text{"angles", P::name};
  static constexpr const char* name = text.text;
  static constexpr bool is_large = true;
  View w;
  TableFor<View, P> table;
  double* angle;
  TRAMMEL_HD void operator()(int i) const { P::angles(w, table, i, angle); }
};
template <class P>
using PoolAngles = PoolAnglesOf<P, AssemblyView>;

template <class P, class View, class Sink>
struct PoolTangentsOf {
  static constexpr KernelName text{"tangents", P::name};
  static constexpr const char* name = text.text;
  static constexpr bool is_large = true;
  View w;
  TableFor<View, P> table;
  TangentPlaces out;
  TRAMMEL_HD void operator()(int i) const {
    if (!P::has_rows && !table.in_force(i)) return;  // its slots stay 0
    Sink sink(w, out, table.first_item + i, room_of<P>(table, i));
    TangentWriter<Sink> writer(w, sink);
    P::tangent(writer, table, i);
  }
};
template <class P>
using PoolTangents = PoolTangentsOf<P, AssemblyView, DeviceSink>;

/// Values that one entry makes stand in their place; the others are sums of their slots.
struct GatherValues {
  static constexpr const char* name = "gather_values";
  double* slots;
  const SharedValue* shared;
  TRAMMEL_HD void operator()(int i) const {
    const SharedValue& v = shared[i];
    double sum = slots[v.first];
    for (int k = v.first + 1; k < v.last; ++k) sum += slots[k];
    slots[v.value] = sum;
  }
};

}  // namespace trammel
