#include "expression/builder.h"

#include <algorithm>
#include <bit>

#include "expression/evaluate_definitions.h"
#include "expression/parse.h"

namespace trammel {

namespace {

/// Index of `value` in `list`; appended if it is new.
template <class V>
int position(std::vector<V>& list, const V& value) {
  const auto found = std::find(list.begin(), list.end(), value);
  if (found != list.end()) return static_cast<int>(found - list.begin());
  list.push_back(value);
  return static_cast<int>(list.size()) - 1;
}

}  // namespace

// ---- instructions

Register TapeBuilder::emit(Op op, std::span<const Register> arguments) {
  Instruction i;
  i.op = static_cast<std::uint16_t>(op);
  i.n = static_cast<std::uint16_t>(arguments.size());
  if (arguments.size() > 3) {
    i.a = static_cast<int>(arguments_.size());
    arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  } else {
    std::int32_t* slot[] = {&i.a, &i.b, &i.c};
    for (std::size_t k = 0; k < arguments.size(); ++k) *slot[k] = arguments[k];
  }
  code_.push_back(i);
  columns_.push_back(column_);
  return static_cast<int>(code_.size()) - 1;
}

Register TapeBuilder::emit_once(Op op, std::span<const Register> arguments) {
  Key key{static_cast<int>(op)};
  key.insert(key.end(), arguments.begin(), arguments.end());
  const auto [found, is_new] = known_.try_emplace(key, -1);
  if (is_new) {
    found->second = emit(op, arguments);
    scope_.push_back(std::move(key));
  }
  return found->second;
}

std::vector<Register> TapeBuilder::arguments_of(Register r) const {
  const Instruction& i = code_[r];
  if (!is_function(op_of(r)) && op_of(r) != Op::select) return {};
  if (i.n > 3) return {arguments_.begin() + i.a, arguments_.begin() + i.a + i.n};
  const Register all[] = {i.a, i.b, i.c};
  return {all, all + i.n};
}

// ---- leaves

Register TapeBuilder::constant(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  Key key{static_cast<int>(Op::constant), static_cast<int>(bits >> 32), static_cast<int>(bits & 0xffffffffu)};
  const auto [found, is_new] = known_.try_emplace(key, -1);
  if (is_new) {
    scope_.push_back(std::move(key));
    found->second = emit(Op::constant, {});
    code_.back().a = static_cast<int>(constants_.size());
    constants_.push_back(value);
  }
  return found->second;
}

Register TapeBuilder::leaf(const Leaf& leaf) {
  Key key{static_cast<int>(Op::leaf), static_cast<int>(leaf.measure), leaf.component, leaf.index};
  key.insert(key.end(), leaf.marker, leaf.marker + 4);
  const auto [found, is_new] = known_.try_emplace(key, -1);
  if (is_new) {
    scope_.push_back(std::move(key));
    found->second = emit(Op::leaf, {});
    code_.back().a = static_cast<int>(leaves_.size());
    leaves_.push_back(leaf);
  }
  return found->second;
}

Register TapeBuilder::time() {
  return time_ >= 0 ? time_ : leaf({});
}
Register TapeBuilder::mode() {
  return leaf({Measure::mode, 0, {0, 0, 0, 0}, 0});
}
Register TapeBuilder::state(int index) {
  return leaf({Measure::state, 0, {0, 0, 0, 0}, index});
}
Register TapeBuilder::rate(int index) {
  return leaf({Measure::rate, 0, {0, 0, 0, 0}, index});
}

Register TapeBuilder::linear(std::span<const LinearTerm> terms) {
  if (terms.empty()) return constant(0);
  Key key{static_cast<int>(Op::linear)};
  key.reserve(1 + 3 * terms.size());
  for (const LinearTerm& term : terms) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(term.factor);
    for (const std::uint64_t part : {bits >> 32, bits & 0xffffffffu}) key.push_back(static_cast<int>(part));
    key.push_back(term.state);
  }
  const auto [found, is_new] = known_.try_emplace(key, -1);
  if (is_new) {
    scope_.push_back(std::move(key));
    found->second = emit(Op::linear, {});
    code_.back().a = static_cast<int>(terms_.size());
    code_.back().b = static_cast<int>(terms.size());
    terms_.insert(terms_.end(), terms.begin(), terms.end());
  }
  return found->second;
}

Register TapeBuilder::measure(Measure measure, int i, int j, int k, int l, int component, int angle_counter) {
  const MeasureInfo& info = measure_info(measure);
  if (component < 0 || component >= info.components)
    fail(ExitCode::internal, "measure {} has no component {}", info.name, component);
  Leaf new_leaf;
  new_leaf.measure = measure;
  new_leaf.component = static_cast<std::int16_t>(component);
  const int given[4] = {i, j, k, l};
  for (int slot = 0; slot < 4; ++slot) new_leaf.marker[slot] = info.level[slot] > 0 ? given[slot] : i;
  if (functions::is_axis_angle(measure)) new_leaf.index = angle_counter;
  return leaf(new_leaf);
}

// ---- operations

Register TapeBuilder::apply(Op op, std::span<const Register> arguments) {
  const OpInfo& info = op_table()[static_cast<int>(op)];
  const int n = static_cast<int>(arguments.size());
  if (op < Op::neg || op > Op::bistop || n < info.min_arguments || n > info.max_arguments)
    fail(ExitCode::internal, "operation {} cannot be applied to {} arguments", info.name, n);
  if (std::all_of(arguments.begin(), arguments.end(), [&](Register r) { return is_constant(r); })) {
    const Register folded = fold(op, arguments);
    if (folded >= 0) return folded;
  }
  const Register simple = simplify(op, arguments);
  return simple >= 0 ? simple : emit_once(op, arguments);
}

/// The constant result; -1 when it has no value but the instruction may never be executed.
Register TapeBuilder::fold(Op op, std::span<const Register> arguments) {
  std::vector<double> x;
  for (const Register r : arguments) x.push_back(constant_value(r));
  EvalError error = EvalError::none;
  bool outside = false;
  const double value =
      functions::apply(op, x.data(), static_cast<int>(x.size()), TapeView(), TapeTables(), error, outside);
  if (error == EvalError::none && !functions::all_finite(value)) error = EvalError::overflow;
  if (error == EvalError::none) return constant(value);
  if (uncertain_ > 0) return -1;
  throw ExpressionError(column_, failure_text(op, x, error));
}

/// x+0, 0+x, x-0, x*1, 1*x, x/1, x**1 are x; 0*x, x*0 are 0 (decks switch terms off that way); -(-x) is x. -1
/// if no rule applies.
Register TapeBuilder::simplify(Op op, std::span<const Register> arguments) {
  const auto is = [&](std::size_t k, double value) {
    return is_constant(arguments[k]) && constant_value(arguments[k]) == value;
  };
  switch (op) {
    case Op::neg:
      return op_of(arguments[0]) == Op::neg ? code_[arguments[0]].a : -1;
    case Op::add:
      return is(1, 0) ? arguments[0] : (is(0, 0) ? arguments[1] : -1);
    case Op::sub:
      return is(1, 0) ? arguments[0] : -1;
    case Op::mul:
      if (is(0, 0) || is(1, 0)) return constant(0);
      return is(1, 1) ? arguments[0] : (is(0, 1) ? arguments[1] : -1);
    case Op::div:
    case Op::pow:
      return is(1, 1) ? arguments[0] : -1;
    default:
      return -1;
  }
}

Register TapeBuilder::spline(Op op, Register x, Register z, int index, int order) {
  const Register list[] = {x, z, constant(position(splines_, index)), constant(order)};
  return emit_once(op, list);
}

Register TapeBuilder::delay(Register e, Register instant, int buffer) {
  int slot = 0;
  while (slot < static_cast<int>(delays_.size()) && delays_[slot].buffer != buffer) ++slot;
  if (slot == static_cast<int>(delays_.size())) delays_.push_back({buffer});
  const Register list[] = {e, instant, leaf({}), constant(slot)};
  return emit_once(Op::delay, list);
}

Register TapeBuilder::invpsd(Register x, int index, std::span<const Register> f0_to_seed) {
  std::vector<Register> list{x, constant(position(splines_, index))};
  list.insert(list.end(), f0_to_seed.begin(), f0_to_seed.end());
  return emit_once(Op::invpsd, list);
}

Register TapeBuilder::user(const UserFunction& function, int number, std::span<const Register> arguments) {
  std::vector<Register> list(arguments.begin(), arguments.end());
  list.push_back(leaf({}));
  list.push_back(constant(position(users_, &function)));
  list.push_back(constant(number));
  return emit_once(Op::user, list);
}

/// Builds one case; its instructions are not reused afterwards, since they may not have been executed.
TapeValue TapeBuilder::in_scope(const std::function<TapeValue()>& build, bool certain) {
  const std::size_t before = scope_.size();
  if (!certain) ++uncertain_;
  const TapeValue value = build();
  if (!certain) --uncertain_;
  for (; scope_.size() > before; scope_.pop_back()) known_.erase(scope_.back());
  return value;
}

TapeValue TapeBuilder::select_by_sign(Register e, const std::function<TapeValue()>& negative,
                                      const std::function<TapeValue()>& zero,
                                      const std::function<TapeValue()>& positive) {
  const std::function<TapeValue()>* cases[] = {&negative, &zero, &positive};
  TapeValue value[3];
  const int known = is_constant(e) ? functions::chosen(constant_value(e)) - 1 : -1;
  Group group;
  if (known < 0) {
    group.branch = emit(Op::branch, {});
    code_.back().n = 1;
    code_.back().a = e;
  }
  for (int k = 0; k < 3; ++k) {
    if (known < 0 && k > 0) {
      group.jump[k - 1] = emit(Op::jump, {});
      (k == 1 ? code_[group.branch].b : code_[group.branch].c) = static_cast<int>(code_.size());
    }
    value[k] = in_scope(*cases[k], k == known);
    if (value[k].vector != value[0].vector)
      throw ExpressionError(column_, "the cases of IF are partly vectors and partly scalars");
  }
  if (known >= 0) return value[known];
  for (const Register jump : group.jump) code_[jump].a = static_cast<int>(code_.size());
  TapeValue selected;
  selected.vector = value[0].vector;
  for (int c = 0; c < selected.size(); ++c) {
    const Register list[] = {e, value[0].r[c], value[1].r[c], value[2].r[c]};
    selected.r[c] = emit(Op::select, list);
    groups_[selected.r[c]] = group;
  }
  return selected;
}

// ---- the finished tape

std::vector<char> TapeBuilder::live(const TapeValue& results) const {
  std::vector<char> needed(code_.size(), 0);
  for (int k = 0; k < results.size(); ++k) needed[results.r[k]] = 1;
  for (Register r = static_cast<int>(code_.size()) - 1; r >= 0; --r) {
    if (!needed[r]) continue;
    for (const Register a : arguments_of(r)) needed[a] = 1;
    if (op_of(r) != Op::select) continue;
    const Group& group = groups_.at(r);
    needed[group.branch] = needed[group.jump[0]] = needed[group.jump[1]] = 1;
  }
  return needed;
}

namespace {

/// Appends a linear sum to the tape's tables. Its states are listed again even if the tape reads them
/// already, so that the terms of a sum are consecutive.
Instruction localized(Instruction sum, std::span<const LinearTerm> terms, Tape& tape) {
  const std::size_t first = tape.coefficients.size(), state = tape.states.size();
  sum.a = static_cast<int>(first);
  sum.c = static_cast<int>(state);
  tape.coefficients.resize(first + terms.size());
  tape.states.resize(state + terms.size());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    tape.coefficients[first + k] = terms[k].factor;
    tape.states[state + k] = terms[k].state;
  }
  return sum;
}

/// Converts the model's indices in a leaf to indices in the tape's lists, which grow as needed.
Leaf localized(const Leaf& leaf, Tape& tape) {
  Leaf local = leaf;
  switch (leaf.measure) {
    case Measure::time:
      tape.uses_time = true;
      return local;
    case Measure::mode:
      tape.uses_mode = true;
      return local;
    case Measure::state:
      local.index = position(tape.states, leaf.index);
      return local;
    case Measure::rate:
      local.index = position(tape.rates, leaf.index);
      return local;
    default:
      break;
  }
  const MeasureInfo& info = measure_info(leaf.measure);
  for (int slot = 0; slot < 4; ++slot) {
    const auto same = [&](const TapeMarker& m) { return m.marker == leaf.marker[slot]; };
    auto found = std::find_if(tape.markers.begin(), tape.markers.end(), same);
    if (found == tape.markers.end()) found = tape.markers.insert(found, {leaf.marker[slot], 1});
    found->level = std::max(found->level, info.level[slot]);
    local.marker[slot] = static_cast<int>(found - tape.markers.begin());
  }
  if (functions::is_axis_angle(leaf.measure)) {  // one entry per leaf: counters may be shared or absent
    local.index = static_cast<int>(tape.angles.size());
    tape.angles.push_back(leaf.index);
  }
  return local;
}

}  // namespace

Tape TapeBuilder::finish(const TapeValue& results, std::string text) const {
  const std::vector<char> needed = live(results);
  std::vector<int> moved(code_.size() + 1, 0);  // new index; of a dropped instruction: that of the next kept
  for (std::size_t r = 0; r < code_.size(); ++r) moved[r + 1] = moved[r] + needed[r];
  Tape tape;
  tape.text = std::move(text);
  tape.splines = splines_;
  tape.delays = delays_;
  tape.users = users_;
  for (Register r = 0; r < static_cast<int>(code_.size()); ++r) {
    if (!needed[r]) continue;
    Instruction i = code_[r];
    switch (op_of(r)) {
      case Op::constant:
        tape.constants.push_back(constants_[i.a]);
        i.a = static_cast<int>(tape.constants.size()) - 1;
        break;
      case Op::leaf:
        tape.leaves.push_back(localized(leaves_[i.a], tape));
        i.a = static_cast<int>(tape.leaves.size()) - 1;
        break;
      case Op::linear:
        i = localized(i, {terms_.data() + i.a, static_cast<std::size_t>(i.b)}, tape);
        break;
      case Op::branch:
        i.b = moved[i.b], i.c = moved[i.c];
        [[fallthrough]];
      case Op::jump:
        i.a = moved[i.a];
        break;
      default:
        if (i.n > 3) {
          const int first = static_cast<int>(tape.arguments.size());
          for (int k = 0; k < i.n; ++k) tape.arguments.push_back(moved[arguments_[i.a + k]]);
          i.a = first;
        } else {
          i.a = moved[i.a], i.b = moved[i.b], i.c = moved[i.c];
        }
    }
    tape.code.push_back(i);
    tape.columns.push_back(columns_[r]);
  }
  for (int k = 0; k < results.size(); ++k) tape.results.push_back(moved[results.r[k]]);
  return tape;
}

}  // namespace trammel
