// Markers, motions and tapes differentiated in time.
#pragma once

#include "assemble/tape_runs.h"
#include "assemble/view.h"

namespace trammel {

/// A number with two derivatives in time.
using TwiceInTime = Dual<Dual<double, 1>, 1>;

TRAMMEL_HD inline TwiceInTime make_jet(double value, double first, double second) {
  TwiceInTime j;
  j.v.v = value;
  j.v.d[0] = j.d[0].v = first;
  j.d[0].d[0] = second;
  return j;
}

/// Pose of a marker along the motion.
TRAMMEL_HD inline Pose<TwiceInTime> pose_jet(const MarkerKinematics<double>& k) {
  const Mat3d w = skew(k.w);
  const Mat3d first = w * k.A, second = (skew(k.alpha) + w * w) * k.A;
  Pose<TwiceInTime> j;
  for (int i = 0; i < 3; ++i) j.r[i] = make_jet(k.r[i], k.v[i], k.a[i]);
  for (int i = 0; i < 9; ++i) j.A.m[i] = make_jet(k.A.m[i], first.m[i], second.m[i]);
  return j;
}

/// A marker along the motion. Velocities have one derivative in time, so that an expression that reads them
/// can be differentiated once.
TRAMMEL_HD inline MarkerKinematics<TwiceInTime> marker_jet(const MarkerKinematics<double>& k) {
  MarkerKinematics<TwiceInTime> j;
  static_cast<Pose<TwiceInTime>&>(j) = pose_jet(k);
  for (int i = 0; i < 3; ++i) {
    j.v[i] = make_jet(k.v[i], k.a[i], 0.0);
    j.w[i] = make_jet(k.w[i], k.alpha[i], 0.0);
    j.a[i] = make_jet(k.a[i], 0.0, 0.0);
    j.alpha[i] = make_jet(k.alpha[i], 0.0, 0.0);
  }
  return j;
}

/// What a motion subtracts from its row: the value f of a tape, or a scalar s with s = f (level 0), ṡ = f
/// (level 1) or s̈ = f (level 2).
struct MotionItem {
  int tape, scalar;  ///< scalar −1: f of time alone at level 0, or no motion
  int level;
};

/// What a motion's row follows, with two derivatives: f(t), s with ṡ = f, or s with s̈ = f; g is f's own jet.
TRAMMEL_HD inline void motion_jet(const AssemblyView& w, const MotionItem& m, const double (&g)[3],
                                  double (&f)[3]) {
  for (int k = 0; k < 3; ++k) f[k] = k < m.level ? w.state.s[m.scalar + k] : g[k - m.level];
}

/// The jet in time of a tape that reads time alone; `registers` has a place for each of its instructions.
TRAMMEL_HD inline TapeStatus time_jet_of(const AssemblyView& w, const TapeItem& tape, TwiceInTime* registers,
                                         double (&g)[3]) {
  TapeInputs<TwiceInTime> in;
  in.time = make_jet(w.point->t, 1, 0);
  in.mode = w.point->mode;
  in.tables = w.table.tape_tables;
  const TapeStatus status = evaluate(tape.view, in, registers);
  const TwiceInTime& j = registers[tape.view.results[0]];
  g[0] = j.v.v;
  g[1] = j.d[0].v;
  g[2] = j.d[0].d[0];
  return status;
}

}  // namespace trammel
