// RKF45 and ABAM, explicit integrators in independent coordinates: measured orders, the error that ERROR asks
// for, what constraints, motions and states do in them, choices of coordinates, stiffness, failures.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkages.h"
#include "measured_motions.h"

namespace trammel::explicit_test {
namespace {

using namespace test;

constexpr const char* both[] = {"RKF45", "ABAM"};
constexpr const char* head =
    "UNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n";

// ---- orders

TEST(Rkf45, is_of_order_5_without_constraints) {
  const auto coarse = error_of_oscillator("RKF45", 0.025), fine = error_of_oscillator("RKF45", 0.0125);
  // The next term of the error changes the order by h ω ~ 0.1.
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(order_of(coarse[k], fine[k]), 5, 0.3) << k;
}

/// Positions, velocities, accelerations and reactions: all follow from independent coordinates of order 5.
TEST(Rkf45, is_of_order_5_with_constraints) {
  const auto run = [](double h) {
    return error_of_rod(fmt::format("RKF45, ERROR=1E-12, HINIT={0}, HMIN={0}", h), h);
  };
  const RodError coarse = run(0.05), fine = run(0.025);
  EXPECT_EQ(fine.steps, 80);
  // Largest errors of 20 outputs, h ω ~ 0.2.
  EXPECT_NEAR(order_of(coarse.angle, fine.angle), 5, 0.5);
  EXPECT_NEAR(order_of(coarse.rate, fine.rate), 5, 0.5);
  EXPECT_NEAR(order_of(coarse.acceleration, fine.acceleration), 5, 0.5);
  EXPECT_NEAR(order_of(coarse.reaction, fine.reaction), 5, 0.5);
}

/// The formula of order KMAX with its corrector is of order KMAX + 1: the error falls with that power of the
/// mean step as ERROR falls.
TEST(Abam, error_falls_with_the_order_that_kmax_allows) {
  for (int k = 1; k <= 8; ++k) {
    const double coarse_error = k < 5 ? 1e-5 : 1e-6, fine_error = 1e-3 * coarse_error;
    const auto run = [&](double error) {
      return error_of_rod(fmt::format("ABAM, KMAX={}, ERROR={:g}", k, error), 2);
    };
    const RodError coarse = run(coarse_error), fine = run(fine_error);
    const double refined = std::log(double(fine.steps) / double(coarse.steps));
    // The start at order 1 and changes of the step take part: less than an order.
    EXPECT_GT(std::log(coarse.angle / fine.angle) / refined, k) << k;
    EXPECT_GT(std::log(coarse.reaction / fine.reaction) / refined, k) << k;
  }
}

// ---- the error that ERROR asks for

/// A ball of 1 kg with 3 m/s between two walls, 1E7 d^1.5, touches each for less than 2 ms. A step over a
/// touch is far from stable, and what its stages meet of the wall may look like no error at all: with 45
/// outputs the ball had 176 J of 4.5 after 4 s; now 3.8 to 5.
TEST(Rkf45, takes_no_energy_from_stiff_walls) {
  for (int outputs = 1; outputs < 90; outputs += 4) {
    Recording r(std::string("walls\n") + head +
                "PART/2,MASS=1,CM=20,IP=.1,.1,.1,VZ=3\nMARKER/20,PART=2\nSFORCE/1,I=20,J=10,TRANSLATION,"
                "ACTIONONLY,FUNCTION=BISTOP(DZ(20,10),VZ(20,10),-.5,.5,1E7,1.5,0,1E-3)\n"
                "REQUEST/1,F2=.5*VZ(20,10)**2+4E6*(MAX(0,DZ(20,10)-.5)**2.5+MAX(0,-.5-DZ(20,10))**2.5)\n"
                "INTEGRATOR/RKF45\nEND\n");
    r.simulation->run(dynamics_analysis, {4, outputs});
    EXPECT_NEAR(r.at(r.time.size() - 1, "REQUEST/1", "F2"), 4.5, 1) << outputs;
  }
}

TEST(Explicit, error_follows_the_tolerance) {
  for (const std::string method : both) {
    double before = 1e9;
    for (int digits = 3; digits <= 10; ++digits) {
      const RodError e = error_of_rod(fmt::format("{}, ERROR=1E-{}", method, digits), 2);
      const double error = std::pow(10, -digits);
      EXPECT_LE(e.angle, before) << method << digits;       // outputs may bound all steps
      EXPECT_LT(e.angle, 100 * error) << method << digits;  // local errors of some ten to a hundred steps
      EXPECT_LT(e.reaction, 1000 * error) << method << digits;
      before = e.angle;
    }
  }
}

/// Loops of seven bodies magnify local errors by some 10.
TEST(Explicit, follow_the_squeezing_mechanism) {
  for (const std::string method : both) {
    double before = 1e9;
    for (int digits = 3; digits <= 9; ++digits) {
      const SqueezingError e =
          error_of_squeezing(TRAMMEL_SOURCE_DIR "/models", fmt::format("{}, ERROR=1E-{}", method, digits));
      EXPECT_LT(e.angle, 100 * std::pow(10, -digits)) << method << digits;
      EXPECT_LT(e.angle, before) << method << digits;
      before = e.angle;
    }
  }
}

/// A MOTION turns the crank of a slider, whose place is that of the triangle.
TEST(Explicit, closes_the_loop_of_a_slider_crank) {
  for (const std::string method : both) {
    Recording r(fmt::format(
        "slider\n{}MARKER/11, PART=1, REULER=90D, 90D, 0\nPART/2, MASS=1, CM=20, IP=.1,.1,.1, QG=.5,0,0\n"
        "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-.5,0,0\nMARKER/22, PART=2, QP=.5,0,0\n"
        "PART/3, MASS=1, CM=30, IP=.1,.1,.1, QG=2.5,0,0\nMARKER/30, PART=3\nMARKER/31, PART=3, QP=-1.5,0,0\n"
        "MARKER/32, PART=3, QP=1.5,0,0\nPART/4, MASS=1, CM=40, IP=.1,.1,.1, QG=4,0,0\nMARKER/40, PART=4\n"
        "MARKER/41, PART=4, REULER=90D, 90D, 0\nJOINT/1, REVOLUTE, I=21, J=10\nJOINT/2, SPHERICAL, I=31, "
        "J=22\n"
        "JOINT/3, CYLINDRICAL, I=41, J=11\nJPRIM/4, PARALLEL_AXES, I=32, J=40\nJPRIM/5, ATPOINT, I=32, J=40\n"
        "MOTION/1, JOINT=1, ROTATION, FUNCTION=3*TIME+SIN(TIME)\nREQUEST/1, F2=DX(40,10)\\F3=VX(40,10)\n"
        "INTEGRATOR/{}, ERROR=1E-6\nEND\n",
        head, method));
    r.simulation->run(dynamics_analysis, {3, 30});
    for (std::size_t n = 0; n < r.time.size(); ++n) {
      const double t = r.time[n], phi = 3 * t + std::sin(t), rate = 3 + std::cos(t), s = std::sin(phi);
      const double root = std::sqrt(9 - s * s);
      // φ and φ̇ are solved to a thousandth of ERROR in the root mean square of a body; the crank's
      // angle, in a frame of its own, takes part.
      EXPECT_NEAR(r.at(n, "REQUEST/1", "F2"), std::cos(phi) + root, 3e-8) << method << t;
      EXPECT_NEAR(r.at(n, "REQUEST/1", "F3"), rate * (-s - s * std::cos(phi) / root), 1e-7) << method << t;
    }
  }
}

/// States alone decide the step: ẏ = −3 y + sin 20 t has y = (20/409 + 1) e^{−3t} + (3 sin 20t − 20 cos
/// 20t)/409; another one, implicit, ż + ż³ = 2 with ż = 1.
TEST(Explicit, control_the_error_of_states) {
  for (const std::string method : both) {
    long steps = 0;
    for (int digits = 3; digits <= 10; ++digits) {
      Recording r(fmt::format(
          "states\n{}DIFF/1, IC=1, FUNCTION=-3*DIF(1)+VARVAL(1)\nVARIABLE/1, FUNCTION=SIN(20*TIME)\n"
          "DIFF/2, IC=0.5, 1, IMPLICIT, FUNCTION=DIF1(2)+DIF1(2)**3-2\nREQUEST/1, "
          "F2=DIF(1)\\F3=VARVAL(1)\\F4=DIF(2)\n"
          "INTEGRATOR/{}, ERROR=1E-{}, HMAX=2\nEND\n",
          head, method, digits));
      r.simulation->run(dynamics_analysis, {2, 1});
      const double t = 2, s = std::sin(20 * t), c = std::cos(20 * t);
      const double error =
          std::abs(r.at(1, "REQUEST/1", "F2") - (429.0 / 409 * std::exp(-3 * t) + (3 * s - 20 * c) / 409));
      EXPECT_LT(error, 30 * std::pow(10, -digits)) << method << digits;
      EXPECT_NEAR(r.at(1, "REQUEST/1", "F3"), s, 1e-12) << method;
      EXPECT_NEAR(r.at(1, "REQUEST/1", "F4"), 2.5, 10 * std::pow(10, -digits)) << method;
      // Where ERROR allows long steps they are those that resolve sin 20 t, two more or less.
      EXPECT_GT(r.simulation->counters().steps, digits > 4 ? steps : steps - 3) << method << digits;
      steps = r.simulation->counters().steps;
    }
  }
}

// ---- independent coordinates

/// A parallelogram's neighbour that turns fully: a four-bar of lengths 1, 3, 2.5, 3 (Grashof), released from
/// rest but for its crank's speed. No coordinate of rocker or coupler is independent all the way round.
std::string four_bar(const std::string& integrator) {
  // Crank from (0, 0) to (0, 1), ground pivot of the rocker at (3, 0).
  const double crank = 1, coupler = 2.5, rocker = 2.5, ground = 3;
  const double bx = 0, by = crank, dx = ground - bx, dy = -by, d = std::hypot(dx, dy);
  const double along = (coupler * coupler - rocker * rocker + d * d) / (2 * d),
               off = std::sqrt(coupler * coupler - along * along);
  const double cx = bx + (along * dx - off * dy) / d, cy = by + (along * dy + off * dx) / d;
  std::string deck =
      std::string("four-bar\n") + head + fmt::format("MARKER/11, PART=1, QP={}, 0, 0\n", ground);
  const auto bar = [&](int id, double x0, double y0, double x1, double y1) {
    const double length = std::hypot(x1 - x0, y1 - y0), angle = std::atan2(y1 - y0, x1 - x0);
    deck += fmt::format(
        "PART/{0}, MASS={1:.17g}, CM={0}0, IP=.01, {2:.17g}, {2:.17g}, QG={3:.17g}, {4:.17g}, 0, "
        "REULER={5:.17g}, 0, 0\n"
        "MARKER/{0}0, PART={0}\nMARKER/{0}1, PART={0}, QP={6:.17g}, 0, 0\nMARKER/{0}2, PART={0}, "
        "QP={7:.17g}, 0, 0\n",
        id, length, length * length * length / 12, (x0 + x1) / 2, (y0 + y1) / 2, angle, -length / 2,
        length / 2);
  };
  bar(2, 0, 0, bx, by);
  bar(3, bx, by, cx, cy);
  bar(4, ground, 0, cx, cy);
  deck.replace(deck.find("MARKER/20, PART=2"), 0, "");
  const std::size_t at = deck.find(", REULER", deck.find("PART/2"));
  deck.insert(at, ", WZ=12");
  return deck +
         "JOINT/1, REVOLUTE, I=21, J=10\nJOINT/2, REVOLUTE, I=31, J=22\nJOINT/3, REVOLUTE, I=41, J=11\n"
         "JOINT/4, REVOLUTE, I=42, J=32\nACCGRAV/JGRAV=-9.81\nREQUEST/1, F2=AZ(21,10)\\F3=AZ(41,11)\n"
         "INTEGRATOR/" +
         integrator + "\nEND\n";
}

TEST(Explicit, follow_a_linkage_that_turns_fully_with_redundant_equations) {
  const auto run = [](const std::string& integrator) {
    auto r = std::make_unique<Recording>(four_bar(integrator));
    r->simulation->run(dynamics_analysis, {2, 40});
    return r;
  };
  const auto exact = run("RADAU, ERROR=1E-11");
  EXPECT_GT(std::abs(exact->at(40, "REQUEST/1", "F2") - exact->at(0, "REQUEST/1", "F2")),
            2 * std::numbers::pi);  // it does turn
  for (const std::string method : both)
    for (const int digits : {6, 8}) {
      const auto r = run(fmt::format("{}, ERROR=1E-{}", method, digits));
      EXPECT_EQ(r->simulation->report().redundant.size(), 3u);
      EXPECT_GT(r->simulation->counters().partitions, 0) << method;
      double worst = 0;
      for (std::size_t n = 0; n < r->time.size(); ++n)
        for (const char* angle : {"F2", "F3"})
          worst = std::max(worst, std::abs(r->at(n, "REQUEST/1", angle) - exact->at(n, "REQUEST/1", angle)));
      // Some 300 steps; errors of the crank's speed grow with time, by 2 s.
      EXPECT_LT(worst, 1000 * std::pow(10, -digits)) << method << digits;
    }
}

/// A free asymmetric body tumbles; its angles are re-based with all points of the past. Angular momentum in
/// space is constant.
TEST(Explicit, points_of_the_past_survive_rebasing) {
  for (const std::string method : both) {
    Recording r(tumbling_body(method + ", ERROR=1E-8"));
    r.simulation->run(dynamics_analysis, {20, 20});
    const StepCounters& counters = r.simulation->counters();
    EXPECT_GT(counters.rebases, 5) << method;
    // A wrong past would cost steps: ABAM needs no more than twice those of RKF45, of half its order.
    EXPECT_LT(counters.steps, 2000) << method;
    const auto momentum = [&](std::size_t k) { return momentum_of_tumbling(r, k); };
    for (std::size_t k = 1; k < r.time.size(); ++k)  // some hundred steps at 1e-8
      EXPECT_LT(norm(momentum(k) - momentum(0)), 1e-5 * norm(momentum(0))) << method << r.time[k];
  }
}

/// Open chains in space on revolute joints, beside RADAU.
TEST(Explicit, follow_chains_in_space) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const auto run = [&](const std::string& integrator) {
      LinkageOptions options;
      options.integrator = "INTEGRATOR/" + integrator + "\n";
      auto r = std::make_unique<Recording>(linkage(seed, 4, false, options));
      r->simulation->run(dynamics_analysis, {0.5, 5});
      return r;
    };
    const auto exact = run("RADAU, ERROR=1E-11");
    for (const std::string method : both) {
      const auto r = run(method + ", ERROR=1E-8");
      for (int part = 2; part <= 5; ++part)
        for (const char* c : {"X", "Y", "Z"}) {
          const std::string entity = fmt::format("PART/{}", part);
          EXPECT_NEAR(r->at(5, entity, c), exact->at(5, entity, c), 1e-6) << method << seed << entity << c;
        }
    }
  }
}

/// A knife edge on a plane inclined by α: with the spin ω, x = g sin α/(2ω²) sin² ωt down the slope and
/// y = g sin α/(2ω²) (ωt − ½ sin 2ωt) across (Neimark and Fufaev). The equation is linear in velocities.
TEST(Explicit, hold_equations_in_velocities) {
  const double g = 4, w = 2;
  for (const std::string method : both) {
    Recording r(
        fmt::format("knife\n{}PART/2, MASS=2, CM=20, IP=1,1,1, WZ={}\nMARKER/20, PART=2\nMARKER/11, PART=1\n"
                    "JPRIM/1, INPLANE, I=20, J=10\nJPRIM/2, PARALLEL_AXES, I=20, J=10\n"
                    "GCON/1, FUNCTION=VY(20,10,20)\nACCGRAV/IGRAV={}\nINTEGRATOR/{}, ERROR=1E-8\nEND\n",
                    head, w, g, method));
    r.simulation->run(dynamics_analysis, {3, 30});
    for (std::size_t n = 0; n < r.time.size(); ++n) {
      const double a = w * r.time[n], scale = g / (2 * w * w);
      EXPECT_NEAR(r.at(n, "PART/2", "X"), scale * std::sin(a) * std::sin(a), 1e-6) << method << r.time[n];
      EXPECT_NEAR(r.at(n, "PART/2", "Y"), scale * (a - std::sin(2 * a) / 2), 1e-6) << method << r.time[n];
    }
  }
}

// ---- singular positions

/// The parallelogram linkage of models/four_bar_n is on one line twice a turn, where Φq loses rank.
TEST(Explicit, pass_singular_positions) {
  const auto run = [](const std::string& integrator) {
    std::ifstream file(TRAMMEL_SOURCE_DIR "/models/four_bar_n/four_bar_n.adm");
    std::stringstream deck;
    deck << file.rdbuf();
    std::string text = deck.str();
    text.insert(text.find('\n') + 1, "INTEGRATOR/" + integrator + "\n");
    auto r = std::make_unique<Recording>(text);
    r->simulation->run(dynamics_analysis, {5, 500});
    return r;
  };
  const auto exact = run("HHT, ERROR=1E-9");  // holds φ alone, which passes singular positions at any ERROR
  for (const std::string method : both)
    for (const int digits : {6, 8}) {
      const auto r = run(fmt::format("{}, ERROR=1E-{}", method, digits));
      double worst = 0;
      for (std::size_t n = 0; n < r->time.size(); ++n)
        worst = std::max(worst, std::abs(r->at(n, "PART/5", "X") - exact->at(n, "PART/5", "X")));
      // Errors of ERROR/σ come in where the least singular value is σ: the linkage keeps its branch, no more.
      EXPECT_LT(worst, 0.02) << method << digits;
    }
}

// ---- stiffness and failures

/// ẍ = −10⁶ (x − 1) − 2·10³ ẋ, |λ| = 10³, from 1.01: what is left after 0.02 s would allow any step.
TEST(Explicit, tell_that_a_model_is_stiff) {
  for (const std::string method : both) {
    Recording r(
        fmt::format("stiff\n{}PART/2, MASS=1, CM=20, IP=1, 1, 1, QG=1.01, 0, 0\nMARKER/20, PART=2\n"
                    "SFORCE/1, TRANSLATION, I=20, J=10, FUNCTION=-1E6*(DX(20)-1)-2E3*VX(20)\n"
                    "INTEGRATOR/{}, ERROR=1E-6\nEND\n",
                    head, method));
    r.simulation->run(dynamics_analysis, {1, 10});
    ASSERT_EQ(r.warnings.size(), 1u) << method;
    EXPECT_NE(r.warnings[0].find("stiff"), std::string::npos) << r.warnings[0];
    EXPECT_NE(r.warnings[0].find("INTEGRATOR/GSTIFF"), std::string::npos) << r.warnings[0];
    EXPECT_NEAR(r.at(10, "PART/2", "X"), 1, 1e-5) << method;
  }
}

/// Nothing is said where ERROR bounds the steps, or outputs do.
TEST(Explicit, take_no_other_model_for_stiff) {
  for (const std::string method : both)
    for (const int digits : {3, 5, 7, 9})
      for (const int outputs : {1, 200}) {
        Recording r(rod(fmt::format("{}, ERROR=1E-{}", method, digits), 2));
        r.simulation->run(dynamics_analysis, {2, outputs});
        EXPECT_TRUE(r.warnings.empty()) << method << digits << r.warnings[0];
      }
}

/// A MOTION pulls the end of a rod of 2 m along y by 3 t: at t = 2/3 it has come as far as it can.
TEST(Explicit, name_what_is_singular) {
  for (const std::string method : both) {
    Recording r(
        std::string("reach\n") + head +
        "PART/2, MASS=1, CM=20, IP=1, 1, 1, QG=1, 0, 0\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1, 0, 0\n"
        "MARKER/22, PART=2, QP=1, 0, 0\nJOINT/1, REVOLUTE, I=21, J=10\n"
        "MOTION/1, I=22, J=10, Y, FUNCTION=3*TIME\nINTEGRATOR/" +
        method + ", ERROR=1E-6\nEND\n");
    try {
      r.simulation->run(dynamics_analysis, {1, 10});
      FAIL() << method;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::solver);
      const std::string text = failure.what();
      EXPECT_NE(text.find("time 0.66666"), std::string::npos) << text;
      EXPECT_NE(text.find("MOTION/1"), std::string::npos) << text;
    }
  }
}

/// Three parts in space on a universal joint and two hinges. At some places of their motion independent
/// coordinates determine the others badly, and errors of a step return in these magnified: when they were not
/// judged, ABAM erred by ten thousand times ERROR, and more.
TEST(Explicit, errors_of_dependent_coordinates_count) {
  const auto run = [](const std::string& integrator) {
    Recording r(
        "chain\n"
        "UNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n"
        "PART/1,GROUND\n"
        "PART/2,MASS=2.756,CM=20,IP=0.07386,0.07152,0.08945\n"
        ",QG=0.07839,-0.8482,0.1275,REULER=-1.192,1.632,1.186\n"
        ",VX=-0.1399,VY=-0.04932,VZ=-0.2421,WX=-0.04469,WY=-0.2995,WZ=-0.2104\n"
        "PART/3,MASS=1.375,CM=30,IP=0.06119,0.0761,0.08206\n"
        ",QG=-0.2484,-1.139,-0.001246,REULER=0.3897,1.55,-1.205\n"
        ",VX=-0.1905,VY=0.006702,VZ=-0.3196,WX=0.1501,WY=0.3236,WZ=0.129\n"
        "PART/4,MASS=2.906,CM=40,IP=0.09421,0.06911,0.08697\n"
        ",QG=-0.8175,-1.447,-0.5075,REULER=-0.4024,1.178,-0.9015\n"
        ",VX=-1.46,VY=0.6832,VZ=0.3292,WX=0.1558,WY=-0.8472,WZ=-2.356\n"
        "MARKER/20,PART=2\n"
        "MARKER/30,PART=3\n"
        "MARKER/40,PART=4\n"
        "MARKER/101,PART=2,QP=-0.4385,0.704,-0.2325,REULER=0.333,1.389,2.64\n"
        "MARKER/102,PART=1,REULER=1.801,2.021,-3.073\n"
        "MARKER/103,PART=3,QP=-0.04119,0.3663,0.1374,REULER=-2.789,2.187,1.281\n"
        "MARKER/104,PART=2,QP=0.15,-0.2409,0.07956,REULER=2.842,2.264,-2.778\n"
        "MARKER/105,PART=4,QP=-0.2895,0.497,-0.2366,REULER=3.121,0.4793,0.112\n"
        "MARKER/106,PART=3,QP=0.02444,-0.2174,-0.08151,REULER=-1.531,0.6847,-1.564\n"
        "MARKER/107,PART=4,QP=0,0,0.1\n"
        "MARKER/108,PART=1,QP=3.705,-0.6594,2.124\n"
        "MARKER/113,PART=4,QP=-0.02722,-0.03628,0.323\n"
        "MARKER/114,PART=1,QP=1.566,0.7318,1.598\n"
        "JOINT/1,UNIVERSAL,I=101,J=102\n"
        "JOINT/2,REVOLUTE,I=103,J=104\n"
        "JOINT/3,REVOLUTE,I=105,J=106\n"
        "SFORCE/3,I=113,J=114,TRANSLATION,FUNCTION=-27.84*DIF(1)\n"
        "DIFF/1,IC=-0.2488,FUNCTION=-3.557*(DIF(1)-DM(107,108))\n"
        "ACCGRAV/KGRAV=-9.81\n"
        "INTEGRATOR/" +
        integrator + "\nEND\n");
    r.simulation->run(dynamics_analysis, {1, 20});
    std::vector<double> places;
    for (std::size_t k = 0; k < r.time.size(); ++k)
      for (const char* part : {"PART/2", "PART/3", "PART/4"})
        for (const char* x : {"X", "Y", "Z"}) places.push_back(r.at(k, part, x));
    return places;
  };
  const std::vector<double> right = run("RADAU, ERROR=1E-11");
  for (const char* name : both)
    for (const double error : {1e-7, 1e-8, 1e-9}) {
      const std::vector<double> found = run(fmt::format("{}, ERROR={:g}", name, error));
      ASSERT_EQ(found.size(), right.size());
      double largest = 0;
      for (std::size_t k = 0; k < found.size(); ++k)
        largest = std::max(largest, std::abs(found[k] - right[k]));
      // Some hundred local errors in one direction, which the motion makes a few times larger.
      EXPECT_LT(largest, 1000 * error) << name << " " << error;
    }
}

/// Orders rise to KMAX and no further.
TEST(Abam, order_rises_to_kmax) {
  for (const int kmax : {1, 4, 12}) {
    Oscillator o;
    IntegratorOptions options;
    options.method = "ABAM";
    options.kmax = kmax;
    options.error = kmax == 1 ? 1e-4 : 1e-11;
    options.hinit = 1e-3;
    options.hmax = 1;
    const auto integrator = make_integrator(o.model, o.equations(), options);
    integrator->start(o.state);
    int highest = 0;
    while (o.state.t < 1) highest = std::max(highest, integrator->step(o.state, 1 - o.state.t).order);
    if (kmax < 12)
      EXPECT_EQ(highest, kmax);
    else
      EXPECT_GT(highest, 6);
  }
}

}  // namespace
}  // namespace trammel::explicit_test
