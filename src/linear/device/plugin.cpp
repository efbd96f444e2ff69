// The factorization of another library on a device, with factors from the processor if it needs them.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/diagnostics.h"
#include "device_api/arena.h"
#include "device_api/vector_kernels.h"
#include "linear/device/elimination.h"
#include "linear/device/vectors.h"
#include "linear/host/klu_solver.h"

namespace trammel {
namespace {

class PluginElimination final : public DeviceElimination {
 public:
  PluginElimination(Device& device, const TrammelSolverApi& api);
  ~PluginElimination() override { api_.destroy(solver_); }
  PluginElimination(const PluginElimination&) = delete;
  PluginElimination& operator=(const PluginElimination&) = delete;

  const char* name() const override { return api_.name; }
  void analyze(const ScaledMatrix& matrix, DeviceSystemInfo& info) override;
  bool launches_only() const override { return false; }
  bool factor() override;
  bool renew() override;
  void forget_pivots() override { ready_ = false; }
  long pivot_choices() const override { return pivot_choices_; }
  std::int64_t bytes() const override {
    return static_cast<std::int64_t>(arena_->bytes() + (ready_ ? api_.bytes(solver_) : 0));
  }
  void solve(const double* c, double* y) override;
  void correct(const double* r, double* y, double* kept) override;

 private:
  bool set_up();
  bool set_up_with_factors(const TrammelSolverMatrix& matrix);
  bool refactor();
  void check(int status, const char* what) const;

  Device& device_;
  const TrammelSolverApi& api_;
  void* solver_ = nullptr;
  std::optional<ScaledMatrix> matrix_;
  std::optional<DeviceArena> arena_;
  double* z_ = nullptr;
  bool ready_ = false;  ///< the library has been set up for this pattern
  bool tried_ = false;  ///< set_up() was called with the present matrix
  long pivot_choices_ = 0;
};

PluginElimination::PluginElimination(Device& device, const TrammelSolverApi& api)
    : device_(device), api_(api) {
  if (device.backend() != api.backend)
    fail(ExitCode::usage, "linear solver {} is one of back end {}, not of {}", api.name, api.backend,
         device.backend());
  const Device::Queue queue = device.queue();
  check(api_.create(queue.device, queue.handle, &solver_), "beginning");
}

void PluginElimination::check(int status, const char* what) const {
  if (status != 0) fail(ExitCode::backend, "linear solver {}, {}: {}", api_.name, what, api_.error());
}

void PluginElimination::analyze(const ScaledMatrix& matrix, DeviceSystemInfo& info) {
  matrix_.emplace(matrix);
  ready_ = tried_ = false;
  pivot_choices_ = 0;
  const std::size_t n = matrix.order.size();
  arena_.emplace(device_);
  z_ = arena_->room<double>(n);
  device_.upload(matrix.unknown, matrix.order.data(), n * sizeof(int));
  device_.launch(FillValues{matrix.inverse_pivot, 1.0}, static_cast<int>(n));  // default
  info.version = api_.version();
}

/// Sets the library up with factors from the processor. False: the matrix is singular or not finite.
bool PluginElimination::set_up() {
  tried_ = true;
  const RowView& rows = matrix_->rows;
  const TrammelSolverMatrix pattern{matrix_->pattern.n, matrix_->pattern.nonzeros(), rows.start.data(),
                                    rows.column.data(), matrix_->row_start_there,    matrix_->column_there,
                                    matrix_->value};
  if (api_.keeps_pivots) {
    ready_ = set_up_with_factors(pattern);
  } else {
    check(api_.set_up(solver_, &pattern, matrix_->order.data(), nullptr), "preparing");
    ready_ = true;
  }
  return ready_;
}

bool PluginElimination::set_up_with_factors(const TrammelSolverMatrix& pattern) {
  const RowView& rows = matrix_->rows;
  std::vector<double> by_rows(rows.column.size()), by_columns(by_rows.size());
  device_.download(by_rows.data(), matrix_->value, by_rows.size() * sizeof(double));
  if (!std::all_of(by_rows.begin(), by_rows.end(), [](double v) { return std::isfinite(v); })) return false;
  for (std::size_t k = 0; k < by_rows.size(); ++k) by_columns[k] = by_rows[rows.place[k]];
  RowFactors f;
  ++pivot_choices_;
  if (factor_by_rows(matrix_->pattern, matrix_->order, by_columns.data(), matrix_->pivot_tolerance, f) !=
      FactorStatus::ok)
    return false;
  const TrammelSolverFactors factors{f.l_start.data(), f.l_column.data(), f.l_value.data(),
                                     f.u_start.data(), f.u_column.data(), f.u_value.data(),
                                     f.row.data(),     f.column.data(),   by_rows.data()};
  check(api_.set_up(solver_, &pattern, matrix_->order.data(), &factors), "taking over factors");
  return true;
}

bool PluginElimination::refactor() {
  int usable = 0;
  check(api_.refactor(solver_, matrix_->inverse_pivot, &usable), "factoring");
  return usable != 0;
}

bool PluginElimination::factor() {
  tried_ = false;
  return (ready_ || set_up()) && refactor();
}

bool PluginElimination::renew() {
  return !tried_ && set_up() && refactor();
}

void PluginElimination::solve(const double* c, double* y) {
  check(api_.solve(solver_, c, y), "solving");
}

void PluginElimination::correct(const double* r, double* y, double* kept) {
  solve(r, z_);
  device_.launch(AddVector{z_, y, kept}, matrix_->pattern.n);
}

}  // namespace

std::unique_ptr<DeviceElimination> make_plugin_elimination(Device& device, const TrammelSolverApi& api) {
  return std::make_unique<PluginElimination>(device, api);
}

}  // namespace trammel
