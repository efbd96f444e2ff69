// Interface between an integrator and the equations of a model: state arrays, residual, Jacobian, solves.
// Implemented for the processor and for a device.
#pragma once

#include "assemble/assembler.h"
#include "assemble/modal_inertia.h"
#include "base/buckets.h"
#include "device_api/executor.h"
#include "integrate/phase_times.h"
#include "integrate/step_terms.h"
#include "linear/system.h"

namespace trammel {

class Archive;
class HostEquations;
class RecordableEquations;
class SlipLeaps;

/// All pointers passed in and out are to memory where executor() runs. A State is always in host memory: the
/// functions read its time and whatever arrays() does not hold.
class Equations {
 public:
  virtual ~Equations() = default;
  /// Runs the integrator's vector kernels.
  virtual Executor& executor() = 0;
  /// These equations where they are computed on the processor, else null.
  virtual HostEquations* on_processor() { return nullptr; }
  /// These equations where a graph can have them now, else null.
  virtual RecordableEquations* recordable() { return nullptr; }
  /// Seconds in which the program has waited for a device, a sum that grows; null: there is none.
  virtual const double* waited() const { return nullptr; }
  /// The arrays that an integrator changes: those of `state`, or their copy on a device.
  virtual StateArrays arrays(State& state) = 0;
  /// Place of the coordinates, and mass, of each body.
  virtual const BodyPlace* places() const = 0;
  virtual const double* cos_theta() const = 0;
  virtual BodyRows body_rows() const = 0;
  /// Per scalar: 1 for differential ones (with a rate), 0 for algebraic ones.
  virtual const unsigned char* differential() const = 0;

  /// Takes a state, and the set of constraint rows held at zero, that the caller has changed.
  virtual void take(const State& state) = 0;
  /// Takes the histories of DELAYs alone.
  virtual void take_histories(const State&) {}
  /// Copies the arrays of arrays() into `state`.
  virtual void bring(State& state) = 0;
  /// Copies n doubles from an array of arrays() to host memory.
  virtual void read(double* here, const double* there, std::size_t n) = 0;
  /// Copies n doubles from host memory to such an array.
  virtual void write(double* there, const double* here, std::size_t n) = 0;

  /// The residual, one entry per unknown (Assembler::residual). Throws Failure(solver) where a function has
  /// no value.
  virtual void evaluate(const State& state, const Coefficients& c, double* residual) = 0;
  /// The residual, and φ̈ per multiplier (one time derivative of constraints given in velocities).
  virtual void evaluate_rates(const State& state, const Coefficients& c, double* residual,
                              double* acceleration_rows) = 0;
  virtual void velocity_rows(const State& state, double* rows) = 0;
  /// M(q) q̈, one entry per coordinate.
  virtual void mass_times_acceleration(const State& state, double* out) = 0;

  /// Forms and factors the tangent matrix at the point of the last evaluation.
  virtual SolveReport factor(const State& state, const Coefficients& c, PhaseTimes* times) = 0;
  /// x = A⁻¹ b with the last factors, with the guard's check of the residual.
  virtual SolveReport solve(const double* b, double* x) = 0;

  /// Whether a step of size h that ends at a state would carry surfaces past the peak of their friction
  /// (SlipLeaps). `evaluated`: the last evaluation was there.
  virtual bool leaps(const State&, [[maybe_unused]] double h, [[maybe_unused]] bool evaluated) {
    return false;
  }
  /// Ends an accepted step: updates angles that count revolutions and the buffers of DELAY.
  virtual void accept(State& state) = 0;
  /// What steps left behind, but for the linear system.
  virtual void archive_steps(Archive&) {}
};

/// Equations on a device whose launches a graph can have, between others. record_...() launch, and return
/// where a result will be.
class RecordableEquations {
 public:
  virtual ~RecordableEquations() = default;
  /// Changes where a graph that was recorded is of no use any more.
  virtual long version() const = 0;
  /// What is accepted of pivots and solutions without further ado.
  virtual const GuardLimits& guard() const = 0;
  virtual const BodyPlace* places() const = 0;
  virtual const double* cos_theta() const = 0;
  virtual BodyRows body_rows() const = 0;
  virtual const unsigned char* differential() const = 0;

  /// The residual of Equations::evaluate(): the largest note of functions and lists, above tape_fine where
  /// the residual does not stand; null where it always does.
  virtual const Place* record_evaluation(double* residual) = 0;
  /// The same of Equations::evaluate_rates(), and Equations::velocity_rows() of the last evaluation.
  virtual const Place* record_rates(double* residual, double* acceleration_rows) = 0;
  virtual void record_velocity_rows(double* rows) = 0;
  /// The tangent and its factors: the largest ratio of a column to its pivot, NaN where it is not finite.
  virtual const Place* record_matrix() = 0;
  /// x = A⁻¹ b without refinement: its backward error.
  virtual const Place* record_solution(const double* b, double* x) = 0;
  /// Another one with the same factors.
  virtual const Place* record_further_solution(const double* b, double* x) = 0;

  /// Before a graph runs: what its evaluations and tangents are for.
  virtual void begin_iterations(const State& state, const Coefficients& c) = 0;
  /// After it: how many factorizations and solutions were of use.
  virtual void iterated(long factorizations, long solutions) = 0;
};

/// Equations on the processor. Model, assembler and system must outlive it.
class HostEquations : public Equations {
 public:
  HostEquations(const Model& model, Assembler& assembler, GuardedSystem& system);
  ~HostEquations() override;

  Executor& executor() override { return executor_; }
  HostEquations* on_processor() override { return this; }
  const Model& model() const { return model_; }
  Assembler& assembler() { return assembler_; }
  GuardedSystem& system() { return system_; }
  /// The last tangent that was factored, in the order of the pattern; valid until the next one.
  std::span<const double> matrix() const { return matrix_; }
  StateArrays arrays(State& state) override;
  const BodyPlace* places() const override { return assembler_.kinematics().places(); }
  const double* cos_theta() const override { return assembler_.kinematics().cos_theta(); }
  BodyRows body_rows() const override { return {body_rows_.start.data(), body_rows_.item.data()}; }
  const unsigned char* differential() const override { return differential_.data(); }
  void take(const State& state) override;
  bool leaps(const State& state, double h, bool evaluated) override;
  void bring(State&) override {}
  void read(double* here, const double* there, std::size_t n) override;
  void write(double* there, const double* here, std::size_t n) override { read(there, here, n); }
  void evaluate(const State& state, const Coefficients& c, double* residual) override;
  void evaluate_rates(const State& state, const Coefficients& c, double* residual,
                      double* acceleration_rows) override;
  void velocity_rows(const State& state, double* rows) override;
  void mass_times_acceleration(const State& state, double* out) override;
  SolveReport factor(const State& state, const Coefficients& c, PhaseTimes* times) override;
  SolveReport solve(const double* b, double* x) override { return system_.solve(b, x); }
  void accept(State& state) override;
  void archive_steps(Archive& a) override;

 private:
  std::span<double> unknowns(double* x) const { return {x, static_cast<std::size_t>(model_.unknowns())}; }
  std::span<double> rows(double* x) const { return {x, static_cast<std::size_t>(model_.multipliers)}; }

  const Model& model_;
  Assembler& assembler_;
  GuardedSystem& system_;
  Executor executor_;
  ModalInertia inertia_;
  std::unique_ptr<SlipLeaps> leaps_;  ///< null: nothing has friction that falls
  Buckets<int> body_rows_;
  std::vector<unsigned char> differential_;
  std::span<const double> matrix_;
};

/// The lists of Equations::body_rows(), from the pattern of the matrix.
Buckets<int> rows_of_bodies(const Model& model, const SparsePattern& pattern);
/// The flags of Equations::differential().
std::vector<unsigned char> differential_scalars(const Model& model);

}  // namespace trammel
