// Strains and stresses of solid elements: exact where displacements are polynomials, and those of CalculiX.
#include "flexible/solid_elements.h"

#include <gtest/gtest.h>

#include <random>

#include "../support/calculix.h"
#include "../support/solid_bar.h"

namespace trammel::solid_elements_test {
namespace {

using test::SolidBar;

class EachSolid : public testing::TestWithParam<std::string> {};

/// Strain of u(x) = G x.
void expect_strain(const double* strain, const Mat3d& G, double tolerance) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    EXPECT_NEAR(strain[i], G(i, i), tolerance);
    EXPECT_NEAR(strain[3 + i], 0.5 * (G(i, j) + G(j, i)), tolerance);
  }
}

/// The patch test: a linear field has its strain at every node of elements of any form. Strains are of
/// size 1.
TEST_P(EachSolid, constant_strains_are_exact) {
  const SolidBar bar(GetParam());
  SolidStrains element(bar.kind());
  Mat3d G;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) G(i, j) = number(random);
  const int n = bar.kind().nodes;
  for (int e = 0; e < bar.elements(); ++e) {
    std::vector<Vec3d> at(n);
    std::vector<double> moved(3 * n), strain(6 * n);
    for (int a = 0; a < n; ++a) {
      at[a] = bar.position(bar.node(e)[a]);
      const Vec3d u = G * at[a];
      for (int d = 0; d < 3; ++d) moved[3 * a + d] = u[d];
    }
    ASSERT_TRUE(element.place(at.data(), SolidBar::material())) << e;
    element.at_nodes(moved.data(), strain.data());
    for (int a = 0; a < n; ++a) expect_strain(strain.data() + 6 * a, G, 1e-12);
  }
}

/// Pure bending u = (xy, −x²/2, 0), strain xx = y, of an element with straight edges: of quadratic kinds, and
/// of the brick with bending shapes of its own (without lateral contraction, which these do not have).
TEST_P(EachSolid, bending_is_exact_where_shapes_have_it) {
  const SolidBar bar(GetParam());
  const int n = bar.kind().nodes, corners = n == 10 ? 4 : n == 15 ? 6 : 8;
  if (n < 10 && GetParam() != "C3D8I") return;  // linear kinds have no such shape
  // Corners of the first element of the bar, moved to the places of a straight one, and its nodes between.
  const std::vector<Vec3d> tetrahedron = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           wedge = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 1}, {0, 1, 1}},
                           brick = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}};
  std::vector<Vec3d> at = corners == 4 ? tetrahedron : corners == 6 ? wedge : brick;
  at.resize(n);
  const auto in_bar = [&](int a) { return bar.position(bar.node(0)[a]); };
  for (int a = corners; a < n; ++a)
    for (int b = 0; b < corners; ++b)
      for (int c = 0; c < b; ++c)
        if (norm(0.5 * (in_bar(b) + in_bar(c)) - in_bar(a)) < 1e-12) at[a] = 0.5 * (at[b] + at[c]);
  std::vector<double> moved(3 * n), strain(6 * n);
  for (int a = 0; a < n; ++a) {
    moved[3 * a] = at[a].x * at[a].y;
    moved[3 * a + 1] = -0.5 * at[a].x * at[a].x;
  }
  SolidStrains element(bar.kind());
  ASSERT_TRUE(element.place(at.data(), {1e3, 0}));
  element.at_nodes(moved.data(), strain.data());
  for (int a = 0; a < n; ++a) {
    EXPECT_NEAR(strain[6 * a], at[a].y, 1e-12) << a;
    for (int c = 1; c < 6; ++c) EXPECT_NEAR(strain[6 * a + c], 0, 1e-12) << a << " " << c;
  }
}

TEST(Solids, turned_inside_out_are_refused) {
  const std::vector<Vec3d> at = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
  EXPECT_FALSE(SolidStrains(*solid_kind("C3D4")).place(at.data(), SolidBar::material()));
  EXPECT_EQ(solid_kind("S8R"), nullptr);
}

/// Stresses at nodes, the mean over elements, of a bar under an end load, by the displacements that CalculiX
/// prints: held against the stresses that it prints.
///
/// CalculiX has the same points and polynomials for the first four kinds: what differs are printed digits. It
/// integrates wedges at 3 × 3 points, and has other forms of the one-point brick and of bending shapes, which
/// differ where elements are not boxes. It continues C3D6 and C3D20 (27 points) otherwise; these are held to
/// polynomials above.
struct Agreement {
  const char* kind;
  double tolerance;
};
constexpr Agreement agreements[] = {{"C3D4", 1e-4},  {"C3D10", 1e-4}, {"C3D8", 1e-4}, {"C3D20R", 1e-4},
                                    {"C3D15", 1e-3}, {"C3D8R", 5e-3}, {"C3D8I", 1e-2}};
class CalculixSolid : public testing::TestWithParam<Agreement> {};

TEST_P(CalculixSolid, stresses_are_those_of_CalculiX) {
  const SolidBar bar(GetParam().kind);
  const test::CalculixFolder calculix;
  const std::vector<double> displacement = test::printed_displacements(
      calculix.run(
          "m",
          bar.inp("*BOUNDARY\nROOT, 1, 3\n*STEP\n*STATIC\n*CLOAD\nTIP, 2, 100.\nTIP, 1, -300.\nTIP, 3, 50.\n"
                  "*NODE PRINT, NSET=ALL\nU\n*EL FILE\nS\n*END STEP\n")),
      bar.nodes());
  const std::vector<double> stress = calculix.tensors("m", "STRESS", bar.nodes());
  std::vector<double> sum(6 * bar.nodes());
  std::vector<int> count(bar.nodes());
  SolidStrains element(bar.kind());
  const int n = bar.kind().nodes;
  for (int e = 0; e < bar.elements(); ++e) {
    std::vector<Vec3d> at(n);
    std::vector<double> moved(3 * n), strain(6 * n);
    for (int a = 0; a < n; ++a) {
      const int p = bar.node(e)[a];
      at[a] = bar.position(p);
      std::copy_n(displacement.begin() + 3 * p, 3, moved.begin() + 3 * a);
    }
    ASSERT_TRUE(element.place(at.data(), SolidBar::material()));
    element.at_nodes(moved.data(), strain.data());
    for (int a = 0; a < n; ++a) {
      double s[6];
      SolidBar::material().stress(strain.data() + 6 * a, s);
      for (int c = 0; c < 6; ++c) sum[6 * bar.node(e)[a] + c] += s[c];
      ++count[bar.node(e)[a]];
    }
  }
  double largest = 0, worst = 0;
  for (int p = 0; p < bar.nodes(); ++p)
    for (int c = 0; c < 6; ++c) {
      largest = std::max(largest, std::abs(stress[6 * p + c]));
      worst = std::max(worst, std::abs(sum[6 * p + c] / count[p] - stress[6 * p + c]));
    }
  EXPECT_LT(worst, GetParam().tolerance * largest);
  EXPECT_GT(largest, 1e6);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EachSolid,
                         testing::Values("C3D4", "C3D10", "C3D6", "C3D15", "C3D8", "C3D8R", "C3D8I", "C3D20",
                                         "C3D20R"),
                         [](const auto& p) { return p.param; });
INSTANTIATE_TEST_SUITE_P(Kinds, CalculixSolid, testing::ValuesIn(agreements),
                         [](const auto& p) { return p.param.kind; });

}  // namespace
}  // namespace trammel::solid_elements_test
