// Intervals: between which bounds an expression stays, as far as the deck tells.
#pragma once

#include <limits>
#include <span>

#include "expression/ops.h"

namespace trammel {

/// All numbers from low to high; unbounded where nothing is known. Enclosures, not attained bounds.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

  static Range of(double value) { return {value, value}; }
  bool point() const { return low == high; }
  bool bounded() const {
    return low > -std::numeric_limits<double>::infinity() && high < std::numeric_limits<double>::infinity();
  }
  bool contains(double value) const { return low <= value && value <= high; }
  /// Whether a value lies inside, not at an end: a quantity in the range can pass it.
  bool passes(double value) const { return low < value && value < high; }
  double width() const { return high - low; }
};

Range hull(const Range& a, const Range& b);
Range square(const Range& a);
/// Of an operation on arguments in these ranges: a superset of its values where it has one (interval
/// arithmetic; R. E. Moore, Methods and Applications of Interval Analysis, 1979, ch. 2). Arguments that are
/// points give the value itself, rounded as the interpreter rounds it.
Range range_of(Op op, std::span<const Range> arguments);

}  // namespace trammel
