// Every model in models/ that has an expected.json is run from its command file, and each check is
// compared. Sources and tolerances of the numbers stand in the model's README and in the file itself.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "output/read/npz_reader.h"
#include "output/write/native_file.h"
#include "session/run.h"

namespace fs = std::filesystem;
using namespace trammel;

namespace test_models {
namespace {

const fs::path models = fs::path(TRAMMEL_SOURCE_DIR) / "models";

std::vector<fs::path> expectation_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(models))
    if (entry.path().filename().string().ends_with("expected.json")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// A channel at an output time.
void compare_channel(const fs::path& folder, const nlohmann::json& check) {
  const NativeReader reader((folder / "result.nc").string());
  const std::vector<double> time = reader.time();
  const double t = check["t"], value = check["value"], tolerance = check["tolerance"];
  std::size_t k = 0;
  while (k < time.size() && std::abs(time[k] - t) > 1e-9 * std::max(1.0, std::abs(t))) ++k;
  ASSERT_LT(k, time.size()) << "no output at t = " << t;
  const std::string channel = check["channel"];
  EXPECT_NEAR(reader.read(channel)[k], value, tolerance)
      << channel << " at t = " << t << ": " << check.value("why", "");
}

/// The frequency |s|/2π of a mode of the n-th LINEAR; modes that vibrate are counted, from 1.
void compare_frequency(const fs::path& folder, const nlohmann::json& check) {
  const int linear = check["linear"], mode = check["mode"];
  const double value = check["value"], tolerance = check["tolerance"];
  std::vector<double> frequency;
  for (const std::complex<double> s :
       NpzReader((folder / fmt::format("result_linear_{}.npz", linear)).string()).complex("eigenvalue"))
    if (s.imag() > 0) frequency.push_back(std::abs(s) / (2 * std::numbers::pi));
  ASSERT_GE(frequency.size(), static_cast<std::size_t>(mode));
  EXPECT_NEAR(frequency[mode - 1], value, tolerance)
      << "frequency " << mode << " of LINEAR " << linear << ": " << check.value("why", "");
}

/// Runs the command files of a file of expectations on a back end, and compares.
void compare_runs(const fs::path& path, const std::string& backend) {
  std::ifstream file(path);
  nlohmann::json expected = nlohmann::json::parse(file);
  if (!expected.is_array()) expected = nlohmann::json::array({expected});
  for (const auto& run : expected) {
    const fs::path folder =
        fs::temp_directory_path() / ("trammel_models_" + backend) / run["model"].get<std::string>();
    fs::create_directories(folder);
    RunOptions options;
    options.job.file = (path.parent_path() / run["command_file"].get<std::string>()).string();
    options.directory = folder.string();
    options.prefix = "result";
    options.formats = {"nc"};
    options.backend = backend;
    std::string errors;
    Listener listener;
    listener.error = [&](const std::string& text) { errors += text; };
    ASSERT_EQ(run_job(options, listener), 0) << options.job.file << ": " << errors;
    for (const auto& check : run["checks"])
      if (check.contains("mode")) {
        compare_frequency(folder, check);
      } else {
        compare_channel(folder, check);
      }
  }
}

class Models : public testing::TestWithParam<fs::path> {};

TEST_P(Models, reaches_the_expected_values) {
  compare_runs(GetParam(), "auto");
}

/// Contacts that are searched for, of meshes and in a plane, on the device that the processor is.
TEST(ModelsOnADevice, reach_the_expected_values) {
  for (const char* name : {"corner", "cam", "falling_box", "gear_pair"}) {
    SCOPED_TRACE(name);
    compare_runs(models / name / "expected.json", "host");
  }
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = fs::relative(info.param, models).replace_extension("").string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(all, Models, testing::ValuesIn(expectation_files()), test_name);

}  // namespace
}  // namespace test_models
