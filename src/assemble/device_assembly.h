// Residual and tangent as a sequence of loops, each of which is a kernel: launches on a device, or loops of a
// group of threads that has a model to itself.
#pragma once

#include <type_traits>

#include "assemble/contact_kernels.h"
#include "assemble/device_kernels.h"
#include "assemble/modal_kernels.h"
#include "assemble/model_class.h"

namespace trammel {

/// Where the arrays of a State are that a device moves.
struct DeviceState {
  double *q, *v, *a, *lambda, *s, *sdot;
  OrientationBasis* basis;
  double *angle, *offset;
};

/// How kernels of a run have the view.
template <class Run>
using ViewFor = std::conditional_t<in_group<Run>, const AssemblyView&, AssemblyView>;

/// Everything that kernels of one model look at. `run(kernel, n)` is to do kernel(i) for all i < n before
/// what the next call does.
struct DeviceAssembly {
  AssemblyView view;
  PoolTables pools;
  DeviceState state;
  EvaluationPoint* point;
  TangentPlaces places;
  const SharedValue* shared;
  /// The markers of the equations that are not at nodes, by bodies, as deep as they are read, and with
  /// accelerations.
  const int* marker_start;
  const WantedMarker *marker, *deep;
  DeviceModes modes;
  ShapeMargins shapes;  ///< of groups in contact
  /// Of CONTACTs and of shapes of groups, where there are meshes or planar curves.
  OverlapRooms contact_rooms, group_rooms;
  ScalarJetPlan scalar_jets;
  const TapeJet* tape_jet;
  const AngleCounter* counter;
  const int* tape;  ///< of the equations
  const TapeRoom* tape_room;
  double* note;          ///< per tape of the equations, per shape of groups in contact, per work space
  double* contact_note;  ///< per constraint, where there are contacts on curves
  unsigned char* told;   ///< per tape: that it reads a spline outside its data was told
  int shared_values, angles, counters, tapes, tape_jets, contacts;

  /// Time, MODE and the coefficients of what follows.
  template <class Run>
  TRAMMEL_HD void set_point(Run&& run, const EvaluationPoint& value) const {
    run(SetPoint{value, point}, 1);
  }
  template <class Run>
  TRAMMEL_HD void evaluate(Run&& run, bool accelerations = false) const {
    run(UpdateBodiesOf<!in_group<Run>, ViewFor<Run>>{view, marker_start, accelerations ? deep : marker},
        view.table.bodies);
    if constexpr (!in_group<Run>) update_modes(view, modes, accelerations ? modes.deep : modes.marker, run);
    if constexpr (ElementsOf<Run>::functions)
      run(EvaluateTapesOf<ViewFor<Run>>{view, tape, tape_room, told, note}, tapes);
    else
      run(ConstantTapesOf<ViewFor<Run>>{view, tape}, tapes);
    if constexpr (!in_group<Run>) {
      run(PlaceShapes{view, pools.of<ContactGroups>(), shapes}, shapes.count);
      run(ShapeWrenches{view, pools.of<ContactGroups>()}, shapes.count);
    }
    pools.for_each([&]<class P>(PoolTag<P>, const auto& t) {
      if constexpr (P::has_wrench && computed<P, Run>)
        run(PoolWrenchesOf<PoolAs<P, Run>, ViewFor<Run>>{view, t}, t.count);
    });
    if constexpr (!in_group<Run>)
      for (const OverlapRooms* rooms : {&contact_rooms, &group_rooms}) run(NoteRooms{*rooms}, rooms->count);
    run(GatherBodiesOf<ViewFor<Run>>{view}, view.table.bodies);
  }
  /// One entry per unknown.
  template <class Run>
  TRAMMEL_HD void residual(Run&& run, double* r) const {
    pools.for_each([&]<class P>(PoolTag<P>, const auto& t) {
      if constexpr (P::has_residual && computed<P, Run>)
        run(PoolResidualsOf<PoolAs<P, Run>, ViewFor<Run>>{view, t, r}, t.count);
    });
    if constexpr (!in_group<Run>) modal_residual(view, modes, pools.of<FlexibleBodies>(), r, run);
  }
  /// The constraint rows, differentiated once or twice: one number per multiplier.
  template <class Run>
  TRAMMEL_HD void rates(Run&& run, int order, double* out) const {
    if constexpr (ElementsOf<Run>::functions)
      if (tape_jets > 0) {
        run(ScalarJets{view, scalar_jets}, 1);
        run(TapeJets{view, scalar_jets, tape_jet}, tape_jets);
      }
    pools.for_each([&]<class P>(PoolTag<P>, const auto& t) {
      if constexpr (P::has_rows && computed<P, Run>)
        run(PoolRatesOf<PoolAs<P, Run>, ViewFor<Run>>{view, t, order, out}, t.count);
    });
  }
  /// Into places.slots: the values in the order of the pattern.
  template <class Run>
  TRAMMEL_HD void tangent(Run&& run) const {
    run(UpdateVariationsOf<ViewFor<Run>>{view}, view.table.bodies);
    if constexpr (!in_group<Run>) vary_modes(view, modes, run);
    pools.for_each([&]<class P>(PoolTag<P>, const auto& t) {
      using Sink = std::conditional_t<in_group<Run>, RigidSink, DeviceSink>;
      if constexpr (computed<P, Run>)
        run(PoolTangentsOf<PoolAs<P, Run>, ViewFor<Run>, Sink>{view, t, places}, t.count);
    });
    if constexpr (!in_group<Run>) modal_tangent(view, modes, pools.of<FlexibleBodies>(), places, run);
    run(GatherValues{places.slots, shared}, shared_values);
  }
  /// The present angles of revolution counters become the state's own.
  template <class Run>
  TRAMMEL_HD void keep_angles(Run&& run) const {
    if (angles == 0) return;
    const auto& constraints = pools.of<Constraints>();
    if constexpr (!in_group<Run>)
      if (contacts > 0) run(KeepContacts{view, constraints, state.angle, contact_note}, constraints.count);
    pools.for_each([&]<class P>(PoolTag<P>, const auto& t) {
      if constexpr (P::has_angles && computed<P, Run>)
        if constexpr (PoolAs<P, Run>::has_angles)
          run(PoolAnglesOf<PoolAs<P, Run>, ViewFor<Run>>{view, t, state.angle}, t.count);
    });
    run(CounterAnglesOf<ViewFor<Run>>{view, counter, state.angle}, counters);
  }
};

}  // namespace trammel
