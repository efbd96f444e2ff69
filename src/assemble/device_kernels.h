// The loops of the assembler as kernels: one thread per body, element or scalar (device_api/kernel.h).
#pragma once

#include "assemble/angle_items.h"
#include "assemble/equation_items.h"
#include "assemble/kinematics_items.h"
#include "assemble/motion_jets.h"
#include "assemble/rate_items.h"
#include "assemble/tangent_items.h"
#include "expression/evaluate_definitions.h"

namespace trammel {

/// *to = value, in order with the other launches.
struct SetPoint {
  static constexpr const char* name = "set_point";
  EvaluationPoint value;
  EvaluationPoint* to;
  TRAMMEL_HD void operator()(int) const { *to = value; }
};

/// Bodies, and those of their markers that are listed, as deep as they say.
struct UpdateBodies {
  static constexpr const char* name = "update_bodies";
  AssemblyView w;
  const int* start;
  const WantedMarker* wanted;
  TRAMMEL_HD void operator()(int b) const { update_body_and_markers(w, start, wanted, b); }
};

struct UpdateVariations {
  static constexpr const char* name = "update_variations";
  AssemblyView w;
  TRAMMEL_HD void operator()(int b) const { update_variation(w, b); }
};

/// How the evaluation of a tape went, as a number of which the largest matters.
inline constexpr double tape_fine = 0, tape_outside_spline = 1, tape_failed = 2;
TRAMMEL_HD inline double note_of(const TapeStatus& status) {
  return !status.ok() ? tape_failed : status.extrapolated >= 0 ? tape_outside_spline : tape_fine;
}

/// Room for one run of a tape and its derivatives.
struct TapeRoom {
  TapeScratch scratch;
  double *marker, *state, *rate;  ///< derivatives
};

/// Values of the tapes that the equations read; item k is tape[k], which has room[k], told[k] and note[k].
struct EvaluateTapes {
  static constexpr const char* name = "evaluate_tapes";
  AssemblyView w;
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

struct RowWrenches {
  static constexpr const char* name = "row_wrenches";
  AssemblyView w;
  TRAMMEL_HD void operator()(int n) const { row_element_wrench(w, n); }
};

struct LawWrenches {
  static constexpr const char* name = "law_wrenches";
  AssemblyView w;
  TRAMMEL_HD void operator()(int n) const { law_force_wrench(w, n); }
};

struct ExpressionWrenches {
  static constexpr const char* name = "expression_wrenches";
  AssemblyView w;
  TRAMMEL_HD void operator()(int n) const { expression_force_wrench(w, n); }
};

struct GatherBodies {
  static constexpr const char* name = "gather_bodies";
  AssemblyView w;
  TRAMMEL_HD void operator()(int b) const { gather_body(w, b); }
};

struct BodyResiduals {
  static constexpr const char* name = "body_residuals";
  AssemblyView w;
  double* residual;
  TRAMMEL_HD void operator()(int b) const { body_residual(w, b, residual); }
};

struct RowResiduals {
  static constexpr const char* name = "row_residuals";
  AssemblyView w;
  double* residual;
  TRAMMEL_HD void operator()(int k) const { row_residual(w, k, residual); }
};

struct ScalarResiduals {
  static constexpr const char* name = "scalar_residuals";
  AssemblyView w;
  double* residual;
  TRAMMEL_HD void operator()(int k) const { scalar_residual(w, k, residual); }
};

/// Rows differentiated `order` times in time, 0 where masked; registers: per row room for the tape of a
/// motion of time alone; the others' derivatives are in `jet`, 3 per row element.
struct RowRates {
  static constexpr const char* name = "row_rates";
  AssemblyView w;
  int order;
  TwiceInTime* const* registers;
  const double* jet;
  double* rows;
  TRAMMEL_HD void operator()(int k) const {
    const RowItem& row = w.table.row[k];
    rows[row.at] = 0;
    if (w.array.masked[row.at]) return;
    double phi[3], g[3], f[3] = {0, 0, 0};
    row_jet(w, row, phi);
    if (row.motion >= 0) {
      const MotionItem& m = w.table.motion[row.motion];
      bool has_value = true;
      if (registers[k])
        has_value = time_jet_of(w, w.table.tape[m.tape], registers[k], g).ok();
      else
        for (int i = 0; i < 3; ++i) g[i] = jet[3 * row.motion + i];
      motion_jet(w, m, g, f);
      if (!has_value) f[order] = NAN;  // a rate that does not exist
    }
    rows[row.at] = phi[order] - f[order];
  }
};

struct RowAngles {
  static constexpr const char* name = "row_angles";
  AssemblyView w;
  double* angle;
  TRAMMEL_HD void operator()(int k) const { current_row_angle(w, k, angle); }
};

struct LawAngles {
  static constexpr const char* name = "law_angles";
  AssemblyView w;
  double* angle;
  TRAMMEL_HD void operator()(int n) const { current_law_angles(w, n, angle); }
};

struct CounterAngles {
  static constexpr const char* name = "counter_angles";
  AssemblyView w;
  const AngleCounter* counter;
  double* angle;
  TRAMMEL_HD void operator()(int k) const { current_counter(w, counter[k], angle); }
};

// ---- tangent

/// Where the entries of the tangent go: item i writes slots[place[k]] from k = start[i] on.
struct TangentPlaces {
  double* slots;
  const int *place, *start;
};

/// The sink of a thread on a device. Items without tapes have no room.
class DeviceSink {
 public:
  TRAMMEL_HD DeviceSink(const AssemblyView& w, const TangentPlaces& out, int item,
                        const TapeRoom* room = nullptr)
      : w_(w), slots_(out.slots), place_(out.place + out.start[item]), room_(room) {}

  TRAMMEL_HD static bool numbers() { return true; }
  TRAMMEL_HD void put(int, int, double value) { slots_[*place_++] = value; }
  TRAMMEL_HD TapeDerivativeView gradient(int tape, int result) {
    const TapeItem& item = w_.table.tape[tape];
    const TapeInputs<double> in = gather_inputs(sources(w_), item, room_->scratch);
    evaluate(item.view, in, room_->scratch.registers);  // it has a value: checked with the equations
    TapeGradient<double> g{room_->marker, room_->state, room_->rate, 0.0};
    trammel::gradient(item.view, in, room_->scratch.registers, room_->scratch.adjoints, result, g);
    return {room_->marker, room_->state, room_->rate};
  }

 private:
  const AssemblyView& w_;
  double* slots_;
  const int* place_;
  const TapeRoom* room_;
};

/// Items are numbered as TangentWriter does; `first` is that of the table.
struct BodyTangents {
  static constexpr const char* name = "body_tangents";
  AssemblyView w;
  TangentPlaces out;
  TRAMMEL_HD void operator()(int b) const {
    DeviceSink sink(w, out, b);
    TangentItems<DeviceSink>(w, sink).body(b);
  }
};

struct RowTangents {
  static constexpr const char* name = "row_tangents";
  AssemblyView w;
  TangentPlaces out;
  int first;
  TRAMMEL_HD void operator()(int n) const {
    DeviceSink sink(w, out, first + n);
    TangentItems<DeviceSink>(w, sink).row_element(n);
  }
};

struct LawTangents {
  static constexpr const char* name = "law_tangents";
  AssemblyView w;
  TangentPlaces out;
  int first;
  TRAMMEL_HD void operator()(int n) const {
    DeviceSink sink(w, out, first + n);
    TangentItems<DeviceSink>(w, sink).law_force(n);
  }
};

struct ExpressionTangents {
  static constexpr const char* name = "expression_tangents";
  AssemblyView w;
  TangentPlaces out;
  int first;
  const TapeRoom* room;
  TRAMMEL_HD void operator()(int n) const {
    DeviceSink sink(w, out, first + n, room + n);
    TangentItems<DeviceSink>(w, sink).expression_force(n);
  }
};

struct ScalarTangents {
  static constexpr const char* name = "scalar_tangents";
  AssemblyView w;
  TangentPlaces out;
  int first;
  const TapeRoom* room;
  TRAMMEL_HD void operator()(int k) const {
    DeviceSink sink(w, out, first + k, room + k);
    TangentItems<DeviceSink>(w, sink).scalar(k);
  }
};

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
