// Running one tape at a configuration.
#pragma once

#include "assemble/view.h"
#include "element/wrench.h"
#include "expression/evaluate.h"
#include "math/angle.h"

namespace trammel {

/// Where a tape finds what it reads; numbers of states from `scalars` on are those of wrenches.
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
/// Where they are to be written.
struct TapeDerivativeRoom {
  double *marker, *state, *rate;
  TRAMMEL_HD operator TapeDerivativeView() const { return {marker, state, rate}; }
};

/// The present angle of a revolution counter of an expression.
TRAMMEL_HD inline void current_counter(const AssemblyView& w, const AngleCounter& counter, double* angle) {
  const Vec3d a = projected_angles(w.array.marker[counter.I].A, w.array.marker[counter.J].A);
  angle[counter.slot] = continued_angle(a[counter.axis], w.state.angle[counter.slot]);
}

}  // namespace trammel
