// Orientation: the same motion in any global frame, and after many turns.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "bench.h"
#include "integrate/methods/list.h"
#include "table.h"

namespace trammel::spin_test {
namespace {

struct Flight {
  State end;
  long steps = 0, rebases = 0, rejected = 0;
  double smallest_ratio = 1;  ///< of a step to the one before it, after re-basings: 1 means no restart
};

Flight fly(Bench& bench, const IntegratorOptions& options, double end) {
  Flight out;
  State state = bench.initial;
  const auto integrator = make_integrator(bench.model, bench.assembler, bench.system, options);
  integrator->start(state);
  bool rebased = false;
  double h = 0;
  while (state.t < end * (1 - 1e-12)) {
    const long before = integrator->counters().rebases;
    // Equal steps to the end, as outputs ask for.
    const double left = end - state.t, suggested = std::min(integrator->suggested_step(), options.hmax);
    const StepResult r =
        integrator->step(state, left / std::max(1.0, std::ceil(left / suggested * (1 - 1e-9))));
    if (rebased && h > 0) out.smallest_ratio = std::min(out.smallest_ratio, r.h / h);
    rebased = integrator->counters().rebases > before;
    h = r.h;
  }
  out.end = state;
  out.steps = integrator->counters().steps;
  out.rebases = integrator->counters().rebases;
  out.rejected = integrator->counters().rejected_error + integrator->counters().rejected_corrector;
  return out;
}

Mat3d random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const Vec3d a{normal(random), normal(random), normal(random)},
      b{normal(random), normal(random), normal(random)};
  const Vec3d z = (1 / norm(a)) * a;
  Vec3d x = b - dot(b, z) * z;
  x = (1 / norm(x)) * x;
  return Mat3d::from_columns(x, cross(z, x), z);
}

/// Largest difference of positions and axes, the turned motion rotated back.
double difference(Bench& bench, const State& a, Bench& turned_bench, const State& b, const Mat3d& R) {
  const std::vector<double> p = observe(bench, a).position, q = observe(turned_bench, b).position;
  double largest = 0;
  for (std::size_t i = 0; i < p.size(); i += 3) {
    const Vec3d back = transpose_times(R, Vec3d{q[i], q[i + 1], q[i + 2]});
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(back[k] - p[i + k]));
  }
  return largest;
}

const char* const tumbling_body = R"(Free asymmetric body, tumbling
UNITS/, FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=3, CM=20, IP=0.2,0.5,0.9, VX=1.1, VY=-0.4, VZ=0.7, WX=25, WY=-20, WZ=20
MARKER/20, PART=2
END
)";

TEST(Spin, same_motion_in_fifty_global_orientations) {
  struct Case {
    const char* name;
    Model (*make)();
    double end;
  };
  const Case cases[] = {
      {"heavy_top, 150 rad/s", [] { return load_model("heavy_top/heavy_top.adm"); }, 0.5},
      {"spherical_pendulum", [] { return load_model("spherical_pendulum/spherical_pendulum.adm"); }, 3},
      {"free body tumbling at 38 rad/s", [] { return model_from_text(tumbling_body); }, 2},
  };
  Table table("orientations", {"motion", "true error", "largest difference", "steps", "most steps",
                               "re-basings", "most re-basings", "smallest step after a re-basing / before"});
  for (const Case& c : cases) {
    IntegratorOptions options;
    options.error = 1e-8;
    options.hmax = c.end / 100;
    options.hinit = options.hmax / 1000;
    Bench bench(c.make());
    const Flight reference = fly(bench, options, c.end);
    State exact = bench.initial;
    Reference(bench).advance(exact, c.end, static_cast<int>(2000 * c.end));
    const double error = difference(bench, exact, bench, reference.end, Mat3d::identity());
    std::mt19937 random(7);
    double largest = 0, smallest_ratio = reference.smallest_ratio;
    long most_steps = 0, most_rebases = 0;
    for (int k = 0; k < 50; ++k) {
      const Mat3d R = random_rotation(random);
      Bench other(turned(c.make(), R));
      const Flight flight = fly(other, options, c.end);
      largest = std::max(largest, difference(bench, reference.end, other, flight.end, R));
      most_steps = std::max(most_steps, flight.steps);
      most_rebases = std::max(most_rebases, flight.rebases);
      smallest_ratio = std::min(smallest_ratio, flight.smallest_ratio);
    }
    table.row({c.name, small(error), small(largest), std::to_string(reference.steps),
               std::to_string(most_steps), std::to_string(reference.rebases), std::to_string(most_rebases),
               two_digits(smallest_ratio)});
    // Each run has an error of that size of its own, in its own direction.
    EXPECT_LE(largest, 2 * error) << c.name;
    EXPECT_LE(double(most_steps), 1.25 * double(reference.steps)) << c.name;
    // A restart would begin with HINIT, a thousandth of HMAX.
    EXPECT_GE(smallest_ratio, 0.5) << c.name;
  }
}

const char* const rotor = R"(Eccentric rotor on a horizontal pin, turning over the top
UNITS/, FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1, REULER=0D,90D,0D
PART/2, MASS=2, CM=20, IP=0.02,0.05,0.03, VX=1.0, WY=-20
MARKER/20, PART=2, QP=0,0,-0.05
MARKER/21, PART=2, REULER=0D,90D,0D
JOINT/1, REVOLUTE, I=21, J=1
ACCGRAV/, KGRAV=-9.81
END
)";

/// 1,000 turns: nothing depends on how far the body has turned. Per turn: steps, change of energy, and
/// the time of a turn against the time that a body of the present energy needs (quadrature over a turn).
TEST(Spin, thousand_turns) {
  Bench bench(model_from_text(rotor));
  IntegratorOptions options;
  options.error = 1e-7;
  options.hmax = 0.01;
  options.hinit = 1e-4;
  State state = bench.initial;
  const auto integrator = make_integrator(bench.model, bench.assembler, bench.system, options);
  integrator->start(state);
  const double inertia = 0.05 + 2 * 0.05 * 0.05, moment = 2 * 9.81 * 0.05;
  const auto height_angle = [&](const State& s) {  // direction of the arm in the plane of motion
    observe(bench, s);
    const Vec3d x = bench.assembler.kinematics().body(0).x;
    return std::atan2(x.x, -x.z);
  };
  const auto period = [&](double energy) {  // ∮ dθ/θ̇, θ̇² = 2 (E + m g r cos θ)/J; trapezoidal rule, periodic
    double sum = 0;
    for (int k = 0; k < 256; ++k)
      sum += 1 / std::sqrt(2 * (energy + moment * std::cos(2 * std::numbers::pi * k / 256)) / inertia);
    return sum * 2 * std::numbers::pi / 256;
  };
  struct Turn {
    double steps = 0, energy = 0, time = 0;
  };
  std::vector<Turn> turns;
  double angle = height_angle(state), total = 0, crossing = 0, energy = bench.energy(state);
  long steps = 0;
  while (turns.size() < 1000) {
    const double t0 = state.t;
    integrator->step(state, options.hmax);
    const double now = height_angle(state), d = std::remainder(now - angle, 2 * std::numbers::pi);
    const double next = std::abs(total + d), goal = 2 * std::numbers::pi * double(turns.size() + 1);
    if (next >= goal) {
      // Where the arm passes the lowest point, by the rate there, which hardly changes within a step.
      const double t = state.t - (next - goal) / (std::abs(d) / (state.t - t0));
      const double e = bench.energy(state);
      turns.push_back({double(integrator->counters().steps - steps), e - energy,
                       (t - crossing) - period(0.5 * (e + energy))});
      steps = integrator->counters().steps;
      energy = e;
      crossing = t;
    }
    total += d;
    angle = now;
  }
  const auto mean = [&](std::size_t from, double Turn::*what) {
    double sum = 0;
    for (std::size_t k = from; k < from + 50; ++k) sum += turns[k].*what;
    return sum / 50;
  };
  Table table("thousand_turns",
              {"turns", "steps per turn", "energy lost per turn", "error of the time of a turn"});
  for (std::size_t from : {10, 250, 500, 750, 950})
    table.row({fmt::format("{} to {}", from, from + 49), fmt::format("{:.1f}", mean(from, &Turn::steps)),
               small(-mean(from, &Turn::energy)), small(mean(from, &Turn::time))});
  EXPECT_NEAR(mean(950, &Turn::steps) / mean(10, &Turn::steps), 1, 0.1);
  EXPECT_NEAR(mean(950, &Turn::energy) / mean(10, &Turn::energy), 1, 0.1);
  EXPECT_NEAR(mean(950, &Turn::time) / mean(10, &Turn::time), 1, 0.2);
  // No drift: what is left is what the corrector may leave, c·ERROR of Eq. 40 with c = 1e-3.
  EXPECT_LE(bench.violation(state, ConstraintLevel::position), 1e-3 * options.error);
}

}  // namespace
}  // namespace trammel::spin_test
