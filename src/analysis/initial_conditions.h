// Initial conditions: assembled positions, consistent velocities, accelerations and reactions; redundant
// constraints found, named and dropped. Source: ADAMS/Solver primer, section 3, Eq. 24-45.
#pragma once

#include <string>
#include <vector>

#include "assemble/assembler.h"
#include "base/archive.h"
#include "integrate/newton.h"

namespace trammel {

/// IC statement: tolerances and limits.
struct InitialOptions {
  double error = 1e-10;  ///< positions: largest correction at convergence [rad, or parts of the model's size]
  int maxit = 25;
  double tlimit = 1e10;                ///< largest translation of one iteration
  double alimit = 0.5235987755982988;  ///< largest rotation of one iteration [rad]
  int amaxit = 25;
  // These are read and listed, without effect: velocities and accelerations solve linear equations, and every
  // iteration makes a new Jacobian.
  double verror = 1e-4, aerror = 1e-4;
  std::string pattern = "T", apattern = "T";
  /// Redundant rows may miss zero by this much (angles in rad; lengths relative to the model's size).
  double consistency = 1e-6;
  /// Fail where assembly changes EXACT coordinates by more than six digits of a dataset can mean.
  bool keep_exact = false;
  void archive(Archive& a) { a(error, maxit, tlimit, alimit, amaxit, consistency, keep_exact); }
};

struct InitialReport {
  int rank = 0;
  int degrees_of_freedom = 0;      ///< coordinates − rank
  int gruebler = 0;                ///< coordinates − equations
  std::vector<int> redundant;      ///< indices of the constraint rows dropped for the run
  std::vector<std::string> notes;  ///< warnings about what the deck may not mean
  std::string moved;               ///< message naming the parts that assembly moved far; "": none
  std::string open_accelerations;  ///< why parts without mass have no accelerations; "": all parts have them
  double least_step = 0;           ///< least first step from a singular position [time]; 0: any
  int position_iterations = 0, acceleration_iterations = 0;

  void archive(Archive& a) {
    a(rank, degrees_of_freedom, gruebler, redundant, notes, moved, open_accelerations, least_step,
      position_iterations, acceleration_iterations);
  }
};

class InitialConditions {
 public:
  InitialConditions(const Model& model, Assembler& assembler, GuardedSystem& system,
                    const InitialOptions& options);

  /// Takes the initial values of a motion that continues in place of the model's own. Its velocities are
  /// brought onto the constraints by impulses of the constraints: the error in φ̇ that the integrator leaves
  /// lies in their directions, and a correction in others would change the motion. Initial values of joints
  /// do not hold.
  void go_on_from(InitialValues reached) {
    given_ = std::move(reached);
    goes_on_ = velocities_go_on_ = true;
  }
  /// Takes the initial velocities of the dataset, those of joints included, in place of those of a motion
  /// that continues: for an equilibrium before which nothing has moved.
  void begin_with_given_velocities();
  /// Takes other tolerances and limits.
  void set(const InitialOptions& options) { options_ = options; }
  /// Sets who watches the iterations; null: nobody.
  void observe(SolveObserver* observer) { newton_.observer = observer; }
  /// The state of the initial values at time t, before assembly.
  State as_given(double t) const;
  /// Assembles positions, then finds velocities, accelerations and reactions, in place. Throws
  /// Failure(solver) naming joints when constraints contradict each other or an iteration does not converge.
  InitialReport run(State& state);

  /// The three parts of run(), for analyses that need one of them.
  void assemble(State& state, InitialReport& report);
  void velocities(State& state);
  /// After that: where these are not the given ones, what was changed; else "".
  std::string changed_velocities(const State& state) const;
  void accelerations(State& state, InitialReport& report, AnalysisPoint point = before_dynamics);
  /// Residuals of constraints that are left where nothing else is asked for.
  static constexpr double enough_residual = 1e-13;
  /// Brings positions or velocities of a nearby state back onto the constraints, as far as `enough`.
  void bring_back(State& state, ConstraintLevel level, AnalysisPoint point, double enough = enough_residual);
  /// For output between steps: brings a nearby state back onto the constraints (positions with unit weights,
  /// velocities by impulses), and solves for accelerations and reactions. enough: of positions; 0: as far as
  /// rounding lets them, for steps so short that their accelerations are differences of these over h².
  void reconcile(State& state, double enough = enough_residual);
  /// The length for which a rotation of one radian weighs as much as a translation of that length.
  double arm() const { return arm_; }
  /// The largest violation of a constraint, as the end of a message.
  std::string worst_violation(const State& state, Phase phase);
  /// Whether a row that is not dropped misses φ = 0 by more than `allowed`, in its natural size.
  bool kept_rows_miss(const State& state, double allowed);
  /// Whether the dropped rows are satisfied to ten times the consistency tolerance.
  bool redundant_rows_hold(const State& state);
  /// Chooses the dropped rows again at the state; throws Failure(solver) naming joints where a dropped row
  /// contradicts the others.
  void recheck_redundancy(State& state);
  /// Chooses the dropped rows anew so that rows that are weak at the state (about to vanish, or to depend on
  /// others) are dropped and redundant rows kept in their place: fills state.dropped. False, with the state
  /// unchanged, where no other choice is better.
  bool choose_strong_rows(State& state);
  /// The same where a kept row vanishes at the state, and finds the reactions of the new choice. False, with
  /// the state unchanged, where no other choice is better.
  bool exchange_dropped_rows(State& state);
  /// The largest coefficient, in the natural units of the rows (1 and 1/L), with which a dropped row depends
  /// on the others at the state: one far above 1 belongs to a kept row that is about to vanish. Infinite
  /// where kept rows depend on each other; 0 where no rows are dropped, or more than most_looked_at, and at
  /// singular positions.
  double choice_weakness(const State& state);
  /// Bound of the rates at which constraint rows change: the fastest angular velocity, or velocity over the
  /// mean arm [rad/time].
  double rate_of_change(const State& state) const;
  /// With more redundant rows than this, only a failed step leads to another choice.
  static constexpr std::size_t most_looked_at = 64;
  /// Replaces the multipliers of the state, 0 in redundant rows, by those that make the same forces on the
  /// bodies with the least sum of squares (torques divided by the mean arm of the joints' markers); no row of
  /// the state is dropped then. For results: the motion is the same.
  void share_reactions(State& state);
  /// Saves or restores what run() has found about the model.
  void archive(Archive& a);
  /// For a state from which every step fails: a sentence that names constraints that depend on each other
  /// there, and a MOTION that cannot be followed; "" where there are none.
  std::string dead_centre(State& state);

 private:
  Phase positions_phase() const { return goes_on_ ? phase_position : phase_first_position; }
  Phase velocities_phase() const { return velocities_go_on_ ? phase_velocity : phase_first_velocity; }
  Mat3d axes_of_angular_velocity(int b) const;
  struct ExactUse;
  bool draw_exact(State& state, const ExactUse& use, InitialReport& report);
  void find_positions(State& state, const ExactUse& use, InitialReport& report);
  BodyWeights velocity_weights() const;
  BodyWeights inertia_weights() const;
  BodyWeights unit_weights() const;
  int rows_to_drop(State& state, Phase phase, double threshold,
                   const std::vector<unsigned char>* excluded = nullptr);
  int strong_rows(State& state, double gain);
  bool move_along_freedom(State& state, std::vector<double> move);
  enum class RowsOf { phase, held };
  double violation(const State& state, double size, RowsOf of = RowsOf::phase);
  double assembly_threshold(State& state, double size);
  std::string weak_row(State& state, double size);
  double apply_positions(State& state, std::span<const double> correction, double size);
  void first_accelerations(State& state, InitialReport& report);
  double apply_accelerations(State& state, std::span<const double> correction);
  bool is_massless(int unknown) const;
  void check_dropped(State& state);
  void check_dropped_rates(State& state, std::span<const double> given);
  std::string elements_behind(int row);
  std::vector<Pose<double>> poses(const State& state);
  void tell_moved_parts(const std::vector<Pose<double>>& given, const State& state, InitialReport& report);
  void tell_moved_states(const State& state, InitialReport& report) const;
  void tell_unsure_frictions(const State& state, InitialReport& report) const;
  bool generic_rank(State& state, InitialReport& report);
  double time_of_turn(const State& state) const;
  void accelerations_of_branch(State& state, InitialReport& report);
  State on_branch(const State& state, double t);
  void set_motion_states(State& state, ConstraintLevel level);
  void begin_explicit_scalars(State& state);
  void begin_followers(State& state, InitialReport& report);
  void begin_in_order(State& state, const std::vector<int>& scalars);
  double model_size(const State& state) const;
  /// The part of an array of unknowns that belongs to the constraint rows.
  std::span<double> multipliers_of(std::span<double> unknowns) const {
    return unknowns.subspan(model_.coordinates, model_.multipliers);
  }
  /// Natural size of a row: 1 for orientation and angle rows, the model's size for lengths.
  double row_scale(int row, double size) const { return rotational_[row] ? 1.0 : size; }

  const Model& model_;
  Assembler& assembler_;
  Newton newton_;
  InitialOptions options_;
  ConstraintFactorization redundancy_;
  bool analyzed_ = false;
  bool massless_is_open_ = false;  ///< the last accelerations were singular at a part without mass
  InitialValues given_;            ///< the state in which the motion begins
  bool goes_on_ = false;           ///< whether `given_` is the end of an earlier motion
  bool velocities_go_on_ = false;  ///< whether this holds of its velocities, too
  /// Length L: in assembly a rotation of one radian weighs as much as a translation of L. It is the root mean
  /// square distance of joint markers from the centres of mass of their bodies; so no answer depends on the
  /// units.
  double arm_ = 1;
  /// Per coordinate: weight of the norm in which the angles between constraint rows are measured.
  std::vector<double> row_metric_;
  std::vector<unsigned char> rotational_;  ///< per constraint row: 1 where it measures an angle
  std::vector<unsigned char> local_dropped_, generic_dropped_;
};

/// The value of a VARIABLE, or the rate of a DIFF, becomes that of its function in the state that `assembler`
/// evaluated last, which `state` is.
void take_function(const Model& model, int scalar, Assembler& assembler, State& state);

}  // namespace trammel
