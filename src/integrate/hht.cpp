#include "integrate/hht.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/hht_definitions.h"

namespace trammel {

HhtCounters& HhtCounters::operator+=(const HhtCounters& c) {
  steps += c.steps;
  rejected_error += c.rejected_error;
  rejected_corrector += c.rejected_corrector;
  evaluations += c.evaluations;
  iterations += c.iterations;
  jacobians += c.jacobians;
  rebases += c.rebases;
  rounding += c.rounding;
  return *this;
}

namespace {

/// "T:F:F" repeats when exhausted.
JacobianPattern pattern_of(const std::string& text) {
  JacobianPattern pattern;
  pattern.length = static_cast<int>(text.size() + 1) / 2;
  if (pattern.length > static_cast<int>(most_pattern_entries))
    fail(ExitCode::internal, "PATTERN has {} entries", pattern.length);
  for (int k = 0; k < pattern.length; ++k)
    if (text[2 * k] == 'T') pattern.entries |= 1ull << k;
  pattern.adaptive = text != "F:F";
  return pattern;
}

HhtRules rules_of(const HhtOptions& options, bool constrained) {
  const double alpha = options.alpha;
  HhtRules r;
  r.error = options.error;
  r.hmin = options.hmin;
  r.hmax = options.hmax;
  r.hinit = options.hinit;
  r.maxit = options.maxit;
  r.predictor_order = options.predictor_order;
  r.pattern = pattern_of(options.pattern);
  r.modified_corrector = options.modified_corrector;
  r.fixed_step = options.fixed_step();
  r.formulas = formulas_of(options);
  const double beta = r.formulas.beta;
  r.error_constant =
      r.formulas.second_order ? std::abs(beta + alpha / 2 - 1.0 / 6) : std::abs(beta - 1 / (6 * (1 + alpha)));
  // Rounding in positions η is white noise that constrained directions pass on with the double root −ρ of the
  // method, ρ = (1+α)/(1−α): βh²(a_{n+1} − a_n) is about 3 η/(1 − ρ)², three times that seldom.
  if (constrained) r.rounding_gain = 4 * std::pow(1 + (1 - alpha) / std::max(-2 * alpha, 0.05), 2);
  return r;
}

HhtData with_rooms(HhtData data, Executor& executor) {
  executor.forget_rooms();
  make_arrays(data, [&](int n) { return executor.room(static_cast<std::size_t>(n)); });
  return data;
}

}  // namespace

HhtFormulas formulas_of(const HhtOptions& options) {
  const double alpha = options.alpha;
  return {alpha, (1 - alpha) * (1 - alpha) / 4, 0.5 - alpha, options.form == HhtForm::second_order};
}

HhtData begin_hht(const Model& model, const HhtOptions& options) {
  HhtData data;
  data.rules_ = rules_of(options, model.multipliers > 0);
  data.n_ = {model.coordinates, model.multipliers, model.scalar_count(),
             static_cast<int>(model.bodies.size()), 0};
  for (const Scalar& s : model.scalars) data.n_.differential += s.differential();
  for (const Marker& m : model.markers) data.size_ = std::max(data.size_, norm(m.s));
  return data;
}

std::string why_given_up(const Model& model, const HhtData& d, StepEnd end) {
  switch (end) {
    case StepEnd::no_advance:
      return fmt::format(
          "the time cannot go on from {:.9g}: a step of {:.3g}, which ERROR, HMAX or the corrector ask for, "
          "is less than the distance {:.3g} of the numbers there. Simulate a shorter time, or look for what "
          "is so fast: a high spin, a very stiff element.",
          d.begin_t_, d.failed_h_, std::nextafter(d.begin_t_, INFINITY) - d.begin_t_);
    case StepEnd::singular:
      return fmt::format(
          "the system matrix is singular at time {:.9g}: equation {}, variable {}, relative pivot {:.3g}",
          d.begin_t_ + d.failed_h_, model.equation_name(d.report_.row), model.unknown_name(d.report_.column),
          d.report_.pivot);
    default:
      break;
  }
  const CorrectorRecord& r = d.record_;
  std::string text =
      fmt::format("the corrector cannot go on from time {:.9g}: step {:.3g} is below HMIN = {:.3g}.", d.t_,
                  d.failed_h_, d.rules_.hmin);
  if (r.equation >= 0)
    text += fmt::format(" Largest residual {:.3g} in {}; largest correction {:.3g} in {} (iteration {}).",
                        r.residual, model.equation_name(r.equation), r.correction,
                        model.unknown_name(r.unknown), r.iteration);
  return text + " Look for a discontinuity or a singular position there, or loosen ERROR.";
}

// ---- HostMachine

/// False where evaluate() fails for want of a value; why is kept in `failure`.
template <class F>
bool HostMachine::has_value(const F& evaluate) {
  try {
    evaluate();
    return true;
  } catch (const Failure& found) {
    if (found.code() != ExitCode::solver) throw;
    failure = std::current_exception();
    return false;
  }
}

bool HostMachine::evaluate(double t, const Coefficients& c, double* residual) {
  const PhaseTimer timer(times ? &times->equations : nullptr);
  state->t = t;
  return has_value([&] { equations_->evaluate(*state, c, residual); });
}

bool HostMachine::evaluate_rates(double t, const Coefficients& c, double* residual, double* rows) {
  const PhaseTimer timer(times ? &times->equations : nullptr);
  state->t = t;
  return has_value([&] { equations_->evaluate_rates(*state, c, residual, rows); });
}

bool HostMachine::velocity_rows(double* rows) {
  return has_value([&] { equations_->velocity_rows(*state, rows); });
}

bool HostMachine::mass_times_acceleration(double* out) {
  return has_value([&] { equations_->mass_times_acceleration(*state, out); });
}

bool HostMachine::factor(double t, const Coefficients& c, SolveReport& report) {
  state->t = t;
  return has_value([&] { report = equations_->factor(*state, c, times); });
}

SolveReport HostMachine::solve(const double* b, double* x) {
  const PhaseTimer timer(times ? &times->solution : nullptr);
  return equations_->solve(b, x);
}

void HostMachine::accept(double t) {
  state->t = t;
  equations_->accept(*state);
}

// ---- Hht

Hht::Hht(const Model& model, Assembler& assembler, GuardedSystem& system, const HhtOptions& options)
    : Hht(model, std::make_shared<HostEquations>(model, assembler, system), options) {}

Hht::Hht(const Model& model, std::shared_ptr<Equations> equations, const HhtOptions& options)
    : model_(model),
      options_(options),
      machine_(std::move(equations)),
      core_(with_rooms(begin_hht(model, options), machine_.equations().executor()), machine_) {}

void Hht::begin_at(State& state) {
  machine_.state = &state;
  core_.t_ = state.t;
  core_.now_ = machine_.equations().arrays(state);
  start_copied_ = false;
}

void Hht::start(State& state) {
  machine_.equations().take(state);
  begin_at(state);
  core_.start();
}

bool Hht::go_on(const HhtOptions& options) {
  if (options.alpha != options_.alpha || options.form != options_.form) return false;
  options_ = options;
  core_.rules_ = rules_of(options, model_.multipliers > 0);
  core_.counters_ = {};
  core_.next_h_ = options.fixed_step() ? options.hinit : std::min(core_.next_h_, options.hmax);
  return true;
}

StepResult Hht::step(State& state, double h_limit, double h_most) {
  begin_at(state);
  return end_at(state, core_.step(h_limit, h_most));
}

StepResult Hht::step_exactly(State& state, double h) {
  begin_at(state);
  return end_at(state, core_.step_exactly(h));
}

StepResult Hht::end_at(State& state, StepEnd end) {
  state.t = core_.t_;
  if (end == StepEnd::accepted) return core_.result_;
  if (end == StepEnd::no_value) std::rethrow_exception(machine_.failure);
  throw Failure(ExitCode::solver, why_given_up(model_, core_, end));
}

std::vector<double> Hht::error_estimate() {
  std::vector<double> out(core_.n_.coordinates);
  machine_.equations().read(out.data(), core_.delta_, out.size());
  return out;
}

const Hht::StepStart& Hht::step_start() {
  StepStart& out = step_start_;
  if (start_copied_) return out;
  start_copied_ = true;
  out.t = core_.begin_t_;
  const auto read = [this](std::vector<double>& here, const double* there, int n) {
    here.resize(n);
    machine_.equations().read(here.data(), there, here.size());
  };
  const HhtSizes& n = core_.n_;
  read(out.q, core_.begin_.q, n.coordinates);
  read(out.v, core_.begin_.v, n.coordinates);
  read(out.a, core_.begin_.a, n.coordinates);
  read(out.lambda, core_.begin_.lambda, n.multipliers);
  read(out.s, core_.begin_.s, n.scalars);
  read(out.sdot, core_.begin_.sdot, n.scalars);
  return out;
}

}  // namespace trammel
