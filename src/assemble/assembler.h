// Residual and tangent of the whole system, for every analysis.
//
//   r = M(q) q̈ + Φqᵀ λ − Q(q, q̇, q̈, X, V, t)       one row per coordinate
//   φ, φ̇ or φ̈                                       one row per multiplier
//   V − e, Ẋ − e, ...                               one row per scalar
// and the matrix  [ aM + bC + cK   Φqᵀ   ∂r/∂s ;  Φq  0  ∂φ/∂s ;  ... ] in compressed columns.
// Elements give derivatives by the motion of their markers; TangentWriter carries these to the coordinates of
// bodies, for all elements in the same way.
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

/// W of theory.md (32), which stands in for the mass matrix in initial-condition analyses: per body a 6×6
/// matrix in (δx, δθ), row-major, global axes, of which point masses use the leading 3×3; per modal
/// coordinate one number, 1 unless set. To these comes the mass matrix of flexible bodies, without m and I7
/// of their frames, times `of_flexible_bodies`.
struct BodyWeights {
  explicit BodyWeights(const Model& model)
      : bodies(model.bodies.size()), modes(model.modal_coordinates, 1.0) {}
  std::array<double, 36>& operator[](std::size_t b) { return bodies[b]; }
  const std::array<double, 36>& operator[](std::size_t b) const { return bodies[b]; }
  std::vector<std::array<double, 36>> bodies;
  std::vector<double> modes;
  double of_flexible_bodies = 0;
};

class Archive;
struct ContactIncident;
class Lane;
class NearShapes;
struct Pools;

class Assembler {
 public:
  /// `like`: the structure of another assembler, which is shared where this model has the same couplings (it
  /// is the same model or a variant of it); null: none.
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

  /// Kinematics, values of tapes and wrenches at the state. All functions below refer to the last evaluation,
  /// and a state that they are given must be the evaluated one; debug builds check it. Throws Failure(solver)
  /// where a function or force has no value.
  void evaluate(const State& state, const AnalysisPoint& point);
  /// The same for iterations: of the markers only those that the equations read, only as deep as these read
  /// them (WantedMarker). Requests, other markers and constraints() of velocities and accelerations need
  /// evaluate().
  void evaluate_equations(const State& state, const AnalysisPoint& point);
  /// Kinematics and constraint gradients only: for initial positions and velocities, where forces may have no
  /// value yet. residual() and tangent() may not follow.
  void evaluate_constraints(const State& state, const AnalysisPoint& point);
  /// Whether the multiplier of a row was held at zero in the last evaluation.
  bool masked(int row) const { return masked_[row] != 0; }

  /// Residual r, one number per unknown (coordinates, multipliers, scalars): theory.md (9), (10), (14). A row
  /// of a multiplier is φ/c, that of a constraint linear in velocities e/b; λ where it is masked.
  void residual(const State& state, const Coefficients& coefficients, std::span<double> r) const;
  /// The constraint rows alone at a level; masked rows give 0.
  void constraints(const State& state, ConstraintLevel level, std::span<double> rows);
  /// φ of every row that holds in the phase of the last evaluation, redundant ones too, so that these can be
  /// watched; 0 in the other rows.
  void all_constraints(const State& state, std::span<double> rows);

  /// Tangent of `residual`, one number per entry of pattern(); valid until the next tangent or weighted
  /// matrix.
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
  /// Evaluations that follow take these tapes (1 per tape) as 0, without evaluating them; empty: none.
  void leave_out(const std::vector<char>& tapes);
  /// `call` is called, by one thread at a time, when a spline is read outside its data.
  void on_extrapolation(std::function<void(const SplineRange&)> call);
  /// `call` is called, by one thread at a time, with the index of a tape that does not act on the motion
  /// (Tape::only_shown) and in which 0/0 was taken as 0, and the place of the quotient.
  void on_zero_by_zero(std::function<void(int, const std::string&)> call);

  /// M(q) q̈ of the coordinates.
  void mass_times_acceleration(const State& state, std::span<double> out) const;

  /// Present values of all angles that count revolutions (to be stored when a step is accepted).
  void current_angles(const State& state, std::span<double> angle) const;
  /// Throws Failure(solver) where a contact on a curve of ORDER=2 is beyond a corner that turns by more than
  /// a right angle, seen from where it was when state.angle was taken: no end of a step of dynamics.
  void refuse_turning_back(const State& state) const;
  /// The least cosine of the angles by which curves of ORDER=2 turn at the corners that contacts pass from
  /// some State::angle to another; 1: they pass none.
  double sharpest_corner(std::span<const double> from, std::span<const double> to) const;
  /// A contact so near to a corner of such a curve that a step from there is over it; "": there is none.
  std::string contact_at_corner(std::span<const double> angle) const;
  /// φ of rows with an offset (screw, rack, COUPLER, GEAR) before it is subtracted, by slots of
  /// State::offset.
  void current_offsets(const State& state, std::span<double> offset) const;

  /// What overlaps in each CONTACT at the last evaluation, with passages within a time from there; nothing in
  /// those that are not in force.
  void overlaps(std::span<ContactOverlaps> contacts, double time = 0) const;
  /// Slips of the overlaps of each CONTACT, where its last evaluation was. Of one whose shapes cannot slip as
  /// fast as its `least` (empty: none) geometry is not asked: it touches with a slip of 0 if it had any.
  void slips(std::span<ContactSlips> contacts, std::span<const double> least) const;
  /// The same for each CONTACT of many bodies (Model::contact_groups).
  void overlaps_of_groups(std::span<ContactOverlaps> groups) const;

  /// Every overlap of the CONTACTs in force, with the kinematics of the last evaluation, which was of this
  /// state.
  void contact_incidents(const State& state, AnalysisMode mode,
                         std::vector<ContactIncident>& incidents) const;

  /// Which shapes of CONTACTs of many bodies are near each other; null: there are no such CONTACTs.
  const NearShapes* near_shapes() const;
  /// Whether there are CONTACTs that have entries in the matrix only while their shapes are near: those of
  /// many bodies, and all where there are many (Contacts::many).
  bool couples_what_is_near() const;
  /// Whether shapes that were near at the last evaluation have no entries in the matrix.
  bool misses_what_is_near() const;
  /// Makes another structure(), with entries for the shapes that are near at the last evaluation and no
  /// others. Returns the number of CONTACTs and pairs of shapes that have entries.
  std::size_t couple_what_is_near();
  /// Saves which shapes are near and which have entries, or restores them and makes the structure for them.
  void archive(Archive& a);
  /// Time from now after which two shapes of CONTACTs of many bodies, going on as in the last evaluation,
  /// might first pass each other (contact_passage.h), of all pairs; infinite: none does within `time`.
  double passage_of_groups(double time);

  /// What evaluations at a state read and write, for the functions of pools; `point` and `state` must
  /// outlive the view.
  AssemblyView view(const State& state, const EvaluationPoint& point) const;

  /// Kinetic energy of all bodies at the last evaluation.
  double kinetic_energy() const;
  /// Strain energy of the modes of flexible bodies at the last evaluation.
  double elastic_energy() const;
  /// Kinetic energy of a flexible body beside ½ I1 v² + ½ ω·I7 ω of its frame, theory.md (65), at the last
  /// configuration, if its frame moves with v and ω (global axes) and its modal coordinates with the given
  /// rates.
  double modal_kinetic_energy(int flexible, const Vec3d& v, const Vec3d& w, const double* rates) const;
  /// Power [force · length/time] that the damping of a flexible body's modes and file takes, at the state of
  /// the last evaluate(), if its frame moves with v and ω (global axes) and its modal coordinates with the
  /// given rates: V·(D V + Σ D_j q̇_j) + q̇·(E V + C q̇), theory.md (66b), (66c).
  double modal_dissipation(int flexible, const Vec3d& v, const Vec3d& w, const double* rates) const;
  /// Potential of gravity at the last evaluation.
  double gravity_energy() const;

 private:
  bool is_near(int contact, double part) const;
  friend class DeviceAssembler;
  void build_tables();
  void select_markers_of_equations();
  /// What an evaluation covers beside the rows of constraints.
  struct Coverage {
    bool forces = false;       ///< wrenches of forces, and tapes
    bool all_markers = false;  ///< all markers, with their accelerations
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
  void make_view();
  Couplings couplings();
  void take_couplings(std::shared_ptr<const Structure> like);
  std::span<const double> gathered_values();
  template <class Visit>
  void for_curves_in_force(Visit&& visit) const;
  void current_curve_parameters(const AssemblyView& now, std::span<double> angle) const;

  const Model& model_;
  Parallel parallel_;
  Kinematics kinematics_;
  TapeReads reads_;
  std::vector<std::unique_ptr<Lane>> lanes_;  ///< one per thread
  std::unique_ptr<Pools> pools_;
  std::vector<double> tape_values_;  ///< [3 k + r]: result r of tape k
  /// F_I T_I F_J T_J per wrench element, then F T per marker of general constraints; global axes.
  std::vector<double> wrench_;
  /// applied and constraint wrench about the centre of mass, global axes
  std::vector<Vec3d> body_force_, body_moment_;
  std::vector<BodyInertia> body_inertia_;
  std::vector<int> body_wrench_start_;     ///< bodies + 1: into body_wrenches_
  std::vector<BodyWrench> body_wrenches_;  ///< by bodies, elements in their order
  std::vector<ScalarItem> scalars_;
  MarkerSelection equation_markers_;  ///< markers that the equations read, and how deep
  std::vector<int> equation_tapes_;
  std::vector<unsigned char> masked_;  ///< per multiplier: held at zero in the last evaluation
  Phase phase_ = phase_dynamics;       ///< of the last evaluation
  Coverage covers_;                    ///< of the last evaluation
  std::vector<unsigned> row_phases_;   ///< per multiplier: phases in which its row holds
  const bool has_corners_;             ///< a contact on a curve of straight lines
#ifndef NDEBUG
  State evaluated_;  ///< copy of the last state
#endif
  std::shared_ptr<const Structure> structure_;
  std::vector<double> slots_;  ///< values of the slots (structure.h): first those of the matrix
  ModalProducts modal_products_;
  AssemblyView view_;  ///< without a state and a point, which view() puts in
  std::mutex telling_;
};

}  // namespace trammel
