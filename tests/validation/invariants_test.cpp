// Energy and momentum over long fixed-step runs.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "bench.h"
#include "integrate/methods/list.h"
#include "table.h"

namespace trammel::invariants_test {
namespace {

const char* const double_pendulum = R"(Double pendulum
UNITS/, FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1, REULER=0D,90D,0D
PART/2, MASS=1, CM=20, IP=1.0E-3,0.02,0.02
MARKER/20, PART=2, QP=0.25,0,0
MARKER/21, PART=2, REULER=0D,90D,0D
MARKER/22, PART=2, QP=0.5,0,0, REULER=0D,90D,0D
PART/3, QG=0.5,0,0, MASS=0.7, CM=30, IP=1.0E-3,0.015,0.015
MARKER/30, PART=3, QP=0.2,0,0
MARKER/31, PART=3, REULER=0D,90D,0D
JOINT/1, REVOLUTE, I=21, J=1
JOINT/2, REVOLUTE, I=31, J=22
ACCGRAV/, KGRAV=-9.81
END
)";

const char* const free_body = R"(Free asymmetric body
UNITS/, FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=3, CM=20, IP=0.2,0.5,0.9, VX=1.1, VY=-0.4, VZ=0.7, WX=0.6, WY=5, WZ=0.4
MARKER/20, PART=2
END
)";

/// Conservative linkages at α = −0.05 over the time of 10⁴ coarse steps: what is lost falls as h² or faster.
TEST(Invariants, energy_of_linkages) {
  struct Case {
    const char* name;
    Model (*make)();
    double h;
  };
  const Case cases[] = {
      {"slider_crank", [] { return load_model("slider_crank/slider_crank.adm"); }, 4e-4},
      {"double pendulum", [] { return model_from_text(double_pendulum); }, 4e-4},
  };
  Table table("energy", {"model", "h [s]", "steps", "energy lost / largest kinetic energy", "order"});
  for (const Case& c : cases) {
    Bench bench(c.make());
    const double start = bench.energy(bench.initial);
    std::vector<double> steps, losses;
    for (int k = 0; k < 3; ++k) {
      const double h = c.h / (1 << k);
      State state = bench.initial;
      const auto integrator =
          make_integrator(bench.model, bench.assembler, bench.system, fixed_step_options(-0.05));
      integrator->start(state);
      // Mean over the last tenth: the energy also swings by O(h²) within a period, and that is no loss.
      double sum = 0, kinetic = 0;
      const int count = 10000 << k, tail = count / 10;
      for (int i = 0; i < count; ++i) {
        integrator->step_exactly(state, h);
        const double e = bench.energy(state);
        kinetic = std::max(kinetic, bench.assembler.kinetic_energy());
        if (i >= count - tail) sum += e;
      }
      steps.push_back(h);
      losses.push_back(std::abs(sum / tail - start) / kinetic);
      table.row({c.name, small(h), std::to_string(count), small(losses.back()),
                 k ? two_digits(std::log2(losses[k - 1] / losses[k])) : ""});
    }
    EXPECT_GE(slope(steps, losses), 1.9) << c.name;
  }
}

TEST(Invariants, momenta_of_a_free_body) {
  Bench bench(model_from_text(free_body));
  const auto angular_momentum = [&](const State& s) {
    observe(bench, s);
    const BodyKinematics& k = bench.assembler.kinematics().body(0);
    return k.A * (bench.model.bodies[0].inertia * transpose_times(k.A, k.w));
  };
  const Vec3d before = angular_momentum(bench.initial);
  const Vec3d v0{bench.initial.v[0], bench.initial.v[1], bench.initial.v[2]};
  Table table("momenta", {"h [s]", "steps", "linear momentum", "angular momentum", "order"});
  std::vector<double> steps, errors;
  for (int k = 0; k < 4; ++k) {
    const double h = 2e-3 / (1 << k);
    State state = bench.initial;
    const auto integrator =
        make_integrator(bench.model, bench.assembler, bench.system, fixed_step_options(-0.3));
    integrator->start(state);
    double linear = 0, angular = 0;
    const int count = 5000 << k;
    for (int i = 0; i < count; ++i) {
      integrator->step_exactly(state, h);
      linear = std::max(linear, norm(Vec3d{state.v[0], state.v[1], state.v[2]} - v0) / norm(v0));
      angular = std::max(angular, norm(angular_momentum(state) - before) / norm(before));
    }
    steps.push_back(h);
    errors.push_back(angular);
    table.row({small(h), std::to_string(count), small(linear), small(angular),
               k ? two_digits(std::log2(errors[k - 1] / angular)) : ""});
    EXPECT_LE(linear, 1e-12);  // no force acts: only rounding
  }
  EXPECT_GE(slope(steps, errors), 1.9);
}

}  // namespace
}  // namespace trammel::invariants_test
