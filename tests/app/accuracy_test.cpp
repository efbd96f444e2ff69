// trammel run --accuracy: results against an equation of motion that knows nothing of the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "support.h"
#include "swing.h"

using namespace trammel_test;

namespace accuracy_test {
namespace {

constexpr int outputs = 100;
constexpr double end = 5;

struct Channel {
  const char* name;
  double (*truth)(Swing::Point);
};
const Channel channels[] = {
    {"PART/2.X", Swing::x}, {"PART/2.Y", Swing::y}, {"PART/2.VX", Swing::vx}, {"PART/2.ACCY", Swing::ay}};

/// The largest magnitude of the vector that the channel belongs to, at least.
double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::fabs(v));
  return most;
}

void check_accuracy(const std::string& integrator, double accuracy) {
  const Folder folder;
  folder.write("swing.adm", Swing::deck());
  folder.write("swing.acf", "swing\nswing\n" + integrator +
                                fmt::format("SIMULATE/DYNAMIC, END={}, STEPS={}\n", end, outputs));
  const Outcome run =
      trammel_test::run(folder, {"run", "swing.acf", "--accuracy", fmt::format("{:g}", accuracy)});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto motion = Swing::motion(end / outputs, outputs);
  for (const Channel& channel : channels) {
    const auto values = folder.channel("swing.nc", channel.name);
    const auto bars = folder.channel("swing.error.nc", channel.name);
    ASSERT_EQ(bars.size(), values.size());
    double error = 0;
    for (int k = 0; k <= outputs; ++k)
      error = std::max(error, std::fabs(values[values.size() - 1 - outputs + k] - channel.truth(motion[k])));
    EXPECT_LE(error, accuracy * 1.5 * largest(values)) << channel.name;  // the vector is longer by up to 1.5
    // The estimate is of the coarser run; what is beyond it is rounding.
    EXPECT_LE(error, largest(bars) + 1e-12 * largest(values)) << channel.name;
    EXPECT_LE(largest(bars), accuracy * 1.5 * largest(values)) << channel.name;
  }
  EXPECT_NE(folder.read("swing.msg").find("is reached with"), std::string::npos);
}

TEST(Accuracy, holds_against_the_equation_of_motion) {
  for (const char* integrator : {"", "INTEGRATOR/GSTIFF\n", "INTEGRATOR/HHT\n", "INTEGRATOR/RADAU\n"})
    for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
      SCOPED_TRACE(fmt::format("{} to {}", integrator, accuracy));
      check_accuracy(integrator, accuracy);
    }
}

TEST(Accuracy, of_fixed_steps_is_reached_by_smaller_ones) {
  check_accuracy("INTEGRATOR/NEWMARK, HINIT=0.001\n", 1e-2);
}

TEST(Accuracy, that_a_chaotic_motion_cannot_have_ends_with_code_5_and_keeps_results) {
  const Folder folder;
  folder.write("two.adm", double_pendulum());
  const Outcome run = trammel_test::run(folder, {"run", "two.adm", "--end", "30", "--accuracy", "1e-4"});
  EXPECT_EQ(run.code, 5);
  EXPECT_NE(run.err.find("is not reached"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("agree up to t = "), std::string::npos) << run.err;
  EXPECT_TRUE(folder.has("two.nc"));
  EXPECT_TRUE(folder.has("two.error.nc"));
  EXPECT_NE(folder.read("two.msg").find("is not reached"), std::string::npos);
}

/// Runs of GSTIFF, SI2 that take the place of HHT are held against each other, down to the least ERROR, and
/// not given up for what HHT's last run was off.
TEST(Accuracy, is_reached_by_the_default_integrator_in_its_own_runs) {
  const Folder folder;
  for (const std::string model : {"heavy_top", "spherical_pendulum"}) {
    const std::string deck = std::string(TRAMMEL_SOURCE_DIR) + "/models/" + model + "/" + model + ".acf";
    const Outcome run = trammel_test::run(folder, {"run", deck, "--accuracy", "1e-5", "-o", model});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("is reached with INTEGRATOR/GSTIFF, SI2"), std::string::npos) << run.out;
  }
}

/// So do they where the integrator of the deck does not come to its end.
TEST(Accuracy, is_reached_by_the_default_integrator_where_another_fails) {
  const Folder folder;
  fs::copy_file(std::string(TRAMMEL_SOURCE_DIR) + "/models/cam/cam.adm", folder.path("cam.adm"));
  const std::string steps = "SIMULATE/DYNAMIC, END=0.1, STEPS=10\n",
                    newmark = "INTEGRATOR/NEWMARK, HINIT=0.01\n";  // too long for its stiff contacts
  folder.write("cam.acf", "cam\ncam\n" + newmark + steps);
  ASSERT_EQ(trammel_test::run(folder, {"run", "cam.acf", "-o", "alone"}).code, 5);
  const Outcome run = trammel_test::run(folder, {"run", "cam.acf", "--accuracy", "1e-3"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("NEWMARK does not come to its end"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("is reached with INTEGRATOR/GSTIFF, SI2"), std::string::npos) << run.out;
}

TEST(Accuracy, of_chosen_channels_leaves_others_out) {
  const Folder folder;
  folder.write("swing.adm", Swing::deck());
  const Outcome all = run(folder, {"run", "swing.adm", "--end", "1", "--accuracy", "1e-3", "-o", "all"});
  const Outcome one = run(folder, {"run", "swing.adm", "--end", "1", "--accuracy", "1e-3", "-o", "one",
                                   "--channels", "PART/2.X"});
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(one.code, 0);
  EXPECT_NE(one.out.find("PART/2.X differs most"), std::string::npos) << one.out;
  EXPECT_EQ(run(folder, {"run", "swing.adm", "--end", "1", "--channels", "PART/2.X"}).code, 2);
  EXPECT_EQ(
      run(folder, {"run", "swing.adm", "--end", "1", "--accuracy", "1e-3", "--channels", "PART/9.X"}).code,
      2);
}

/// Files of an earlier run are kept once, although the program runs the deck several times.
TEST(Accuracy, keeps_earlier_results) {
  const Folder folder;
  folder.write("two.adm", double_pendulum());
  ASSERT_EQ(run(folder, {"run", "two.adm", "--end", "0.1"}).code, 0);
  const std::string before = folder.read("two.nc");
  EXPECT_EQ(run(folder, {"run", "two.adm", "--end", "30", "--accuracy", "1e-4"}).code, 5);
  EXPECT_EQ(folder.read("two.nc.1"), before);
}

TEST(Accuracy, wrong_options_are_told) {
  const Folder folder;
  folder.write("swing.adm", Swing::deck());
  const std::vector<std::vector<std::string>> wrong = {
      {"--accuracy", "2"}, {"--accuracy", "-1"},   {"--accuracy", "1e-20"}, {"--dry-run"},
      {"--resume"},        {"--checkpoint", "10"}, {"--formats", "csv"},    {"--single"}};
  for (const auto& options : wrong) {
    std::vector<std::string> line{"run", "swing.adm", "--end", "1"};
    if (options[0] != "--accuracy") line.insert(line.end(), {"--accuracy", "1e-6"});
    line.insert(line.end(), options.begin(), options.end());
    const Outcome outcome = run(folder, line);
    EXPECT_EQ(outcome.code, 2) << options[0];
    EXPECT_NE(outcome.err.find("--accuracy"), std::string::npos) << outcome.err;
  }
}

TEST(Accuracy, bands_are_drawn) {
  const Folder folder;
  folder.write("swing.adm", Swing::deck());
  ASSERT_EQ(run(folder, {"run", "swing.adm", "--end", "1", "--accuracy", "1e-1"}).code, 0);
  const Outcome with = run(folder, {"plot", "swing.nc", "PART/2.X", "--errors", "-o", "with.svg"});
  const Outcome without = run(folder, {"plot", "swing.nc", "PART/2.X", "-o", "without.svg"});
  ASSERT_EQ(with.code, 0) << with.err;
  ASSERT_EQ(without.code, 0) << without.err;
  EXPECT_NE(folder.read("with.svg").find("fill-opacity"), std::string::npos);
  EXPECT_EQ(folder.read("without.svg").find("fill-opacity"), std::string::npos);
  fs::remove(folder.path("swing.error.nc"));
  EXPECT_EQ(run(folder, {"plot", "swing.nc", "PART/2.X", "--errors", "-o", "none.svg"}).code, 2);
}

}  // namespace
}  // namespace accuracy_test
