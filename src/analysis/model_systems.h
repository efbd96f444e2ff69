// The objects that compute the equations of one model: the assembler, the linear systems, and a device where
// the steps are computed on one.
#pragma once

#include <memory>

#include "analysis/settings.h"
#include "integrate/integrator.h"

namespace trammel {

class DeviceEquations;
struct LawChanges;
struct LawSwitches;

class ModelSystems {
 public:
  /// The model must outlive the object. Throws as compute_on() does.
  ModelSystems(const Model& model, const ComputeSettings& compute);

  Assembler& assembler() { return assembler_; }
  const Assembler& assembler() const { return assembler_; }
  /// The linear system of the steps, with its solver and order of elimination.
  const GuardedSystem& of_steps() const { return of_steps_; }
  /// The linear system of Newton's iterations at one point of time: initial conditions, and states brought
  /// onto the constraints.
  GuardedSystem& of_points() { return of_points_; }
  /// The equations on the device; null where the steps are computed on the processor.
  const DeviceEquations* on_device() const { return device_equations_.get(); }

  /// Integrators made after this call take their steps on the device. `solver`: the linear solver of another
  /// library; null: our own. Throws as DeviceEquations does; nothing has changed then.
  void compute_on(std::shared_ptr<Device> device, const TrammelSolverApi* solver = nullptr);
  /// Integrators made after this call take their steps on the processor. Integrators on the device must have
  /// been destroyed.
  void leave_device();
  /// Whether an integrator with these options would take its steps on the device: not where its method runs
  /// on the processor alone.
  bool steps_on_device(const IntegratorOptions& options) const;
  /// What the last evaluation of a step with these options found, which ended at t, with passages within
  /// `time` from there.
  void find_law_changes(const IntegratorOptions& options, const LawSwitches& switches, double t, double time,
                        LawChanges& found);
  /// Only one integrator may exist at a time: all use one linear system.
  std::unique_ptr<Integrator> make_integrator(const IntegratorOptions& options);
  /// Sets the function that is told when pivots are lost, of all linear systems on the processor.
  void on_pivots_lost(const std::function<void(const PivotsLost&)>& call) {
    of_steps_.on_pivots_lost = of_points_.on_pivots_lost = call;
  }
  /// Finds the order of elimination anew.
  void reorder();
  /// Where contacts have come near that have no blocks in the matrices: makes the matrices anew, with a
  /// pattern for all contacts that are near now, and returns the number of these; integrators must forget
  /// their Jacobian then. 0: there was nothing to do. Refers to the assembler's last evaluation.
  std::size_t couple_what_is_near();
  /// The same after an evaluation at the state.
  void couple_what_is_near_at(const State& state);
  /// The same where steps are computed on the device, which reports whether contacts lack blocks: `present()`
  /// brings the state from the device.
  std::size_t couple_what_is_near_there(const std::function<const State&()>& present);

  void archive(Archive& a);
  /// Counters of the linear system of the steps, with earlier counts: by other systems, or in another order.
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
