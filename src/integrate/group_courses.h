// What steps of a simulation by one group of threads look ahead for: functions that would change their law
// twice within a step, as in the steps of one simulation by a method of second order.
#pragma once

#include "device_api/arena.h"
#include "integrate/fold_course.h"

namespace trammel {

/// Gaps of all switches at the ends of the last three steps. One thread of the group changes them.
struct GroupCourses {
  int tapes = 0, switches = 0;
  const SwitchedTape* tape;
  const LawSwitch* item;
  const PartPlace* part;
  SwitchValues* found;  ///< of each switch, by the last step
  double *gap[3], *turn[3];
  double* fold[3];  ///< of each switch four numbers: SwitchValues::folded and e
  ContactLaw* law;
  int* calm;  ///< of each switch, then of each tape, steps since a step might have passed it over
  double time[3];
  int steps;            ///< how many of the three there are
  SplitStep split;      ///< where the last step was to end between two changes
  double lasting_step;  ///< what nearness is measured by
  double end;           ///< of the step that is to come, for all threads

  /// After a step that ended at t and left what it found.
  TRAMMEL_HD void after_step(double t) {
    split.after_step(t, calm);
    for (double** g : {gap, turn, fold}) {
      double* const oldest = g[0];
      g[0] = g[1], g[1] = g[2], g[2] = oldest;
    }
    time[0] = time[1], time[1] = time[2], time[2] = t;
    steps = steps < 3 ? steps + 1 : 3;
    for (int k = 0; k < switches; ++k) {
      gap[2][k] = gap_of(item[k], found[k]);
      store_fold(found[k], item[k], fold[2] + 4 * k);
      if (!item[k].is_stop()) continue;
      take_law(found[k], law[k]);
      turn[2][k] = turn_of(found[k], law[k]);
    }
  }

  /// When the step from `now` on, of size h unless it ends at `latest`, is to end; infinite: as it would.
  TRAMMEL_HD double end_of_step(double now, double h, double latest) {
    lasting_step = h < lasting_step / 2 ? lasting_step / 2 : h;
    const double of_stops = now + near_part * lasting_step, of_pulses = now + near_pulse * lasting_step;
    split.at = HUGE_VAL;
    if (steps < 3) return split.at;
    const auto gap_of = [&](int k) { return course_through(time, gap[0][k], gap[1][k], gap[2][k]); };
    const auto taken = [&](int k) { return found[k].taken; };
    return split.find(switches + tapes, calm, [&](int k) {
      if (k >= switches)
        return between_functions(tape[k - switches], item, gap_of, taken, time[2], of_pulses, latest);
      if (item[k].is_spline() || !taken(k)) return HUGE_VAL;
      const PassageCourse p{gap_of(k), course_through(time, turn[0][k], turn[1][k], turn[2][k]),
                            item[k].is_stop()};
      const double middle = between_changes_of(p, law[k], time[2], p.has_turn ? of_stops : of_pulses, latest);
      if (item[k].fold.of == Fold::none) return middle;
      FoldParts parts;
      for (int n = 0; n < 4; ++n)
        parts.part[n] = course_through(time, fold[0][4 * k + n], fold[1][4 * k + n], fold[2][4 * k + n]);
      const double of_fold = between_folds(item[k].fold.of, parts, time[2], of_pulses, latest);
      return of_fold < middle ? of_fold : middle;
    });
  }
};

/// Those from which a simulation begins, in memory of an arena.
inline GroupCourses make_group_courses(DeviceArena& arena, const FirstCourses& from) {
  const std::size_t n = from.switches.item.size();
  GroupCourses c{};
  c.tapes = static_cast<int>(from.switches.tape.size());
  c.switches = static_cast<int>(n);
  c.tape = arena.copy(from.switches.tape);
  c.item = arena.copy(from.switches.item);
  c.part = arena.copy(from.switches.part);
  c.found = arena.filled(from.found);
  c.law = arena.filled(from.law);
  c.calm = arena.filled(std::vector<int>(n + from.switches.tape.size(), calm_steps));
  for (std::size_t k = 0; k < 3; ++k) {
    c.gap[k] = arena.filled(from.gap[k]);
    c.turn[k] = arena.filled(from.turn[k]);
    c.fold[k] = arena.filled(from.fold[k]);
    c.time[k] = from.time[k];
  }
  c.steps = from.steps;
  c.split = {};
  return c;
}

}  // namespace trammel
