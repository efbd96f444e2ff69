// CONTACT against quadrature of its law, exact slides and rolls, and conservation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "../support/contact_decks.h"
#include "../support/simulate.h"
#include "geometry/mesh_shapes.h"

namespace trammel::contact_test {
namespace {

using namespace test;

/// The speed with which a mass of 2 that meets the force f(g, ġ) with `speed` leaves it, by steps of
/// Runge-Kutta; the last one ends at g = 0.
double rebound(double speed, const std::function<double(double, double)>& f) {
  double g = 0, v = speed;
  const double h = 2e-7;
  for (int n = 0; n < 100000000; ++n) {
    const auto a = [&](double x, double u) { return x > 0 ? -f(x, u) / 2 : 0.0; };
    const double g1 = v, v1 = a(g, v), g2 = v + h / 2 * v1, v2 = a(g + h / 2 * g1, v + h / 2 * v1),
                 g3 = v + h / 2 * v2, v3 = a(g + h / 2 * g2, v + h / 2 * v2), g4 = v + h * v3,
                 v4 = a(g + h * g3, v + h * v3);
    g += h / 6 * (g1 + 2 * g2 + 2 * g3 + g4);
    v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    if (g <= 0) break;
  }
  return -v;
}

double step_function(double x, double x0, double h0, double x1, double h1) {
  if (x <= x0) return h0;
  if (x >= x1) return h1;
  const double d = (x - x0) / (x1 - x0);
  return h0 + (h1 - h0) * d * d * (3 - 2 * d);
}

/// A ball that flies against the plane without gravity, and its speed back.
double simulated_rebound(double speed, const std::string& law) {
  Recording r(deck("GRAPHICS/1, PLANE, RM=1\n" + ball(fmt::format("QG=0,0,0.11, VZ={}", -speed)) +
                   "CONTACT/1, IGEOM=2, JGEOM=1, " + law + "\nINTEGRATOR/RADAU, ERROR=1E-14, HMAX=5E-5\n"));
  r.simulation->run(dynamics_analysis, {0.01 / speed + 0.1, 10});
  return r.at(r.time.size() - 1, "PART/2", "VZ");
}

TEST(Contact, restitution_is_that_of_the_law) {
  for (const double speed : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0}) {
    const auto impact = [](double g, double rate) {
      return std::max(0.0, 1e6 * std::pow(g, 1.5) + step_function(g, 0, 0, 1e-3, 100) * rate);
    };
    const double expected = rebound(speed, impact);
    EXPECT_NEAR(
        simulated_rebound(speed, "IMPACT, STIFFNESS=1E6, EXPONENT=1.5, DAMPING=100, DMAX=1E-3") / expected, 1,
        1e-5)
        << speed;
    const auto poisson = [](double g, double rate) {
      return 1e5 * g * step_function(rate, -1e-3, 0.49, 1e-3, 1);
    };
    EXPECT_NEAR(simulated_rebound(speed, "POISSON, PENALTY=1E5, RESTITUTION_COEFFICIENT=0.7") /
                    rebound(speed, poisson),
                1, 1e-5)
        << speed;
    if (speed >= 1) {  // far above the speed over which the force turns from one branch to the other
      EXPECT_NEAR(rebound(speed, poisson) / speed, 0.7, 1e-6);
    }
  }
}

/// What is advised in place of AUGMENTED_LAGRANGIAN_FORMULATION: a larger PENALTY lessens the depth at rest,
/// m g/(PENALTY (1 + ε²)/2), and changes no speed.
TEST(Contact, a_larger_penalty_takes_depth_and_no_speed) {
  constexpr double restitution = 0.6, g = 9.81;
  double back[2];
  for (const bool larger : {false, true}) {
    const double penalty = larger ? 1e7 : 1e5;
    const std::string law =
        fmt::format("POISSON, PENALTY={}, RESTITUTION_COEFFICIENT={}", penalty, restitution);
    back[larger] = simulated_rebound(2, law);
    const double depth = 2 * g / (penalty * (1 + restitution * restitution) / 2);
    Recording r(deck("GRAPHICS/1, PLANE, RM=1\n" + ball(fmt::format("QG=0,0,{:.17g}", 0.1 - 0.99 * depth)) +
                     "ACCGRAV/KGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1, " + law +
                     "\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n"));
    r.simulation->run(dynamics_analysis, {1, 10});
    EXPECT_NEAR(r.at(10, "CONTACT/1", "DEPTH"), depth, 2e-4 * depth) << penalty;  // 1e-2 at the start
  }
  // Both are 0.6 of the speed but for what the turn from the one branch to the other takes, (v₀/v)² = 2.5e-7.
  EXPECT_NEAR(back[0] / 2, restitution, 1e-6);
  EXPECT_NEAR(back[1] / 2, restitution, 1e-6);
}

/// A box that slides on its face, all the time in the same depth: v = v₀ − μ_d g t, far above the
/// transition; it stops after v₀²/(2 μ_d g), of which the transition changes less than 2e-4²/(μ_d g) = 2e-8.
TEST(Contact, a_box_slides_as_coulomb_says) {
  const double g = 9.81, mu = 0.25, depth = 2 * g / 1e6;
  Recording r(deck("GRAPHICS/1, PLANE, RM=1\nPART/2, MASS=2, IP=0.05,0.05,0.05, CM=20, VX=3\n" +
                   fmt::format(", QG=0,0,{:.17g}\n", 0.001 - depth) +
                   "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-0.3,-0.3,-0.001\n"
                   "GRAPHICS/2, BOX, CORNER=21, X=0.6, Y=0.6, Z=0.002\nACCGRAV/KGRAV=-9.81\n"
                   "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E6, EXPONENT=1, DAMPING=1E3, DMAX=1E-6\n"
                   ", COULOMB_FRICTION=ON, MU_STATIC=0.3, MU_DYNAMIC=0.25\n"
                   ", STICTION_TRANSITION_VELOCITY=1E-4, FRICTION_TRANSITION_VELOCITY=2E-4\n"
                   "JOINT/1, TRANSLATIONAL, I=22, J=11\nMARKER/22, PART=2, REULER=90D,90D,0\n"
                   "MARKER/11, PART=1, REULER=90D,90D,0, QP=0,0," +
                   fmt::format("{:.17g}", 0.001 - depth) + "\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-9\n"));
  r.simulation->run(dynamics_analysis, {1.6, 16});
  for (std::size_t n = 1; n < r.time.size(); ++n) {
    const double t = r.time[n];
    EXPECT_NEAR(r.at(n, "PART/2", "VX"), std::max(0.0, 3 - mu * g * t), 1e-6) << t;
  }
  EXPECT_NEAR(r.at(r.time.size() - 1, "PART/2", "X"), 9 / (2 * mu * g), 1e-6);
}

/// A ball set down with v₀ that does not turn: it slides until t = 2 v₀/(7 μ g), and rolls with 5/7 v₀.
TEST(Contact, a_ball_comes_from_sliding_to_rolling) {
  const double g = 9.81, mu = 0.2, v0 = 2, depth = 2 * g / 1e6;
  Recording r(
      deck("GRAPHICS/1, PLANE, RM=1\n" + ball(fmt::format("QG=0,0,{:.17g}, VX=2", 0.1 - depth)) +
           "ACCGRAV/KGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E6, EXPONENT=1, DAMPING=1E3, "
           "DMAX=1E-6\n, COULOMB_FRICTION=ON, MU_STATIC=0.2, MU_DYNAMIC=0.2\n"
           ", STICTION_TRANSITION_VELOCITY=1E-5, FRICTION_TRANSITION_VELOCITY=2E-5\n"
           "INTEGRATOR/GSTIFF, SI2, ERROR=1E-9\n"));
  r.simulation->run(dynamics_analysis, {0.6, 60});
  const double rolls = 2 * v0 / (7 * mu * g);
  for (std::size_t n = 1; n < r.time.size(); ++n) {
    const double t = r.time[n];
    // The forces act in the middle of the overlap, half its depth of 2e-5 above the ball's rim of 0.1.
    EXPECT_NEAR(r.at(n, "PART/2", "VX"), t < rolls ? v0 - mu * g * t : 5.0 / 7 * v0, 5e-4) << t;
  }
  const std::size_t last = r.time.size() - 1;
  EXPECT_NEAR(r.at(last, "PART/2", "WY") * (0.1 - depth / 2), r.at(last, "PART/2", "VX"), 2e-5);
}

/// On an incline of 20° with μ = 0.3 < tan 20°: a = g (sin − μ cos). With μ_s = 0.5 it creeps: friction
/// below the stick speed is μ_s (3u − u³)/2 = tan 20°.
TEST(Contact, a_box_on_an_incline_slides_or_creeps) {
  const double angle = 20 * M_PI / 180, g = 9.81;
  const auto incline = [&](double mu) {
    auto r = std::make_unique<Recording>(deck(
        "GRAPHICS/1, PLANE, RM=1\nPART/2, MASS=2, IP=0.05,0.05,0.05, CM=20, QG=0,0,0.0499815\n"
        "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-0.3,-0.3,-0.05\n"
        "GRAPHICS/2, BOX, CORNER=21, X=0.6, Y=0.6, Z=0.1\nJPRIM/1, ORIENTATION, I=20, J=1\n" +
        fmt::format("ACCGRAV/IGRAV={:.17g}, KGRAV={:.17g}\n", g * std::sin(angle), -g * std::cos(angle)) +
        "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E6, EXPONENT=1, DAMPING=2E3, DMAX=1E-6\n" +
        fmt::format(", COULOMB_FRICTION=ON, MU_STATIC={0}, MU_DYNAMIC={0}\n", mu) +
        ", STICTION_TRANSITION_VELOCITY=1E-3, FRICTION_TRANSITION_VELOCITY=2E-3\n"
        "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n"));
    r->simulation->run(dynamics_analysis, {1, 10});
    return r;
  };
  const auto slides = incline(0.3), creeps = incline(0.5);
  const double a = g * (std::sin(angle) - 0.3 * std::cos(angle));
  EXPECT_NEAR((slides->at(10, "PART/2", "VX") - slides->at(5, "PART/2", "VX")) / 0.5, a, 1e-6 * a);
  double u = 0.5;
  for (int k = 0; k < 60; ++k) u = (2 * std::tan(angle) / 0.5 + u * u * u) / 3;
  EXPECT_NEAR(creeps->at(10, "PART/2", "VX"), 1e-3 * u, 1e-4 * 1e-3 * u);
}

/// The same incline with a spring in place of creep: below the limit the box comes to rest, deflected by what
/// bears its weight, and beyond it slides as before.
TEST(Contact, a_box_on_an_incline_sticks) {
  const double angle = 20 * M_PI / 180, g = 9.81, most = 1e-4;
  const auto incline = [&](double mu) {
    auto r = std::make_unique<Recording>(deck(
        "GRAPHICS/1, PLANE, RM=1\nPART/2, MASS=2, IP=0.05,0.05,0.05, CM=20, QG=0,0,0.0499815\n"
        "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-0.3,-0.3,-0.05\n"
        "GRAPHICS/2, BOX, CORNER=21, X=0.6, Y=0.6, Z=0.1\nJPRIM/1, ORIENTATION, I=20, J=1\n" +
        fmt::format("ACCGRAV/IGRAV={:.17g}, KGRAV={:.17g}\n", g * std::sin(angle), -g * std::cos(angle)) +
        "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E6, EXPONENT=1, DAMPING=2E3, DMAX=1E-6\n" +
        fmt::format(", COULOMB_FRICTION=ON, MU_STATIC={0}, MU_DYNAMIC={0}\n", mu) +
        fmt::format(", STICTION=ON, MAX_STICTION_DEFORMATION={}\n", most) +
        ", STICTION_TRANSITION_VELOCITY=1E-2, FRICTION_TRANSITION_VELOCITY=2E-2\n"
        "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n"));
    r->simulation->run(dynamics_analysis, {4, 40});
    return r;
  };
  const auto slides = incline(0.3), sticks = incline(0.5);
  const double a = g * (std::sin(angle) - 0.3 * std::cos(angle));
  EXPECT_NEAR((slides->at(40, "PART/2", "VX") - slides->at(20, "PART/2", "VX")) / 2, a, 1e-6 * a);
  EXPECT_LT(std::fabs(sticks->at(40, "PART/2", "VX")), 1e-9);
  // μ_s (3 d − d³)/2 = tan 20°, d the deflection as a share of the greatest.
  double d = 0.5;
  for (int k = 0; k < 60; ++k) d = (2 * std::tan(angle) / 0.5 + d * d * d) / 3;
  EXPECT_NEAR(sticks->at(40, "PART/2", "X"), d * most, 1e-6 * most);
  EXPECT_NEAR(sticks->at(40, "CONTACT/1", "CREEPX"), d * most, 1e-6 * most);
}

/// A ball on an incline rolls with 5/7 g sin: what holds its rim is the spring, which does not slip.
TEST(Contact, a_ball_rolls_on_a_spring_that_holds_its_rim) {
  const double angle = 10 * M_PI / 180, g = 9.81;
  Recording r(deck(
      "GRAPHICS/1, PLANE, RM=1\n" + ball(fmt::format("QG=0,0,{:.17g}", 0.1 - 2 * g * std::cos(angle) / 1e7)) +
      fmt::format("ACCGRAV/IGRAV={:.17g}, KGRAV={:.17g}\n", g * std::sin(angle), -g * std::cos(angle)) +
      "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E7, EXPONENT=1, DAMPING=2E3, DMAX=1E-6\n"
      ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.4\n"
      ", STICTION=ON, MAX_STICTION_DEFORMATION=1E-5\n"
      ", STICTION_TRANSITION_VELOCITY=1E-2, FRICTION_TRANSITION_VELOCITY=2E-2\n"
      "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n"));
  r.simulation->run(dynamics_analysis, {1, 10});
  const double a = 5.0 / 7 * g * std::sin(angle);
  // The forces act half the depth of 2e-6 above the rim of 0.1, and the spring gives by up to 1e-5.
  EXPECT_NEAR(r.at(10, "PART/2", "VX") - r.at(5, "PART/2", "VX"), 0.5 * a, 2e-5 * a);
  EXPECT_NEAR(r.at(10, "PART/2", "WY") * 0.1, r.at(10, "PART/2", "VX"), 2e-5);
}

/// Four balls and a box that collide in space, with friction: what one loses the others get.
class IsolatedHeap {
 public:
  explicit IsolatedHeap(const std::string& integrator) {
    std::string bodies, contacts;
    for (int k = 2; k <= 5; ++k) {
      const double a = 2 * M_PI * k / 4;
      bodies += ball(fmt::format("QG={:.6f},{:.6f},{:.6f}, VX={:.6f}, VY={:.6f}, WZ={}", 0.3 * std::cos(a),
                                 0.3 * std::sin(a), 0.03 * k, -2 * std::cos(a), -2 * std::sin(a), k),
                     k);
    }
    bodies +=
        "PART/6, MASS=1, IP=0.015,0.015,0.015, CM=60, QG=0,0,0.05, WX=3\nMARKER/60, PART=6\n"
        "MARKER/61, PART=6, QP=-0.05,-0.05,-0.05\nGRAPHICS/6, BOX, CORNER=61, X=0.1, Y=0.1, Z=0.1\n";
    for (int k = 3; k <= 6; ++k)
      for (int j = 2; j < k; ++j) {
        contacts += fmt::format(
            "CONTACT/{0}, IGEOM={1}, JGEOM={2}, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=20, DMAX=1E-3\n"
            ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=0.01\n"
            ", FRICTION_TRANSITION_VELOCITY=0.1\n",
            ++contacts_, k, j);
        // Moment of action and reaction about the origin of ground, of each axis.
        const auto moment = [&](int on, int marker, int axis) {
          const int b = (axis + 1) % 3, c = (axis + 2) % 3;
          return fmt::format(
              "+CONTACT({0},{1},{2},0)+D{3}({4},1)*CONTACT({0},{1},{5},0)-D{6}({4},1)*CONTACT({0},{1},{7},0)",
              contacts_, on, 6 + axis, "XYZ"[b], marker, 2 + c, "XYZ"[c], 2 + b);
        };
        contacts += fmt::format("REQUEST/{}", contacts_);
        for (int axis = 0; axis < 3; ++axis)
          contacts += fmt::format("\n, F{}={}{}{}", 2 + axis, moment(0, 10 * k, axis),
                                  moment(1, 10 * j, axis), axis < 2 ? "\\" : "\n");
      }
    r_ = std::make_unique<Recording>(deck(bodies + contacts + "INTEGRATOR/" + integrator + "\n"));
    r_->simulation->run(dynamics_analysis, {0.5, 50});
  }
  std::size_t records() const { return r_->time.size(); }
  /// All bodies have one moment of inertia.
  std::tuple<Vec3d, Vec3d, double> momenta_and_energy(std::size_t n) const {
    Vec3d p, l;
    double energy = 0;
    for (int k = 2; k <= 6; ++k) {
      const std::string part = fmt::format("PART/{}", k);
      const double m = k < 6 ? 2 : 1, i = k < 6 ? 0.008 : 0.015;
      const Vec3d x = r_->vector(n, part, "X", "Y", "Z"), v = r_->vector(n, part, "VX", "VY", "VZ"),
                  w = r_->vector(n, part, "WX", "WY", "WZ");
      p += m * v;
      l += m * cross(x, v) + i * w;
      energy += (m * dot(v, v) + i * dot(w, w)) / 2;
    }
    return {p, l, energy};
  }
  /// The largest force, and the largest moment of an action with its reaction.
  std::pair<double, double> force_and_moment(std::size_t n) const {
    double force = 0, moment = 0;
    for (int k = 1; k <= contacts_; ++k) {
      force = std::max(force, r_->at(n, fmt::format("CONTACT/{}", k), "FM"));
      for (const char* f : {"F2", "F3", "F4"})
        moment = std::max(moment, std::fabs(r_->at(n, fmt::format("REQUEST/{}", k), f)));
    }
    return {force, moment};
  }

 private:
  int contacts_ = 0;
  std::unique_ptr<Recording> r_;
};

TEST(Contact, momenta_of_an_isolated_heap_stay) {
  // HHT turns at its ERROR; RADAU's stages make angular momentum to what its corrector leaves.
  const std::pair<const char*, double> integrators[] = {{"HHT, ERROR=1E-6", 1e-4},
                                                        {"RADAU, ERROR=1E-10", 1e-9}};
  for (const auto& [integrator, spin] : integrators) {
    SCOPED_TRACE(integrator);
    const IsolatedHeap heap(integrator);
    const auto [p0, l0, e0] = heap.momenta_and_energy(0);
    double most = 0;
    for (std::size_t n = 1; n < heap.records(); ++n) {
      const auto [p, l, e] = heap.momenta_and_energy(n);
      const auto [force, moment] = heap.force_and_moment(n);
      most = std::max(most, force);
      EXPECT_LT(norm(p - p0), 1e-12) << n;  // of 16 kg m/s that move about; HHT sums forces of both ends
      EXPECT_LT(norm(l - l0), spin) << n;
      EXPECT_LT(moment, 1e-12 * (1 + force)) << n;
      EXPECT_LT(e, e0 * (1 + 1e-6)) << n;  // what an overlap stores is not in it, so it may grow again
    }
    EXPECT_GT(most, 100);
    EXPECT_LT(std::get<2>(heap.momenta_and_energy(heap.records() - 1)), 0.9 * e0);
  }
}

/// A ball of 20 mm at 10 m/s against a plate of 2 mm: passage takes 4 ms, and steps could be 40 ms long.
TEST(Contact, nothing_is_passed_in_a_long_step) {
  for (const std::string integrator : {"HHT, ERROR=1E-4", "GSTIFF, ERROR=1E-3", "GSTIFF, SI2, ERROR=1E-3",
                                       "RADAU, ERROR=1E-4", "RKF45, ERROR=1E-4"})
    for (const double start : {0.3, 0.47, 0.8, 1.234}) {
      Recording r(
          deck("GRAPHICS/1, BOX, CORNER=12, X=2, Y=2, Z=0.002\nMARKER/12, PART=1, QP=-1,-1,0\n"
               "PART/2, MASS=2, IP=0.008, 0.008, 0.008, CM=20, VZ=-10, QG=0,0," +
               fmt::format("{}", start) +
               "\nMARKER/20, PART=2\nGRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.04, YSCALE=0.04, ZSCALE=0.04\n"
               "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E8, EXPONENT=1.5, DAMPING=10, DMAX=1E-3\n"
               "INTEGRATOR/" +
               integrator + ", HMAX=0.04\n"));
      r.simulation->run(dynamics_analysis, {0.4, 2});
      EXPECT_GT(r.at(2, "PART/2", "VZ"), 0) << integrator << " from " << start;
    }
}

/// A box that falls on its corner. Its energy is never more than at the start, and little is left in the end:
/// it rocks on a face, which one point damps as far as edges leave the plane, and turns about that point.
TEST(Contact, a_box_that_falls_on_a_corner_ends_on_a_face) {
  Recording r(
      deck("GRAPHICS/1, PLANE, RM=1\nPART/2, MASS=1, IP=0.0017,0.0017,0.0017, CM=20, QG=0,0,0.2, REULER="
           "20D,35D,10D\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-0.05,-0.05,-0.05\n"
           "GRAPHICS/2, BOX, CORNER=21, X=0.1, Y=0.1, Z=0.1\nACCGRAV/KGRAV=-9.81\n"
           "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E5, EXPONENT=1.2, DAMPING=100, DMAX=1E-4\n"
           ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=0.01\n"
           ", FRICTION_TRANSITION_VELOCITY=0.05\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-5\n"));
  r.simulation->run(dynamics_analysis, {4, 400});
  const auto energy = [&](std::size_t n) {
    double e = 9.81 * (r.at(n, "PART/2", "Z") - 0.05);
    for (const char* v : {"VX", "VY", "VZ"}) e += std::pow(r.at(n, "PART/2", v), 2) / 2;
    for (const char* w : {"WX", "WY", "WZ"}) e += 0.0017 * std::pow(r.at(n, "PART/2", w), 2) / 2;
    return e;
  };
  const std::size_t last = r.time.size() - 1;
  for (std::size_t n = 1; n <= last; ++n) EXPECT_LT(energy(n), energy(0) * (1 + 1e-4)) << n;
  EXPECT_LT(energy(last), 0.01 * energy(0));
  EXPECT_NEAR(r.at(last, "PART/2", "Z"), 0.05, 1e-3);
}

/// A box on a box on the ground box, at rest: each presses with what is above it.
TEST(Contact, boxes_stand_on_each_other) {
  std::string bodies = "MARKER/2, PART=1, QP=-1,-1,-1\nGRAPHICS/1, BOX, CORNER=2, X=2, Y=2, Z=1\n", contacts;
  constexpr int boxes = 3;
  const double k = 1e6;
  double z = 0;
  for (int n = 0; n < boxes; ++n) {
    const double depth = (boxes - n) * 9.81 / k;  // below it
    z += 0.05 - depth;
    bodies += fmt::format(
        "PART/{0}, MASS=1, IP=0.0017,0.0017,0.0017, CM={0}0, QG=0.001,0.002,{1:.17g}\nMARKER/{0}0, PART={0}\n"
        "MARKER/{0}1, PART={0}, QP=-0.05,-0.05,-0.05\nGRAPHICS/{0}, BOX, CORNER={0}1, X=0.1, Y=0.1, Z=0.1\n",
        n + 2, z);
    contacts += fmt::format(
        "CONTACT/{0}, IGEOM={1}, JGEOM={0}, STIFFNESS=1E6, EXPONENT=1, DAMPING=1E3, DMAX=1E-6\n"
        ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.4\n"
        ", STICTION_TRANSITION_VELOCITY=1E-3, FRICTION_TRANSITION_VELOCITY=2E-3\n",
        n + 1, n + 2);
    z += 0.05;
  }
  Recording r(deck(bodies + contacts + "ACCGRAV/KGRAV=-9.81\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-7\n"));
  r.simulation->run(dynamics_analysis, {1, 10});
  const std::size_t last = r.time.size() - 1;
  for (int n = 1; n <= boxes; ++n) {
    const std::string contact = fmt::format("CONTACT/{}", n), part = fmt::format("PART/{}", n + 1);
    EXPECT_EQ(r.at(last, contact, "COUNT"), 1);
    EXPECT_NEAR(r.at(last, contact, "FZ"), (boxes - n + 1) * 9.81, 1e-3);
    EXPECT_NEAR(r.at(last, part, "Z"), r.at(0, part, "Z"), 1e-8);
    EXPECT_NEAR(r.at(last, part, "X"), 0.001, 1e-6);
  }
}

/// A ball given as a mesh of facets comes nearer to the ball with the square of their size, and turning it
/// about the vertical changes the force by no more than that.
TEST(Contact, a_mesh_of_a_ball_becomes_the_ball) {
  const auto force = [](int sides, double turn) {
    const TriangleMesh mesh = tessellate({ShapeKind::ball, {0.1}}, sides);
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("ball_{}.obj", sides)).string();
    std::ofstream file(path);
    for (const Vec3d& v : mesh.vertices) file << fmt::format("v {:.17g} {:.17g} {:.17g}\n", v.x, v.y, v.z);
    for (const auto& [a, b, c] : mesh.triangles) file << fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    file.close();
    // Turned about its axis, which is tilted, so that no facet is along the plane; 2 mm deep.
    Recording r(deck("GRAPHICS/1, PLANE, RM=1\nPART/2, MASS=2, IP=1,1,1, CM=20, QG=0,0,0.098\n" +
                     fmt::format(", REULER=17D,33D,{}D\n", turn) +
                     "MARKER/20, PART=2\nGRAPHICS/2, EXTERNAL, RM=20, FILE=" + path +
                     "\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E4, EXPONENT=1, DAMPING=0\n"));
    r.simulation->run(dynamics_analysis, {1e-6, 1});
    std::filesystem::remove(path);
    return r.at(0, "CONTACT/1", "FZ");
  };
  // A facet of the angle a = 2 pi/n, both ways, is up to r (1 - cos²(a/2)) inside.
  const auto sag = [](int sides) { return 0.1 * std::pow(M_PI / sides, 2); };
  const double k = 1e4, exact = k * 0.002;
  double worst[2] = {};
  for (const int fine : {0, 1}) {
    const int sides = fine ? 160 : 40;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double turn : {0.0, 1.0, 2.5, 4.0, 61.0}) {
      const double f = force(sides, turn);
      low = std::min(low, f), high = std::max(high, f);
      worst[fine] = std::max(worst[fine], std::fabs(f - exact));
    }
    EXPECT_LT(worst[fine], k * sag(sides)) << sides;
    EXPECT_LT(high - low, k * sag(sides)) << sides;
  }
  // The square of 4, up to how the facets happen to lie.
  EXPECT_GT(worst[0] / worst[1], 6);
  EXPECT_LT(worst[0] / worst[1], 40);
}

/// Static equilibrium of a ball in a corner of two planes and on the floor: each force from the balance.
TEST(Contact, holds_in_statics) {
  const double k = 1e5;
  Recording r(
      deck("MARKER/2, PART=1, REULER=0,30D,0\nMARKER/3, PART=1, REULER=0,-45D,0\n"
           "GRAPHICS/2, PLANE, RM=2\nGRAPHICS/3, PLANE, RM=3\n" +
           ball("QG=0,0.01,0.11", 4) +
           "ACCGRAV/KGRAV=-9.81\n"
           "CONTACT/1, IGEOM=4, JGEOM=2, STIFFNESS=1E5, EXPONENT=1, DAMPING=10, DMAX=1E-3\n"
           "CONTACT/2, IGEOM=4, JGEOM=3, STIFFNESS=1E5, EXPONENT=1, DAMPING=10, DMAX=1E-3\n"
           "GCON/1, FUNCTION=DX(40,1)\n"));
  r.simulation->run(statics_analysis, {});
  const std::size_t last = r.time.size() - 1;
  // Normals (0, −sin 30°, cos 30°) and (0, sin 45°, cos 45°): N1/N2 = sin 45°/sin 30°.
  const double weight = 2 * 9.81, c = std::sqrt(0.5);
  const double n1 = weight * c / (c * std::cos(M_PI / 6) + c * std::sin(M_PI / 6)), n2 = n1 * 0.5 / c;
  EXPECT_NEAR(r.at(last, "CONTACT/1", "FM"), n1, 1e-6 * weight);
  EXPECT_NEAR(r.at(last, "CONTACT/2", "FM"), n2, 1e-6 * weight);
  EXPECT_NEAR(r.at(last, "CONTACT/1", "DEPTH"), n1 / k, 1e-9);
}

/// A ball of 20 mm that comes from beside a plate of 2 mm, 4 m away, and a point that falls on a bar in its
/// plane: outputs so far apart that a step would take them through both. The ball had fallen to -3.4 m.
TEST(Contact, is_not_passed_from_beside_a_thin_plate) {
  const auto lowest = [](const std::string& deck, double end, int outputs) {
    Recording r("passage\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\n" + deck + "END\n");
    r.simulation->initialize();
    r.simulation->run(dynamics_analysis, {end, outputs});
    return r.at(outputs, "REQUEST/1", "F2");
  };
  for (const std::string integrator : {"", "INTEGRATOR/HHT,ERROR=1E-5\n", "INTEGRATOR/RADAU,ERROR=1E-5\n"})
    for (const int outputs : {1, 3, 5}) {
      SCOPED_TRACE(fmt::format("{} {}", integrator, outputs));
      const std::string ball =
          "MARKER/11,PART=1,QP=-1,-1,-.002\nGRAPHICS/1,BOX,CORNER=11,X=2,Y=2,Z=.002\n"
          "PART/2,MASS=.02,CM=20,IP=1E-6,1E-6,1E-6,QG=-4,0,4.905,VX=4\nMARKER/20,PART=2\n"
          "GRAPHICS/2,ELLIPSOID,CM=20,XSCALE=.02,YSCALE=.02,ZSCALE=.02\n"
          "CONTACT/1,IGEOM=2,JGEOM=1,IMPACT,STIFFNESS=1E7,EXPONENT=1.5,DAMPING=100,DMAX=1E-4\n"
          "ACCGRAV/KGRAV=-9.81\nREQUEST/1,F2=DZ(20)\n";
      EXPECT_GT(lowest(ball + integrator, 1.3, outputs), 0);
      const std::string point =
          "MARKER/11,PART=1,QP=-1,-0.05,0\nMARKER/12,PART=1,QP=1,-0.05,0\nMARKER/13,PART=1,QP=1,0,0\n"
          "MARKER/14,PART=1,QP=-1,0,0\nGRAPHICS/1,OUTLINE=11,12,13,14,11\n"
          "PART/2,MASS=1,CM=20,IP=1,1,1,QG=0.05,5,0\nMARKER/20,PART=2\nJOINT/1,PLANAR,I=20,J=1\n"
          "GRAPHICS/2,POINT,RM=20\n"
          "CONTACT/1,IGEOM=2,JGEOM=1,IMPACT,STIFFNESS=1E6,EXPONENT=1,DAMPING=100,DMAX=1E-3\n"
          "ACCGRAV/JGRAV=-9.81\nREQUEST/1,F2=DY(20)\n";
      EXPECT_GT(lowest(point + integrator, 1.21, outputs), 0);
    }
}

}  // namespace
}  // namespace trammel::contact_test
