// What every validation experiment needs: a model with the objects of an integration around it, at its
// consistent initial state, and what can be compared of a state whatever its angles are.
#pragma once

#include <string>
#include <vector>

#include "analysis/initial_conditions.h"
#include "integrate/integrator.h"
#include "model/compile.h"

namespace trammel {

/// A deck of models/, "heavy_top/heavy_top.adm". Throws Failure for any mistake in it.
Model load_model(const std::string& path);
Model model_from_text(const std::string& dataset);

/// The same physics seen from another ground frame: ground markers, gravity and initial values turned by
/// R. Only for models whose expressions and velocities do not name ground axes.
Model turned(Model model, const Mat3d& R);

class Bench {
 public:
  explicit Bench(Model compiled);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// New angles for every body whose angles need it (Reference only; integrators do that themselves).
  void rebase_where_needed(State& state);
  /// Velocities onto φ̇ = 0 by the smallest change of the kinetic energy's metric.
  void project_velocity(State& state);
  /// The part of a small displacement of the coordinates that the constraints allow, in the same metric.
  void project_displacement(const State& state, std::vector<double>& displacement);
  /// Kinetic energy plus gravity potential.
  double energy(const State& state);
  /// Largest |φ|, and |φ̇|, of rows that are in force.
  double violation(const State& state, ConstraintLevel level);

  const Model model;
  Assembler assembler;
  GuardedSystem system, initial_system;
  InitialConditions conditions;
  State initial;

 private:
  void remove(const State& state, const std::vector<double>& rows, std::vector<double>& v);
};

/// A state in ground axes, free of the angles that describe it: per body x and the axes A (x alone for a
/// point mass), v and ω, a and α; multipliers; differential and algebraic scalars.
struct Snapshot {
  std::vector<double> position, velocity, acceleration, multiplier, differential, algebraic;
};
constexpr int groups = 6;
extern const char* const group_names[groups];
const std::vector<double>& group(const Snapshot& s, int index);
Snapshot observe(Bench& bench, const State& state);

/// Distance of two configurations as the step control measures errors (docs/theory.md, Eq. 28, Y = 1 for
/// coordinates up to 1, else |x|): positions and rotation angles, root mean square over all coordinates.
/// With a time step h, of the configurations that the velocities lead to after it: q + h q̇.
double distance(Bench& bench, const State& a, const State& b, double h = 0);
/// The same norm of a small displacement of the coordinates at a state.
double displacement_norm(Bench& bench, const State& state, const std::vector<double>& displacement);

/// Options of a fixed-step run. The corrector works to ERROR = 1e-11, below the errors
/// measured and above what rounding in φ/(βh²) allows at the steps used.
IntegratorOptions fixed_step_options(double alpha, HhtForm form = HhtForm::second_order);

/// Reference solution that shares the equations of motion but nothing of HHT: explicit integration of
/// q̈(q, q̇, X, t) (index 1: accelerations and multipliers from the linear system at every stage) by
/// Gragg's extrapolated midpoint rule of order 8, with the state put back onto φ = 0, φ̇ = 0 after each
/// step. Source: Hairer, Norsett, Wanner, Solving ordinary differential equations I, II.9.
class Reference {
 public:
  explicit Reference(Bench& bench) : bench_(bench) {}
  /// `steps` equal steps to t; the state is consistent after them (q̈ and λ included).
  void advance(State& state, double t, int steps);

 private:
  void rates(State& state, std::vector<double>& f);
  void load(State& state, double t, const std::vector<double>& y) const;
  void step(State& state, double h);
  Bench& bench_;
  InitialReport report_;
};

}  // namespace trammel
