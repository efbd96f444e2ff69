// Building a tape instruction by instruction: constant folding, reuse of equal instructions, removal of
// what no result needs.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expression/ops.h"
#include "expression/tape.h"

namespace trammel {

/// A register of the tape under construction. Valid for the builder that made it, inside the branch of
/// select_by_sign() where it was made, and in branches within that.
using Register = int;

/// A summand of TapeBuilder::linear(): the factor of a scalar state of the model.
struct LinearTerm {
  double factor = 0;
  int state = 0;
};

/// A scalar (r[0]) or a vector (r[0..2], global or whatever axes its function says).
struct TapeValue {
  bool vector = false;
  std::array<Register, 3> r{-1, -1, -1};

  static TapeValue scalar(Register r) { return {false, {r, -1, -1}}; }
  int size() const { return vector ? 3 : 1; }
};

class TapeBuilder {
 public:
  // ---- leaves. Indices are those of the model: marker table (0 = ground), scalar states, revolution
  //      counters, spline tables, delay buffers.
  Register constant(double value);
  Register time();
  Register mode();
  Register state(int index);
  Register rate(int index);
  /// Σ factor × state over the terms, one instruction; 12 bytes a term. The constant 0 without terms.
  Register linear(std::span<const LinearTerm> terms);
  /// DX ... ORIENT. Markers that the measure does not use are ignored. angle_counter: for AX, AY, AZ.
  Register measure(Measure measure, int i, int j = 0, int k = 0, int l = 0, int component = 0,
                   int angle_counter = -1);

  // ---- operations
  /// Any pure operation (from Op::neg to Op::bistop). Arguments that are all constant are folded; throws
  /// ExpressionError when that cannot be computed and the result would be used for certain.
  Register apply(Op op, std::span<const Register> arguments);
  Register apply(Op op, std::initializer_list<Register> arguments) {
    return apply(op, std::span<const Register>(arguments.begin(), arguments.size()));
  }
  Register neg(Register a) { return apply(Op::neg, {a}); }
  Register add(Register a, Register b) { return apply(Op::add, {a, b}); }
  Register sub(Register a, Register b) { return apply(Op::sub, {a, b}); }
  Register mul(Register a, Register b) { return apply(Op::mul, {a, b}); }
  Register div(Register a, Register b) { return apply(Op::div, {a, b}); }
  Register sqrt(Register a) { return apply(Op::sqrt, {a}); }
  /// Akima or cubic (Op::akispl, Op::cubspl) spline `index` at (x, z), derivative `order` with respect to x.
  Register spline(Op op, Register x, Register z, int index, int order);
  /// Value of e at `instant` out of delay buffer `buffer` (the present is time()).
  Register delay(Register e, Register instant, int buffer);
  /// seven[0] = x, then f0, f1, nf, linlog, seed (constants), with spline `index` as density.
  Register invpsd(Register x, int index, std::span<const Register> f0_to_seed);
  /// The value of the case that the sign of e picks; only that case will be evaluated. Each case builds its
  /// instructions when called; all must give scalars, or all vectors.
  TapeValue select_by_sign(Register e, const std::function<TapeValue()>& negative,
                           const std::function<TapeValue()>& zero,
                           const std::function<TapeValue()>& positive);

  bool is_constant(Register r) const { return op_of(r) == Op::constant; }
  bool is_state(Register r) const {
    return op_of(r) == Op::leaf && leaves_[code_[r].a].measure == Measure::state;
  }
  double constant_value(Register r) const { return constants_[code_[r].a]; }
  int state_index(Register r) const { return leaves_[code_[r].a].index; }

  /// What time() gives while set (>= 0): a shifted time. Returns the former setting.
  Register substitute_time(Register shifted) { return std::exchange(time_, shifted); }
  /// Column of the text for the instructions made from now on. Returns the former one.
  int set_column(int column) { return hold_column_ ? column_ : std::exchange(column_, column); }
  /// While held, the column stays: instructions of an expression that another one takes in belong to the
  /// place that names it. Returns the former setting.
  bool hold_column(bool hold) { return std::exchange(hold_column_, hold); }

  /// The finished tape with these results: one scalar or one vector.
  Tape finish(const TapeValue& results, std::string text) const;

 private:
  /// Operands of an instruction under construction, compared to find equal ones.
  using Key = std::vector<int>;
  struct Group {  ///< the steering instructions of one select_by_sign()
    Register branch = -1, jump[2] = {-1, -1};
  };

  Op op_of(Register r) const { return static_cast<Op>(code_[r].op); }
  Register emit(Op op, std::span<const Register> arguments);
  Register emit_once(Op op, std::span<const Register> arguments);
  Register leaf(const Leaf& leaf);
  Register fold(Op op, std::span<const Register> arguments);
  Register simplify(Op op, std::span<const Register> arguments);
  TapeValue in_scope(const std::function<TapeValue()>& build, bool certain);
  std::vector<char> live(const TapeValue& results) const;
  std::vector<Register> arguments_of(Register r) const;

  std::vector<Instruction> code_;
  std::vector<int> columns_;
  std::vector<int> arguments_;
  std::vector<double> constants_;
  std::vector<LinearTerm> terms_;  ///< of linear sums: a = first, b = count
  std::vector<Leaf> leaves_;       ///< markers, states, counters by the model's index
  std::vector<int> splines_;
  std::vector<DelaySlot> delays_;
  std::map<Key, Register> known_;
  std::vector<Key> scope_;            ///< keys in order of making, to forget them at the end of a branch
  std::map<Register, Group> groups_;  ///< select -> its steering
  int uncertain_ = 0;                 ///< nesting of branches that may not be evaluated
  Register time_ = -1;
  int column_ = 1;
  bool hold_column_ = false;
};

}  // namespace trammel
