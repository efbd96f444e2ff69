#include "expression/ops.h"

namespace trammel {

namespace {
constexpr OpInfo table[] = {
    {Op::constant, "constant", 0, 0},
    {Op::leaf, "leaf", 0, 0},
    {Op::linear, "sum", 0, 0},
    {Op::branch, "branch", 1, 1},
    {Op::jump, "jump", 0, 0},
    {Op::select, "IF", 4, 4},
    {Op::neg, "-", 1, 1},
    {Op::add, "+", 2, 2},
    {Op::sub, "-", 2, 2},
    {Op::mul, "*", 2, 2},
    {Op::div, "/", 2, 2},
    {Op::pow, "**", 2, 2},
    {Op::abs, "ABS", 1, 1},
    {Op::acos, "ACOS", 1, 1},
    {Op::asin, "ASIN", 1, 1},
    {Op::atan, "ATAN", 1, 1},
    {Op::atan2, "ATAN2", 2, 2},
    {Op::cos, "COS", 1, 1},
    {Op::sin, "SIN", 1, 1},
    {Op::tan, "TAN", 1, 1},
    {Op::cosh, "COSH", 1, 1},
    {Op::sinh, "SINH", 1, 1},
    {Op::tanh, "TANH", 1, 1},
    {Op::exp, "EXP", 1, 1},
    {Op::log, "LOG", 1, 1},
    {Op::log10, "LOG10", 1, 1},
    {Op::sqrt, "SQRT", 1, 1},
    {Op::aint, "AINT", 1, 1},
    {Op::anint, "ANINT", 1, 1},
    {Op::dim, "DIM", 2, 2},
    {Op::max, "MAX", 2, 2},
    {Op::min, "MIN", 2, 2},
    {Op::mod, "MOD", 2, 2},
    {Op::sign, "SIGN", 2, 2},
    {Op::step, "STEP", 5, 5},
    {Op::step5, "STEP5", 5, 5},
    {Op::havsin, "HAVSIN", 5, 5},
    {Op::poly, "POLY", 3, 33},
    {Op::shf, "SHF", 5, 6},
    {Op::cheby, "CHEBY", 3, 33},
    {Op::forcos, "FORCOS", 4, 34},
    {Op::forsin, "FORSIN", 4, 34},
    {Op::sweep, "SWEEP", 7, 7},
    {Op::impact, "IMPACT", 7, 7},
    {Op::bistop, "BISTOP", 8, 8},
    {Op::akispl, "AKISPL", 4, 4},
    {Op::cubspl, "CUBSPL", 4, 4},
    {Op::linspl, "INTERP", 4, 4},
    {Op::delay, "DELAY", 4, 4},
    {Op::invpsd, "INVPSD", 7, 7},
    {Op::user, "USER", 3, 65535},
};

constexpr bool in_order() {
  for (int k = 0; k < static_cast<int>(Op::count); ++k)
    if (static_cast<int>(table[k].op) != k) return false;
  return true;
}
static_assert(sizeof table / sizeof table[0] == static_cast<std::size_t>(Op::count));
static_assert(in_order(), "op_table() must follow the order of Op");
}  // namespace

std::span<const OpInfo> op_table() {
  return table;
}

}  // namespace trammel
