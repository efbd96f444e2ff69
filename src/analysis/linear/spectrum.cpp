#include "analysis/linear/spectrum.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "analysis/linear/balance.h"

namespace trammel {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

/// An orthonormal basis whose last `nullity` columns span the null space of the matrix, to `part` of its
/// entries after scaling equations and unknowns. Entries up to `noise` count as 0: scaled by itself, a column
/// of rounding would pass for an unknown that matters.
MatrixXd null_space_last(const MatrixXd& given, double part, double noise, Index& nullity) {
  const Index n = given.rows();
  MatrixXd A = given;
  if (noise > 0) A = (A.array().abs() <= noise).select(0.0, A);
  VectorXd unit = VectorXd::Ones(n);
  const auto factor = [](const auto& x) {
    const double size = x.cwiseAbs().maxCoeff();
    return size > 0 ? std::exp2(-std::round(std::log2(size))) : 1.0;
  };
  for (int pass = 0; pass < 3; ++pass) {
    for (Index k = 0; k < n; ++k) A.row(k) *= factor(A.row(k));
    for (Index k = 0; k < n; ++k) {
      const double f = factor(A.col(k));
      A.col(k) *= f;
      unit[k] *= f;
    }
  }
  // Aᵀ P = Q R: columns of Q beyond the rank span the null space of A
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A.transpose());
  Index rank = 0;
  while (rank < n && std::abs(qr.matrixR()(rank, rank)) > part * qr.maxPivot()) ++rank;
  nullity = n - rank;
  const MatrixXd Q = qr.householderQ();
  MatrixXd still = unit.asDiagonal() * Q.rightCols(nullity);
  still.colwise().normalize();
  const MatrixXd basis = Eigen::HouseholderQR<MatrixXd>(still).householderQ();
  MatrixXd out(n, n);
  out << basis.rightCols(rank), basis.leftCols(nullity);
  return out;
}

/// An orthonormal basis of the columns, which are independent.
MatrixXd orthonormal(const MatrixXd& columns) {
  const Index n = columns.rows(), count = columns.cols();
  if (count == 0) return columns;
  return Eigen::HouseholderQR<MatrixXd>(columns).householderQ() * MatrixXd::Identity(n, count);
}

}  // namespace

MatrixXcd product(const MatrixXd& A, const MatrixXcd& X) {
  const MatrixXd real = X.real(), imaginary = X.imag();
  MatrixXcd out(A.rows(), X.cols());
  out.real() = A * real;
  out.imag() = A * imaginary;
  return out;
}

Spectrum spectrum_of(const MatrixXd& A, double accuracy) {
  const Index n = A.rows();
  Spectrum out;
  out.s = Eigen::VectorXcd::Zero(n);
  out.vector = MatrixXcd::Zero(n, n);
  // Qᵀ B Q = T = [Z *; 0 R], Z nilpotent: null vectors of the part that is left are taken out first, again
  // and again. B = D⁻¹ A D is balanced, so that a slow motion ω is beside the fastest ω₁ as ω/ω₁, not as its
  // square.
  MatrixXd T = A, Q = MatrixXd::Identity(n, n);
  const VectorXd unit = balance(T);
  Index zeros = 0, first = 0;
  const double norm = A.norm(), largest = n > 0 ? T.cwiseAbs().maxCoeff() : 0;
  const double part = std::max(accuracy, 100 * 2.2e-16 * std::sqrt(double(n)));
  while (zeros < n) {
    const Index left = n - zeros;
    Index nullity = 0;
    // T has rounding of all of A once it has been turned.
    const double noise = zeros > 0 ? part * largest : 0;
    const MatrixXd basis = null_space_last(T.bottomRightCorner(left, left), part, noise, nullity);
    if (nullity == 0) break;
    MatrixXd turn(left, left);
    turn << basis.rightCols(nullity), basis.leftCols(left - nullity);
    T.bottomRows(left) = turn.transpose() * T.bottomRows(left);
    T.rightCols(left) = T.rightCols(left) * turn;
    Q.rightCols(left) = Q.rightCols(left) * turn;
    if (zeros == 0) first = nullity;
    zeros += nullity;
  }
  out.still = orthonormal(unit.asDiagonal() * Q.leftCols(first));
  // Zeros beyond the null vectors, in chains, repeat these.
  for (Index k = 0; k < zeros; ++k) out.vector.col(k) = out.still.col(k % first).cast<Complex>();
  const Index left = n - zeros;
  if (left == 0) return out;
  MatrixXd R = T.bottomRightCorner(left, left);
  const VectorXd d = balance(R);
  const Eigen::EigenSolver<MatrixXd> solver(R);
  out.s.tail(left) = solver.eigenvalues();
  // of T: (Z − s) x₁ = −T₁₂ x₂
  MatrixXcd x = MatrixXcd::Zero(n, left);
  x.bottomRows(left) = d.asDiagonal() * solver.eigenvectors();
  x.colwise().normalize();
  if (zeros > 0) {
    x.topRows(zeros) = -product(T.topRightCorner(zeros, left), x.bottomRows(left));
    MatrixXcd Z = T.topLeftCorner(zeros, zeros).cast<Complex>();
    const VectorXcd diagonal = Z.diagonal();
    for (Index k = 0; k < left; ++k) {
      Z.diagonal() = diagonal.array() - out.s[zeros + k];
      x.col(k).head(zeros) = Z.triangularView<Eigen::Upper>().solve(x.col(k).head(zeros));
    }
    x = product(Q, x);
  }
  x = unit.asDiagonal() * x;
  x.colwise().normalize();
  out.vector.rightCols(left) = x;
  if (norm > 0)
    out.error = (product(A, out.vector) - out.vector * out.s.asDiagonal()).colwise().norm().maxCoeff() / norm;
  return out;
}

}  // namespace trammel
