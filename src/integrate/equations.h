// The equations of a model as an integrator sees them: where the state is that it moves, what the residual is
// there, and what solves for a correction. One for the processor, one for a device.
#pragma once

#include "assemble/assembler.h"
#include "device_api/executor.h"
#include "integrate/phase_times.h"
#include "integrate/step_kernels.h"
#include "linear/system.h"

namespace trammel {

/// All arrays that the functions take and give lie where executor() runs. A State is the host's: of it the
/// functions read the time, and what arrays() does not hold.
class Equations {
 public:
  virtual ~Equations() = default;
  /// Runs the integrator's own loops.
  virtual Executor& executor() = 0;
  /// What moves: of the state itself, or its copy on a device.
  virtual StateArrays arrays(State& state) = 0;
  /// Per body.
  virtual const BodyPlace* places() const = 0;
  virtual const double* cos_theta() const = 0;
  /// Per scalar: 1 for those with a rate.
  virtual const unsigned char* differential() const = 0;

  /// Takes over a state, and which rows are held at zero, that were changed outside.
  virtual void take(const State& state) = 0;
  /// Brings the moving arrays back into the state.
  virtual void bring(State& state) = 0;
  /// Copies n numbers from where the arrays are.
  virtual void read(double* here, const double* there, std::size_t n) = 0;
  /// And to there.
  virtual void write(double* there, const double* here, std::size_t n) = 0;

  /// The residual, one entry per unknown (Assembler::residual). Throws Failure(solver) where a function has
  /// no value.
  virtual void evaluate(const State& state, const Coefficients& c, double* residual) = 0;
  /// The same, and the constraint rows differentiated once or twice, one per multiplier.
  virtual void evaluate_rates(const State& state, const Coefficients& c, double* residual,
                              double* acceleration_rows) = 0;
  virtual void velocity_rows(const State& state, double* rows) = 0;
  /// M(q) q̈, one entry per coordinate.
  virtual void mass_times_acceleration(const State& state, double* out) = 0;

  /// Tangent and factors at the last evaluation.
  virtual SolveReport factor(const State& state, const Coefficients& c, PhaseTimes* times) = 0;
  /// x = A⁻¹ b with the last factors, checked.
  virtual SolveReport solve(const double* b, double* x) = 0;

  /// The step is accepted: angles that count revolutions, memories of DELAY.
  virtual void accept(State& state) = 0;
};

/// On the processor. What it is made of must outlive it.
class HostEquations : public Equations {
 public:
  HostEquations(const Model& model, Assembler& assembler, GuardedSystem& system);

  Executor& executor() override { return executor_; }
  StateArrays arrays(State& state) override;
  const BodyPlace* places() const override { return assembler_.kinematics().places(); }
  const double* cos_theta() const override { return assembler_.kinematics().cos_theta(); }
  const unsigned char* differential() const override { return differential_.data(); }
  void take(const State&) override {}
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

 private:
  std::span<double> unknowns(double* x) const { return {x, static_cast<std::size_t>(model_.unknowns())}; }
  std::span<double> rows(double* x) const { return {x, static_cast<std::size_t>(model_.multipliers)}; }

  const Model& model_;
  Assembler& assembler_;
  GuardedSystem& system_;
  Executor executor_;
  std::vector<unsigned char> differential_;
  std::vector<double> matrix_;
};

/// 1 for the scalars with a rate, as Equations::differential().
std::vector<unsigned char> differential_scalars(const Model& model);

}  // namespace trammel
