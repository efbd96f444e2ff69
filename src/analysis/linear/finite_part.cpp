#include "analysis/linear/finite_part.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/linear/balance.h"
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

  explicit RankForm(const MatrixXd& m)
      : Q(MatrixXd::Identity(m.rows(), m.rows())), Z(MatrixXd::Identity(m.cols(), m.cols())) {
    if (m.size() == 0) return;
    Eigen::ColPivHouseholderQR<MatrixXd> rows(m);
    const double least = std::max(rounding * rows.maxPivot(), floor_of_rounding);
    const Index n = std::min(m.rows(), m.cols());
    while (rank < n && std::abs(rows.matrixR()(rank, rank)) > least) ++rank;
    Q = MatrixXd(rows.householderQ()).transpose();
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

/// Scales the equations that E holds, and their unknowns, by powers of two to largest entries of E and A near
/// one; `columns`: the factors of the unknowns. Explicit states behind them are as inputs here: how strongly
/// they act says nothing about these equations.
void equilibrate(MatrixXd& E, MatrixXd& A, MatrixXd& B, VectorXd& columns) {
  const Index n = E.rows();
  const auto largest = [](const auto& a, const auto& e) {
    return power_of_two(std::max(a.cwiseAbs().maxCoeff(), e.cwiseAbs().maxCoeff()));
  };
  for (int pass = 0; pass < 3; ++pass) {  // equations first: the units of the unknowns mostly fit already
    for (Index k = 0; k < n; ++k) {
      const double f = largest(A.row(k).head(n), E.row(k));
      A.row(k) *= f;
      E.row(k) *= f;
      B.row(k) *= f;
    }
    for (Index k = 0; k < n; ++k) {
      const double f = largest(A.col(k).head(n), E.col(k));
      A.col(k) *= f;
      E.col(k) *= f;
      columns[k] *= f;
    }
  }
}

/// The system during the reduction, of the unknowns x' = (x₁, x_p): E ẋ₁ = A₁ x' + B₁ u, and of the explicit
/// states ẋ_p = A_p x' + B_p u, the last rows of A and B. x = X x' + Y u, X and Y in `out`.
struct Reduction {
  MatrixXd E, A, B;
  FinitePart out;

  std::function<std::string(Index)> name;  ///< of an unknown
  std::vector<Index> bound_states;  ///< places in x_p of states that algebraic equations bind to each other

  Index states() const { return A.rows() - E.rows(); }
  /// One step: eliminates by the algebraic equations. False: there are none, E is regular, or states are
  /// bound.
  bool deflate();

 private:
  [[noreturn]] void fail_open(const MatrixXd& effect, const MatrixXd& open) const;
  void bind(const MatrixXd& T, const MatrixXd& Y, Index r);
};

/// (v, x_p) = G (ν, x_p) with N (v, x_p) = 0 for all ν and x_p; `form`: of the columns of v, whose rank is
/// that of N.
MatrixXd null_vectors(const MatrixXd& N, const RankForm& form) {
  const Index d = N.rows(), r = form.Z.rows(), p = N.cols() - r;
  MatrixXd G = MatrixXd::Zero(r + p, r - d + p);
  const MatrixXd R = (form.Q * N.leftCols(r) * form.Z).leftCols(d);
  G.topLeftCorner(r, r - d) = form.Z.rightCols(r - d);
  G.topRightCorner(r, p) = -form.Z.leftCols(d) * R.partialPivLu().solve(MatrixXd(form.Q * N.rightCols(p)));
  G.bottomRightCorner(p, p).setIdentity();
  return G;
}

/// Places of the explicit states in those of the equations N (v, x_p) = 0 that do not bind v; all where these
/// are none.
std::vector<Index> states_without(const MatrixXd& N, const RankForm& form) {
  const Index r = form.Z.rows(), p = N.cols() - r;
  const MatrixXd ties = (form.Q * N.rightCols(p)).bottomRows(N.rows() - form.rank);
  std::vector<Index> out;
  for (Index k = 0; k < p; ++k)
    if (ties.isZero(0) || !ties.col(k).isZero(0)) out.push_back(k);
  return out;
}

/// Substitutes x' = T x" + Y u; the first r equations and those of the explicit states remain. Where x₁ = … +
/// W x_p, W ẋ_p on the left follows from the equations of x_p.
void Reduction::bind(const MatrixXd& T, const MatrixXd& Y, Index r) {
  const Index n = E.rows(), p = states();
  MatrixXd A_left(r + p, n + p), B_left(r + p, B.cols());
  A_left << A.topRows(r), A.bottomRows(p);
  B_left << B.topRows(r), B.bottomRows(p);
  const MatrixXd by_states = E.topLeftCorner(r, r) * T.topRightCorner(r, p);
  B = B_left + A_left * Y;
  E = E.topRows(r) * T.topLeftCorner(n, r);
  A = A_left * T;
  if (!by_states.isZero(0)) {
    A.topRows(r) -= by_states * A.bottomRows(p);
    B.topRows(r) -= by_states * B.bottomRows(p);
  }
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
  const Index n = E.rows(), p = states();
  if (n == 0) return false;
  const RankForm form(E);
  const Index r = form.rank, m = n - r;
  if (m == 0) return false;
  E = form.Q * E * form.Z;
  A.topRows(n) = form.Q * A.topRows(n);
  A.leftCols(n) = A.leftCols(n) * form.Z;
  B.topRows(n) = form.Q * B.topRows(n);
  out.X.leftCols(n) = out.X.leftCols(n) * form.Z;
  // Of x₁ = (v, w) E holds v alone. 0 = A_v (v, x_p) + A_w w + B u determines as many of w as the rank of
  // A_w; the rest of these equations binds v: with Q A_w Z = [R 0; 0 0] the first k give y of w = Z (y, z).
  const RankForm inner(A.block(r, r, m, m));
  const Index k = inner.rank, d = m - k;
  MatrixXd A_v(m, r + p);
  A_v << A.block(r, 0, m, r), A.block(r, n, m, p);
  A_v = inner.Q * A_v;
  const MatrixXd B_w = inner.Q * B.middleRows(r, m);
  MatrixXd G = MatrixXd::Identity(r + p, r + p);  // (v, x_p) = G (ν, x_p)
  if (d > 0) {
    const MatrixXd binding = A_v.bottomRows(d);
    const RankForm bound(binding.leftCols(r));
    if (bound.rank < d) {
      bound_states = states_without(binding, bound);
      if (!bound_states.empty()) return false;
      fail_open(A.block(0, r, r, m) * inner.Z.rightCols(d), inner.Z.rightCols(d));
    }
    G = null_vectors(binding, bound);
    if (B_w.size() > 0 && B_w.bottomRows(d).cwiseAbs().maxCoeff() > rounding)
      out.differentiates_inputs = true;
  }
  MatrixXd of_y = MatrixXd::Zero(m, r - d + p), Y = MatrixXd::Zero(n + p, B.cols());
  if (k > 0) {
    const MatrixXd R = (inner.Q * A.block(r, r, m, m) * inner.Z).topLeftCorner(k, k);
    const Eigen::PartialPivLU<MatrixXd> solver(R);
    of_y.topRows(k) = -solver.solve(MatrixXd(A_v.topRows(k) * G));
    MatrixXd y = MatrixXd::Zero(m, B.cols());
    y.topRows(k) = -solver.solve(MatrixXd(B_w.topRows(k)));
    Y.middleRows(r, m) = inner.Z * y;
  }
  const MatrixXd w = inner.Z * of_y;
  MatrixXd T = MatrixXd::Zero(n + p, r + p);  // of (ν, z, x_p)
  T.topLeftCorner(r, r - d) = G.topLeftCorner(r, r - d);
  T.topRightCorner(r, p) = G.topRightCorner(r, p);
  T.block(r, 0, m, r - d) = w.leftCols(r - d);
  T.block(r, r - d, m, d) = inner.Z.rightCols(d);
  T.block(r, r, m, p) = w.rightCols(p);
  T.bottomRightCorner(p, p).setIdentity();
  bind(T, Y, r);
  return true;
}

/// Those of `may`, unknowns with an equation of the same index, whose rate no equation of another of them
/// reads, and whose equation reads the rate of none: E is a diagonal between them.
std::vector<Index> unmixed(const MatrixXd& E, const std::vector<Index>& may) {
  std::vector<Index> out;
  for (const Index k : may) {
    if (E(k, k) == 0) continue;
    const auto apart = [&](Index other) { return E(k, other) == 0 && E(other, k) == 0; };
    if (std::all_of(out.begin(), out.end(), apart)) out.push_back(k);
  }
  return out;
}

/// Scales the explicit states χ of a reduction at its start by powers of two: balances them, but makes none
/// smaller than its part χ − x_p = `tied` x₁. Returns the factors.
VectorXd scale_states(Reduction& at, const MatrixXd& tied) {
  const Index p = at.states();
  VectorXd out = balance(at.A, at.E.rows()).tail(p);
  for (Index k = 0; k < p; ++k) {
    const double part = tied.row(k).cwiseAbs().sum(), f = part > out[k] ? 1 / power_of_two(part / out[k]) : 1;
    const Index at_k = at.E.rows() + k;
    at.A.col(at_k) *= f;
    at.A.row(at_k) /= f;
    out[k] *= f;
    at.B.row(at_k) /= out[k];
  }
  return out;
}

/// The reduction at its start, with these explicit states; `columns`: the factors of the unknowns. Of
///     E₁₁ ẋ₁ + E₁p ẋ_p = A₁ x,   E_p₁ ẋ₁ + D ẋ_p = A_p x
/// ẋ_p is taken out of the first equations by the others, and χ = x_p + D⁻¹ E_p₁ x₁ takes the place of x_p.
/// Then χ̇ stands alone, and no rounding decides that it is there: a chain of states ẋ_k = x_{k+1} of unlike
/// scales, ẋ_n = −Σ (a_k/a_n) x_k, has entries up to ω^n in its last row, beside which ẋ_n is less than
/// rounding.
Reduction start_of_reduction(const MatrixXd& E, const MatrixXd& A, const MatrixXd& B,
                             const std::vector<Index>& states, VectorXd& columns) {
  const Index n = A.rows(), p = static_cast<Index>(states.size()), left = n - p;
  std::vector<Index> order;
  for (Index k = 0; k < n; ++k)
    if (std::find(states.begin(), states.end(), k) == states.end()) order.push_back(k);
  order.insert(order.end(), states.begin(), states.end());
  const MatrixXd all = E(order, order);
  Reduction out{all.topLeftCorner(left, left), A(order, order), B(order, Eigen::all), {}, {}, {}};
  MatrixXd tied = all.bottomLeftCorner(p, left);  // D⁻¹ E_p₁
  const VectorXd inverse = all.diagonal().tail(p).cwiseInverse();
  tied = inverse.asDiagonal() * tied;
  out.A.bottomRows(p) = inverse.asDiagonal() * out.A.bottomRows(p);
  out.B.bottomRows(p) = inverse.asDiagonal() * out.B.bottomRows(p);
  if (const MatrixXd read = all.topRightCorner(left, p); !read.isZero(0)) {
    out.E -= read * tied;
    out.A.topRows(left) -= read * out.A.bottomRows(p);
    out.B.topRows(left) -= read * out.B.bottomRows(p);
  }
  if (!tied.isZero(0)) out.A.leftCols(left) -= out.A.rightCols(p) * tied;
  VectorXd factors = VectorXd::Ones(n);
  equilibrate(out.E, out.A, out.B, factors);
  tied = tied * factors.head(left).asDiagonal();
  factors.tail(p) = scale_states(out, tied);
  // x = columns X x'
  columns = VectorXd::Zero(n);
  columns(order) = factors;
  MatrixXd X = MatrixXd::Identity(n, n);
  X.bottomLeftCorner(p, left) = -(factors.tail(p).cwiseInverse().asDiagonal() * tied);
  out.out.X = MatrixXd::Zero(n, n);
  out.out.X(order, Eigen::all) = X;
  out.out.Y = MatrixXd::Zero(n, B.cols());
  return out;
}

/// Puts the explicit states, which stand behind r others, before them. Filters mostly read the mechanism and
/// do not act on it: then A is block triangular with zeros below the diagonal, the reduction to Hessenberg
/// form does not mix the blocks, and a slow filter has no rounding of fast parts.
void states_first(FinitePart& part, Index r) {
  const Index p = part.A.rows() - r;
  std::vector<Index> order(static_cast<std::size_t>(r + p));
  std::iota(order.begin(), order.begin() + p, r);
  std::iota(order.begin() + p, order.end(), 0);
  part.A = MatrixXd(part.A(order, order));
  part.B = MatrixXd(part.B(order, Eigen::all));
  part.X = MatrixXd(part.X(Eigen::all, order));
}

}  // namespace

FinitePart finite_part(const MatrixXd& E, const MatrixXd& A, const MatrixXd& B,
                       const std::vector<Index>& states, const std::function<std::string(Index)>& name) {
  const std::vector<Index> apart = unmixed(E, states);
  VectorXd columns;
  Reduction left = start_of_reduction(E, A, B, apart, columns);
  left.name = name;
  while (left.deflate()) {
  }
  if (!left.bound_states.empty()) {  // they are unknowns as others are
    std::vector<Index> free = apart;
    for (auto k = left.bound_states.rbegin(); k != left.bound_states.rend(); ++k)
      free.erase(free.begin() + *k);
    return finite_part(E, A, B, free, name);
  }
  FinitePart out = std::move(left.out);
  for (Index u = 0; u < out.Y.cols(); ++u) {  // entries by an input that does not act directly are rounding
    const double largest = out.Y.col(u).cwiseAbs().maxCoeff();
    out.Y.col(u) = (out.Y.col(u).array().abs() > 1e-14 * largest).select(out.Y.col(u), 0.0);
  }
  out.A = left.A;
  out.B = std::move(left.B);
  if (const Index r = left.E.rows(); r > 0) {
    const Eigen::PartialPivLU<MatrixXd> E_left(left.E);
    out.A.topRows(r) = E_left.solve(MatrixXd(out.A.topRows(r)));
    out.B.topRows(r) = E_left.solve(MatrixXd(out.B.topRows(r)));
  }
  out.X = columns.asDiagonal() * out.X;
  out.Y = columns.asDiagonal() * out.Y;
  if (left.states() > 0) states_first(out, left.E.rows());
  return out;
}

}  // namespace trammel
