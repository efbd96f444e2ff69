// A whole simulation by one group of threads on a device, by the HHT method (integrate/methods/hht.h): many
// variants of a small model run side by side, each with its own time, step size, error control and Jacobian.
#pragma once

#include <utility>

#include "assemble/device_assembly.h"
#include "integrate/group_courses.h"
#include "integrate/methods/hht.h"
#include "integrate/schedule.h"
#include "integrate/step_definitions.h"
#include "linear/device/group_system.h"

namespace trammel {

enum class GroupStatus {
  begins,     ///< at its initial conditions
  under_way,  ///< not finished: its records are full, or it took the number of steps asked for
  complete,   ///< at the end of its schedule
  stopped,    ///< by the failure in GroupSimulation::end
};

/// State and tables of one group's simulation. All pointers are device pointers.
struct GroupSimulation {
  DeviceAssembly assembly;
  GroupSystem system;
  BodyRows body_rows;
  const unsigned char* differential;  ///< per scalar: 1 if it has a rate
  StepData<HhtMethod> steps;
  GroupCourses courses;  ///< no switches: steps do not look ahead
  Schedule schedule;
  GroupStatus status;
  bool to_go_on() const { return status == GroupStatus::begins || status == GroupStatus::under_way; }
  StepEnd end;         ///< outcome of the last step
  int records;         ///< written by the last launch
  int spline_tape;     ///< first tape that read a spline outside its data, -1: none
  double spline_time;  ///< time of that reading
};

/// Sizes of the arrays in an output record (which begins with the time); the same for all variants.
struct RecordSizes {
  int bodies, coordinates, multipliers, scalars, angles;
  bool operator==(const RecordSizes&) const = default;
};

/// Calls f(array, n) for the arrays of a record in their order: q, q̇, q̈, λ, s, ṡ, G and R of every body,
/// angles.
template <class F>
TRAMMEL_HD void for_record(const RecordSizes& n, const DeviceState& s, F&& f) {
  f(s.q, n.coordinates);
  f(s.v, n.coordinates);
  f(s.a, n.coordinates);
  f(s.lambda, n.multipliers);
  f(s.s, n.scalars);
  f(s.sdot, n.scalars);
  f(reinterpret_cast<double*>(s.basis), 18 * n.bodies);
  f(s.angle, n.angles);
}
static_assert(sizeof(OrientationBasis) == 18 * sizeof(double));

/// The machine of StepCore (integrate/step_core.h) in a group of threads, for models of one class
/// (assemble/model_class.h).
template <class Group, class OfElements>
class GroupMachine : public GroupLoops<Group> {
 public:
  using Elements = OfElements;
  static constexpr bool observed = false;
  TRAMMEL_HD GroupMachine(const Group& group, void* scratch, GroupSimulation& it)
      : GroupLoops<Group>(group, scratch), it_(it) {}

  template <class Kernel>
  TRAMMEL_HD void operator()(const Kernel& kernel, int n) const {
    if constexpr (Elements::scalars || !is_of_scalars<Kernel>) GroupLoops<Group>::operator()(kernel, n);
  }
  template <class Term>
  TRAMMEL_HD auto reduce(const Term& term, int n) const {
    if constexpr (Elements::scalars || !is_of_scalars<Term>)
      return GroupLoops<Group>::reduce(term, n);
    else
      return GroupResult<typename Term::Value>{Term::Value::none()};
  }

  TRAMMEL_HD bool evaluate(double t, const Coefficients& c, double* residual) {
    return evaluate_at(t, c, false, residual);
  }
  TRAMMEL_HD bool evaluate_rates(double t, const Coefficients& c, double* residual, double* rows) {
    const bool has_values = evaluate_at(t, c, true, residual);
    rates(2, rows);
    return has_values;
  }
  TRAMMEL_HD bool velocity_rows(double* rows) {
    rates(1, rows);
    return true;
  }
  /// Never called: DeviceBatch refuses variants that need it.
  TRAMMEL_HD bool mass_times_acceleration(double*) { return false; }
  TRAMMEL_CALLED bool factor(double t, const Coefficients& c, SolveReport& report) {
    it_.assembly.set_point(*this, {t, mode, c});
    it_.assembly.tangent(*this);
    report = it_.system.set_matrix(*this, it_.assembly.places.slots);
    return true;
  }
  TRAMMEL_HD SolveReport solve(const double* b, double* x) { return it_.system.solve(*this, b, x); }
  TRAMMEL_CALLED void accept(double) { it_.assembly.keep_angles(*this); }
  TRAMMEL_HD const BodyPlace* places() const { return it_.assembly.view.table.place; }
  TRAMMEL_HD const double* cos_theta() const { return it_.assembly.view.array.cos_theta; }
  TRAMMEL_HD BodyRows body_rows() const { return it_.body_rows; }
  TRAMMEL_HD const unsigned char* differential() const { return it_.differential; }

  // ---- around steps

  /// Where a step of size h is to end at the latest: `output`, or between two changes of a function.
  TRAMMEL_CALLED double end_of_step(double now, double h, double output) {
    if constexpr (!Elements::functions) return output;
    GroupCourses& c = it_.courses;
    if (c.switches == 0) return output;
    if (this->group().rank() == 0) c.end = c.end_of_step(now, h, least(now + h, output));
    this->group().sync();
    const double end = c.end;
    this->group().sync();
    return least(output, end);
  }
  /// After a step that ended at t.
  TRAMMEL_CALLED void look_ahead(double t) {
    if constexpr (!Elements::functions) return;
    GroupCourses& c = it_.courses;
    if (c.switches == 0) return;
    const DeviceAssembly& a = it_.assembly;
    (*this)(ReadSwitches{a.view, t, c.tape, a.tape_room, c.item, c.part, c.found}, c.tapes);
    if (this->group().rank() == 0) c.after_step(t);
    this->group().sync();
  }

 private:
  static constexpr int mode = 4;  ///< value of the function MODE in dynamic analyses

  TRAMMEL_CALLED bool evaluate_at(double t, const Coefficients& c, bool accelerations, double* residual) {
    const DeviceAssembly& a = it_.assembly;
    a.set_point(*this, {t, mode, c});
    a.evaluate(*this, accelerations);
    a.residual(*this, residual);
    return tapes_have_values(t);
  }
  TRAMMEL_CALLED void rates(int order, double* rows) { it_.assembly.rates(*this, order, rows); }

  /// False where a function has no value at the last evaluation. Records the first spline read outside its
  /// data.
  TRAMMEL_HD bool tapes_have_values(double t) {
    if constexpr (!Elements::functions) return true;
    const DeviceAssembly& a = it_.assembly;
    if (a.tapes == 0) return true;
    const Place worst = this->reduce(LargestEntry{a.note}, a.tapes)->at;
    if (worst.value >= tape_failed) return false;
    if (worst.value == tape_outside_spline && it_.spline_tape < 0 && this->group().rank() == 0) {
      it_.spline_tape = a.tape[worst.index];
      it_.spline_time = t;
    }
    return true;
  }

  GroupSimulation& it_;
};

/// What groups of one launch have in common: whose turn it is, and when the first of them began.
struct LaunchTickets {
  int next;
  unsigned long long begin;  ///< ns by the device's clock; 0: none has begun

  // Groups of the processor come one after the other.
  TRAMMEL_HD int take() {
#if defined(__CUDA_ARCH__)
    return atomicAdd(&next, 1);
#else
    return next++;
#endif
  }
  /// Begins at `now` unless another group has; returns when that was, 0 for the first.
  TRAMMEL_HD unsigned long long begun_before(unsigned long long now) {
#if defined(__CUDA_ARCH__)
    return atomicCAS(&begin, 0ull, now);
#else
    return std::exchange(begin, begin == 0 ? now : begin);
#endif
  }
};

/// The time at which groups of a launch are to come to their end; one without a clock has no such time.
template <class Group>
class Deadline {
 public:
  /// `seconds` after the first group of the launch began.
  TRAMMEL_HD Deadline(const Group& group, LaunchTickets& tickets, double seconds) {
    if constexpr (has_clock) {
      unsigned long long begin = 0, now = group.nanoseconds();
      if (group.rank() == 0) begin = tickets.begun_before(now);
      begin = group.of_first(begin);
      is_first = begin == 0;
      end_ = group.of_first(is_first ? now : begin) + static_cast<unsigned long long>(1e9 * seconds);
    }
  }
  /// By the clock of the first thread: all threads return the same.
  TRAMMEL_HD bool passed(const Group& group) const {
    if constexpr (has_clock) return group.of_first(group.nanoseconds() >= end_ ? 1 : 0) != 0;
    return false;
  }
  bool is_first = true;  ///< the group is the first of the launch, or has no clock

 private:
  static constexpr bool has_clock = requires(const Group& group) { group.nanoseconds(); };
  unsigned long long end_ = 0;
};

/// The next item that no group has taken. All threads return the same.
template <class Group>
TRAMMEL_HD int take_ticket(const Group& group, LaunchTickets& tickets) {
  int* const mine = static_cast<int*>(group.shared());
  if (group.rank() == 0) *mine = tickets.take();
  group.sync();
  const int item = *mine;
  group.sync();
  return item;
}

/// Advances simulations: to the end of the schedule, until `room` records or `steps` steps, or until the time
/// of the launch is over. Groups take one after the other as they have time, as many at once as the device
/// holds.
template <class Elements>
struct AdvanceSimulationsOf {
  static constexpr const char* name =
      std::is_same_v<Elements, PlainElements> ? "advance_plain_simulations" : "advance_simulations";
  static constexpr int threads = 32;
  GroupSimulation* simulation;
  const int* list;  ///< slot -> index into `simulation`
  double* record;   ///< [room][items][record_size]
  int items, room;
  RecordSizes sizes;
  int record_size;  ///< doubles per record, its time included
  int steps;
  LaunchTickets* tickets;  ///< zero before the launch
  double seconds;          ///< of the launch

  template <class Group>
  TRAMMEL_HD void operator()(int, const Group& group) const {
    if (items == 0) return;  // such a launch only makes the device take what its threads need
    const Deadline<Group> deadline(group, *tickets, seconds);
    // The first group takes a step in any case: a launch comes further.
    for (bool first = deadline.is_first; first || !deadline.passed(group); first = false) {
      const int item = take_ticket(group, *tickets);
      if (item >= items) return;
      simulate(item, group, deadline);
    }
  }

 private:
  template <class Group>
  TRAMMEL_CALLED void simulate(int item, const Group& group, const Deadline<Group>& deadline) const {
    GroupSimulation& v = simulation[list[item]];
    unsigned char* shared = static_cast<unsigned char*>(group.shared());
    using Machine = GroupMachine<Group, Elements>;
    Machine machine(group, shared, v);  // reductions take the place of a front: neither outlasts its call
    StepCore<HhtMethod, Machine> core(v.steps, machine);
    if (v.status == GroupStatus::begins) core.start();
    Schedule outputs = v.schedule;
    int records = 0;
    StepEnd end = StepEnd::accepted;
    const GroupStatus status = advance(machine, v, core, deadline, outputs, item, records, end);
    group.sync();
    if (group.rank() != 0) return;
    v.steps = core;
    v.schedule = outputs;
    v.records = records;
    v.status = status;
    v.end = end;
  }

  template <class Machine, class Core, class Group>
  TRAMMEL_HD GroupStatus advance(Machine& machine, const GroupSimulation& v, Core& core,
                                 const Deadline<Group>& deadline, Schedule& outputs, int item, int& records,
                                 StepEnd& end) const {
    int left = steps;
    while (!outputs.done()) {
      const double output = outputs.next();
      while (core.motion.t < output) {
        if (left < steps && deadline.passed(machine.group())) return GroupStatus::under_way;
        if (left-- == 0) return GroupStatus::under_way;
        const double target = machine.end_of_step(core.motion.t, core.control.next_h, output);
        const double limit =
            step_towards(core.motion.t, target, core.control.next_h, core.rules.hmax, core.rules.fixed_step);
        end = core.step(limit, target - core.motion.t);
        if (end != StepEnd::accepted) return GroupStatus::stopped;
        if (arrived(core.motion.t, target, core.result.h)) core.motion.t = target;
        machine.look_ahead(core.motion.t);
      }
      for (; !outputs.done() && outputs.next() <= core.motion.t; ++outputs.k) {
        if (records == room) return GroupStatus::under_way;
        write(machine.group(), v, outputs.next(), item, records++);
      }
    }
    return GroupStatus::complete;
  }

  template <class Group>
  TRAMMEL_HD void write(const Group& group, const GroupSimulation& v, double t, int item, int k) const {
    double* to = record + (static_cast<std::size_t>(k) * items + item) * record_size;
    if (group.rank() == 0) *to = t;
    ++to;
    for_record(sizes, v.assembly.state, [&](const double* from, int count) {
      for (int i = group.rank(); i < count; i += group.size()) to[i] = from[i];
      to += count;
    });
    group.sync();
  }
};

using AdvanceSimulations = AdvanceSimulationsOf<AllElements>;
using AdvancePlainSimulations = AdvanceSimulationsOf<PlainElements>;

}  // namespace trammel
