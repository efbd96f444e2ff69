// Builds a tape instruction by instruction: constant folding, reuse of equal instructions, removal of unused
// ones.
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

/// A register of the tape under construction. Valid for its builder, inside the branch of select_by_sign() in
/// which it was made and in branches nested in that.
using Register = int;

/// A term of TapeBuilder::linear(): factor × scalar state of the model.
struct LinearTerm {
  double factor = 0;
  int state = 0;
};

/// A scalar (r[0]) or a vector (r[0..2], in the axes that its function documents, usually global).
struct TapeValue {
  bool vector = false;
  std::array<Register, 3> r{-1, -1, -1};

  static TapeValue scalar(Register r) { return {false, {r, -1, -1}}; }
  int size() const { return vector ? 3 : 1; }
};

class TapeBuilder {
 public:
  // ---- leaves. Indices are the model's: marker table (0 = ground), scalar states, revolution counters,
  // spline tables, delay buffers.
  Register constant(double value);
  Register time();
  Register mode();
  Register state(int index);
  Register rate(int index);
  /// Σ factor × state over the terms, as one instruction with 12 bytes per term; 0 without terms.
  Register linear(std::span<const LinearTerm> terms);
  /// DX ... ORIENT; unused markers are ignored. angle_counter: the revolution counter of AX, AY, AZ.
  Register measure(Measure measure, int i, int j = 0, int k = 0, int l = 0, int component = 0,
                   int angle_counter = -1);

  // ---- operations
  /// Any pure operation (from Op::neg to Op::bistop). Constant arguments are folded; throws ExpressionError
  /// when that has no value and the instruction is certain to be executed.
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
  /// Akima or cubic spline (Op::akispl, Op::cubspl) or straight lines (Op::linspl) of table `index` at (x,
  /// z), derivative `order` with respect to x.
  Register spline(Op op, Register x, Register z, int index, int order);
  /// Value of e at time `instant`, from delay buffer `buffer` (the present time is time()).
  Register delay(Register e, Register instant, int buffer);
  /// seven[0] = x, then f0, f1, nf, linlog, seed (constants), with spline `index` as density.
  Register invpsd(Register x, int index, std::span<const Register> f0_to_seed);
  /// Result `number` of user code of these arguments.
  Register user(const UserFunction& function, int number, std::span<const Register> arguments);
  /// The value of the case selected by the sign of e; only that case will be evaluated. Each function builds
  /// the instructions of its case; all must return scalars, or all vectors.
  TapeValue select_by_sign(Register e, const std::function<TapeValue()>& negative,
                           const std::function<TapeValue()>& zero,
                           const std::function<TapeValue()>& positive);

  bool is_constant(Register r) const { return op_of(r) == Op::constant; }
  bool is_state(Register r) const {
    return op_of(r) == Op::leaf && leaves_[code_[r].a].measure == Measure::state;
  }
  double constant_value(Register r) const { return constants_[code_[r].a]; }
  int state_index(Register r) const { return leaves_[code_[r].a].index; }

  /// The register that time() returns while set (>= 0): a shifted time. Returns the former setting.
  Register substitute_time(Register shifted) { return std::exchange(time_, shifted); }
  /// Sets the column of the text for subsequent instructions. Returns the former one.
  int set_column(int column) { return hold_column_ ? column_ : std::exchange(column_, column); }
  /// While held, the column does not change: instructions of a referenced expression get the column of the
  /// reference. Returns the former setting.
  bool hold_column(bool hold) { return std::exchange(hold_column_, hold); }

  /// The finished tape; its results are one scalar or one vector.
  Tape finish(const TapeValue& results, std::string text) const;

 private:
  /// Operands of an instruction under construction, compared to find equal ones.
  using Key = std::vector<int>;
  struct Group {  ///< the control instructions of one select_by_sign()
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
  std::vector<LinearTerm> terms_;  ///< of linear sums, whose operands are a = first, b = count
  std::vector<Leaf> leaves_;       ///< markers, states, counters by the model's index
  std::vector<int> splines_;
  std::vector<DelaySlot> delays_;
  std::vector<const UserFunction*> users_;
  std::map<Key, Register> known_;
  std::vector<Key> scope_;            ///< keys in order of creation, removed at the end of a branch
  std::map<Register, Group> groups_;  ///< select -> its control instructions
  int uncertain_ = 0;                 ///< nesting depth of branches that may not be evaluated
  Register time_ = -1;
  int column_ = 1;
  bool hold_column_ = false;
};

}  // namespace trammel
