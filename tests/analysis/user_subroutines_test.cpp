// User subroutines of forces, states, requests and sensors (tests/user_subroutines): the same motion as by
// expressions, by the C and the Fortran interface, and what is said where something is wrong.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"
#include "assemble/device_assembler.h"

extern "C" {
void c_step(double, double, double, double, double, int, double*, int*);
void c_step5(double, double, double, double, double, int, double*, int*);
void c_havsin(double, double, double, double, double, int, double*, int*);
void c_impact(double, double, double, double, double, double, double, int, double*, int*);
void c_bistop(double, double, double, double, double, double, double, double, int, double*, int*);
}

namespace trammel::user_subroutines_test {
namespace {

using namespace test;

const std::string library = TRAMMEL_USER_CODE "/user_subroutines";

/// A body in space on a slide along z and a free one, with elements of one kind each.
std::string deck(const std::string& elements) {
  return "user code\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
         "MARKER/1, PART=1\nMARKER/2, PART=1, QP=0.3,0.1,0.9\n"
         "PART/2, MASS=2, IP=0.3,0.4,0.5, CM=20, QG=0.1,0.2,0.5, VX=0.4, VZ=-1, WX=3, WY=0.5, WZ=-1\n"
         "MARKER/20, PART=2\nMARKER/21, PART=2, QP=0.1,-0.05,0.2\nACCGRAV/KGRAV=-9.81\n" +
         elements + "END\n";
}
std::string user(const std::string& numbers, const std::string& function) {
  return fmt::format("FUNCTION=USER({})\\\n, ROUTINE={}{}{}\n", numbers, library, function.empty() ? "" : ":",
                     function);
}

/// Both decks move alike, with steps that are about the same. `hidden`: the expression is known to change its
/// law where it meets a stop, and steps end there; of code that is not known, and velocities, which
/// RADAU does not control, err by some 1e-6 there.
void expect_same(const std::string& own, const std::string& by_user, bool hidden = false) {
  const double allowed = hidden ? 1e-5 : 1e-8, more = hidden ? 1.4 : 1.05;
  for (const char* integrator : {"RADAU, ERROR=1E-10", "GSTIFF, SI2, ERROR=1E-9", "ABAM, ERROR=1E-10"}) {
    const auto run = [&](const std::string& elements) {
      auto r = std::make_unique<Recording>(deck(elements + "INTEGRATOR/" + integrator + "\n"));
      r->simulation->run(dynamics_analysis, {0.5, 25});
      return r;
    };
    const auto right = run(own), r = run(by_user);
    double moved = 0;
    for (std::size_t n = 0; n < r->time.size(); ++n)
      for (const char* x : {"X", "Y", "Z", "VX", "VZ", "WX", "WZ"}) {
        EXPECT_NEAR(r->at(n, "PART/2", x), right->at(n, "PART/2", x), allowed)
            << integrator << " " << x << " " << n;
        moved = std::max(moved, std::fabs(right->at(n, "PART/2", x) - right->at(0, "PART/2", x)));
      }
    EXPECT_GT(moved, 0.1);
    // Derivatives by differences are as good as exact ones.
    EXPECT_LT(r->simulation->counters().evaluations, more * right->simulation->counters().evaluations);
  }
}

TEST(UserSubroutines, of_forces_move_as_expressions) {
  const std::string spring = "SPRINGDAMPER/1, TRANSLATION, I=21, J=2, K=300, C=4, LENGTH=0.4\n";
  expect_same(spring, "SFORCE/1, TRANSLATION, I=21, J=2, " + user("300,4,0.4", "Spring"));
  expect_same(spring, "SFORCE/1, TRANSLATION, I=21, J=2, " + user("300,4,0.4,21,2", "spring"));
  expect_same(
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, "
      "FUNCTION=IMPACT(DZ(21,1),VZ(21,1),0.3,1E4,1.5,30,1E-3)\n",
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, " + user("0.3,1E4,1.5,30,21,1", "Stop"), true);
  std::string components;
  for (const char axis : {'X', 'Y', 'Z'})
    components += fmt::format("F{0}=-50*D{0}(21,2,2)-3*V{0}(21,2,2)\\, T{0}=-0.2*W{0}(21,2,2)\\,", axis);
  components.pop_back();
  const std::string gforce = "MARKER/3, PART=1, FLOATING\nGFORCE/1, I=21, JFLOAT=3, RM=2, ";
  expect_same(gforce + components + "\n", gforce + user("50,3,0.2", "Bush"));
  const std::string vtorque = "MARKER/3, PART=1, FLOATING\nVTORQUE/1, I=20, JFLOAT=3, RM=1, ";
  expect_same(vtorque + "TX=-(2+TIME)*WX(20)\\TY=0\\TZ=0\n", vtorque + user("2", ""));
}

TEST(UserSubroutines, of_states_and_outputs) {
  Recording r(deck(
      "ARRAY/5, NUM=1,7,3\nSPLINE/4, X=-2,-1,0,1,2,3, Y=4,1,0,1,4,9\n"
      "DIFF/1, IC=1, " +
      user("2,-4", "") + "DIFF/2, IC=0, " + user("1,1", "Difsub") +
      "VARIABLE/1, FUNCTION=SIN(TIME)\nVARIABLE/3, FUNCTION=AKISPL(VARVAL(1),0,4)+7\nVARIABLE/2, " +
      user("4,1,5", "Varsub") + "REQUEST/1, " + user("20", "Reqsub") + "SENSOR/1, " + user("20", "Sensub") +
      ", VALUE=0.2, GE, ERROR=1E-8, HALT\n"
      "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n"));
  r.simulation->run(dynamics_analysis, {1, 20});
  EXPECT_NEAR(r.time.back(), 0.25, 1e-6);  // 0.1 + 0.4 t = 0.2
  for (std::size_t n = 0; n < r.time.size(); ++n) {
    const double t = r.time[n];
    EXPECT_NEAR(r.at(n, "DIFF/1", "Q"), std::cos(2 * t), 1e-6);
    EXPECT_NEAR(r.at(n, "DIFF/2", "Q"), std::sin(2 * t) / 2, 1e-6);
    EXPECT_NEAR(r.at(n, "VARIABLE/2", "Q"), r.at(n, "VARIABLE/3", "Q"), 1e-12);
    EXPECT_EQ(r.at(n, "REQUEST/1", "F1"), t);
    EXPECT_NEAR(r.at(n, "REQUEST/1", "F2"), 0.1 + 0.4 * t, 1e-7);
    EXPECT_NEAR(r.at(n, "REQUEST/1", "F4"), 0.5 - t - 9.81 * t * t / 2, 1e-7);
    EXPECT_EQ(r.at(n, "REQUEST/1", "F8"), 7);
  }
}

/// A GSE beside an LSE of the same equations: states and outputs, at rest and in motion, and of linear
/// models.
TEST(UserSubroutines, of_state_equations_are_those_of_matrices) {
  for (const std::string& routines :
       {library, library + "::Gse_deriv", library + "::rates, , " + library + "::Gse_output"}) {
    const std::string elements = fmt::format(
        "VARIABLE/9, FUNCTION=2+SIN(3*TIME)\nARRAY/1, X, SIZE=2\nARRAY/2, U, VARIABLES=9\nARRAY/3, Y, "
        "SIZE=2\n"
        "ARRAY/4, IC, NUMBERS=0.2,-0.1\nGSE/1, NS=2, NO=2, X=1, U=2, Y=3, IC=4, "
        "FUNCTION=USER(40,0.7,5,1,2)\\\n"
        ", ROUTINE={}\n"
        "ARRAY/11, X, SIZE=2\nARRAY/13, Y, SIZE=2\n"
        "MATRIX/1, FULL, RORDER, ROWS=2, COLUMNS=2, VALUES=0,1,-40,-0.7\n"
        "MATRIX/2, FULL, RORDER, ROWS=2, COLUMNS=1, VALUES=0,5\n"
        "MATRIX/3, FULL, RORDER, ROWS=2, COLUMNS=2, VALUES=3,0,0,1\n"
        "MATRIX/4, FULL, RORDER, ROWS=2, COLUMNS=1, VALUES=0,1\n"
        "LSE/1, X=11, U=2, Y=13, A=1, B=2, C=3, D=4, IC=4\n"
        "VARIABLE/1, FUNCTION=ARYVAL(1,1)\nVARIABLE/2, FUNCTION=ARYVAL(3,1)\nVARIABLE/3, "
        "FUNCTION=ARYVAL(3,2)\n"
        "VARIABLE/11, FUNCTION=ARYVAL(11,1)\nVARIABLE/12, FUNCTION=ARYVAL(13,1)\nVARIABLE/13, "
        "FUNCTION=ARYVAL(13,2)\n",
        routines);
    for (const char* integrator :
         {"GSTIFF, SI2, ERROR=1E-8", "HHT, ERROR=1E-8", "RADAU, ERROR=1E-8", "ABAM, ERROR=1E-8"}) {
      Recording r(deck(elements + "INTEGRATOR/" + integrator + "\n"));
      r.simulation->run(dynamics_analysis, {1, 20});
      for (std::size_t n = 0; n < r.time.size(); ++n)
        for (int k = 1; k <= 3; ++k)
          EXPECT_NEAR(r.at(n, fmt::format("VARIABLE/{}", k), "Q"),
                      r.at(n, fmt::format("VARIABLE/{}", 10 + k), "Q"), 1e-9)
              << routines << " " << integrator << " " << n;
      EXPECT_NEAR(r.at(0, "VARIABLE/1", "Q"), 0.2, 1e-12);
      EXPECT_GT(std::fabs(r.at(10, "VARIABLE/1", "Q") - 0.2), 0.01);
    }
  }
}

/// a sin ωt of code that gives its derivatives, and t²/2: accelerations of DYNAMICS and of KINEMATICS to
/// rounding, where differences of its values would err by 1e-4.
TEST(UserSubroutines, of_motions_give_their_derivatives) {
  const auto run = [](const std::string& motion, const AnalysisRow& analysis) {
    auto r =
        std::make_unique<Recording>(deck("JOINT/7, TRANSLATIONAL, I=20, J=4\nMARKER/4, PART=1, "
                                         "QP=0.1,0.2,0.5\nMOTION/1, JOINT=7, TRANSLATION, " +
                                         motion + "INTEGRATOR/RADAU, ERROR=1E-9\n"));
    r->simulation->run(analysis, {0.5, 10});
    return r;
  };
  for (const AnalysisRow* analysis : {&dynamics_analysis, &kinematics_analysis}) {
    const auto r = run(user("0.3,5", ""), *analysis), parabola = run(user("0.8", "motion"), *analysis);
    for (std::size_t n = 0; n < r->time.size(); ++n) {
      const double t = r->time[n];
      EXPECT_NEAR(r->at(n, "PART/2", "Z"), 0.5 + 0.3 * std::sin(5 * t), 1e-12);
      EXPECT_NEAR(r->at(n, "PART/2", "VZ"), 1.5 * std::cos(5 * t), 1e-11);
      EXPECT_NEAR(r->at(n, "PART/2", "ACCZ"), -7.5 * std::sin(5 * t), 1e-9);
      EXPECT_NEAR(parabola->at(n, "PART/2", "Z"), 0.5 + 0.4 * t * t, 1e-12);
      EXPECT_NEAR(parabola->at(n, "PART/2", "ACCZ"), 0.8, 1e-9);
    }
  }
}

/// By Fortran's names, beside the functions of expressions that they are.
TEST(UserSubroutines, fortran_utilities_are_the_functions_of_expressions) {
  const struct {
    const char *numbers, *expression;
  } tools[] = {{"1,1,0", "TIME"},
               {"2,1,4", "AKISPL(VARVAL(1),0,4,1)"},
               {"3,1,4", "CUBSPL(VARVAL(1),0,4)"},
               {"4,1,5", "3+3"},
               {"5,1,20", "DZ(20)"},
               {"6,1,0", "STEP(VARVAL(1),0.05,1,0.2,3)"},
               {"7,1,0", "IMPACT(VARVAL(1),-0.5,0.2,1E4,1.5,20,1E-2)"}};
  std::string elements =
      "ARRAY/5, NUM=1,7,3\nSPLINE/4, X=-2,-1,0,1,2,3, Y=4,1,0.3,1,4,9\nVARIABLE/1, FUNCTION=SIN(TIME)\n";
  int id = 10;
  for (const auto& tool : tools) {
    elements += fmt::format("VARIABLE/{}, {}", id, user(tool.numbers, "tools"));
    elements += fmt::format("VARIABLE/{}, FUNCTION={}\n", id + 100, tool.expression);
    ++id;
  }
  Recording r(deck(elements));
  r.simulation->run(dynamics_analysis, {0.3, 12});
  for (std::size_t n = 0; n < r.time.size(); ++n)
    for (int k = 10; k < id; ++k)
      EXPECT_NEAR(r.at(n, fmt::format("VARIABLE/{}", k), "Q"),
                  r.at(n, fmt::format("VARIABLE/{}", k + 100), "Q"), 1e-12)
          << tools[k - 10].expression << " " << n;
}

/// Values and derivatives of the C utilities that need no call under way, in closed form.
TEST(UserSubroutines, c_utilities_in_closed_form) {
  double v[3] = {};
  int failed = 1;
  const double x = 0.3, w = 0.8, s = (x - 0.1) / w, rise = 3;  // from 1 at 0.1 to 4 at 0.9
  const double cubic[] = {1 + rise * s * s * (3 - 2 * s), rise * 6 * s * (1 - s) / w,
                          rise * (6 - 12 * s) / (w * w)};
  const double quintic[] = {1 + rise * s * s * s * (10 - 15 * s + 6 * s * s),
                            rise * 30 * s * s * (1 - s) * (1 - s) / w,
                            rise * 60 * s * (1 - 3 * s + 2 * s * s) / (w * w)};
  const double pi = std::acos(-1.0), turn = pi * s - pi / 2;
  const double haversine[] = {2.5 + 1.5 * std::sin(turn), 1.5 * std::cos(turn) * pi / w,
                              -1.5 * std::sin(turn) * pi * pi / (w * w)};
  for (int order = 0; order < 3; ++order) {
    c_step(x, 0.1, 1, 0.9, 4, order, v, &failed);
    EXPECT_NEAR(v[0], cubic[order], 1e-12) << order << failed;
    c_step5(x, 0.1, 1, 0.9, 4, order, v, &failed);
    EXPECT_NEAR(v[0], quintic[order], 1e-12) << order << failed;
    c_havsin(x, 0.1, 1, 0.9, 4, order, v, &failed);
    EXPECT_NEAR(v[0], haversine[order], 1e-12) << order << failed;
  }
  c_step(x, 0.1, 1, 0.9, 4, 3, v, &failed);
  EXPECT_EQ(failed, 1);
  c_step(x, 0.9, 1, 0.1, 4, 0, v, &failed);  // x0 above x1
  EXPECT_EQ(failed, 1);
  // Deeper than where damping is full: k δ^e − c ẋ, δ = 0.5 − x; of BISTOP the same below x1 and, with the
  // other sign, above x2.
  const double depth = 0.5 - x, k = 100, e = 1.5, c = 7, rate = -0.4,
               force = k * std::pow(depth, e) - c * rate;
  c_impact(x, rate, 0.5, k, e, c, 1e-2, 0, v, &failed);
  EXPECT_NEAR(v[0], force, 1e-12);
  c_impact(x, rate, 0.5, k, e, c, 1e-2, 1, v, &failed);
  EXPECT_NEAR(v[0], -k * e * std::pow(depth, e - 1), 1e-12);
  EXPECT_NEAR(v[1], -c, 1e-12);
  c_bistop(x, rate, 0.5, 0.6, k, e, c, 1e-2, 0, v, &failed);
  EXPECT_NEAR(v[0], force, 1e-12);
  c_bistop(0.6 + depth, -rate, 0.5, 0.6, k, e, c, 1e-2, 0, v, &failed);
  EXPECT_NEAR(v[0], -force, 1e-12);
  EXPECT_EQ(failed, 0);
}

/// What a deck is refused with, or ends with.
std::string failure_of(const std::string& elements, ExitCode code) {
  try {
    Recording r(deck(elements));
    r.simulation->run(dynamics_analysis, {0.2, 2});
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), code) << failure.what();
    return failure.what();
  }
  return "no failure";
}
void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas not: " << part;
}

/// What is said of a deck that is read.
std::string said_of(const std::string& elements) {
  Diagnostics diagnostics;
  const Description description = parse_dataset(deck(elements), "deck.adm", diagnostics);
  compile(description, diagnostics);
  std::string text;
  for (const Diagnostic& d : diagnostics.list()) text += d.text + "\n";
  return text;
}

TEST(UserSubroutines, say_what_is_wrong) {
  expect_in(said_of("SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=TIME\\, ROUTINE=laws::Spring\n"),
            "SFORCE/1: ROUTINE has no effect, as FUNCTION is an expression");
  const std::string force = "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, ";
  expect_in(failure_of(force + "FUNCTION=USER(1)\n", ExitCode::input), "needs ROUTINE=library::function");
  expect_in(failure_of(force + "FUNCTION=USER(1)\\, ROUTINE=nothing::Sfosub\n", ExitCode::input),
            "there is no nothing.so or libnothing.so beside the deck");
  expect_in(failure_of(force + user("1", "Nothing"), ExitCode::input), "has no function Nothing");
  expect_in(failure_of(force + user("1", ""), ExitCode::input),
            "has no function Sfosub, sfosub_, sfosub, SFOSUB");
  expect_in(failure_of(force + user("99,0", "Wrong"), ExitCode::input),
            "asks for DX(99, 1): marker 99 does not exist");
  expect_in(failure_of(force + user("20,0,1", "Wrong"), ExitCode::input), "asks for DXX(20, 1)");
  expect_in(failure_of(force + user("20,0.1", "Wrong"), ExitCode::solver), "time is up (1)");
  expect_in(failure_of(force + user("20,-1", "Wrong"), ExitCode::solver),
            "the user subroutine gave no number");
  expect_in(failure_of(force + user("1", "Forgets"), ExitCode::solver),
            "it asks for DM(20, 1), for which it did not ask in its call with iflag = 3");
  const std::string motion = "JOINT/7, TRANSLATIONAL, I=20, J=1\nMOTION/1, JOINT=7, TRANSLATION, ";
  expect_in(failure_of(motion + user("1", "Moved"), ExitCode::input),
            "it asks for DZ(20), where it may depend on time alone");
  const std::string gse = "ARRAY/1, X, SIZE=2\nARRAY/3, Y, SIZE=3\nGSE/1, ";
  expect_in(failure_of(gse + "X=1, NS=3, " + user("1", ""), ExitCode::input), "as NS says");
  expect_in(failure_of(gse + "NS=2, Y=3, " + user("1", ""), ExitCode::input), "NS without X");
  expect_in(failure_of(gse + user("1", ""), ExitCode::input), "neither X nor Y is given");
  expect_in(failure_of("ARRAY/1, X\nGSE/1, X=1, " + user("1", ""), ExitCode::input),
            "at least, by SIZE or NS");
  expect_in(failure_of(gse + "X=1, FUNCTION=USER(1)\n", ExitCode::input), "FUNCTION without ROUTINE");
  expect_in(failure_of(gse + "X=1, FUNCTION=TIME\\, ROUTINE=" + library + "\n", ExitCode::input),
            "FUNCTION must be USER(...)");
  expect_in(failure_of(gse + "X=1, " + user("1", "Nothing"), ExitCode::input), "has no function Nothing");
  expect_in(said_of(gse + "X=1, FUNCTION=USER(1,1,1,1,1)\\, ROUTINE=" + library + "::Gse_deriv," + library +
                    "::Gse_update\n"),
            "::Gse_update is not called, as it is of discrete states");
}

}  // namespace
}  // namespace trammel::user_subroutines_test
