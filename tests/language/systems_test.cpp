// Linear systems in whole runs: LSE against the matrix exponential, TFSISO against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "../support/simulate.h"

namespace trammel::systems_test {
namespace {

using namespace test;

/// A model needs a moving part: a free one, far from everything.
const std::string part = "PART/1, GROUND\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = 2\n";
const std::string settings = "INTEGRATOR/HHT, ERROR = 1E-8\n";

Recording run(const std::string& deck, double end, int steps) {
  Recording r("title\n" + part + settings + deck + "END\n");
  r.simulation->run(dynamics_analysis, {end, steps, 0});
  return r;
}

using M2 = std::array<double, 4>;
/// x(t) of x' = A x + Bu by its Taylor series x₀ + Σ x⁽ᵏ⁾ tᵏ/k!, x⁽ᵏ⁺¹⁾ = A x⁽ᵏ⁾: e^{At} of |A t| up to 10 in
/// 60 terms.
std::array<double, 2> exact(const M2& A, const std::array<double, 2>& x0, const std::array<double, 2>& Bu,
                            double t) {
  // State and input together: x' = A x + Bu, as the series of its Taylor coefficients x^(k+1) = A x^(k), k
  // >= 1.
  std::array<double, 2> x = x0, term{(A[0] * x0[0] + A[1] * x0[1] + Bu[0]) * t,
                                     (A[2] * x0[0] + A[3] * x0[1] + Bu[1]) * t};
  for (int k = 1; k < 60; ++k) {
    x[0] += term[0], x[1] += term[1];
    term = {(A[0] * term[0] + A[1] * term[1]) * t / (k + 1), (A[2] * term[0] + A[3] * term[1]) * t / (k + 1)};
  }
  return x;
}

TEST(Lse, step_response_is_the_matrix_exponential) {
  const Recording r =
      run("MATRIX/1, FULL, RORDER, ROWS = 2, COLUMNS = 2, VALUES = -0.5, 3, -2, -0.2\n"
          "MATRIX/2, FULL, CORDER, ROWS = 2, COLUMNS = 1, VALUES = 0.7, 1.3\n"
          "MATRIX/3, FULL, RORDER, ROWS = 2, COLUMNS = 2, VALUES = 1, 2, 0, -1\n"
          "MATRIX/4, SPARSE, I = 2, J = 1, VALUES = 0.25\n"
          "ARRAY/1, X, SIZE = 2\nARRAY/2, Y, SIZE = 2\nARRAY/3, U, SIZE = 1, VARIABLES = 1\nARRAY/4, IC, "
          "NUMBERS = 0.4, -1\n"
          "VARIABLE/1, FUNCTION = 2\nLSE/1, X = 1, A = 1, B = 2, U = 3, C = 3, Y = 2, D = 4, IC = 4\n"
          "REQUEST/1, F2 = ARYVAL(1,2)\\F3 = ARYVAL(3,1)\\F4 = ARYVAL(4,1)\n",
          3, 60);
  ASSERT_EQ(r.time.size(), 61u);
  EXPECT_EQ(r.at(0, "LSE/1", "X1"), 0.4);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const std::array<double, 2> x = exact({-0.5, 3, -2, -0.2}, {0.4, -1}, {1.4, 2.6}, r.time[k]);
    // Local error 1E-8 per step, some thousand steps, damped motion: well below 1e-5.
    EXPECT_NEAR(r.at(k, "LSE/1", "X1"), x[0], 1e-5);
    EXPECT_NEAR(r.at(k, "LSE/1", "X2"), x[1], 1e-5);
    // y = C x + D u of the computed states, to rounding and the corrector's tolerance
    EXPECT_NEAR(r.at(k, "LSE/1", "Y1"), r.at(k, "LSE/1", "X1") + 2 * r.at(k, "LSE/1", "X2"), 1e-9);
    EXPECT_NEAR(r.at(k, "LSE/1", "Y2"), -r.at(k, "LSE/1", "X2") + 0.25 * 2, 1e-9);
    EXPECT_EQ(r.at(k, "REQUEST/1", "F2"), r.at(k, "LSE/1", "X2"));
    EXPECT_EQ(r.at(k, "REQUEST/1", "F3"), r.at(k, "VARIABLE/1", "Q"));
    EXPECT_EQ(r.at(k, "REQUEST/1", "F4"), 0.4);
  }
}

/// X and Y without SIZE are those of the system that names them.
TEST(Systems, give_their_arrays_their_sizes) {
  const auto values = [](const std::string& x, const std::string& y) {
    const Recording r = run(
        "MATRIX/1, FULL, RORDER, ROWS = 2, COLUMNS = 2, VALUES = -0.5, 3, -2, -0.2\n"
        "MATRIX/2, FULL, CORDER, ROWS = 2, COLUMNS = 1, VALUES = 0.7, 1.3\n"
        "MATRIX/4, FULL, ROWS = 1, COLUMNS = 1, VALUES = 0.25\n"
        "ARRAY/1, X" +
            x + "\nARRAY/2, Y" + y +
            "\nARRAY/3, U, VARIABLES = 1\nVARIABLE/1, FUNCTION = TIME\n"
            "LSE/1, X = 1, A = 1, B = 2, U = 3, Y = 2, D = 4\nREQUEST/1, F2 = ARYVAL(1,2)\\F3 = ARYVAL(2,1)\n"
            "ARRAY/5, X" +
            x + "\nARRAY/6, Y" + y +
            "\n"
            "TFSISO/1, X = 5, U = 3, Y = 6, NUMERATOR = 2, DENOMINATOR = 1, 0.12, 0.04\n",
        1, 4);
    return r.values;
  };
  EXPECT_EQ(values("", ""), values(", SIZE = 2", ", SIZE = 1"));
}

/// K/(1 + 2ζ s/ω + s²/ω²) after a unit step: K (1 − e^{−ζωt} (cos ω_d t + ζ/√(1−ζ²) sin ω_d t)).
TEST(Tfsiso, step_response_of_second_order) {
  const double w = 5, z = 0.3, gain = 2, wd = w * std::sqrt(1 - z * z);
  const Recording r =
      run("ARRAY/1, X, SIZE = 2\nARRAY/2, Y, SIZE = 1\nARRAY/3, U, SIZE = 1, VARIABLES = 1\nVARIABLE/1, "
          "FUNCTION = 1\n"
          "TFSISO/1, X = 1, U = 3, Y = 2, NUMERATOR = 2, DENOMINATOR = 1, 0.12, 0.04\n",
          2, 40);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k];
    EXPECT_NEAR(
        r.at(k, "TFSISO/1", "Y1"),
        gain * (1 - std::exp(-z * w * t) * (std::cos(wd * t) + z / std::sqrt(1 - z * z) * std::sin(wd * t))),
        2e-5)
        << t;
  }
}

/// A numerator of full degree passes the input on: (1 + 3s)/(1 + s/2) = 6 − 5/(1 + s/2), after a step
/// 6 − 5 (1 − e^{−2t}).
TEST(Tfsiso, direct_part) {
  const Recording r =
      run("ARRAY/1, X, SIZE = 1\nARRAY/2, Y, SIZE = 1\nARRAY/3, U, VARIABLES = 1\nVARIABLE/1, FUNCTION = 1\n"
          "TFSISO/1, X = 1, U = 3, Y = 2, NUMERATOR = 1, 3, DENOMINATOR = 1, 0.5\n",
          1, 20);
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "TFSISO/1", "Y1"), 6 - 5 * (1 - std::exp(-2 * r.time[k])), 1e-5) << r.time[k];
}

/// A mass driven by the output of a system that reads its position: closed loop of the fourth order, against
/// the same equations written as DIFFs.
TEST(Lse, in_a_loop_with_a_part_is_the_same_as_diffs) {
  const std::string slider =
      "MARKER/11, PART = 1\nJOINT/1, TRANSLATIONAL, I = 21, J = 11\nSFORCE/1, TRANSLATION, "
      "ACTIONONLY, I = 21, J = 11, FUNCTION = ";
  const Recording
      a = run(slider +
                  "-4*DZ(21,11)+ARYVAL(2,1)\nVARIABLE/1, FUNCTION = 1-DZ(21,11)\nMATRIX/1, FULL, RORDER, "
                  "ROWS = 2, COLUMNS = 2, VALUES = -1, 2, -3, -0.5\nMATRIX/2, SPARSE, I = 1, 2, J = 1, 1, "
                  "VALUES = 1, 0.5\nMATRIX/3, FULL, ROWS = 1, COLUMNS = 2, VALUES = 0.5, 1\nARRAY/1, X, "
                  "SIZE = 2\nARRAY/2, Y, SIZE = 1\nARRAY/3, U, VARIABLES = 1\nLSE/1, X = 1, A = 1, B = 2, "
                  "U = 3, C = 3, Y = 2\n",
              3, 30),
      b = run(slider +
                  "-4*DZ(21,11)+0.5*DIF(1)+DIF(2)\nDIFF/1, FUNCTION = "
                  "-DIF(1)+2*DIF(2)+1-DZ(21,11)\nDIFF/2, FUNCTION = "
                  "-3*DIF(1)-0.5*DIF(2)+0.5*(1-DZ(21,11))\n",
              3, 30);
  double largest = 0;
  for (std::size_t k = 0; k < a.time.size(); ++k) {  // both to 1E-8 per step, with steps of their own
    EXPECT_NEAR(a.at(k, "PART/2", "Z"), b.at(k, "PART/2", "Z"), 1e-5);
    largest = std::max(largest, std::fabs(a.at(k, "PART/2", "Z")));
  }
  EXPECT_GT(largest, 0.05);  // something moves
}

}  // namespace
}  // namespace trammel::systems_test
