#include "support.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/text.h"

namespace trammel::test {

OutputTest::OutputTest() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  folder_ = std::filesystem::temp_directory_path() /
            ("trammel_" + std::to_string(getpid()) + "_" + test->test_suite_name() + "_" + test->name());
  std::filesystem::create_directories(folder_);
}

OutputTest::~OutputTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Channels sample_channels() {
  using Q = Quantity;
  Channels channels;
  const std::vector<Component> part = {{"X", Q::length},
                                       {"Y", Q::length},
                                       {"Z", Q::length},
                                       {"PSI", Q::angle},
                                       {"THETA", Q::angle},
                                       {"PHI", Q::angle},
                                       {"VX", Q::velocity},
                                       {"VY", Q::velocity},
                                       {"VZ", Q::velocity},
                                       {"WX", Q::angular_velocity},
                                       {"WY", Q::angular_velocity},
                                       {"WZ", Q::angular_velocity},
                                       {"ACCX", Q::acceleration},
                                       {"ACCY", Q::acceleration},
                                       {"ACCZ", Q::acceleration},
                                       {"WDX", Q::angular_acceleration},
                                       {"WDY", Q::angular_acceleration},
                                       {"WDZ", Q::angular_acceleration}};
  const std::vector<Component> wrench = {{"FX", Q::force},  {"FY", Q::force},  {"FZ", Q::force},
                                         {"TX", Q::torque}, {"TY", Q::torque}, {"TZ", Q::torque}};
  channels.entities.push_back({"PART", 2, "boom", part, 0, 0, 0, ""});
  channels.entities.push_back({"PART", 30, "", part, 0, 0, 0, ""});
  channels.entities.push_back({"JOINT", 1, "pivot", wrench, 0, 0, 0, ""});
  channels.entities.push_back({"MOTION", 4, "crane.drive.rotation", wrench, 0, 0, 0, ""});
  channels.entities.push_back({"VARIABLE", 7, "", {{"Q", Q::none}}, 0, 0, 0, ""});
  channels.entities.push_back({"REQUEST",
                               1,
                               "",
                               {{"MAG", Q::length},
                                {"X", Q::length},
                                {"Y", Q::length},
                                {"Z", Q::length},
                                {"AMAG", Q::angle},
                                {"PSI", Q::angle},
                                {"THETA", Q::angle},
                                {"PHI", Q::angle}},
                               1,
                               201,
                               101,
                               "tip <of> the \"boom\" & more"});
  channels.entities.push_back(
      {"REQUEST", 12, "", {{"F2", Q::none}, {"F4", Q::angle}, {"F7", Q::none}}, 5, 9, 9, ""});
  return channels;
}

RunInfo sample_info() {
  RunInfo info;
  info.title = "crane <test> & \"title\"";
  info.version = "0.1.0";
  info.build = "test";
  info.command_line = "trammel run crane.acf";
  info.input_file = "crane.adm";
  info.integrator = "HHT I3";
  info.backend = "cpu";
  describe_process(info);
  return info;
}

double sample_value(std::size_t record, std::size_t channel) {
  // Irrational multiples give all 17 digits; the exponent runs over 1e-12 to 1e12.
  const double phase = 0.7 * static_cast<double>(record) + 1.3 * static_cast<double>(channel) + 0.1;
  const int exponent = static_cast<int>((7 * record + 5 * channel) % 25) - 12;
  return std::sin(phase) * std::pow(10.0, exponent);
}

std::vector<double> sample_values(std::size_t record, std::size_t width) {
  std::vector<double> values;
  for (std::size_t k = 0; k < width; ++k) values.push_back(sample_value(record, k));
  return values;
}

double sample_time(std::size_t record) {
  return record < 2 ? 0.0 : 0.01 * static_cast<double>(record - 1);
}

StepKind sample_kind(std::size_t record) {
  return record == 0   ? StepKind::model_input
         : record == 1 ? StepKind::initial_conditions
                       : StepKind::dynamics;
}

int with_file_limit(std::uint64_t bytes, const std::function<int()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(action());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> read_lines(const std::string& path) {
  std::istringstream stream(read_text(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string program_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path ? path : "", ':')) {
    const std::string candidate = std::string(folder) + "/" + name;
    if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  ::pclose(pipe);
  return text;
}

std::vector<std::string> sample_files(const std::string& extension) {
  std::vector<std::string> out;
  const char* folder = std::getenv("TRAMMEL_SAMPLES");
  if (folder == nullptr || !std::filesystem::is_directory(folder)) return out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) out.push_back(entry.path().string());
  return out;
}

Failure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Failure& failure) {
    return failure;
  }
  ADD_FAILURE() << "no failure was thrown";
  return Failure(ExitCode::ok, "");
}

}  // namespace trammel::test
