#include "expression/time_ranges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "expression/arguments.h"
#include "expression/evaluate_definitions.h"

namespace trammel {

namespace {

constexpr double never = HUGE_VAL, pi = functions::pi;
constexpr ValueRange everything{-never, never};

ValueRange point(double x) {
  return {x, x};
}
ValueRange joined(const ValueRange& a, const ValueRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
ValueRange operator-(const ValueRange& a) {
  return {-a.high, -a.low};
}
ValueRange operator+(const ValueRange& a, const ValueRange& b) {
  return {a.low + b.low, a.high + b.high};
}
ValueRange operator-(const ValueRange& a, const ValueRange& b) {
  return a + -b;
}
ValueRange operator*(const ValueRange& a, const ValueRange& b) {
  if (!a.known() || !b.known()) return everything;
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}
ValueRange operator/(const ValueRange& a, const ValueRange& b) {
  if (b.low <= 0 && b.high >= 0) return everything;
  return a * ValueRange{1 / b.high, 1 / b.low};
}
ValueRange size_of(const ValueRange& x) {
  if (x.low >= 0) return x;
  return x.high <= 0 ? -x : ValueRange{0, std::max(-x.low, x.high)};
}
ValueRange largest(const ValueRange& a, const ValueRange& b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}

/// Of a function that rises, defined from `from` to `to`.
template <class F>
ValueRange rising(const ValueRange& x, F f, double from = -never, double to = never) {
  return x.low >= from && x.high <= to ? ValueRange{f(x.low), f(x.high)} : everything;
}

/// cos has its maxima at multiples of 2π, its minima half of that behind.
ValueRange cosine(const ValueRange& x) {
  if (!x.known()) return {-1, 1};
  if (x.is_point()) return point(std::cos(x.low));
  const auto holds = [&](double at) {
    return std::floor((x.high - at) / (2 * pi)) >= std::ceil((x.low - at) / (2 * pi));
  };
  const auto [low, high] = std::minmax({std::cos(x.low), std::cos(x.high)});
  return {holds(pi) ? -1 : low, holds(0) ? 1 : high};
}
ValueRange sine(const ValueRange& x) {
  return cosine(x - point(pi / 2));
}

ValueRange power(const ValueRange& base, const ValueRange& exponent) {
  if (!exponent.is_point()) {
    if (!(base.low > 0)) return everything;
    return rising(exponent * ValueRange{std::log(base.low), std::log(base.high)},
                  [](double x) { return std::exp(x); });
  }
  const double n = exponent.low;
  if (n == 2) return rising(size_of(base), [](double x) { return x * x; });
  if (n < 0) return point(1) / power(base, point(-n));
  const auto of = [n](double x) { return std::pow(x, n); };
  if (n != std::floor(n)) return rising(base, of, 0);
  return std::fmod(n, 2) == 0 ? rising(size_of(base), of) : rising(base, of);
}

/// x − m AINT(x/m), with the sign of x.
ValueRange remainder(const ValueRange& x, const ValueRange& m) {
  const double size = std::fabs(m.low);
  if (!m.is_point() || size == 0 || !x.known()) return everything;
  if (std::trunc(x.low / size) == std::trunc(x.high / size) && (x.low < 0) == (x.high < 0)) {
    const double multiple = size * std::trunc(x.low / size);
    return x - point(multiple);
  }
  return {x.low < 0 ? -size : 0, x.high > 0 ? size : 0};
}

ValueRange polynomial(const ValueRange& u, const ValueRange* a, int n) {
  ValueRange sum = a[n - 1];
  for (int j = n - 2; j >= 0; --j) sum = sum * u + a[j];
  return sum;
}
/// T_j(u) = cos(j arccos u) within [−1, 1].
ValueRange chebyshev(const ValueRange& u, const ValueRange* a, int n) {
  if (u.low < -1 || u.high > 1) return everything;
  const ValueRange angle{std::acos(u.high), std::acos(u.low)};
  ValueRange sum = a[0];
  for (int j = 1; j < n; ++j) sum = sum + a[j] * cosine(point(j) * angle);
  return sum;
}
ValueRange fourier(const ValueRange& angle, const ValueRange* a, int n, bool of_sines) {
  ValueRange sum = a[0];
  for (int j = 1; j < n; ++j) {
    const ValueRange multiple = point(j) * angle;
    sum = sum + a[j] * (of_sines ? sine(multiple) : cosine(multiple));
  }
  return sum;
}

/// A cubic between two points, of which values and slopes are known: it lies between the control points of
/// its Bézier form.
ValueRange of_cubic(double width, double y0, double slope0, double y1, double slope1) {
  const auto [low, high] = std::minmax({y0, y0 + slope0 * width / 3, y1 - slope1 * width / 3, y1});
  return {low, high};
}

/// Its slope, between the control points of that.
ValueRange of_slope(double width, double y0, double slope0, double y1, double slope1) {
  if (!(width > 0)) return point(slope0);
  const double middle = 3 * (y1 - y0) / width - slope0 - slope1;
  const auto [low, high] = std::minmax({slope0, middle, slope1});
  return {low, high};
}

/// One curve of a spline, or its slope: of order 0 or 1.
class CurveRange {
 public:
  CurveRange(const SplineView& spline, int row, SplineKind kind, int order)
      : s_(spline), row_(row), kind_(kind), cubic_(order == 0 ? of_cubic : of_slope) {}

  ValueRange over(const ValueRange& x) const {
    const auto first = static_cast<int>(std::upper_bound(s_.x, s_.x + s_.nx, x.low) - s_.x),
               last = static_cast<int>(std::lower_bound(s_.x, s_.x + s_.nx, x.high) - s_.x) - 1;
    if (first > last) return part(x.low, x.high);  // no point between the ends
    ValueRange out = joined(part(x.low, s_.x[first]), part(s_.x[last], x.high));
    for (int k = first; k < last; ++k) out = joined(out, piece(k));
    return out;
  }

 private:
  /// Between two neighbouring points.
  ValueRange piece(int k) const {
    const double* y = s_.y + row_ * s_.nx + k;
    if (kind_ == SplineKind::straight || s_.straight) {
      const double width = s_.x[k + 1] - s_.x[k], chord = (y[1] - y[0]) / width;
      return cubic_(width, y[0], chord, y[1], chord);
    }
    const double* slope = (kind_ == SplineKind::akima ? s_.akima : s_.cubic) + row_ * s_.nx + k;
    return cubic_(s_.x[k + 1] - s_.x[k], y[0], slope[0], y[1], slope[1]);
  }
  /// A part of such a piece, or of what is beyond the data. Slopes are those inside of it: straight lines
  /// have others behind each point.
  ValueRange part(double from, double to) const {
    const bool jumps = kind_ == SplineKind::straight || s_.straight;
    const double inside = jumps ? 1e-9 * (to - from) : 0;
    return cubic_(to - from, at(from, 0), at(from + inside, 1), at(to, 0), at(to - inside, 1));
  }
  double at(double x, int order) const { return functions::curve_value(s_, row_, kind_, x, order); }

  const SplineView& s_;
  const int row_;
  const SplineKind kind_;
  ValueRange (*const cubic_)(double width, double y0, double slope0, double y1, double slope1);
};

/// AKISPL, CUBSPL, INTERP with (x, z, table, order of derivative); of a surface at one z.
ValueRange spline_range(Op op, const ValueRange* x, const Tape& tape, const TapeTables& tables) {
  const SplineView& s = tables.splines[tape.splines[static_cast<int>(x[2].low)]];
  const SplineKind kind = op == Op::akispl   ? SplineKind::akima
                          : op == Op::cubspl ? SplineKind::cubic
                                             : SplineKind::straight;
  const int order = static_cast<int>(x[3].low);
  if (!x[0].known()) return everything;
  if (s.nz < 2) return CurveRange(s, 0, kind, order).over(x[0]);
  if (!x[1].is_point()) return everything;
  const int k = functions::interval_of(s.z, s.nz, x[1].low);
  const double part = (x[1].low - s.z[k]) / (s.z[k + 1] - s.z[k]);
  return point(1 - part) * CurveRange(s, k, kind, order).over(x[0]) +
         point(part) * CurveRange(s, k + 1, kind, order).over(x[0]);
}

/// STEP and its like from (0, 0) to (1, 1), which rise.
ValueRange unit_step(Op op, const ValueRange& u, const Tape& tape, const TapeTables& tables) {
  return rising(u, [&](double at) {
    const double x[] = {at, 0, 0, 1, 1};
    EvalError error = EvalError::none;
    bool outside = false;
    return functions::apply(op, x, 5, view(tape), tables, error, outside);
  });
}

/// Cycles of SWEEP(x, a, x0, f0, x1, f1, dx): they rise or fall, and turn back where the frequency changes
/// its sign. A whole one where frequencies are no numbers.
ValueRange sweep_cycles(const ValueRange& x, const ValueRange& x0, const ValueRange& f0, const ValueRange& x1,
                        const ValueRange& f1) {
  for (const ValueRange* number : {&x0, &f0, &x1, &f1})
    if (!number->is_point()) return {0, 1};
  if (!x.known() || !(x0.low < x1.low)) return {0, 1};
  const auto at = [&](double place) {
    const double swept = std::clamp(place, x0.low, x1.low) - x0.low, beyond = std::max(place - x1.low, 0.0);
    return f0.low * place + (f1.low - f0.low) * (swept * swept / (2 * (x1.low - x0.low)) + beyond);
  };
  const double begin = at(x.low), end = at(x.high);
  ValueRange out{std::min(begin, end), std::max(begin, end)};
  const double turn = x0.low + (x1.low - x0.low) * f0.low / (f0.low - f1.low);
  if (f0.low * f1.low < 0 && turn > x.low && turn < x.high)
    out = {std::min(out.low, at(turn)), std::max(out.high, at(turn))};
  return out;
}

/// Functions that are not elementary.
ValueRange shape_range(Op op, const ValueRange* x, int n, const Tape& tape, const TapeTables& tables) {
  switch (op) {
    case Op::step:
    case Op::step5:
    case Op::havsin:
      return x[2] + (x[4] - x[2]) * unit_step(op, (x[0] - x[1]) / (x[3] - x[1]), tape, tables);
    case Op::poly:
      return polynomial(x[0] - x[1], x + 2, n - 2);
    case Op::shf:
      return x[2] * sine(x[3] * (x[0] - x[1]) - x[4]) + (n > 5 ? x[5] : point(0));
    case Op::cheby:
      return chebyshev(x[0] - x[1], x + 2, n - 2);
    case Op::forcos:
    case Op::forsin:
      return fourier(x[2] * (x[0] - x[1]), x + 3, n - 3, op == Op::forsin);
    case Op::sweep:
      return x[1] * unit_step(Op::step5, (x[0] - x[2]) / x[6], tape, tables) *
             sine(point(2 * std::numbers::pi) * sweep_cycles(x[0], x[2], x[3], x[4], x[5]));
    case Op::akispl:
    case Op::cubspl:
    case Op::linspl:
      return spline_range(op, x, tape, tables);
    default:
      return everything;
  }
}

ValueRange elementary_range(Op op, const ValueRange* x, int n, const Tape& tape, const TapeTables& tables) {
  const auto apply = [](double (*f)(double)) { return [f](double y) { return f(y); }; };
  switch (op) {
    case Op::acos:
      return -rising(
          x[0], [](double y) { return -std::acos(y); }, -1, 1);
    case Op::asin:
      return rising(x[0], apply(std::asin), -1, 1);
    case Op::atan:
      return rising(x[0], apply(std::atan));
    case Op::cos:
      return cosine(x[0]);
    case Op::sin:
      return sine(x[0]);
    case Op::tan:
      return sine(x[0]) / cosine(x[0]);
    case Op::cosh:
      return rising(size_of(x[0]), apply(std::cosh));
    case Op::sinh:
      return rising(x[0], apply(std::sinh));
    case Op::tanh:
      return rising(x[0], apply(std::tanh));
    case Op::exp:
      return rising(x[0], apply(std::exp));
    case Op::log:
      return x[0].low > 0 ? rising(x[0], apply(std::log)) : everything;
    case Op::log10:
      return x[0].low > 0 ? rising(x[0], apply(std::log10)) : everything;
    case Op::sqrt:
      return rising(x[0], apply(std::sqrt), 0);
    default:
      return shape_range(op, x, n, tape, tables);
  }
}

/// ValueRange of one operation on the ranges x of its n arguments.
ValueRange range_of(Op op, const ValueRange* x, int n, const Tape& tape, const TapeTables& tables) {
  switch (op) {
    case Op::neg:
      return -x[0];
    case Op::add:
      return x[0] + x[1];
    case Op::sub:
      return x[0] - x[1];
    case Op::mul:
      return x[0] * x[1];
    case Op::div:
      return x[0] / x[1];
    case Op::pow:
      return power(x[0], x[1]);
    case Op::abs:
      return size_of(x[0]);
    case Op::aint:
      return rising(x[0], [](double y) { return std::trunc(y); });
    case Op::anint:
      return rising(x[0], [](double y) { return std::round(y); });
    case Op::dim:
      return largest(x[0] - x[1], point(0));
    case Op::max:
      return largest(x[0], x[1]);
    case Op::min:
      return -largest(-x[0], -x[1]);
    case Op::mod:
      return remainder(x[0], x[1]);
    case Op::sign: {
      const ValueRange size = size_of(x[0]);
      return x[1].low >= 0 ? size : x[1].high < 0 ? -size : joined(-size, size);
    }
    case Op::select:
      if (x[0].high < 0) return x[1];
      if (x[0].low > 0) return x[3];
      if (x[0].is_point()) return x[2];
      return joined(joined(x[1], x[3]), x[2]);
    default:
      return elementary_range(op, x, n, tape, tables);
  }
}

}  // namespace

std::vector<ValueRange> ranges_of_constants(const Tape& tape) {
  std::vector<ValueRange> out(tape.code.size(), everything);
  for (std::size_t r = 0; r < out.size(); ++r)
    if (const Instruction& i = tape.code[r]; static_cast<Op>(i.op) == Op::constant)
      out[r] = point(tape.constants[i.a]);
  return out;
}

void ranges_over(const Tape& tape, const TapeTables& tables, std::span<const int> behind, TimeSpan span,
                 std::span<const ValueRange> states, std::span<ValueRange> registers) {
  constexpr double dynamics = 4;  // MODE
  for (const int r : behind) {
    const Instruction& i = tape.code[r];
    const Op op = static_cast<Op>(i.op);
    if (op == Op::leaf) {
      const Leaf& leaf = tape.leaves[i.a];
      registers[r] = leaf.measure == Measure::time   ? ValueRange{span.begin, span.end}
                     : leaf.measure == Measure::mode ? point(dynamics)
                                                     : states[leaf.index];
    } else if (op == Op::linear) {
      ValueRange sum = point(0);
      for (int k = 0; k < i.b; ++k) sum = sum + point(tape.coefficients[i.a + k]) * states[i.c + k];
      registers[r] = sum;
    } else {
      ValueRange x[max_op_arguments];
      for (int k = 0; k < i.n; ++k) x[k] = registers[argument_of(tape, i, k)];
      const ValueRange y = range_of(op, x, i.n, tape, tables);
      registers[r] = y.known() ? y : everything;
    }
  }
}

}  // namespace trammel
