// Finding back ends, and what is said when there is none.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "backends/load.h"
#include "base/diagnostics.h"
#include "device_api/device.h"
#include "device_api/vector_kernels.h"

namespace trammel::load_test {
namespace {

std::string refusal(const std::string& name, ExitCode code) {
  try {
    load_backend(name);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), code) << failure.what();
    return failure.what();
  }
  return "loaded";
}

TEST(LoadBackendTest, names_those_that_exist) {
  EXPECT_EQ(refusal("opencl", ExitCode::usage), "there is no back end 'opencl'; there are cuda and host");
}

TEST(LoadBackendTest, tells_what_the_loader_says_of_a_broken_library) {
  const auto folder = std::filesystem::temp_directory_path() / "trammel_broken_plugin";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "libtrammel_cuda.so") << "no library";
  setenv("TRAMMEL_PLUGINS", folder.c_str(), 1);
  const std::string text = refusal("cuda", ExitCode::backend);
  unsetenv("TRAMMEL_PLUGINS");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(text.find((folder / "libtrammel_cuda.so").string() + " cannot be loaded: "), 0u) << text;
}

TEST(LoadSolverTest, names_those_that_exist) {
  const auto refused = [](const char* backend, const char* name, ExitCode code) {
    try {
      load_solver(backend, name);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), code) << failure.what();
      return std::string(failure.what());
    }
    return std::string("loaded");
  };
  EXPECT_EQ(refused("cuda", "pardiso", ExitCode::usage),
            "a device has no linear solver 'pardiso'; there are cusolver_rf, cudss");
  EXPECT_EQ(refused("host", "cudss", ExitCode::backend),
            "linear solver cudss: back end host has none in its place; it is for --backend cuda");
  EXPECT_EQ(std::string(load_solver("host", "cusolver_rf").backend), "host");
}

TEST(LoadSolverTest, tells_what_the_loader_says_of_a_broken_library) {
  const auto folder = std::filesystem::temp_directory_path() / "trammel_broken_solver";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "libtrammel_cudss.so") << "no library";
  setenv("TRAMMEL_PLUGINS", folder.c_str(), 1);
  std::string text;
  try {
    load_solver("cuda", "cudss");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::backend);
    text = failure.what();
  }
  unsetenv("TRAMMEL_PLUGINS");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(text.find((folder / "libtrammel_cudss.so").string() + " cannot be loaded: "), 0u) << text;
}

TEST(LoadBackendTest, there_is_no_third_host_device) {
  try {
    const Device device(load_backend("host"), 2);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(std::string(failure.what()), "back end host: there is no device 2; there are 2");
  }
}

/// A kernel that no back end was built with, and one whose struct has changed since.
struct UnlistedKernel {
  static constexpr const char* name = "unlisted";
  int dummy;
};
struct ChangedKernel {
  static constexpr const char* name = FillValues::name;
  double more[10];
};

TEST(LoadBackendTest, kernels_of_another_build_are_refused) {
  Device device(load_backend("host"), 0);
  EXPECT_THROW(device.launch(UnlistedKernel{}, 1), Failure);
  EXPECT_THROW(device.launch(ChangedKernel{}, 1), Failure);
}

}  // namespace
}  // namespace trammel::load_test
