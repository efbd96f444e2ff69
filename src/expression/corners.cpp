#include "expression/corners.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "expression/break_points.h"

namespace trammel {

namespace {

constexpr double never = HUGE_VAL, rounding = 2.2e-16;

/// A function and two derivatives at a time; the largest value or factor on the way to it, of which its
/// rounding is; and bounds of its rounding and that of its slope, where they were asked for.
struct Sample {
  double t = 0;
  TimeDerivatives f;
  double largest = 0;
  double rounding_of_value = -1, rounding_of_slope = 0;
};

/// Searches by halving. Over an interval of length w on which f is smooth
///
///     f'(b) − f'(a) = w/2 (f''(a) + f''(b)) + O(w³)
///     f(b) − f(a)   = w/2 (f'(a) + f'(b)) − w²/12 (f''(b) − f''(a)) + O(w⁵),
///
/// (the trapezoidal rule and its correction); what a jump adds to the first, or to the second, stays when w
/// becomes small.
class Search {
 public:
  Search(const Tape& tape, const TapeTables& tables, double jump, std::vector<TimeJet>& registers)
      : tape_(tape), tables_(tables), jump_(jump), registers_(registers), is_rounded_(tape.code.size()) {
    if (registers.size() < tape.code.size()) registers.resize(tape.code.size());
    for (std::size_t k = 0; k < tape.code.size(); ++k) {
      const Instruction& i = tape.code[k];
      const Op op = static_cast<Op>(i.op);
      if (op != Op::constant) is_rounded_[k] = 1;
      if (op == Op::mul || op == Op::div) is_rounded_[i.a] = is_rounded_[i.b] = 1;
    }
  }

  double first(TimeSpan span) {
    constexpr int parts = 8;
    shortest_ = rounding * (span.end - span.begin);
    Sample a = at(span.begin);
    for (int k = 1; k <= parts && !lost_; ++k) {
      Sample b = at(span.begin + (span.end - span.begin) * k / parts);
      if (const double found = between(a, b); found < never) return found;
      a = b;
    }
    return never;
  }

 private:
  Sample at(double t) {
    constexpr int most = 4000;  // evaluations, of a function that is all rounding
    TapeInputs<TimeJet> in;
    in.time = time_jet(t);
    in.tables = tables_;
    const std::size_t count = tape_.code.size();
    std::fill_n(registers_.begin(), count, TimeJet{});  // what IF leaves out
    if (++evaluations_ > most || !evaluate(view(tape_), in, registers_.data()).ok()) lost_ = true;
    double largest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (!is_rounded_[k]) continue;
      const double value = std::fabs(derivatives(registers_[k]).value);
      if (value < HUGE_VAL) largest = std::max(largest, value);
    }
    return {t, derivatives(registers_[tape_.results[0]]), largest};
  }

  /// Rounding of all registers r, each as far as the result depends on it: of f it is u Σ |∂f/∂r| |r|, of f'
  /// u Σ (|(∂f/∂r)'| |r| + |∂f/∂r| |r'|). A power of 5,000 makes 5,000 of one.
  void find_rounding(Sample& s) {
    if (s.rounding_of_value >= 0) return;
    using Jet = Dual<double, 1>;
    const TapeView tape = view(tape_);
    slopes_.assign(tape.size, Jet{});
    adjoints_.assign(tape.size, Jet{});
    TapeInputs<Jet> in;
    in.time = Jet(s.t);
    in.time.d[0] = 1;
    in.tables = tables_;
    TapeGradient<Jet> none;
    s.rounding_of_value = 0;
    if (!evaluate(tape, in, slopes_.data()).ok()) return;
    gradient(tape, in, slopes_.data(), adjoints_.data(), 0, none);
    for (int k = 0; k < tape.size; ++k) {
      if (static_cast<Op>(tape.code[k].op) < Op::neg) continue;  // what is read is exact
      const Jet &r = slopes_[k], &by = adjoints_[k];
      s.rounding_of_value += rounding * std::fabs(by.v * r.v);
      s.rounding_of_slope += rounding * (std::fabs(by.d[0] * r.v) + std::fabs(by.v * r.d[0]));
    }
  }

  double between(Sample& a, Sample& b) {
    if (lost_ || is_smooth(a, b)) return never;
    find_rounding(a);
    find_rounding(b);
    if (is_smooth(a, b)) return never;
    const double middle = 0.5 * (a.t + b.t);
    if (b.t - a.t <= std::max(shortest_, 2 * rounding * std::fabs(middle))) return middle;
    Sample m = at(middle);
    const double left = between(a, m);
    return left < never ? left : between(m, b);
  }

  bool is_smooth(const Sample& a, const Sample& b) const {
    const double w = b.t - a.t, t = std::max(std::fabs(a.t), std::fabs(b.t));
    const auto larger = [](double x, double y) { return std::max(std::fabs(x), std::fabs(y)); };
    const double value = larger(a.largest, b.largest), slope = larger(a.f.first, b.f.first),
                 bend = larger(a.f.second, b.f.second);
    const double of_slope = b.f.first - a.f.first - 0.5 * w * (a.f.second + b.f.second);
    const double of_value =
        b.f.value - a.f.value - 0.5 * w * (a.f.first + b.f.first) + w * w / 12 * (b.f.second - a.f.second);
    constexpr double reserve = 16;  // of roundings in f
    const double in_slope = std::max(reserve * rounding * (slope + t * bend),
                                     2 * std::max(a.rounding_of_slope, b.rounding_of_slope));
    const double in_value = std::max(reserve * rounding * (value + t * slope),
                                     2 * std::max(a.rounding_of_value, b.rounding_of_value));
    return std::fabs(of_slope) <= std::max(jump_, in_slope) &&
           std::fabs(of_value) <= std::max(0.25 * jump_ * w, in_value);
  }

  const Tape& tape_;
  const TapeTables& tables_;
  const double jump_;
  double shortest_ = 0;  ///< interval that is halved
  std::vector<TimeJet>& registers_;
  std::vector<Dual<double, 1>> slopes_, adjoints_;
  std::vector<unsigned char> is_rounded_;  ///< per register: not a constant, unless it is a factor
  int evaluations_ = 0;
  bool lost_ = false;
};

/// √(x²) and powers of x² are written for those of |x|.
bool is_of_square(const Tape& tape, const Instruction& i) {
  const Instruction& argument = tape.code[i.a];
  if (static_cast<Op>(argument.op) == Op::mul) return argument.a == argument.b;
  if (static_cast<Op>(argument.op) != Op::pow) return false;
  const Instruction& exponent = tape.code[argument.b];
  return static_cast<Op>(exponent.op) == Op::constant && tape.constants[exponent.a] == 2;
}

/// Whether an operation may have a corner at a time that is no break, where what decides is not affine in
/// TIME.
bool may_have_corner(const Tape& tape, const std::vector<int>& degree, const Instruction& i) {
  switch (static_cast<Op>(i.op)) {
    case Op::atan2:
    case Op::anint:
    case Op::sign:
      return true;
    case Op::branch:
    case Op::abs:
    case Op::aint:
      return degree[i.a] > 1;
    case Op::dim:
    case Op::max:
    case Op::min:
    case Op::mod:
      return std::max(degree[i.a], degree[i.b]) > 1;
    case Op::sqrt:
    case Op::pow:
      return is_of_square(tape, i);
    default:
      return false;
  }
}

/// INTERP: the corners among its data are breaks, what is dense is meant as a smooth course. ACOS and ASIN:
/// near the ends of their range their slopes are all rounding.
bool is_left_alone(Op op) {
  return op == Op::linspl || op == Op::acos || op == Op::asin;
}

}  // namespace

bool may_have_corners(const Tape& tape) {
  const auto any = [&](const auto& property) {
    return std::any_of(tape.code.begin(), tape.code.end(), property);
  };
  const std::vector<int> degree = degrees_in_time(tape);
  return tape.only_time() && tape.uses_time && tape.delays.empty() && tape.results.size() == 1 &&
         any([&](const Instruction& i) { return may_have_corner(tape, degree, i); }) &&
         !any([](const Instruction& i) { return is_left_alone(static_cast<Op>(i.op)); });
}

double first_corner(const Tape& tape, const TapeTables& tables, TimeSpan span, double jump,
                    std::vector<TimeJet>& registers) {
  return Search(tape, tables, jump, registers).first(span);
}

}  // namespace trammel
