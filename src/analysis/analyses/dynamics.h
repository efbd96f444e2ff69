// Dynamics: steps of an integration method from output to output; sensors act between.
#pragma once

#include <optional>

#include "analysis/approach.h"
#include "analysis/counted_turns.h"
#include "analysis/delay_histories.h"
#include "analysis/dense_output.h"
#include "analysis/known_breaks.h"
#include "analysis/redundancy_watch.h"
#include "analysis/resolved_turns.h"
#include "analysis/sensors.h"
#include "analysis/session.h"
#include "analysis/time_courses.h"
#include "integrate/schedule.h"

namespace trammel {

/// Output at the time where it begins + k · output_step and, as the last one, at its end. The first record is
/// the present state. Sensors act at their times; those that end it leave a record there. Where the last one
/// ended the integrator goes on, with its history and its step, unless its steps become far shorter: many
/// short simulations are the same motion as a long one.
class Dynamics final : public Analysis {
 public:
  explicit Dynamics(Session& session);

  void begin(const AnalysisPlan& plan) override;
  AnalysisEnd go_on() override;
  void archive(Archive& a) override;
  const Sensor* ended_by() const override { return ended_by_; }

  // ---- in place of begin() and go_on(), for an integrator elsewhere that does the steps

  /// What comes before them, with the first record. Gives the times of the others.
  Schedule begin_outputs(const AnalysisPlan& plan);
  /// Whether steps of a simulation from the present state on would end at known breaks of functions or where
  /// data of splines turn back, look for corners of motions, or be shorter than HMAX for functions of TIME.
  bool meets_breaks(const DynamicsSettings& settings, const AnalysisPlan& plan);
  /// Whether the last output step is so much shorter than the others that none of the integrator's is to be
  /// that short.
  bool ends_with_remainder(const AnalysisPlan& plan) const;
  /// From which its steps look ahead, at the present state; nothing where they do not.
  std::optional<FirstCourses> first_courses(const IntegratorOptions& options);
  /// Its options; it knows nothing of counted angles, so its steps are as long as they are followed over at
  /// the speeds of the beginning. Where these grow, a warning says so.
  IntegratorOptions step_options(const Schedule& outputs) const;
  /// Records an output time that it has reached: `fill(State&)` puts the state there. False where a redundant
  /// equation no longer holds: what the integrator did from there on is of no use.
  template <class Fill>
  bool take_output(const Fill& fill) {
    fill(state_);
    return record_taken();
  }
  /// What it has done up to where it is.
  void take_counters(const StepState& steps);

 private:
  /// What the processor has of steps on a device: from there it can go on, should the device fail.
  struct Kept {
    State state;
    double break_at = 0;
    bool at_break = false;
    double step = 0;  ///< of the next one; 0: the first
  };

  /// Parts of a step. Outputs that are nearer to the present time are recorded inside of steps: behind a
  /// break or where the integrator begins, as those before a break or the end, and behind a place where
  /// forces of the motion change, whose step is less smooth.
  static constexpr double near_break = 0.1, near_law_change = 1e-3;
  static constexpr double shortest_step = 0.01;  ///< part of one, below which a way to a stop is no step

  bool record_taken();
  void record_output(double t);
  void record_outputs(double until);
  State inside_step(double t) const;
  State reconciled_inside_step(double t);
  void begin_steps(const IntegratorOptions& options);
  AnalysisEnd go_on_steps();
  void bring();
  void keep(double step);
  bool leave_device(const Failure& failure);
  void couple_what_is_near();
  void start_integrator(const IntegratorOptions& wanted);
  void start_steps(const IntegratorOptions& wanted);
  IntegratorOptions going_on(double step) const;
  void make_integrator(const IntegratorOptions& options);
  void watch_steps(bool anew);
  StepResult step(double target);
  StepResult step_once(double target, double limit);
  IntegratorOptions options_of_steps(const Schedule& outputs) const;
  std::string stop_beyond_i3(const IntegratorOptions& options) const;
  bool stops_ask_for_velocities(const IntegratorOptions& options) const;
  std::string beyond_i3(const IntegratorOptions& options) const;
  const ConstraintElement* contact_beyond_si2(const IntegratorOptions& options) const;
  std::string words_on_formulation(const IntegratorOptions& wanted) const;
  void tell_formulation();
  std::string unresolved_sticking(const IntegratorOptions& options) const;
  void tell_unresolved_sticking();
  bool give_way_to_i3();
  double step_limit(double target) const;
  double longest_turning(const IntegratorOptions& options) const;
  bool limits_read_motion() const;
  void tell_fast_turns(double h);
  void tell_turns_of_step(double h);
  void tell_lost_turns(double h, double longest);
  void tell_passed_turns(double h);
  void leave_dead_centre();
  void tell_refusals();
  void tell_what_fixed_steps_pass(const IntegratorOptions& options);
  void begin_to_look_ahead(const IntegratorOptions& options);
  void look_ahead(bool rejected);
  void fill_histories();
  bool looks_ahead(const IntegratorOptions& options) const;
  double output_ahead(double stop) const;
  bool go_short_way(double stop);
  double usual_step() const;
  bool are_far_shorter(const IntegratorOptions& options) const;
  void go_long_way(double target);
  double target();
  double end_of_approach(double known);
  void tell_unresolved_courses();
  double find_breaks(double output);
  double least_jump() const;
  void begin_at_break();
  void meet_break();
  void pass_break();
  void meet_corner();
  void pass_corner();
  bool step_over_corner();
  bool feels_jump(const State& before, const State& after) const;
  bool position_jumps(const State& before, const State& after) const;
  std::string velocity_jump(const State& before, const State& after) const;
  void go_on_with_other_rows();
  bool exchange_redundant();
  bool begin_anew();
  bool take_other(const std::string& other, const std::string& method, const std::string& cause);
  bool begin_at_dead_centre(const std::string& method, const std::string& cause);
  bool pass_dead_centre(const std::string& cause);
  bool watch_sensors();
  bool act(const Sensor& sensor, double t, IntegratorOptions& options);
  void go_on_from(double t, const std::vector<SensorEvent>& events, std::size_t acted);

  Session& session_;
  State& state_;  ///< the session's
  InitialConditions& initial_;
  SensorWatch sensors_;
  RedundancyWatch redundancy_;
  DelayHistories histories_;
  KnownBreaks breaks_;
  TimeCourses courses_;
  const CountedTurns turns_;
  const ResolvedTurns resolved_;
  std::vector<double> speeds_;  ///< of counted turns, at the beginning of a step
  Approach approach_;
  LawChanges law_changes_;            ///< as the last step found them
  double foreseen_until_ = HUGE_VAL;  ///< where a first step ends, to know the courses of these
  std::unique_ptr<Integrator> integrator_;
  Schedule outputs_;
  const Sensor* ended_by_ = nullptr;
  StepCounters counters_before_;           ///< of the session, without the present integrator
  StepCounters counters_looked_;           ///< when refused attempts were last counted
  double looked_ = 0;                      ///< time of that
  std::optional<Failure> failure_before_;  ///< of the method whose place another took
  std::string stand_in_;                   ///< method that takes the place of the one asked for
  int outputs_with_other_ = 0;             ///< until which it does
  double break_ = 0;                       ///< where the last step ended just before, if it did
  bool at_break_ = false;                  ///< it did
  std::vector<double> curve_places_;       ///< State::angle before the last step; empty: no curve has corners
  bool at_corner_ = false;                 ///< the last step has passed one that is sharp
  bool elsewhere_ = false;                 ///< the last evaluation was of another state than this
  bool began_anew_ = false;                ///< since the last output, where a step had failed
  bool brought_ = false;                   ///< the present state is here, not on a device alone
  Kept kept_;                              ///< of steps on a device
  bool told_fixed_ = false;                ///< what fixed steps may pass
  bool told_unresolved_ = false;           ///< that these are too long for a function of time
  bool told_formulation_ = false;          ///< that I3 and SI2 take the other's place
  bool told_sticking_ = false;             ///< that surfaces stick by less than steps resolve
  bool si2_gave_way_ = false;              ///< to I3, whose place it had
  bool told_jump_ = false;                 ///< that a motion's velocity jumps
  bool told_refusals_ = false;             ///< that the corrector refuses most steps
  bool told_turns_ = false;                ///< that angles turn too fast for the steps
  bool told_passed_ = false;               ///< that parts do, for forces that come and go
  double longest_elsewhere_ = 0;           ///< step of an integrator elsewhere, at most
  double step_elsewhere_ = 0;              ///< the last that it has taken
  double longest_step_ = 0;                ///< so far; of steps on a device since the last record
  double too_near_ = 0;                    ///< of a step: outputs that near ahead are recorded inside of one
  bool printed_ = false;                   ///< sensors that act together have their record, or need none
  bool at_last_step_ = false;              ///< the present state is where the integrator's last step ended
  /// Where the way to the present state began, if that was too short for a step.
  std::optional<State> short_way_;
  bool is_short_way_ = false;  ///< all of the present simulation is one
};

/// That of the session.
Dynamics& dynamics_of(Session& session);

}  // namespace trammel
