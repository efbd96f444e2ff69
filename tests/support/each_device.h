// Tests that run on every device there is: the processor as a device, alone and with real threads in each
// group, and the first device of CUDA where there is one. Elsewhere that one is skipped with the reason.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "backend/load.h"
#include "base/diagnostics.h"
#include "device/device.h"

namespace trammel::test {

struct DeviceName {
  const char* backend;
  int index;
};

class DeviceTest : public testing::TestWithParam<DeviceName> {
 protected:
  void SetUp() override {
    const auto [backend, index] = GetParam();
    try {
      device_ = std::make_shared<Device>(load_backend(backend), index);
    } catch (const Failure& failure) {
      if (std::string(backend) == "host") throw;
      GTEST_SKIP() << failure.what();
    }
  }
  Device& device() { return *device_; }
  std::shared_ptr<Device> shared() { return device_; }

 private:
  std::shared_ptr<Device> device_;
};

inline std::string name_of_device(const testing::TestParamInfo<DeviceName>& info) {
  return info.param.backend + std::to_string(info.param.index);
}

}  // namespace trammel::test

#define TRAMMEL_EVERY_DEVICE(Suite)                                                                  \
  INSTANTIATE_TEST_SUITE_P(Devices, Suite,                                                           \
                           testing::Values(test::DeviceName{"host", 0}, test::DeviceName{"host", 1}, \
                                           test::DeviceName{"cuda", 0}),                             \
                           test::name_of_device)
