// A linear system on a device with the copies that a test needs, and a device with less shared memory.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../linear/mechanisms.h"
#include "backends/load.h"
#include "device_api/device.h"
#include "linear/device/system.h"

namespace trammel::test {

/// Takes matrices and right-hand sides from the program's memory.
class Uploaded {
 public:
  explicit Uploaded(Device& device, const TrammelSolverApi* solver = nullptr)
      : system(device, solver), device_(device) {}
  explicit Uploaded(Device& device, const System& s, const TrammelSolverApi* solver = nullptr)
      : Uploaded(device, solver) {
    analyze(s);
  }

  void analyze(const System& s) {
    system.analyze(s.pattern, s.graph);
    values_ = DeviceArray<double>(device_, s.values.size());
    b_ = DeviceArray<double>(device_, static_cast<std::size_t>(s.pattern.n));
    x_ = DeviceArray<double>(device_, static_cast<std::size_t>(s.pattern.n));
  }
  SolveReport set_matrix(const std::vector<double>& values, bool fresh = false) {
    values_.upload(values);
    return system.set_matrix(values_.data(), fresh);
  }
  SolveReport solve(const std::vector<double>& b, std::vector<double>& x) {
    b_.upload(b);
    x_.upload(std::vector<double>(b.size(), 1e300));
    const SolveReport report = system.solve(b_.data(), x_.data());
    x.resize(b.size());
    x_.download(x);
    return report;
  }
  double* values() { return values_.data(); }
  double* b() { return b_.data(); }

  DeviceSystem system;

 private:
  Device& device_;
  DeviceArray<double> values_, b_, x_;
};

/// All topologies and those with dense blocks.
inline std::vector<Mechanism> battery(int unknowns) {
  std::vector<Mechanism> list = topologies(unknowns);
  for (const Mechanism& m : heavy_topologies()) list.push_back(m);
  return list;
}

}  // namespace trammel::test
