// Tests that run on every device there is: the processor as a device, alone and with real threads in each
// group, and the first device of CUDA where there is one. Elsewhere that one is skipped with the reason.
// Tests of linear systems also run with the solvers of other libraries that there are.
#pragma once

#include <memory>
#include <string>

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

 private:
  std::shared_ptr<Device> device_;
  const TrammelSolverApi* solver_ = nullptr;
};

inline std::string name_of_device(const testing::TestParamInfo<DeviceName>& info) {
  const std::string device = info.param.backend + std::to_string(info.param.index);
  return info.param.solver ? device + "_" + info.param.solver : device;
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
