// Energy of flexible bodies without some invariants, against the eigenvalues of their mass matrix.
#include "assemble/modal_inertia.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "assemble/assembler.h"
#include "flexible.h"
#include "random_model.h"

namespace trammel::modal_inertia_test {
namespace {

using namespace test;

/// What the residual of a flexible body gains by a unit of each of its accelerations.
Eigen::MatrixXd mass_matrix(const Model& model, State state) {
  const FlexibleBody& f = model.flexible_bodies[0];
  std::vector<int> at;
  for (int k = 0; k < 6; ++k) at.push_back(model.bodies[f.body].first + k);
  for (int j = 0; j < f.modes; ++j) at.push_back(f.first + j);
  Assembler assembler(model);
  const auto residual = [&] {
    assembler.evaluate(state, in_dynamics);
    std::vector<double> r(model.unknowns());
    assembler.residual(state, {}, r);
    return r;
  };
  std::fill(state.a.begin(), state.a.end(), 0.0);
  const std::vector<double> without = residual();
  const int n = static_cast<int>(at.size());
  Eigen::MatrixXd M(n, n);
  for (int k = 0; k < n; ++k) {
    state.a[at[k]] = 1;
    const std::vector<double> with = residual();
    state.a[at[k]] = 0;
    for (int i = 0; i < n; ++i) M(i, k) = with[at[i]] - without[at[i]];
  }
  return M;
}

TEST(ModalInertia, is_refused_where_the_mass_matrix_has_a_negative_eigenvalue) {
  int refused = 0, taken = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Model model = compile_text(random_bodies(random));
    std::array<bool, 10> used;
    used.fill(true);
    used[9] = false;
    used[5] = seed % 2 == 0;
    make_flexible(model, 1, 4, random, used);
    State state = random_state(model, random);
    const double amplitude = std::pow(10, random.uniform(-1, 1));
    for (int k = model.first_modal(); k < model.coordinates; ++k) state.q[k] *= amplitude;
    const Eigen::VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mass_matrix(model, state)).eigenvalues();
    // An angle of the frame near a place where 3-1-3 angles are singular has next to no inertia: which sign
    // it has is rounding.
    if (std::abs(eigenvalues[0]) < 1e-6 * eigenvalues[eigenvalues.size() - 1]) continue;
    ModalInertia inertia(model);
    if (eigenvalues[0] < 0) {
      ++refused;
      EXPECT_THROW(inertia.refuse_negative_energy(state), Failure) << eigenvalues[0];
    } else {
      ++taken;
      EXPECT_NO_THROW(inertia.refuse_negative_energy(state)) << eigenvalues[0];
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(taken, 10);
}

/// Ten times as far, with all invariants; the eigenvalues to rounding of the largest.
TEST(ModalInertia, is_never_negative_with_all_invariants) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Model model = compile_text(random_bodies(random));
    make_flexible(model, 1, 4, random);
    State state = random_state(model, random);
    for (int k = model.first_modal(); k < model.coordinates; ++k) state.q[k] *= 10;
    const Eigen::VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mass_matrix(model, state)).eigenvalues();
    EXPECT_GT(eigenvalues[0], -1e-12 * eigenvalues[eigenvalues.size() - 1]) << seed;
    EXPECT_NO_THROW(ModalInertia(model).refuse_negative_energy(state)) << seed;
  }
}

}  // namespace
}  // namespace trammel::modal_inertia_test
