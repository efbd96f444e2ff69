// TFSISO: its output beside closed forms, whatever factor NUMERATOR and DENOMINATOR have in common, and
// beside the same system as an LSE with states of another form.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "../support/simulate.h"

namespace trammel::transfer_functions_test {
namespace {

using namespace test;

std::string transfer(int id, int states, const std::string& numerator, const std::string& denominator) {
  return fmt::format(
      "ARRAY/{0}1,X,SIZE={1}\nARRAY/{0}2,U,VARIABLES=1\nARRAY/{0}3,Y,SIZE=1\n"
      "TFSISO/{0},X={0}1,U={0}2,Y={0}3,NUMERATOR={2}\n,DENOMINATOR={3}\n",
      id, states, numerator, denominator);
}

std::string deck(const std::string& systems, const std::string& integrator) {
  return "filters\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nVARIABLE/1,FUNCTION=SIN(20*TIME)\n" + systems +
         "INTEGRATOR/" + integrator + "\nEND\n";
}

class TransferFunctions : public testing::TestWithParam<std::pair<const char*, double>> {};

/// s H(s) and H(s) of H = 10⁶/(10⁶ + 1400 s + s²), written with 10⁶ in all coefficients: 20 cos 20t and sin
/// 20t but for what has died out (e^(−700 t)).
TEST_P(TransferFunctions, are_as_exact_as_ERROR_says_of_outputs) {
  const auto& [integrator, errors] = GetParam();
  Recording r(
      deck(transfer(1, 2, "0,1E6", "1E6,1.4E3,1") + transfer(2, 2, "1E6", "1E6,1.4E3,1"), integrator));
  r.simulation->run(dynamics_analysis, {2, 80});
  const std::complex<double> s(0, 20), h = 1e6 / (1e6 + 1.4e3 * s + s * s);
  const double error = r.simulation->settings().integrator.error;
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    if (r.time[k] < 0.1) continue;
    const std::complex<double> y = h * std::exp(s * r.time[k]);
    EXPECT_NEAR(r.at(k, "TFSISO/1", "Y1"), (s * y).imag(), 20 * errors * error) << r.time[k];
    EXPECT_NEAR(r.at(k, "TFSISO/2", "Y1"), y.imag(), errors * error) << r.time[k];
  }
}

// Global errors, in ERROR, of states whose rates are twenty times as large: of HHT and I3 those of a second
// order method, ERROR^(2/3) = 21 ERROR at 1e-4 and 46 at 1e-5.
INSTANTIATE_TEST_SUITE_P(, TransferFunctions,
                         testing::Values(std::pair("GSTIFF,ERROR=1E-4", 20.0),
                                         std::pair("GSTIFF,SI2,ERROR=1E-5", 20.0),
                                         std::pair("HHT,ERROR=1E-5", 46.0),
                                         std::pair("RADAU,ERROR=1E-3", 5.0),
                                         std::pair("RKF45,ERROR=1E-4", 20.0)));

/// H = (0.3 + 0.1 s + 0.7 s³)/(1.2 + 3 s + 2.5 s² + 2 s³) as an LSE in controller form.
TEST(TransferFunction, is_the_linear_system_of_its_coefficients) {
  const std::string lse =
      "ARRAY/81,X,SIZE=3\nARRAY/82,U,VARIABLES=1\nARRAY/83,Y,SIZE=1\n"
      "MATRIX/1,FULL,RORDER,ROWS=3,COLUMNS=3,VALUES=0,1,0,0,0,1,-.6,-1.5,-1.25\n"
      "MATRIX/2,FULL,RORDER,ROWS=3,COLUMNS=1,VALUES=0,0,.5\n"
      "MATRIX/3,FULL,RORDER,ROWS=1,COLUMNS=3,VALUES=-.12,-.95,-.875\n"
      "MATRIX/4,FULL,RORDER,ROWS=1,COLUMNS=1,VALUES=.35\n"
      "LSE/1,X=81,U=82,Y=83,A=1,B=2,C=3,D=4\n";
  Recording r(deck(transfer(1, 3, "0.3,0.1,0,0.7", "1.2,3,2.5,2") + lse, "GSTIFF,SI2,ERROR=1E-8"));
  r.simulation->run(dynamics_analysis, {3, 60});
  for (std::size_t k = 0; k < r.time.size(); ++k)  // global errors of both
    EXPECT_NEAR(r.at(k, "TFSISO/1", "Y1"), r.at(k, "LSE/1", "Y1"), 1e-6) << r.time[k];
}

}  // namespace
}  // namespace trammel::transfer_functions_test
