// Where functions of the motion and contacts change their law, as an evaluation found it: plain numbers, from
// the processor or from a device.
#pragma once

#include <cmath>
#include <vector>

#include "element/contact.h"

namespace trammel {

class Assembler;
struct Model;

/// Registers of a tape. Of IF: the argument x. Of MAX, MIN and DIM: two of theirs, of STEP, STEP5 and HAVSIN
/// the argument and where the step begins or ends; the gap is x − end. Of IMPACT and of a stop of BISTOP: the
/// coordinate x, its rate, the end x1 or x2, and the first of k, e, cmax, d; the gap is side · (x − end). Of
/// a spline: the argument x, which is its gap.
struct LawSwitch {
  int x, rate = -1, end = -1;
  int law[4] = {};
  double side = 1;
  int written;      ///< a register that is written where the function is evaluated
  int spline = -1;  ///< index in Model::splines
  /// Whether steps may end where the gap vanishes: at a corner, not at a bend or at a spline's abscissa 0.
  bool is_corner = true;
  TRAMMEL_HD bool is_stop() const { return rate >= 0; }
  TRAMMEL_HD bool is_spline() const { return spline >= 0; }
};

/// What vanishes where a function changes its law, the gap; NaN where IF has not taken the branch that it is
/// in. And of a stop: how fast the gap closes, and the law of its force.
struct SwitchValues {
  double gap, closing, stiffness, exponent, damping, full_depth;
};

TRAMMEL_HD inline SwitchValues read(const LawSwitch& s, const double* r) {
  SwitchValues v{NAN, 0, 0, 0, 0, 0};
  if (!(r[s.written] == r[s.written])) return v;
  if (!s.is_stop()) {
    v.gap = r[s.x] - (s.end >= 0 ? r[s.end] : 0);
    return v;
  }
  return {
      s.side * (r[s.x] - r[s.end]), -s.side * r[s.rate], r[s.law[0]], r[s.law[1]], r[s.law[2]], r[s.law[3]]};
}

/// Switches [first, last) of all are those of a tape; `place`: of the tape among those of the equations.
struct SwitchedTape {
  int tape, place, first, last;
  bool has_pulses;  ///< two of its functions may make one together, as a product of STEPs does
};

/// All functions of the motion in the equations of a model that change their law.
struct LawSwitches {
  explicit LawSwitches(const Model& model);
  std::vector<LawSwitch> item;
  std::vector<SwitchedTape> tape;
};

/// What the last evaluation of a step found, in the order of LawSwitches and of the model's contacts.
struct LawChanges {
  std::vector<SwitchValues> switches;
  std::vector<ContactOverlaps> contacts;
  double passage = HUGE_VAL;  ///< Assembler::passage_of_groups()
};

/// Those of the assembler's last evaluation, with passages within a time from there.
void find_law_changes(const LawSwitches& switches, Assembler& assembler, double time, LawChanges& found);

}  // namespace trammel
