// Derivatives in time of motions whose FUNCTION reads states, on a device: the counterpart of
// TapeRunner::jet(), without recursion.
#pragma once

#include "assemble/rate_items.h"

namespace trammel {

/// Room for one run of a tape along the motion, as large as the largest tape needs.
struct JetScratch {
  MarkerKinematics<TwiceInTime>* markers;
  TwiceInTime *states, *rates, *registers;
  double* angles;
};

/// The scalars that such motions lead to: first VARIABLEs, each behind those that it reads, then states with
/// a rate.
struct MotionJetPlan {
  const int* scalar;
  int variables, scalars;
  const int* motion;  ///< row elements: motions that read states
  int motions;
  TwiceInTime *value, *rate;  ///< per scalar of the model: x and, of states, its equation's right-hand side
  double* jet;                ///< 3 per row element
  JetScratch scratch;
};

/// The motions one after the other, after the scalars that they read: they are few. Each sweep over the
/// scalars makes one more derivative right: of a VARIABLE that of its expression, of a state that of its
/// equation's right-hand side.
struct MotionJets {
  static constexpr const char* name = "motion_jets";
  AssemblyView w;
  const MotionItem* motion;
  MotionJetPlan plan;

  TRAMMEL_CALLED TwiceInTime run_tape(int index, int result) const {
    const TapeItem& tape = w.table.tape[index];
    const JetScratch& room = plan.scratch;
    for (int k = 0; k < tape.view.n_markers; ++k)
      room.markers[k] = marker_jet(w.array.marker[tape.markers[k].marker]);
    for (int k = 0; k < tape.view.n_states; ++k) room.states[k] = plan.value[tape.states[k]];
    for (int k = 0; k < tape.view.n_rates; ++k) room.rates[k] = plan.rate[tape.rates[k]];
    for (int k = 0; k < tape.n_angles; ++k) room.angles[k] = w.state.angle[tape.angles[k]];
    const TapeInputs<TwiceInTime> in{
        room.markers,  room.states, room.rates,         make_jet(w.point->t, 1, 0),
        w.point->mode, room.angles, w.table.tape_tables};
    if (!evaluate(tape.view, in, room.registers).ok()) return make_jet(NAN, NAN, NAN);
    return room.registers[tape.view.results[result]];
  }

  TRAMMEL_HD void operator()(int) const {
    for (int s = 0; s < w.table.scalars; ++s) plan.value[s] = make_jet(w.state.s[s], w.state.sdot[s], 0);
    for (int sweep = 0; sweep < 3; ++sweep)
      for (int k = 0; k < plan.scalars; ++k) {
        const int s = plan.scalar[k], tape = w.table.scalar[s].tape;
        const TwiceInTime e = run_tape(tape, w.table.scalar[s].result);
        plan.rate[s] = e;
        plan.value[s] = k < plan.variables ? e : make_jet(w.state.s[s], e.v.v, e.d[0].v);
      }
    for (int k = 0; k < plan.motions; ++k) {
      const int n = plan.motion[k];
      const TwiceInTime f = run_tape(motion[n].tape, 0);
      double* jet = plan.jet + 3 * n;
      jet[0] = f.v.v;
      jet[1] = f.d[0].v;
      jet[2] = f.d[0].d[0];
    }
  }
};

}  // namespace trammel
