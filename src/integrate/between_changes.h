// Where a step ends that would pass two changes of one function: between both. Plain numbers, on the
// processor and in a group of threads on a device.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "assemble/law_changes.h"

namespace trammel {

/// g + slope u + bend u², u = t − the end of the last step.
struct Course {
  double g, slope, bend;
  TRAMMEL_HD double at(double u) const { return g + u * (slope + u * bend); }
  TRAMMEL_HD double rate(double u) const { return slope + 2 * u * bend; }
  /// The times u of a value; not finite, or not numbers, where there are none.
  struct Times {
    double u[2];
  };
  TRAMMEL_HD Times when(double value) const {
    const double above = g - value, square = slope * slope - 4 * bend * above;
    const double q = -0.5 * (slope + std::copysign(std::sqrt(square), slope));
    return {{q / bend, above / q}};
  }
  /// The first u beyond `soonest` with that value; infinite: there is none.
  TRAMMEL_HD double first_at(double value, double soonest) const {
    double first = HUGE_VAL;
    const Times times = when(value);
    for (const double u : times.u)
      if (u > soonest && u < first) first = u;
    return first;
  }
};

/// Through values at three times, the latest last.
TRAMMEL_HD inline Course course_through(const double* time, double oldest, double older, double g) {
  const double h = time[2] - time[1];
  const double before = (older - oldest) / (time[1] - time[0]), newer = (g - older) / h;
  const double bend = (newer - before) / (time[2] - time[0]);
  return {g, newer + bend * h, bend};
}

/// When a touch pushes again that damping holds from pushing now, before the gap opens at `end`: by
/// bisection, on the course of the gap. Infinite: it does not.
TRAMMEL_CALLED inline double turns_back(const ContactLaw& law, const Course& gap, double turn, double end) {
  constexpr double almost = 0.999;
  constexpr int halvings = 20;
  const auto pushes = [&](double u) { return normal_turn(law, -gap.at(u), -gap.rate(u)) > 0; };
  if (law.poisson || !(turn < 0) || !pushes(almost * end)) return HUGE_VAL;
  double low = 0, high = almost * end;
  for (int k = 0; k < halvings; ++k) {
    const double middle = (low + high) / 2;
    (pushes(middle) ? high : low) = middle;
  }
  return high;
}

/// Changes are looked for from just before the step to its end, in parts of the step.
inline constexpr double looks_back = 0.1, ends_there = 1 + 1e-6;

/// What may be passed over in a step: the argument of IF, or the gap of a touch and normal_turn() of it.
struct PassageCourse {
  Course gap, turn;
  bool has_turn;
};

/// In the middle of the first two changes up to `latest`, the first of which may have been just before the
/// step, which begins at `now`; infinite: there are none, or the present is between them.
TRAMMEL_CALLED inline double between_changes_of(const PassageCourse& p, const ContactLaw& law, double now,
                                                double soonest, double latest) {
  const double h = latest - now;
  double first = HUGE_VAL, second = HUGE_VAL;
  const auto note = [&](double u) {
    if (!(u > -looks_back * h && u < second)) return;
    second = u < first ? first : u;
    first = u < first ? u : first;
  };
  const Course::Times zeros = p.gap.when(0);
  for (const double u : zeros.u) note(u);
  const double end = p.gap.first_at(0, 0);
  if (p.has_turn && p.gap.g < 0 && end <= ends_there * h) {
    const Course::Times turns = p.turn.when(0);
    for (const double u : turns.u)
      if (u <= 0) note(u);
    note(turns_back(law, p.gap, p.turn.g, end));
  }
  const double middle = now + (first + second) / 2;
  return second <= ends_there * h && middle > soonest ? middle : HUGE_VAL;
}

/// In the middle between the last change of one function of a tape and the first of another, both up to
/// `latest`; infinite: there are none. course(k): of the gap of switch k. taken(k): IF has taken the branch
/// that it is in; others matter behind a change of one of these.
template <class CourseOf, class Taken>
TRAMMEL_HD double between_functions(const SwitchedTape& of, const LawSwitch* item, const CourseOf& course,
                                    const Taken& taken, double now, double soonest, double latest) {
  if (!of.has_pulses) return HUGE_VAL;
  const double h = latest - now;
  const auto for_times = [&](const auto& wanted, const auto& take) {
    for (int k = of.first; k < of.last; ++k) {
      if (item[k].is_spline() || !wanted(k)) continue;
      const Course::Times zeros = course(k).when(0);
      for (const double u : zeros.u)
        if (u > -looks_back * h && u <= ends_there * h) take(u, item[k].written);
    }
  };
  double first = HUGE_VAL, other = HUGE_VAL;
  int function = -1;
  const auto own = [&](int k) { return item[k].written == function; };
  const auto others = [&](int k) { return item[k].written != function; };
  for_times(taken, [&](double u, int written) {
    if (u < first) first = u, function = written;
  });
  for_times(others, [&](double u, int) { other = u >= first && u < other ? u : other; });
  for_times(own, [&](double u, int) { first = u <= other && u > first ? u : first; });
  const double middle = now + (first + other) / 2;
  return other < HUGE_VAL && middle > soonest ? middle : HUGE_VAL;
}

/// Steps after which a function that had nothing between two changes is looked at again: by then other values
/// make the parabolas.
inline constexpr int calm_steps = 3;
/// What is nearer than this part of a step is passed in steps of second order: of stops and contacts, whose
/// gaps and forces vanish together, and of other functions.
inline constexpr double near_part = 0.1, near_pulse = 1e-4;

/// Where a step is to end between two changes of a function, and of which. Of a function that a step has
/// ended between, not again until it has been calm for some steps: where g is rounding it vanishes in every
/// step.
struct SplitStep {
  double at = HUGE_VAL;  ///< the time; infinite: nowhere
  int passage = 0;       ///< its place among the passages, or after them that of a tape
  template <class Archive>
  void archive(Archive& a) {
    a(at, passage);
  }

  /// The first of all passages k < n by between(k); `calm`: of each, steps since one might have passed it
  /// over.
  template <class Between>
  TRAMMEL_HD double find(int n, int* calm, const Between& between) {
    at = HUGE_VAL;
    for (int k = 0; k < n; ++k) {
      const double t = between(k);
      if (!(t < HUGE_VAL))
        calm[k] = calm[k] < calm_steps ? calm[k] + 1 : calm_steps;
      else if (calm[k] < calm_steps)
        calm[k] = 0;
      else if (t < at)
        at = t, passage = k;
    }
    if (at < HUGE_VAL) calm[passage] = 0;
    return at;
  }
  /// After a step that ended at t: one that was given up before was not for nothing.
  TRAMMEL_HD void after_step(double t, int* calm) {
    if (at < HUGE_VAL && t < at) calm[passage] = calm_steps;
    at = HUGE_VAL;
  }
};

/// The law of the force at a stop, and normal_turn() of it.
TRAMMEL_HD inline void take_law(const LawValues& v, ContactLaw& law) {
  law.stiffness = v.stiffness;
  law.exponent = v.exponent;
  law.damping = v.damping;
  law.full_depth = v.full_depth;
}
TRAMMEL_HD inline double turn_of(const LawValues& v, const ContactLaw& law) {
  return v.gap < 0 ? normal_turn(law, -v.gap, v.closing) : NAN;
}

/// The four numbers of the fold of a switch, the last of them e = s − gap/c.
TRAMMEL_HD inline void store_fold(const SwitchValues& v, const LawSwitch& of, double* out) {
  if (of.fold.of == Fold::none) return;
  for (int k = 0; k < 3; ++k) out[k] = v.folded[k];
  out[3] = v.magnitude - of.side * gap_of(of, v) / of.fold.factor;
}

/// Gaps, turns and folds of all switches at the ends of the last three steps, from which steps of a
/// simulation begin.
struct FirstCourses {
  LawSwitches switches;
  int steps = 0;  ///< how many of the three there are
  std::array<double, 3> time{};
  std::array<std::vector<double>, 3> gap, turn, fold;
  std::vector<SwitchValues> found;  ///< now
  std::vector<ContactLaw> law;
};

}  // namespace trammel
