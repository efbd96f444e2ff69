#include "advice/range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "expression/evaluate_definitions.h"

namespace trammel {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double half_turn = std::numbers::pi;

Range hull_of(std::initializer_list<double> values) {
  return {std::min(values), std::max(values)};
}

/// 0 times an unbounded quantity is 0: the quantity is finite.
double times(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

Range product(const Range& a, const Range& b) {
  return hull_of({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
}

Range quotient(const Range& a, const Range& b) {
  return b.contains(0) ? Range{} : product(a, {1 / b.high, 1 / b.low});
}

Range magnitude_of(const Range& a) {
  if (a.low >= 0) return a;
  return a.high <= 0 ? Range{-a.high, -a.low} : Range{0, std::max(-a.low, a.high)};
}

Range power(const Range& base, const Range& exponent) {
  if (!exponent.point()) return base.low >= 0 ? Range{0, infinite} : Range{};
  const double n = exponent.low;
  if (n < 0) return quotient(Range::of(1), power(base, Range::of(-n)));
  const bool whole = n == std::floor(n), even = whole && std::fmod(n, 2) == 0;
  const Range b = even ? magnitude_of(base) : whole ? base : Range{std::max(base.low, 0.0), base.high};
  return b.high < b.low ? Range{} : Range{std::pow(b.low, n), std::pow(b.high, n)};
}

/// f of the ends of a part of the range inside the domain [from, to] of an increasing function.
template <class F>
Range increasing(const Range& x, F f, double from = -infinite, double to = infinite) {
  const Range inside{std::max(x.low, from), std::min(x.high, to)};
  return inside.low > inside.high ? Range{} : Range{f(inside.low), f(inside.high)};
}

/// Of STEP(x, x0, h0, x1, h1) and its like, which stay between h0 and h1.
Range ramp(std::span<const Range> a) {
  if (a[1].point() && a[0].high <= a[1].low) return a[2];
  if (a[3].point() && a[0].low >= a[3].high) return a[4];
  return hull(a[2], a[4]);
}

Range sum_of_waves(std::span<const Range> a, std::size_t first_wave) {
  Range sum = a[3];
  for (std::size_t k = first_wave; k < a.size(); ++k) {
    const double most = magnitude_of(a[k]).high;
    sum = {sum.low - most, sum.high + most};
  }
  return sum;
}

Range of_one(Op op, const Range& x) {
  switch (op) {
    case Op::neg:
      return {-x.high, -x.low};
    case Op::abs:
      return magnitude_of(x);
    case Op::acos:
      return {0, half_turn};
    case Op::asin:
    case Op::atan:
      return {-half_turn / 2, half_turn / 2};
    case Op::cos:
    case Op::sin:
    case Op::tanh:
      return {-1, 1};
    case Op::cosh:
      return {1, infinite};
    case Op::sinh:
      return increasing(x, [](double v) { return std::sinh(v); });
    case Op::exp:
      return increasing(x, [](double v) { return std::exp(v); });
    case Op::log:
      return increasing(
          x, [](double v) { return std::log(v); }, 0);
    case Op::log10:
      return increasing(
          x, [](double v) { return std::log10(v); }, 0);
    case Op::sqrt:
      return increasing(
          x, [](double v) { return std::sqrt(v); }, 0);
    case Op::aint:
      return increasing(x, [](double v) { return std::trunc(v); });
    case Op::anint:
      return increasing(x, [](double v) { return std::round(v); });
    default:
      return {};
  }
}

Range of_two(Op op, const Range& a, const Range& b) {
  switch (op) {
    case Op::add:
      return {a.low + b.low, a.high + b.high};
    case Op::sub:
      return {a.low - b.high, a.high - b.low};
    case Op::mul:
      return product(a, b);
    case Op::div:
      return quotient(a, b);
    case Op::pow:
      return power(a, b);
    case Op::atan2:
      return {-half_turn, half_turn};
    case Op::dim:
      return {std::max(a.low - b.high, 0.0), std::max(a.high - b.low, 0.0)};
    case Op::max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::mod: {
      const double most = std::min(magnitude_of(a).high, magnitude_of(b).high);
      return {a.low >= 0 ? 0 : -most, a.high <= 0 ? 0 : most};
    }
    case Op::sign: {
      const Range m = magnitude_of(a);
      return b.low >= 0 ? m : b.high < 0 ? Range{-m.high, -m.low} : Range{-m.high, m.high};
    }
    default:
      return {};
  }
}

Range of_many(Op op, std::span<const Range> a) {
  switch (op) {
    case Op::step:
    case Op::step5:
    case Op::havsin:
      return ramp(a);
    case Op::shf: {
      const double most = magnitude_of(a[2]).high;
      const Range b = a.size() > 5 ? a[5] : Range::of(0);
      return {b.low - most, b.high + most};
    }
    case Op::forcos:
    case Op::forsin:
      return sum_of_waves(a, 4);
    case Op::sweep:
      return {-magnitude_of(a[1]).high, magnitude_of(a[1]).high};
    case Op::impact:
      return {0, infinite};
    default:
      return {};
  }
}

}  // namespace

Range hull(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Range square(const Range& a) {
  const Range m = magnitude_of(a);
  return {m.low * m.low, m.high * m.high};
}

Range range_of(Op op, std::span<const Range> arguments) {
  const bool constant =
      std::all_of(arguments.begin(), arguments.end(), [](const Range& a) { return a.point(); });
  if (constant && op <= Op::bistop && arguments.size() <= max_op_arguments) {
    std::array<double, max_op_arguments> x{};
    for (std::size_t k = 0; k < arguments.size(); ++k) x[k] = arguments[k].low;
    EvalError error = EvalError::none;
    bool outside = false;
    const double value = functions::apply(op, x.data(), static_cast<int>(arguments.size()), TapeView(),
                                          TapeTables(), error, outside);
    return error == EvalError::none && std::isfinite(value) ? Range::of(value) : Range{};
  }
  Range range;
  if (arguments.size() == 1) range = of_one(op, arguments[0]);
  if (arguments.size() == 2) range = of_two(op, arguments[0], arguments[1]);
  if (arguments.size() > 2) range = of_many(op, arguments);
  return std::isnan(range.low) || std::isnan(range.high) ? Range{} : range;
}

}  // namespace trammel
