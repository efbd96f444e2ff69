#include "assemble/law_changes.h"

#include <algorithm>
#include <optional>

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

/// A fold and where it is.
struct FoundFold {
  Fold fold = {};
  int tape = -1;
  FoldPlace place = {};
};

FoundFold sum_of(const FoundFold& a, FoundFold b, double sign) {
  if (a.fold.of && b.fold.of) return {};
  b.fold.factor *= sign;
  return a.fold.of ? a : b;
}

/// The fold of the magnitude that a register of a tape, or a VARIABLE that it reads, is affine in; none:
/// there is none, or more than one.
class FoldSearch {
 public:
  explicit FoldSearch(const Model& model) : model_(model), of_variable_(model.scalars.size()) {}

  /// Of x − end, of all but splines.
  FoundFold of(int tape, const LawSwitch& s) {
    if (s.is_spline()) return {};
    return sum_of(in(tape, s.x), s.end >= 0 ? in(tape, s.end) : FoundFold{}, -1);
  }

 private:
  FoundFold in(int index, int r) {
    const Tape& tape = model_.tapes[index];
    const Instruction& i = tape.code[r];
    const auto found = [&](Fold::Of of, int I, int J) {
      return FoundFold{{of, 1}, index, {-1, of, r, {I, J}}};
    };
    const auto at = [&](int other) { return in(index, other); };
    const auto scaled = [&](int of, int by, bool divides) -> FoundFold {
      if (static_cast<Op>(tape.code[by].op) != Op::constant) return {};
      const double c = tape.constants[tape.code[by].a];
      FoundFold f = at(of);
      f.fold.factor *= divides ? 1 / c : c;
      return f.fold.factor != 0 && std::isfinite(f.fold.factor) ? f : FoundFold{};
    };
    switch (static_cast<Op>(i.op)) {
      case Op::leaf: {
        const Leaf& leaf = tape.leaves[i.a];
        if (leaf.measure == Measure::state) return of_variable(tape.states[leaf.index]);
        return leaf.measure == Measure::dm ? found(Fold::distance, leaf.marker[0], leaf.marker[1])
                                           : FoundFold{};
      }
      case Op::abs:
        return found(Fold::absolute, argument_of(tape, i, 0), 0);
      case Op::sqrt:
        return found(Fold::root, argument_of(tape, i, 0), 0);
      case Op::neg:
        return sum_of({}, at(i.a), -1);
      case Op::add:
        return sum_of(at(i.a), at(i.b), 1);
      case Op::sub:
        return sum_of(at(i.a), at(i.b), -1);
      case Op::mul: {
        const FoundFold f = scaled(i.a, i.b, false);
        return f.fold.of ? f : scaled(i.b, i.a, false);
      }
      case Op::div:
        return scaled(i.a, i.b, true);
      default:
        return {};
    }
  }

  /// Each is looked at once; one whose expression leads back to it has none there.
  FoundFold of_variable(int state) {
    if (state >= model_.scalar_count()) return {};
    const Scalar& s = model_.scalars[state];
    if (s.kind != ScalarKind::variable || s.tape < 0 || !model_.tape_in_equations[s.tape]) return {};
    if (!of_variable_[state]) {
      of_variable_[state] = FoundFold{};
      of_variable_[state] = in(s.tape, model_.tapes[s.tape].results[s.result]);
    }
    return *of_variable_[state];
  }

  const Model& model_;
  std::vector<std::optional<FoundFold>> of_variable_;
};

/// Adds what a switch becomes with one argument of a MAX or MIN in place of its x or end: each argument may
/// come and go within a step. `of_end`: one has been chosen there, and x is done.
void add_choices(const Tape& tape, const LawSwitch& s, std::vector<LawSwitch>& out, bool of_end = false) {
  for (int LawSwitch::*const at : {&LawSwitch::x, &LawSwitch::end}) {
    if (s.*at < 0 || (of_end && at == &LawSwitch::x)) continue;
    const Instruction& i = tape.code[s.*at];
    if (static_cast<Op>(i.op) != Op::max && static_cast<Op>(i.op) != Op::min) continue;
    for (int k = 0; k < i.n; ++k) {
      LawSwitch choice = s;
      choice.*at = argument_of(tape, i, k);
      choice.rate = -1;
      choice.is_corner = false;
      out.push_back(choice);
      add_choices(tape, choice, out, at == &LawSwitch::end);
    }
  }
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

/// The tapes of FRICTIONs, by index.
std::vector<unsigned char> tapes_of_frictions(const Model& model) {
  std::vector<unsigned char> out(model.tapes.size());
  for (const ExpressionForce& f : model.expression_forces)
    if (f.joint >= 0)
      for (const int k : f.components)
        if (k >= 0) out[k] = 1;
  for (const Scalar& s : model.scalars)
    if (s.tape >= 0 && s.name.type == "FRICTION") out[s.tape] = 1;
  return out;
}

}  // namespace

/// IF with an argument that is affine in TIME changes at times that are known before
/// (expression/break_points.h).
LawSwitches::LawSwitches(const Model& model) {
  const std::vector<unsigned char> of_friction = tapes_of_frictions(model);
  FoldSearch folds(model);
  std::vector<SwitchedTape> all(model.tapes.size());  // by tape
  std::vector<std::vector<FoldPlace>> fold_in(model.tapes.size());
  int place = -1;
  for (std::size_t k = 0; k < model.tapes.size(); ++k) {
    const Tape& t = model.tapes[k];
    if (!model.tape_in_equations[k]) continue;
    const int index = static_cast<int>(k), first = static_cast<int>(item.size());
    if (!t.only_shown && !t.only_time()) {
      add_switches(t, of_friction[k] != 0, item);
      for (std::size_t n = first, own = item.size(); n < own && !of_friction[k]; ++n)
        if (!item[n].is_spline()) add_choices(t, LawSwitch(item[n]), item);
    }
    all[k] = {index, ++place, first, static_cast<int>(item.size()), !of_friction[k]};
    for (int n = first; n < all[k].last; ++n) {
      FoundFold f = folds.of(index, item[n]);
      if (f.fold.of == Fold::none) continue;
      item[n].fold = f.fold;
      f.place.of_switch = n;
      fold_in[f.tape].push_back(f.place);
    }
  }
  for (std::size_t k = 0; k < model.tapes.size(); ++k) {
    if (!model.tape_in_equations[k] || (all[k].first == all[k].last && fold_in[k].empty())) continue;
    all[k].first_fold = static_cast<int>(fold.size());
    fold.insert(fold.end(), fold_in[k].begin(), fold_in[k].end());
    all[k].last_fold = static_cast<int>(fold.size());
    tape.push_back(all[k]);
  }
}

void find_law_changes(const LawSwitches& switches, Assembler& assembler, double time, LawChanges& found) {
  for (const SwitchedTape& of : switches.tape) {
    const auto run = [&](bool every_branch) {
      return assembler.tapes().registers(of.tape, assembler.reads(), every_branch);
    };
    read_switches(of, switches.item.data(), switches.fold.data(), run, found.switches.data());
  }
  if (!found.contacts.empty()) assembler.overlaps(found.contacts, time);
  found.passage = assembler.passage_of_groups(time);
}

}  // namespace trammel
