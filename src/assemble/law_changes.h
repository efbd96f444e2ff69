// Where functions of the motion and contacts change their law, as an evaluation found it: plain numbers, from
// the processor or from a device.
#pragma once

#include <cmath>
#include <vector>

#include "assemble/bend.h"
#include "element/contact.h"
#include "expression/evaluate.h"

namespace trammel {

class Assembler;
struct Model;

/// A gap that is c (s − e), s a magnitude, which is folded where it is 0: its markers or its argument, which
/// are not, tell where it goes.
struct Fold {
  enum Of : int { none, distance, absolute, root };  ///< DM, ABS or SQRT
  Of of = none;
  double factor = 0;
};

/// What a switch reads in its own tape or in that of a VARIABLE that this reads: s of its fold, or (of: none)
/// an argument s of a MAX or MIN in the place of what that is.
struct PartPlace {
  int of_switch = -1;
  Fold::Of of = Fold::none;
  int s = -1;        ///< register
  int from[2] = {};  ///< of DM I and J, of a choice the MAX or MIN, of others the argument: registers
};

/// Registers of a tape. Of IF: the argument x. Of MAX, MIN and DIM: two of theirs, of STEP, STEP5 and HAVSIN
/// the argument and where the step begins or ends; the gap is x − end. Of IMPACT and of a stop of BISTOP: the
/// coordinate x, its rate, the end x1 or x2, and the first of k, e, cmax, d; the gap is side · (x − end). Of
/// a spline: the argument x, which is its gap. Of EXP(c q²), c < 0, which comes and goes as a product of
/// STEPs does: q, the gap is q + offset, and there are two.
struct LawSwitch {
  int x, rate = -1, end = -1;
  int law[4] = {};
  double side = 1;
  int written;      ///< a register that is written where the function is evaluated
  int spline = -1;  ///< index in Model::splines
  Fold fold = {};   ///< of x − end
  /// What x − end becomes with one argument of a MAX or MIN that it reads in the place of that: x − end +
  /// choice · (argument − MIN), in which a law that comes and goes within a step may be passed.
  double choice = 0;
  double offset = 0;  ///< of EXP(c q²): half of the width in which it is above a tenth, or minus that
  /// Whether steps may end where the gap vanishes: at a corner, not at a bend or at a spline's abscissa 0.
  bool is_corner = true;
  bool of_places = false;  ///< x − end is of places, or (but of IF) of states with a rate, and TIME
  TRAMMEL_HD bool is_stop() const { return rate >= 0; }
  TRAMMEL_HD bool is_spline() const { return spline >= 0; }
};

/// What vanishes where a function changes its law, the gap; NaN: nothing is known of it. And of a stop: how
/// fast the gap closes, and the law of its force.
struct LawValues {
  double gap, closing, stiffness, exponent, damping, full_depth;
  bool taken;  ///< false: IF has not taken the branch that it is in
};
struct SwitchValues : LawValues {
  double chosen;     ///< of a choice: argument − MIN
  Vec3d folded;      ///< of a fold: J to I, or (argument, 0, 0)
  double magnitude;  ///< s of the fold
};

/// A switch, from the registers of its tape; its fold is read where that is.
TRAMMEL_HD inline void read(const LawSwitch& s, const double* r, SwitchValues& v) {
  static_cast<LawValues&>(v) = {NAN, 0, 0, 0, 0, 0, false};
  if (s.fold.of == Fold::none) v.folded = {}, v.magnitude = 0;
  if (s.choice == 0) v.chosen = 0;
  if (!(r[s.written] == r[s.written])) return;
  v.taken = true;
  v.gap = s.side * (r[s.x] - (s.end >= 0 ? r[s.end] : 0) + s.offset);
  if (!s.is_stop()) return;
  v.closing = -s.side * r[s.rate];
  v.stiffness = r[s.law[0]];
  v.exponent = r[s.law[1]];
  v.damping = r[s.law[2]];
  v.full_depth = r[s.law[3]];
}

/// The fold of a switch, or its choice.
TRAMMEL_HD inline void read(const PartPlace& f, const TapeRegisters& r, SwitchValues& v) {
  if (f.of == Fold::none) {
    v.chosen = r.value[f.s] - r.value[f.from[0]];
    return;
  }
  v.magnitude = r.value[f.s];
  v.folded = f.of == Fold::distance ? r.marker[f.from[0]].r - r.marker[f.from[1]].r
                                    : Vec3d{r.value[f.from[0]], 0, 0};
}

/// The gap, with the choice in it.
TRAMMEL_HD inline double gap_of(const LawSwitch& s, const SwitchValues& v) {
  return s.choice == 0 ? v.gap : v.gap + s.side * s.choice * v.chosen;
}

/// Switches [first, last) of all, and parts [first_part, last_part), are those of a tape; `place`: of the
/// tape among those of the equations.
struct SwitchedTape {
  int tape, place, first, last;
  bool has_pulses;  ///< two of its functions may make one together, as a product of STEPs does
  int first_part = 0, last_part = 0;
};

/// found[k] of a tape's switches k, and of the switches of which it has parts. run(every_branch): its
/// TapeRegisters, NaN where they have no value. Also of branches that IF has not taken: a step may take them,
/// and pass what is there.
template <class Run>
TRAMMEL_HD void read_switches(const SwitchedTape& of, const LawSwitch* item, const PartPlace* part,
                              const Run& run, SwitchValues* found) {
  TapeRegisters r = run(false);
  bool all = true;
  for (int k = of.first; k < of.last; ++k) {
    read(item[k], r.value, found[k]);
    all = all && found[k].taken;
  }
  if (!all && of.has_pulses) {
    r = run(true);
    for (int k = of.first; k < of.last; ++k) {
      if (found[k].taken) continue;
      read(item[k], r.value, found[k]);
      found[k].taken = false;
    }
  }
  for (int k = of.first_part; k < of.last_part; ++k) read(part[k], r, found[part[k].of_switch]);
}

/// All functions of the motion in the equations of a model that change their law.
struct LawSwitches {
  explicit LawSwitches(const Model& model);
  std::vector<LawSwitch> item;
  std::vector<PartPlace> part;
  std::vector<SwitchedTape> tape;
  /// Of the functions of places in the equations, FRICTIONs aside, and the first tape that bends the most;
  /// −1: none does.
  Bend bend = Bend::none;
  int bent_tape = -1;
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
