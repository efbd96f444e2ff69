// The complex system of Radau IIA, made of two real tangents, beside the tangent continued to complex steps
// otherwise.
#include <gtest/gtest.h>

#include <array>

#include "../support/deck.h"
#include "integrate/methods/radau_systems.h"

namespace trammel::radau_systems_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

/// Rows of all kinds: holonomic and in velocities, motions with states of their own and with a VARIABLE,
/// states with explicit and implicit equations, forces that read positions, velocities, accelerations,
/// states, reactions.
const char* deck =
    "PART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=2, CM=20, IP=1, 2, 3, QG=1, 0.2, 0, WX=0.3, WY=0.2, "
    "VX=0.5\n"
    "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-0.4, 0.1, 0.2\nPART/3, MASS=1, CM=30, IP=0.5, 0.4, 0.3, QG=2, "
    "0.1, "
    "0.3, WZ=0.4\nMARKER/30, PART=3\nMARKER/31, PART=3, QP=0.3, 0.2, -0.1\n"
    "JPRIM/1, INPLANE, I=21, J=10\nMOTION/1, I=21, J=10, X, VELOCITY, FUNCTION=0.3\n"
    "MOTION/2, I=30, J=10, Y, FUNCTION=VARVAL(1)\nVARIABLE/1, FUNCTION=0.1+0.2*DIF(1)+0.1*SIN(TIME)\n"
    "GCON/1, FUNCTION=VZ(31,10)-DX(31,10)*WZ(20,10)\nGCON/2, FUNCTION=DX(31,21)*DY(30,10)-0.2*DZ(20,10)\n"
    "DIFF/1, IC=0.3, FUNCTION=DX(20,10)-2*DIF(1)\n"
    "DIFF/2, IC=0.1, IMPLICIT, FUNCTION=3*DIF1(2)+DIF(2)*DIF(1)-VY(20,10)+VX(30,10)\n"
    "SFORCE/1, TRANSLATION, I=31, J=20, FUNCTION=-5*DM(31,20)-VR(31,20)*(1+DIF(2))-0.2*ACCX(20)\n"
    "SFORCE/2, TRANSLATION, I=30, J=10, FUNCTION=0.3*FX(31,20)+VARVAL(1)\n";

TEST(RadauSystems, complex_tangent_is_the_real_one_continued) {
  const Model model = compile_text(deck);
  Assembler assembler(model);
  GuardedSystem system("klu");
  system.analyze(assembler.pattern(), assembler.graph());
  HostEquations equations(model, assembler, system);
  RadauSystems systems(equations);
  State state(model);
  Random random(3);
  for (auto* values : {&state.q, &state.v, &state.a, &state.lambda, &state.s, &state.sdot})
    for (double& x : *values) x += random.uniform(-0.3, 0.3);
  std::vector<double> residual(model.unknowns());
  equations.evaluate(state, {}, residual.data());
  // Undivided, each entry is a polynomial in b of degree 2 at most: it goes through those at three real b.
  const SparsePattern& pattern = assembler.pattern();
  const std::array<double, 3> at{0.5, 1, 2};
  std::array<std::vector<double>, 3> tangent;
  const auto undivided = [&](int row, auto b) {
    return systems.power()[row] == 2 ? b * b : systems.power()[row] == 1 ? b : decltype(b)(1);
  };
  for (int p = 0; p < 3; ++p) {
    tangent[p].resize(pattern.nonzeros());
    assembler.tangent(state, {1, at[p], at[p] * at[p], at[p], 1}, tangent[p]);
  }
  equations.factor(state, {1, 1, 1, 1, 1}, nullptr);  // the scaling
  const Complex b(0.3, -0.4);
  ASSERT_TRUE(systems.factor_complex(state, b).ok());
  std::vector<Complex> x(pattern.n), right(pattern.n);
  for (Complex& value : x) value = {random.uniform(-1, 1), random.uniform(-1, 1)};
  for (int j = 0; j < pattern.n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      const int row = pattern.row[k];
      Complex value = 0;
      for (int p = 0; p < 3; ++p) {
        Complex weight = 1;
        for (int q = 0; q < 3; ++q)
          if (q != p) weight *= (b - at[q]) / (at[p] - at[q]);
        value += weight * undivided(row, at[p]) * tangent[p][k];
      }
      right[row] += value / undivided(row, b) * x[j];
    }
  systems.solve_complex(right.data());
  // Rounding by the condition of a random mechanism.
  for (int j = 0; j < pattern.n; ++j) EXPECT_LT(std::abs(right[j] - x[j]), 1e-9) << model.unknown_name(j);
}

}  // namespace
}  // namespace trammel::radau_systems_test
