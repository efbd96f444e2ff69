// States and contacts on curves when the model changes between simulations: against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <regex>

#include <fmt/format.h>

#include "support.h"

using namespace trammel_test;

namespace changed_states_test {
namespace {

constexpr double pi = std::numbers::pi;

Outcome run_job(const Folder& f, const std::string& deck, const std::string& commands) {
  f.write("box.adm", "box\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n" + deck + "END\n");
  f.write("job.acf", "box\njob\n" + commands);
  return run(f, {"run", "job.acf"});
}

/// MATRIX/id and CURVE/id through (a cos u, b sin u, 0) at n values of u.
std::string ellipse(int id, int n, double a, double b) {
  std::string text = fmt::format("MATRIX/{}, FULL, RORDER, ROWS={}, COLUMNS=3\n, VALUES=", id, n + 1);
  for (int k = 0; k <= n; ++k) {
    const double u = 2 * pi * (k % n) / n;
    text += fmt::format("{}{:.17g}, {:.17g}, 0", k ? "\n, " : "", a * std::cos(u), b * std::sin(u));
  }
  return text + fmt::format("\nCURVE/{0}, CLOSED, MATRIX={0}, CURVE_POINTS\n", id);
}

/// A cam that turns with 2π rad/s about the origin, with a follower of 1 kg that moves along Y.
std::string cam_and_follower(const std::string& contact) {
  return "PART/1, GROUND\nMARKER/11, PART=1\nMARKER/12, PART=1, REULER=0, -90D, 0\n"
         "PART/2, MASS=1, CM=21, IP=1,1,1\nMARKER/21, PART=2\nMARKER/29, PART=2, FLOATING\n"
         "JOINT/1, REVOLUTE, I=21, J=11\nMOTION/1, JOINT=1, ROTATION, FUNCTION=2*PI*TIME\n"
         "JOINT/2, TRANSLATIONAL, I=32, J=12\n" +
         contact;
}

/// A VARIABLE that was 0 becomes 4, and another one its reciprocal.
TEST(ChangedStates, changed_functions_of_variables_are_evaluated_in_order) {
  Folder f;
  const Outcome o =
      run_job(f, "PART/1, GROUND\nMARKER/1, PART=1\nVARIABLE/2, FUNCTION=7\nVARIABLE/1, IC=0, FUNCTION=0\n",
              "SIMULATE/DYNAMIC, END=1, STEPS=1\nVARIABLE/2, FUNCTION=1/VARVAL(1)\nVARIABLE/1, FUNCTION=4\n"
              "SIMULATE/DYNAMIC, END=2, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(f.channel("job.nc", "VARIABLE/2.Q"), (std::vector<double>{7, 7, 0.25, 0.25}));
}

/// V = V − (V − 3)(V + 1) has the solutions 3 and −1; IC says which. Out of force it has no value.
TEST(ChangedStates, an_implicit_variable_comes_into_force_with_its_first_guess) {
  Folder f;
  const Outcome o = run_job(
      f,
      "PART/1, GROUND\nMARKER/1, PART=1\n"
      "VARIABLE/1, IC=3, FUNCTION=VARVAL(1)-(VARVAL(1)-3)*(VARVAL(1)+1)\n",
      "DEACTIVATE/VARIABLE, ID=1\nSIMULATE/DYNAMIC, END=1, STEPS=1\nACTIVATE/VARIABLE, ID=1\n"
      "SIMULATE/DYNAMIC, END=2, STEPS=1\nDEACTIVATE/VARIABLE, ID=1\nSIMULATE/DYNAMIC, END=3, STEPS=1\n"
      "ACTIVATE/VARIABLE, ID=1\nSIMULATE/DYNAMIC, END=4, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> value = f.channel("job.nc", "VARIABLE/1.Q");
  ASSERT_EQ(value.size(), 8u);
  for (const std::size_t k : {2, 3, 6, 7}) EXPECT_NEAR(value[k], 3, 1e-9) << k;
}

/// A rotor of 10 rad/s: AZ is 10 t, whether functions have asked for it before or not.
TEST(ChangedStates, turns_are_counted_before_functions_ask_for_them) {
  const std::string deck =
      "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1, WZ=10\nMARKER/2, PART=2\n"
      "MARKER/3, PART=2\nJOINT/1, REVOLUTE, I=2, J=1\nVARIABLE/1, FUNCTION=";
  const auto angles = [&](const std::string& first, const std::string& changes) {
    Folder f;
    const Outcome o = run_job(f, deck + first + "\n", changes);
    EXPECT_EQ(o.code, 0) << o.err;
    return f.channel("job.nc", "VARIABLE/1.Q");
  };
  const std::string to_2 = "SIMULATE/DYNAMIC, END=2, STEPS=2\n", to_3 = "SIMULATE/DYNAMIC, END=3, STEPS=2\n",
                    to_4 = "SIMULATE/DYNAMIC, END=4, STEPS=2\n", none = "VARIABLE/1, FUNCTION=0\n",
                    asks = "VARIABLE/1, FUNCTION=AZ(2,1)\n", other = "VARIABLE/1, FUNCTION=AZ(3,1)\n";
  for (const std::vector<double>& found :
       {angles("0", to_2 + asks + to_3 + to_4), angles("AZ(2,1)", to_2 + none + to_3 + asks + to_4),
        angles("AZ(2,1)", to_2 + to_3 + other + to_4)}) {
    ASSERT_EQ(found.size(), 9u);
    // The rate is constant: rounding of positions alone.
    EXPECT_NEAR(found[7], 35, 1e-9);
    EXPECT_NEAR(found[8], 40, 1e-9);
  }
}

/// x' = −x and what gives the same: at rest from t = 1 to 2, as if no time went by.
TEST(ChangedStates, states_rest_while_their_element_is_out_of_force) {
  Folder f;
  const Outcome o = run_job(
      f,
      "PART/1, GROUND\nMARKER/1, PART=1\nVARIABLE/1, FUNCTION=1\n"
      "DIFF/1, IC=1, FUNCTION=-DIF(1)\nDIFF/2, IC=1, -1, IMPLICIT, FUNCTION=2*DIF1(2)+2*DIF(2)\n"
      "ARRAY/1, X, SIZE=1\nARRAY/2, U, VARIABLES=1\nARRAY/3, Y, SIZE=1\nMATRIX/1, FULL, RORDER, ROWS=1, "
      "COLUMNS=1, VALUES=-1\nMATRIX/2, FULL, RORDER, ROWS=1, COLUMNS=1, VALUES=2\n"
      "LSE/1, X=1, U=2, Y=3, A=1, B=2, C=2\n"
      "ARRAY/4, X, SIZE=1\nARRAY/5, Y, SIZE=1\nTFSISO/1, X=4, U=2, Y=5, NUMERATOR=3, DENOMINATOR=1, 1\n"
      "REQUEST/1, F2=DIF(1)\\F3=DIF1(1)\\F4=ARYVAL(1,1)\\F6=ARYVAL(3,1)\\F7=ARYVAL(5,1)\\F8=DIF(2)\n"
      "INTEGRATOR/HHT, ERROR=1E-7\n",
      "SIMULATE/DYNAMIC, END=1, STEPS=4\nDEACTIVATE/DIFF, ID=1,2\nDEACTIVATE/LSE, ID=1\nDEACTIVATE/TFSISO, "
      "ID=1\nSIMULATE/DYNAMIC, END=2, STEPS=4\nACTIVATE/DIFF, RANGE=1,2\nACTIVATE/LSE, "
      "ID=1\nACTIVATE/TFSISO, "
      "ID=1\nSIMULATE/DYNAMIC, END=3, STEPS=4\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const auto read = [&](const std::string& name) { return f.channel("job.nc", name); };
  const std::vector<double> t = read("TIME"), x = read("DIFF/1.Q"), implicit = read("DIFF/2.Q"),
                            state = read("LSE/1.X1"), output = read("LSE/1.Y1"),
                            transfer = read("TFSISO/1.X1"), transferred = read("TFSISO/1.Y1");
  ASSERT_EQ(t.size(), 15u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const bool off = k >= 5 && k < 10;
    const double age = k < 5 ? t[k] : k < 10 ? 1 : t[k] - 1, e = std::exp(-age);
    // HHT with ERROR 1E-7: of second order, so ERROR^(2/3) = 2e-5, times the slopes here.
    const double tolerance = 5e-5;
    EXPECT_NEAR(x[k], e, tolerance) << k;
    EXPECT_NEAR(implicit[k], e, tolerance) << k;
    EXPECT_NEAR(state[k], 2 * (1 - e), tolerance) << k;
    EXPECT_NEAR(output[k], off ? 0 : 4 * (1 - e), 2 * tolerance) << k;
    EXPECT_NEAR(transfer[k], 3 * (1 - e), 3 * tolerance) << k;  // observer form
    EXPECT_NEAR(transferred[k], off ? 0 : 3 * (1 - e), 3 * tolerance) << k;
    const double seen[6] = {x[k], -x[k], state[k], output[k], transferred[k], implicit[k]};
    const char* names[6] = {"F2", "F3", "F4", "F6", "F7", "F8"};
    for (int c = 0; c < 6; ++c)  // of a rate within what the corrector may leave, a thousandth of ERROR
      EXPECT_NEAR(read(std::string("REQUEST/1.") + names[c])[k], off ? 0 : seen[c], 1e-10) << k << names[c];
  }
  for (std::size_t k = 5; k < 11; ++k) {  // to the last bit, also after the elements are back
    EXPECT_EQ(x[k], x[4]);
    EXPECT_EQ(implicit[k], implicit[4]);
    EXPECT_EQ(state[k], state[4]);
    EXPECT_EQ(transfer[k], transfer[4]);
  }
}

/// A mass of 2 on a spring of 100 with a damper of 3, pushed by a state: at rest, at (5 / 100, s = −2 and the
/// two of the mass) with the state, at 0 and with those two alone without it.
TEST(ChangedStates, equilibria_and_eigenvalues_follow_what_is_in_force) {
  const std::pair<std::string, std::string> elements[] = {
      {"DIFF", "DIFF/1, IC=0.5, FUNCTION=-2*(DIF(1)-VARVAL(1))\nVARIABLE/9, FUNCTION=DIF(1)\n"},
      {"DIFF", "DIFF/1, IC=5, IMPLICIT, FUNCTION=DIF(1)-VARVAL(1)\nVARIABLE/9, FUNCTION=DIF(1)\n"},
      {"LSE",
       "ARRAY/1, X, SIZE=1\nARRAY/2, U, VARIABLES=1\nARRAY/3, Y, SIZE=1\nMATRIX/1, FULL, RORDER, ROWS=1, "
       "COLUMNS=1, VALUES=-2\nMATRIX/2, FULL, RORDER, ROWS=1, COLUMNS=1, VALUES=2\nMATRIX/3, FULL, RORDER, "
       "ROWS=1, COLUMNS=1, VALUES=1\nLSE/1, X=1, U=2, Y=3, A=1, B=2, C=3\nVARIABLE/9, "
       "FUNCTION=ARYVAL(3,1)\n"},
      {"TFSISO",
       "ARRAY/1, X, SIZE=1\nARRAY/2, U, VARIABLES=1\nARRAY/3, Y, SIZE=1\nTFSISO/1, X=1, U=2, Y=3, "
       "NUMERATOR=2, DENOMINATOR=2, 1\nVARIABLE/9, FUNCTION=ARYVAL(3,1)\n"}};
  for (const auto& [type, element] : elements) {
    Folder f;
    const Outcome o = run_job(
        f,
        "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0,0,-3\nPART/2, MASS=2, IP=1,1,1, CM=20\n"
        "MARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\nSPRINGDAMPER/1, TRANSLATION, I=20, J=2, "
        "K=100, C=3, LENGTH=3\nVARIABLE/1, FUNCTION=5\nSFORCE/1, TRANSLATION, I=20, J=1, ACTIONONLY, "
        "FUNCTION=VARVAL(9)\n" +
            element,
        "SIMULATE/STATICS\nLINEAR/EIGENSOL\nDEACTIVATE/" + type +
            ", ID=1\nSIMULATE/STATICS\nLINEAR/EIGENSOL\nACTIVATE/" + type +
            ", ID=1\nSIMULATE/STATICS\nLINEAR/EIGENSOL\n");
    ASSERT_EQ(o.code, 0) << o.err;
    const std::vector<double> z = f.channel("job.nc", "PART/2.Z");
    ASSERT_EQ(z.size(), 3u);
    const int states = element.find("IMPLICIT") == std::string::npos ? 1 : 0;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(z[k], k == 1 ? 0 : 0.05, 1e-10) << element << k;  // of a linear model: rounding
      const std::string count = fmt::format("LINEAR at time 0: {} states, {} mode", 2 + (k == 1 ? 0 : states),
                                            1 + (k == 1 ? 0 : states));
      EXPECT_NE(o.out.find(count), std::string::npos) << element << o.out;
    }
    // The two of the mass alone once, or three times where the state is algebraic and none.
    std::size_t alone = 0;
    for (std::size_t at = 0; (at = o.out.find("LINEAR at time 0: 2 states", at)) != std::string::npos; ++at)
      ++alone;
    EXPECT_EQ(alone, states ? 1u : 3u) << element << o.out;
    EXPECT_EQ(o.out.find("nothing holds it"), std::string::npos) << o.out;
  }
}

/// From the top of a round wire through its centre, where the wire has no nearest point, onto the wire's
/// other side: there the bead rests, with its weight as the reaction.
TEST(ChangedStates, a_bead_leaves_its_wire_and_comes_back_elsewhere) {
  Folder f;
  const Outcome o =
      run_job(f,
              "PART/1, GROUND\nMARKER/12, PART=1\nMARKER/19, PART=1, FLOATING\nACCGRAV/JGRAV=-10\n"
              "POINT_MASS/2, MASS=3, CM=21, QG=0,0.5,0\nMARKER/21, POINT_MASS=2\n" +
                  ellipse(1, 40, 0.5, 0.5) +
                  "PTCV/1, I=21, JFLOAT=19, CURVE=1, RM=12\nREQUEST/1, "
                  "F2=PTCV(1,0,3,0)\n",
              "DEACTIVATE/PTCV, ID=1\nSIMULATE/DYNAMIC, END=0.4, STEPS=8\nACTIVATE/PTCV, ID=1\n"
              "SIMULATE/DYNAMIC, END=1, STEPS=6\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), x = f.channel("job.nc", "POINT_MASS/2.X"),
                            y = f.channel("job.nc", "POINT_MASS/2.Y"), fy = f.channel("job.nc", "PTCV/1.FY"),
                            read = f.channel("job.nc", "REQUEST/1.F2");
  ASSERT_EQ(t.size(), 16u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const bool falls = k < 9;
    EXPECT_NEAR(x[k], 0, 1e-12);  // a point of the curve is at the bottom; rounding
    EXPECT_NEAR(y[k], falls ? 0.5 - 5 * t[k] * t[k] : -0.5, 1e-11) << t[k];
    EXPECT_NEAR(fy[k], falls ? 0 : 30, 1e-9) << t[k];
    EXPECT_NEAR(read[k], fy[k], 1e-14);
  }
}

/// A bead that is given another place on its wire is there, whatever point of the wire it was at.
TEST(ChangedStates, a_bead_is_given_another_place) {
  const double angle = -1.4, x0 = 0.5 * std::cos(angle), y0 = 0.5 * std::sin(angle);
  Folder f;
  const Outcome o = run_job(f,
                            "PART/1, GROUND\nMARKER/12, PART=1\nMARKER/19, PART=1, FLOATING\n"
                            "POINT_MASS/2, MASS=3, CM=21, QG=0,0.5,0\nMARKER/21, POINT_MASS=2\n" +
                                ellipse(1, 40, 0.5, 0.5) + "PTCV/1, I=21, JFLOAT=19, CURVE=1, RM=12\n",
                            fmt::format("SIMULATE/DYNAMIC, END=0.1, STEPS=1\nPOINT_MASS/2, "
                                        "QG={},{},0\nSIMULATE/DYNAMIC, END=0.2, STEPS=1\n",
                                        x0, y0));
  ASSERT_EQ(o.code, 0) << o.err;
  // Of the spline: h⁴/384 of the radius, h = 2π/40
  EXPECT_NEAR(f.channel("job.nc", "POINT_MASS/2.X").back(), x0, 1e-6);
  EXPECT_NEAR(f.channel("job.nc", "POINT_MASS/2.Y").back(), y0, 1e-6);
}

/// The argument of a DELAY jumps with a change between simulations, from 0 to 5 at t = 1, whatever the steps.
TEST(ChangedStates, delays_look_back_at_the_jump) {
  for (const char* steps : {"1", "10", "100"}) {
    Folder f;
    const Outcome o =
        run_job(f,
                "PART/1, GROUND\nMARKER/12, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1, VX=1\nMARKER/20, "
                "PART=2\nVARIABLE/1, FUNCTION=0\nDIFF/1, FUNCTION=DELAY(VARVAL(1), 0.3, 0)\n"
                "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n",
                std::string("SIMULATE/DYNAMIC, END=1, STEPS=") + steps +
                    "\nVARIABLE/1, FUNCTION=5\nSIMULATE/DYNAMIC, END=2, STEPS=4\n");
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NEAR(f.channel("job.nc", "DIFF/1.Q").back(), 3.5, 1e-6) << steps;
  }
}

/// A point on an ellipse, a = 2 b: r(u) = ab/√(b² cos² u + a² sin² u) upwards. After one and a half
/// revolutions the far end of the minor axis, where the parameter was at the start, is another place of least
/// distance.
TEST(ChangedStates, contacts_go_on_in_the_second_revolution) {
  const double a = 0.4, b = 0.2;
  const std::string deck = cam_and_follower(
      "PART/3, MASS=1, CM=31, QG=0,0.2,0, IP=1,1,1\nMARKER/31, PART=3\nMARKER/32, PART=3, REULER=0,-90D,0\n"
      "ACCGRAV/JGRAV=-10\nVARIABLE/7, FUNCTION=1\n" +
      ellipse(1, 80, a, b) + "PTCV/1, I=31, JFLOAT=29, RM=21, CURVE=1\n");
  Folder once, twice;
  const Outcome one = run_job(once, deck, "SIMULATE/DYNAMIC, END=2, STEPS=40\n");
  ASSERT_EQ(one.code, 0) << one.err;
  const Outcome two = run_job(twice, deck,
                              "SIMULATE/DYNAMIC, END=1.5, STEPS=30\nVARIABLE/7, FUNCTION=2\n"
                              "SIMULATE/DYNAMIC, END=2, STEPS=10\n");
  ASSERT_EQ(two.code, 0) << two.err;
  const std::vector<double> t = once.channel("job.nc", "TIME"), y = once.channel("job.nc", "PART/3.Y");
  std::vector<double> other = twice.channel("job.nc", "PART/3.Y");
  ASSERT_EQ(other.size(), y.size() + 1);
  other.erase(other.begin() + 30);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double u = pi / 2 - 2 * pi * t[k];
    const double exact = a * b / std::hypot(b * std::cos(u), a * std::sin(u));
    // Of the spline: h⁴/384 times the fourth derivative 0.4, h = 2π/80, along a slope of up to 3.
    EXPECT_NEAR(y[k], exact, 1e-6) << t[k];
    EXPECT_NEAR(other[k], y[k], 1e-9) << t[k];  // both are on the curve to the corrector's rounding
  }
}

/// Two circles, one eccentric by e: the follower is at e sin θ + √((R + r)² − e² cos² θ), θ the angle of the
/// centre, also after it has flown off and come back.
TEST(ChangedStates, two_curves_meet_again) {
  const double e = 0.1, sum = 0.4;
  std::string deck = cam_and_follower(
      "MARKER/22, PART=2, QP=0.1,0,0\nMARKER/39, PART=3, FLOATING\nMARKER/31, PART=3\n"
      "PART/3, MASS=1, CM=31, IP=1,1,1, QG=0,0.3873,0\nMARKER/32, PART=3, REULER=0,-90D,0\nACCGRAV/JGRAV=10\n"
      "INTEGRATOR/HHT, ERROR=1E-8\n" +
      ellipse(1, 60, 0.3, 0.3) + ellipse(2, 60, 0.1, 0.1) +
      "CVCV/1, IFLOAT=39, IRM=31, ICURVE=2, JFLOAT=29, JRM=22, JCURVE=1\n");
  Folder f;
  const Outcome o = run_job(f, deck,
                            "SIMULATE/DYNAMIC, END=0.5, STEPS=5\nDEACTIVATE/CVCV, ID=1\n"
                            "SIMULATE/DYNAMIC, END=0.8, STEPS=3\nACTIVATE/CVCV, ID=1\n"
                            "SIMULATE/DYNAMIC, END=1.8, STEPS=10\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), y = f.channel("job.nc", "PART/3.Y"),
                            fy = f.channel("job.nc", "CVCV/1.FY");
  ASSERT_EQ(t.size(), 21u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double angle = 2 * pi * t[k];
    const double on = e * std::sin(angle) + std::sqrt(sum * sum - e * e * std::pow(std::cos(angle), 2));
    if (k < 6 || k > 9) {
      EXPECT_NEAR(y[k], on, 1e-6) << t[k];  // circles of 60 points: h⁴/384 · 0.3 = 1e-7 each
      continue;
    }
    // From θ = π on: y' = e cos θ θ' = −2π e, and 10 m/s² upwards. The speed has the integrator's error,
    // ERROR^(2/3) = 5e-6 of its size times some frequency of 2π.
    const double s = t[k] - 0.5;
    EXPECT_NEAR(y[k], std::sqrt(sum * sum - e * e) - 2 * pi * e * s + 5 * s * s, 2e-5) << t[k];
    EXPECT_EQ(fy[k], 0);
  }
}

/// The last line of the account counts all simulations of the run: each Jacobian was factored once at least.
TEST(ChangedStates, factorizations_are_counted_over_changes) {
  Folder f;
  const Outcome o =
      run_job(f,
              "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=2, CM=2, IP=1,1,1, QG=1,0,0\nMARKER/2, "
              "PART=2\nMARKER/3, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=3, "
              "J=1\nACCGRAV/JGRAV=-10\nVARIABLE/7, FUNCTION=1\n",
              "SIMULATE/DYNAMIC, END=1, STEPS=100\nVARIABLE/7, FUNCTION=2\n"
              "SIMULATE/DYNAMIC, END=1.001, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  std::smatch found;
  const std::string said = f.read("job.msg");
  ASSERT_TRUE(std::regex_search(said, found, std::regex("(\\d+) Jacobians, (\\d+)\\s+factorizations")))
      << said;
  EXPECT_GE(std::stoi(found[2]), std::stoi(found[1]));
  EXPECT_GT(std::stoi(found[1]), 3);
}

}  // namespace
}  // namespace changed_states_test
