// The status file: content, and that readers never see half of it.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "output/status_file.h"
#include "support.h"

namespace trammel::test::status_test {
namespace {

using StatusTest = OutputTest;

RunStatus sample_status() {
  RunStatus status;
  status.t = 2.5;
  status.start = 2.0;
  status.end = 4.0;
  status.step_size = 1e-3;
  status.steps = 500;
  status.message = "simulating";
  status.files = {{"crane.msg", 1234}, {"crane.nc", 99}};
  return status;
}

TEST_F(StatusTest, Content) {
  setenv("SLURM_JOB_ID", "4711", 1);
  StatusFile file_writer(file("a.status.json"));
  file_writer.update(sample_status(), true);
  unsetenv("SLURM_JOB_ID");
  auto json = nlohmann::json::parse(read_text(file("a.status.json")));
  EXPECT_EQ(json["state"], "running");
  EXPECT_TRUE(json["exit_code"].is_null());
  EXPECT_EQ(json["progress"], 0.25);  // (2.5 - 2) / (4 - 2)
  EXPECT_EQ(json["t"], 2.5);
  EXPECT_EQ(json["end"], 4.0);
  EXPECT_EQ(json["steps"], 500);
  EXPECT_EQ(json["pid"], getpid());
  EXPECT_EQ(json["job_id"], "4711");
  EXPECT_EQ(json["message"], "simulating");
  EXPECT_EQ(json["files"][1]["path"], "crane.nc");
  EXPECT_EQ(json["files"][1]["bytes"], 99);
  EXPECT_FALSE(json["host"].get<std::string>().empty());
  EXPECT_EQ(json["started"].get<std::string>().size(), 25u);  // 2024-05-17T22:52:01+02:00

  RunStatus end = sample_status();
  end.state = "failed";
  end.exit_code = 5;
  end.t = std::nan("");
  end.message = "bytes \xE4 that are no UTF-8, \"quotes\"\nand lines";
  file_writer.update(end, true);
  json = nlohmann::json::parse(read_text(file("a.status.json")));
  EXPECT_EQ(json["exit_code"], 5);
  EXPECT_TRUE(json["t"].is_null());
  EXPECT_EQ(json["message"], "bytes \xC3\xA4 that are no UTF-8, \"quotes\"\nand lines");
}

TEST_F(StatusTest, ProgressStaysWithinBounds) {
  RunStatus status;
  EXPECT_EQ(progress_of(status), 0.0);  // nothing to do: no division by zero
  status.end = 1.0;
  status.t = 7.0;
  EXPECT_EQ(progress_of(status), 1.0);
  status.t = -1.0;
  EXPECT_EQ(progress_of(status), 0.0);
}

TEST_F(StatusTest, WritesNoMoreOftenThanAsked) {
  StatusFile writer(file("a.json"), 3600.0);
  RunStatus status = sample_status();
  writer.update(status);
  status.steps = 501;
  writer.update(status);
  EXPECT_EQ(nlohmann::json::parse(read_text(file("a.json")))["steps"], 500);
  writer.update(status, true);
  EXPECT_EQ(nlohmann::json::parse(read_text(file("a.json")))["steps"], 501);
}

/// A reader polls while another process replaces the file as fast as it can: every look parses.
TEST_F(StatusTest, AtomicForReaders) {
  const std::string path = file("a.json");
  StatusFile(path).update(sample_status(), true);
  const pid_t child = fork();
  if (child == 0) {
    RunStatus status = sample_status();
    while (true) {
      // Contents of very different lengths: a mixture of two would not parse.
      status.message = std::string(static_cast<std::size_t>(status.steps % 2) * 20000, 'x');
      ++status.steps;
      write_status(path, status, "");
    }
  }
  long long least = 1 << 30, most = 0;
  for (int k = 0; k < 3000 || (most == least && k < 300000); ++k) {
    const auto json = nlohmann::json::parse(read_text(path), nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    least = std::min(least, json["steps"].get<long long>());
    most = std::max(most, json["steps"].get<long long>());
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_LT(least, most);  // the file did change while it was read
}

}  // namespace
}  // namespace trammel::test::status_test
