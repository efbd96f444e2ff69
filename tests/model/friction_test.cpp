// FRICTION as it is compiled: its states, channels of functions, and what is said about mistakes.
#include <gtest/gtest.h>

#include "../support/deck.h"

namespace trammel::friction_test {
namespace {

using namespace test;

const std::string parts =
    "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = 2\n"
    "UNITS/UCF = 1\n";
/// The JOINT stands on line 7 of the file, the FRICTION on line 8.
std::string deck(const std::string& joint, const std::string& friction) {
  return parts + "JOINT/1, " + joint + ", I = 21, J = 11\nFRICTION/5, " + friction + "\n";
}
const std::string numbers = "JOINT = 1, MU_STATIC = 0.3, MU_DYNAMIC = 0.2";

TEST(FrictionStatement, states_follow_from_the_joint_and_the_law) {
  const auto states = [](const std::string& joint, const std::string& more = "") {
    const Model model = compile_text(deck(joint, numbers + more));
    std::string names;
    for (const Scalar& s : model.scalars)
      if (s.name.type == "FRICTION") {
        names += s.part + " ";
        EXPECT_TRUE(s.static_hold);
      }
    return names;
  };
  EXPECT_EQ(states("REVOLUTE"), "CREEP ");
  EXPECT_EQ(states("CYLINDRICAL"), "CREEP1 CREEP2 ");
  EXPECT_EQ(states("SPHERICAL", ", FORMULATION = LUGRE"), "BRISTLE1 BRISTLE2 BRISTLE3 ");
  EXPECT_EQ(states("TRANSLATIONAL", ", EFFECT = SLIDING"), "");
  EXPECT_EQ(states("UNIVERSAL", ", I_YOKE"), "CREEP ");
}

TEST(FrictionStatement, both_yokes_of_a_cross_may_have_it) {
  const Model model =
      compile_text(deck("HOOKE", numbers + ", I_YOKE") + "FRICTION/6, J_YOKE, " + numbers + "\n");
  EXPECT_EQ(model.expression_forces.size(), 2u);
}

TEST(FrictionStatement, mistakes_are_told_with_their_place) {
  const struct {
    const char *joint, *friction, *message;
  } wrong[] = {
      {"REVOLUTE", "JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = 0.3",
       "deck.adm:8: FRICTION/5: MU_DYNAMIC=0.3 is above MU_STATIC=0.2"},
      {"REVOLUTE", "JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = 0.1, PIN_RADIUS = -1",
       "deck.adm:8: FRICTION/5: PIN_RADIUS=-1 is out of range; it must be >0"},
      {"REVOLUTE", "JOINT = 2, MU_STATIC = 0.2, MU_DYNAMIC = 0.1",
       "deck.adm:8: FRICTION/5: JOINT 2 does not exist"},
      {"PLANAR", "JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = 0.1",
       "deck.adm:8: FRICTION/5: JOINT/1 is PLANAR, which has no friction"},
      {"SCREW, PITCH = 1", "JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = 0.1",
       "deck.adm:8: FRICTION/5: JOINT/1 is SCREW, for which ADAMS has no FRICTION either; give its thread's "
       "friction as an SFORCE about and one along its axis, which read JOINT(1,0,4,"},
      {"HOOKE", "JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = 0.1",
       "deck.adm:8: FRICTION/5: JOINT/1 is HOOKE; say I_YOKE or J_YOKE"},
      {"REVOLUTE", "JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = 0.1, J_YOKE",
       "deck.adm:8: FRICTION/5: JOINT/1 is REVOLUTE and has no yokes; drop J_YOKE"},
      {"REVOLUTE", "JOINT = 1, MU_STATIC = 0.2", "deck.adm:8: FRICTION/5: MU_DYNAMIC is missing"},
      {"REVOLUTE",
       "JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = 0.1\nFRICTION/6, JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = "
       "0.1",
       "deck.adm:9: FRICTION/6: JOINT/1 has FRICTION/5 already"},
      {"REVOLUTE", "JOINT = 1, MU_STATIC = 0.2, MU_DYNAMIC = 0.1\nVARIABLE/1, FUNCTION = FRICTION(5,0,13,0)",
       "component 13 of FRICTION/5"},
  };
  for (const auto& w : wrong) {
    const std::string message = message_of(deck(w.joint, w.friction));
    EXPECT_NE(message.find(w.message), std::string::npos) << message;
  }
}

TEST(FrictionStatement, arguments_without_effect_are_told) {
  const auto told = [](const std::string& joint, const std::string& more) {
    Diagnostics diagnostics;
    compile(parse_dataset("title\n" + deck(joint, numbers + more) + "END\n", "test.adm", diagnostics),
            diagnostics);
    std::string text;
    for (const Diagnostic& d : diagnostics.list()) text += d.text + "\n";
    return text;
  };
  EXPECT_NE(told("REVOLUTE", ", BALL_RADIUS = 2").find("BALL_RADIUS has no effect in a REVOLUTE joint"),
            std::string::npos);
  EXPECT_NE(told("REVOLUTE", ", BRISTLE_STIFFNESS = 2").find("has no effect without FORMULATION=LUGRE"),
            std::string::npos);
  EXPECT_NE(told("REVOLUTE", ", FORMULATION = LUGRE, EFFECT = ALL").find("EFFECT has no effect with LUGRE"),
            std::string::npos);
  EXPECT_NE(told("REVOLUTE", ", FORMULATION = LUGRE, STRIBECK_VELOCITY = 2, STICTION_TRANSITION_VELOCITY = 1")
                .find("STICTION_TRANSITION_VELOCITY has no effect on the force beside STRIBECK_VELOCITY"),
            std::string::npos);
  EXPECT_NE(told("REVOLUTE", ", FORMULATION = LUGRE, BRISTLE_STIFFNESS = 2, MAX_STICTION_DEFORMATION = 1")
                .find("MAX_STICTION_DEFORMATION has no effect beside BRISTLE_STIFFNESS"),
            std::string::npos);
  EXPECT_EQ(told("REVOLUTE", ", FORMULATION = LUGRE, STICTION_TRANSITION_VELOCITY = 1").find("no effect"),
            std::string::npos);
  EXPECT_EQ(told("CYLINDRICAL", ", PIN_RADIUS = 2").find("no effect"), std::string::npos);
}

}  // namespace
}  // namespace trammel::friction_test
