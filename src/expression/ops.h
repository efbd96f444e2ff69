// The table of operations of the expression interpreter.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace trammel {

/// Operations of instructions: first inputs and control flow, then pure functions of the arguments, then
/// functions that also read a table (spline, delay buffer).
enum class Op : std::uint16_t {
  constant,  ///< a = index in Tape::constants
  leaf,      ///< a = index in Tape::leaves
  linear,    ///< Σ x s over b terms: x from index a on in Tape::coefficients, s from c on in Tape::states
  branch,    ///< on register a: < 0 continue, = 0 jump to b, > 0 jump to c
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
  cubspl,
  linspl,  ///< these three: arguments x, z, index in Tape::splines, order of derivative
  delay,   ///< arguments e, past time, TIME, index in Tape::delays
  invpsd,  ///< arguments x, index in Tape::splines, f0, f1, nf, linlog, seed
  user,    ///< user code: arguments of it, TIME, index in Tape::users, number of the result
  count
};

/// A row of the table. Numbers of arguments are numbers of registers.
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
