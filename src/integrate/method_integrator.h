// The Integrator of any method, made by the files integrate/methods/*.cpp.
#pragma once

#include <algorithm>

#include "integrate/host_machine.h"
#include "integrate/integrator.h"
#include "integrate/method_defaults.h"
#include "integrate/methods/list.h"
#include "integrate/step_definitions.h"
#include "integrate/watched_steps.h"

namespace trammel {

/// Besides what StepCore requires, a method has here
///     static Method of(const IntegratorOptions&, bool constrained)
///     static bool same_formulas(const IntegratorOptions&, const IntegratorOptions&)   one history fits both
template <class Method>
class MethodIntegrator : public Integrator {
 public:
  MethodIntegrator(const Model& model, std::shared_ptr<Equations> equations, const IntegratorOptions& options)
      : Integrator(options),
        model_(model),
        machine_(std::move(equations)),
        core_(with_rooms(begin(model, options), machine_.equations().executor()), machine_) {
    if (!derives_velocities(options)) take_units_of_states();
  }
  MethodIntegrator(const MethodIntegrator&) = delete;
  MethodIntegrator& operator=(const MethodIntegrator&) = delete;

  void start(State& state) override {
    machine_.equations().take(state);
    begin_at(state);
    core_.start();
  }

  bool go_on(const IntegratorOptions& options) override {
    if (options.method != options_.method || !Method::same_formulas(options, options_)) return false;
    options_ = options;
    core_.rules = rules_of(options);
    core_.jacobian.pattern = pattern_of(options);
    core_.counters = {};
    core_.control.next_h =
        options.fixed_step() ? options.hinit : std::min(core_.control.next_h, options.hmax);
    return true;
  }

  StepResult step(State& state, double h_limit, double left) override {
    const WaitingTimer timer(machine_);
    begin_at(state);
    return end_at(state, core_.step(h_limit, left));
  }
  StepResult step_exactly(State& state, double h) override {
    const WaitingTimer timer(machine_);
    begin_at(state);
    return end_at(state, core_.step_exactly(h));
  }
  void bring(State& state) override {
    const WaitingTimer timer(machine_);
    machine_.equations().bring(state);
  }

  void forget_jacobian(const State& state) override {
    core_.jacobian.valid = false;
    machine_.equations().take(state);
  }
  void take_histories(const State& state) override { machine_.equations().take_histories(state); }
  void archive(Archive& a, State& state) override {
    if (a.restores()) machine_.equations().take(state);
    begin_at(state);
    a.section(options_.method);
    machine_.equations().archive_steps(a);
    core_.archive(a);
    core_.method.archive(a);
    std::vector<double> values;
    visit_arrays(core_, [&](double* array, int n) {
      values.resize(static_cast<std::size_t>(n));
      if (!a.restores()) machine_.equations().read(values.data(), array, values.size());
      a.numbers(values.data(), values.size());
      if (a.restores()) machine_.equations().write(array, values.data(), values.size());
    });
  }
  void sum_times(PhaseTimes* times) override { machine_.times = times; }
  void observe(SolveObserver* observer) override { machine_.observer = observer; }
  const StepState& steps() const override { return core_; }

  std::vector<double> error_estimate() override {
    std::vector<double> out(core_.n.coordinates);
    machine_.equations().read(out.data(), core_.motion.delta, out.size());
    return out;
  }

  const StepStart& step_start() override {
    if (start_copied_) return step_start_;
    start_copied_ = true;
    step_start_.t = core_.motion.begin_t;
    step_start_.velocities_apart = Method::velocities_apart;
    const auto read = [this](std::vector<double>& here, const double* there, int n) {
      here.resize(n);
      machine_.equations().read(here.data(), there, here.size());
    };
    const ModelSizes& n = core_.n;
    const StateArrays& begin = core_.motion.begin;
    read(step_start_.q, begin.q, n.coordinates);
    read(step_start_.v, begin.v, n.coordinates);
    read(step_start_.a, begin.a, n.coordinates);
    read(step_start_.lambda, begin.lambda, n.multipliers);
    read(step_start_.s, begin.s, n.scalars);
    read(step_start_.sdot, begin.sdot, n.scalars);
    const Predictor& past = core_.history.unknowns;
    step_start_.inside.resize(past.points() > Method::points_inside ? Method::points_inside : 0);
    for (std::size_t k = 0; k < step_start_.inside.size(); ++k) {
      const int point = static_cast<int>(k) + 1;
      step_start_.inside[k].t = past.time(point);
      read(step_start_.inside[k].lambda, past.point(point) + n.coordinates, n.multipliers);
      read(step_start_.inside[k].sdot, past.point(point) + n.first_scalar(), n.scalars);
      if constexpr (Method::points_inside > 0)
        read(step_start_.inside[k].s, core_.method.scalars_inside(n, static_cast<int>(k)), n.scalars);
    }
    return step_start_;
  }

  void refine_inside([[maybe_unused]] State& inside) override {
    if constexpr (requires { core_.method.inside_step(core_, inside.t, StateArrays{}); })
      core_.method.inside_step(core_, inside.t, machine_.equations().arrays(inside));
  }

 protected:
  HostMachine& machine() { return machine_; }
  Method& method() { return core_.method; }

 private:
  /// Adds to PhaseTimes what the program has waited for a device since it was made.
  class WaitingTimer {
   public:
    explicit WaitingTimer(HostMachine& machine)
        : sum_(machine.times ? &machine.times->waiting : nullptr), waited_(machine.equations().waited()) {
      if (waited_) before_ = *waited_;
    }
    ~WaitingTimer() {
      if (sum_ && waited_) *sum_ += *waited_ - before_;
    }
    WaitingTimer(const WaitingTimer&) = delete;
    WaitingTimer& operator=(const WaitingTimer&) = delete;

   private:
    double* sum_;
    const double* waited_;
    double before_ = 0;
  };

  static StepData<Method> begin(const Model& model, const IntegratorOptions& options) {
    return {begin_steps(model, options), Method::of(options, model.multipliers > 0)};
  }
  static StepData<Method> with_rooms(StepData<Method> data, Executor& executor) {
    executor.forget_rooms();
    make_arrays(data, [&](int n) { return executor.room(static_cast<std::size_t>(n)); });
    return data;
  }
  /// Where some scalar has a unit of its own.
  void take_units_of_states() {
    std::vector<double> unit;
    for (const Scalar& s : model_.scalars) unit.push_back(s.unit);
    if (std::ranges::all_of(unit, [](double u) { return u == 1; })) return;
    double* there = machine_.equations().executor().room(unit.size());
    machine_.equations().write(there, unit.data(), unit.size());
    core_.motion.state_unit = there;
  }
  void begin_at(State& state) {
    machine_.state = &state;
    core_.motion.t = state.t;
    core_.motion.now = machine_.equations().arrays(state);
    start_copied_ = false;
  }
  StepResult end_at(State& state, StepEnd end) {
    state.t = core_.motion.t;
    if (end == StepEnd::accepted) return core_.result;
    if (end == StepEnd::no_value) std::rethrow_exception(machine_.failure);
    throw Failure(ExitCode::solver, why_given_up(model_, core_, end), facts_given_up(model_, core_, end));
  }

  const Model& model_;
  HostMachine machine_;
  StepCore<Method, HostMachine> core_;
  StepStart step_start_;  ///< filled by step_start() on demand
  bool start_copied_ = false;
};

template <class Method>
std::unique_ptr<Integrator> make_method_integrator(const Model& model, std::shared_ptr<Equations> equations,
                                                   const IntegratorOptions& options) {
  return std::make_unique<MethodIntegrator<Method>>(model, std::move(equations), options);
}

}  // namespace trammel
