// GSTIFF and WSTIFF: the backward differentiation formulas themselves, their orders, the start that ADAMS
// documents, SI2, and re-based angles.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "../support/oscillator.h"
#include "../support/simulate.h"
#include "integrate/methods/list.h"
#include "math/rotation.h"

namespace trammel {
namespace {

using namespace test;

/// Fixed steps of an oscillator: h q̇ = Σ_{j=1}^{k} ∇^j q/j, the formula in backward differences (Gear 1971),
/// must hold between the steps for q and v, v and a, y and ẏ.
TEST(Bdf, equal_steps_satisfy_the_formula_of_each_order) {
  for (const char* name : {"GSTIFF", "WSTIFF"})
    for (int k = 1; k <= 6; ++k) {
      Oscillator o;
      const double h = 0.02;
      IntegratorOptions options = Oscillator::fixed_steps(h, 1e-9);
      options.method = name;
      options.kmax = k;
      const auto integrator = make_integrator(o.model, o.equations(), options);
      State& state = o.state;
      integrator->start(state);
      std::vector<std::array<double, 5>> past;  // x, v, a, y, ẏ
      int at_order = 0, looked_at = 0;
      for (int n = 0; n < 400; ++n) {
        const StepResult result = integrator->step_exactly(state, h);
        at_order = result.order == k ? at_order + 1 : 0;
        past.push_back({state.q[0], state.v[0], state.a[0], state.s[0], state.sdot[0]});
        if (at_order <= k) continue;  // its past is of other orders
        ++looked_at;
        const auto rate = [&](int column) {
          double sum = 0;
          std::vector<double> difference;
          for (int j = 0; j <= k; ++j) difference.push_back(past[past.size() - 1 - j][column]);
          for (int j = 1; j <= k; ++j) {
            for (int i = 0; i + j <= k; ++i) difference[i] -= difference[i + 1];
            sum += difference[0] / j;
          }
          return sum / h;
        };
        // Rounding of 2 in differences of order 6, 2^6 u/h, over 400 steps that hand it on.
        const double rounding = 1e-10;
        EXPECT_NEAR(rate(0), past.back()[1], rounding) << name << k << " " << n;
        EXPECT_NEAR(rate(1), past.back()[2], 10 * rounding) << name << k << " " << n;
        EXPECT_NEAR(rate(3), past.back()[4], rounding) << name << k << " " << n;
      }
      EXPECT_GT(looked_at, 50) << name << k;
    }
}

/// The documented run of ADAMS: a free body falls from rest in inch and lbf, DTOUT = 0.01. Three steps of
/// HINIT = 5E-4 at order 1 fall ½ g h² too far each; from then on all is exact.
TEST(Bdf, starts_as_adams_does) {
  for (const char* name : {"GSTIFF", "WSTIFF"}) {
    Recording r(
        fmt::format("fall\nUNITS/FORCE=POUND_FORCE, MASS=POUND_MASS, LENGTH=INCH, TIME=SECOND\n"
                    "PART/1, GROUND\nPART/2, MASS=3, CM=21, IP=1,1,1\nMARKER/21, PART=2\n"
                    "ACCGRAV/JGRAV=-386.0885827\nINTEGRATOR/{}\nEND\n",
                    name));
    r.simulation->run(dynamics_analysis, {0.02, 2});
    EXPECT_LE(r.simulation->counters().steps, 8);
    EXPECT_LE(r.simulation->counters().evaluations, 11);
    r.simulation->run(dynamics_analysis, {0.25, 23});
    EXPECT_NEAR(r.at(1, "PART/2", "Y"), -0.0194492123535125, 1e-15);  // as printed
    const double offset = -1.4478321851e-4;
    for (std::size_t k = 1; k < r.time.size(); ++k)
      EXPECT_NEAR(r.at(k, "PART/2", "Y"), offset - 0.5 * 386.0885827 * r.time[k] * r.time[k],
                  1e-12);  // the digits of the offset; rounding of 12 inch
  }
}

/// A rod of length 2 that swings about its end: φ̈ = −(3 g/4) sin φ with a length of 1 to its middle.
std::string rod(const std::string& integrator) {
  return "rod\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
         "PART/2, MASS=1, CM=20, IP=0.3333333333333333, 0.3333333333333333, 0.3333333333333333, QG=1, 0, 0\n"
         "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-1, 0, 0\nJOINT/1, REVOLUTE, I=21, J=10\n"
         "ACCGRAV/JGRAV=-9.81\nREQUEST/1, F2=AZ(21,10)\\F3=WZ(21,10)\\F4=FX(21,10)\nINTEGRATOR/" +
         integrator + ", HMAX=0.1\nEND\n";
}

struct RodError {
  double angle = 0, reaction = 0;
  long steps = 0;
};

/// Against Runge-Kutta of order 4 with steps of 1e-4 for φ (its error is below 1e-13), whose reaction is
/// F_x = ẍ of the middle times its mass.
RodError error_of_rod(const std::string& integrator) {
  Recording r(rod(integrator));
  r.simulation->run(dynamics_analysis, {2, 20});
  RodError e;
  double phi = 0, w = 0;
  const double k = -0.75 * 9.81, h = 1e-4;
  for (std::size_t n = 1; n < r.time.size(); ++n) {
    for (int i = 0; i < 1000; ++i) {
      const double k1 = w, l1 = k * std::cos(phi), k2 = w + h / 2 * l1, l2 = k * std::cos(phi + h / 2 * k1),
                   k3 = w + h / 2 * l2, l3 = k * std::cos(phi + h / 2 * k2), k4 = w + h * l3,
                   l4 = k * std::cos(phi + h * k3);
      phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    const double ax = -std::sin(phi) * k * std::cos(phi) - std::cos(phi) * w * w;
    e.angle = std::max(e.angle, std::abs(r.at(n, "REQUEST/1", "F2") - phi));
    e.reaction = std::max(e.reaction, std::abs(r.at(n, "REQUEST/1", "F4") - ax));
  }
  e.steps = r.simulation->counters().steps;
  return e;
}

/// The error falls with the number of steps as the order says, between two tolerances far apart; so does that
/// of reactions with SI2.
TEST(Bdf, order_of_each_formula) {
  for (const char* form : {"GSTIFF, I3", "WSTIFF, I3", "GSTIFF, SI2", "WSTIFF, SI2"})
    for (int k = 2; k <= 5; ++k) {
      const auto run = [&](double error) {
        return error_of_rod(fmt::format("{}, KMAX={}, ERROR={:g}", form, k, error));
      };
      const RodError coarse = run(1e-5), fine = run(k == 2 ? 1e-9 : 1e-10);
      const double refined = std::log(double(fine.steps) / coarse.steps);
      // The start at order 1 and changes of the order cost a little; step and order control are not smooth.
      EXPECT_GT(std::log(coarse.angle / fine.angle) / refined, k - 0.6) << form << " KMAX = " << k;
      // Index 3 has steps of low order in its reactions where the size of steps changes.
      if (std::string_view(form).ends_with("SI2"))
        EXPECT_GT(std::log(coarse.reaction / fine.reaction) / refined, k - 0.6) << form << " KMAX = " << k;
      else
        EXPECT_LT(fine.reaction, 0.01 * coarse.reaction) << form << " KMAX = " << k;
    }
}

TEST(Bdf, error_follows_the_tolerance) {
  for (const char* form : {"GSTIFF, I3", "WSTIFF, I3", "GSTIFF, SI2", "WSTIFF, SI2"}) {
    double before = 1e9;
    for (int digits = 3; digits <= 10; ++digits) {
      const RodError e = error_of_rod(fmt::format("{}, ERROR=1E-{}", form, digits));
      EXPECT_LT(e.angle, 3 * before) << form << " 1E-" << digits;  // one of them may be small by chance
      EXPECT_LT(e.angle, 3e3 * std::pow(10, -digits)) << form;     // local errors of some hundred steps
      before = e.angle;
    }
  }
}

/// SI2 holds φ and φ̇, index 3 φ alone.
TEST(Bdf, si2_holds_velocities_on_the_constraints) {
  const auto slip = [](const std::string& form) {
    Recording r(rod(form + ", ERROR=1E-4"));
    r.simulation->run(dynamics_analysis, {2, 20});
    double worst[2] = {};
    for (std::size_t n = 1; n < r.time.size(); ++n) {
      const double x = r.at(n, "PART/2", "X"), y = r.at(n, "PART/2", "Y");
      const double vx = r.at(n, "PART/2", "VX"), vy = r.at(n, "PART/2", "VY");
      worst[0] = std::max(worst[0], std::abs(std::hypot(x, y) - 1));
      worst[1] = std::max(worst[1], std::abs(x * vx + y * vy));  // of ½ d(x² + y²)/dt
    }
    return std::pair{worst[0], worst[1]};
  };
  for (const std::string name : {"GSTIFF", "WSTIFF"}) {
    const auto [of_position, of_velocity] = slip(name + ", SI2");
    // Corrections end at 1e-3 ERROR, root mean square of six, of what ξ_{k+1} ≤ 7 divides.
    const double left = 1e-7 * 7 * std::sqrt(6.0) * 3;
    EXPECT_LT(of_position, left) << name;
    EXPECT_LT(of_velocity, left) << name;
    const auto [i3_position, i3_velocity] = slip(name + ", I3");
    EXPECT_LT(i3_position, left) << name;
    EXPECT_GT(i3_velocity, 10 * of_velocity) << name;  // what the stabilization is for
  }
}

/// Andrews' squeezing mechanism against the published angles at 0.03 s (IVP Test Set, PSIDE at 1e-14), and
/// few steps at any tolerance: rounding of φ̇, taken for solved too early, once made steps of SI2 fall with
/// it.
TEST(Bdf, si2_follows_the_tolerance_to_rounding) {
  std::ifstream file(TRAMMEL_SOURCE_DIR "/models/andrews/andrews.adm");
  std::stringstream deck;
  deck << file.rdbuf();
  const double published[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                              -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                              1.048080741042263};
  for (const char* name : {"GSTIFF", "WSTIFF"})
    for (int digits = 4; digits <= 12; ++digits) {
      std::string text = deck.str();
      text.insert(text.find('\n') + 1, fmt::format("INTEGRATOR/{}, SI2, ERROR=1E-{}\n", name, digits));
      Recording r(text);
      r.simulation->run(dynamics_analysis, {0.03, 1});
      double worst = 0;  // relative to the crank's angle, which all follow
      for (int k = 0; k < 7; ++k) {
        const double angle = r.at(r.time.size() - 1, fmt::format("REQUEST/{}", k + 1), "F2");
        worst = std::max(worst, std::abs(angle - published[k]) / published[0]);
      }
      // The velocities' errors of the whole run, which is at most 1,000 local errors in one direction; at the
      // end rounding of the model's own condition.
      EXPECT_LT(worst, std::max(1e3 * std::pow(10, -digits), 1e-9)) << name << " 1E-" << digits;
      // Order 5 or 6: a tenth of the error in at most 1.5 times the steps.
      EXPECT_LT(r.simulation->counters().steps, 400 * std::pow(1.5, digits - 4)) << name << " 1E-" << digits;
    }
}

/// A free asymmetric body tumbles; its angles are re-based many times, with the polynomials of high order.
/// Angular momentum in space and energy are constant.
TEST(Bdf, polynomials_survive_rebasing) {
  for (const char* name : {"GSTIFF", "WSTIFF", "GSTIFF, SI2"}) {
    Recording r(
        fmt::format("tumble\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, "
                    "GROUND\nPART/2, MASS=1, CM=20, IP=1, 2, 3, WX=0.05, WY=4, WZ=0.1\nMARKER/20, "
                    "PART=2\nINTEGRATOR/{}, ERROR=1E-8\nEND\n",
                    name));
    r.simulation->run(dynamics_analysis, {20, 100});
    const StepCounters& c = r.simulation->counters();
    EXPECT_GT(c.rebases, 5) << name;
    // About as many steps as a formula of order 5 needs for a motion of some 40 rad at 1e-8; order 1, to
    // which lost polynomials would fall, needs a hundred times more.
    EXPECT_LT(c.steps, 8000) << name;
    // Local errors of 1e-8 of some hundred steps in one direction: in velocities with SI2; index 3 has them
    // in positions, and steps of 0.02.
    const double accuracy = std::string_view(name).ends_with("SI2") ? 2e-6 : 2e-5;
    const auto momentum = [&](std::size_t k) {
      const Mat3d A = rotation_313(r.vector(k, "PART/2", "PSI", "THETA", "PHI"));
      const Vec3d w = transpose_times(A, r.vector(k, "PART/2", "WX", "WY", "WZ"));
      return A * Vec3d{w.x, 2 * w.y, 3 * w.z};
    };
    for (std::size_t k = 1; k < r.time.size(); ++k)
      EXPECT_LT(norm(momentum(k) - momentum(0)), accuracy * norm(momentum(0))) << name << " " << r.time[k];
    EXPECT_GT(std::abs(r.at(30, "PART/2", "THETA") - r.at(0, "PART/2", "THETA")) +
                  std::abs(r.at(50, "PART/2", "THETA") - r.at(0, "PART/2", "THETA")),
              0.5);  // it tumbles
  }
}

}  // namespace
}  // namespace trammel
