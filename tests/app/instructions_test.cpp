// Steps compiled for later instruction sets have the bits of those that any processor can run.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "integrate/methods/list.h"
#include "integrate/step_code.h"
#include "support.h"

namespace trammel_test::instructions_test {
namespace {

/// The .csv of a run with steps for these instructions.
std::string results(const Folder& f, const std::string& name, const std::string& command_file,
                    const std::string& end, std::string_view instructions) {
  Launch launch;
  launch.arguments = {"run",       command_file, "--directory", f.path().string(),
                      "--formats", "csv",        "--end",       end};
  launch.environment = {fmt::format("TRAMMEL_INSTRUCTIONS={}", instructions)};
  const Outcome outcome = run(f, launch);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string text = f.read(name + ".csv");
  EXPECT_GT(text.size(), 500u) << outcome.err;
  return text;
}

void expect_equal_bits(const Folder& f, const std::string& name, const std::string& command_file,
                       const std::string& end) {
  const auto usable = trammel::usable_step_code();
  const std::string first = results(f, name, command_file, end, usable[0].instructions);
  for (const trammel::StepCode& code : usable.subspan(1))
    EXPECT_TRUE(results(f, name, command_file, end, code.instructions) == first) << name << code.instructions;
}

// A model for each family of elements: joints, forces of functions, contacts, curves, flexible bodies,
// friction.
TEST(Instructions, SameBitsOfEveryElement) {
  if (trammel::usable_step_code().size() == 1)
    GTEST_SKIP() << "steps are compiled once in this build, or the processor has no later instructions";
  const Folder f;
  const std::pair<const char*, const char*> models[] = {{"andrews", "0.01"},
                                                        {"belt", "0.05"},
                                                        {"billiard", "0.5"},
                                                        {"cam", "0.05"},
                                                        {"cams", "0.2"},
                                                        {"car_axis", "0.2"},
                                                        {"clearance_crank", "0.02"},
                                                        {"four_bar_flexible", "0.05"},
                                                        {"geared_drive", "0.2"},
                                                        {"joint_friction", "0.5"},
                                                        {"net_bushings", "0.1"},
                                                        {"planar_belt", "0.1"},
                                                        {"spring_mass_diff", "0.5"},
                                                        {"tracked", "0.05"},
                                                        {"princeton_beam", "0.01"}};
  for (const auto& [name, end] : models)
    expect_equal_bits(f, name, fmt::format("{}/models/{}/{}.acf", TRAMMEL_SOURCE_DIR, name, name), end);
}

TEST(Instructions, SameBitsOfEveryMethod) {
  if (trammel::usable_step_code().size() == 1)
    GTEST_SKIP() << "steps are compiled once in this build, or the processor has no later instructions";
  const Folder f;
  for (const trammel::IntegrationMethod& method : trammel::integration_methods()) {
    const std::string name(method.name);
    f.write(name + ".acf", fmt::format("{}/models/slider_crank/slider_crank\n{}\nINTEGRATOR/{}, ERROR=1E-6\n"
                                       "SIMULATE/DYNAMIC, END=0.2, STEPS=50\nSTOP\n",
                                       TRAMMEL_SOURCE_DIR, name, name));
    expect_equal_bits(f, name, name + ".acf", "0.2");
  }
}

TEST(Instructions, UnknownOnesAreRefused) {
  const Folder f;
  f.write("body.adm", falling_body());
  f.write("body.acf", "body\nbody\nSIMULATE/DYNAMIC, END=1, STEPS=10\nSTOP\n");
  Launch launch;
  launch.arguments = {"run", "body.acf"};
  launch.environment = {"TRAMMEL_INSTRUCTIONS=x86-64-v9"};
  const Outcome outcome = run(f, launch);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("TRAMMEL_INSTRUCTIONS=x86-64-v9"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("for x86-64"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace trammel_test::instructions_test
