#include "analysis/linear/nearest_modes.h"

#include <Spectra/GenEigsSolver.h>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linear/host/complex_system.h"

namespace trammel {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXcd;
using Eigen::VectorXd;

/// x = P(s)⁻¹ b at one shift s, real or complex.
class ShiftedSystem {
 public:
  ShiftedSystem(const SparsePencil& pencil, const Assembler& assembler, Complex s) : complex_(s.imag() != 0) {
    const Structure& structure = *assembler.structure();
    const std::vector<double> size = pencil.at(std::abs(s));
    SolveReport report;
    if (complex_) {
      of_complex_.analyze(pencil.pattern, structure.order().unknowns);
      report = of_complex_.set_matrix(pencil.at(s).data(),
                                      kkt_scaling(pencil.pattern, size.data(), structure.graph()));
    } else {
      of_real_.analyze(structure.pattern(), structure.graph(), structure.order());
      report = of_real_.set_matrix(size.data());
    }
    require(report);
  }

  void solve(const VectorXcd& b, VectorXcd& x) {
    if (complex_) {
      require(of_complex_.solve(b.data(), x.data()));
      return;
    }
    VectorXd part[2] = {b.real(), b.imag()};
    for (VectorXd& p : part)
      if (p.cwiseAbs().maxCoeff() > 0) require(of_real_.solve(p.data(), p.data()));
    x.real() = part[0];
    x.imag() = part[1];
  }

 private:
  static void require(const SolveReport& report) {
    if (report.status != SolveStatus::ok)
      fail(ExitCode::solver, "the linearised equations are singular at the frequency asked for");
  }

  bool complex_;
  GuardedSystem of_real_;
  ComplexSystem of_complex_;
};

/// y = Re (A − σ E)⁻¹ E x of the equations in first-order form, over the unknowns that have rates and their
/// rates v in units of the shift:
///     P(σ) w = −(C + σ M) x − M v, w' = σ w + x; x and v without the unknowns that have no rates.
class ShiftedInverse {
 public:
  using Scalar = double;

  ShiftedInverse(const Model& model, Assembler& assembler, const SparsePencil& pencil, Complex shift,
                 double arm)
      : pencil_(pencil), system_(pencil, assembler, shift), shift_(shift), unit_(std::abs(shift)) {
    const std::vector<unsigned char> moves = pencil.moving();
    for (int k = 0; k < pencil.pattern.n; ++k)
      if (moves[k]) unknowns_.push_back(k), length_.push_back(1.0);
    std::vector<double> of_unknown(pencil.pattern.n, 1.0);
    for (const Body& body : model.bodies)
      for (int k = body.translations; k < body.count(); ++k) of_unknown[body.first + k] = 1 / arm;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) length_[i] = of_unknown[unknowns_[i]];
  }

  Index rows() const { return 2 * static_cast<Index>(unknowns_.size()); }
  Index cols() const { return rows(); }
  void perform_op(const double* in, double* out) const {
    const Eigen::Map<const VectorXd> x(in, rows());
    VectorXcd full, rate;
    apply(x.cast<Complex>(), full, rate);
    for (Index i = 0; i < rows() / 2; ++i) {
      out[i] = full[unknowns_[i]].real() / length_[i];
      out[i + rows() / 2] = rate[i].real() / length_[i];
    }
  }

  /// `full`: w over all unknowns; `rate`: w' over those that have rates, in units of the shift.
  void apply(const VectorXcd& in, VectorXcd& full, VectorXcd& rate) const {
    const Index n = rows() / 2;
    VectorXcd x = VectorXcd::Zero(pencil_.pattern.n), v = x, b = x;
    for (Index i = 0; i < n; ++i) {
      x[unknowns_[i]] = in[i] * length_[i];
      v[unknowns_[i]] = in[i + n] * length_[i] * unit_;
    }
    pencil_.add_product(pencil_.C, x, b);
    v += shift_ * x;
    pencil_.add_product(pencil_.M, v, b);
    b = -b;
    full.resize(pencil_.pattern.n);
    system_.solve(b, full);
    rate.resize(n);
    for (Index i = 0; i < n; ++i) rate[i] = (shift_ * full[unknowns_[i]] + x[unknowns_[i]]) / unit_;
  }

  /// s of a vector (x, s x), by the quotient of rates and unknowns.
  Complex eigenvalue(const VectorXcd& in) const {
    const Index n = rows() / 2;
    return unit_ * in.head(n).dot(in.tail(n)) / in.head(n).squaredNorm();
  }

 private:
  const SparsePencil& pencil_;
  mutable ShiftedSystem system_;
  Complex shift_;
  double unit_;
  std::vector<int> unknowns_;
  std::vector<double> length_;  ///< unit of each unknown: rotations count as displacements at `arm`
};

/// |P(s) x| over the norm of the sums of the magnitudes of its terms.
double relative_residual(const SparsePencil& pencil, Complex s, const VectorXcd& x) {
  VectorXcd r = VectorXcd::Zero(x.size());
  VectorXd size = VectorXd::Zero(x.size());
  const VectorXd of_x = x.cwiseAbs();
  pencil.add_product(pencil.at(s), x, r);
  std::vector<double> magnitude(pencil.K.size());
  for (std::size_t k = 0; k < magnitude.size(); ++k)
    magnitude[k] =
        std::abs(s) * (std::abs(s) * std::abs(pencil.M[k]) + std::abs(pencil.C[k])) + std::abs(pencil.K[k]);
  pencil.add_product(magnitude, of_x, size);
  return size.norm() > 0 ? r.norm() / size.norm() : 0.0;
}

struct Found {
  std::vector<Complex> s;
  Eigen::MatrixXcd vector;
  double smallest = 0;  ///< smallest |ν| of the eigenvalues ν of the inverse
};

constexpr double exact = 1e-11, about = 1e-2;  ///< tolerances of eigenvalues of the inverse

/// The eigenvalues nearest the shift; of those that are wanted only `about` as many as converge.
Found iterate(const ShiftedInverse& inverse, int wanted, double tolerance) {
  const Index n = inverse.rows();
  const Index count = std::min<Index>(wanted, n - 2), room = std::min<Index>(n, 2 * count + 40);
  Spectra::GenEigsSolver<const ShiftedInverse> solver(inverse, count, room);
  VectorXd start(n), next(n);
  for (Index k = 0; k < n; ++k) start[k] = std::sin(1.0 + 7.3 * double(k % 1009) + 0.01 * double(k));
  // The displacements that constraints do not allow, which the inverse takes out, are gone after three
  // applications.
  for (int k = 0; k < 3; ++k) {
    inverse.perform_op(start.data(), next.data());
    if (!(next.norm() > 0)) fail(ExitCode::solver, "nothing is free to move");
    start = next.normalized();
  }
  solver.init(start.data());
  const Index done = solver.compute(Spectra::SortRule::LargestMagn, 300, tolerance);
  if (solver.info() != Spectra::CompInfo::Successful && tolerance == exact)
    fail(ExitCode::solver, "{} of {} eigenvalues were found: ask for fewer, or near another frequency", done,
         count);
  Found out;
  out.vector = solver.eigenvectors();
  for (Index k = 0; k < out.vector.cols(); ++k) out.s.push_back(inverse.eigenvalue(out.vector.col(k)));
  out.smallest = done > 0 ? solver.eigenvalues().cwiseAbs().minCoeff() : 0;
  return out;
}

/// A real shift near the slowest modes that are not zero, which lie apart from the zeros there. 0 is no
/// shift: K itself may be singular. From far away slow modes lie at like distances, and few or none converge.
double slow_shift(const Model& model, Assembler& assembler, const SparsePencil& pencil, double arm) {
  const double bound = pencil.frequency(model.coordinates);
  double shift = bound > 0 ? 1e-2 * bound : 1.0;
  for (int k = 0; k < 6; ++k) {
    double slowest = INFINITY;
    const Found found = iterate(ShiftedInverse(model, assembler, pencil, shift, arm), 8, about);
    if (found.s.empty()) {
      shift /= 10;
      continue;
    }
    for (const Complex s : found.s)
      if (std::abs(s) > 1e-4 * shift) slowest = std::min(slowest, std::abs(s));
    if (slowest > 0.3 * shift) return std::min(shift, std::isfinite(slowest) ? slowest : shift);
    shift = slowest;
  }
  return shift;
}

/// The radius about the frequency asked for within which all eigenvalues are among those found. With a real
/// shift σ, ν = 1/(s − σ), the radius is about zero; with σ = i w, ν = s/(s² + w²): at the distance r from i
/// w, |ν| ≥ (w − r)/(r (2 w + r)).
double complete_within(const Found& found, Complex shift) {
  const double nu = found.smallest, w = shift.imag(), b = 2 * w * nu + 1;
  return w > 0 ? (std::sqrt(b * b + 4 * nu * w) - b) / (2 * nu) : 1 / nu - shift.real();
}

/// At least the `count` eigenvalues nearest to i w, one of each pair, none of them missed.
Found nearest(const ShiftedInverse& inverse, Complex shift, int count) {
  const Complex centre(0, shift.imag());
  for (int wanted = 2 * count + 2;; wanted += count + 2) {
    Found found = iterate(inverse, wanted, exact);
    if (wanted >= inverse.rows() - 2) return found;
    const double radius = complete_within(found, shift);
    int inside = 0;
    for (const Complex s : found.s) inside += s.imag() >= 0 && std::abs(s - centre) <= radius;
    if (inside >= count) return found;
  }
}

}  // namespace

Modes nearest_modes(const Model& model, Assembler& assembler, const State& state, int count, double frequency,
                    double arm) {
  return nearest_modes(model, assembler, SparsePencil(model, assembler, state), count, frequency, arm);
}

Modes nearest_modes(const Model& model, Assembler& assembler, const SparsePencil& pencil, int count,
                    double frequency, double arm) {
  const double w = 2 * std::numbers::pi * frequency;
  const Complex shift = w > 0 ? Complex(0, w) : Complex(slow_shift(model, assembler, pencil, arm), 0);
  const ShiftedInverse inverse(model, assembler, pencil, shift, arm);
  const Found found = nearest(inverse, shift, count);
  // Where more modes are asked for than there are, infinite eigenvalues come out as large ones: larger than
  // of any single coordinate, and no solutions of the equation.
  constexpr double fast = 1e4, wrong = 1e-3;
  const double fastest = fast * std::max(pencil.frequency(model.coordinates), std::abs(shift));
  Modes out;
  for (Index k = 0; k < found.vector.cols(); ++k) {
    if (found.s[k].imag() < -1e-12 * std::abs(found.s[k])) continue;
    Mode mode;
    mode.s = std::abs(found.s[k].imag()) <= 1e-12 * std::abs(found.s[k]) ? found.s[k].real() : found.s[k];
    VectorXcd full, rate;
    inverse.apply(found.vector.col(k), full, rate);
    const double size = full.head(model.coordinates).norm();
    if (!(size > 0)) continue;  // a mode of states alone
    full /= size;
    mode.q = full.head(model.coordinates);
    mode.v = mode.s * mode.q;
    mode.scalar = full.tail(model.scalar_count());
    const double error = relative_residual(pencil, mode.s, full);
    if (std::abs(mode.s) > fastest && error > wrong) continue;
    out.error = std::max(out.error, error);
    out.modes.push_back(std::move(mode));
  }
  const auto distance = [&](const Mode& m) { return std::abs(m.s - Complex(0, w)); };
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [&](const Mode& a, const Mode& b) { return distance(a) < distance(b); });
  if (static_cast<int>(out.modes.size()) > count) out.modes.resize(count);
  sort_modes(out.modes);
  for (const Mode& mode : out.modes) out.states += mode.paired() ? 2 : 1;
  out.neutral.resize(model.coordinates, 0);
  return out;
}

}  // namespace trammel
