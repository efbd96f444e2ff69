#include "assemble/law_changes.h"

#include <algorithm>
#include <optional>

#include "assemble/assembler.h"
#include "assemble/places_search.h"
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

/// EXP(c q²), c < 0, is above a tenth where |q| < reach; q: −1: the argument of EXP is no such square.
struct Hump {
  int q = -1;
  double reach = 0;
};

/// c and u of a register that holds c u, as far as constant factors lead.
std::pair<double, int> factor_of(const Tape& tape, int r) {
  for (double c = 1;;) {
    const Instruction& i = tape.code[r];
    const Op op = static_cast<Op>(i.op);
    const double left = op == Op::mul ? constant_in(tape, i.a) : NAN,
                 right = op == Op::mul || op == Op::div ? constant_in(tape, i.b) : NAN;
    if (op == Op::neg)
      c = -c;
    else if (left == left)
      c *= left;
    else if (right == right)
      c = op == Op::mul ? c * right : c / right;
    else
      return {c, r};
    r = left == left ? i.b : i.a;
  }
}

/// Of the argument of EXP in register r.
Hump hump_of(const Tape& tape, int r) {
  auto [c, square] = factor_of(tape, r);
  const Instruction& i = tape.code[square];
  int q = -1;
  if (static_cast<Op>(i.op) == Op::mul) {
    const auto [a, left] = factor_of(tape, i.a);
    const auto [b, right] = factor_of(tape, i.b);
    c *= a * b;
    if (left == right) q = left;
  } else if (static_cast<Op>(i.op) == Op::pow && is_square(tape, i)) {
    q = argument_of(tape, i, 0);
  }
  return q >= 0 && c < 0 ? Hump{q, std::sqrt(std::log(10.0) / -c)} : Hump{};
}

/// A term of a sum: a factor times what a register of a tape holds.
struct Term {
  int tape, r;
  double factor;
};
using Terms = std::vector<Term>;

bool is_max_or_min(const Instruction& i) {
  return static_cast<Op>(i.op) == Op::max || static_cast<Op>(i.op) == Op::min;
}

/// Registers of tapes as sums, as far as constant factors and VARIABLEs lead; of their terms those that are
/// the magnitudes of folds, MAX and MIN.
class SumSearch {
 public:
  explicit SumSearch(const Model& model) : model_(model), of_variable_(model.scalars.size()) {}

  /// Adds factor times a register.
  void add(int index, int r, double factor, Terms& out) {
    const Tape& tape = model_.tapes[index];
    const Instruction& i = tape.code[r];
    const auto constant = [&](int other) { return constant_in(tape, other); };
    const Depth depth(depth_);
    if (factor == 0 || !std::isfinite(factor) || depth.too_much()) return;
    switch (static_cast<Op>(i.op)) {
      case Op::neg:
        return add(index, i.a, -factor, out);
      case Op::add:
      case Op::sub:
        add(index, i.a, factor, out);
        return add(index, i.b, static_cast<Op>(i.op) == Op::add ? factor : -factor, out);
      case Op::mul:
        if (const double c = constant(i.a); c == c) return add(index, i.b, factor * c, out);
        return add(index, i.a, factor * constant(i.b), out);
      case Op::div:
        return add(index, i.a, factor / constant(i.b), out);
      case Op::leaf: {
        const Leaf& leaf = tape.leaves[i.a];
        if (leaf.measure == Measure::state)
          for (const Term& t : of_variable(tape.states[leaf.index]))
            join({t.tape, t.r, factor * t.factor}, out);
        if (leaf.measure == Measure::dm) join({index, r, factor}, out);
        return;
      }
      case Op::abs:
      case Op::sqrt:
      case Op::max:
      case Op::min:
        return join({index, r, factor}, out);
      default:
        return;
    }
  }

  /// Sets the fold of a switch's gap and the tape and place of that; false: no magnitude is in the sum, or
  /// more than one.
  bool set_fold(const Terms& sum, LawSwitch& s, int& index, PartPlace& place) const {
    const auto folds = [&](const Term& t) {
      return t.factor != 0 && !is_max_or_min(model_.tapes[t.tape].code[t.r]);
    };
    if (std::ranges::count_if(sum, folds) != 1) return false;
    const Term& t = *std::ranges::find_if(sum, folds);
    const Tape& tape = model_.tapes[t.tape];
    const Instruction& i = tape.code[t.r];
    const Op op = static_cast<Op>(i.op);
    s.fold = {op == Op::leaf ? Fold::distance : op == Op::abs ? Fold::absolute : Fold::root, t.factor};
    index = t.tape;
    place = {.of = s.fold.of, .s = t.r};
    if (op == Op::leaf)
      std::copy_n(tape.leaves[i.a].marker, 2, place.from);
    else
      place.from[0] = argument_of(tape, i, 0);
    return true;
  }

 private:
  /// Sums of more terms are rare, and cost more to look at.
  static constexpr std::size_t most_terms = 30;

  static void join(const Term& term, Terms& out) {
    const auto same =
        std::ranges::find_if(out, [&](const Term& t) { return t.tape == term.tape && t.r == term.r; });
    if (same != out.end())
      same->factor += term.factor;
    else if (out.size() < most_terms)
      out.push_back(term);
  }

  /// Of a VARIABLE of the equations, nothing of other states. Each is looked at once; one whose expression
  /// leads back to it is nothing there.
  const Terms& of_variable(int state) {
    static const Terms nothing;
    if (state >= model_.scalar_count()) return nothing;
    const Scalar& s = model_.scalars[state];
    if (s.kind != ScalarKind::variable || s.tape < 0 || !model_.tape_in_equations[s.tape]) return nothing;
    if (!of_variable_[state]) {
      of_variable_[state].emplace();
      Terms terms;
      add(s.tape, model_.tapes[s.tape].results[s.result], 1, terms);
      of_variable_[state] = std::move(terms);
    }
    return *of_variable_[state];
  }

  const Model& model_;
  std::vector<std::optional<Terms>> of_variable_;
  int depth_ = 0;
};

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
      case Op::exp:
        if (const Hump hump = hump_of(tape, i.a); hump.q >= 0 && moves(hump.q)) {
          out.push_back({.x = hump.q, .written = i.a, .offset = hump.reach, .is_corner = false});
          out.push_back({.x = hump.q, .written = r, .offset = -hump.reach, .is_corner = false});
        }
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

/// The switches of a model, their folds, and what they become with one argument of a MAX or MIN.
class SwitchSearch {
 public:
  SwitchSearch(const Model& model, LawSwitches& out)
      : model_(model), out_(out), sums_(model), places_(model), part_in_(model.tapes.size()) {}

  void add(int index, const SwitchedTape& of) {
    const Tape& tape = model_.tapes[index];
    if (!tape.only_shown && !tape.only_time()) {
      add_switches(tape, !of.has_pulses, out_.item);
      if (of.has_pulses) note_bend(places_.bend_of(index), index);
    }
    for (int n = of.first, own = static_cast<int>(out_.item.size()); n < own; ++n) {
      // An IF of a state may be a relay, which lets no step of SI2 converge where it sticks: it is no stop,
      // but bends what HHT follows.
      LawSwitch& item = out_.item[n];
      const bool is_if = item.written == item.x;
      const PlacesSearch::Of reads = places_.of_both(index, item.x, item.end);
      item.of_places = reads == PlacesSearch::places || (reads == PlacesSearch::states && !is_if);
      if (is_if && reads == PlacesSearch::states && of.has_pulses) note_bend(Bend::slight, index);
      if (item.is_spline()) continue;
      const LawSwitch s = item;
      Terms gap;
      sums_.add(index, s.x, 1, gap);
      if (s.end >= 0) sums_.add(index, s.end, -1, gap);
      add_fold(n, gap);
      if (of.has_pulses)
        for (const Term& t : gap)
          if (const Tape& in = model_.tapes[t.tape]; t.factor != 0 && is_max_or_min(in.code[t.r]))
            add_choices(s, gap, t, in.code[t.r]);
    }
  }

  /// In the order of the tapes: what was added for each of them.
  const std::vector<PartPlace>& parts_in(std::size_t tape) const { return part_in_[tape]; }

 private:
  void note_bend(Bend bend, int index) {
    if (bend <= out_.bend) return;
    out_.bend = bend;
    out_.bent_tape = index;
  }

  void add_fold(int n, const Terms& gap) {
    int tape;
    PartPlace place;
    if (!sums_.set_fold(gap, out_.item[n], tape, place)) return;
    place.of_switch = n;
    part_in_[tape].push_back(place);
  }

  /// `s` with each argument of the MAX or MIN `i`, and of one that is an argument of that, in the place of
  /// the term t of its gap.
  void add_choices(const LawSwitch& s, const Terms& gap, const Term& t, const Instruction& i) {
    const Tape& tape = model_.tapes[t.tape];
    for (int k = 0; k < i.n; ++k) {
      const int argument = argument_of(tape, i, k), n = static_cast<int>(out_.item.size());
      out_.item.push_back(s);
      LawSwitch& choice = out_.item.back();
      choice.rate = -1;
      choice.is_corner = false;
      choice.choice = t.factor;
      part_in_[t.tape].push_back({.of_switch = n, .s = argument, .from = {t.r}});
      Terms with;
      for (const Term& other : gap)
        if (other.tape != t.tape || other.r != t.r) with.push_back(other);
      sums_.add(t.tape, argument, t.factor, with);
      add_fold(n, with);
      if (is_max_or_min(tape.code[argument])) add_choices(s, gap, t, tape.code[argument]);
    }
  }

  const Model& model_;
  LawSwitches& out_;
  SumSearch sums_;
  PlacesSearch places_;
  std::vector<std::vector<PartPlace>> part_in_;
};

}  // namespace

/// IF with an argument that is affine in TIME changes at times that are known before
/// (expression/break_points.h).
LawSwitches::LawSwitches(const Model& model) {
  const std::vector<unsigned char> of_friction = tapes_of_frictions(model);
  SwitchSearch search(model, *this);
  std::vector<SwitchedTape> all(model.tapes.size());  // by tape
  int place = -1;
  for (std::size_t k = 0; k < model.tapes.size(); ++k) {
    if (!model.tape_in_equations[k]) continue;
    const int index = static_cast<int>(k), first = static_cast<int>(item.size());
    all[k] = {index, ++place, first, first, !of_friction[k]};
    search.add(index, all[k]);
    all[k].last = static_cast<int>(item.size());
  }
  for (std::size_t k = 0; k < model.tapes.size(); ++k) {
    const std::vector<PartPlace>& parts = search.parts_in(k);
    if (!model.tape_in_equations[k] || (all[k].first == all[k].last && parts.empty())) continue;
    all[k].first_part = static_cast<int>(part.size());
    part.insert(part.end(), parts.begin(), parts.end());
    all[k].last_part = static_cast<int>(part.size());
    tape.push_back(all[k]);
  }
}

void find_law_changes(const LawSwitches& switches, Assembler& assembler, double time, LawChanges& found) {
  for (const SwitchedTape& of : switches.tape) {
    const auto run = [&](bool every_branch) {
      return assembler.tapes().registers(of.tape, assembler.reads(), every_branch);
    };
    read_switches(of, switches.item.data(), switches.part.data(), run, found.switches.data());
  }
  if (!found.contacts.empty()) assembler.overlaps(found.contacts, time);
  found.passage = assembler.passage_of_groups(time);
}

}  // namespace trammel
