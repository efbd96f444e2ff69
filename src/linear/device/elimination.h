// Interface of the factorizations that DeviceSystem can use: our own and those of other libraries.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_api/device.h"
#include "device_api/solver_abi.h"
#include "linear/pattern.h"
#include "linear/row_view.h"

namespace trammel {

/// Facts about the present factorization. Fronts, levels and launches are known for our own only.
struct DeviceSystemInfo {
  std::string solver;          ///< "multifrontal", "cusolver_rf", "cudss"
  std::string version;         ///< of the library, as it reports it; empty for our own
  int fronts = 0, levels = 0;  ///< fronts include those without pivots
  /// Fronts by class; `sums` are those without pivots.
  int small = 0, pair = 0, middle = 0, large = 0, sums = 0;
  int largest = 0;                                 ///< rows of the largest front
  double flops = 0;                                ///< operations of one factorization
  std::int64_t bytes = 0;                          ///< device memory, as far as known
  std::int64_t factor_bytes = 0, block_bytes = 0;  ///< parts of it: factors, contribution blocks
  long factor_launches = 0;                        ///< kernel launches of a successful set_matrix()
  long solve_launches = 0,
       refinement_launches = 0;  ///< launches of solve() without refinement, of one refinement step
};

/// The scaled matrix B. Its arrays stay at the same addresses between analyses; the values change.
struct ScaledMatrix {
  const SparsePattern& pattern;
  const RowView& rows;
  const std::vector<int>& order;  ///< elimination order of the unknowns, or one of the same cost
  double pivot_tolerance;         ///< smallest |a_kk| / largest of its column for a diagonal pivot
  // On the device:
  const int *row_start_there, *column_there;
  const double* value;    ///< nonzeros of B by rows
  int* unknown;           ///< set by analyze(): place k -> the unknown eliminated k-th
  double* inverse_pivot;  ///< set by factor(): 1 / pivot of place k, 0 for one that is zero or not finite
};

/// B = L U on a device. Array arguments are device pointers.
class DeviceElimination {
 public:
  virtual ~DeviceElimination() = default;
  virtual const char* name() const = 0;

  /// Prepares for a pattern; adds what is known of the work to `info`. Throws Failure.
  virtual void analyze(const ScaledMatrix& matrix, DeviceSystemInfo& info) = 0;
  /// Whether factor(), solve() and correct() only launch kernels, so that a graph can record them.
  virtual bool launches_only() const = 0;
  /// Factors the present B. False when a pivot is zero: there are no factors then.
  virtual bool factor() = 0;
  /// Factors the present B with newly chosen pivots. False when only the pivots of factor() are available.
  virtual bool renew() { return false; }
  /// The next B is unrelated to earlier ones: their pivots are not to be used.
  virtual void forget_pivots() {}
  /// How often the processor chose pivots, for libraries that keep them.
  virtual long pivot_choices() const { return 0; }
  /// Device memory in bytes, as far as known.
  virtual std::int64_t bytes() const = 0;
  /// y = B^-1 c.
  virtual void solve(const double* c, double* y) = 0;
  /// kept = y, then y += B^-1 r.
  virtual void correct(const double* r, double* y, double* kept) = 0;
};

/// Our own: fronts by levels, pivots chosen within fronts in every factorization (docs/linear_algebra.md).
std::unique_ptr<DeviceElimination> make_device_multifrontal(Device& device);
/// The factorization of another library, in the device's queue. Throws Failure(usage) when the library
/// belongs to another back end.
std::unique_ptr<DeviceElimination> make_plugin_elimination(Device& device, const TrammelSolverApi& api);

}  // namespace trammel
