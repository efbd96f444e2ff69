// Each rule of thumb against a deck that breaks it, by rule and line, and against one that keeps it.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "advised.h"

namespace trammel::test::rules_test {
namespace {

struct Case {
  std::string rule;
  std::string broken, kept;  ///< statements behind one_part
  int line;                  ///< of the finding in the broken one; 3 of job.acf for settings
  double end = 1, step = 0.005;
  std::string from = {}, to = {};  ///< a change of one_part in the broken one
};

const std::string hinge = "JOINT/1, REVOLUTE, I=20, J=10\n";
const std::string hinge_motion = hinge + "MOTION/1, JOINT=1, ROTATION, ";
const std::string bent_spline = "SPLINE/1, X=0,0.2,0.4,0.6,0.8,1, Y=0,1,0,2,0,1\n";

std::string force(const std::string& function) {
  return "SFORCE/1, TRANSLATION, I=21, J=11, FUNCTION=" + function + "\n";
}
std::string spring(int id, const std::string& coefficients) {
  return fmt::format("SPRINGDAMPER/{}, TRANSLATION, I=21, J=11, LENGTH=0.5, {}\n", id, coefficients);
}
/// A second part of that mass and moment of inertia, with its marker 30.
std::string second_part(const std::string& mass, const std::string& moments) {
  return "PART/3, QG=1,0,0" + mass + moments + "\nMARKER/30, PART=3\n";
}

const std::string ball = "JOINT/1, SPHERICAL, I=20, J=10\n";
/// Two common points: along their line one equation is too many.
const std::string two_balls = ball + "JPRIM/1, ATPOINT, I=21, J=12\nMARKER/12, PART=1, QP=0,0,0.5\n";

/// A ball of the part above ground's plane.
std::string contact(const std::string& law) {
  return "GRAPHICS/1, PLANE, RM=11\nGRAPHICS/2, ELLIPSOID, CM=21, XSCALE=0.01, YSCALE=0.01, ZSCALE=0.01\n"
         "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E5, " +
         law + "\n";
}

/// Modes of 200 to 1300 cycles per second.
std::string coupler(const std::string& damping) {
  return "FLEX_BODY/3, MNF_FILE=" TRAMMEL_SOURCE_DIR "/models/flexible_slider_crank/coupler.mtx, CRATIO=" +
         damping + "\n";
}

const Case cases[] = {
    {"discontinuity", force("MAX(DX(21,11),0)"), force("MAX(DX(21,11),0)**2"), 10},
    {"division", force("1/DX(21,11)"), force("1/(1+DX(21,11)**2)"), 10},
    {"domain", force("SQRT(DX(21,11)**2)"), force("SQRT(DX(21,11)**2+0.01)"), 10},
    {"motion-spline", hinge_motion + "FUNCTION=CUBSPL(TIME,0,1)\n" + bent_spline,
     hinge_motion + "VELOCITY, FUNCTION=CUBSPL(TIME,0,1)\n" + bent_spline, 11},
    {"motion-akima", hinge_motion + "VELOCITY, FUNCTION=AKISPL(TIME,0,1)\n" + bent_spline,
     hinge_motion + "VELOCITY, FUNCTION=CUBSPL(TIME,0,1)\n" + bent_spline, 11},
    {"motion-ramp", hinge_motion + "FUNCTION=STEP(TIME,0,0,1,2)\n",
     hinge_motion + "FUNCTION=STEP5(TIME,0,0,1,2)\n", 11},
    {"motion-state",
     hinge_motion + "FUNCTION=VARVAL(1)\nVARIABLE/1, FUNCTION=DIF(1)\nDIFF/1, FUNCTION=-DIF(1)\n",
     hinge_motion + "FUNCTION=VARVAL(1)\nVARIABLE/1, FUNCTION=SIN(TIME)\n", 11},
    // J is on the part: it may turn; marker 10 is ground's.
    {"velocity-frame", "SFORCE/1, TRANSLATION, I=11, J=21, FUNCTION=-3*VX(11,21,21)\n",
     "SFORCE/1, TRANSLATION, I=11, J=21, FUNCTION=-3*VX(11,21,21,21)-VX(21,10,10)\n", 10},
    {"damping-sign", force("3*VR(21,11)"), force("-3*VR(21,11)"), 10},
    {"contact-exponent", force("IMPACT(DZ(21,11),VZ(21,11),0.4,1E5,1,100,0.01)"),
     force("IMPACT(DZ(21,11),VZ(21,11),0.4,1E5,1.5,100,0.01)"), 10},
    {"contact-exponent", contact("EXPONENT=1, DAMPING=100, DMAX=0.01"),
     contact("EXPONENT=1.5, DAMPING=100, DMAX=0.01"), 12},
    {"contact-depth", contact("EXPONENT=1.5, DAMPING=100, DMAX=1E-5"),
     contact("EXPONENT=1.5, DAMPING=100, DMAX=0.001"), 12},
    {"contact-depth", force("IMPACT(DZ(21,11),VZ(21,11),0.4,1E5,1.5,100,1E-5)"),
     force("IMPACT(DZ(21,11),VZ(21,11),0.4,1E5,1.5,100,0.001)"), 10},
    {"contact-velocity", force("IMPACT(DZ(21,11),VM(21,11),0.4,1E5,1.5,100,0.01)"),
     force("IMPACT(DM(21,11),VR(21,11),0.4,1E5,1.5,100,0.01)+IMPACT(DZ(21,11,20),VZ(21,11,20,20),0.4,1E5,2,9,"
           "0.01)"),
     10},
    {"contact-steps", force("IMPACT(DZ(21,11),VZ(21,11),0.4,1E5,1.5,100,0.01)"),
     force("IMPACT(DZ(21,11),VZ(21,11),0.4,1E5,1.5,100,0.01)") + "INTEGRATOR/HHT, HMAX=0.001\n", 10, 1, 0.02},
    {"contact-start", force("IMPACT(DZ(21,11),VZ(21,11),0.6,1E5,1.5,100,0.01)"),
     force("IMPACT(DZ(21,11),VZ(21,11),0.4,1E5,1.5,100,0.01)"), 10},
    {"ramp-width", force("STEP(DX(21,11),-1E-8,-1,1E-8,1)"), force("STEP(DX(21,11),-1E-3,-1,1E-3,1)"), 10},
    {"spline-range", force("AKISPL(TIME,0,1)") + "SPLINE/1, X=0,0.2,0.4,0.6, Y=0,1,0,2\n",
     force("AKISPL(TIME,0,1)") + bent_spline, 10},
    {"spline-data", force("AKISPL(TIME,0,1)") + "SPLINE/1, X=0,0.2,0.5,0.5001,1, Y=0,0,0,2,2\n",
     force("AKISPL(TIME,0,1)") + "SPLINE/1, X=0,0.2,0.5,1, Y=0,1,2.5,5\n", 11},
    {"small-mass", second_part(", MASS=1E-7, CM=30", ", IP=1E-7,1E-7,1E-7"),
     second_part(", MASS=0.1, CM=30", ", IP=1,1,1"), 10},
    {"small-inertia", force("1"), force("1"), 7, 1, 0.005, "IP=1,1,1", "IP=1E-8,1E-8,1E-8"},
    {"dummy-part", second_part(", MASS=1E-9, CM=30", ", IP=1,1,1") + "BUSHING/1, I=30, J=11, K=9,9,9\n",
     second_part(", MASS=1, CM=30", ", IP=1,1,1") + "BUSHING/1, I=30, J=11, K=9,9,9\n", 10},
    {"redundant", two_balls, ball + "JPRIM/1, INLINE, I=21, J=12\nMARKER/12, PART=1, QP=0,0,0.5\n", 11},
    {"gravity-unit", "", "", 3, 1, 0.005, "LENGTH=METER", "LENGTH=MILLIMETER"},
    {"length-unit", "", "", 2, 1, 0.005, "PART=1, QP=0,0,0", "PART=1, QP=0,3E6,0"},
    {"time-unit", "", "", 2, 1e-5, 1e-6},
    {"force-unit", "", "", 2, 1, 0.005, "MASS=2", "MASS=2E9"},
    {"extreme-number", force("1E-20+DX(21,11)"), force("DX(21,11)"), 10},
    {"stiffness-spread", spring(1, "K=1E12") + spring(2, "K=1"), spring(1, "K=1E6") + spring(2, "K=1"), 10},
    {"overdamped", spring(1, "K=100, C=1E4"), spring(1, "K=100, C=1"), 10},
    {"no-damping", spring(1, "K=100"), spring(1, "K=100, C=1"), 10},
    {"short-event", force("STEP5(TIME,0.5,0,0.501,1)-STEP5(TIME,0.8,0,0.9,1)"),
     force("STEP5(TIME,0.5,0,0.6,1)"), 10},
    {"fast-mode", coupler("0.01"), coupler("1"), 10},
    {"fast-wave", force("SIN(2000*TIME)"), force("SIN(20*TIME)"), 10},
    {"tolerance", "INTEGRATOR/HHT, ERROR=0.1\n", "INTEGRATOR/HHT, ERROR=1E-4\n", 3},
    {"pattern", "INTEGRATOR/HHT, PATTERN=T\n", "INTEGRATOR/HHT, PATTERN=F\n", 3},
};

/// What else the rules look at.
const Case further_cases[] = {
    {"domain", force("ACOS(DZ(21,11)/0.5)"), force("ACOS(DZ(21,11)/0.6)"), 10},
    {"motion-spline",
     hinge_motion + "FUNCTION=VARVAL(1)\nVARIABLE/1, FUNCTION=CUBSPL(TIME,0,1)\n" + bent_spline,
     hinge_motion + "FUNCTION=DIF(1)\nDIFF/1, FUNCTION=CUBSPL(TIME,0,1)\n" + bent_spline, 11},
    {"velocity-frame", "SFORCE/1, TRANSLATION, I=11, J=21, FUNCTION=-VM(11,21)\n",
     "SFORCE/1, TRANSLATION, I=11, J=21, FUNCTION=-VM(11,21,21)-VR(11,21)\n", 10},
    // From ground's side, by a component, by a torque.
    {"damping-sign", "SFORCE/1, TRANSLATION, I=11, J=21, FUNCTION=3*VR(11,21)\n",
     "SFORCE/1, TRANSLATION, I=11, J=21, FUNCTION=-3*VR(11,21)\n", 10},
    {"damping-sign", "VFORCE/1, I=21, JFLOAT=12, FX=0\\FY=3*VY(21)\nMARKER/12, PART=1, FLOATING\n",
     "VFORCE/1, I=21, JFLOAT=12, FX=3*VY(21)\\FY=-3*VY(21)\nMARKER/12, PART=1, FLOATING\n", 10},
    {"damping-sign", "SFORCE/1, ROTATION, I=21, J=11, FUNCTION=2*WZ(20,11)\n",
     "SFORCE/1, ROTATION, I=21, J=11, FUNCTION=-2*WZ(20,11)\n", 10},
    {"contact-exponent", force("BISTOP(DZ(21,11),VZ(21,11),0.2,0.9,1E5,0.5,100,0.01)"),
     force("BISTOP(DZ(21,11),VZ(21,11),0.2,0.9,1E5,2,100,0.01)"), 10},
    {"contact-depth", force("IMPACT(DZ(21,11),VZ(21,11),0.4,1E5,1.5,100,50)"),
     "SFORCE/1, ROTATION, I=21, J=11, FUNCTION=IMPACT(AZ(21,11),WZ(21,11),0,1E5,1.5,100,1E-6)\n", 10},
    {"spline-range", force("AKISPL(DZ(21,11),0,1)") + "SPLINE/1, X=1,2,3,4, Y=0,1,0,2\n",
     force("AKISPL(DZ(21,11),0,1)") + "SPLINE/1, X=1,2,3,4, Y=0,1,0,2, LINEAR_EXTRAPOLATE\n", 10},
    {"spline-range", force("CUBSPL(0.2,TIME,1)") + "SPLINE/1, X=0,1,2,3, Y=0,0,1,0,2, Y=0.5,0,1,0,2\n",
     force("CUBSPL(0.2,TIME,1)") + "SPLINE/1, X=0,1,2,3, Y=0,0,1,0,2, Y=1,0,1,0,2\n", 10},
    {"spline-data", force("AKISPL(TIME,0,1)") + "SPLINE/1, X=0,1E-4,0.5,0.8,1, Y=0,0,1,0,1\n",
     force("AKISPL(TIME,0,1)") + bent_spline, 11},
    {"spline-data", force("AKISPL(TIME,0,1)") + "SPLINE/1, X=0,0.2,0.5,1, Y=0,1,0,1\n",
     "SPLINE/1, X=0,0.2,0.5,1, Y=0,1,0,1\n", 11},
    {"small-mass",
     second_part(", MASS=1E-8, CM=30", ", IP=1,1,1") + "PART/4, MASS=1E-3, CM=40, IP=1,1,1\nMARKER/40\n",
     second_part(", MASS=1E-6, CM=30", ", IP=1,1,1") + "PART/4, MASS=1E-3, CM=40, IP=1,1,1\nMARKER/40\n", 10},
    {"small-inertia", force("1"), force("1"), 7, 1, 0.005, "IP=1,1,1", "IP=1,1,1E-8"},
    {"dummy-part", second_part("", "") + "BUSHING/1, I=30, J=11, K=9,9,9\n",
     second_part("", "") +
         "BUSHING/1, I=30, J=11, K=9,9,9\nJOINT/1, FIXED, I=30, J=13\nMARKER/13, PART=2, QP=1,0,-1\n",
     10},
    {"time-unit", "", "", 2, 1e8, 1e6},
    {"extreme-number", "", "", 7, 1, 0.005, "MASS=2", "MASS=1E16"},
    {"overdamped", "SPRINGDAMPER/1, ROTATION, I=21, J=11, KT=1, CT=1E4\n",
     "SPRINGDAMPER/1, ROTATION, I=21, J=11, KT=1, CT=1\n", 10},
    {"no-damping", spring(1, "K=100") + "VARIABLE/1, FUNCTION=-DZ(21,11)\n" + force("VARVAL(1)"),
     spring(1, "K=100") + "VARIABLE/1, FUNCTION=-VR(21,11)\n" + force("VARVAL(1)"), 10},
    {"short-event", force("IF(TIME-0.5: 0,1,IF(TIME-0.502: 1,0,0))"),
     force("IF(TIME-0.5: 0,1,IF(TIME-0.6: 1,0,0))"), 10},
    {"short-event", force("STEP5(1000*TIME-3,500,0,501,1)"), force("STEP5(TIME-3,500,0,501,1)"), 10},
    {"fast-wave", force("SHF(TIME,0,1,2000,0)"), force("SHF(TIME,0,1,20,0)"), 10},
    {"fast-wave", force("SWEEP(TIME,1,0,1,1,400,0.1)"), force("SWEEP(TIME,1,0,1,1,40,0.1)"), 10},
    {"tolerance", "INTEGRATOR/HHT, ERROR=1E-15\n", "INTEGRATOR/GSTIFF\n", 3},
};

void expect_found(std::span<const Case> list) {
  for (const Case& c : list) {
    std::string part = one_part;
    if (!c.from.empty()) part.replace(part.find(c.from), c.from.size(), c.to);
    const Findings broken = Advised(part + c.broken, c.end, c.step).by(c.rule);
    ASSERT_EQ(broken.count, 1u) << c.rule << "\n" << all_texts(broken);
    EXPECT_EQ(broken.first[0].where.line, c.line) << c.rule << "\n" << all_texts(broken);
    const Findings kept = Advised(one_part + c.kept).by(c.rule);
    EXPECT_EQ(kept.count, 0u) << c.rule << "\n" << all_texts(kept);
  }
}

TEST(Rules, each_finds_what_breaks_it_and_nothing_else) {
  expect_found(cases);
  expect_found(further_cases);
}

TEST(Rules, all_of_them_are_tried_here) {
  std::set<std::string> tried, there;
  for (const Case& c : cases) tried.insert(c.rule);
  for (const AdviceRule& r : advice_rules()) there.emplace(r.name);
  EXPECT_EQ(tried, there);
}

TEST(Rules, stand_in_the_documents) {
  std::ifstream file(TRAMMEL_SOURCE_DIR "/docs/check_rules.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("## The rules\n\n" + rules_text() + "\n## What"), std::string::npos)
      << "put there what `trammel check --rules` prints";
  for (const AdviceRule& r : advice_rules())
    for (const std::string_view sentence : {r.why, r.mend}) EXPECT_EQ(sentence.back(), '.') << r.name;
}

TEST(Rules, keep_the_first_findings_and_count_all) {
  std::string deck = one_part;
  for (int k = 1; k <= 14; ++k)
    deck += fmt::format("SFORCE/{}, TRANSLATION, I=21, J=11, FUNCTION=ABS(DX(21,11))\n", k);
  const Findings found = Advised(deck).by("discontinuity");
  EXPECT_EQ(found.count, 14u);
  ASSERT_EQ(found.first.size(), Findings::most_kept);
  EXPECT_EQ(found.first.front().where.line, 10);
  EXPECT_EQ(found.first.back().where.line, 19);
}

/// Whether a force by that function is found to have a corner or jump.
bool is_rough(const std::string& function) {
  return Advised(one_part + force(function)).by("discontinuity").count > 0;
}

TEST(Discontinuity, is_found_where_arguments_can_reach_it) {
  for (const char* function : {"ABS(VX(21))", "MIN(DX(21),DY(21))", "DIM(DX(21),1)", "SIGN(1,VX(21))",
                               "AINT(DX(21))", "MOD(TIME,0.3)", "ABS(TIME-0.5)", "IF(DX(21): 0,0,1)",
                               "STEP(ABS(DX(21)),-0.1,1,0.2,0)", "DIM(DX(21),1)**0.5", "VY(21)*ABS(VX(21))",
                               "1/(2+ABS(DX(21)))", "ANINT(2*TIME)", "MAX(DX(21),0.1)**2"})
    EXPECT_TRUE(is_rough(function)) << function;
}

TEST(Discontinuity, is_not_told_where_there_is_none) {
  for (const char* function :
       {"VX(21)*ABS(VX(21))", "-3*ABS(VX(21))*(2*VX(21))", "STEP(ABS(DX(21)),0.1,1,0.2,0)", "ABS(TIME)",
        "MIN(TIME,2)", "DIM(1,DX(21))**1.5", "MOD(TIME,2)", "SIGN(DX(21),TIME+1)", "IF(MODE-4: 0,1,DX(21))",
        "IF(TIME-2: 1,2,3)", "0*ABS(DX(21))", "ABS(DM(21,11))", "MAX(-1,SIN(DX(21)))", "ABS(3)",
        "MAX(DX(21),0)**3", "IMPACT(MAX(DZ(21),0.7),VZ(21),0.4,1E5,1.5,9,0.01)"})
    EXPECT_FALSE(is_rough(function)) << function;
}

TEST(Discontinuity, is_found_behind_variables_arrays_and_systems) {
  const std::string rough = "VARIABLE/1, FUNCTION=ABS(DX(21,11))\n";
  const auto lines = [](const std::string& more) {
    std::set<int> list;
    for (const Finding& f : Advised(one_part + more).by("discontinuity").first) list.insert(f.where.line);
    return list;
  };
  EXPECT_EQ(lines(rough), std::set<int>{}) << "nothing reads it";
  EXPECT_EQ(lines(rough + "REQUEST/1, F2=VARVAL(1)\n"), std::set<int>{}) << "only shown";
  EXPECT_EQ(lines(rough + force("VARVAL(1)")), std::set<int>{10});
  EXPECT_EQ(lines(rough + "VARIABLE/2, FUNCTION=2*VARVAL(1)\n" + force("VARVAL(2)")), std::set<int>{10});
  EXPECT_EQ(lines(rough + "ARRAY/1, U, VARIABLES=1\n" + force("ARYVAL(1,1)")), std::set<int>{10});
  const std::string system =
      "ARRAY/1, U, VARIABLES=1\nARRAY/2, X\nARRAY/3, Y\n"
      "TFSISO/1, X=2, U=1, Y=3, NUMERATOR=1, DENOMINATOR=1,1\n";
  EXPECT_EQ(lines(rough + system), std::set<int>{10}) << "a system integrates it";
  EXPECT_EQ(lines(rough + "VARIABLE/3, FUNCTION=CUBSPL(VARVAL(1),0,1)\n" + bent_spline + force("VARVAL(3)")),
            std::set<int>{10})
      << "argument of a spline";
}

TEST(Discontinuity, names_the_reader_of_a_variable) {
  const Findings found =
      Advised(one_part + "VARIABLE/1, FUNCTION=1+ABS(DX(21,11))\n" + force("VARVAL(1)")).by("discontinuity");
  ASSERT_EQ(found.count, 1u);
  EXPECT_EQ(found.first[0].text, "VARIABLE/1 FUNCTION: ABS at column 3 has a corner, read by SFORCE/1");
}

TEST(Division, knows_bounds_of_denominators) {
  const auto found = [](const std::string& function) {
    return Advised(one_part + "VARIABLE/1, FUNCTION=2+SIN(TIME)\nVARIABLE/2, FUNCTION=1+SIN(DX(21))\n" +
                   force(function))
        .by("division")
        .count;
  };
  for (const char* function : {"1/(TIME-0.5)", "1/SIN(DX(21))", "1/(1+SIN(DX(21)))", "1/VARVAL(2)",
                               "1/VM(21,11)", "DX(21,11)**(-2)", "1/(DX(21)*DX(21))", "1/(DM(21,11)-0.2)"})
    EXPECT_EQ(found(function), 1u) << function;
  for (const char* function :
       {"1/(TIME+0.5)", "1/(2+SIN(DX(21)))", "1/VARVAL(1)", "1/(1+VM(21,11))", "1/EXP(DX(21))", "1/DM(21,11)",
        "1/SQRT(DX(21,11)**2+DY(21,11)**2+DZ(21,11)**2)", "1/(0.1+DX(21)*DX(21))", "DX(21,11)**2", "DX(21)/2",
        "1/MAX(0.01,DX(21))", "1/(TIME-2)"})
    EXPECT_EQ(found(function), 0u) << function;
}

TEST(ContactVelocity, has_the_markers_and_the_axis_of_the_place) {
  const auto found = [](const std::string& place, const std::string& rate) {
    return Advised(one_part + force("IMPACT(" + place + "," + rate + ",0.4,1E5,1.5,100,0.01)"))
        .by("contact-velocity")
        .count;
  };
  EXPECT_EQ(found("DZ(21,11)", "VY(21,11)"), 1u);
  EXPECT_EQ(found("DZ(21,11)", "VZ(20,11)"), 1u);
  EXPECT_EQ(found("DZ(21,11,20)", "VZ(21,11)"), 1u);
  EXPECT_EQ(found("AZ(21,11)", "WX(21,11)"), 1u);
  EXPECT_EQ(found("AZ(21,11)", "WZ(21,11,11)"), 0u);
  EXPECT_EQ(found("DZ(21,11)", "VZ(21,11,0,11)"), 0u);
  EXPECT_EQ(found("DZ(21,11)-0.1", "VZ(20,11)"), 0u) << "not to be judged";
}

TEST(Settings, of_a_deck_alone_are_looked_at) {
  Advised deck(one_part + "INTEGRATOR/HHT, ERROR=0.1, PATTERN=T:T\n");
  deck.spans.clear();
  for (const char* rule : {"tolerance", "pattern"}) {
    const Findings found = deck.by(rule);
    ASSERT_EQ(found.count, 1u) << rule;
    EXPECT_EQ(found.first[0].where.line, 10) << rule;
  }
}

TEST(Redundancy, names_a_joint_that_holds_as_much_as_is_needed) {
  // A door on two hinges: the second one has to hold nothing, whichever the program drops.
  const Findings found =
      Advised(one_part + hinge + "JOINT/2, REVOLUTE, I=21, J=12\nMARKER/12, PART=1, QP=0,0,0.5\n")
          .by("redundant");
  int equations = 0;
  for (const Finding& f : found.first) {
    const std::size_t colon = f.text.find(": ");
    equations += std::stoi(f.text.substr(colon + 2));
  }
  EXPECT_EQ(equations, 5) << all_texts(found);
  const Findings one = Advised(one_part + two_balls).by("redundant");
  ASSERT_EQ(one.count, 1u);
  EXPECT_NE(one.first[0].text.find("JPRIM INLINE in its place"), std::string::npos) << one.first[0].text;
}

/// Rules that look at the start find nothing where there is none, and do not fail.
TEST(Rules, do_without_a_start) {
  const Advised deck(one_part + "JOINT/1, FIXED, I=20, J=10\nMOTION/1, I=21, J=11, Z, FUNCTION=0.7\n" +
                     "VARIABLE/1, FUNCTION=1/DM(20,10)\n" +
                     force("SQRT(VARVAL(1))+IMPACT(DZ(21),VZ(21),1,1,2,1,1)"));
  EXPECT_EQ(deck.start, nullptr);
  EXPECT_FALSE(advise(*deck.subject).empty());
}

}  // namespace
}  // namespace trammel::test::rules_test
