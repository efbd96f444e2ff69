// The cable that docs/add_force_on_markers.md shows, compiled from that page: its wrenches in closed form and
// as derivatives of its energy, their balance, its part of the tangent against differences.
#include <gtest/gtest.h>
#include <pages/add_force_on_markers.h>

#include "assemble/pools/multi_point_forces.h"
#include "one_force.h"

namespace trammel::markers_example_test {
namespace {

using namespace test;

using Pool = MultiPointForcesOf<MultiPointLawList<Nforce, Cable>>;

/// What the pool reads of a model.
struct Cables {
  std::vector<MultiPointForce> multi_point_forces;
};

/// CABLE/1, MARKERS = 12, 22, 23, 33, 51: from ground by two markers of one part to another part and a point.
struct CableDeck {
  double c, length;
  struct List {
    std::vector<double> numbers{12, 22, 23, 33, 51};
  } list;
  const List* find(std::string_view) const { return &list; }
  double real(std::string_view name, double) const { return name == "K" ? 3 : name == "C" ? c : length; }
};

class MarkersExample : public OneForce {
 protected:
  static constexpr double K = 3;
  double C = 0.2, free_length = 0.5;
  Cables model_of_cable;
  std::unique_ptr<Pool> pool;
  HostPlace place;
  Pool::Table table;
  Room room;

  void SetUp() override { make(); }
  void make() {
    const CableDeck deck{C, free_length, {}};
    MultiPointForce cable;
    cable.law = 1;
    CableStatement::pairs(deck, [&](int i, int j) {
      cable.I.push_back(index_of(i));
      cable.J.push_back(index_of(j));
    });
    pairs.clear();
    for (int p = 0; p < cable.pairs(); ++p) pairs.emplace_back(cable.I[p], cable.J[p]);
    int nothing = 0;
    cable.parameters = CableStatement::read(deck, cable.pairs(), nothing);
    model_of_cable.multi_point_forces = {cable};
    pool = std::make_unique<Pool>(model_of_cable);
    table = pool->table(place);
    wrench = [this](const AssemblyView& w) { Pool::wrench(w, table, 0, room); };
  }
  double length_at(const State& at) {
    assembler.evaluate(at, in_dynamics);
    double sum = 0;
    for (const auto& [I, J] : pairs) sum += norm(marker(I).r - marker(J).r);
    return sum;
  }
  /// The rate of the length: along the velocities.
  double rate_at(const State& at) {
    return derivative([&](double h) {
      State moved = at;
      for (int k = 0; k < model.coordinates; ++k) moved.q[k] += h * at.v[k];
      return length_at(moved);
    });
  }
};

/// T = K x (1 + C ẋ), from marker to marker.
TEST_F(MarkersExample, of_the_documents_has_its_wrenches) {
  ASSERT_EQ(pairs.size(), 4u);
  const double tension = K * (length_at(state) - 0.5) * (1 + 0.2 * rate_at(state));
  ASSERT_GT(tension, 1);
  const std::vector<double> w = wrenches_at(state);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const Vec3d d = marker(pairs[p].first).r - marker(pairs[p].second).r;
    for (int k = 0; k < 3; ++k) {
      // Differences of the length, of fourth order: 1e-11 of its rate.
      EXPECT_NEAR(w[12 * p + k], -tension * d[k] / norm(d), 1e-9 * tension) << p;
      EXPECT_EQ(w[12 * p + 6 + k], -w[12 * p + k]);
      EXPECT_EQ(w[12 * p + 3 + k], 0);
      EXPECT_EQ(w[12 * p + 9 + k], 0);
    }
  }
}

/// Without damping the generalized forces are those of the potential K x²/2.
TEST_F(MarkersExample, of_the_documents_has_a_potential) {
  C = 0;
  make();
  const std::vector<double> q = generalized(state, levers_at(state));
  for (int k = 0; k < model.coordinates; ++k) {
    const double slope = derivative([&](double h) {
      State moved = state;
      moved.q[k] += h;
      const double x = length_at(moved) - free_length;
      return K * x * x / 2;
    });
    EXPECT_NEAR(q[k], -slope, 1e-9 * K * length_at(state)) << k;  // rounding of the energy, 1e-16/h, and h^4
  }
}

TEST_F(MarkersExample, of_the_documents_is_in_balance) {
  const std::vector<double> w = wrenches_at(state);
  Vec3d force{}, torque{};
  double size = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (int side = 0; side < 2; ++side) {
      const double* x = w.data() + 12 * p + 6 * side;
      force += load(x);
      torque += load(x + 3) + cross(marker(side == 0 ? pairs[p].first : pairs[p].second).r, load(x));
      size += norm(load(x));
    }
  EXPECT_LE(norm(force), 1e-15 * size);
  EXPECT_LE(norm(torque), 1e-15 * size);  // arms of length 1
}

TEST_F(MarkersExample, of_the_documents_has_its_tangent) {
  expect_tangent([&](auto& writer) { Pool::tangent(writer, table, 0); });
}

/// Neither a slack cable nor one that shortens faster than its damping allows pushes.
TEST_F(MarkersExample, of_the_documents_only_pulls) {
  free_length = length_at(state) + 0.1;
  make();
  EXPECT_EQ(wrenches_at(state), std::vector<double>(48, 0.0));
  expect_tangent([&](auto& writer) { Pool::tangent(writer, table, 0); });
  free_length = 0.5;
  C = -1.1 / rate_at(state);
  make();
  EXPECT_EQ(wrenches_at(state), std::vector<double>(48, 0.0));
}

}  // namespace
}  // namespace trammel::markers_example_test
