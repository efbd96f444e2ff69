#include "assemble/law_changes.h"

#include <algorithm>

#include "assemble/assembler.h"
#include "expression/arguments.h"
#include "expression/break_points.h"
#include "expression/ops.h"
#include "model/model.h"

namespace trammel {

namespace {

/// Whether a register is a sum of squares, as those of |x| are: it touches 0, and rounding that comes and
/// goes there is no change of a law.
bool only_touches_zero(const Tape& tape, int r) {
  const Instruction& i = tape.code[r];
  switch (static_cast<Op>(i.op)) {
    case Op::mul:
      return i.a == i.b;
    case Op::add:
      return only_touches_zero(tape, i.a) && only_touches_zero(tape, i.b);
    default:
      return false;
  }
}

/// IMPACT, or a stop of BISTOP, in register `own`; `end` and `law`: arguments, the latter the first of k, e,
/// cmax, d.
LawSwitch stop(const Tape& tape, int own, int end, int law, double side) {
  const auto at = [&](int k) { return argument_of(tape, tape.code[own], k); };
  return {at(0), at(1), at(end), {at(law), at(law + 1), at(law + 2), at(law + 3)}, side, own};
}

/// Where argument `at` of the function in register `own` is that of its end.
LawSwitch passing(const Tape& tape, int own, int at, int end, bool is_corner) {
  LawSwitch s{.x = argument_of(tape, tape.code[own], at), .written = own};
  s.end = argument_of(tape, tape.code[own], end);
  s.is_corner = is_corner;
  return s;
}

/// The spline in register `own`.
LawSwitch over_data(const Tape& tape, int own) {
  constexpr int spline = 2;  // its argument
  LawSwitch s{.x = argument_of(tape, tape.code[own], 0), .written = own};
  const int index = tape.code[argument_of(tape, tape.code[own], spline)].a;
  s.spline = tape.splines[static_cast<std::size_t>(tape.constants[index])];
  s.is_corner = false;
  return s;
}

Fold sum_of(const Fold& a, Fold b, double sign) {
  if (a.of && b.of) return {};
  b.factor *= sign;
  return a.of ? a : b;
}

/// Of the magnitude that a register is affine in; none: there is none, or more than one.
Fold fold_of(const Tape& tape, int r) {
  const Instruction& i = tape.code[r];
  const auto scaled = [&](int of, int by, bool divides) -> Fold {
    if (static_cast<Op>(tape.code[by].op) != Op::constant) return {};
    const double c = tape.constants[tape.code[by].a];
    Fold f = fold_of(tape, of);
    f.factor *= divides ? 1 / c : c;
    return f.factor != 0 && std::isfinite(f.factor) ? f : Fold{};
  };
  switch (static_cast<Op>(i.op)) {
    case Op::leaf: {
      const Leaf& leaf = tape.leaves[i.a];
      if (leaf.measure != Measure::dm) return {};
      return {Fold::distance, r, {leaf.marker[0], leaf.marker[1]}, 1};
    }
    case Op::abs:
      return {Fold::absolute, r, {argument_of(tape, i, 0)}, 1};
    case Op::sqrt:
      return {Fold::root, r, {argument_of(tape, i, 0)}, 1};
    case Op::neg:
      return sum_of({}, fold_of(tape, i.a), -1);
    case Op::add:
      return sum_of(fold_of(tape, i.a), fold_of(tape, i.b), 1);
    case Op::sub:
      return sum_of(fold_of(tape, i.a), fold_of(tape, i.b), -1);
    case Op::mul: {
      const Fold f = scaled(i.a, i.b, false);
      return f.of ? f : scaled(i.b, i.a, false);
    }
    case Op::div:
      return scaled(i.a, i.b, true);
    default:
      return {};
  }
}

/// The fold of x − end, of all but splines.
Fold fold_of(const Tape& tape, const LawSwitch& s) {
  if (s.is_spline()) return {};
  return sum_of(fold_of(tape, s.x), s.end >= 0 ? fold_of(tape, s.end) : Fold{}, -1);
}

/// Switches of a tape. A FRICTION has no pulses that a step might pass: only its branches are among them.
void add_switches(const Tape& tape, bool of_friction, std::vector<LawSwitch>& out) {
  const std::vector<int> degree = degrees_in_time(tape);
  const auto moves = [&](int r) { return degree[r] > 1 && !of_friction; };
  for (int r = 0; r < static_cast<int>(tape.code.size()); ++r) {
    const Instruction& i = tape.code[r];
    switch (static_cast<Op>(i.op)) {
      case Op::branch:
        if (!only_touches_zero(tape, i.a) && degree[i.a] > 1) out.push_back({.x = i.a, .written = i.a});
        break;
      case Op::max:
      case Op::min:
      case Op::dim:
        for (int k = 1; k < i.n; ++k)
          if (moves(r)) out.push_back(passing(tape, r, 0, k, true));
        break;
      case Op::step:
      case Op::step5:
      case Op::havsin:
        for (const int end : {1, 3})
          if (moves(argument_of(tape, i, 0))) out.push_back(passing(tape, r, 0, end, false));
        break;
      case Op::akispl:
      case Op::cubspl:
      case Op::linspl:
        if (moves(argument_of(tape, i, 0))) out.push_back(over_data(tape, r));
        break;
      case Op::impact:
        out.push_back(stop(tape, r, 2, 3, 1));
        break;
      case Op::bistop:
        out.push_back(stop(tape, r, 2, 4, 1));
        out.push_back(stop(tape, r, 3, 4, -1));
        break;
      default:
        break;
    }
  }
}

}  // namespace

/// IF with an argument that is affine in TIME changes at times that are known before
/// (expression/break_points.h).
LawSwitches::LawSwitches(const Model& model) {
  std::vector<unsigned char> of_friction(model.tapes.size());
  for (const ExpressionForce& f : model.expression_forces)
    if (f.joint >= 0)
      for (const int k : f.components)
        if (k >= 0) of_friction[k] = 1;
  for (const Scalar& s : model.scalars)
    if (s.tape >= 0 && s.name.type == "FRICTION") of_friction[s.tape] = 1;
  int place = -1;
  for (std::size_t k = 0; k < model.tapes.size(); ++k) {
    const Tape& t = model.tapes[k];
    if (!model.tape_in_equations[k]) continue;
    ++place;
    if (t.only_shown || t.only_time()) continue;
    const int first = static_cast<int>(item.size());
    add_switches(t, of_friction[k] != 0, item);
    for (std::size_t n = first; n < item.size(); ++n) item[n].fold = fold_of(t, item[n]);
    if (const int last = static_cast<int>(item.size()); last > first)
      tape.push_back({static_cast<int>(k), place, first, last, !of_friction[k]});
  }
}

void find_law_changes(const LawSwitches& switches, Assembler& assembler, double time, LawChanges& found) {
  for (const SwitchedTape& of : switches.tape) {
    const auto run = [&](bool every_branch) {
      return assembler.tapes().registers(of.tape, assembler.reads(), every_branch);
    };
    read_switches(of, switches.item.data(), run, found.switches.data());
  }
  if (!found.contacts.empty()) assembler.overlaps(found.contacts, time);
  found.passage = assembler.passage_of_groups(time);
}

}  // namespace trammel
