// Joints whose markers stand where an equation has no derivative, or one that vanishes: told by the name of
// the joint and what is parallel.
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::degenerate_joints_test {
namespace {

using namespace test;

/// What is said of a part on one joint between its marker 5 and marker 1 of ground, whose z axes are parallel
/// unless `orientation` turns marker 5.
std::string told_of(const std::string& joint, const std::string& orientation = "") {
  Recording r(
      "joint\nUNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1\n"
      "MARKER/2, PART=2\nMARKER/5, PART=2" +
      orientation + "\nJOINT/1, " + joint + ", I=5, J=1\nEND\n");
  try {
    r.simulation->initialize();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    return failure.what();
  }
  return "assembled";
}

TEST(DegenerateJoints, a_pinion_parallel_to_its_rack) {
  const std::string text = told_of("RACKPIN, PD=1");
  EXPECT_NE(text.find("JOINT/1"), std::string::npos) << text;
  EXPECT_NE(text.find("z axes of its markers that are parallel"), std::string::npos) << text;
  EXPECT_EQ(text.find("constraint row"), std::string::npos) << text;
  EXPECT_EQ(told_of("RACKPIN, PD=1", ", REULER=0,90D,0"), "assembled");
}

TEST(DegenerateJoints, a_cross_whose_arms_are_parallel) {
  const std::string text = told_of("UNIVERSAL");
  EXPECT_NE(text.find("equation JOINT/1 Zi.Zj misses by 1; where the parts are no small motion changes it"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("it contradicts"), std::string::npos) << text;
  EXPECT_EQ(told_of("UNIVERSAL", ", REULER=0,90D,0"), "assembled");
}

/// The shafts of a constant-velocity joint at 90 degrees.
TEST(DegenerateJoints, shafts_where_an_equation_is_a_double_root) {
  const std::string text = told_of("CONVEL", ", REULER=90D,90D,0");
  EXPECT_NE(text.find("all constraints hold there: equation JOINT/1 Xi.Yj-Yi.Xj hardly changes"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("largest violation"), std::string::npos) << text;
}

}  // namespace
}  // namespace trammel::degenerate_joints_test
