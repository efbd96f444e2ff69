// The force that docs/add_force.md shows, compiled from that page: its wrench in closed form, its part of the
// tangent against differences of the generalized forces.
#include <gtest/gtest.h>
#include <pages/add_force.h>

#include "assemble/pools/connectors.h"
#include "one_force.h"

namespace trammel::force_example_test {
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
  std::vector<Element> connectors;
};

struct Numbers {
  double real(std::string_view name, double) const { return name == "K" ? 3 : name == "K3" ? 2 : 0.4; }
};

class ForceExample : public OneForce {
 protected:
  CubicSpring spring = CubicSpringStatement::read(Numbers());
  int I = index_of(22), J = index_of(33);
  Pool pool{Springs{{{spring, I, J}}}};
  HostPlace place;
  Pool::Table table = pool.table(place);

  ForceExample() {
    pairs = {{I, J}};
    table.count = 1;
    wrench = [this](const AssemblyView& w) { Pool::wrench(w, table, 0, 0); };
  }
};

TEST_F(ForceExample, of_the_documents_has_its_wrench) {
  EXPECT_EQ(spring.k3, 2);
  const std::vector<double> w = wrenches_at(state);
  const Vec3d d = marker(I).r - marker(J).r;
  const double x = norm(d) - 0.4, f = -3 * x - 2 * x * x * x;
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(w[k], f * d[k] / norm(d), 1e-12 * std::abs(f));
    EXPECT_EQ(w[6 + k], -w[k]);
    EXPECT_EQ(w[3 + k], 0);
    EXPECT_EQ(w[9 + k], 0);
  }
}

TEST_F(ForceExample, of_the_documents_has_its_tangent) {
  expect_tangent([&](auto& writer) { Pool::tangent(writer, table, 0); });
}

}  // namespace
}  // namespace trammel::force_example_test
