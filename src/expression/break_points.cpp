#include "expression/break_points.h"

#include <algorithm>
#include <cmath>

#include "expression/arguments.h"
#include "expression/ops.h"

namespace trammel {

namespace {

constexpr double never = HUGE_VAL;

/// A register from the time t on: u + slope (time − t) where `known`, until the time `until`.
struct Course {
  double u = 0, slope = 0, until = never;
  bool known = false;
  bool constant() const { return known && slope == 0; }
};

/// Follows the registers of a tape from a time on. IF needs no jumps: each branch is followed.
class Follower {
 public:
  Follower(const Tape& tape, std::span<const SplineTable> splines, double t, int derivatives)
      : tape_(tape), splines_(splines), t_(t), derivatives_(derivatives), course_(tape.code.size()) {}

  double next() {
    for (std::size_t k = 0; k < tape_.code.size(); ++k) course_[k] = follow(tape_.code[k]);
    double first = never;
    for (const int r : tape_.results) first = std::min(first, course_[r].until);
    return first;
  }

 private:
  const Course& argument(const Instruction& i, int k) const { return course_[argument_of(tape_, i, k)]; }

  /// Where the difference a − b, seen from just after t, is: −1, 0, 1. `until` becomes the time of its zero.
  int side(const Course& a, const Course& b, double& until) const {
    const double d = a.u - b.u, slope = a.slope - b.slope;
    const double size = std::fabs(a.u) + std::fabs(b.u) + std::fabs(slope * t_);
    if (std::fabs(d) <= 8e-16 * size) return slope > 0 ? 1 : slope < 0 ? -1 : 0;
    const double wait = -d / slope;
    if (wait > 0) until = std::min(until, t_ + wait);
    return d > 0 ? 1 : -1;
  }
  /// The same of a course and a number.
  int side(const Course& a, double b, double& until) const { return side(a, {b, 0, never, true}, until); }

  Course follow(const Instruction& i) const {
    const Op op = static_cast<Op>(i.op);
    if (op == Op::constant) return {tape_.constants[i.a], 0, never, true};
    if (op == Op::leaf && tape_.leaves[i.a].measure == Measure::time) return {t_, 1, never, true};
    if (op == Op::leaf || op == Op::linear || op == Op::branch || op == Op::jump) return {};
    Course out;
    if (op == Op::select) return chosen(i);
    for (int k = 0; k < i.n; ++k) out.until = std::min(out.until, argument(i, k).until);
    arithmetic(op, i, out);
    pieces(op, i, out);
    return out;
  }

  /// IF: the branch that is taken after t, until the sign changes.
  Course chosen(const Instruction& i) const {
    const Course& e = argument(i, 0);
    if (!e.known) {
      Course out;
      for (int k = 0; k < 4; ++k) out.until = std::min(out.until, argument(i, k).until);
      return out;
    }
    double until = e.until;
    Course out = argument(i, 2 + side(e, 0, until));
    out.until = std::min(out.until, until);
    return out;
  }

  /// Sums, and products and quotients with a constant, stay affine.
  void arithmetic(Op op, const Instruction& i, Course& out) const {
    if (op != Op::neg && op != Op::add && op != Op::sub && op != Op::mul && op != Op::div) return;
    const Course& a = argument(i, 0);
    if (!a.known) return;
    if (op == Op::neg) return set(out, -a.u, -a.slope);
    const Course& b = argument(i, 1);
    if (!b.known) return;
    if (op == Op::add) return set(out, a.u + b.u, a.slope + b.slope);
    if (op == Op::sub) return set(out, a.u - b.u, a.slope - b.slope);
    if (op == Op::div && b.constant() && b.u != 0) return set(out, a.u / b.u, a.slope / b.u);
    if (op == Op::mul && (a.constant() || b.constant())) set(out, a.u * b.u, a.slope * b.u + a.u * b.slope);
  }

  /// Functions that are defined piece by piece.
  void pieces(Op op, const Instruction& i, Course& out) const {
    if (i.n == 0 || !argument(i, 0).known) return;
    const Course& a = argument(i, 0);
    const auto is_known = [&](int k) { return k < i.n && argument(i, k).known; };
    switch (op) {
      case Op::step:
      case Op::step5:
      case Op::havsin:
        return ramp(i, out);
      case Op::abs: {
        const double sign = side(a, 0, out.until);
        return set(out, sign * a.u, sign * a.slope);
      }
      case Op::max:
      case Op::min:
      case Op::dim:
        if (is_known(1)) larger(op, a, argument(i, 1), out);
        return;
      case Op::mod:
        if (is_known(1) && argument(i, 1).constant()) remainder(a, std::fabs(argument(i, 1).u), out);
        return;
      case Op::aint:
        remainder(a, 1, out);
        return set(out, a.u - out.u, 0);
      case Op::impact:
        if (is_known(2)) side(a, argument(i, 2), out.until);
        return;
      case Op::bistop:
        for (int k = 2; k < 4; ++k)
          if (is_known(k)) side(a, argument(i, k), out.until);
        return;
      case Op::akispl:
      case Op::cubspl:
      case Op::linspl:
        return data_ends(op, i, a, out);
      default:
        return;
    }
  }

  /// STEP and its like, (x, x0, h0, x1, h1): h0 below x0, h1 above x1.
  void ramp(const Instruction& i, Course& out) const {
    const Course &x = argument(i, 0), &x0 = argument(i, 1), &x1 = argument(i, 3);
    if (!x0.known || !x1.known) return;
    const int below = side(x, x0, out.until), above = side(x, x1, out.until);
    const Course* end = below <= 0 ? &argument(i, 2) : above >= 0 ? &argument(i, 4) : nullptr;
    if (end && end->known) set(out, end->u, end->slope);
  }

  void larger(Op op, const Course& a, const Course& b, Course& out) const {
    const bool first = side(a, b, out.until) >= 0;
    if (op == Op::dim) return first ? set(out, a.u - b.u, a.slope - b.slope) : set(out, 0, 0);
    const Course& taken = first == (op == Op::max) ? a : b;
    set(out, taken.u, taken.slope);
  }

  /// a − b AINT(a/b) for b > 0, until a comes to the next multiple of b.
  void remainder(const Course& a, double b, Course& out) const {
    if (!(b > 0)) return;
    const double nearest = b * std::round(a.u / b);
    const bool at_multiple = std::fabs(a.u - nearest) <= 8e-16 * (std::fabs(a.u) + std::fabs(a.slope * t_));
    const double below = at_multiple ? nearest - (a.slope < 0 ? b : 0) : b * std::floor(a.u / b);
    side(a, below, out.until);
    side(a, below + b, out.until);
    const double taken = below < 0 ? below + b : below;  // the multiple towards 0
    set(out, a.u - taken, a.slope);
  }

  /// The first and the last of a spline's abscissas, and those at which a derivative jumps that is asked for.
  void data_ends(Op op, const Instruction& i, const Course& x, Course& out) const {
    if (i.n < 3 || !argument(i, 2).constant()) return;
    const auto k = static_cast<std::size_t>(argument(i, 2).u);
    if (k >= tape_.splines.size()) return;
    const SplineTable& table = splines_[tape_.splines[k]];
    if (table.x.empty()) return;
    side(x, table.x.front(), out.until);
    side(x, table.x.back(), out.until);
    const int order = i.n > 3 && argument(i, 3).constant() ? static_cast<int>(argument(i, 3).u) : 0,
              continuous = op == Op::linspl   ? 0
                           : op == Op::akispl ? 1
                                              : 2,
              beyond = order + derivatives_ - continuous;
    if (beyond <= 0) return;
    const std::vector<double>& corners = op == Op::linspl                  ? table.corners
                                         : op == Op::akispl && beyond == 1 ? table.bends
                                                                           : table.x;
    // Those beside x, and the next ones, which x has not yet come to by rounding.
    const auto at = std::lower_bound(corners.begin(), corners.end(), x.u) - corners.begin();
    const auto last = static_cast<std::ptrdiff_t>(corners.size()) - 1;
    for (auto n = std::max<std::ptrdiff_t>(at - 2, 0); n <= std::min(at + 2, last); ++n)
      side(x, corners[n], out.until);
  }

  static void set(Course& out, double u, double slope) {
    out.u = u;
    out.slope = slope;
    out.known = true;
  }

  const Tape& tape_;
  std::span<const SplineTable> splines_;
  double t_;
  int derivatives_;
  std::vector<Course> course_;
};

}  // namespace

double next_break(const Tape& tape, std::span<const SplineTable> splines, double t, int derivatives) {
  return tape.uses_time ? Follower(tape, splines, t, derivatives).next() : never;
}

std::vector<int> degrees_in_time(const Tape& tape) {
  std::vector<int> degree(tape.code.size(), 2);
  for (std::size_t r = 0; r < degree.size(); ++r) {
    const Instruction& i = tape.code[r];
    const Op op = static_cast<Op>(i.op);
    if (op == Op::constant) degree[r] = 0;
    if (op == Op::leaf && tape.leaves[i.a].measure == Measure::mode) degree[r] = 0;
    if (op == Op::leaf && tape.leaves[i.a].measure == Measure::time) degree[r] = 1;
    if (op == Op::neg) degree[r] = degree[i.a];
    if (op == Op::add || op == Op::sub) degree[r] = std::max(degree[i.a], degree[i.b]);
    if (op == Op::mul) degree[r] = std::min(degree[i.a] + degree[i.b], 2);
    if (op == Op::div && degree[i.b] == 0) degree[r] = degree[i.a];
  }
  return degree;
}

}  // namespace trammel
