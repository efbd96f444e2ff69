// Small motions with filters as chains of states, ẋ_k = x_{k+1}, ẋ_n = −Σ (a_k/a_n) x_k + …, against closed
// forms.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "analysis/analyses/list.h"
#include "analysis/linear/linearization.h"
#include "analysis/linear/spectrum.h"
#include "linearized.h"

namespace trammel::filter_chains_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

/// A Butterworth filter ωⁿ / D(s) of order n, D(s) = Π (s − p_k) = sⁿ + Σ a_k s^k.
struct Butterworth {
  int n;
  double w;
  std::vector<Complex> poles;
  std::vector<double> a;

  Butterworth(int order, double frequency) : n(order), w(frequency) {
    std::vector<std::complex<long double>> D{1};  // from s⁰ up, in s/ω
    for (int k = 0; k < n; ++k) {
      const long double angle = std::numbers::pi_v<long double> * (2 * k + n + 1) / (2 * n);
      const std::complex<long double> p = std::polar(1.0L, angle);
      poles.push_back(w * Complex(p));
      D.insert(D.begin(), 0);
      for (std::size_t i = 0; i + 1 < D.size(); ++i) D[i] -= p * D[i + 1];
    }
    for (int k = 0; k < n; ++k)
      a.push_back(
          static_cast<double>(D[static_cast<std::size_t>(k)].real() * std::pow<long double>(w, n - k)));
  }
  double gain() const { return std::pow(w, n); }
  Complex denominator(Complex s) const {
    Complex out = 1;
    for (const Complex& p : poles) out *= s - p;
    return out;
  }
};

/// A mass of 1 kg that slides along x on a spring of 100 N/m; VARIABLE/1: a force on it.
constexpr const char* mass =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\nMARKER/1,PART=1\n"
    "PART/2,MASS=1,CM=20,IP=1,1,1,QG=1,0,0\nMARKER/20,PART=2,REULER=90D,90D,0D\n"
    "MARKER/21,PART=1,QP=1,0,0,REULER=90D,90D,0D\nJOINT/2,TRANSLATIONAL,I=20,J=21\n"
    "SPRINGDAMPER/1,TRANSLATION,I=20,J=1,K=100,LENGTH=1\n"
    "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=21,FUNCTION=VARVAL(1)\n";

std::string statement(const std::string& start, const std::vector<double>& values) {
  std::string out = start;
  for (std::size_t k = 0; k < values.size(); ++k) out += fmt::format("{}{}", k > 0 ? "\n," : "", values[k]);
  return out + "\n";
}

/// As DIFFs 1 to n of the input `u`; DIF(1) is the output.
std::string chain(const Butterworth& f, const std::string& u) {
  std::string out;
  for (int k = 1; k < f.n; ++k) out += fmt::format("DIFF/{},IC=0,FUNCTION=DIF({})\n", k, k + 1);
  out += fmt::format("DIFF/{},IC=0,FUNCTION={}*({})\n", f.n, f.gain(), u);
  for (int k = 0; k < f.n; ++k) out += fmt::format(",-{}*DIF({})\n", f.a[static_cast<std::size_t>(k)], k + 1);
  return out;
}

/// As an LSE of the input DX(20,21); its states stand the other way round, the fastest first.
std::string lse(const Butterworth& f) {
  const auto n = static_cast<std::size_t>(f.n);
  std::vector<double> A(n * n, 0.0), B(n, 0.0), C(n, 0.0);  // by columns
  for (std::size_t k = 0; k < n; ++k) {
    A[k * n] = -f.a[n - 1 - k];
    if (k + 1 < n) A[k * n + k + 1] = 1;
  }
  B[0] = 1, C[n - 1] = f.gain();
  const auto matrix = [](int id, std::size_t rows, const std::vector<double>& values) {
    return statement(
        fmt::format("MATRIX/{},FULL,CORDER,ROWS={},COLUMNS={},VALUES=", id, rows, values.size() / rows),
        values);
  };
  return "VARIABLE/9,FUNCTION=DX(20,21)\nARRAY/1,U,VARIABLES=9\nARRAY/2,X\nARRAY/3,Y\n" + matrix(1, n, A) +
         matrix(2, n, B) + matrix(3, 1, C) + "LSE/1,X=2,U=1,Y=3,A=1,B=2,C=3\n";
}

/// The eigenvalues, both of each pair.
std::vector<Complex> eigenvalues(const Modes& modes) {
  std::vector<Complex> out;
  for (const Mode& mode : modes.modes) {
    out.push_back(mode.s);
    if (mode.s.imag() != 0) out.push_back(std::conj(mode.s));
  }
  return out;
}

/// The eigenvalues are these to 1e-11 of themselves: rounding of the coefficients moves the poles of eighth
/// order by some 1e-13, and eigenvalues have rounding of the largest, 10³ times as large as the least here.
void expect_roots(const std::vector<Complex>& found, const std::vector<Complex>& expected,
                  const std::string& what) {
  EXPECT_EQ(found.size(), expected.size()) << what;
  for (const Complex& s : expected) {
    double error = 1;
    for (const Complex& other : found) error = std::min(error, std::abs(other - s) / std::abs(s));
    EXPECT_LT(error, 1e-11) << what << ": " << s;
  }
}

/// Order and frequency: the fourth order always came out right, of the others poles were lost.
class FilterChains : public testing::TestWithParam<std::pair<int, double>> {};

/// A filter that reads the mass has its own poles, and the mass ±10i; from the force to the output it is
/// ωⁿ / (D(s) (s² + 100)).
TEST_P(FilterChains, of_a_mass_on_a_spring) {
  const auto [n, w] = GetParam();
  const Butterworth f(n, w);
  std::vector<Complex> expected = f.poles;
  expected.insert(expected.end(), {{0, 10}, {0, -10}});
  for (const bool diffs : {true, false}) {
    Recording r(mass + (diffs ? chain(f, "DX(20,21)") : lse(f)) +
                "VARIABLE/1,FUNCTION=0\nVARIABLE/2,FUNCTION=" + (diffs ? "DIF(1)" : "ARYVAL(3,1)") +
                "\nEND\n");
    LinearizationOptions options;
    options.inputs = {scalar_of(r.simulation->model(), "VARIABLE/1")};
    options.outputs = {scalar_of(r.simulation->model(), "VARIABLE/2")};
    const Linearization l = linearize(*r.simulation, options);
    expect_roots(eigenvalues(l.modes), expected, diffs ? "DIFF" : "LSE");
    const Complex s(0, w / 2);
    const Eigen::MatrixXcd pencil =
        s * Eigen::MatrixXcd::Identity(l.equations.A.rows(), l.equations.A.cols()) - l.equations.A;
    const Complex response =
        (l.C * pencil.partialPivLu().solve(Eigen::MatrixXcd(l.equations.B.cast<Complex>())))(0, 0);
    const Complex exact = f.gain() / f.denominator(s) / (s * s + 100.0);
    EXPECT_LT(std::abs(response - exact), 1e-11 * std::abs(exact));  // rounding of the coefficients and of A
  }
}

/// It reads the acceleration and acts by the rate of its last state, F = γ ω⁻ⁿ ẋ_n, so the equations hold
/// both in E: (s² + 100) D(s) = γ s^(n+2).
TEST_P(FilterChains, of_an_acceleration_with_a_force_by_a_rate) {
  constexpr double share = -0.3;  // γ
  const auto [n, w] = GetParam();
  const Butterworth f(n, w);
  const Linear l = linearized(mass + chain(f, "ACCX(20)") +
                              fmt::format("VARIABLE/1,FUNCTION={}*DIF1({})\nEND\n", share / f.gain(), n));
  const std::vector<Complex> found = eigenvalues(l.modes);
  EXPECT_EQ(found.size(), static_cast<std::size_t>(n + 2));
  for (const Complex& s : found) {
    // Newton's correction of the root, from f'/f of both sides.
    const Complex left = (s * s + 100.0) * f.denominator(s), right = share * std::pow(s, n + 2);
    Complex by_s = 2.0 * s / (s * s + 100.0);
    for (const Complex& p : f.poles) by_s += 1.0 / (s - p);
    const Complex correction = (left - right) / (left * by_s - right * (n + 2.0) / s);
    EXPECT_LT(std::abs(correction), 1e-11 * std::abs(s)) << s;  // as expect_roots() has it
    for (const Complex& other : found)
      if (&other != &s) {
        EXPECT_GT(std::abs(other - s), 1e-3 * std::abs(s)) << s;
      }
  }
}

/// A mass that a MOTION lets follow the first state adds nothing: its rates are those of the chain.
TEST_P(FilterChains, that_a_motion_follows) {
  const auto [n, w] = GetParam();
  const Butterworth f(n, w);
  const Linear l = linearized(mass + chain(f, "0") +
                              "VARIABLE/1,FUNCTION=0\nMOTION/1,JOINT=2,TRANSLATIONAL,FUNCTION=DIF(1)\nEND\n");
  expect_roots(eigenvalues(l.modes), f.poles, "MOTION");
}

INSTANTIATE_TEST_SUITE_P(OrdersAndFrequencies, FilterChains,
                         testing::Values(std::pair{4, 1e3}, std::pair{6, 2e3}, std::pair{6, 5e3},
                                         std::pair{8, 300.0}, std::pair{8, 1e4}));

/// ẋ₁ = −x₁ + y, ẋ₂ = −3 x₂, 0 = x₁ − 2 x₂ binds two states to each other, y = −4 x₂: they do not stand apart
/// then, and a chain beside them still does.
TEST(FinitePart, equations_bind_states) {
  const Butterworth f(6, 5e3);
  const Eigen::Index n = f.n;
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n + 3, n + 3), A = E;
  E.diagonal().head(n + 2).setConstant(f.w);  // time in 1/ω
  for (Eigen::Index k = 0; k < n; ++k) {
    if (k + 1 < n) A(2 + k, 3 + k) = 1;
    A(n + 1, 2 + k) = -f.a[static_cast<std::size_t>(k)];
  }
  A(0, 0) = -1, A(0, n + 2) = 1;
  A(1, 1) = -3;
  A(n + 2, 0) = 1, A(n + 2, 1) = -2;
  std::vector<Eigen::Index> states;
  for (Eigen::Index k = 0; k < n + 2; ++k) states.push_back(k);
  const FinitePart part = finite_part(E, A, Eigen::MatrixXd::Zero(n + 3, 0), states,
                                      [](Eigen::Index k) { return std::to_string(k); });
  const Eigen::VectorXcd s = spectrum_of(part.A * f.w).s;
  std::vector<Complex> expected = f.poles;
  expected.push_back(-3);
  expect_roots({s.begin(), s.end()}, expected, "bound states");
  const double size = part.X.row(1).norm();  // rounding of rows of this size
  EXPECT_LT((part.X.row(0) - 2 * part.X.row(1)).norm(), 1e-14 * size);
  EXPECT_LT((part.X.row(n + 2) + 4 * part.X.row(1)).norm(), 1e-10 * size);  // y is of rates ω times as fast
}

}  // namespace
}  // namespace trammel::filter_chains_test
