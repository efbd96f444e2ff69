// Residual and tangent as a sequence of loops, each of which is a kernel: launches on a device, or loops of a
// group of threads that has a model to itself.
#pragma once

#include "assemble/device_kernels.h"

namespace trammel {

/// Where the arrays of a State are that a device moves.
struct DeviceState {
  double *q, *v, *a, *lambda, *s, *sdot;
  OrientationBasis* basis;
  double *angle, *offset;
};

/// Everything that kernels of one model look at. `run(kernel, n)` is to do kernel(i) for all i < n before
/// what the next call does.
struct DeviceAssembly {
  AssemblyView view;
  DeviceState state;
  EvaluationPoint* point;
  TangentPlaces places;
  const SharedValue* shared;
  const WantedMarker* deep;       ///< the markers of the equations, with accelerations
  TwiceInTime* const* registers;  ///< per row, for the tape of a motion of time alone; else null
  MotionJetPlan motion_jets;
  const AngleCounter* counter;
  const int* tape;  ///< of the equations
  const TapeRoom *tape_room, *expression_room, *scalar_room;
  double* note;         ///< per tape of the equations
  unsigned char* told;  ///< per tape: that it reads a spline outside its data was told
  int rows, row_elements, law_forces, expression_forces, shared_values, angles, counters, tapes;

  /// Time, MODE and the coefficients of what follows.
  template <class Run>
  TRAMMEL_HD void set_point(Run&& run, const EvaluationPoint& value) const {
    run(SetPoint{value, point}, 1);
  }
  template <class Run>
  TRAMMEL_HD void evaluate(Run&& run, const WantedMarker* wanted) const {
    run(UpdateBodies{view, view.table.wanted_start, wanted}, view.table.bodies);
    run(EvaluateTapes{view, tape, tape_room, told, note}, tapes);
    run(RowWrenches{view}, row_elements);
    run(LawWrenches{view}, law_forces);
    run(ExpressionWrenches{view}, expression_forces);
    run(GatherBodies{view}, view.table.bodies);
  }
  /// One entry per unknown.
  template <class Run>
  TRAMMEL_HD void residual(Run&& run, double* r) const {
    run(BodyResiduals{view, r}, view.table.bodies);
    run(RowResiduals{view, r}, rows);
    run(ScalarResiduals{view, r}, view.table.scalars);
  }
  /// The constraint rows, differentiated once or twice: one number per multiplier.
  template <class Run>
  TRAMMEL_HD void rates(Run&& run, int order, double* out) const {
    if (motion_jets.motions > 0) run(MotionJets{view, motion_jets}, 1);
    run(RowRates{view, order, registers, motion_jets.jet, out}, rows);
  }
  /// Into places.slots: the values in the order of the pattern.
  template <class Run>
  TRAMMEL_HD void tangent(Run&& run) const {
    run(UpdateVariations{view}, view.table.bodies);
    int first = view.table.bodies;
    run(BodyTangents{view, places}, first);
    run(RowTangents{view, places, first}, row_elements);
    first += row_elements;
    run(LawTangents{view, places, first}, law_forces);
    first += law_forces;
    run(ExpressionTangents{view, places, first, expression_room}, expression_forces);
    first += expression_forces;
    run(ScalarTangents{view, places, first, scalar_room}, view.table.scalars);
    run(GatherValues{places.slots, shared}, shared_values);
  }
  /// The present angles of revolution counters become the state's own.
  template <class Run>
  TRAMMEL_HD void keep_angles(Run&& run) const {
    if (angles == 0) return;
    run(RowAngles{view, state.angle}, rows);
    run(LawAngles{view, state.angle}, law_forces);
    run(CounterAngles{view, counter, state.angle}, counters);
  }
};

}  // namespace trammel
