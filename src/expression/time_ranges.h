// Ranges of registers of a tape over a span of TIME, by interval arithmetic (R. E. Moore, "Interval
// analysis", 1966): the value at any time of the span is in the range, which comes nearer to the values as
// the span becomes short. What samples pass over, a pulse between two of them, no range does.
#pragma once

#include <span>
#include <vector>

#include "expression/corners.h"
#include "expression/evaluate.h"

namespace trammel {

/// All numbers between two.
struct ValueRange {
  double low = 0, high = 0;
  double width() const { return high - low; }
  bool is_point() const { return low == high; }
  bool known() const { return width() - width() == 0; }
};

/// Per register, whether it is a function of TIME whose ranges are computed here. of_time: per entry of
/// Tape::states, whether it is one, too, with ranges that are given.
std::vector<unsigned char> have_ranges(const Tape& tape, const std::vector<unsigned char>& of_time);

/// Per register, whether it is a whole function of TIME: it has ranges, and is a result or read in dynamics
/// by another that has none. Histories have points of their own for what DELAY looks back at.
std::vector<unsigned char> whole_functions(const Tape& tape, const std::vector<unsigned char>& with_ranges);

/// Per register, whether all that reads it adds it to the results of the tape, or takes it away, so that it
/// has their unit.
std::vector<unsigned char> added_to_results(const Tape& tape);

/// Registers with ranges that are not affine in TIME and decide in an IF, or in SIGN, of a tape that reads
/// more than TIME: of others expression/corners.h finds where they jump.
std::vector<int> switches_in_time(const Tape& tape, const std::vector<unsigned char>& with_ranges);

/// Per register with ranges, whether a pulse may lie between times at which it has no break
/// (expression/break_points.h): SIN, EXP, splines, steps of what is not affine, powers beyond the third and
/// the like are in it. Cubics have none, nor does what only steps between breaks.
std::vector<unsigned char> may_have_pulses(const Tape& tape, const std::vector<unsigned char>& with_ranges);

/// The registers that one is computed from, itself the last, without constants.
std::vector<int> registers_behind(const Tape& tape, int result);

/// Per register, where ranges_over() leaves them: constants.
std::vector<ValueRange> ranges_of_constants(const Tape& tape);

/// The ranges of registers, which have ranges, over a span; all numbers where a function has no value in part
/// of it. states: ranges of Tape::states; registers: at first ranges_of_constants().
void ranges_over(const Tape& tape, const TapeTables& tables, std::span<const int> behind, TimeSpan span,
                 std::span<const ValueRange> states, std::span<ValueRange> registers);

}  // namespace trammel
