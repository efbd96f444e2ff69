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
  double error = 1e-10;  ///< positions: largest correction at convergence [rad, or the model's size]
  int maxit = 25;
  double tlimit = 1e10;                ///< largest translation of one iteration
  double alimit = 0.5235987755982988;  ///< largest rotation of one iteration [rad]
  int amaxit = 25;
  // Read and listed alone: velocities and accelerations are of linear equations, and each Jacobian is new.
  double verror = 1e-4, aerror = 1e-4;
  std::string pattern = "T", apattern = "T";
  /// Redundant rows may miss zero by this much (angles in rad; lengths relative to the model's size).
  double consistency = 1e-6;
  bool keep_exact = false;  ///< EXACT coordinates that the constraints do not allow are a failure
  void archive(Archive& a) { a(error, maxit, tlimit, alimit, amaxit, consistency, keep_exact); }
};

struct InitialReport {
  int rank = 0;
  int degrees_of_freedom = 0;      ///< coordinates − rank
  int gruebler = 0;                ///< coordinates − equations
  std::vector<int> redundant;      ///< constraint rows dropped for the run
  std::vector<std::string> notes;  ///< warnings: what may not be meant
  std::string moved;               ///< parts that assembly moved far; "": none
  std::string open_accelerations;  ///< why parts without mass have none; "": all have some
  double least_step = 0;           ///< of the integrator, away from a singular position; 0: any
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

  /// In place of the model's own initial values those of a motion that goes on. Its velocities are brought
  /// onto the constraints by impulses of these: what the integrator leaves of φ̇ lies in their directions, and
  /// a correction in others would change the motion. Initial values of joints do not hold.
  void go_on_from(InitialValues reached) {
    given_ = std::move(reached);
    goes_on_ = true;
  }
  /// Sets who watches the iterations; null: nobody.
  void observe(SolveObserver* observer) { newton_.observer = observer; }
  /// The state of the initial values, at time t: nothing assembled yet.
  State as_given(double t) const;
  /// All three levels, in place. Throws Failure(solver) naming joints when constraints contradict each
  /// other or nothing converges.
  InitialReport run(State& state);

  /// Parts of run(), for analyses that need them alone.
  void assemble(State& state, InitialReport& report);
  void velocities(State& state);
  void accelerations(State& state, InitialReport& report,
                     AnalysisPoint point = initially(phase_acceleration));
  /// Brings positions or velocities of a nearby state back onto the constraints.
  void bring_back(State& state, ConstraintLevel level, AnalysisPoint point);
  /// Brings a nearby state back onto the constraints (positions with unit weights, velocities by impulses),
  /// and solves for accelerations: output between steps.
  void reconcile(State& state);
  /// The length for which a rotation of one radian weighs as much as a translation of that length.
  double arm() const { return arm_; }
  /// The largest violation of a constraint, for the end of a message.
  std::string worst_violation(const State& state, Phase phase);
  /// Whether the dropped rows are satisfied to ten times the consistency tolerance.
  bool redundant_rows_hold(const State& state);
  /// Chooses the dropped rows again at the state; throws Failure(solver) naming joints when they
  /// contradict each other.
  void recheck_redundancy(State& state);
  /// Takes redundant rows in place of those that are weak at the state: fills its dropped rows. False, and
  /// nothing is changed, where no other choice is better.
  bool choose_strong_rows(State& state);
  /// At a state where a row kept vanishes: takes redundant ones in place of rows that have become weak, and
  /// finds the reactions of the new choice. False, and the state is unchanged, where no other choice is
  /// better.
  bool exchange_dropped_rows(State& state);
  /// How much weaker than redundant rows a row is at the state that was kept, at most: infinite where one
  /// that is needed vanishes; 0 where there are none, or too many, or at singular positions.
  double choice_weakness(const State& state);
  /// Bound of the rates at which bodies turn, and move by the mean arm [rad/time]: what rows change by.
  double rate_of_change(const State& state) const;
  /// Redundant rows; of more than these only steps that fail tell.
  static constexpr std::size_t most_looked_at = 64;
  /// Replaces the multipliers of a state whose redundant rows have none by those that make the same forces on
  /// the bodies with the least sum of squares (torques divided by the mean arm of the joints' markers); no
  /// row of the state is dropped then. For results: the motion is the same.
  void share_reactions(State& state);
  /// What run() found out about the model.
  void archive(Archive& a);
  /// At a state from where no step leads on: a sentence that names constraints that depend on each other
  /// there, and a MOTION that cannot be followed; "" where there are none.
  std::string dead_centre(State& state);

 private:
  Phase positions_phase() const { return goes_on_ ? phase_position : phase_first_position; }
  Phase velocities_phase() const { return goes_on_ ? phase_velocity : phase_first_velocity; }
  Mat3d axes_of_angular_velocity(int b) const;
  BodyWeights position_weights() const;
  BodyWeights velocity_weights() const;
  BodyWeights inertia_weights() const;
  BodyWeights unit_weights() const;
  int rows_to_drop(State& state, Phase phase, double threshold,
                   const std::vector<unsigned char>* excluded = nullptr);
  int strong_rows(State& state, double gain);
  bool move_along_freedom(State& state, std::vector<double> move);
  double violation(const State& state, double size);
  double assembly_threshold(State& state, double size);
  double apply_positions(State& state, std::span<const double> correction, double size);
  void first_accelerations(State& state, InitialReport& report);
  double apply_accelerations(State& state, std::span<const double> correction);
  bool is_massless(int unknown) const;
  void check_dropped(State& state);
  void check_dropped_rates(State& state);
  std::string elements_behind(int row);
  void tell_moved_parts(const State& given, InitialReport& report);
  void tell_moved_states(const State& state, InitialReport& report) const;
  void tell_unsure_frictions(const State& state, InitialReport& report) const;
  bool generic_rank(State& state, InitialReport& report);
  double time_of_turn(const State& state) const;
  void accelerations_of_branch(State& state, InitialReport& report);
  State on_branch(const State& state, double t);
  void set_motion_states(State& state, ConstraintLevel level);
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
  InitialValues given_;            ///< from where the motion begins
  bool goes_on_ = false;           ///< they are those of a motion before
  /// Length L for which a rotation of one radian weighs as much as a translation of L in what assembles a
  /// model: root mean square of the arms of joint markers about centres of mass; so no answer depends on the
  /// units.
  double arm_ = 1;
  std::vector<double> row_metric_;  ///< per coordinate: weight of the norm in which rows depend on each other
  std::vector<unsigned char> rotational_;  ///< constraint rows that measure angles
  std::vector<unsigned char> local_dropped_, generic_dropped_;
};

}  // namespace trammel
