// Friction as arguments of a JOINT: against closed forms, and against the FRICTION that says the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/simulate.h"

namespace trammel::joint_friction_test {
namespace {

using namespace test;

constexpr double g = 9.81;

std::string deck(const std::string& body, const std::string& gravity) {
  return "friction\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/11, "
         "PART=1\n"
         "ACCGRAV/" +
         gravity + "\n" + body + "INTEGRATOR/GSTIFF, SI2, ERROR=1E-10\nEND\n";
}
/// A flywheel across gravity, and a sled along x: z of the joint's markers.
std::string flywheel(const std::string& friction) {
  return deck(
      "PART/2, MASS=2, IP=0.5,0.5,0.5, CM=21, WZ=3\nMARKER/21, PART=2\nJOINT/1, REVOLUTE, I=21, J=11" +
          friction + "\n",
      "JGRAV=-9.81");
}
std::string sled(const std::string& friction) {
  return deck(
      "PART/2, MASS=2, IP=0.5,0.5,0.5, CM=20, VX=2\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, REULER=90D,90D,0\nMARKER/12, PART=1, REULER=90D,90D,0\n"
      "JOINT/1, TRANSLATIONAL, I=21, J=12" +
          friction + "\n",
      "KGRAV=-9.81");
}

/// J ω̇ = −μ_d (R_p (m g + P_r) + R_n P_a), R_n in the middle of the face; PRELOAD_ONLY: without m g.
TEST(OldJointFriction, slows_a_flywheel) {
  const std::string bearing =
      ", MU_STAT_ROT=0.4, MU_DYN_ROT=0.3, DELTA_V=1E-3, MAXIMUM_DEFORMATION=1E-4\n"
      ", INNER_RADIUS=0.02, OUTER_RADIUS=0.06, PRELOAD_RADIAL=5, PRELOAD_AXIAL=10";
  for (const bool reactions : {true, false}) {
    Recording r(flywheel((reactions ? ", FRICTION=ON" : ", FRICTION=PRELOAD_ONLY") + bearing));
    r.simulation->run(dynamics_analysis, {2, 20});
    const double torque = 0.3 * (0.02 * ((reactions ? 2 * g : 0) + 5) + 0.04 * 10);
    for (std::size_t n = 1; n < r.time.size(); ++n)
      EXPECT_NEAR(r.at(n, "PART/2", "WZ"), 3 - torque / 0.5 * r.time[n], 1e-6) << n;  // far above DELTA_V
    EXPECT_NEAR(r.at(r.time.size() - 1, "FRICTION/1", "MU"), 0.3, 1e-9);
  }
}

TEST(OldJointFriction, is_the_friction_that_says_the_same) {
  const auto same = [](const std::string& old, const std::string& statement) {
    Recording a(old), b(statement);
    for (Recording* r : {&a, &b}) r->simulation->run(dynamics_analysis, {1, 10});
    ASSERT_EQ(a.values.size(), b.values.size());
    for (std::size_t n = 0; n < a.values.size(); ++n) EXPECT_EQ(a.values[n], b.values[n]) << n;
  };
  same(flywheel(", FRICTION=ON, MU_STAT_ROT=0.4, MU_DYN_ROT=0.3, INNER_RADIUS=0.02, OUTER_RADIUS=0.06"),
       flywheel("\nFRICTION/1, JOINT=1, MU_STATIC=0.4, MU_DYNAMIC=0.3, PIN_RADIUS=0.02, FRICTION_ARM=0.04\n"
                ", INPUTS=PRELOAD:REACTION_FORCE"));
  same(sled(", FRICTION=ON, MU_STAT_TRANS=0.4, MU_DYN_TRANS=0.3, HEIGHT=0.1, WIDTH=0.2, MAX_FRIC_TRANS=3"),
       sled("\nFRICTION/1, JOINT=1, MU_STATIC=0.4, MU_DYNAMIC=0.3, REACTION_ARM=0.2, MAX_FRICTION_FORCE=3\n"
            ", INPUTS=PRELOAD:REACTION_FORCE:TORSIONAL_MOMENT"));
}

/// m v̇ = −μ_d (m g + P_x + P_y): it stops after m v₀²/(2 F), and goes back by the creep, which bears nothing
/// at rest.
TEST(OldJointFriction, stops_a_sled) {
  Recording r(
      sled(", FRICTION=ON, MU_STAT_TRANS=0.4, MU_DYN_TRANS=0.3, DELTA_V=1E-4, MAXIMUM_DEFORMATION=1E-6\n"
           ", PRELOAD_X=-3, PRELOAD_Y=4, HEIGHT=0.1, WIDTH=0.2"));
  r.simulation->run(dynamics_analysis, {1, 10});
  const double force = 0.3 * (2 * g + 7), last = 2 * 4 / (2 * force);
  const std::size_t end = r.time.size() - 1;
  // The transition, up to 1.5e-4 m/s, changes 5e-9 m.
  EXPECT_NEAR(r.at(end, "PART/2", "X"), last - 1e-6, 1e-8);
  EXPECT_LT(std::fabs(r.at(end, "PART/2", "VX")), 1e-9);
}

TEST(OldJointFriction, mistakes_are_told_with_their_place) {
  const auto message = [](const std::string& text) {
    try {
      Recording r(text);
    } catch (const Failure& failure) {
      return fmt::format("{} {}", static_cast<int>(failure.code()), failure.what());
    }
    return std::string();
  };
  EXPECT_NE(message(flywheel(", FRICTION=ON, MU_DYN_ROT=0.3"))
                .find("3 test.adm:8: JOINT/1: MU_STAT_ROT is missing, which FRICTION=ON needs"),
            std::string::npos);
  EXPECT_NE(
      message(flywheel(", FRICTION=ON, MU_DYN_ROT=0.3, MU_STAT_ROT=0.4, INNER_RADIUS=2, OUTER_RADIUS=1"))
          .find("3 test.adm:8: JOINT/1: OUTER_RADIUS=1 is below INNER_RADIUS=2"),
      std::string::npos);
  EXPECT_NE(message(flywheel(", FRICTION=ON, MU_DYN_ROT=0.3, MU_STAT_ROT=0.2, INNER_RADIUS=2"))
                .find("test.adm:8: FRICTION/1: MU_DYNAMIC=0.3 is above MU_STATIC=0.2"),
            std::string::npos);
  EXPECT_NE(
      message(deck("PART/2, MASS=2, IP=1,1,1, CM=21\nMARKER/21, PART=2\n"
                   "JOINT/1, SPHERICAL, I=21, J=11, FRICTION=ON\n",
                   "KGRAV=-9.81"))
          .find("3 test.adm:8: JOINT/1: FRICTION=ON is for REVOLUTE and TRANSLATIONAL joints, and it is "
                "SPHERICAL; give it a FRICTION statement"),
      std::string::npos);
}

/// Without FRICTION=ON its numbers do nothing, which is told unless FRICTION=OFF says it. Others keep their
/// ids.
TEST(OldJointFriction, what_is_told) {
  const auto told = [](const std::string& text) {
    Diagnostics diagnostics;
    const Model model = compile(parse_dataset(text, "test.adm", diagnostics), diagnostics);
    std::string all;
    for (const Diagnostic& d : diagnostics.list()) all += fmt::format("{}: {}\n", d.where.line, d.text);
    for (const ExpressionForce& f : model.expression_forces) all += fmt::format("{} ", f.name.id);
    return all;
  };
  EXPECT_EQ(told(flywheel(", MU_STAT_ROT=0.4")),
            "8: JOINT/1: MU_STAT_ROT has no effect without FRICTION=ON\n");
  EXPECT_EQ(told(flywheel(", FRICTION=OFF, MU_STAT_ROT=0, INNER_RADIUS=0")), "");
  EXPECT_EQ(told(flywheel(", FRICTION=ON, MU_STAT_ROT=0.4, MU_DYN_ROT=0.3, INNER_RADIUS=1, HEIGHT=2")),
            "8: JOINT/1: HEIGHT has no effect in a REVOLUTE joint\n"
            "8: JOINT/1: results have its friction as FRICTION/1\n1 ");
  EXPECT_EQ(told(sled(", FRICTION=ON, MU_STAT_TRANS=0.4, MU_DYN_TRANS=0.3, DELTA_V=1, INNER_RADIUS=1")),
            "10: JOINT/1: INNER_RADIUS has no effect in a TRANSLATIONAL joint\n"
            "10: JOINT/1: results have its friction as FRICTION/1\n1 ");
  EXPECT_EQ(
      told(
          deck("PART/2, MASS=2, IP=1,1,1, CM=21\nMARKER/21, PART=2\nPART/3, MASS=1, IP=1,1,1, CM=31\n"
               "MARKER/31, PART=3\n"
               "JOINT/1, REVOLUTE, I=21, J=11, FRICTION=ON, MU_STAT_ROT=0.4, MU_DYN_ROT=0.3, INNER_RADIUS=1\n"
               "JOINT/2, REVOLUTE, I=31, J=11\nFRICTION/7, JOINT=2, MU_STATIC=0.4, MU_DYNAMIC=0.3\n",
               "KGRAV=-9.81")),
      "10: JOINT/1: results have its friction as FRICTION/8\n7 8 ");
}

/// A block of 1 kg that is pulled by t N lets go at 0.5 m g = 4.905 N. What holds velocities judges the creep
/// beside its greatest deflection; HHT says where ERROR is above a tenth of that.
TEST(JointFriction, creep_that_error_does_not_resolve_is_told) {
  const auto slides_at = [](const std::string& integrator, bool& told) {
    Recording r(
        "pull\nUNITS/SYSTEM=MKS\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/1,PART=1\n"
        "MARKER/2,PART=1,REULER=90D,90D,0\nPART/3,MASS=1,CM=30,IP=.1,.1,.1\nMARKER/30,PART=3\n"
        "MARKER/31,PART=3,REULER=90D,90D,0\nJOINT/2,TRANSLATIONAL,I=31,J=2\n"
        "FRICTION/1,JOINT=2,MU_STATIC=0.5,MU_DYNAMIC=0.2,STICTION_TRANSITION_VELOCITY=1E-4\n"
        ",TRANSITION_VELOCITY_COEFFICIENT=2,MAX_STICTION_DEFORMATION=1E-6,INPUTS=REACTION_FORCE\n"
        "SFORCE/1,TRANSLATION,ACTIONONLY,I=31,J=2,FUNCTION=TIME\nINTEGRATOR/" +
        integrator + "\nEND\n");
    r.simulation->run(dynamics_analysis, {6, 120});
    told = std::ranges::any_of(r.warnings, [](const std::string& text) {
      return text.find("FRICTION/1 sticks by a deflection of at most 1e-06") != std::string::npos;
    });
    for (std::size_t n = 0; n < r.time.size(); ++n)
      if (std::fabs(r.at(n, "PART/3", "VX")) > 1e-2) return r.time[n];
    return 0.0;
  };
  bool told = false;
  for (const char* integrator :
       {"RADAU,ERROR=1E-4", "RADAU,ERROR=1E-6", "ABAM,ERROR=1E-6", "GSTIFF,SI2,ERROR=1E-4"}) {
    EXPECT_NEAR(slides_at(integrator, told), 4.905, 0.11) << integrator;  // two outputs
    EXPECT_FALSE(told) << integrator;
  }
  slides_at("HHT,ERROR=1E-5", told);
  EXPECT_TRUE(told);
  slides_at("HHT,ERROR=1E-7", told);
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace trammel::joint_friction_test
