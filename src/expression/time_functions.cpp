// Which registers of a tape are functions of TIME with ranges (expression/time_ranges.h), and what these are
// to the tape: whole ones, summands of its results, what may have pulses, what decides.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "expression/arguments.h"
#include "expression/break_points.h"
#include "expression/evaluate_definitions.h"
#include "expression/time_ranges.h"

namespace trammel {

namespace {

bool is_in(Op op, std::initializer_list<Op> list) {
  return std::find(list.begin(), list.end(), op) != list.end();
}
bool is_spline(Op op) {
  return is_in(op, {Op::akispl, Op::cubspl, Op::linspl});
}
/// Operations that range_of() knows nothing of.
bool has_no_range(Op op) {
  return is_in(op,
               {Op::branch, Op::jump, Op::atan2, Op::impact, Op::bistop, Op::delay, Op::invpsd, Op::user});
}
/// Whether an instruction reads values of a spline, or slopes of one without jumps.
bool reads_known_order(const Tape& tape, const Instruction& i) {
  const Instruction& order = tape.code[argument_of(tape, i, 3)];
  if (static_cast<Op>(order.op) != Op::constant) return false;
  return tape.constants[order.a] == 0 ||
         (tape.constants[order.a] == 1 && static_cast<Op>(i.op) != Op::linspl);
}

/// Whether an operation itself makes pulses of arguments of these degrees in TIME.
bool makes_pulses(const Tape& tape, const Instruction& i, const std::vector<int>& degree) {
  const Op op = static_cast<Op>(i.op);
  const auto degree_of = [&](int k) { return degree[argument_of(tape, i, k)]; };
  if (is_in(op, {Op::neg, Op::add, Op::sub, Op::mul})) return false;
  if (op == Op::div) return degree_of(1) > 0;
  constexpr int cubic = 3;  // of higher powers a part between ends may be all there is
  if (op == Op::poly) return i.n - 2 > cubic + 1;
  if (op == Op::pow) {
    const Instruction& exponent = tape.code[argument_of(tape, i, 1)];
    if (static_cast<Op>(exponent.op) != Op::constant) return true;
    const double n = tape.constants[exponent.a];
    return n < 0 || n > cubic || n != std::floor(n);
  }
  const bool has_breaks = is_in(op, {Op::abs, Op::aint, Op::dim, Op::max, Op::min, Op::mod, Op::step,
                                     Op::step5, Op::havsin, Op::select});
  if (!has_breaks) return true;
  // Of IF the expression that decides; of STEP and its like what is stepped, and between where.
  const int deciding = op == Op::select ? 1 : i.n;
  for (int k = 0; k < deciding; ++k)
    if (degree_of(k) > 1) return true;
  return false;
}

}  // namespace

std::vector<unsigned char> have_ranges(const Tape& tape, const std::vector<unsigned char>& of_time) {
  std::vector<unsigned char> out(tape.code.size(), 0);
  for (std::size_t r = 0; r < out.size(); ++r) {
    const Instruction& i = tape.code[r];
    const Op op = static_cast<Op>(i.op);
    if (op == Op::constant) {
      out[r] = 1;
    } else if (op == Op::leaf) {
      const Leaf& leaf = tape.leaves[i.a];
      out[r] = leaf.measure == Measure::time || leaf.measure == Measure::mode ||
               (leaf.measure == Measure::state && of_time[leaf.index]);
    } else if (op == Op::linear) {
      out[r] =
          std::all_of(of_time.begin() + i.c, of_time.begin() + i.c + i.b, [](auto of) { return of != 0; });
    } else if (!has_no_range(op)) {
      out[r] = !is_spline(op) || reads_known_order(tape, i);
      for (int k = 0; k < i.n; ++k) out[r] = out[r] && out[argument_of(tape, i, k)];
    }
  }
  return out;
}

std::vector<unsigned char> whole_functions(const Tape& tape, const std::vector<unsigned char>& with_ranges) {
  const std::vector<int> degree = degrees_in_time(tape);
  std::vector<ValueRange> registers = ranges_of_constants(tape);
  std::vector<unsigned char> out(tape.code.size(), 0);
  for (std::size_t r = 0; r < out.size(); ++r) {
    const Instruction& i = tape.code[r];
    const Op op = static_cast<Op>(i.op);
    if (with_ranges[r] || op == Op::branch || op == Op::delay) continue;
    int first = 0, last = i.n - 1;
    if (op == Op::select && with_ranges[argument_of(tape, i, 0)]) {
      const int e = argument_of(tape, i, 0);
      first = 1;
      if (degree[e] == 0) {  // nothing but MODE decides
        ranges_over(tape, {}, registers_behind(tape, e), {0, 0}, {}, registers);
        first = last = functions::chosen(registers[e].low);
      }
    }
    for (int k = first; k <= last; ++k) out[argument_of(tape, i, k)] = 1;
  }
  for (const int r : tape.results) out[r] = 1;
  for (std::size_t r = 0; r < out.size(); ++r) out[r] = out[r] && with_ranges[r];
  return out;
}

std::vector<unsigned char> added_to_results(const Tape& tape) {
  std::vector<unsigned char> added(tape.code.size(), 0), read_otherwise(tape.code.size(), 0);
  for (const int r : tape.results) added[r] = 1;
  for (int r = static_cast<int>(tape.code.size()) - 1; r >= 0; --r) {
    const Instruction& i = tape.code[r];
    const Op op = static_cast<Op>(i.op);
    added[r] = added[r] && !read_otherwise[r];
    for (int k = 0; k < i.n; ++k) {
      const bool adds = added[r] && (is_in(op, {Op::neg, Op::add, Op::sub}) || (op == Op::select && k > 0));
      (adds ? added : read_otherwise)[argument_of(tape, i, k)] = 1;
    }
  }
  return added;
}

std::vector<int> switches_in_time(const Tape& tape, const std::vector<unsigned char>& with_ranges) {
  const std::vector<int> degree = degrees_in_time(tape);
  std::vector<int> out;
  for (std::size_t r = 0; r < tape.code.size(); ++r) {
    const Instruction& i = tape.code[r];
    const Op op = static_cast<Op>(i.op);
    if ((op != Op::select && op != Op::sign) || tape.only_time()) continue;
    if (const int e = argument_of(tape, i, op == Op::sign ? 1 : 0); with_ranges[e] && degree[e] > 1)
      out.push_back(e);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<unsigned char> may_have_pulses(const Tape& tape, const std::vector<unsigned char>& with_ranges) {
  const std::vector<int> degree = degrees_in_time(tape);
  std::vector<unsigned char> out(tape.code.size(), 0);
  for (std::size_t r = 0; r < out.size(); ++r) {
    const Instruction& i = tape.code[r];
    const Op op = static_cast<Op>(i.op);
    if (!with_ranges[r] || degree[r] == 0 || op == Op::leaf || op == Op::linear) continue;
    out[r] = makes_pulses(tape, i, degree);
    for (int k = 0; k < i.n; ++k) out[r] = out[r] || out[argument_of(tape, i, k)];
  }
  return out;
}

std::vector<int> registers_behind(const Tape& tape, int result) {
  std::vector<unsigned char> needed(tape.code.size(), 0);
  std::vector<int> out;
  needed[result] = 1;
  for (int r = result; r >= 0; --r) {
    const Instruction& i = tape.code[r];
    if (!needed[r] || static_cast<Op>(i.op) == Op::constant) continue;
    out.push_back(r);
    for (int k = 0; k < i.n; ++k) needed[argument_of(tape, i, k)] = 1;
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace trammel
