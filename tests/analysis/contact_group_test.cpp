// CONTACT of many bodies in motion: against contacts of pairs, conservation, and nothing is passed.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::contact_group_test {
namespace {

using namespace test;

constexpr const char* metric = "UNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n";
constexpr const char* law =
    "\n, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=20, DMAX=1E-3, COULOMB_FRICTION=ON, MU_STATIC=0.5\n"
    ", MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=0.01, FRICTION_TRANSITION_VELOCITY=0.1\n";

std::string deck(const std::string& body) {
  return "heap\n" + std::string(metric) + "PART/1, GROUND\nMARKER/1, PART=1\n" + body + "END\n";
}
std::string ball(int id, double radius, const std::string& start) {
  return fmt::format(
      "PART/{0}, MASS=2, IP=0.008, 0.008, 0.008, CM={0}0, {1}\nMARKER/{0}0, PART={0}\n"
      "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE={2}, YSCALE={2}, ZSCALE={2}\n",
      id, start, 2 * radius);
}

/// Balls that fly at each other from all sides.
constexpr int balls = 8;
std::string swarm() {
  std::string text;
  for (int k = 2; k < 2 + balls; ++k) {
    const double a = 2 * M_PI * k / balls;
    text += ball(k, 0.1,
                 fmt::format("QG={:.6f},{:.6f},{:.6f}, VX={:.6f}, VY={:.6f}, WZ={}", 0.5 * std::cos(a),
                             0.5 * std::sin(a), 0.03 * k, -2 * std::cos(a), -2 * std::sin(a), k));
  }
  return text;
}
std::string one_group() {
  std::string ids;
  for (int k = 2; k < 2 + balls; ++k) ids += fmt::format("{}{}", k > 2 ? ", " : "", k);
  return "CONTACT/1, IGEOM=" + ids + ", JGEOM=" + ids + law;
}
std::string all_pairs() {
  std::string text;
  int id = 0;
  for (int k = 2; k < 2 + balls; ++k)
    for (int j = 2; j < k; ++j) text += fmt::format("CONTACT/{}, IGEOM={}, JGEOM={}", ++id, k, j) + law;
  return text;
}

/// Long before rounding, which collisions magnify, is seen.
TEST(ContactGroup, moves_as_contacts_of_all_pairs) {
  // Steps of both end at other places: what is left of ERROR after several blows, which magnify it.
  const std::pair<std::string, double> integrators[] = {{"HHT, ERROR=1E-8", 1e-4},
                                                        {"GSTIFF, SI2, ERROR=1E-8", 1e-5},
                                                        {"RADAU, ERROR=1E-8", 1e-4},
                                                        {"ABAM, ERROR=1E-8", 1e-5}};
  for (const auto& [integrator, close] : integrators) {
    Recording a(deck(swarm() + one_group() + "INTEGRATOR/" + integrator + "\n")),
        b(deck(swarm() + all_pairs() + "INTEGRATOR/" + integrator + "\n"));
    for (Recording* r : {&a, &b}) r->simulation->run(dynamics_analysis, {0.3, 30});
    bool touched = false;
    for (std::size_t n = 0; n < a.time.size(); ++n) {
      int count = 0;
      double depth = 0;
      for (int k = 1; k <= balls * (balls - 1) / 2; ++k) {
        count += static_cast<int>(b.at(n, fmt::format("CONTACT/{}", k), "COUNT"));
        depth = std::max(depth, b.at(n, fmt::format("CONTACT/{}", k), "DEPTH"));
      }
      touched = touched || count > 0;
      EXPECT_EQ(a.at(n, "CONTACT/1", "COUNT"), count) << integrator;
      EXPECT_NEAR(a.at(n, "CONTACT/1", "DEPTH"), depth, close) << integrator;
      for (int k = 2; k < 2 + balls; ++k)
        for (const char* x : {"X", "Y", "Z"}) {
          const std::string part = fmt::format("PART/{}", k);
          EXPECT_NEAR(a.at(n, part, x), b.at(n, part, x), close) << integrator << " " << n;
        }
    }
    EXPECT_TRUE(touched);
  }
}

TEST(ContactGroup, keeps_momenta) {
  Recording r(deck(swarm() + one_group() + "INTEGRATOR/HHT, ERROR=1E-6\n"));
  r.simulation->run(dynamics_analysis, {0.5, 50});
  const auto momentum = [&](std::size_t n) {
    Vec3d p;
    for (int k = 2; k < 2 + balls; ++k) p += 2.0 * r.vector(n, fmt::format("PART/{}", k), "VX", "VY", "VZ");
    return p;
  };
  for (std::size_t n = 1; n < r.time.size(); ++n)
    EXPECT_LT(norm(momentum(n) - momentum(0)), 1e-12) << n;  // of 32 kg m/s that move about
}

/// A ball of 10 m/s meets a row of others 1 m on, in steps that could take it past them.
TEST(ContactGroup, nothing_is_passed_in_a_long_step) {
  for (const std::string integrator :
       {"HHT, ERROR=1E-3", "GSTIFF, ERROR=1E-3", "RADAU, ERROR=1E-3", "ABAM, ERROR=1E-3"}) {
    std::string bodies = ball(2, 0.02, "QG=0,0,1.1, VZ=-10"), ids = "2";
    for (int k = 3; k < 20; ++k) {
      bodies += ball(k, 0.05, fmt::format("QG={:.6f},0.001,0", 0.1001 * (k - 11)));
      ids += fmt::format(", {}", k);
    }
    Recording r(deck(bodies + "CONTACT/1, IGEOM=" + ids + ", JGEOM=" + ids +
                     "\n, STIFFNESS=1E7, EXPONENT=1.5, DAMPING=1, DMAX=1E-3\nINTEGRATOR/" + integrator +
                     ", HMAX=0.05\n"));
    r.simulation->run(dynamics_analysis, {0.4, 2});
    double others = 0;
    for (int k = 3; k < 20; ++k) others += r.at(2, fmt::format("PART/{}", k), "VZ");
    EXPECT_NEAR(r.at(2, "PART/2", "VZ") + others, -10, 1e-6) << integrator;
    EXPECT_LT(others, -1) << integrator;
  }
}

/// Records between the ends of steps are looked at, and change no step.
TEST(ContactGroup, steps_do_not_depend_on_records_between_them) {
  for (const std::string integrator : {"HHT, ERROR=1E-4", "GSTIFF, ERROR=1E-4", "RADAU, ERROR=1E-4"}) {
    const std::string text = deck(ball(2, 0.02, "QG=0,0,1.1, VZ=-10") + ball(3, 0.05, "QG=0.01,0,0") +
                                  "CONTACT/1, IGEOM=2,3, JGEOM=2,3, STIFFNESS=1E7, EXPONENT=1.5, DAMPING=1,\n"
                                  ", DMAX=1E-3\nINTEGRATOR/" +
                                  integrator + ", HMAX=0.02, INTERPOLATE=ON\n");
    Recording few(text), many(text);
    few.simulation->run(dynamics_analysis, {0.4, 2});
    many.simulation->run(dynamics_analysis, {0.4, 128});
    EXPECT_EQ(few.simulation->counters().steps, many.simulation->counters().steps) << integrator;
    for (const char* x : {"X", "Z", "VX", "VZ"})
      EXPECT_EQ(few.at(2, "PART/3", x), many.at(128, "PART/3", x)) << integrator << x;
  }
}

TEST(ContactGroup, has_no_single_force) {
  try {
    Recording r(deck(swarm() + one_group() + "REQUEST/1, F2=CONTACT(1,0,2,0)\n"));
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_NE(
        std::string(failure.what()).find("CONTACT/1 is of more than two bodies; it has no single force"),
        std::string::npos)
        << failure.what();
  }
}

/// Balls on each other in a tube of planes come to rest where each bears what is above it.
TEST(ContactGroup, holds_in_statics) {
  constexpr int count = 6;
  const double k = 1e5, weight = 2 * 9.81;
  std::string bodies = "GRAPHICS/1, PLANE, RM=1\n", ids;
  double z = 0;
  for (int n = 0; n < count; ++n) {
    z += n == 0 ? 0.1 : 0.2;
    bodies += ball(n + 2, 0.1, fmt::format("QG=0,0,{:.6f}", z)) +
              fmt::format("MARKER/{0}9, PART={0}\nJOINT/{0}, TRANSLATIONAL, I={0}9, J=1\n", n + 2);
    ids += fmt::format("{}{}", n > 0 ? ", " : "", n + 2);
  }
  Recording r(deck(bodies + "CONTACT/1, IGEOM=" + ids + ", JGEOM=1, " + ids +
                   "\n, STIFFNESS=1E5, EXPONENT=1, DAMPING=20, DMAX=1E-3\nACCGRAV/KGRAV=-9.81\n"));
  r.simulation->run(statics_analysis, {});
  const std::size_t last = r.time.size() - 1;
  double expected = -0.1;
  for (int n = 0; n < count; ++n) {
    expected += 0.2 - (count - n) * weight / k;
    EXPECT_NEAR(r.at(last, fmt::format("PART/{}", n + 2), "Z"), expected, 1e-9) << n;
  }
}

}  // namespace
}  // namespace trammel::contact_group_test
