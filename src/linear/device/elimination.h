// How a DeviceSystem eliminates: what our own factorization and those of other libraries have in common.
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

/// Facts about the present elimination. Fronts, levels and launches are those of our own; another library
/// does not tell them.
struct DeviceSystemInfo {
  std::string solver;                              ///< "multifrontal", "cusolver_rf", "cudss"
  std::string version;                             ///< of the library, in its own words; our own: empty
  int fronts = 0, levels = 0;                      ///< those that only add up are fronts, too
  int small = 0, middle = 0, large = 0, sums = 0;  ///< fronts by class, and of them those without pivots
  int largest = 0;                                 ///< rows of the largest front
  double flops = 0;                                ///< of one factorization
  std::int64_t bytes = 0;                          ///< of the device's memory, as far as it is known
  std::int64_t factor_bytes = 0, block_bytes = 0;  ///< of them factors and contribution blocks
  long factor_launches = 0;                        ///< of set_matrix() that succeeds
  long solve_launches = 0,
       refinement_launches = 0;  ///< of solve() without refinement, of a step of refinement
};

/// The scaled matrix B, which keeps its places from analysis to analysis; its values change.
struct ScaledMatrix {
  const SparsePattern& pattern;
  const RowView& rows;
  const std::vector<int>& order;  ///< in which to eliminate the unknowns, or one that costs the same
  double pivot_tolerance;         ///< a diagonal entry is kept while so large against its column
  // On the device:
  const int *row_start_there, *column_there;
  const double* value;    ///< by rows
  int* unknown;           ///< to be filled by analyze(): place k -> the unknown eliminated there
  double* inverse_pivot;  ///< to be filled by factor(): 1 / pivot of place k, 0 for one that is no use
};

/// B = L U on a device. Arrays that are passed are the device's.
class DeviceElimination {
 public:
  virtual ~DeviceElimination() = default;
  virtual const char* name() const = 0;

  /// For another pattern; adds to `info` what is known of the work. Throws Failure.
  virtual void analyze(const ScaledMatrix& matrix, DeviceSystemInfo& info) = 0;
  /// Whether factor(), solve() and correct() do nothing but launch kernels, so that a graph can keep them.
  virtual bool launches_only() const = 0;
  /// Factors the present B. False: a pivot is zero, and there are no factors to solve with.
  virtual bool factor() = 0;
  /// Factors the present B with pivots chosen afresh. False: there are none but those of factor().
  virtual bool renew() { return false; }
  /// The next B has nothing to do with those before.
  virtual void forget_pivots() {}
  /// How often the processor chose pivots that are kept.
  virtual long pivot_choices() const { return 0; }
  /// Of the device's memory, as far as it is known.
  virtual std::int64_t bytes() const = 0;
  /// y = B^-1 c.
  virtual void solve(const double* c, double* y) = 0;
  /// kept = y, y += B^-1 r.
  virtual void correct(const double* r, double* y, double* kept) = 0;
};

/// Our own: fronts by levels, pivots inside fronts at every factorization (docs/linear_algebra.md).
std::unique_ptr<DeviceElimination> make_device_multifrontal(Device& device);
/// That of another library, which works in the queue of the device. Throws Failure(usage) for a library of
/// another back end.
std::unique_ptr<DeviceElimination> make_plugin_elimination(Device& device, const TrammelSolverApi& api);

}  // namespace trammel
