#include "linear/device_system.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"
#include "linear/device_solves.h"
#include "linear/device_vectors.h"

namespace trammel {
namespace {

/// A front that would need more is quicker by several blocks, even where a group may have more.
constexpr std::size_t most_shared_memory = 227 * 1024;

}  // namespace

DeviceSystem::DeviceSystem(Device& device) : device_(device) {}

void DeviceSystem::analyze(const SparsePattern& pattern, const MechanismGraph& graph) {
  check_pattern(pattern);
  state_ = State::empty;
  factorization_ = solve_ = refinement_ = nullptr;
  store_ = {};
  info_ = {};
  counters_ = {};
  pattern_ = pattern;
  graph_ = graph;
  order_ = order_unknowns(graph, false, OrderingGoal::device_levels);
  scaled_ = scaling_given_ = host_analyzed_ = false;
  const std::size_t shared = std::min<std::size_t>(device_.info().shared_memory, most_shared_memory);
  panel_capacity_ = (shared - std::min(shared, panel_memory(0))) / 8;
  const DevicePlan plan =
      make_device_plan(make_fronts(pattern, order_.unknowns, device_front_cost()), shared);
  info_.fronts = static_cast<int>(plan.fronts.size());
  info_.levels = static_cast<int>(plan.levels.size());
  info_.small = plan.small;
  info_.middle = plan.middle;
  info_.large = plan.large;
  info_.sums = plan.sums;
  info_.largest = plan.largest;
  info_.flops = plan.flops;
  if (pattern.n > 0) {
    store_pattern(plan);
    make_arrays(plan);
    record(plan);
  }
  host_value_.assign(pattern.nonzeros(), 0.0);
  host_c_.assign(pattern.n, 0.0);
  state_ = State::analyzed;
}

void DeviceSystem::set_scaling(const Scaling& scaling) {
  const auto n = static_cast<size_t>(pattern_.n);
  if (state_ == State::empty || scaling.row.size() != n || scaling.column.size() != n) {
    fail(ExitCode::internal, "scaling: {} row and {} column factors for a system of {} unknowns",
         scaling.row.size(), scaling.column.size(), n);
  }
  scaling_ = scaling;
  store_.row_factor.upload(scaling_.row);
  store_.column_factor.upload(scaling_.column);
  scaled_ = scaling_given_ = true;
  state_ = State::analyzed;  // factors of another scaling do not fit
}

void DeviceSystem::fix_scaling(const double* values) {
  device_.download(host_value_.data(), values, host_value_.size() * sizeof(double));
  set_scaling(kkt_scaling(pattern_, host_value_.data(), graph_));
  scaling_given_ = false;
}

/// Runs a graph and copies what it leaves.
double DeviceSystem::run_and_ask(const std::shared_ptr<void>& graph) {
  device_.run(graph);
  Place worst{};
  device_.download(&worst, worst_, sizeof worst);
  return worst.value;
}

SolveReport DeviceSystem::set_matrix(const double* values, bool fresh) {
  if (state_ == State::empty) fail(ExitCode::internal, "linear system: set_matrix() before analyze()");
  if (fresh && !scaling_given_) scaled_ = false;  // another matrix altogether
  if (pattern_.n == 0) {
    state_ = State::factored;
    return {};
  }
  if (!scaled_) fix_scaling(values);
  device_.launch(ScaleMatrix{values, store_.column_start.data(), store_.row.data(), store_.row_place.data(),
                             store_.row_factor.data(), store_.column_factor.data(), store_.value.data(),
                             store_.column_largest.data()},
                 pattern_.n);
  ++counters_.factorizations;
  const double ratio = run_and_ask(factorization_);
  if (std::isnan(ratio)) {
    refusal_ = {SolveStatus::not_finite, -1, -1, 0, 0};
    state_ = State::refused;
    return refusal_;
  }
  if (1 / ratio >= limits.pivot) {
    state_ = State::factored;
    return {};
  }
  ++counters_.guard_trips;
  return ask_host_to_factor();
}

/// The scaled matrix, as the device has it, to the processor's own system.
SolveReport DeviceSystem::ask_host_to_factor() {
  std::vector<double> by_rows(host_value_.size());
  store_.value.download(by_rows);
  for (size_t k = 0; k < by_rows.size(); ++k) host_value_[k] = by_rows[row_place_[k]];
  if (!host_analyzed_) {
    host_.analyze(pattern_, graph_);
    host_analyzed_ = true;
  }
  host_.limits = limits;
  const std::vector<double> ones(pattern_.n, 1.0);
  host_.set_scaling({ones, ones});
  const SolveReport report = host_.set_matrix(host_value_.data(), true);
  state_ = report.ok() ? State::on_host : State::refused;
  refusal_ = report;
  return report;
}

/// x = C B^-1 c by the processor.
SolveReport DeviceSystem::answer_on_host(double* x) {
  ++counters_.host_answers;
  store_.c.download(host_c_);
  std::vector<double> y(host_c_.size());
  const SolveReport report = host_.solve(host_c_.data(), y.data());
  if (!report.ok()) {
    if (report.status != SolveStatus::not_finite) {
      state_ = State::refused;
      refusal_ = report;
      refusal_.backward_error = 0;
    }
    return refuse(report, x);
  }
  store_.y.upload(y);
  device_.launch(ScaleVector{store_.y.data(), store_.column_factor.data(), x}, pattern_.n);
  return report;
}

SolveReport DeviceSystem::refuse(const SolveReport& report, double* x) {
  device_.clear(x, pattern_.n * sizeof(double));
  return report;
}

/// y = B^-1 c with the present factors, refined; returns its backward error, NaN when anything is not finite.
double DeviceSystem::answer() {
  double error = run_and_ask(solve_);
  for (int step = 0; step < limits.refinements && error > limits.target; ++step) {
    ++counters_.refinements;
    const double refined = run_and_ask(refinement_);
    if (!(refined < error)) {
      device_.copy(store_.y.data(), store_.kept.data(), pattern_.n * sizeof(double));
      break;
    }
    error = refined;
  }
  return error;
}

SolveReport DeviceSystem::solve(const double* b, double* x) {
  if (state_ == State::empty || state_ == State::analyzed)
    fail(ExitCode::internal, "linear system: solve() before set_matrix()");
  ++counters_.solves;
  if (pattern_.n == 0) return {};
  if (state_ == State::refused) return refuse(refusal_, x);
  device_.launch(ScaleVector{b, store_.row_factor.data(), store_.c.data()}, pattern_.n);
  if (state_ == State::on_host) return answer_on_host(x);
  SolveReport report;
  report.backward_error = answer();
  if (report.backward_error <= limits.accept) {
    device_.launch(ScaleVector{store_.y.data(), store_.column_factor.data(), x}, pattern_.n);
    return report;
  }
  store_.c.download(host_c_);
  if (!std::all_of(host_c_.begin(), host_c_.end(), [](double v) { return std::isfinite(v); })) {
    report.status = SolveStatus::not_finite;  // the matrix is not to blame and stays
    return refuse(report, x);
  }
  ++counters_.guard_trips;
  const SolveReport factored = ask_host_to_factor();
  return factored.ok() ? answer_on_host(x) : refuse(factored, x);
}

}  // namespace trammel
