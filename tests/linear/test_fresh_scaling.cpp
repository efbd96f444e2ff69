// A matrix set as fresh may be of other magnitudes altogether than the one before.
#include <gtest/gtest.h>

#include "linear/system.h"
#include "mechanisms.h"

namespace trammel::test_fresh_scaling {
namespace {

using namespace test;

/// Initial positions weight displacements with 1, accelerations with masses and inertias: on a net of 400
/// bodies the scaling of the first makes pivots of the second leave the diagonal, and the factors grow.
TEST(FreshScaling, belongs_to_the_matrix_that_is_set) {
  System s = make_system(net(20));
  const std::vector<double> masses = s.values;
  std::vector<double> weights = masses;
  const MechanismGraph& graph = s.graph;
  std::vector<char> is_body(s.pattern.n, 0);
  for (const GraphVertex& v : graph.vertices)
    if (v.kind == VertexKind::body)
      for (int k = 0; k < v.count; ++k) is_body[v.first + k] = 1;
  for (int j = 0; j < s.pattern.n; ++j)
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k)
      if (is_body[j] && is_body[s.pattern.row[k]]) weights[k] *= 1e6;

  GuardedSystem direct, after_another;
  direct.analyze(s.pattern, s.graph);
  ASSERT_TRUE(direct.set_matrix(masses.data(), true).ok());
  after_another.analyze(s.pattern, s.graph);
  ASSERT_TRUE(after_another.set_matrix(weights.data(), true).ok());
  const Scaling first = after_another.scaling();
  ASSERT_TRUE(after_another.set_matrix(masses.data(), true).ok());
  EXPECT_NE(first.row, after_another.scaling().row);
  EXPECT_EQ(direct.scaling().row, after_another.scaling().row);
  EXPECT_EQ(direct.info().nonzeros, after_another.info().nonzeros);
  // A refactorization keeps the scaling: its pivots were chosen in it.
  ASSERT_TRUE(after_another.set_matrix(weights.data()).ok());
  EXPECT_EQ(direct.scaling().row, after_another.scaling().row);
}

}  // namespace
}  // namespace trammel::test_fresh_scaling
