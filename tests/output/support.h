// Channels, values and small file helpers that the tests of this module share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "output/channels.h"
#include "output/run_info.h"
#include "output/step_kind.h"

namespace trammel::test {

/// A folder of its own for each test, removed afterwards.
class OutputTest : public ::testing::Test {
 protected:
  OutputTest();
  ~OutputTest() override;
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::filesystem::path folder_;
};

/// Two parts, a joint, a motion, a variable and two requests.
Channels sample_channels();
RunInfo sample_info();

/// Value of channel `channel` in record `record`: any size, sign and exponent, reproducible.
double sample_value(std::size_t record, std::size_t channel);
std::vector<double> sample_values(std::size_t record, std::size_t width);
double sample_time(std::size_t record);
StepKind sample_kind(std::size_t record);

/// What `action` returns in a process of its own, whose files may not exceed `bytes`; −1 where it ends
/// otherwise.
int with_file_limit(std::uint64_t bytes, const std::function<int()>& action);

std::string read_text(const std::string& path);
std::vector<std::string> read_lines(const std::string& path);
/// Path of a program on PATH, "" if there is none.
std::string program_on_path(const std::string& name);
/// Standard output of a command.
std::string output_of(const std::string& command);
/// Real files below the folder that TRAMMEL_SAMPLES names, with this extension; empty without it.
std::vector<std::string> sample_files(const std::string& extension);

/// The failure that `action` throws; reports a test failure when it throws none.
Failure failure_of(const std::function<void()>& action);

}  // namespace trammel::test
