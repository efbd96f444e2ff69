// compile(): rows, initial values of joints, scalars, tapes; and what it says about mistakes.
#include <gtest/gtest.h>

#include "../support/deck.h"

namespace trammel::elements_test {
namespace {

using namespace test;

const std::string bodies =
    "PART/1, GROUND\nMARKER/11, PART = 1\nMARKER/19, PART = 1, FLOATING\nPART/2, MASS = 1, CM = 21, IP = 1, "
    "1, 1\n"
    "MARKER/21, PART = 2\nMARKER/22, PART = 2, QP = 1, 0, 0\nPART/3, MASS = 1, CM = 31, IP = 1, 1, "
    "1\nMARKER/31, PART = 3\n";

TEST(Elements, joints_become_their_rows_in_order) {
  for (const JointType& type : joint_types) {
    const std::string name(type.name);
    const std::string extra = name == "RACKPIN" ? ", PD = 0.8" : name == "SCREW" ? ", PITCH = 0.4" : "";
    const Model model =
        compile_text(bodies + fmt::format("{}/7, {}, I = 22, J = 31{}\n", type.statement, name, extra));
    ASSERT_EQ(model.constraint_elements.size(), 1u) << name;
    const ConstraintElement& e = model.constraint_elements[0];
    EXPECT_EQ(e.rows, type.rows);
    EXPECT_EQ(model.multipliers, type.rows);
    EXPECT_EQ(model.markers[e.I].id, 22);
    EXPECT_EQ(model.markers[e.J].id, 31);
    EXPECT_EQ(model.unknowns(), 12 + type.rows);
    EXPECT_DOUBLE_EQ(e.row[0].parameter, extra.empty() ? 0.0 : 0.4);  // PITCH, PD/2
    EXPECT_EQ(model.offsets, extra.empty() ? 0 : 1);
    EXPECT_EQ(model.equation_name(12), fmt::format("{}/7 {}", type.statement, type.row[0].name));
    EXPECT_EQ(model.unknown_name(12), fmt::format("{}/7 LAM {}", type.statement, type.row[0].name));
  }
}

TEST(Elements, initial_values_of_joints_velocity_first_are_rows_of_assembly_only) {
  const Model model = compile_text(
      bodies +
      "JOINT/1, REVOLUTE, I = 22, J = 11, IC = 2, 30D\nJOINT/2, TRANSLATIONAL, I = 31, J = 11, IC = 0.5\n");
  ASSERT_EQ(model.constraint_elements.size(), 4u);
  const ConstraintElement &turn = model.constraint_elements[1], &slide = model.constraint_elements[3];
  EXPECT_TRUE(turn.initial_only);
  EXPECT_EQ(turn.row[0].kind, RowKind::angle_z);
  EXPECT_DOUBLE_EQ(turn.target[0], std::acos(-1.0) / 6);
  EXPECT_EQ(turn.target_rate[0], 2);
  EXPECT_EQ(turn.phases[0], static_cast<unsigned>(phase_given_position | phase_given_velocity));
  EXPECT_EQ(slide.row[0].kind, RowKind::separation);
  EXPECT_EQ(slide.row[0].j, 2);
  EXPECT_EQ(slide.target_rate[0], 0.5);
  EXPECT_EQ(slide.phases[0], static_cast<unsigned>(phase_given_velocity));
  const Model both =
      compile_text(bodies + "JOINT/1, CYLINDRICAL, I = 22, J = 11, ICTRAN = 0.2, 0.1, ICROT = 10D\n");
  ASSERT_EQ(both.constraint_elements.size(), 3u);
  EXPECT_EQ(both.constraint_elements[1].target[0], 0.1);
  EXPECT_EQ(both.constraint_elements[1].target_rate[0], 0.2);
  EXPECT_EQ(both.constraint_elements[2].row[0].kind, RowKind::angle_z);
  EXPECT_EQ(both.constraint_elements[2].phases[0], static_cast<unsigned>(phase_given_velocity));
}

TEST(Elements, motions_by_level) {
  const Model model = compile_text(bodies +
                                   "JOINT/1, REVOLUTE, I = 22, J = 11\nJOINT/2, TRANSLATIONAL, I = 31, J = "
                                   "11\nMOTION/1, JOINT = 1, FUNCTION = TIME\n"
                                   "MOTION/2, JOINT = 2, VELOCITY, FUNCTION = 1, ICDISP = 0.3\nMOTION/3, I = "
                                   "22, J = 31, B2, ACCELERATION, ICVEL = 4, FUNCTION = 2\n");
  const ConstraintElement &a = model.constraint_elements[2], &b = model.constraint_elements[3],
                          &c = model.constraint_elements[4];
  EXPECT_EQ(a.row[0].kind, RowKind::angle_z);
  EXPECT_EQ(a.level, 0);
  EXPECT_EQ(a.phases[0], static_cast<unsigned>(phase_all));
  EXPECT_EQ(b.row[0].kind, RowKind::separation);
  EXPECT_EQ(b.level, 1);
  EXPECT_EQ(b.phases[0], static_cast<unsigned>(phase_all));
  EXPECT_EQ(model.initial.scalars[b.scalar].value, 0.3);
  EXPECT_EQ(c.row[0].kind, RowKind::b2);
  EXPECT_EQ(c.level, 2);
  EXPECT_EQ(c.phases[0], static_cast<unsigned>(phase_all & ~phase_position));
  EXPECT_EQ(model.scalars[c.scalar].kind, ScalarKind::motion_rate);
  EXPECT_EQ(model.scalars[c.scalar + 1].kind, ScalarKind::differential);
  EXPECT_EQ(model.initial.scalars[c.scalar + 1].value, 4);
}

TEST(Elements, a_motion_angle_starts_on_the_turn_of_its_initial_value) {
  const Model model = compile_text(
      bodies +
      "JOINT/1, REVOLUTE, I = 22, J = 11\nMOTION/1, JOINT = 1, VELOCITY, ICDISP = 350D, FUNCTION = 1\n");
  const ConstraintElement& e = model.constraint_elements[1];
  EXPECT_TRUE(e.has_icdisp);
  EXPECT_DOUBLE_EQ(e.icdisp, 350 * std::acos(-1.0) / 180);
}

TEST(Elements, forces_that_are_read_become_unknowns_once) {
  const Model model = compile_text(bodies +
                                   "JOINT/1, REVOLUTE, I = 22, J = 11\nSFORCE/1, TRANSLATION, I = 31, J = "
                                   "22, FUNCTION = JOINT(1,0,2,0)+JOINT(1,0,5,0)\n"
                                   "SFORCE/2, TRANSLATION, I = 31, J = 11, FUNCTION = FX(22,11)\n");
  EXPECT_EQ(model.scalar_count(), 6);
  EXPECT_EQ(model.force_output[0], 0);
  EXPECT_EQ(model.force_output[1], -1);
  EXPECT_EQ(model.unknown_name(model.first_scalar() + 4), "JOINT/1 TY");
  // Requests read the wrench table: no unknowns.
  const Model request =
      compile_text(bodies + "JOINT/1, REVOLUTE, I = 22, J = 11\nREQUEST/1, FORCE, I = 22, J = 11\n");
  EXPECT_EQ(request.scalar_count(), 0);
}

/// The force elements that a component of REQUEST/1 reads, in the order of its sum: places in the table of
/// wrenches.
std::vector<int> wrenches_read(const std::string& deck, const std::string& expression) {
  const Model model = compile_text(bodies + deck + "REQUEST/1, F2 = " + expression + "\n");
  std::vector<int> read;
  for (std::size_t k = 0; k < model.tapes.size(); ++k)
    if (model.tape_name[k].starts_with("REQUEST/1"))
      for (int state : model.tapes[k].states)
        if (const int wrench = (state - model.scalar_count()) / 12; read.empty() || read.back() != wrench)
          read.push_back(wrench);
  return read;
}

TEST(Elements, forces_are_found_by_markers_and_by_names) {
  using Places = std::vector<int>;
  // In the table: JOINT/7 0, its IC 1, JPRIM/3 2, JOINT/3 3, SPRINGDAMPER/9 4, SPRINGDAMPER/3 5, SFORCE/9 6,
  // SFORCE/3 7.
  const std::string deck =
      "SPRINGDAMPER/9, TRANSLATION, I = 11, J = 22, K = 1\n"
      "SFORCE/9, TRANSLATION, ACTIONONLY, I = 22, J = 31, FUNCTION = 1\n"
      "SFORCE/3, TRANSLATION, I = 31, J = 22, FUNCTION = 1\n"
      "JOINT/7, TRANSLATIONAL, I = 22, J = 11, IC = 1\n"
      "JPRIM/3, INPLANE, I = 31, J = 11\n"
      "SPRINGDAMPER/3, TRANSLATION, I = 22, J = 11, K = 1\n"
      "JOINT/3, SPHERICAL, I = 31, J = 22\n";
  EXPECT_EQ(wrenches_read(deck, "FX(22,11)"), (Places{0, 4, 5}));  // SFORCE/9 takes its direction from 31
  EXPECT_EQ(wrenches_read(deck, "FX(11,22)"), (Places{0, 4, 5}));
  EXPECT_EQ(wrenches_read(deck, "FX(22)"), (Places{0, 3, 4, 5, 6, 7}));
  EXPECT_EQ(wrenches_read(deck, "FX(22,31)"), (Places{3, 6, 7}));
  EXPECT_EQ(wrenches_read(deck, "FX(31,22)"), (Places{3, 7}));  // and does not act on it
  EXPECT_EQ(wrenches_read(deck, "FX(22,12)"), Places{});
  EXPECT_EQ(wrenches_read("GCON/1, I = 22, FUNCTION = DX(22,11)\n", "FX(22,11)"), Places{0});  // it has no J
  EXPECT_EQ(wrenches_read(deck, "FX(31)"), (Places{2, 3, 7}));
  EXPECT_EQ(wrenches_read(deck, "FX(21)"), Places{});
  EXPECT_EQ(wrenches_read(deck, "JOINT(3,0,2,0)"), Places{3});
  EXPECT_EQ(wrenches_read(deck, "JPRIM(3,0,2,0)"), Places{2});
  EXPECT_EQ(wrenches_read(deck, "SPDP(3,0,2,0)"), Places{5});
  EXPECT_EQ(wrenches_read(deck, "SPDP(9,0,2,0)"), Places{4});
  EXPECT_EQ(wrenches_read(deck, "SFORCE(3,0,2,0)"), Places{7});
  EXPECT_EQ(wrenches_read(deck, "JOINT(7,0,2,0)"), Places{0});
}

TEST(Elements, names_of_unknowns) {
  const Model model = compile_text(
      bodies + "VARIABLE/4, FUNCTION = TIME\nDIFF/5, FUNCTION = 1\nGCON/6, FUNCTION = DX(22,31)\n");
  EXPECT_EQ(model.unknown_name(0), "PART/2 X");
  EXPECT_EQ(model.unknown_name(9), "PART/3 Psi");
  EXPECT_EQ(model.equation_name(11), "PART/3 Phi Torque");
  EXPECT_EQ(model.equation_name(12), "GCON/6");
  EXPECT_EQ(model.unknown_name(13), "VARIABLE/4");
  EXPECT_EQ(model.unknown_name(14), "DIFF/5");
}

/// What compile (or the dataset check before it) says, all of it.
std::string complaint(const std::string& deck) {
  try {
    compile_text(deck, "slider.adm");
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "accepted";
}

struct Mistake {
  const char* name;
  const char* deck;  ///< after `bodies`, which ends on line 9
  std::vector<const char*> expected;
};

TEST(Mistakes, are_named_with_place_element_and_remedy) {
  const Mistake mistakes[] = {
      {"marker in an expression",
       "SFORCE/3, TRANSLATION, I = 22, J = 11, FUNCTION = DX(205,11)\n",
       {"slider.adm:10: SFORCE/3", "FUNCTION", "marker 205 does not exist"}},
      {"variable",
       "SFORCE/3, TRANSLATION, I = 22, J = 11, FUNCTION = VARVAL(9)\n",
       {"slider.adm:10: SFORCE/3", "FUNCTION", "VARIABLE/9 does not exist"}},
      {"diff",
       "SFORCE/3, TRANSLATION, I = 22, J = 11, FUNCTION = DIF(9)\n",
       {"slider.adm:10: SFORCE/3", "DIFF/9 does not exist"}},
      {"spline",
       "SFORCE/3, TRANSLATION, I = 22, J = 11, FUNCTION = AKISPL(TIME,0,7)\n",
       {"slider.adm:10: SFORCE/3", "SPLINE/7 does not exist"}},
      {"joint force",
       "SFORCE/3, TRANSLATION, I = 22, J = 11, FUNCTION = JOINT(8,0,1,0)\n",
       {"slider.adm:10: SFORCE/3", "JOINT/8 does not exist"}},
      {"component",
       "JOINT/8, REVOLUTE, I = 22, J = 11\nSFORCE/3, TRANSLATION, I = 22, J = 11, FUNCTION = "
       "JOINT(8,0,9,0)\n",
       {"slider.adm:11: SFORCE/3", "component 9", "1 FM"}},
      {"motion of state",
       "JOINT/1, REVOLUTE, I = 22, J = 11\nMOTION/3, JOINT = 1, FUNCTION = DX(22,11)\n",
       {"slider.adm:11: MOTION/3", "FUNCTION depends on positions"}},
      {"motion of spherical",
       "JOINT/1, SPHERICAL, I = 22, J = 11\nMOTION/3, JOINT = 1, FUNCTION = TIME\n",
       {"slider.adm:11: MOTION/3", "JOINT/1 is SPHERICAL"}},
      {"motion of cylindrical",
       "JOINT/1, CYLINDRICAL, I = 22, J = 11\nMOTION/3, JOINT = 1, FUNCTION = TIME\n",
       {"slider.adm:11: MOTION/3", "say ROTATION or TRANSLATION"}},
      {"motion translation of revolute",
       "JOINT/1, REVOLUTE, I = 22, J = 11\nMOTION/3, JOINT = 1, TRANSLATION, FUNCTION = TIME\n",
       {"slider.adm:11: MOTION/3", "JOINT/1 is REVOLUTE and has no TRANSLATION"}},
      {"motion and IC",
       "JOINT/1, REVOLUTE, I = 22, J = 11, IC = 1D\nMOTION/3, JOINT = 1, FUNCTION = TIME\n",
       {"slider.adm:11: MOTION/3", "JOINT/1 has an initial value"}},
      {"motion and ICROT",
       "JOINT/1, CYLINDRICAL, I = 22, J = 11, ICTRAN = 1, ICROT = 1D\nMOTION/3, JOINT = 1, ROTATION, "
       "FUNCTION = TIME\n",
       {"slider.adm:11: MOTION/3", "JOINT/1 has an initial value"}},
      {"gcon of acceleration",
       "GCON/3, FUNCTION = ACCX(22,11)\n",
       {"slider.adm:10: GCON/3", "not accelerations"}},
      {"gcon of force",
       "JOINT/1, REVOLUTE, I = 22, J = 11\nGCON/3, FUNCTION = JOINT(1,0,2,0)\n",
       {"slider.adm:11: GCON/3", "forces"}},
      {"rm loop",
       "MARKER/41, PART = 2, RM = 42\nMARKER/42, PART = 2, RM = 41\n",
       {"MARKER/4", "RM leads back"}},
      {"no direction",
       "MARKER/41, PART = 2, QP = 1, 1, 1, ZP = 1, 1, 1\n",
       {"slider.adm:10: MARKER/41", "do not give a direction"}},
      {"parallel points",
       "MARKER/41, PART = 2, ZP = 0, 0, 1, XP = 0, 0, 2\n",
       {"slider.adm:10: MARKER/41", "do not give a direction"}},
      {"negative inertia",
       "PART/4, MASS = 5, CM = 41, IM = 42, IP = 1, 1, 1\nMARKER/41, PART = 4\nMARKER/42, PART = 4, QP = 3, "
       "0, 0\n",
       {"slider.adm:10: PART/4", "inertia", "negative"}},
      {"syntax", "SFORCE/3, TRANSLATION, I = 22, J = 11, FUNCTION = SIN(TIME\n", {"slider.adm:10: SFORCE/3"}},
  };
  for (const Mistake& m : mistakes) {
    const std::string text = complaint(bodies + m.deck);
    for (const char* piece : m.expected)
      EXPECT_NE(text.find(piece), std::string::npos) << m.name << ": " << text;
  }
}

TEST(Mistakes, initial_values_are_none_of_motions_of_other_freedoms) {
  EXPECT_EQ(complaint(bodies + "JOINT/1, CYLINDRICAL, I = 22, J = 11, ICTRAN = 1\n"
                               "MOTION/3, JOINT = 1, ROTATION, FUNCTION = TIME\n"),
            "accepted");
  EXPECT_EQ(
      complaint(bodies + "JOINT/1, REVOLUTE, I = 22, J = 11\nJOINT/2, REVOLUTE, I = 31, J = 11, IC = 1\n"
                         "MOTION/3, JOINT = 1, FUNCTION = TIME\n"),
      "accepted");
}

TEST(Mistakes, all_of_them_are_reported_at_once) {
  const std::string text = complaint(bodies +
                                     "SFORCE/3, TRANSLATION, I = 22, J = 11, FUNCTION = VARVAL(9)\nSFORCE/4, "
                                     "TRANSLATION, I = 22, J = 11, FUNCTION = DIF(8)\n");
  EXPECT_NE(text.find("SFORCE/3"), std::string::npos) << text;
  EXPECT_NE(text.find("SFORCE/4"), std::string::npos) << text;
}

}  // namespace
}  // namespace trammel::elements_test
