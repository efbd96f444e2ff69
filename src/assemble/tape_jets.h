// Derivatives in time of constraints whose expression reads more than time, on a device: the counterpart of
// TapeRunner::jet(), without recursion.
#pragma once

#include "assemble/time_derivatives.h"

namespace trammel {

/// Room for one run of a tape along the motion: one for each marker, state, rate, instruction and angle of
/// the tape.
struct JetScratch {
  MarkerKinematics<TwiceInTime>* markers;
  TwiceInTime *states, *rates, *registers;
  double* angles;
};

/// Where an element finds its tape's derivatives in time: it runs a tape of time alone itself, in
/// `registers`; else `values` has the three numbers that TapeJets wrote.
struct JetPlace {
  TwiceInTime* registers;
  const double* values;
};

/// The scalars on which these tapes depend, also by way of others: first VARIABLEs, each behind those that it
/// reads, then states with a rate.
struct ScalarJetPlan {
  const int* scalar;
  int variables, scalars;
  TwiceInTime *value, *rate;  ///< per scalar of the model: the scalar, and its rate by its own equation
  JetScratch scratch;         ///< as large as the largest tape needs
};

/// A constraint's tape, and where its value and two derivatives go.
struct TapeJet {
  int tape;
  double* values;
  JetScratch scratch;
};

TRAMMEL_CALLED inline TwiceInTime run_along(const AssemblyView& w, const ScalarJetPlan& plan,
                                            const JetScratch& room, int index, int result) {
  const TapeItem& tape = w.table.tape[index];
  for (int k = 0; k < tape.view.n_markers; ++k)
    room.markers[k] = marker_jet(w.array.marker[tape.markers[k].marker]);
  for (int k = 0; k < tape.view.n_states; ++k) room.states[k] = plan.value[tape.states[k]];
  for (int k = 0; k < tape.view.n_rates; ++k) room.rates[k] = plan.rate[tape.rates[k]];
  for (int k = 0; k < tape.n_angles; ++k) room.angles[k] = w.state.angle[tape.angles[k]];
  const TapeInputs<TwiceInTime> in{room.markers,  room.states, room.rates,         make_jet(w.point->t, 1, 0),
                                   w.point->mode, room.angles, w.table.tape_tables};
  if (!evaluate(tape.view, in, room.registers).ok()) return make_jet(NAN, NAN, NAN);
  return room.registers[tape.view.results[result]];
}

/// Makes the jets of the scalars, one after the other. Each sweep over them makes one more derivative right:
/// a VARIABLE takes those of its expression, a state those of the right-hand side of its equation. Others
/// move as s + ṡ t.
struct ScalarJets {
  static constexpr const char* name = "scalar_jets";
  AssemblyView w;
  ScalarJetPlan plan;
  TRAMMEL_HD void operator()(int) const {
    for (int s = 0; s < w.table.scalars; ++s) {
      const double rate = w.table.scalar[s].differential() ? w.state.sdot[s] : 0.0;
      plan.value[s] = make_jet(w.state.s[s], rate, 0);
      plan.rate[s] = make_jet(w.state.sdot[s], 0, 0);
    }
    for (int sweep = 0; plan.scalars > 0 && sweep < 3; ++sweep)
      for (int k = 0; k < plan.scalars; ++k) {
        const int s = plan.scalar[k];
        const TwiceInTime e =
            run_along(w, plan, plan.scratch, w.table.scalar[s].tape, w.table.scalar[s].result);
        plan.rate[s] = e;
        plan.value[s] = k < plan.variables ? e : make_jet(w.state.s[s], e.v.v, e.d[0].v);
      }
  }
};

struct TapeJets {
  static constexpr const char* name = "tape_jets";
  AssemblyView w;
  ScalarJetPlan plan;
  const TapeJet* item;
  TRAMMEL_HD void operator()(int k) const {
    const TapeJet& it = item[k];
    const TwiceInTime f = run_along(w, plan, it.scratch, it.tape, 0);
    it.values[0] = f.v.v;
    it.values[1] = f.d[0].v;
    it.values[2] = f.d[0].d[0];
  }
};

}  // namespace trammel
