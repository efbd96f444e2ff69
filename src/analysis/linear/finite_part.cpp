#include "analysis/linear/finite_part.h"

#include <Eigen/Dense>
#include <cmath>

#include "base/diagnostics.h"

namespace trammel {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A pivot below `rounding` times the largest, or below `floor_of_rounding` (entries of the scaled matrices
/// are near one), counts as zero.
constexpr double rounding = 1e-12, floor_of_rounding = 1e-13;

/// Q M Z = [R 0; 0 0] with orthogonal Q and Z and an invertible R of `rank` rows.
struct RankForm {
  MatrixXd Q, Z;
  Index rank = 0;

  explicit RankForm(const MatrixXd& m) {
    Eigen::ColPivHouseholderQR<MatrixXd> rows(m);
    const double least = std::max(rounding * rows.maxPivot(), floor_of_rounding);
    const Index n = std::min(m.rows(), m.cols());
    while (rank < n && std::abs(rows.matrixR()(rank, rank)) > least) ++rank;
    Q = MatrixXd(rows.householderQ()).transpose();
    Z = MatrixXd::Identity(m.cols(), m.cols());
    if (rank == 0) return;
    // [R₁ R₂] Pᵀ = [L 0] Zᵀ
    const MatrixXd R = MatrixXd(rows.matrixR().topRows(rank).triangularView<Eigen::Upper>()) *
                       rows.colsPermutation().transpose();
    Z = Eigen::HouseholderQR<MatrixXd>(R.transpose()).householderQ();
  }
};

double power_of_two(double x) {
  return x > 0 ? std::exp2(-std::round(std::log2(x))) : 1.0;
}

/// Scales rows and columns of both matrices together by powers of two to largest entries near one; `columns`:
/// the factors of the columns.
void equilibrate(MatrixXd& E, MatrixXd& A, MatrixXd& B, VectorXd& columns) {
  const Index n = A.rows();
  columns = VectorXd::Ones(n);
  const auto largest = [](const auto& a, const auto& e) {
    return power_of_two(std::max(a.cwiseAbs().maxCoeff(), e.cwiseAbs().maxCoeff()));
  };
  for (int pass = 0; pass < 3; ++pass) {  // equations first: the units of the unknowns mostly fit already
    for (Index k = 0; k < n; ++k) {
      const double f = largest(A.row(k), E.row(k));
      A.row(k) *= f;
      E.row(k) *= f;
      B.row(k) *= f;
    }
    for (Index k = 0; k < n; ++k) {
      const double f = largest(A.col(k), E.col(k));
      A.col(k) *= f;
      E.col(k) *= f;
      columns[k] *= f;
    }
  }
}

/// The system during the reduction, E ẋ' = A x' + B u with x = X x' + Y u, X and Y in `out`.
struct Reduction {
  MatrixXd E, A, B;
  FinitePart out;

  std::function<std::string(Index)> name;  ///< of an unknown

  /// One step: eliminates by the algebraic equations. False: there are none, E is regular.
  bool deflate();

 private:
  [[noreturn]] void fail_open(const MatrixXd& effect, const MatrixXd& open) const;
  void bind(const MatrixXd& change, const MatrixXd& Y, const MatrixXd& E_left, const MatrixXd& A_left,
            const MatrixXd& B_left);
};

/// Substitutes x' = T x" + Y u; `E_left`, `A_left`, `B_left`: the equations that remain, still in x'.
void Reduction::bind(const MatrixXd& T, const MatrixXd& Y, const MatrixXd& E_left, const MatrixXd& A_left,
                     const MatrixXd& B_left) {
  B = B_left + A_left * Y;
  E = E_left * T;
  A = A_left * T;
  out.Y += out.X * Y;
  out.X = out.X * T;
}

/// Fails: no equation determines the last unknowns of x' along the columns of `open`. `effect`: coefficients
/// of these unknowns in the remaining equations.
void Reduction::fail_open(const MatrixXd& effect, const MatrixXd& open) const {
  const RankForm form(effect);
  if (form.rank == effect.cols())
    fail(ExitCode::solver,
         "the linearised equations contradict each other: constraints depend on each other");
  MatrixXd x = MatrixXd::Zero(out.X.cols(), 1);
  x.bottomRows(open.rows()) = open * form.Z.col(form.rank);
  // Of the unknowns that move together the first is named: coordinates stand before forces that follow from
  // them.
  const VectorXd size = (out.X * x).cwiseAbs();
  Index first = 0;
  while (size[first] < 1e-3 * size.maxCoeff()) ++first;
  fail(ExitCode::solver,
       "the linearised equations do not determine {}: nothing has inertia, stiffness or damping there, or so "
       "little "
       "beside the rest that it is lost in rounding",
       name(first));
}

bool Reduction::deflate() {
  const Index n = E.rows();
  if (n == 0) return false;
  const RankForm form(E);
  const Index r = form.rank, m = n - r;
  if (m == 0) return false;
  E = form.Q * E * form.Z;
  A = form.Q * A * form.Z;
  B = form.Q * B;
  out.X = out.X * form.Z;
  // 0 = A₂₁ x₁ + A₂₂ x₂ + B₂ u determines as many of x₂ as the rank of A₂₂; the rest of these equations binds
  // x₁: with Q₂ A₂₂ Z₂ = [R 0; 0 0] the first k give y of x₂ = Z₂ (y, z).
  const RankForm inner(A.bottomRightCorner(m, m));
  const Index k = inner.rank, d = m - k;
  const MatrixXd A21 = inner.Q * A.bottomLeftCorner(m, r), B2 = inner.Q * B.bottomRows(m);
  const MatrixXd R = (inner.Q * A.bottomRightCorner(m, m) * inner.Z).topLeftCorner(k, k);
  const Eigen::PartialPivLU<MatrixXd> solver(R);
  MatrixXd N = MatrixXd::Identity(r, r);
  if (d > 0) {
    const RankForm bound(A21.bottomRows(d));
    if (bound.rank < d) fail_open(A.topRightCorner(r, m) * inner.Z.rightCols(d), inner.Z.rightCols(d));
    N = bound.Z.rightCols(r - d);
    if (B2.size() > 0 && B2.bottomRows(d).cwiseAbs().maxCoeff() > rounding) out.differentiates_inputs = true;
  }
  MatrixXd T = MatrixXd::Zero(n, r), Y = MatrixXd::Zero(n, B.cols());
  T.topLeftCorner(r, r - d) = N;
  MatrixXd of_y = MatrixXd::Zero(m, r - d);
  if (k > 0) {
    of_y.topRows(k) = -solver.solve(MatrixXd(A21.topRows(k) * N));
    MatrixXd y = MatrixXd::Zero(m, B.cols());
    y.topRows(k) = -solver.solve(MatrixXd(B2.topRows(k)));
    Y.bottomRows(m) = inner.Z * y;
  }
  T.bottomLeftCorner(m, r - d) = inner.Z * of_y;
  T.bottomRightCorner(m, d) = inner.Z.rightCols(d);
  bind(T, Y, MatrixXd(E.topRows(r)), MatrixXd(A.topRows(r)), MatrixXd(B.topRows(r)));
  return true;
}

}  // namespace

FinitePart finite_part(MatrixXd E, MatrixXd A, MatrixXd B, const std::function<std::string(Index)>& name) {
  const Index n = A.rows();
  VectorXd columns;
  equilibrate(E, A, B, columns);
  Reduction left{std::move(E), std::move(A), std::move(B), {}, name};
  left.out.X = MatrixXd::Identity(n, n);
  left.out.Y = MatrixXd::Zero(n, left.B.cols());
  while (left.deflate()) {
  }
  FinitePart out = std::move(left.out);
  for (Index u = 0; u < out.Y.cols(); ++u) {  // entries by an input that does not act directly are rounding
    const double largest = out.Y.col(u).cwiseAbs().maxCoeff();
    out.Y.col(u) = (out.Y.col(u).array().abs() > 1e-14 * largest).select(out.Y.col(u), 0.0);
  }
  if (left.E.size() == 0) {
    out.A = left.A, out.B = left.B;
    return out;
  }
  const Eigen::PartialPivLU<MatrixXd> E_left(left.E);
  out.A = E_left.solve(left.A);
  out.B = E_left.solve(left.B);
  out.X = columns.asDiagonal() * out.X;
  out.Y = columns.asDiagonal() * out.Y;
  return out;
}

}  // namespace trammel
