// Lock files of prefixes: who has one, who left one behind.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include <fmt/format.h>

#include "output/claim.h"
#include "support.h"

namespace trammel::test::claim_test {
namespace {

using ClaimTest = OutputTest;

/// A process that holds the claim until it is ended.
pid_t holder_of(const std::string& path) {
  int ready[2];
  EXPECT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Claim claim(path, "a.*");
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char byte = 0;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  close(ready[1]);
  return child;
}

void end(pid_t child) {
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
}

TEST_F(ClaimTest, TheSecondIsRefusedAndToldByWhom) {
  const std::string path = file("a.lock");
  const pid_t child = holder_of(path);
  const Failure failure = failure_of([&] { Claim(path, "a.*"); });
  EXPECT_EQ(failure.code(), ExitCode::io);
  const std::string text = failure.what();
  RunInfo here;
  describe_process(here);
  EXPECT_NE(text.find(fmt::format("a.* is being written by process {} on {} since", child, here.host)),
            std::string::npos)
      << text;
  EXPECT_TRUE(std::filesystem::exists(path));
  end(child);
}

TEST_F(ClaimTest, WhatAKilledProcessLeftIsTakenOver) {
  const std::string path = file("a.lock");
  const pid_t child = holder_of(path);
  end(child);
  ASSERT_TRUE(std::filesystem::exists(path));
  {
    const Claim claim(path, "a.*");
    EXPECT_TRUE(claim.left_by().starts_with(fmt::format("process {} on ", child))) << claim.left_by();
    EXPECT_EQ(failure_of([&] { Claim(path, "a.*"); }).code(), ExitCode::io);
  }
  EXPECT_FALSE(std::filesystem::exists(path));  // given back
  const Claim again(path, "a.*");
  EXPECT_EQ(again.left_by(), "");
}

TEST_F(ClaimTest, OneOfAnotherMachineIsRespected) {
  const std::string path = file("a.lock");
  std::ofstream(path) << "trammel lock: process 17 on no-such-host since 2024-05-17T22:52:01+02:00\n";
  const Failure failure = failure_of([&] { Claim(path, "a.*"); });
  EXPECT_EQ(failure.code(), ExitCode::io);
  EXPECT_NE(std::string(failure.what()).find("process 17 on no-such-host"), std::string::npos);
  EXPECT_NE(std::string(failure.what()).find("remove the file"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(ClaimTest, AFileThatIsNoLockIsLeftAlone) {
  const std::string path = file("a.lock");
  std::ofstream(path) << "{\"name\": \"package\"}\n";
  EXPECT_EQ(failure_of([&] { Claim(path, "a.*"); }).code(), ExitCode::io);
  EXPECT_EQ(read_text(path), "{\"name\": \"package\"}\n");
}

/// Of many processes that want it at the same moment, never two have it: each makes and
/// removes a folder meanwhile, which fails where another one is inside.
TEST_F(ClaimTest, NeverTwoAtATime) {
  const std::string path = file("a.lock"), inside = file("inside");
  std::vector<pid_t> children;
  for (int k = 0; k < 8; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      int held = 0;
      for (int tries = 0; tries < 100000 && held < 50; ++tries) {
        try {
          const Claim claim(path, "a.*");
          if (mkdir(inside.c_str(), 0777) != 0) _exit(3);  // another one is inside
          if (rmdir(inside.c_str()) != 0) _exit(4);
          ++held;
        } catch (const Failure&) {
          usleep(50);
        }
      }
      _exit(held == 50 ? 0 : 5);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
}

}  // namespace
}  // namespace trammel::test::claim_test
