// Momenta of a heap that nothing holds, by method and ERROR.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"
#include "table.h"

namespace trammel::heap_test {
namespace {

using test::Recording;

constexpr int first = 2, balls = 4;
constexpr double mass = 2, inertia = 0.008, box_inertia = 0.015;

/// Four balls that fly at a box that turns, with friction; of each body all moments of inertia are alike.
std::string heap(const std::string& integrator) {
  std::string text =
      "heap\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
      "PART/6, MASS=2, IP=0.015,0.015,0.015, CM=60, QG=0,0,0.05, WX=3, WY=1\nMARKER/60, PART=6\n"
      "MARKER/61, PART=6, QP=-0.05,-0.05,-0.05\nGRAPHICS/6, BOX, CORNER=61, X=0.1, Y=0.1, Z=0.1\n";
  for (int k = first; k < first + balls; ++k) {
    const double a = 2 * M_PI * k / balls;
    text += fmt::format(
        "PART/{0}, MASS=2, IP=0.008,0.008,0.008, CM={0}0, QG={1:.6f},{2:.6f},{3:.6f}\n"
        ", VX={4:.6f}, VY={5:.6f}, WZ={0}\nMARKER/{0}0, PART={0}\n"
        "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n",
        k, 0.2 * std::cos(a), 0.2 * std::sin(a), 0.03 * k, -2 * std::cos(a), -2 * std::sin(a));
  }
  return text +
         "CONTACT/1, IGEOM=2,3,4,5,6, JGEOM=2,3,4,5,6, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=20, DMAX=1E-3\n"
         ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=0.05\n"
         ", FRICTION_TRANSITION_VELOCITY=0.5\nINTEGRATOR/" +
         integrator + "\nEND\n";
}

struct Drift {
  double linear = 0, angular = 0;  ///< over what goes about
  double turned = 0;               ///< by how much the angular momentum of one body has changed
};

Drift drift_of(const std::string& integrator) {
  Recording r(heap(integrator));
  r.simulation->run(dynamics_analysis, {0.12, 24});
  Vec3d p0, l0, spin0;
  double size_p = 0, size_l = 0;
  Drift out;
  for (std::size_t n = 0; n < r.time.size(); ++n) {
    Vec3d p, l, spin;
    for (int k = first; k <= first + balls; ++k) {
      const std::string part = fmt::format("PART/{}", k);
      const Vec3d x = r.vector(n, part, "X", "Y", "Z"), mv = mass * r.vector(n, part, "VX", "VY", "VZ");
      spin = (k < first + balls ? inertia : box_inertia) * r.vector(n, part, "WX", "WY", "WZ");
      p += mv;
      l += cross(x, mv) + spin;
      if (n > 0) continue;
      size_p += norm(mv);
      size_l += norm(x) * norm(mv) + norm(spin);
    }
    if (n == 0) p0 = p, l0 = l, spin0 = spin;
    out.linear = std::max(out.linear, norm(p - p0) / size_p);
    out.angular = std::max(out.angular, norm(l - l0) / size_l);
    out.turned = std::max(out.turned, norm(spin - spin0) / size_l);
  }
  return out;
}

/// Forces of a heap have no sum and no moment (tests/assemble/isolated_heap_test.cpp), so that what angular
/// momentum loses is the integration's: it falls with ERROR, as ERROR^(2/3) of HHT, whose local error is of
/// third order and that of a motion of second, and down to rounding. (What HHT loses at 1e-4 is a ninth of
/// that and at 1e-8 half, as it holds velocities where bodies may be stopped, so its power is less over
/// these.)
TEST(Invariants, momenta_of_an_isolated_heap) {
  struct Case {
    const char* method;
    double error[3];
    double least_slope;  ///< of the drift by ERROR
    double most;         ///< drift at the smallest ERROR
  };
  const Case cases[] = {{"HHT", {1e-4, 1e-6, 1e-8}, 0.4, 1e-6},
                        {"GSTIFF, SI2", {1e-5, 1e-7, 1e-9}, 0.5, 1e-9},
                        {"RADAU", {1e-6, 1e-9, 1e-12}, 0.5, 1e-12},
                        {"ABAM", {1e-6, 1e-9, 1e-12}, 0.5, 1e-12},
                        {"RKF45", {1e-6, 1e-9, 1e-12}, 0.5, 1e-12}};
  Table table("heap_momenta", {"method", "ERROR", "linear momentum", "angular momentum", "power of ERROR"});
  for (const Case& c : cases) {
    SCOPED_TRACE(c.method);
    std::vector<double> errors, drifts;
    for (const double error : c.error) {
      const Drift drift = drift_of(fmt::format("{}, ERROR={}", c.method, error));
      errors.push_back(error);
      drifts.push_back(drift.angular);
      const std::size_t n = drifts.size();
      table.row({c.method, fmt::format("{:.0e}", error), small(drift.linear), small(drift.angular),
                 n > 1 ? two_digits(std::log(drifts[n - 2] / drifts[n - 1]) /
                                    std::log(errors[n - 2] / errors[n - 1]))
                       : ""});
      EXPECT_LT(drift.linear, 1e-12) << error;  // rounding
      EXPECT_GT(drift.turned, 0.01) << error;   // the box is hit out of its middle
    }
    EXPECT_GT(slope(errors, drifts), c.least_slope);
    EXPECT_LT(drifts.back(), c.most);
  }
}

}  // namespace
}  // namespace trammel::heap_test
