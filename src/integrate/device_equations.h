// The equations of a model on a device: state, tables, matrix and factors stay in the device's memory.
#pragma once

#include "assemble/device_assembler.h"
#include "device_api/recorded.h"
#include "integrate/equations.h"
#include "linear/device/system.h"

namespace trammel {

/// An evaluation takes a few kernel launches and no copy; a small copy to the host is needed after an
/// evaluation with tapes that can fail, after a factorization and after a solve.
class DeviceEquations : public Equations, private RecordableEquations {
 public:
  /// `host` is the assembler of the same model on the processor, whose tables are copied; it, the model and
  /// the device must outlive the object. `solver`: as for DeviceSystem. Throws Failure(unsupported) for a
  /// model with elements that cannot be computed on a device (DeviceAssembler::refusal).
  DeviceEquations(const Model& model, Assembler& host, Device& device,
                  const TrammelSolverApi* solver = nullptr);

  Executor& executor() override { return executor_; }
  /// Where the device's graphs have sections, from the first matrix that it has factored on.
  RecordableEquations* recordable() override {
    return device().has_sections() && system_.recordable() ? this : nullptr;
  }
  /// Why decisions in iterations are never left to the device; "": they are.
  std::string why_program_decides() const;
  const double* waited() const override { return &device().counters().waited; }
  StateArrays arrays(State& state) override;
  const BodyPlace* places() const override { return assembler_.places(); }
  const double* cos_theta() const override { return assembler_.cos_theta(); }
  BodyRows body_rows() const override { return body_rows_; }
  const unsigned char* differential() const override { return differential_; }
  void take(const State& state) override;
  void take_histories(const State& state) override { assembler_.take_delays(state); }
  void bring(State& state) override;
  void read(double* here, const double* there, std::size_t n) override;
  void write(double* there, const double* here, std::size_t n) override;
  void evaluate(const State& state, const Coefficients& c, double* residual) override;
  void evaluate_rates(const State& state, const Coefficients& c, double* residual,
                      double* acceleration_rows) override;
  void velocity_rows(const State& state, double* rows) override;
  /// Throws Failure(unsupported): only HhtForm::equation_10 needs it.
  void mass_times_acceleration(const State& state, double* out) override;
  SolveReport factor(const State& state, const Coefficients& c, PhaseTimes* times) override;
  SolveReport solve(const double* b, double* x) override { return system_.solve(b, x); }
  void accept(State& state) override;

  /// Whether contacts that were near at the last evaluation of a step have no places in the matrix; nothing
  /// where there was none since take().
  std::optional<bool> misses_what_is_near() const;
  /// find_law_changes() of the last evaluation of a step that ended at t.
  void find_law_changes(double t, double time, LawChanges& found);
  /// Takes the structure that the processor's assembler has now.
  void take_structure();
  const std::shared_ptr<const Structure>& structure() const { return structure_; }

  const DeviceSystem& system() const { return system_; }
  /// Repeats the symbolic analysis of the linear system and resets its counters.
  void analyze() {
    system_.analyze(structure_->pattern(), structure_->graph());
    ++version_;
  }
  /// Counters of the linear system in GuardedSystem's terms; answers of the processor count as full pivoting.
  SystemCounters counters() const;
  Device& device() const { return assembler_.device(); }
  void archive(Archive& a) { system_.archive(a); }
  /// Device memory of assembler and linear system, bytes.
  std::size_t bytes() const;

 private:
  long version() const override { return version_; }
  const GuardLimits& guard() const override { return system_.limits; }
  const Place* record_evaluation(double* residual) override;
  const Place* record_rates(double* residual, double* acceleration_rows) override;
  void record_velocity_rows(double* rows) override { assembler_.rates(1, rows); }
  const Place* record_matrix() override;
  const Place* record_solution(const double* b, double* x) override {
    return system_.launch_solution(b, x, 0);
  }
  const Place* record_further_solution(const double* b, double* x) override {
    return system_.launch_solution(b, x, 1);
  }
  void begin_iterations(const State& state, const Coefficients& c) override;
  void iterated(long factorizations, long solutions) override { system_.count(factorizations, solutions); }

  template <class Evaluate>
  void until_it_stands(const Evaluate& evaluate);
  void begin_evaluation(const State& state, const Coefficients& c);
  void find_what_is_told();

  Assembler& host_;
  std::shared_ptr<const Structure> structure_;  ///< of the matrix
  ModalInertia inertia_;
  DeviceAssembler assembler_;
  DeviceSystem system_;
  Executor executor_;
  DeviceArena arena_;
  BodyRows body_rows_{};
  const unsigned char* differential_ = nullptr;
  bool evaluated_ = false;  ///< since take()
  long version_ = 0;        ///< of the structure
  RecordedLaunches evaluation_, with_rates_, tangent_;
};

}  // namespace trammel
