// Whether steps resolve functions of TIME: what comes and goes between the ends of a step, a pulse in a quiet
// time or a whole period, is seen by none of them, whatever ERROR is. What is not affine in TIME and read by
// the equations, or kept for a DELAY, is followed ahead of each step, by ranges (expression/time_ranges.h),
// which no pulse is too narrow for.
#pragma once

#include <vector>

#include "base/archive.h"
#include "expression/time_ranges.h"
#include "model/model.h"

namespace trammel {

/// How large a part of a function may be that a step takes no notice of.
struct Unnoticed {
  double error = 0;    ///< of values up to 1, and of smaller ones this part
  double impulse = 0;  ///< of forces: ∫ Δf dt over the least mass or moment of inertia
  /// The same of what bends a force away from a straight line, of methods whose ERROR is of positions alone:
  /// they take it for one in a step; 0: of other methods.
  double bend = 0;
};

class TimeCourses {
 public:
  explicit TimeCourses(const Model& model);

  /// Whether there are functions to follow.
  bool any() const { return !courses_.empty(); }
  /// Whether forces change in time.
  bool has_forces() const;
  /// Whether forces are switched in time and depend on the motion meanwhile, as a brake that acts for a
  /// while.
  bool has_switched_forces() const;
  /// Whether functions of TIME decide in IFs with branches of the motion.
  bool has_switches() const { return !switches_.empty(); }
  /// The first time in a span at which one of these changes its sign; infinite: none does.
  double first_switch(TimeSpan span);
  /// Steps begin at t: what functions did before is nothing to them.
  void begin(double t);
  /// The last step began at t.
  void stepped(double t) { step_began_ = t; }
  /// Up to where a step from span.begin resolves all functions: they are no further from the parabola through
  /// their values at its ends and in its middle than 0.15 of their range in the step; and no further beyond
  /// those at its ends, which are all that most methods see, than 0.2 of it or, where they turn back, of the
  /// range in the last three steps of this size; or not by more than what is unnoticed. Where bends count,
  /// forces of the step go on from those of the one before in a straight line, to a part of their range in
  /// sixteen such steps.
  /// span.end where all of it does, and where a billionth of it does not or 500 ranges do not tell. last: the
  /// end of the simulation.
  double resolved_until(TimeSpan span, double last, const Unnoticed& unnoticed);
  void archive(Archive& a) {
    for (TimeSpan* span : {&scaled_, &known_}) a(span->begin, span->end);
    a(began_, step_began_, last_, known_step_);
    for (Course& c : courses_) a(c.scale);
  }
  /// The tape of a function that steps of size h somewhere in the span do not resolve; -1: they do all.
  int unresolved(TimeSpan span, double h, const Unnoticed& unnoticed);

 private:
  /// A register that is a function of TIME, and those it is computed from.
  struct Function {
    int tape = 0, result = 0;
    std::vector<int> behind;
  };
  /// One that others read: with its range over the last span, so that each is computed once.
  struct Variable {
    Function function;
    TimeSpan span{1, 0};
    ValueRange range;
  };
  /// What decides over functions of the motion that come and go is to be resolved by steps four times as
  /// long: parabolas tell of the others (analysis/approach.h). A factor is one of the motion, in a force.
  enum class Use { value, force, factor, decides };
  struct Course {
    Function function;
    Use use = Use::value;
    bool pulses = true;  ///< it may have some between break points; else it can but bend
    double lag = 0;      ///< it is read so much later, by a DELAY
    double scale = 0;  ///< bound of the function's range in all of the simulation; at most 1, but of a factor
  };
  /// Of a tape.
  struct Followed {
    std::vector<unsigned char> of_time;         ///< per entry of Tape::states: a VARIABLE of TIME
    std::vector<unsigned char> with_ranges;     ///< per register
    std::vector<ValueRange> states, registers;  ///< of the last span
  };
  struct Judgement;

  double least_inertia() const;
  std::vector<int> find_followed();
  void find_courses();
  Function function(int tape, int result);
  ValueRange range(const Function& f, TimeSpan span);
  ValueRange range_of_variable(int scalar, TimeSpan span);
  ValueRange value(const Function& f, double t);
  double recent_range(const Function& f, TimeSpan step, int steps);
  void scale(TimeSpan simulation);
  const Course* unresolved(TimeSpan step, const Unnoticed& unnoticed);
  bool resolved(const Course& course, TimeSpan step, const Unnoticed& unnoticed);
  bool straight(const Function& f, TimeSpan step, double enough);
  bool allowed_over_all(Judgement& judgement, TimeSpan step);
  bool allowed_over(Judgement& judgement, TimeSpan part);
  double first_zero(const Function& f, TimeSpan span, int& left);

  const Model& model_;
  std::vector<SplineView> splines_;
  std::vector<Followed> followed_;   ///< per tape
  std::vector<Variable> variables_;  ///< per scalar, of VARIABLEs of TIME
  std::vector<Course> courses_;
  std::vector<Function> switches_;
  double least_inertia_;
  double began_ = 0;       ///< when steps did
  double step_began_ = 0;  ///< when the last one did
  double last_ = 0;        ///< end of the simulation
  TimeSpan scaled_{0, 0};  ///< simulation that scales are of
  TimeSpan known_{0, 0};   ///< resolved as a whole, so that steps up to known_step_ in it are
  double known_step_ = 0;
};

}  // namespace trammel
