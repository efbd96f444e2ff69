#include "analysis/statics/rest_stability.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>

namespace trammel {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// s² M + s C + K over coordinates, multipliers and scalars (of these C has the rates).
struct Pencil {
  MatrixXd M, C, K;

  static constexpr int parts = 3;
  MatrixXd& operator[](int k) { return k == 0 ? M : k == 1 ? C : K; }
};

MatrixXd dense(const SparsePattern& pattern, const std::vector<double>& values) {
  MatrixXd out = MatrixXd::Zero(pattern.n, pattern.n);
  for (int column = 0; column < pattern.n; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
      out(pattern.row[k], column) = values[k];
  return out;
}

/// The tangent is linear in its coefficients: its parts are differences.
Pencil pencil_at(StaticProblem& problem, const State& state) {
  const SparsePattern& pattern = problem.assembler.pattern();
  std::vector<double> values(pattern.nonzeros());
  const auto tangent = [&](const Coefficients& c) {
    problem.equations.tangent(state, c, values);
    return dense(pattern, values);
  };
  problem.equations.residual(state, problem.point, {.a = 0, .c = 1, .state = 1, .rate = 0}, problem.r);
  Pencil out;
  out.K = tangent({.a = 0, .b = 0, .c = 1, .state = 1, .rate = 0});
  out.M = tangent({.a = 1, .b = 0, .c = 1, .state = 1, .rate = 0}) - out.K;
  out.C = tangent({.a = 0, .b = 1, .c = 1, .state = 1, .rate = 1}) - out.K;
  return out;
}

std::vector<int> range(int begin, int end) {
  std::vector<int> out;
  for (int k = begin; k < end; ++k) out.push_back(k);
  return out;
}

/// Unknowns z remain, y follow from their own equations S y + P_yz z = 0: P_zz − P_zy S⁻¹ P_yz. Columns of y
/// have no rates.
Pencil eliminated(const Pencil& from, const std::vector<int>& z, const std::vector<int>& y) {
  Pencil out{from.M(z, z), from.C(z, z), from.K(z, z)};
  if (y.empty()) return out;
  const Eigen::FullPivLU<MatrixXd> S(from.K(y, y));
  if (!S.isInvertible())
    fail(ExitCode::solver, "algebraic equations leave their VARIABLEs open at the equilibrium");
  const MatrixXd G = MatrixXd(from.K(z, y)) * S.inverse();
  out.M -= G * MatrixXd(from.M(y, z));
  out.C -= G * MatrixXd(from.C(y, z));
  out.K -= G * MatrixXd(from.K(y, z));
  return out;
}

struct Modes {
  std::vector<std::complex<double>> s;
  std::vector<VectorXd> shape;  ///< real part
};

void keep_mode(Modes& modes, std::complex<double> s, const VectorXd& shape) {
  modes.s.push_back(s);
  modes.shape.push_back(shape);
}

/// Eigenvalues of (s² M + s C + K) p = 0 in units of w, and their vectors:
///     [0 1; −K −C] y = s [1 0; 0 M] y,
/// by the standard problem where M has an inverse. Infinite ones, of massless parts, are left out.
Modes modes_of(const Pencil& p, double w) {
  const Eigen::Index n = p.M.rows();
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -p.K / (w * w);
  A.bottomRightCorner(n, n) = -p.C / w;
  Modes out;
  const Eigen::FullPivLU<MatrixXd> M(p.M);
  if (M.rcond() > 1e-10) {
    A.bottomRows(n) = M.solve(MatrixXd(A.bottomRows(n)));
    const Eigen::EigenSolver<MatrixXd> solver(A);
    for (Eigen::Index i = 0; i < 2 * n; ++i)
      keep_mode(out, solver.eigenvalues()[i], solver.eigenvectors().col(i).head(n).real());
    return out;
  }
  MatrixXd B = MatrixXd::Identity(2 * n, 2 * n);
  B.bottomRightCorner(n, n) = p.M;
  const Eigen::GeneralizedEigenSolver<MatrixXd> solver(A, B);
  constexpr double infinite = 1e6;  // rounding brings infinite pairs to 1/√ε = 7e7
  for (Eigen::Index i = 0; i < 2 * n; ++i)
    if (std::abs(solver.alphas()[i]) <= infinite * std::abs(solver.betas()[i]))
      keep_mode(out, solver.alphas()[i] / solver.betas()[i], solver.eigenvectors().col(i).head(n).real());
  return out;
}

/// A bound of the frequencies, in which times are measured.
double frequency_scale(const Pencil& p) {
  const auto size = [](const MatrixXd& m) { return m.size() > 0 ? m.cwiseAbs().maxCoeff() : 0.0; };
  const double m = size(p.M), c = size(p.C), k = size(p.K);
  return m > 0 ? std::max(std::sqrt(k / m), c / m) : c > 0 ? k / c : 0.0;
}

/// Small motions in independent coordinates p and states x: δq = N p, and the pencil of (p, x).
struct SmallMotions {
  MatrixXd N;
  Pencil pencil;
};

SmallMotions small_motions(StaticProblem& problem, const State& state) {
  const Model& model = problem.model;
  const int n = model.coordinates;
  // Scalars without rates go; coordinates, multipliers and states with rates stay.
  std::vector<int> stay = range(0, model.first_scalar()), algebraic;
  std::vector<unsigned char> held(model.scalars.size(), 0);
  for (const int k : problem.equations.held()) held[k] = 1;
  for (std::size_t k = 0; k < model.scalars.size(); ++k)
    (model.scalars[k].differential() && !held[k] ? stay : algebraic)
        .push_back(model.first_scalar() + static_cast<int>(k));
  Pencil less = eliminated(pencil_at(problem, state), stay, algebraic);
  std::vector<int> rows;
  for (int k = 0; k < model.multipliers; ++k)
    if (!problem.assembler.masked(k)) rows.push_back(n + k);
  VectorXd length = VectorXd::Ones(n);  // rotations weigh as translations by the mean arm
  for (const Body& body : model.bodies)
    length.segment(body.first, body.translations).setConstant(problem.initial.arm());
  SmallMotions out{length.asDiagonal(), {}};
  if (!rows.empty()) {
    const MatrixXd Phi = MatrixXd(less.K(rows, range(0, n))) * length.asDiagonal();
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(Phi.transpose());
    const MatrixXd Q = qr.householderQ();
    out.N = length.asDiagonal() * Q.rightCols(n - qr.rank());
  }
  const int states = static_cast<int>(stay.size()) - model.first_scalar();
  const Eigen::Index free = out.N.cols();
  std::vector<int> kept = range(0, n);
  for (int k = 0; k < states; ++k) kept.push_back(model.first_scalar() + k);
  MatrixXd T = MatrixXd::Zero(n + states, free + states);
  T.topLeftCorner(n, free) = out.N;
  T.bottomRightCorner(states, states).setIdentity();
  for (int k = 0; k < Pencil::parts; ++k) out.pencil[k] = T.transpose() * MatrixXd(less[k](kept, kept)) * T;
  return out;
}

void name_parts(const Model& model, const VectorXd& dq, double arm, std::vector<std::string>& names) {
  std::vector<double> size(model.bodies.size(), 0.0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    for (int k = 0; k < body.count(); ++k)
      size[b] = std::max(size[b], std::abs(dq[body.first + k]) / (k < body.translations ? arm : 1.0));
  }
  const double largest = *std::max_element(size.begin(), size.end());
  for (std::size_t b = 0; b < size.size(); ++b) {
    const std::string name = model.bodies[b].name.label();
    if (size[b] > 1e-3 * largest && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
}

}  // namespace

std::optional<RestStability> stability_at(StaticProblem& problem, const State& state) {
  if (problem.model.coordinates > most_coordinates_classified) return std::nullopt;
  const auto [N, pencil] = small_motions(problem, state);
  if (pencil.K.cols() > most_free_classified) return std::nullopt;
  const Eigen::Index free = N.cols();
  RestStability out;
  if (pencil.K.cols() == 0) return out;  // nothing is free to move
  VectorXd direction;
  // Directions in which K does nothing.
  const Eigen::BDCSVD<MatrixXd> svd(pencil.K, Eigen::ComputeFullV);
  for (Eigen::Index i = 0; i < pencil.K.cols(); ++i) {
    if (svd.singularValues()[i] > 1e-12 * std::max(svd.singularValues()[0], 1e-300)) continue;
    const VectorXd dq = N * svd.matrixV().col(i).head(free);
    if (dq.cwiseAbs().maxCoeff() == 0) continue;
    ++out.neutral;
    name_parts(problem.model, dq, problem.initial.arm(), out.neutral_parts);
    if (direction.size() == 0) direction = dq;
  }
  const double w = frequency_scale(pencil);
  const Modes modes = w > 0 ? modes_of(pencil, w) : Modes{};
  for (std::size_t i = 0; i < modes.s.size(); ++i) {
    // Rounding moves a pair of zeros by √ε of the scale, and real parts by some ε of it.
    if (std::abs(modes.s[i]) <= 3e-7 || modes.s[i].real() <= 1e-9) continue;
    ++out.unstable;
    if (modes.s[i].real() * w <= out.largest_real) continue;
    out.largest_real = modes.s[i].real() * w;
    direction = N * modes.shape[i].head(free);
  }
  out.kind = out.unstable > 0  ? RestStability::Kind::unstable
             : out.neutral > 0 ? RestStability::Kind::neutral
                               : RestStability::Kind::stable;
  out.direction.assign(direction.data(), direction.data() + direction.size());
  return out;
}

}  // namespace trammel
