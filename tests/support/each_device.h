// Tests that run on every device there is: the processor as a device, alone and with real threads in each
// group, and the first device of CUDA where there is one. Elsewhere that one is skipped with the reason.
// Tests of linear systems also run with the solvers of other libraries that there are.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/load.h"
#include "base/diagnostics.h"
#include "device_api/device.h"

namespace trammel::test {

struct DeviceName {
  const char* backend;
  int index;
  const char* solver = nullptr;  ///< of another library; null: our own
};

class DeviceTest : public testing::TestWithParam<DeviceName> {
 protected:
  void SetUp() override {
    const auto [backend, index, solver] = GetParam();
    try {
      device_ = std::make_shared<Device>(load_backend(backend), index);
      if (solver) solver_ = &load_solver(backend, solver);
    } catch (const Failure& failure) {
      if (std::string(backend) == "host") throw;
      GTEST_SKIP() << failure.what();
    }
  }
  Device& device() { return *device_; }
  std::shared_ptr<Device> shared() { return device_; }
  /// For DeviceSystem; null: our own.
  const TrammelSolverApi* solver() { return solver_; }
  bool own() const { return !solver_; }
  /// Whether the same system has the same bits each time: another library's solver on a GPU does not say so,
  /// and cusolverRf's answers differ by rounding from run to run.
  bool repeats_bits() const { return own() || std::string(GetParam().backend) == "host"; }

 private:
  std::shared_ptr<Device> device_;
  const TrammelSolverApi* solver_ = nullptr;
};

inline std::string name_of_device(const testing::TestParamInfo<DeviceName>& info) {
  const std::string device = info.param.backend + std::to_string(info.param.index);
  return info.param.solver ? device + "_" + info.param.solver : device;
}

/// A GPU's sine and exponential are not the processor's: 1e-11 of the largest number, a thousand times what
/// they differ by; of numbers that are what is left of larger ones, `terms`, 32 roundings of these besides.
/// The processor as a device has the same functions: the same bits.
inline void expect_same(const std::vector<double>& there, const std::vector<double>& here, bool bits,
                        double terms = 0) {
  if (bits) {
    EXPECT_EQ(there, here);
    return;
  }
  double size = 0;
  for (const double x : here) size = std::max(size, std::abs(x));
  const double tolerance = 1e-11 * size + 32 * 0x1p-53 * terms;
  ASSERT_EQ(there.size(), here.size());
  for (std::size_t k = 0; k < here.size(); ++k) EXPECT_NEAR(there[k], here[k], tolerance) << k;
}

}  // namespace trammel::test

#define TRAMMEL_EVERY_DEVICE(Suite)                                                                  \
  INSTANTIATE_TEST_SUITE_P(Devices, Suite,                                                           \
                           testing::Values(test::DeviceName{"host", 0}, test::DeviceName{"host", 1}, \
                                           test::DeviceName{"cuda", 0}),                             \
                           test::name_of_device)

#define TRAMMEL_EVERY_SOLVER(Suite)                                                                          \
  INSTANTIATE_TEST_SUITE_P(                                                                                  \
      Devices, Suite,                                                                                        \
      testing::Values(test::DeviceName{"host", 0}, test::DeviceName{"host", 1}, test::DeviceName{"cuda", 0}, \
                      test::DeviceName{"host", 0, "cusolver_rf"},                                            \
                      test::DeviceName{"cuda", 0, "cusolver_rf"}, test::DeviceName{"cuda", 0, "cudss"}),     \
      test::name_of_device)
