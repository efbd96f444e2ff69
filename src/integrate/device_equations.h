// The equations of a model on a device: state, tables, matrix and factors stay there through all steps.
#pragma once

#include "assemble/device_assembler.h"
#include "integrate/equations.h"
#include "linear/device/system.h"

namespace trammel {

/// Equations on a device. Per evaluation a handful of launches and no copy; one small copy each for tapes
/// that could fail, for a factorization and for a solve.
class DeviceEquations : public Equations {
 public:
  /// `host` is the assembler of the model on the processor, of which the tables are copied; it, the model and
  /// the device must outlive the object. `solver`: as for DeviceSystem. Throws Failure(unsupported) for a
  /// model with elements that no device computes (DeviceAssembler::refusal).
  DeviceEquations(const Model& model, Assembler& host, Device& device,
                  const TrammelSolverApi* solver = nullptr);

  Executor& executor() override { return executor_; }
  StateArrays arrays(State& state) override;
  const BodyPlace* places() const override { return assembler_.places(); }
  const double* cos_theta() const override { return assembler_.cos_theta(); }
  const unsigned char* differential() const override { return differential_; }
  void take(const State& state) override;
  void bring(State& state) override;
  void read(double* here, const double* there, std::size_t n) override;
  void write(double* there, const double* here, std::size_t n) override;
  void evaluate(const State& state, const Coefficients& c, double* residual) override;
  void evaluate_rates(const State& state, const Coefficients& c, double* residual,
                      double* acceleration_rows) override;
  void velocity_rows(const State& state, double* rows) override;
  /// Throws Failure(unsupported): only the form of the equations that nobody asks for by default needs it.
  void mass_times_acceleration(const State& state, double* out) override;
  SolveReport factor(const State& state, const Coefficients& c, PhaseTimes* times) override;
  SolveReport solve(const double* b, double* x) override { return system_.solve(b, x); }
  void accept(State& state) override;

  const DeviceSystem& system() const { return system_; }
  /// Orders and plans the linear system anew; its counters begin again.
  void analyze() { system_.analyze(host_.pattern(), host_.graph()); }
  /// Of the linear system, as GuardedSystem counts; what the processor had to answer counts as full pivoting.
  SystemCounters counters() const;
  Device& device() const { return assembler_.device(); }
  void archive(Archive& a) { system_.archive(a); }
  /// Device memory of assembler and linear system.
  std::size_t bytes() const;

 private:
  Assembler& host_;
  DeviceAssembler assembler_;
  DeviceSystem system_;
  Executor executor_;
  DeviceArena arena_;
  const unsigned char* differential_ = nullptr;
};

}  // namespace trammel
