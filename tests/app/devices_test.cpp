// The list of what there is to compute with.
#include <gtest/gtest.h>

#include <sched.h>

#include "support.h"

using namespace trammel_test;

namespace devices_test {
namespace {

/// With a library in the place of the CUDA back end that is none: the list then begins alike on every
/// machine.
Launch without_cuda(const Folder& f, std::vector<std::string> arguments) {
  f.write("libtrammel_cuda.so", "no library");
  Launch launch;
  launch.arguments = std::move(arguments);
  launch.environment = {"TRAMMEL_PLUGINS=" + f.path().string()};
  return launch;
}

TEST(Devices, are_listed_with_the_reason_why_a_back_end_has_none) {
  Folder f;
  const Outcome o = run(f, without_cuda(f, {"devices"}));
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out.find("back end"), 0u) << o.out;
  for (const char* text :
       {"\ncpu ", " cores ", "\nhost      0   processor, loops", "\nhost      1   processor, groups",
        "\ncuda: not available: ", "libtrammel_cuda.so cannot be loaded: "})
    EXPECT_NE(o.out.find(text), std::string::npos) << text << "\n" << o.out;
}

TEST(Devices, as_json) {
  Folder f;
  const Outcome o = run(f, without_cuda(f, {"devices", "--json"}));
  ASSERT_EQ(o.code, 0) << o.err;
  const nlohmann::json backends = nlohmann::json::parse(o.out)["backends"];
  ASSERT_EQ(backends.size(), 3u);
  const nlohmann::json& cpu = backends[0]["devices"][0];
  EXPECT_EQ(backends[0]["name"], "cpu");
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
  EXPECT_EQ(cpu["cores"], CPU_COUNT(&mine)) << "those that the program may use";
  EXPECT_GT(cpu["free_bytes"], 0u);
  EXPECT_LE(cpu["free_bytes"], cpu["memory_bytes"]);
  EXPECT_EQ(backends[1]["name"], "cuda");
  EXPECT_TRUE(backends[1]["devices"].empty());
  EXPECT_NE(backends[1]["reason"].get<std::string>().find("cannot be loaded"), std::string::npos);
  EXPECT_EQ(backends[2]["name"], "host");
  EXPECT_FALSE(backends[2].contains("reason"));
  ASSERT_EQ(backends[2]["devices"].size(), 2u);
  EXPECT_EQ(backends[2]["devices"][1]["number"], 1);
}

// A machine with a GPU or without: a list, and the back end is in it.
TEST(Devices, whatever_there_is) {
  Folder f;
  const Outcome o = run(f, {"devices"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("\ncuda"), std::string::npos) << o.out;
  EXPECT_EQ(run(f, {"devices", "--all"}).code, 2);
}

TEST(Devices, help_has_examples) {
  Folder f;
  for (const char* command : {"devices", "bench"}) {
    const Outcome o = run(f, {command, "--help"});
    EXPECT_EQ(o.code, 0);
    EXPECT_NE(o.out.find("Examples:\n  trammel " + std::string(command)), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("Exit codes: 0"), std::string::npos) << o.out;
  }
}

}  // namespace
}  // namespace devices_test
