#include "analysis/model_systems.h"

#include "integrate/device_equations.h"
#include "integrate/methods/list.h"

namespace trammel {

ModelSystems::ModelSystems(const Model& model, const ComputeSettings& compute)
    : model_(model),
      pool_(compute.threads > 1 ? std::make_shared<ThreadPool>(compute.threads) : nullptr),
      assembler_(model, Parallel(pool_.get()), compute.structure),
      of_steps_(compute.linear_solver),
      of_points_(compute.linear_solver) {
  for (GuardedSystem* system : {&of_steps_, &of_points_}) system->use(pool_);
  analyze();
  if (compute.device) compute_on(compute.device, compute.device_solver);
}

void ModelSystems::analyze() {
  const Structure& structure = *assembler_.structure();
  of_steps_.analyze(structure.pattern(), structure.graph(), structure.order());
  of_points_.analyze_as(of_steps_);
  if (device_equations_ && device_equations_->structure() != assembler_.structure())
    device_equations_->take_structure();
}

std::size_t ModelSystems::couple_what_is_near() {
  return assembler_.misses_what_is_near() ? couple() : 0;
}

std::size_t ModelSystems::couple_what_is_near_there(const std::function<const State&()>& present) {
  const std::optional<bool> misses = device_equations_->misses_what_is_near();
  if (misses && !*misses) return 0;
  assembler_.evaluate_equations(present(), in_dynamics);
  return misses ? couple() : couple_what_is_near();
}

std::size_t ModelSystems::couple() {
  before_ = counters();
  const std::size_t contacts = assembler_.couple_what_is_near();
  analyze();
  return contacts;
}

void ModelSystems::couple_what_is_near_at(const State& state) {
  if (!assembler_.couples_what_is_near()) return;
  assembler_.evaluate_equations(state, in_dynamics);
  couple_what_is_near();
}

void ModelSystems::compute_on(std::shared_ptr<Device> device, const TrammelSolverApi* solver) {
  device_equations_ = std::make_shared<DeviceEquations>(model_, assembler_, *device, solver);
  device_ = std::move(device);
}

void ModelSystems::leave_device() {
  if (device_equations_) before_ += device_equations_->counters();
  device_equations_.reset();
  device_.reset();
}

bool ModelSystems::steps_on_device(const IntegratorOptions& options) const {
  return device_equations_ && !method_of(options).on_processor;
}

void ModelSystems::find_law_changes(const IntegratorOptions& options, const LawSwitches& switches, double t,
                                    double time, LawChanges& found) {
  if (steps_on_device(options)) return device_equations_->find_law_changes(t, time, found);
  trammel::find_law_changes(switches, assembler_, time, found);
}

std::unique_ptr<Integrator> ModelSystems::make_integrator(const IntegratorOptions& options) {
  return steps_on_device(options) ? trammel::make_integrator(model_, device_equations_, options)
                                  : trammel::make_integrator(model_, assembler_, of_steps_, options);
}

void ModelSystems::reorder() {
  before_ = counters();
  const Structure& structure = *assembler_.structure();
  of_steps_.analyze(structure.pattern(), structure.graph(), structure.order());
  if (device_equations_) device_equations_->analyze();
}

void ModelSystems::archive(Archive& a) {
  a.plain(before_);
  assembler_.archive(a);
  if (a.restores() && assembler_.couples_what_is_near()) analyze();
  a(of_steps_, of_points_);
  bool device = device_equations_ != nullptr;
  a(device);
  if (device != (device_equations_ != nullptr))
    fail(ExitCode::input, "the saved state is of steps {}", device ? "on a device" : "on the processor");
  if (device_equations_) device_equations_->archive(a);
}

SystemCounters ModelSystems::counters() const {
  SystemCounters sum = before_;
  if (device_equations_) sum += device_equations_->counters();
  return sum += of_steps_.counters();
}

}  // namespace trammel
