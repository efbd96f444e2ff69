// Steps that end where functions of time change their law.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "../support/simulate.h"
#include "../support/temporary_file.h"
#include "dataset/reader.h"

namespace trammel::break_points_test {
namespace {

using namespace test;

constexpr double stiffness = 100, damping = 0.5, push = 50, period = 0.2, off = 0.0777;

/// A mass of 1 on a spring, pushed in every period until `off` of it, and not after that.
std::string pushed_mass(const std::string& function, const std::string& integrator) {
  const bool fixed = integrator.find("HMAX") != std::string::npos;
  return "pushed\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
         "PART=1\n"
         "MARKER/2, PART=1, QP=0, 0, -3\nPART/2, MASS=1, IP=1, 1, 1, CM=20\nMARKER/20, PART=2\n"
         "JOINT/1, TRANSLATIONAL, I=20, J=1\n" +
         fmt::format("SPRINGDAMPER/1, TRANSLATION, I=20, J=2, K={}, C={}, LENGTH=3\n", stiffness, damping) +
         "SFORCE/1, TRANSLATION, I=20, J=2, FUNCTION=" + function + "\nINTEGRATOR/" + integrator +
         (fixed ? "\nEND\n" : ", HMAX=0.05\nEND\n");
}

/// The position of that mass after n periods: z'' + c z' + k z = f, piece by piece, with the complex
/// amplitude of e^{p t}, p = −c/2 + iω.
double position_after(int periods) {
  const std::complex<double> p(-damping / 2, std::sqrt(stiffness - damping * damping / 4));
  double z = 0, v = 0;
  const auto advance = [&](double force, double time) {
    const double rest = force / stiffness, u = z - rest;
    const std::complex<double> a(u, -(v - p.real() * u) / p.imag());
    const std::complex<double> now = a * std::exp(p * time);
    z = rest + now.real();
    v = (p * now).real();
  };
  for (int k = 0; k < periods; ++k) advance(push, off), advance(0, period - off);
  return z;
}

struct Outcome {
  double error = 0;
  long evaluations = 0, rejected = 0;
};
Outcome run(const std::string& function, const std::string& integrator) {
  Recording r(pushed_mass(function, integrator));
  r.simulation->run(dynamics_analysis, {2, 10});
  Outcome out;
  for (std::size_t n = 1; n < r.time.size(); ++n)
    out.error = std::max(out.error, std::abs(r.at(n, "PART/2", "Z") - position_after(static_cast<int>(n))));
  out.evaluations = r.simulation->counters().evaluations;
  return out;
}

/// Whatever the function is at the time of its jump itself, the middle branch of IF, which a method must not
/// take for its value on either side.
TEST(BreakPoints, methods_keep_their_order_over_jumps) {
  for (const double between : {0.0, push, 1e6}) {
    const std::string f = fmt::format("IF(MOD(TIME, {})-{}: {}, {}, 0)", period, off, push, between);
    // With BREAK_POINTS=OFF steps of RADAU at this ERROR jump over edges: errors of 2e-3.
    EXPECT_LT(run(f, "RADAU, ERROR=1E-6").error, 2e-6) << between;
    EXPECT_LT(run(f, "GSTIFF, SI2, ERROR=1E-7").error, 2e-5) << between;
    EXPECT_LT(run(f, "HHT, ERROR=1E-7").error, 1e-3) << between;
  }
}

TEST(BreakPoints, save_work) {
  const std::string f = fmt::format("IF(MOD(TIME, {})-{}: {}, 0, 0)", period, off, push);
  for (const std::string integrator :
       {"RADAU, ERROR=1E-6", "WSTIFF, SI2, ERROR=1E-8", "GSTIFF, SI2, ERROR=1E-6", "HHT, ERROR=1E-7"}) {
    const Outcome on = run(f, integrator), off_ = run(f, integrator + ", BREAK_POINTS=OFF");
    EXPECT_LT(on.evaluations, 0.7 * off_.evaluations) << integrator;
    // Errors of two sequences of steps by one ERROR; ratios up to 2.06 were seen.
    EXPECT_LT(on.error, 3 * off_.error) << integrator;
  }
}

/// A sensor cuts the step that ends at a break: what is left of it is integrated all the same.
TEST(BreakPoints, a_sensor_before_one_skips_no_time) {
  std::string deck = pushed_mass("IF(TIME-1: 50, 0, 0)", "RADAU, ERROR=1E-8");
  Recording plain(deck);
  deck.insert(deck.find("INTEGRATOR"), "SENSOR/1, FUNCTION=TIME, VALUE=0.9999, GE, ERROR=1E-9, RESTART\n");
  Recording cut(deck);
  for (Recording* r : {&plain, &cut}) r->simulation->run(dynamics_analysis, {2, 10});
  for (std::size_t n = 1; n <= 10; ++n)
    EXPECT_NEAR(cut.at(n, "PART/2", "Z"), plain.at(n, "PART/2", "Z"), 1e-6) << n;
}

/// Steps of one size stay so: what they show is the order of a method.
TEST(BreakPoints, leave_fixed_steps_alone) {
  const std::string f = "STEP(TIME, 0.0333, 0, 0.777, 50)", h = "HHT, HINIT=0.01, HMAX=0.01, HMIN=0.01";
  Recording with(pushed_mass(f, h)), without(pushed_mass(f, h + ", BREAK_POINTS=OFF"));
  for (Recording* r : {&with, &without}) r->simulation->run(dynamics_analysis, {2, 10});
  EXPECT_EQ(with.simulation->counters().steps, 200);
  EXPECT_EQ(with.at(10, "PART/2", "Z"), without.at(10, "PART/2", "Z"));
}

/// A motion that is cut in two at a break is the motion that is not.
TEST(BreakPoints, may_be_the_end_of_a_simulation) {
  const std::string deck = pushed_mass("IF(TIME-1: 0, 0, 50)", "RADAU, ERROR=1E-8");
  Recording whole(deck), parts(deck);
  whole.simulation->run(dynamics_analysis, {2, 10});
  parts.simulation->run(dynamics_analysis, {1, 5});
  parts.simulation->run(dynamics_analysis, {2, 5});
  // At rest up to there, which is a step of any method.
  EXPECT_EQ(whole.at(5, "PART/2", "Z"), 0);
  EXPECT_NEAR(parts.at(parts.time.size() - 1, "PART/2", "Z"), whole.at(10, "PART/2", "Z"), 1e-12);
}

/// HHT keeps constraints of positions, those of velocities up to its error. Where strokes of the excavator
/// end smoothly that is no jump; where one has a corner there is one.
TEST(BreakPoints, error_of_velocities_is_no_jump) {
  for (const bool corner : {false, true}) {
    std::string deck = read_text_file(TRAMMEL_SOURCE_DIR "/models/excavator/excavator.adm");
    if (corner)
      deck.replace(deck.find("STEP5(TIME, 1.5, 0, 5.5, 0.5)"), 29, "IF(TIME-1.5: 0, 0, 0.1*(TIME-1.5))");
    deck.replace(deck.rfind("END"), 3, "INTEGRATOR/HHT, ERROR=1E-6\nEND");
    Recording r(deck);
    r.simulation->run(dynamics_analysis, {4, 200});
    ASSERT_EQ(r.warnings.size(), corner ? 1u : 0u);
    if (corner) {
      EXPECT_EQ(r.warnings[0].substr(0, 30), "At time 1.5 a motion jumps: th");
    }
  }
}

/// A slide along x that MOTION/1 drives; below it hangs a pendulum, m = l = 1, J = 0.1, without gravity. Both
/// begin with `speed`. F2 and F3 of REQUEST/1 are its angular velocity and its speed. `more`: statements.
std::string hung_on_a_slide(double speed, const std::string& motion, const std::string& integrator,
                            const std::string& more) {
  return fmt::format(
      "slide\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
      "MARKER/11, PART=1, REULER=90D,90D,0\nPART/2, MASS=1, CM=20, IP=1,1,1, VX={0}\n"
      "MARKER/20, PART=2, REULER=90D,90D,0\nJOINT/1, TRANSLATIONAL, I=20, J=11\nMOTION/1, JOINT=1, {1}\n{3}\n"
      "PART/3, MASS=1, CM=30, IP=0.1,0.1,0.1, QG=0,0,-1, VX={0}\nMARKER/30, PART=3\n"
      "MARKER/31, PART=3, QP=0,0,1, REULER=0,90D,0\nMARKER/22, PART=2, REULER=0,90D,0\n"
      "JOINT/2, REVOLUTE, I=31, J=22\nREQUEST/1, F2=WY(30)\\F3=VX(30)\nINTEGRATOR/{2}\nEND\n",
      speed, motion, integrator, more);
}

/// The speed of the slide jumps from 0.5 to 2 at t = 0.77. The pendulum takes the jump as an impact,
/// ω = m l Δv/(J + m l²), and turns on with that.
TEST(BreakPoints, a_kink_in_a_motion_is_an_impact) {
  constexpr double at = 0.77, speed = 2, end = 1, omega = 1.5 / 1.1;
  const TemporaryFile history("kink.txt", "-0.5 -0.25\n0 0\n0.77 0.385\n1.5 1.845\n");
  // A cubic spline through points of f is f, where f'' is the motion and has its corner at one of them.
  std::string points = "SPLINE/2, X=-1,-0.5,0.77,1.2,1.5, Y=";
  for (const double t : {-1.0, -0.5, at, 1.2, 1.5})
    points += fmt::format("{}{:.17g}", t > -1 ? "," : "",
                          (0.5 * t * t * t + 1.5 * std::pow(std::max(0.0, t - at), 3)) / 6);
  for (const std::string motion :
       {"FUNCTION=INTERP(TIME, 1, 1)", "FUNCTION=0.5*TIME+1.5*MAX(0, TIME-0.77)",
        "FUNCTION=CUBSPL(TIME, 0, 2, 2)", "VELOCITY, FUNCTION=IF(TIME-0.77: 0.5, 0.5, 2)"})
    for (const std::string integrator :
         {"ABAM, ERROR=1E-8", "RKF45, ERROR=1E-8", "HHT, ERROR=1E-8", "GSTIFF, SI2, ERROR=1E-8",
          "WSTIFF, I3, ERROR=1E-8", "RADAU, ERROR=1E-8"}) {
      Recording r(
          hung_on_a_slide(0.5, motion, integrator, "SPLINE/1, FILE=" + history.path() + "\n" + points));
      r.simulation->run(dynamics_analysis, {end, 10});
      ASSERT_EQ(r.warnings.size(), 1u) << motion << integrator;
      EXPECT_EQ(r.warnings[0].substr(0, 31), "At time 0.77 a motion jumps: th");
      const double tolerance = integrator.find("I3") != std::string::npos ? 1e-4 : 1e-5;  // of velocities
      EXPECT_NEAR(r.at(10, "REQUEST/1", "F2"), omega, tolerance) << motion << integrator;
      EXPECT_NEAR(r.at(10, "REQUEST/1", "F3"), speed - omega * std::cos(omega * (end - at)), tolerance)
          << motion << integrator;
    }
}

/// The slide is moved by A |sin ωt| or the like, whose corners no affine function of TIME tells. A corner of
/// its velocity v gives Δω = −m l Δv cos θ/(J + m l²), and between them θ̈ = −m l v̇ cos θ/(J + m l²): held
/// against steps of a Runge-Kutta method of order 4 between the corners.
TEST(BreakPoints, corners_of_rectified_motions_are_impacts) {
  constexpr double pi = 3.14159265358979323846, A = 0.5, w = 2, end = 4, factor = 1 / 1.1;
  double theta = 0, omega = 0;
  const auto side = [&](double t) { return std::sin(w * t) < 0 ? -1.0 : 1.0; };
  const auto integrate = [&](double from, double to) {
    const double s = side(0.5 * (from + to));
    const int steps = 4000;
    const double h = (to - from) / steps;
    const auto rate = [&](double t, double x) {
      return -factor * std::cos(x) * (-s * A * w * w * std::sin(w * t));
    };
    for (int k = 0; k < steps; ++k) {
      const double t = from + k * h;
      const double v1 = omega, a1 = rate(t, theta), v2 = omega + h / 2 * a1,
                   a2 = rate(t + h / 2, theta + h / 2 * v1), v3 = omega + h / 2 * a2,
                   a3 = rate(t + h / 2, theta + h / 2 * v2), v4 = omega + h * a3,
                   a4 = rate(t + h, theta + h * v3);
      theta += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      omega += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  };
  double from = 0;
  for (int k = 1; k * pi / w < end; ++k) {
    integrate(from, k * pi / w);
    from = k * pi / w;
    omega -= factor * std::cos(theta) * 2 * A * w;  // v jumps from −A ω to A ω
  }
  integrate(from, end);
  for (const std::string motion :
       {"FUNCTION=0.5*ABS(SIN(2*TIME))", "FUNCTION=0.5*MAX(SIN(2*TIME), -SIN(2*TIME))",
        "FUNCTION=0.5*SIGN(1, SIN(2*TIME))*SIN(2*TIME)",
        "VELOCITY, FUNCTION=IF(SIN(2*TIME): -1, 1, 1)*COS(2*TIME)", "FUNCTION=VARVAL(1)"})
    for (const std::string integrator : {"ABAM, ERROR=1E-8", "RKF45, ERROR=1E-8", "GSTIFF, SI2, ERROR=1E-8",
                                         "RADAU, ERROR=1E-8", "HHT, ERROR=1E-8", "WSTIFF, ERROR=1E-8"}) {
      Recording r(hung_on_a_slide(1, motion, integrator, "VARIABLE/1, FUNCTION=0.5*ABS(SIN(2*TIME))"));
      r.simulation->run(dynamics_analysis, {end, 10});
      EXPECT_EQ(r.warnings.size(), 1u) << motion << integrator;
      constexpr double tolerance = 2e-5;  // of velocities, where HHT and WSTIFF hold positions to ERROR
      EXPECT_NEAR(r.at(10, "REQUEST/1", "F2"), -omega, tolerance) << motion << integrator;
    }
}

/// Up to 3e5 mm/s within 5 ms, 1.2e8 mm/s²: what that changes between just before and just after the ends of
/// the STEP, 8e-15 t apart, is more than ERROR, and no jump.
TEST(BreakPoints, a_large_acceleration_is_no_jump) {
  Recording r(
      "mm\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=MILLIMETER,TIME=SECOND\nPART/1, GROUND\n"
      "MARKER/11, PART=1, REULER=90D,90D,0\nPART/2, MASS=1, CM=20, IP=1,1,1\n"
      "MARKER/20, PART=2, REULER=90D,90D,0\nJOINT/1, TRANSLATIONAL, I=20, J=11\n"
      "MOTION/1, JOINT=1, FUNCTION=STEP(TIME, 0.5, 0, 0.51, 2000)\nINTEGRATOR/GSTIFF, SI2, "
      "ERROR=1E-8\nEND\n");
  r.simulation->run(dynamics_analysis, {1, 10});
  EXPECT_EQ(r.warnings, std::vector<std::string>{});
}

/// A force that the motion changes within rounding of an output time: 5 N on 1 kg until t = 0.3, then −3 N.
TEST(BreakPoints, a_change_by_the_motion_may_fall_on_an_output) {
  for (const std::string integrator : {"RADAU, ERROR=1E-6", "GSTIFF, SI2, ERROR=1E-6"}) {
    Recording r(
        "switch\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
        "MARKER/10, PART=1\nMARKER/11, PART=1, REULER=90D,90D,0\nPART/2, MASS=1, CM=20, IP=1,1,1, VX=1\n"
        "MARKER/20, PART=2\nPART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\n"
        "SFORCE/1, TRANSLATION, ACTIONONLY, I=30, J=11, FUNCTION=IF(DX(20,10)-0.3:5,5,-3)\nINTEGRATOR/" +
        integrator + "\nEND\n");
    r.simulation->run(dynamics_analysis, {2, 20});
    EXPECT_NEAR(r.at(20, "PART/3", "X"), 0.225 + 1.5 * 1.7 - 1.5 * 1.7 * 1.7, 1e-3) << integrator;
  }
}

/// Dry friction by SIGN from rest: SI2 goes on by steps of a nanosecond, and says why.
TEST(BreakPoints, many_refused_steps_are_told) {
  const auto warnings = [](const char* integrator) {
    Recording r(
        std::string("friction\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
                    "MARKER/11, PART=1, REULER=90D,90D,0\nPART/2, MASS=1, CM=20, IP=1,1,1\n"
                    "MARKER/20, PART=2, REULER=90D,90D,0\nJOINT/1, TRANSLATIONAL, I=20, J=11\n"
                    "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=11, "
                    "FUNCTION=-3*SIGN(1,VZ(20,11,11))+5*SIN(3*TIME)\nINTEGRATOR/") +
        integrator + ", ERROR=1E-3\nEND\n");
    r.simulation->run(dynamics_analysis, {3e-4, 1});
    return r.warnings;
  };
  EXPECT_EQ(warnings("HHT"), std::vector<std::string>{});
  const std::vector<std::string> told = warnings("GSTIFF, SI2");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("the corrector has refused 1000"), std::string::npos) << told[0];
}

/// At a corner of a curve velocities jump, which the explicit methods would take for a motion.
TEST(BreakPoints, explicit_methods_refuse_curves_with_corners) {
  for (const std::string integrator : {"ABAM", "RKF45", "HHT"}) {
    Recording r(
        "corner\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
        "MARKER/12, PART=1\nMARKER/19, PART=1, FLOATING\nPOINT_MASS/2, MASS=1, CM=21, VX=1\n"
        "MARKER/21, POINT_MASS=2\nMATRIX/1, FULL, RORDER, ROWS=4, COLUMNS=3, "
        "VALUES=-1,0,0,0.5,0,0,1,1,0,2,3,0\nCURVE/1, MATRIX=1, CURVE_POINTS, ORDER=2\n"
        "PTCV/1, I=21, JFLOAT=19, CURVE=1, RM=12\nINTEGRATOR/" +
        integrator + "\nEND\n");
    std::string said;
    try {
      r.simulation->run(dynamics_analysis, {0.1, 1});
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::unsupported);
      said = failure.what();
    }
    EXPECT_EQ(said.find("PTCV/1: ") == 0, integrator != "HHT") << said;
  }
}

/// A slide of 1.5 kg whose MOTION is an Akima spline: F = m S''(t), of which S'' jumps at each point of the
/// data. S'' of the cubic with the slopes of Akima's paper (J. ACM 17 (1970) 589), here from their
/// definition.
TEST(BreakPoints, points_of_an_akima_spline_are_breaks_of_accelerations) {
  constexpr int n = 13;
  constexpr double mass = 1.5, y[n] = {0, 0.02, 0.11, 0.16, 0.1, 0.08, 0.1, 0.2, 0.26, 0.22, 0.2, 0.1, 0.05};
  const auto chord = [&](int k) {  // of slope k, beyond the ends by the parabola there
    const auto inner = [&](int i) { return (y[i + 1] - y[i]) / 0.1; };
    if (k == -1) return 2 * inner(0) - inner(1);
    if (k == -2) return 3 * inner(0) - 2 * inner(1);
    if (k == n - 1) return 2 * inner(n - 2) - inner(n - 3);
    if (k == n) return 3 * inner(n - 2) - 2 * inner(n - 3);
    return inner(k);
  };
  const auto slope = [&](int k) {
    const double after = std::fabs(chord(k + 1) - chord(k)), before = std::fabs(chord(k - 1) - chord(k - 2));
    return (after * chord(k - 1) + before * chord(k)) / (after + before);
  };
  const auto force = [&](double t) {
    const int k = std::min(n - 2, static_cast<int>(t / 0.1));
    const double u = t - 0.1 * k, c2 = (3 * chord(k) - 2 * slope(k) - slope(k + 1)) / 0.1,
                 c3 = (slope(k) + slope(k + 1) - 2 * chord(k)) / 0.01;
    return mass * (2 * c2 + 6 * c3 * u);
  };
  std::string points;
  for (const double v : y) points += fmt::format(",{}", v);
  for (const char* integrator :
       {"HHT,ERROR=1E-5", "HHT,ERROR=1E-6", "GSTIFF,I3,ERROR=1E-5", "GSTIFF,I3,ERROR=1E-6",
        "WSTIFF,I3,ERROR=1E-6", "GSTIFF,SI2,ERROR=1E-6", "RADAU,ERROR=1E-6"})
    for (const int outputs : {41, 397}) {
      Recording r(
          fmt::format("akima\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nPART/1,GROUND\nMARKER/1,PART=1\n"
                      "PART/2,MASS={},CM=20,IP=1,1,1\nMARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=1\n"
                      "SPLINE/1,X=0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1,1.1,1.2,Y={}\n"
                      "MOTION/1,JOINT=1,FUNCTION=AKISPL(TIME,0,1)\nREQUEST/1,F4=MOTION(1,0,4,0)\\\nEND\n",
                      integrator, mass, points.substr(1)));
      r.simulation->run(dynamics_analysis, {1.2, outputs});
      for (std::size_t k = 1; k + 1 < r.values.size(); ++k) {
        const double t = r.time[k], beside = std::fabs(t / 0.1 - std::round(t / 0.1));
        if (beside < 1e-6) continue;
        // Of forces of 30 N; HHT and I3, whose accelerations are differences of positions, have ERROR over
        // the square of a step in them, of which there are some ten between two points.
        EXPECT_NEAR(std::fabs(r.at(k, "REQUEST/1", "F4")), std::fabs(force(t)), 3) << integrator << " " << t;
      }
    }
}

}  // namespace
}  // namespace trammel::break_points_test
