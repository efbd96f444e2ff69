#include "beam_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace trammel::test {

Eigen::MatrixXd Beam::stiffness() const {
  const double h = element(), h2 = h * h, h3 = h2 * h;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6 * nodes(), 6 * nodes());
  const auto spring = [&](int a, int b, double k) { K(a, a) += k, K(b, b) += k, K(a, b) -= k, K(b, a) -= k; };
  for (int e = 0; e < elements; ++e) {
    const int i = 6 * e, j = i + 6;
    spring(i, j, E * area / h);
    spring(i + 3, j + 3, G * torsion / h);
    const auto bend = [&](int v, int turn, double EI, double sign) {  // slope = sign · rotation
      const int at[4] = {i + v, i + turn, j + v, j + turn};
      const double of[4][4] = {{12 / h3, 6 / h2, -12 / h3, 6 / h2},
                               {6 / h2, 4 / h, -6 / h2, 2 / h},
                               {-12 / h3, -6 / h2, 12 / h3, -6 / h2},
                               {6 / h2, 2 / h, -6 / h2, 4 / h}};
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
          K(at[r], at[c]) += EI * of[r][c] * (r % 2 ? sign : 1) * (c % 2 ? sign : 1);
    };
    bend(1, 5, E * Iz, 1);
    bend(2, 4, E * Iy, -1);
  }
  return K;
}

Eigen::VectorXd Beam::masses() const {
  Eigen::VectorXd M(6 * nodes());
  for (int p = 0; p < nodes(); ++p) {
    const double h = p == 0 || p == elements ? element() / 2 : element(), m = density * area * h;
    const double turn[3] = {density * (Iy + Iz) * h, density * Iy * h, density * Iz * h};
    for (int i = 0; i < 3; ++i) M[6 * p + i] = m, M[6 * p + 3 + i] = turn[i];
  }
  return M;
}

Eigen::VectorXd frequencies(const Eigen::MatrixXd& K, const Eigen::VectorXd& M,
                            const std::vector<int>& held) {
  std::vector<int> free;
  for (int k = 0; k < M.size(); ++k)
    if (std::find(held.begin(), held.end(), k) == held.end()) free.push_back(k);
  const Eigen::VectorXd masses = M(free);
  return angular_frequencies(K(free, free), masses.asDiagonal()) / (2 * std::numbers::pi);
}

Eigen::VectorXd angular_frequencies(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M)
      .eigenvalues()
      .cwiseMax(0)
      .cwiseSqrt();
}

Eigen::VectorXd held_beam(const Beam& beam, const Eigen::VectorXd& loads) {
  const Eigen::Index n = loads.size() - 6;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(loads.size());
  u.tail(n) = beam.stiffness().bottomRightCorner(n, n).ldlt().solve(loads.tail(n));
  return u;
}

ModalBody modes_in(const Beam& beam, const Eigen::MatrixXd& basis) {
  const Eigen::MatrixXd K = beam.stiffness();
  const Eigen::VectorXd M = beam.masses();
  const Eigen::MatrixXd k = basis.transpose() * K * basis, m = basis.transpose() * M.asDiagonal() * basis;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(k, m);
  const Eigen::MatrixXd shapes = basis * modes.eigenvectors();
  ModalBody body;
  body.source = "beam.mtx";
  body.units = {"KILOGRAM", "METER", "SECOND", "NEWTON"};
  body.modes = static_cast<int>(shapes.cols());
  for (int j = 0; j < body.modes; ++j) {
    body.mode_id.push_back(j + 1);
    body.frequency.push_back(std::sqrt(std::max(0.0, modes.eigenvalues()[j])) / (2 * std::numbers::pi));
    for (int l = 0; l < body.modes; ++l)
      body.stiffness.push_back(j == l ? std::max(0.0, modes.eigenvalues()[j]) : 0.0);
  }
  for (int p = 0; p < beam.nodes(); ++p) {
    body.node_id.push_back(p + 1);
    body.position.push_back({p * beam.element(), 0, 0});
    body.node_mass.push_back(M[6 * p]);
    body.node_inertia.push_back(Mat3d::diagonal(M[6 * p + 3], M[6 * p + 4], M[6 * p + 5]));
    for (int j = 0; j < body.modes; ++j) {
      const auto at = [&](int r) { return shapes(6 * p + r, j); };
      body.translation.push_back({at(0), at(1), at(2)});
      body.rotation.push_back({at(3), at(4), at(5)});
    }
  }
  body.invariants = lumped_invariants(body);
  return body;
}

ModalBody modes_of(const Beam& beam, const std::vector<int>& boundary, int normal) {
  const Eigen::MatrixXd K = beam.stiffness();
  const Eigen::VectorXd M = beam.masses();
  const auto size = M.size();
  std::vector<int> b, i;
  for (int k = 0; k < size; ++k)
    (std::find(boundary.begin(), boundary.end(), k / 6 + 1) != boundary.end() ? b : i).push_back(k);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(size, size);
  if (normal >= 0) {
    basis.setZero(size, static_cast<Eigen::Index>(b.size()) + normal);
    const auto n = static_cast<Eigen::Index>(b.size());
    for (Eigen::Index k = 0; k < n; ++k) basis(b[k], k) = 1;
    basis(i, Eigen::seqN(0, n)) = -K(i, i).ldlt().solve(K(i, b));
    const Eigen::VectorXd root = M(i).cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> fixed(root.asDiagonal() * K(i, i) *
                                                               root.asDiagonal());
    basis(i, Eigen::seqN(n, normal)) = root.asDiagonal() * fixed.eigenvectors().leftCols(normal);
  }
  return modes_in(beam, basis);
}

ModalBody cantilever_modes(const Beam& beam) {
  const Eigen::Index n = 6 * beam.nodes();
  return modes_in(beam, Eigen::MatrixXd::Identity(n, n).rightCols(n - 6));
}

}  // namespace trammel::test
