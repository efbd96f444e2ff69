// The one table of operations of the expression interpreter.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace trammel {

/// What an instruction does. The first group gives inputs and steers the interpreter, the second are pure
/// functions of their arguments, the third also read a table (spline, delay buffer).
enum class Op : std::uint16_t {
  constant,  ///< a = position in Tape::constants
  leaf,      ///< a = position in Tape::leaves
  linear,    ///< Σ x s over b terms: x from place a in Tape::coefficients, s from place c in Tape::states
  branch,    ///< on register a: < 0 go on, = 0 jump to b, > 0 jump to c
  jump,      ///< to a
  select,    ///< arguments e, x, y, z: x if e < 0, y if e = 0, z if e > 0

  neg,
  add,
  sub,
  mul,
  div,
  pow,
  abs,
  acos,
  asin,
  atan,
  atan2,
  cos,
  sin,
  tan,
  cosh,
  sinh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  aint,
  anint,
  dim,
  max,
  min,
  mod,
  sign,
  step,
  step5,
  havsin,
  poly,
  shf,
  cheby,
  forcos,
  forsin,
  sweep,
  impact,
  bistop,

  akispl,
  cubspl,  ///< arguments x, z, position in Tape::splines, order of derivative
  delay,   ///< arguments e, instant looked at, TIME, position in Tape::delays
  invpsd,  ///< arguments x, position in Tape::splines, f0, f1, nf, linlog, seed
  count
};

/// A row of the table. Arguments are counted as registers.
struct OpInfo {
  Op op;
  std::string_view name;
  int min_arguments, max_arguments;
};

constexpr int max_op_arguments = 34;  ///< FORCOS(x, x0, w, a0..a30)

/// All operations, in the order of `Op`.
std::span<const OpInfo> op_table();
inline bool is_function(Op op) {
  return op >= Op::neg;
}

}  // namespace trammel
