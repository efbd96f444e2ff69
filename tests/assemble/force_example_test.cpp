// The force that docs/add_force.md shows, compiled from that page: its wrench in closed form, its part of the
// tangent against differences of the generalized forces.
#include <gtest/gtest.h>
#include <pages/add_force.h>

#include "../support/deck.h"
#include "assemble/assembler.h"
#include "assemble/pools/connectors.h"
#include "random_model.h"

namespace trammel {
namespace {

using namespace test;

using Law = std::variant<CubicSpring>;
using Pool = ConnectorsOf<Law>;

/// What the pool of connectors reads of a model.
struct Springs {
  struct Element {
    Law law;
    int I, J, angle = -1;
  };
  std::vector<Element> flexible_connectors;
};

struct Numbers {
  double real(std::string_view name, double) const { return name == "K" ? 3 : name == "K3" ? 2 : 0.4; }
};

/// The entries of the tangent, summed in a dense matrix.
struct DenseSink {
  std::vector<std::vector<double>> m;
  bool numbers() const { return true; }
  void put(int row, int column, double value) { m[row][column] += value; }
};

class ForceExample : public ::testing::Test {
 protected:
  Random random{3};
  Model model = compile_text(random_bodies(random));
  State state = random_state(model, random);
  Assembler assembler{model};
  CubicSpring spring = CubicSpringStatement::read(Numbers());
  int I = index_of(22), J = index_of(33);
  Pool pool{Springs{{{spring, I, J}}}};
  HostPlace place;
  Pool::Table table = pool.table(place);
  double wrenches[12];

  ForceExample() { table.count = 1; }
  int index_of(int id) const {
    int m = 0;
    while (model.markers[m].id != id) ++m;
    return m;
  }
  AssemblyView view(const EvaluationPoint& point) {
    static constexpr int none = -1;
    AssemblyView w = assembler.view(state, point);
    w.array.wrench = wrenches;
    w.table.force_output = &none;
    return w;
  }
  /// Generalized forces of the spring: f, and Hᵀ(s × f), on the bodies of both markers.
  std::vector<double> generalized() {
    assembler.evaluate(state, in_dynamics);
    const EvaluationPoint point{0, 4, {}};
    Pool::wrench(view(point), table, 0, 0);
    std::vector<double> q(model.coordinates);
    for (const auto& [marker, at] : {std::pair{I, 0}, std::pair{J, 6}}) {
      const int b = model.markers[marker].body;
      const Vec3d f = load(wrenches + at);
      const Vec3d e =
          transpose_times(assembler.kinematics().body(b).H, cross(assembler.kinematics().arm(marker), f));
      for (int k = 0; k < 3; ++k)
        q[model.bodies[b].first + k] += f[k], q[model.bodies[b].angles() + k] += e[k];
    }
    return q;
  }
};

TEST_F(ForceExample, of_the_documents_has_its_wrench) {
  EXPECT_EQ(spring.k3, 2);
  assembler.evaluate(state, in_dynamics);
  const Vec3d d = assembler.kinematics().marker(I).r - assembler.kinematics().marker(J).r;
  const double x = norm(d) - 0.4, f = -3 * x - 2 * x * x * x;
  generalized();
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(wrenches[k], f * d[k] / norm(d), 1e-12 * std::abs(f));
    EXPECT_EQ(wrenches[6 + k], -wrenches[k]);
    EXPECT_EQ(wrenches[3 + k], 0);
    EXPECT_EQ(wrenches[9 + k], 0);
  }
}

TEST_F(ForceExample, of_the_documents_has_its_tangent) {
  generalized();
  const Coefficients positions{0, 0, 1, 0, 0};
  std::vector<double> values(assembler.pattern().nonzeros());
  assembler.tangent(state, positions, values);  // variations of the bodies by their coordinates
  const EvaluationPoint point{0, 4, positions};
  const AssemblyView w = view(point);
  const int n = model.coordinates;
  DenseSink sink{std::vector(n, std::vector<double>(n))};
  TangentWriter writer(w, sink);
  Pool::tangent(writer, table, 0);
  // The writer leaves what turns with the axes of a body alone to the bodies: Hᵀ and the arm, from the total
  // wrench. Differences with both held: the wrench alone changes.
  const auto held = [&](int column, double h) {
    generalized();
    Mat3d H[2];
    Vec3d arm[2];
    const int marker[2] = {I, J};
    for (int p = 0; p < 2; ++p) {
      H[p] = assembler.kinematics().body(model.markers[marker[p]].body).H;
      arm[p] = assembler.kinematics().arm(marker[p]);
    }
    const double before = state.q[column];
    state.q[column] = before + h;
    generalized();
    state.q[column] = before;
    std::vector<double> q(n);
    for (int p = 0; p < 2; ++p) {
      const Body& body = model.bodies[model.markers[marker[p]].body];
      const Vec3d f = load(wrenches + 6 * p), e = transpose_times(H[p], cross(arm[p], f));
      for (int k = 0; k < 3; ++k) q[body.first + k] += f[k], q[body.angles() + k] += e[k];
    }
    return q;
  };
  for (int column = 0; column < n; ++column) {
    constexpr double h = 1e-5;
    const std::vector<double> above = held(column, h), below = held(column, -h);
    for (int row = 0; row < n; ++row)
      EXPECT_NEAR(sink.m[row][column], -(above[row] - below[row]) / (2 * h), 1e-6) << row << ' ' << column;
  }
}

}  // namespace
}  // namespace trammel
