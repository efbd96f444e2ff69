// Residual and tangent of the whole system, for every analysis.
//
//   r = M(q) q̈ + Φqᵀ λ − Q(q, q̇, q̈, X, V, t)       one row per coordinate
//   φ, φ̇ or φ̈                                       one row per multiplier
//   V − e, Ẋ − e, ...                               one row per scalar
// and the matrix  [ aM + bC + cK   Φqᵀ   ∂r/∂s ;  Φq  0  ∂φ/∂s ;  ... ] in compressed columns.
// Elements write marker blocks; this module carries them to coordinates once per body kind.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "assemble/kinematics.h"
#include "assemble/modal_products.h"
#include "assemble/structure.h"
#include "assemble/tape_runner.h"
#include "element/wrench.h"
#include "linear/redundancy.h"
#include "model/analysis_point.h"
#include "model/state.h"

namespace trammel {

/// Which time derivative of the constraints an analysis imposes.
enum class ConstraintLevel { position, velocity, acceleration };

/// Quadratic form that stands in for the mass matrix in initial-condition analyses: per body 6×6 in
/// (δx, δθ), global axes; point masses use the leading 3×3. Per modal coordinate one, 1 without saying so.
struct BodyWeights {
  explicit BodyWeights(const Model& model)
      : bodies(model.bodies.size()), modes(model.modal_coordinates, 1.0) {}
  std::array<double, 36>& operator[](std::size_t b) { return bodies[b]; }
  const std::array<double, 36>& operator[](std::size_t b) const { return bodies[b]; }
  std::vector<std::array<double, 36>> bodies;
  std::vector<double> modes;
};

class Archive;
struct ContactIncident;
class Lane;
class NearShapes;
struct Pools;

class Assembler {
 public:
  /// `like`: a structure that is taken where it fits, of the same model or of a variant; null: none.
  explicit Assembler(const Model& model, Parallel parallel = Parallel(),
                     std::shared_ptr<const Structure> like = nullptr);
  ~Assembler();

  const std::shared_ptr<const Structure>& structure() const { return structure_; }
  const SparsePattern& pattern() const { return structure_->pattern(); }
  const MechanismGraph& graph() const { return structure_->graph(); }
  const Kinematics& kinematics() const { return kinematics_; }
  const Parallel& parallel() const { return parallel_; }

  /// Per multiplier: 1 where it is held at zero, because its row is redundant or outside its phase.
  void held_multipliers(const State& state, Phase phase, std::span<unsigned char> held) const;

  /// Kinematics, tapes and wrenches at the state. Everything below refers to the last evaluation, and its
  /// state must be that one; debug builds check it. Throws Failure(solver) where a function or force has no
  /// value.
  void evaluate(const State& state, const AnalysisPoint& point);
  /// The same for iterations: of markers only what the equations read, as deep as they read it. Requests,
  /// other markers and constraints() of velocities and accelerations need evaluate().
  void evaluate_equations(const State& state, const AnalysisPoint& point);
  /// Kinematics and constraint gradients only: initial positions and velocities, where forces may have
  /// no value yet. Of the functions below, residual() and tangent() may not follow.
  void evaluate_constraints(const State& state, const AnalysisPoint& point);
  /// Multipliers held at zero in the last evaluation.
  bool masked(int row) const { return masked_[row] != 0; }

  /// Rows of coordinates and scalars; multiplier rows are φ scaled by 1/c (holonomic) or 1/b (velocity
  /// level). r has one entry per unknown.
  void residual(const State& state, const Coefficients& coefficients, std::span<double> r) const;
  /// The constraint rows alone at a level; masked rows give 0.
  void constraints(const State& state, ConstraintLevel level, std::span<double> rows);
  /// φ of every row whatever its mask (redundant ones too): what is watched.
  void all_constraints(const State& state, std::span<double> rows);

  /// Tangent of `residual` in the order of the pattern, valid until the next tangent or weighted matrix.
  std::span<const double> tangent(const State& state, const Coefficients& coefficients);
  /// The same, into `values`.
  void tangent(const State& state, const Coefficients& coefficients, std::span<double> values);
  /// [W Φqᵀ; Φq 0] for initial positions and velocities; scalar rows are identity.
  void weighted_matrix(const State& state, const BodyWeights& weights, std::span<double> values);

  /// Φq by rows at the last evaluation, all rows whatever their mask; the same pattern every time.
  /// Groups: constraint elements in table order, then general constraints.
  ConstraintRows jacobian_rows() const;

  /// F_I T_I F_J T_J of every wrench element, global axes: 12 numbers each.
  std::span<const double> wrenches() const { return {wrench_.data(), 12 * model_.force_output.size()}; }
  const TapeReads& reads() const { return reads_; }
  TapeRunner& tapes();
  /// Called when a spline is read outside its data, by one thread at a time.
  void on_extrapolation(std::function<void(const SplineRange&)> call);
  /// Called when 0/0 was taken as 0 in a tape that is only shown (its index, the place), by one thread at a
  /// time.
  void on_zero_by_zero(std::function<void(int, const std::string&)> call);

  /// M(q) q̈ of the coordinates.
  void mass_times_acceleration(const State& state, std::span<double> out) const;

  /// Present values of all angles that count revolutions (to be stored when a step is accepted).
  void current_angles(const State& state, std::span<double> angle) const;
  /// φ of offset rows before their offset, by offset slot.
  void current_offsets(const State& state, std::span<double> offset) const;

  /// What overlaps in each CONTACT at the last evaluation; nothing in those that are not in force.
  void overlaps(std::span<ContactOverlaps> contacts) const;
  /// And in each group of many bodies.
  void overlaps_of_groups(std::span<ContactOverlaps> groups) const;

  /// Of all that are in force: each of their overlaps, with kinematics of the last evaluation, which was of
  /// this state.
  void contact_incidents(const State& state, AnalysisMode mode,
                         std::vector<ContactIncident>& incidents) const;

  /// Shapes of many bodies in contact; null: there are none.
  const NearShapes* near_shapes() const;
  /// Whether there are contacts that have places in the matrix only while they are near: those of groups, and
  /// all where there are many (Contacts::many).
  bool couples_what_is_near() const;
  /// Whether some that were near at the last evaluation have none.
  bool misses_what_is_near() const;
  /// Gives places to these and to no others: with another structure(). Returns their number.
  std::size_t couple_what_is_near();
  /// Saves what is near and what is coupled, or restores it, with the structure.
  void archive(Archive& a);
  /// When shapes of groups that approach each other as in the last evaluation will be into each other by a
  /// quarter of their thickness, if they go on to twice that within `time`: time from now; else infinite.
  double passage_of_groups(double time);

  /// What evaluations at a state read and write, for the functions of pools; `point` must outlive it.
  AssemblyView view(const State& state, const EvaluationPoint& point) const;

  /// Kinetic energy, that of the modes of flexible bodies and gravity's potential at the last evaluation.
  double kinetic_energy() const;
  double elastic_energy() const;
  /// What a flexible body has beside ½ I1 v² + ½ ω·I7 ω of its frame, at the last configuration, if its frame
  /// moves with v and ω (global axes) and its modal coordinates with the given rates.
  double modal_kinetic_energy(int flexible, const Vec3d& v, const Vec3d& w, const double* rates) const;
  /// Power [force · length/time] that the damping of a flexible body's modes and file takes, at the state of
  /// the last evaluate(), if its frame moves with v and ω (global axes) and its modal coordinates with the
  /// given rates: V·(D V + Σ D_j q̇_j) + q̇·(E V + C q̇), theory.md (66b), (66c).
  double modal_dissipation(int flexible, const Vec3d& v, const Vec3d& w, const double* rates) const;
  double gravity_energy() const;

 private:
  bool is_near(int contact, double part) const;
  friend class DeviceAssembler;
  void build_tables();
  void select_markers_of_equations();
  /// What an evaluation covers beside the rows of constraints.
  struct Coverage {
    bool forces = false;       ///< and tapes
    bool all_markers = false;  ///< with their accelerations
  };
  AssemblyView begin_evaluation(const State& state, const AnalysisPoint& point, EvaluationPoint& numbers,
                                Coverage covers);
  void require_evaluated(const State& state, Coverage wanted) const;
  void evaluate_wrenches(const State& state, const AssemblyView& view);
  template <class Pool>
  void evaluate_pool(const AssemblyView& view);
  template <class Force>
  void refuse_undefined(const Force& force, double t) const;
  void refuse_user_force(const ContactElement& contact, double t) const;
  void list_body_wrenches();
  Couplings couplings();
  void take_couplings(std::shared_ptr<const Structure> like);
  std::span<const double> gathered_values();
  void current_curve_parameters(const AssemblyView& now, std::span<double> angle) const;

  const Model& model_;
  Parallel parallel_;
  Kinematics kinematics_;
  TapeReads reads_;
  std::vector<std::unique_ptr<Lane>> lanes_;  ///< one per thread
  std::unique_ptr<Pools> pools_;
  std::vector<double> tape_values_;  ///< 3 per tape
  /// 12 per wrench element; then those of pools on further markers, 6 each.
  std::vector<double> wrench_;
  std::vector<Vec3d> body_force_, body_moment_;  ///< applied and constraint wrench about the centre of mass
  std::vector<BodyInertia> body_inertia_;
  std::vector<int> body_wrench_start_;     ///< bodies + 1
  std::vector<BodyWrench> body_wrenches_;  ///< by bodies, elements in their order
  std::vector<ScalarItem> scalars_;
  MarkerSelection equation_markers_;  ///< that the equations read, and how deep
  std::vector<int> equation_tapes_;
  std::vector<unsigned char> masked_;  ///< per multiplier: held at zero in the last evaluation
  Phase phase_ = phase_dynamics;       ///< of the last evaluation
  Coverage covers_;                    ///< of the last evaluation
  std::vector<unsigned> row_phases_;   ///< per multiplier: phases in which its row holds
#ifndef NDEBUG
  State evaluated_;  ///< copy of the last state
#endif
  std::shared_ptr<const Structure> structure_;
  std::vector<double> slots_;  ///< of the entries that the tangent writes; the first are the matrix values
  ModalProducts modal_products_;
  std::mutex telling_;
};

}  // namespace trammel
