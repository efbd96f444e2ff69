// The example of docs/add_coupling.md, as it stands there: its terms against the ratios of a differential.
#include <pages/add_coupling.h>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

namespace trammel::coupling_example_test {
namespace {

/// What the statement says: JOINTS = 7, 8, 9.
struct Said {
  struct List {
    std::vector<double> numbers;
    int where = 0;
  };
  List joints{{7, 8, 9}};
  const List* find(std::string_view) const { return &joints; }
  std::string label() const { return "DIFFERENTIAL/1"; }
};

/// Joints by id; I has the id, J ten times that.
struct Joints {
  struct Errors {
    int count = 0;
    void error(int, std::string_view, const std::string&) { ++count; }
  };
  bool slides;  ///< the last joint does, else it turns; others do both
  Errors diagnostics = {};
  std::vector<JointDisplacement> displacements(int id) const {
    const JointDisplacement turning{id, 10 * id, true}, sliding{id, 10 * id, false};
    if (id == 9) return {slides ? sliding : turning};
    return {turning, sliding};
  }
};

TEST(CouplingExample, terms_are_those_of_a_differential) {
  Joints joints{.slides = false};
  const std::vector<JointDisplacement> terms = DifferentialStatement::read(Said(), joints);
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_EQ(joints.diagnostics.count, 0);
  std::map<int, double> factor;
  for (const JointDisplacement& q : terms) {
    EXPECT_TRUE(q.turns);
    EXPECT_EQ(q.J, 10 * q.I);
    factor[q.I] = q.factor;
  }
  // Straight on all turn alike; with the carrier at rest the shafts turn against each other.
  EXPECT_EQ(factor[7] + factor[8] + factor[9], 0);
  EXPECT_EQ(factor[8], factor[9]);
  EXPECT_NE(factor[7], 0);
}

TEST(CouplingExample, a_shaft_that_cannot_turn_is_told) {
  Joints joints{.slides = true};
  EXPECT_TRUE(DifferentialStatement::read(Said(), joints).empty());
  EXPECT_EQ(joints.diagnostics.count, 1);
}

}  // namespace
}  // namespace trammel::coupling_example_test
