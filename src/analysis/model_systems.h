// What computes the equations of one model: the assembler, the linear systems, and a device, if the steps are
// computed on one.
#pragma once

#include <memory>

#include "analysis/settings.h"
#include "integrate/device_equations.h"
#include "integrate/integrator.h"

namespace trammel {

class ModelSystems {
 public:
  /// The model must outlive the object. Throws as compute_on() does.
  ModelSystems(const Model& model, const ComputeSettings& compute);

  Assembler& assembler() { return assembler_; }
  const Assembler& assembler() const { return assembler_; }
  /// The linear system of steps: which solver, which order.
  const GuardedSystem& of_steps() const { return of_steps_; }
  /// That of Newton's iterations for one point: initial conditions, and states brought onto the constraints.
  GuardedSystem& of_points() { return of_points_; }
  /// The equations of the steps where these are computed on a device; else null.
  const DeviceEquations* on_device() const { return device_equations_.get(); }

  /// Computes the steps of integrators made from now on on the device, with the linear solver of another
  /// library unless null. Throws as DeviceEquations does; all then stays as it was.
  void compute_on(std::shared_ptr<Device> device, const TrammelSolverApi* solver = nullptr);
  /// The steps of integrators made from now on are the processor's again. Those on the device are gone by
  /// then.
  void leave_device();
  /// Whether these steps are: not those of a method that is computed on the processor alone.
  bool steps_on_device(const IntegratorOptions& options) const;
  /// What the last evaluation of a step with these options found, which ended at t, with passages within
  /// `time` from there.
  void find_law_changes(const IntegratorOptions& options, const LawSwitches& switches, double t, double time,
                        LawChanges& found);
  /// One integrator at a time: they share the linear system.
  std::unique_ptr<Integrator> make_integrator(const IntegratorOptions& options);
  /// Of all linear systems on the processor.
  void on_pivots_lost(const std::function<void(const PivotsLost&)>& call) {
    of_steps_.on_pivots_lost = of_points_.on_pivots_lost = call;
  }
  /// Finds the order of elimination anew.
  void reorder();
  /// Where contacts have come near that have no place in the matrices: gives them one, in matrices
  /// of another pattern, and their number. 0: there are none. Integrators must forget their Jacobian then.
  std::size_t couple_what_is_near();
  void couple_what_is_near_at(const State& state);
  /// The same of steps on the device, which tells whether there are any: `present()` brings the state from
  /// there.
  std::size_t couple_what_is_near_there(const std::function<const State&()>& present);

  void archive(Archive& a);
  /// Of the steps, with those that were counted before, by other systems or in another order.
  SystemCounters counters() const;
  void count_also(const SystemCounters& before) { before_ += before; }

 private:
  void analyze();
  std::size_t couple();

  const Model& model_;
  std::shared_ptr<ThreadPool> pool_;  ///< null: one thread
  Assembler assembler_;
  GuardedSystem of_steps_, of_points_;
  std::shared_ptr<Device> device_;  ///< null: steps are computed on the processor
  std::shared_ptr<DeviceEquations> device_equations_;
  SystemCounters before_;
};

}  // namespace trammel
