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
  ShiftedSystem(const SparsePencil& pencil, const Assembler& assembler, Complex s)
      : shift_(s), complex_(s.imag() != 0) {
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
    require(report, s);
  }

  void solve(const VectorXcd& b, VectorXcd& x) {
    if (complex_) {
      require(of_complex_.solve(b.data(), x.data()), shift_);
      return;
    }
    VectorXd part[2] = {b.real(), b.imag()};
    for (VectorXd& p : part)
      if (p.cwiseAbs().maxCoeff() > 0) require(of_real_.solve(p.data(), p.data()), shift_);
    x.real() = part[0];
    x.imag() = part[1];
  }

 private:
  static void require(const SolveReport& report, Complex s) {
    if (report.status != SolveStatus::ok)
      fail(ExitCode::solver,
           "LINEAR: the linearised equations are singular at s = {:.6g}{:+.6g}i, near which their modes are "
           "looked for",
           s.real(), s.imag());
  }

  Complex shift_;
  bool complex_;
  GuardedSystem of_real_;
  ComplexSystem of_complex_;
};

/// At most so many eigenvalues are finite.
Index finite_eigenvalues(const Model& model, const Assembler& assembler, const SparsePencil& pencil) {
  const SparsePattern& pattern = pencil.pattern;
  const int scalars = model.first_scalar();
  std::vector<unsigned char> of_rates(model.multipliers, 0);  // rows that hold rates alone
  for (int column = 0; column < model.coordinates; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
      if (const int row = pattern.row[k] - model.coordinates; row >= 0 && row < model.multipliers)
        if (pencil.C[k] != 0) of_rates[row] = 1;
  const std::vector<unsigned char> moves = pencil.moving();
  Index out = 2 * Index(model.coordinates) + std::count(moves.begin() + scalars, moves.end(), 1);
  for (int k = 0; k < model.multipliers; ++k)
    if (!assembler.masked(k)) out -= of_rates[k] ? 1 : 2;
  return out;
}

/// B = (A − σ E)⁻¹ E of the equations in first-order form, over the unknowns that have rates and their rates
/// v in units of the shift, whose eigenvalues are ν = 1/(s − σ):
///     P(σ) w = −(C + σ M) x − M v, w' = σ w + x; x and v without the unknowns that have no rates.
/// As an operator on real vectors, of a complex shift it is (a, b) → (Re, Im) B (a + i b), with ν and its
/// conjugate: to ν belong (a, b) with B (a + i b) = ν (a + i b), to the other those with a + i b = 0.
class ShiftedInverse {
 public:
  using Scalar = double;

  ShiftedInverse(const Model& model, Assembler& assembler, const SparsePencil& pencil, Complex shift,
                 double arm)
      : pencil_(pencil), system_(pencil, assembler, shift), shift_(shift), unit_(std::abs(shift)) {
    is_complex_ = shift.imag() != 0;
    finite_ = finite_eigenvalues(model, assembler, pencil);
    const std::vector<unsigned char> moves = pencil.moving();
    for (int k = 0; k < pencil.pattern.n; ++k)
      if (moves[k]) unknowns_.push_back(k), length_.push_back(1.0);
    std::vector<double> of_unknown(pencil.pattern.n, 1.0);
    for (const Body& body : model.bodies)
      for (int k = body.translations; k < body.count(); ++k) of_unknown[body.first + k] = 1 / arm;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) length_[i] = of_unknown[unknowns_[i]];
  }

  /// Eigenvalues ν that are not zero: at most so many, as constraints hold displacements and their rates, or
  /// rates alone. What rounding makes of zeros comes after all of these.
  Index most() const { return (is_complex_ ? 2 : 1) * finite_; }
  Index rows() const { return (is_complex_ ? 2 : 1) * states(); }
  Index cols() const { return rows(); }
  void perform_op(const double* in, double* out) const {
    const Index n = unknowns();
    VectorXcd x = Eigen::Map<const VectorXd>(in, states()).cast<Complex>(), full, rate;
    if (is_complex_) x.imag() = Eigen::Map<const VectorXd>(in + states(), states());
    apply(x, full, rate);
    for (Index i = 0; i < n; ++i) {
      const Complex of_x = full[unknowns_[i]] / length_[i], of_v = rate[i] / length_[i];
      out[i] = of_x.real();
      out[i + n] = of_v.real();
      if (!is_complex_) continue;
      out[i + 2 * n] = of_x.imag();
      out[i + 3 * n] = of_v.imag();
    }
  }

  /// a + i b of an eigenvector of the operator.
  VectorXcd state_of(const VectorXcd& x) const {
    if (!is_complex_) return x;
    return x.head(states()) + Complex(0, 1) * x.tail(states());
  }

  /// `full`: w over all unknowns; `rate`: w' over those that have rates, in units of the shift.
  void apply(const VectorXcd& in, VectorXcd& full, VectorXcd& rate) const {
    const Index n = unknowns();
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

  /// s of a state (x, s x), by the quotient of rates and unknowns.
  Complex eigenvalue(const VectorXcd& in) const {
    const Index n = unknowns();
    return unit_ * in.head(n).dot(in.tail(n)) / in.head(n).squaredNorm();
  }

 private:
  Index unknowns() const { return static_cast<Index>(unknowns_.size()); }
  Index states() const { return 2 * unknowns(); }

  const SparsePencil& pencil_;
  mutable ShiftedSystem system_;
  Complex shift_;
  double unit_;
  bool is_complex_;
  Index finite_;
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
  std::vector<VectorXcd> state;  ///< (x, s x) of each, normalised
  double radius = 0;             ///< all eigenvalues are among them that are so near to the shift

  /// Whether this is among them: where ν is the conjugate of another, it comes twice.
  bool has(Complex eigenvalue, const VectorXcd& x) const {
    constexpr double equal = 1e-9;
    for (std::size_t k = 0; k < s.size(); ++k)
      if (std::abs(s[k] - eigenvalue) <= equal * std::abs(eigenvalue) &&
          std::abs(state[k].dot(x)) > 1 - equal)
        return true;
    return false;
  }
  void add(Complex eigenvalue, const VectorXcd& x) {
    s.push_back(eigenvalue);
    state.push_back(x);
  }
};

/// Tolerances of eigenvalues of the inverse. A motion that nothing holds is a double zero with one vector,
/// which comes out as two of the size of their root, in units of the shift.
constexpr double exact = 1e-11, about = 1e-6;

/// Eigenvalues for so many modes: two of each.
int wanted_for(int modes) {
  return 2 * modes + 2;
}

/// The eigenvalues nearest the shift; of those that are wanted only `about` as many as converge.
Found iterate(const ShiftedInverse& inverse, int wanted, double tolerance) {
  const Index n = inverse.rows();
  const Index count = std::min({Index(wanted), n - 2, std::max<Index>(inverse.most(), 1)}),
              room = std::min<Index>(n, 2 * count + 40);
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
  const Index done = solver.compute(Spectra::SortRule::LargestMagn, tolerance == exact ? 300 : 10, tolerance);
  if (solver.info() != Spectra::CompInfo::Successful && tolerance == exact)
    fail(ExitCode::solver,
         "LINEAR: {} of {} eigenvalues were found: ask for fewer, or near another frequency", done, count);
  Found out;
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  for (Index k = 0; k < vectors.cols(); ++k) {
    VectorXcd state = inverse.state_of(vectors.col(k));
    if (state.norm() < 1e-3) continue;  // of the conjugate of ν
    state.normalize();
    const Complex s = inverse.eigenvalue(state);
    if (!out.has(s, state)) out.add(s, state);
  }
  if (done > 0) out.radius = 1 / solver.eigenvalues().cwiseAbs().minCoeff();
  return out;
}

/// A real shift near the slowest modes that are not zero, which lie apart from the zeros there. 0 is no
/// shift: K itself may be singular. From far away slow modes lie at like distances, and few or none converge.
double slow_shift(const Model& model, Assembler& assembler, const SparsePencil& pencil, int count,
                  double arm) {
  constexpr double seen = 1e-2;   // in units of the shift: clear of zeros, which are found to √about
  constexpr double least = 1e-6;  // of the fastest: slower ones are zeros but for rounding
  const double bound = pencil.frequency(model.coordinates);
  double shift = bound > 0 ? 1e-2 * bound : 1.0;
  while (true) {
    double slowest = INFINITY;
    const Found found =
        iterate(ShiftedInverse(model, assembler, pencil, shift, arm), wanted_for(count), about);
    for (const Complex s : found.s)
      if (std::abs(s) > seen * shift) slowest = std::min(slowest, std::abs(s));
    if (std::isfinite(slowest) && slowest > 0.3 * shift) return std::min(shift, slowest);
    const double next = std::isfinite(slowest) ? slowest : shift / 10;
    if (next < least * bound) return shift;
    shift = next;
  }
}

/// At least the `count` eigenvalues nearest to i w, one of each pair, none of them missed.
Found nearest(const ShiftedInverse& inverse, Complex shift, double w, int count) {
  const Complex centre(0, w);
  for (int wanted = wanted_for(count);; wanted += count + 2) {
    Found found = iterate(inverse, wanted, exact);
    if (wanted >= std::min(inverse.most(), inverse.rows() - 2)) return found;
    const double radius = found.radius - std::abs(shift - centre);
    int inside = 0;
    for (const Complex s : found.s) inside += s.imag() >= 0 && std::abs(s - centre) <= radius;
    if (inside >= count) return found;
  }
}

/// A mode of the eigenvalue s; `full`: its vector over all unknowns.
Mode mode_of(const Model& model, Complex s, const VectorXcd& full) {
  Mode mode;
  mode.s = s;
  mode.q = full.head(model.coordinates);
  mode.v = mode.s * mode.q;
  mode.scalar = full.tail(model.scalar_count());
  return mode;
}

/// Motions that nothing holds: K x = 0 to rounding, and where no damper acts either, s = 0 twice. Of zeros
/// of one subspace an iteration may find more or less.
class HeldByNothing {
 public:
  explicit HeldByNothing(const SparsePencil& pencil) : pencil_(pencil) {}

  /// Of an eigenvector x whose eigenvalue is `size` times the shift. Zeros are found to the root of `exact`,
  /// beside which x has as much of others.
  bool holds(double size, const VectorXcd& x) const {
    constexpr double slow = 0.1, zero = 1e-5, rounding = 1e-15, inexact = 1e-12;
    if (!(size < slow)) return false;
    const double force = relative_residual(pencil_, 0, x);
    return force < rounding || (size < zero && force < inexact);
  }
  /// Takes what of x is new, if anything.
  void add(VectorXcd x) {
    constexpr double independent = 1e-6;
    const double size = x.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (const VectorXcd& other : basis_) x -= other * other.dot(x);
    if (x.norm() > independent * size) basis_.push_back(x.normalized());
  }
  /// f(x) for each eigenvalue zero.
  void for_each(auto f) const {
    constexpr double damped = 1e-10;
    std::vector<double> magnitude(pencil_.C.size());
    for (std::size_t k = 0; k < magnitude.size(); ++k) magnitude[k] = std::abs(pencil_.C[k]);
    for (const VectorXcd& x : basis_) {
      VectorXcd force = VectorXcd::Zero(x.size());
      VectorXd terms = VectorXd::Zero(x.size());
      pencil_.add_product(pencil_.C, x, force);
      pencil_.add_product(magnitude, VectorXd(x.cwiseAbs()), terms);
      f(x);
      if (force.norm() <= damped * terms.norm()) f(x);
    }
  }

 private:
  const SparsePencil& pencil_;
  std::vector<VectorXcd> basis_;
};

/// The modes found, one of each pair.
Modes modes_from(const Model& model, const SparsePencil& pencil, const ShiftedInverse& inverse,
                 const Found& found, double shift) {
  // Where more modes are asked for than there are, infinite eigenvalues come out as large ones: larger than
  // of any single coordinate, and no solutions of the equation.
  constexpr double fast = 1e4, wrong = 1e-3;
  const double fastest = fast * std::max(pencil.frequency(model.coordinates), shift);
  HeldByNothing zeros(pencil);
  Modes out;
  for (Index k = 0; k < Index(found.s.size()); ++k) {
    Complex s = found.s[k];
    VectorXcd full, rate;
    inverse.apply(found.state[k], full, rate);
    const double size = full.head(model.coordinates).norm();
    if (!(size > 0)) continue;  // a mode of states alone
    full /= size;
    if (zeros.holds(std::abs(s) / shift, full)) {
      zeros.add(full);
      continue;
    }
    if (std::abs(s.imag()) <= 1e-12 * std::abs(s)) s = s.real();
    if (s.imag() < 0) continue;
    const double error = relative_residual(pencil, s, full);
    if (std::abs(s) > fastest && error > wrong) continue;
    out.error = std::max(out.error, error);
    out.modes.push_back(mode_of(model, s, full));
  }
  zeros.for_each([&](const VectorXcd& x) { out.modes.push_back(mode_of(model, 0, x)); });
  return out;
}

}  // namespace

Modes nearest_modes(const Model& model, Assembler& assembler, const State& state, int count, double frequency,
                    double arm) {
  return nearest_modes(model, assembler, SparsePencil(model, assembler, state), count, frequency, arm);
}

Modes nearest_modes(const Model& model, Assembler& assembler, const SparsePencil& pencil, int count,
                    double frequency, double arm) {
  const double w = 2 * std::numbers::pi * frequency;
  const Complex shift = w > 0 ? Complex(0, w) : slow_shift(model, assembler, pencil, count, arm);
  const ShiftedInverse inverse(model, assembler, pencil, shift, arm);
  const Found found = nearest(inverse, shift, w, count);
  Modes out = modes_from(model, pencil, inverse, found, std::abs(shift));
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
