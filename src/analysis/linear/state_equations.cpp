#include "analysis/linear/state_equations.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "analysis/linear/algebraic_scalars.h"
#include "base/diagnostics.h"

namespace trammel {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Indices of the entries of z whose rate is an unknown as well: coordinates, and entries that enter by z̈.
std::vector<int> with_rates(const SmallMotions& m) {
  std::vector<int> out;
  for (int k = 0; k < m.size(); ++k)
    if (k < m.coordinates || m.A2.col(k).cwiseAbs().maxCoeff() > 0) out.push_back(k);
  return out;
}

/// E ζ' = A ζ + B u of ζ = (z, y) in the time w t:  z' = y;  w² A₂ y' + w A₁ z' + A₀ z = B u.
struct Descriptor {
  MatrixXd E, A, B;
};

Descriptor descriptor(const SmallMotions& m, const std::vector<int>& rated, double w) {
  const Index n = m.size(), r = static_cast<Index>(rated.size());
  Descriptor d{MatrixXd::Zero(n + r, n + r), MatrixXd::Zero(n + r, n + r), MatrixXd::Zero(n + r, m.B.cols())};
  d.A.topLeftCorner(n, n) = -m.A0;
  d.E.topLeftCorner(n, n) = w * m.A1;
  d.B.topRows(n) = m.B;
  for (Index k = 0; k < r; ++k) {
    d.E.col(rated[k]).head(n).setZero();
    d.A.col(n + k).head(n) = -w * m.A1.col(rated[k]);
    d.E.col(n + k).head(n) = w * w * m.A2.col(rated[k]);
    d.E(n + k, rated[k]) = 1;
    d.A(n + k, n + k) = 1;
  }
  return d;
}

/// Indices of the scalars whose own equation is Ẋ = f(X, …): their rate stands in it with the factor one, and
/// no equation reads their second derivative.
std::vector<Index> explicit_states(const SmallMotions& m, const std::vector<int>& rated) {
  constexpr double error = 1e-9;  // of a one that is a sum: implicit equations may have any other factor
  std::vector<Index> out;
  for (int k = m.coordinates; k < m.size(); ++k)
    if (m.is_state[static_cast<std::size_t>(k)] && std::abs(std::abs(m.A1(k, k)) - 1) < error &&
        !std::binary_search(rated.begin(), rated.end(), k))
      out.push_back(k);
  return out;
}

/// Indices of linearly independent rows of X, as many as columns, chosen by pivoting from `may`, the rows
/// that may be states.
std::vector<Index> independent_rows(const MatrixXd& X, const std::vector<Index>& may) {
  if (X.cols() == 0) return {};
  MatrixXd rows(static_cast<Index>(may.size()), X.cols());
  for (std::size_t k = 0; k < may.size(); ++k) {
    rows.row(static_cast<Index>(k)) = X.row(may[k]).normalized();
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(rows.transpose());
  if (qr.rank() < X.cols())
    fail(ExitCode::solver, "coordinates, their rates and states do not determine small motions");
  std::vector<Index> out;
  for (Index k = 0; k < X.cols(); ++k) out.push_back(may[qr.colsPermutation().indices()[k]]);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

StateEquations state_equations(const SmallMotions& m) {
  const AlgebraicScalars algebraic(m);
  const SmallMotions& rest = algebraic.rest();
  std::vector<int> rated = with_rates(rest);
  const Index n = m.size(), left = rest.size(), r = static_cast<Index>(rated.size());
  const double w = m.frequency > 0 ? m.frequency : 1.0;
  const Descriptor d = descriptor(rest, rated, w);
  StateEquations out;
  FinitePart& part = out.finite;
  part = finite_part(d.E, d.A, d.B, explicit_states(rest, rated),
                     [&](Index k) { return k < left ? rest.names[k] : rest.names[rated[k - left]]; });
  part.A *= w;
  part.B *= w;
  part.X.bottomRows(r) *= w;  // y → ż
  part.Y.bottomRows(r) *= w;
  algebraic.restore(part, rated);
  for (int& k : rated) k = algebraic.place(k);
  std::vector<Index> may;
  for (Index k = 0; k < n; ++k)
    if (m.is_state[k]) may.push_back(k);
  for (Index k = 0; k < m.coordinates; ++k) may.push_back(n + k);
  const std::vector<Index> states = independent_rows(part.X, may);
  VectorXd unit(n + r);
  for (Index k = 0; k < n; ++k) unit[k] = m.unit[k];
  for (Index k = 0; k < r; ++k) unit[n + k] = m.unit[rated[k]];
  // The chosen states are x = S ξ: A → S A S⁻¹, B → S B, X → X S⁻¹, all in the units of their names.
  const MatrixXd X = unit.asDiagonal() * part.X, Y = unit.asDiagonal() * part.Y, S = X(states, Eigen::all);
  const Eigen::PartialPivLU<MatrixXd> inverse(S);
  const MatrixXd S_inverse = inverse.inverse();
  if (part.differentiates_inputs || (Y.size() > 0 && Y(states, Eigen::all).cwiseAbs().maxCoeff() > 0))
    fail(ExitCode::input,
         "an input acts on a state directly, so that its derivatives would be inputs: let it act through a "
         "DIFF, or on a force");
  out.A = S * part.A * S_inverse;
  out.B = S * part.B;
  const MatrixXd all = X * S_inverse;
  out.Z = all.topRows(n);
  out.Z_u = Y.topRows(n);
  for (const Index k : states) {
    const bool rate = k >= n;
    const int of = rate ? rated[k - n] : static_cast<int>(k);
    out.states.push_back({m.names[of] + (rate ? " rate" : ""), of, rate});
  }
  return out;
}

}  // namespace trammel
