#include "linear/device/system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/diagnostics.h"
#include "device_api/reduce.h"
#include "linear/device/vectors.h"
#include "linear/guard.h"

namespace trammel {
DeviceSystem::DeviceSystem(Device& device, const TrammelSolverApi* solver)
    : device_(device),
      elimination_(solver ? make_plugin_elimination(device, *solver) : make_device_multifrontal(device)) {}

void DeviceSystem::analyze(const SparsePattern& pattern, const MechanismGraph& graph) {
  check_pattern(pattern);
  state_ = State::empty;
  factorization_ = solve_ = refinement_ = nullptr;
  whole_solves_.clear();
  info_ = {};
  info_.solver = elimination_->name();
  counters_ = {};
  pattern_ = pattern;
  graph_ = graph;
  order_ = order_unknowns(graph, false, OrderingGoal::device_levels);
  scaled_ = scaling_given_ = host_analyzed_ = false;
  if (pattern.n > 0) {
    rows_ = by_rows(pattern_);
    make_store();
    elimination_->analyze({pattern_, rows_, order_.unknowns, limits.pivot_tolerance, store_.row_start,
                           store_.row_column, store_.value, store_.unknown, store_.inverse_pivot},
                          info_);
    record();
    take_counts();
  }
  host_value_.assign(pattern.nonzeros(), 0.0);
  host_c_.assign(pattern.n, 0.0);
  state_ = State::analyzed;
}

void DeviceSystem::make_store() {
  arena_.emplace(device_);
  Store& s = store_;
  s.column_start = arena_->copy(pattern_.column_start);
  s.row = arena_->copy(pattern_.row);
  s.row_place = arena_->copy(rows_.place);
  s.row_start = arena_->copy(rows_.start);
  s.row_column = arena_->copy(rows_.column);
  s.unknown = arena_->room<int>(order_.unknowns.size());
  s.value = arena_->room<double>(pattern_.row.size());
  for (double** v : {&s.row_factor, &s.column_factor, &s.column_largest, &s.inverse_pivot, &s.ratio, &s.c,
                     &s.y, &s.r, &s.w, &s.kept, &s.error})
    *v = arena_->room<double>(order_.unknowns.size());
  s.scratch = arena_->room<Place>(reduction_scratch(pattern_.n));
  s.scratch_of_w = arena_->room<Place>(reduction_scratch(pattern_.n));
  s.ratio_of_others = arena_->room<Place>(1);
  s.error_of_others = arena_->room<Place>(2);
  arena_->flush();
}

// ---- launches

/// Records the graphs. All reduce into the same scratch, so `worst_` is valid for each.
void DeviceSystem::record() {
  const bool whole = elimination_->launches_only();
  factorization_ = device_.graph([&] {
    if (whole) elimination_->factor();
    worst_ = judge_pivots();
  });
  solve_ = device_.graph([&] {
    if (whole) elimination_->solve(store_.c, store_.y);
    worst_ = judge_answer();
  });
  refinement_ = device_.graph([&] {
    if (whole) elimination_->correct(store_.r, store_.y, store_.kept);
    worst_ = judge_answer();
  });
  info_.factor_launches = device_.launches_of(factorization_) + 1;  // + 1: the scaling, not in the graph
  info_.solve_launches = device_.launches_of(solve_) + 2;           // c = R b and x = C y
  info_.refinement_launches = device_.launches_of(refinement_);
}

const Place* DeviceSystem::judge_pivots(Place* result) {
  const int n = pattern_.n;
  device_.launch(PivotRatios{store_.inverse_pivot, store_.unknown, store_.column_largest, store_.ratio,
                             std::numeric_limits<double>::infinity()},
                 n);
  return launch_largest(device_, store_.ratio, n, store_.scratch, result);
}

const Place* DeviceSystem::judge_answer(Place* result) {
  const int n = pattern_.n;
  const Store& s = store_;
  device_.launch(SystemResidual{s.row_start, s.row_column, s.value, s.y, s.c, s.r, s.w}, n);
  const Place* largest = launch_largest(device_, s.w, n, s.scratch_of_w);
  device_.launch(SystemErrors{s.r, s.w, largest, s.error}, n);
  return launch_largest(device_, s.error, n, s.scratch, result);
}

void DeviceSystem::scale(const double* values) {
  device_.launch(ScaleMatrix{values, store_.column_start, store_.row, store_.row_place, store_.row_factor,
                             store_.column_factor, store_.value, store_.column_largest},
                 pattern_.n);
}

const Place* DeviceSystem::launch_factorization(const double* values) {
  scale(values);
  elimination_->factor();
  return judge_pivots(store_.ratio_of_others);
}

const Place* DeviceSystem::launch_solution(const double* b, double* x, int k) {
  return launch_answer(b, x, store_.error_of_others + k);
}

/// x = C B^-1 R b with the check of the answer.
const Place* DeviceSystem::launch_answer(const double* b, double* x, Place* result) {
  device_.launch(ScaleVector{b, store_.row_factor, store_.c}, pattern_.n);
  elimination_->solve(store_.c, store_.y);
  const Place* error = judge_answer(result);
  device_.launch(ScaleVector{store_.y, store_.column_factor, x}, pattern_.n);
  return error;
}

/// Runs a graph and copies its result (smallest pivot or backward error) to the host.
double DeviceSystem::run_and_ask(const std::shared_ptr<void>& graph) {
  device_.run(graph);
  Place worst{};
  device_.download(&worst, worst_, sizeof worst);
  return worst.value;
}

// ---- the matrix

void DeviceSystem::set_scaling(const Scaling& scaling) {
  check_scaling(scaling, pattern_.n, state_ != State::empty);
  scaling_ = scaling;
  device_.upload(store_.row_factor, scaling_.row.data(), scaling_.row.size() * sizeof(double));
  device_.upload(store_.column_factor, scaling_.column.data(), scaling_.column.size() * sizeof(double));
  scaled_ = scaling_given_ = true;
  state_ = State::analyzed;  // factors of another scaling do not fit
}

void DeviceSystem::fix_scaling(const double* values) {
  device_.download(host_value_.data(), values, host_value_.size() * sizeof(double));
  set_scaling(kkt_scaling(pattern_, host_value_.data(), graph_));
  scaling_given_ = false;
}

/// Updates counters that the factorization may have changed.
void DeviceSystem::take_counts() {
  counters_.pivot_choices = elimination_->pivot_choices();
  info_.bytes = static_cast<std::int64_t>(arena_->bytes()) + elimination_->bytes();
}

/// Factors B with the present pivots, or with new ones if there are none; returns the largest ratio of a
/// column's largest entry to its pivot, NaN when B is not finite.
double DeviceSystem::factor() {
  if (elimination_->launches_only()) return run_and_ask(factorization_);
  const bool factored = elimination_->factor();
  take_counts();
  const double ratio = run_and_ask(factorization_);
  return factored || std::isnan(ratio) ? ratio : std::numeric_limits<double>::infinity();
}

/// Factors B with new pivots; false if there are none or they are too small.
bool DeviceSystem::renew_pivots() {
  const bool renewed = elimination_->renew();
  take_counts();
  return renewed && 1 / run_and_ask(factorization_) >= limits.pivot;
}

SolveReport DeviceSystem::set_matrix(const double* values, bool fresh) {
  if (state_ == State::empty) fail(ExitCode::internal, "linear system: set_matrix() before analyze()");
  if (fresh && !scaling_given_) scaled_ = false;  // another matrix altogether: scale anew
  if (pattern_.n == 0) {
    state_ = State::factored;
    return {};
  }
  if (!scaled_) fix_scaling(values);
  if (fresh) elimination_->forget_pivots();
  scale(values);
  ++counters_.factorizations;
  const double ratio = factor();
  if (std::isnan(ratio)) {
    refusal_ = {SolveStatus::not_finite, -1, -1, 0, 0};
    state_ = State::refused;
    return refusal_;
  }
  state_ = State::factored;
  if (1 / ratio >= limits.pivot) return {};
  ++counters_.guard_trips;
  return renew_pivots() ? SolveReport{} : ask_host_to_factor();
}

/// Copies the scaled matrix to the processor's GuardedSystem and factors it there.
SolveReport DeviceSystem::ask_host_to_factor() {
  std::vector<double> by_rows(host_value_.size());
  device_.download(by_rows.data(), store_.value, by_rows.size() * sizeof(double));
  for (size_t k = 0; k < by_rows.size(); ++k) host_value_[k] = by_rows[rows_.place[k]];
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

void DeviceSystem::archive(Archive& a) {
  a.section("linear system of a device");
  a(state_, scaled_, scaling_given_, refusal_);
  a.plain(counters_);
  if (scaled_) {
    a(scaling_.row, scaling_.column);
    if (a.restores()) {
      device_.upload(store_.row_factor, scaling_.row.data(), scaling_.row.size() * sizeof(double));
      device_.upload(store_.column_factor, scaling_.column.data(), scaling_.column.size() * sizeof(double));
    }
  }
  if (!has_matrix() || pattern_.n == 0) return;
  const auto array = [&](double* there, std::size_t n) {
    std::vector<double> here(n);
    if (!a.restores()) device_.download(here.data(), there, n * sizeof(double));
    a.numbers(here.data(), n);
    if (a.restores()) device_.upload(there, here.data(), n * sizeof(double));
  };
  array(store_.value, pattern_.row.size());
  array(store_.column_largest, static_cast<std::size_t>(pattern_.n));
  if (state_ == State::on_host) {
    if (a.restores()) {
      host_.analyze(pattern_, graph_);
      host_analyzed_ = true;
      host_.limits = limits;
    }
    host_.archive(a);
  } else if (a.restores()) {
    elimination_->forget_pivots();
    factor();
  }
}

// ---- right-hand sides

/// Whether one graph does all of a solution: b must stay for a second one.
bool DeviceSystem::solves_whole() const {
  return elimination_->launches_only() && state_ == State::factored && b_ != x_;
}

double DeviceSystem::whole_answer() {
  return run_and_ask(whole_solves_.of(device_, b_, x_, [&] { worst_ = launch_answer(b_, x_); }));
}

double DeviceSystem::first_answer() {
  has_written_x_ = solves_whole();
  if (has_written_x_) return whole_answer();
  if (!elimination_->launches_only()) elimination_->solve(store_.c, store_.y);
  return run_and_ask(solve_);
}

double DeviceSystem::refined() {
  has_written_x_ = false;
  ++counters_.refinements;
  if (!elimination_->launches_only()) elimination_->correct(store_.r, store_.y, store_.kept);
  return run_and_ask(refinement_);
}

void DeviceSystem::take_back() {
  device_.copy(store_.y, store_.kept, pattern_.n * sizeof(double));
}

/// x = C B^-1 c by the processor's system.
SolveReport DeviceSystem::answer_on_host(double* x) {
  ++counters_.host_answers;
  device_.download(host_c_.data(), store_.c, host_c_.size() * sizeof(double));
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
  device_.upload(store_.y, y.data(), y.size() * sizeof(double));
  has_written_x_ = false;
  return accept(report, x);
}

SolveReport DeviceSystem::accept(const SolveReport& report, double* x) {
  if (!has_written_x_) device_.launch(ScaleVector{store_.y, store_.column_factor, x}, pattern_.n);
  return report;
}

SolveReport DeviceSystem::refuse(const SolveReport& report, double* x) {
  device_.clear(x, pattern_.n * sizeof(double));
  return report;
}

bool DeviceSystem::finite_right_hand_side() {
  device_.download(host_c_.data(), store_.c, host_c_.size() * sizeof(double));
  return std::all_of(host_c_.begin(), host_c_.end(), [](double v) { return std::isfinite(v); });
}

SolveReport DeviceSystem::solve(const double* b, double* x) {
  if (state_ == State::empty || state_ == State::analyzed)
    fail(ExitCode::internal, "linear system: solve() before set_matrix()");
  ++counters_.solves;
  if (pattern_.n == 0) return {};
  if (state_ == State::refused) return refuse(refusal_, x);
  b_ = b;
  x_ = x;
  if (!solves_whole()) device_.launch(ScaleVector{b, store_.row_factor, store_.c}, pattern_.n);
  if (state_ == State::on_host) return answer_on_host(x);
  SolveReport report;
  report.backward_error = guarded_answer(*this, limits);
  if (report.backward_error <= limits.accept) return accept(report, x);
  if (!finite_right_hand_side()) {
    report.status = SolveStatus::not_finite;  // the factors are kept: the right-hand side is not finite
    return refuse(report, x);
  }
  ++counters_.guard_trips;
  if (renew_pivots()) report.backward_error = guarded_answer(*this, limits);
  if (report.backward_error <= limits.accept) return accept(report, x);
  const SolveReport factored = ask_host_to_factor();
  return factored.ok() ? answer_on_host(x) : refuse(factored, x);
}

}  // namespace trammel
