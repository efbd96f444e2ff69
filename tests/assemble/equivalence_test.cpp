// The same force told by different elements: residual and wrenches agree.
#include <gtest/gtest.h>

#include "element_cases.h"

namespace trammel::equivalence_test {
namespace {

using namespace test;

/// Residual of the coordinates of a deck on the same random bodies in the same random state.
std::vector<double> residual_of(const std::string& deck, std::uint32_t seed) {
  Random random(seed);
  const Model model = compile_text(random_bodies(random) + deck);
  State state = random_state(model, random);
  Assembler assembler(model);
  assembler.evaluate(state, in_dynamics);
  std::vector<double> r(model.unknowns());
  assembler.residual(state, {1, 0.5, 0.25, 0.5, 1}, r);
  r.resize(model.coordinates);
  return r;
}

void expect_equal(const std::string& a, const std::string& b) {
  for (std::uint32_t seed : {1u, 2u, 3u}) {
    const std::vector<double> ra = residual_of(a, seed), rb = residual_of(b, seed),
                              none = residual_of("", seed);
    double acts = 0;
    for (std::size_t k = 0; k < ra.size(); ++k) {
      EXPECT_NEAR(ra[k], rb[k], 1e-11) << a << b;  // rounding of sums of numbers of size 10 to 100
      acts = std::max(acts, std::fabs(ra[k] - none[k]));
    }
    EXPECT_GT(acts, 0.1) << a;
  }
}

std::string listed(const double (&m)[6][6], bool triangle = false) {
  std::string text;
  for (int c = 0; c < 6; ++c)
    for (int r = triangle ? c : 0; r < 6; ++r)
      text += fmt::format("{}{:.17g}", text.empty() ? "" : r % 6 == 0 ? "\n, " : ", ", m[r][c]);
  return text + "\n";
}

TEST(SameForce, a_bushing_is_a_diagonal_field) {
  double k[6][6] = {}, c[6][6] = {};
  for (int i = 0; i < 6; ++i) k[i][i] = i + 1, c[i][i] = 0.1 * (i + 1);
  expect_equal(
      "BUSHING/1, I = 22, J = 33, K = 1,2,3, C = 0.1,0.2,0.3, KT = 4,5,6, CT = 0.4,0.5,0.6, FORCE = 1,2,3, "
      "TORQUE = "
      "0.1,0.2,0.3\n",
      "FIELD/1, I = 22, J = 33, FORCE = 1,2,3,0.1,0.2,0.3\n, KMATRIX = " + listed(k) +
          ", CMATRIX = " + listed(c));
}

TEST(SameForce, a_field_is_a_general_force_of_expressions) {
  // K by columns: K(r, c) is entry 6c + r.
  Random random(9);
  double k[6][6], c[6][6];
  for (auto* m : {&k, &c})
    for (auto& row : *m)
      for (double& x : row) x = random.uniform(-2, 2);
  const char* e[6] = {"DX(22,33,33)", "DY(22,33,33)", "DZ(22,33,33)", "AX(22,33)", "AY(22,33)", "AZ(22,33)"};
  const char* rate[6] = {"VX(22,33,33,33)", "VY(22,33,33,33)", "VZ(22,33,33,33)",
                         "WX(22,33,33)",    "WY(22,33,33)",    "WZ(22,33,33)"};
  const char* name[6] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
  std::string force = "GFORCE/1, I = 22, JFLOAT = 39, RM = 33\n";
  for (int r = 0; r < 6; ++r) {
    force += fmt::format(", {} = {}", name[r], r + 1);
    for (int s = 0; s < 6; ++s)
      force += fmt::format("\n, -({:.17g})*({}-0.1*{})-({:.17g})*{}", k[r][s], e[s], s, c[r][s], rate[s]);
    force += r < 5 ? "\\\n" : "\n";
  }
  expect_equal(force,
               "FIELD/1, I = 22, J = 33, FORCE = 1,2,3,4,5,6, LENGTH = 0,0.1,0.2,0.3,0.4,0.5\n, KMATRIX = " +
                   listed(k) + ", CMATRIX = " + listed(c));
}

TEST(SameForce, a_beam_is_the_field_of_its_stiffness) {
  // L = 2, A = 0.5, IXX = 0.3, IYY = 0.2, IZZ = 0.1, E = 4, G = 1.5, ASY = 1.2, ASZ = 1.1, worked out by
  // hand: Py = 12*4*0.1*1.2/(1.5*0.5*4) = 1.92, Pz = 12*4*0.2*1.1/(1.5*0.5*4) = 3.52
  double k[6][6] = {}, c[6][6] = {};
  k[0][0] = 4 * 0.5 / 2;
  k[1][1] = 12 * 4 * 0.1 / (8 * 2.92);
  k[2][2] = 12 * 4 * 0.2 / (8 * 4.52);
  k[3][3] = 1.5 * 0.3 / 2;
  k[4][4] = 7.52 * 4 * 0.2 / (2 * 4.52);
  k[5][5] = 5.92 * 4 * 0.1 / (2 * 2.92);
  k[1][5] = k[5][1] = -6 * 4 * 0.1 / (4 * 2.92);
  k[2][4] = k[4][2] = 6 * 4 * 0.2 / (4 * 4.52);
  for (int r = 0; r < 6; ++r)
    for (int s = 0; s <= r; ++s) c[r][s] = c[s][r] = 0.1 * r + 0.01 * s;
  const std::string beam =
      "BEAM/1, I = 22, J = 33, LENGTH = 2, AREA = 0.5, IXX = 0.3, IYY = 0.2, IZZ = 0.1, EMODULUS = 4\n, "
      "GMODULUS = "
      "1.5, ASY = 1.2, ASZ = 1.1";
  const std::string field = "FIELD/1, I = 22, J = 33, LENGTH = 2,0,0,0,0,0\n, KMATRIX = " + listed(k);
  expect_equal(beam + "\n, CRATIO = 0.3\n", field + ", CRATIO = 0.3\n");
  expect_equal(beam + "\n, CMATRIX = " + listed(c, true), field + ", CMATRIX = " + listed(c));
}

/// L = 2, A = 0.5, IYY = 0.2, IZZ = 0.1, IXX = 0.3, E = 4, G = 1.5: E A/L = 1 in the spring, the rest in the
/// field.
TEST(SameForce, a_string_beam_is_a_spring_and_a_field) {
  double k[6][6] = {};
  k[1][1] = 12 * 4 * 0.1 / 8;
  k[2][2] = 12 * 4 * 0.2 / 8;
  k[3][3] = 1.5 * 0.3 / 2;
  k[4][4] = 4 * 4 * 0.2 / 2;
  k[5][5] = 4 * 4 * 0.1 / 2;
  k[1][5] = k[5][1] = -6 * 4 * 0.1 / 4;
  k[2][4] = k[4][2] = 6 * 4 * 0.2 / 4;
  expect_equal(
      "BEAM/1, I = 22, J = 33, LENGTH = 2, AREA = 0.5, IXX = 0.3, IYY = 0.2, IZZ = 0.1, EMODULUS = 4\n, "
      "GMODULUS = 1.5, CRATIO = 0.3, FORMULATION = STRING\n",
      "FIELD/1, I = 22, J = 33, CRATIO = 0.3\n, KMATRIX = " + listed(k) +
          "SPRINGDAMPER/1, TRANSLATION, I = 22, J = 33, K = 1, C = 0.3, LENGTH = 2\n");
}

/// The blocks of K and C on the diagonal are FIELDs; without the others the markers know nothing of each
/// other.
TEST(SameForce, an_nforce_of_diagonal_blocks_is_a_set_of_fields) {
  Random random(11);
  double k[2][6][6], c[2][6][6];
  for (auto* m : {&k, &c})
    for (auto& block : *m)
      for (auto& row : block)
        for (double& x : row) x = random.uniform(-2, 2);
  std::string values[2], fields;
  for (int which = 0; which < 2; ++which) {
    const double(*block)[6][6] = which == 0 ? k : c;
    for (int r = 0; r < 12; ++r)
      for (int s = 0; s < 12; ++s)
        values[which] += fmt::format("{}{:.17g}",
                                     values[which].empty() ? ""
                                     : s % 6 == 0          ? "\n, "
                                                           : ", ",
                                     r / 6 != s / 6 ? 0.0 : block[r / 6][r % 6][s % 6]);
  }
  const int marker[2] = {22, 43};
  for (int i = 0; i < 2; ++i)
    fields += fmt::format("FIELD/{}, I = {}, J = 33, FORCE = {}, LENGTH = {}\n, KMATRIX = {}, CMATRIX = {}",
                          i + 1, marker[i], i == 0 ? "1,2,3,4,5,6" : "7,8,9,10,11,12",
                          i == 0 ? ".1,.2,.3,.4,.5,.6" : ".7,.8,.9,.1,.2,.3", listed(k[i]), listed(c[i]));
  expect_equal(
      fields,
      "ARRAY/1, NUMBERS = 1,2,3,4,5,6,7,8,9,10,11,12\nARRAY/2, NUMBERS = "
      ".1,.2,.3,.4,.5,.6,.7,.8,.9,.1,.2,.3\n"
      "MATRIX/1, FULL, RORDER, ROWS = 12, COLUMNS = 12\n, VALUES = " +
          values[0] + "\nMATRIX/2, FULL, RORDER, ROWS = 12, COLUMNS = 12\n, VALUES = " + values[1] +
          "\nNFORCE/1, IMARKERS = 22, 43, J = 33, KMATRIX = 1, CMATRIX = 2, FORCE = 1, LENGTH = 2\n");
}

/// Off the diagonal: the force on 22 by displacements of 43, as an expression.
TEST(SameForce, an_nforce_couples_its_markers) {
  std::string values;
  for (int r = 0; r < 12; ++r)
    for (int s = 0; s < 12; ++s)
      values += fmt::format("{}{}", values.empty() ? "" : ", ",
                            r == 1 && s == 6    ? 3
                            : r == 4 && s == 11 ? 5
                                                : 0);
  expect_equal("MATRIX/1, FULL, RORDER, ROWS = 12, COLUMNS = 12\n, VALUES = " + values +
                   "\nNFORCE/1, IMARKERS = 22, 43, J = 33, KMATRIX = 1\n",
               "GFORCE/1, I = 22, JFLOAT = 39, RM = 33\n, FY = -3*DX(43,33,33)\\\n, TY = -5*AZ(43,33)\n");
}

TEST(SameConstraint, a_coupler_is_a_gcon) {
  for (std::uint32_t seed : {1u, 2u}) {
    Random random(seed);
    const std::string joints = "JOINT/1, REVOLUTE, I = 22, J = 32\nJOINT/2, CYLINDRICAL, I = 43, J = 33\n";
    const std::string bodies = random_bodies(random) + joints;
    const Model a = compile_text(bodies + "COUPLER/1, JOINTS = 2, 1, SCALES = 0.7, -0.3, TYPE = T:R\n"),
                b = compile_text(bodies + "GCON/1, FUNCTION = 0.7*DZ(43,33,33)-0.3*AZ(22,32)\n");
    State state = random_state(a, random);
    state.offset[0] = 0;
    State other = state;
    other.offset.clear();
    Assembler of_a(a), of_b(b);
    std::vector<double> ra(a.unknowns()), rb(b.unknowns());
    of_a.evaluate(state, in_dynamics);
    of_b.evaluate(other, in_dynamics);
    of_a.residual(state, {1, 0.5, 0.25, 0.5, 1}, ra);
    of_b.residual(other, {1, 0.5, 0.25, 0.5, 1}, rb);
    for (std::size_t k = 0; k < ra.size(); ++k) EXPECT_NEAR(ra[k], rb[k], 1e-12) << k;
    // The offset is what the sum is in a configuration.
    std::vector<double> offset(1);
    of_a.current_offsets(state, offset);
    EXPECT_NEAR(offset[0], 0.25 * rb.back(), 1e-13);
  }
}

}  // namespace
}  // namespace trammel::equivalence_test
