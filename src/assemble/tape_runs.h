// Running one tape at a configuration.
#pragma once

#include "assemble/marker_duals.h"
#include "assemble/view.h"
#include "element/wrench.h"
#include "expression/evaluate.h"
#include "math/angle.h"

namespace trammel {

/// Where a tape finds what it reads. A state is a scalar if its number is below `scalars`, else
/// wrench[number − scalars].
struct TapeSources {
  const MarkerKinematics<double>* marker;
  const double *s, *sdot, *wrench, *angle;
  int scalars;
  double t;
  int mode;
  TapeTables tables;
};

TRAMMEL_HD inline TapeInputs<double> gather_inputs(const TapeSources& from, const TapeItem& tape,
                                                   const TapeScratch& scratch) {
  for (int k = 0; k < tape.view.n_markers; ++k) scratch.markers[k] = from.marker[tape.markers[k].marker];
  for (int k = 0; k < tape.view.n_states; ++k) {
    const int state = tape.states[k];
    scratch.states[k] = state < from.scalars ? from.s[state] : from.wrench[state - from.scalars];
  }
  for (int k = 0; k < tape.view.n_rates; ++k) scratch.rates[k] = from.sdot[tape.rates[k]];
  for (int k = 0; k < tape.n_angles; ++k) scratch.angles[k] = from.angle[tape.angles[k]];
  return {scratch.markers, scratch.states, scratch.rates, from.t, from.mode, scratch.angles, from.tables};
}

TRAMMEL_HD inline TapeSources sources(const AssemblyView& w) {
  return {w.array.marker,  w.state.s,  w.state.sdot,  w.array.wrench,     w.state.angle,
          w.table.scalars, w.point->t, w.point->mode, w.table.tape_tables};
}

/// d(result)/d(...) of one tape: 18 numbers per tape marker (δr δθ δv δω δa δα), one per state, rate.
struct TapeDerivativeView {
  const double *marker, *state, *rate;
};
/// Where these derivatives are to be written.
struct TapeDerivativeRoom {
  double *marker, *state, *rate;
  TRAMMEL_HD operator TapeDerivativeView() const { return {marker, state, rate}; }
};

// ---- second derivatives of constraint expressions

/// Room for runs of a tape in dual numbers, with gradients.
struct DualRoom {
  using D = Dual<double, 6>;
  MarkerKinematics<D>* markers;
  D *states, *rates, *registers, *adjoints;
  TapeGradient<D> gradient;
  double* angles;
};

/// Values of everything that a tape reads, without variations.
TRAMMEL_HD inline void lift_inputs(const TapeSources& from, const TapeItem& tape, const DualRoom& room) {
  using D = DualRoom::D;
  for (int k = 0; k < tape.view.n_markers; ++k)
    lift_deep(from.marker[tape.markers[k].marker], room.markers[k]);
  for (int k = 0; k < tape.view.n_states; ++k) {
    const int state = tape.states[k];
    room.states[k] = D(state < from.scalars ? from.s[state] : from.wrench[state - from.scalars]);
  }
  for (int k = 0; k < tape.view.n_rates; ++k) room.rates[k] = D(from.sdot[tape.rates[k]]);
  for (int k = 0; k < tape.n_angles; ++k) room.angles[k] = from.angle[tape.angles[k]];
}

/// The gradient of the first result at the inputs in the room.
TRAMMEL_HD inline TapeStatus dual_gradient(const TapeSources& from, const TapeItem& tape, DualRoom& room) {
  using D = DualRoom::D;
  const TapeInputs<D> in{room.markers, room.states, room.rates, D(from.t),
                         from.mode,    room.angles, from.tables};
  const TapeStatus status = evaluate(tape.view, in, room.registers);
  return status.ok() ? gradient(tape.view, in, room.registers, room.adjoints, 0, room.gradient) : status;
}

/// For tape markers p, q the 6×6 block ∂(∂e/∂(r,θ)_p or, of velocities, ∂e/∂(v,ω)_p)/∂(r,θ)_q, row-major, at
/// [p * markers + q].
TRAMMEL_HD inline TapeStatus tape_hessian(const TapeSources& from, const TapeItem& tape, bool velocities,
                                          DualRoom& room, double* blocks) {
  const int n = tape.view.n_markers;
  TapeStatus status;
  lift_inputs(from, tape, room);
  for (int q = 0; q < n && status.ok(); ++q) {
    const MarkerKinematics<double>& m = from.marker[tape.markers[q].marker];
    seed(m, 0, room.markers[q]);
    status = dual_gradient(from, tape, room);
    for (int p = 0; p < n && status.ok(); ++p)
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
          blocks[36 * (p * n + q) + 6 * r + c] =
              room.gradient.markers[18 * p + (velocities ? 6 : 0) + r].d[c];
    lift_deep(m, room.markers[q]);
  }
  return status;
}

/// The same by the states that the tape reads: 6 numbers for tape marker p and tape state k at
/// [6 (p * states + k)].
TRAMMEL_HD inline TapeStatus tape_state_hessian(const TapeSources& from, const TapeItem& tape,
                                                bool velocities, DualRoom& room, double* blocks) {
  const int markers = tape.view.n_markers, states = tape.view.n_states;
  TapeStatus status;
  lift_inputs(from, tape, room);
  for (int first = 0; first < states && status.ok(); first += 6) {  // six directions at a time
    const int last = first + 6 < states ? first + 6 : states;
    for (int k = first; k < last; ++k) room.states[k].d[k - first] = 1;
    status = dual_gradient(from, tape, room);
    for (int p = 0; p < markers && status.ok(); ++p)
      for (int k = first; k < last; ++k)
        for (int r = 0; r < 6; ++r)
          blocks[6 * (p * states + k) + r] =
              room.gradient.markers[18 * p + (velocities ? 6 : 0) + r].d[k - first];
    for (int k = first; k < last; ++k) room.states[k].d[k - first] = 0;
  }
  return status;
}

/// The present angle of a revolution counter of an expression.
TRAMMEL_HD inline void current_counter(const AssemblyView& w, const AngleCounter& counter, double* angle) {
  const double a = projected_angle(w.array.marker[counter.I].A, w.array.marker[counter.J].A, counter.axis);
  angle[counter.slot] = continued_angle(a, w.state.angle[counter.slot]);
}

}  // namespace trammel
