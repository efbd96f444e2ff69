// Motions whose course is known otherwise, for tests of integration methods: a rod that swings about its end,
// beside Runge-Kutta of order 4 in one angle; Andrews' squeezing mechanism, published; a free body that
// tumbles; an oscillator.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "../support/oscillator.h"
#include "../support/simulate.h"
#include "integrate/methods/list.h"
#include "math/rotation.h"

namespace trammel::test {

/// A rod of length 2 and mass 1 that swings about its end: φ̈ = −(3 g/4) cos φ with a length of 1 to its
/// middle.
inline std::string rod(const std::string& integrator, double hmax = 0.1) {
  return "rod\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
         "PART/2, MASS=1, CM=20, IP=0.3333333333333333, 0.3333333333333333, 0.3333333333333333, QG=1, 0, 0\n"
         "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-1, 0, 0\nJOINT/1, REVOLUTE, I=21, J=10\n"
         "ACCGRAV/JGRAV=-9.81\nREQUEST/1, F2=AZ(21,10)\\F3=WZ(21,10)\\F4=FX(21,10)\nINTEGRATOR/" +
         integrator + fmt::format(", HMAX={:.17g}\nEND\n", hmax);
}

/// The largest errors at the outputs.
struct RodError {
  double angle = 0, rate = 0, acceleration = 0, reaction = 0;
  long steps = 0;
};

/// Of 20 outputs in 2 s, with steps of 1e-4 in the reference, whose error is below 1e-13. The reaction is
/// F_x = ẍ of the middle times its mass.
inline RodError error_of_rod(const std::string& integrator, double hmax = 0.1) {
  Recording r(rod(integrator, hmax));
  r.simulation->run(dynamics_analysis, {2, 20});
  RodError e;
  double phi = 0, w = 0;
  const double k = -0.75 * 9.81, h = 1e-4;
  const auto worse = [](double& worst, double error) { worst = std::max(worst, std::abs(error)); };
  for (std::size_t n = 1; n < r.time.size(); ++n) {
    for (int i = 0; i < 1000; ++i) {
      const double k1 = w, l1 = k * std::cos(phi), k2 = w + h / 2 * l1, l2 = k * std::cos(phi + h / 2 * k1),
                   k3 = w + h / 2 * l2, l3 = k * std::cos(phi + h / 2 * k2), k4 = w + h * l3,
                   l4 = k * std::cos(phi + h * k3);
      phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    const double ax = -std::sin(phi) * k * std::cos(phi) - std::cos(phi) * w * w;
    worse(e.angle, r.at(n, "REQUEST/1", "F2") - phi);
    worse(e.rate, r.at(n, "REQUEST/1", "F3") - w);
    worse(e.acceleration, r.at(n, "PART/2", "ACCX") - ax);
    worse(e.reaction, r.at(n, "REQUEST/1", "F4") - ax);
  }
  e.steps = r.simulation->counters().steps;
  return e;
}

/// Andrews' squeezing mechanism at 0.03 s: the largest error of the angles beside the published ones (IVP
/// Test Set, PSIDE at 1e-14), relative to that of the crank, which all follow; and the steps. `models`: the
/// folder of the decks.
struct SqueezingError {
  double angle = 0;
  long steps = 0;
};
inline SqueezingError error_of_squeezing(const std::string& models, const std::string& integrator) {
  std::ifstream file(models + "/andrews/andrews.adm");
  std::stringstream deck;
  deck << file.rdbuf();
  std::string text = deck.str();
  text.insert(text.find('\n') + 1, "INTEGRATOR/" + integrator + "\n");
  const double published[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                              -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                              1.048080741042263};
  Recording r(text);
  r.simulation->run(dynamics_analysis, {0.03, 1});
  SqueezingError e{0, r.simulation->counters().steps};
  for (int k = 0; k < 7; ++k) {
    const double angle = r.at(r.time.size() - 1, fmt::format("REQUEST/{}", k + 1), "F2");
    e.angle = std::max(e.angle, std::abs(angle - published[k]) / published[0]);
  }
  return e;
}

/// A free asymmetric body that tumbles: its angles are re-based again and again.
inline std::string tumbling_body(const std::string& integrator) {
  return "tumble\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nPART/2, MASS=1, "
         "CM=20, IP=1, 2, 3, WX=0.05, WY=4, WZ=0.1\nMARKER/20, PART=2\nINTEGRATOR/" +
         integrator + "\nEND\n";
}
/// Its angular momentum in space, which is constant.
inline Vec3d momentum_of_tumbling(const Recording& r, std::size_t k) {
  const Mat3d A = rotation_313(r.vector(k, "PART/2", "PSI", "THETA", "PHI"));
  const Vec3d w = transpose_times(A, r.vector(k, "PART/2", "WX", "WY", "WZ"));
  return A * Vec3d{w.x, 2 * w.y, 3 * w.z};
}

inline double order_of(double coarse, double fine) {
  return std::log2(coarse / fine);
}

/// 2 ẍ + 0.8 ẋ + 50 (x − 1.5) = 0 from 2 at rest, ẏ = −3 y from 1, one second in steps of h: errors of x, ẋ,
/// ẍ, y.
inline std::array<double, 4> error_of_oscillator(const std::string& method, double h) {
  Oscillator o;
  IntegratorOptions options = Oscillator::fixed_steps(h, 1e-12);
  options.method = method;
  const auto integrator = make_integrator(o.model, o.equations(), options);
  integrator->start(o.state);
  const int steps = static_cast<int>(std::lround(1 / h));
  for (int k = 0; k < steps; ++k) integrator->step_exactly(o.state, h);
  EXPECT_EQ(integrator->counters().steps, steps);
  const double d = 0.2, w = std::sqrt(25 - d * d);  // x − 1.5 = ½ e^{−dt} (cos wt + d/w sin wt)
  const double x = 0.5 * std::exp(-d) * (std::cos(w) + d / w * std::sin(w));
  const double v = -0.5 * std::exp(-d) * (w + d * d / w) * std::sin(w);
  return {std::abs(o.state.q[0] - 1.5 - x), std::abs(o.state.v[0] - v),
          std::abs(o.state.a[0] + 0.4 * v + 25 * x), std::abs(o.state.s[0] - std::exp(-3.0))};
}

}  // namespace trammel::test
