// Equations and linear system of a step at one state, each part to be called by itself: on the processor and
// on a device.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "analysis/session.h"
#include "assemble/device_assembler.h"
#include "bench_tool/models.h"
#include "linear/device/system.h"

namespace trammel {

/// Throws Failure(solver) where a part of a step has no solution.
inline void require_answer(const SolveReport& report, const std::string& who) {
  if (!report.ok())
    fail(ExitCode::solver, "{} does not solve the system of a step: backward error {:.2g}", who,
         report.backward_error);
}

/// On the processor, at the simulation's present state. The simulation must outlive it.
struct StepSystem {
  StepSystem(Session& run, const std::string& solver)
      : assembler(run.assembler()), state(run.present()), system(solver) {
    values.resize(assembler.pattern().nonzeros());
    r.resize(assembler.pattern().n);
    x.resize(r.size());
    equations();
    tangent();
    system.analyze(assembler.pattern(), assembler.graph());
  }
  void equations() {
    assembler.evaluate_equations(state, in_dynamics);
    assembler.residual(state, c, r);
  }
  void tangent() { assembler.tangent(state, c, values); }
  void factor() { require_answer(system.set_matrix(values.data()), system.solver_name()); }
  void solve() { require_answer(system.solve(r.data(), x.data()), system.solver_name()); }

  Assembler& assembler;
  const State state;
  GuardedSystem system;
  const Coefficients c = bench_coefficients();
  std::vector<double> values, r, x;
};

/// On a device, at the simulation's present state. The simulation and the device must outlive it.
struct DeviceStepSystem {
  DeviceStepSystem(Device& device, Session& run)
      : point{run.present().t, static_cast<int>(in_dynamics.mode), bench_coefficients()},
        assembler(device, run.assembler(), run.model()),
        system(device) {
    const State state = run.present();
    assembler.hold_multipliers(state, in_dynamics.phase);
    assembler.upload(state);
    const int n = run.model().unknowns();
    std::vector<double> right(n);
    for (int i = 0; i < n; ++i) right[i] = std::sin(1.0 + i);
    b = DeviceArray<double>(device, std::span<const double>(right));
    x = DeviceArray<double>(device, right.size());
    r = DeviceArray<double>(device, right.size());
    system.analyze(run.assembler().pattern(), run.assembler().graph());
    DeviceAssembler::until_it_stands([&] {
      evaluate();
      return assembler.check();
    });
    residual();
    tangent();
    factor();  // makes the scaling
  }
  void evaluate() {
    assembler.set_point(point);
    assembler.evaluate_equations();
  }
  void residual() { assembler.residual(r.data()); }
  void tangent() { assembler.tangent(); }
  void factor() { require_answer(system.set_matrix(assembler.values()), "the device"); }
  void solve() { require_answer(system.solve(b.data(), x.data()), "the device"); }

  const EvaluationPoint point;
  DeviceAssembler assembler;
  DeviceSystem system;
  DeviceArray<double> b, x, r;
};

}  // namespace trammel
