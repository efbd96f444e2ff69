// Numbers and kernels of RKF45 (integrate/methods/rkf45.cpp). Source: E. Fehlberg, Low-order classical
// Runge-Kutta formulas with stepsize control, NASA TR R-315 (1969), table III.
#pragma once

#include "integrate/step_terms.h"

namespace trammel::rkf45 {

inline constexpr int stages = 6;
struct Row {
  double w[stages];
};

inline constexpr double c[stages] = {0, 1. / 4, 3. / 8, 12. / 13, 1, 1. / 2};
inline constexpr Row a[stages] = {{},
                                  {{1. / 4}},
                                  {{3. / 32, 9. / 32}},
                                  {{1932. / 2197, -7200. / 2197, 7296. / 2197}},
                                  {{439. / 216, -8, 3680. / 513, -845. / 4104}},
                                  {{-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40}}};
/// Of order 5; and less the formula of order 4.
inline constexpr Row b = {{16. / 135, 0, 6656. / 12825, 28561. / 56430, -9. / 50, 2. / 55}};
inline constexpr Row error = {{1. / 360, 0, -128. / 4275, -2197. / 75240, 1. / 50, 2. / 55}};
/// The stage at the end of the step, and the end of the step less that stage.
inline constexpr int stage_at_end = 4;
inline constexpr Row beyond_stage = {{16. / 135 - 439. / 216, 8, 6656. / 12825 - 3680. / 513,
                                      28561. / 56430 + 845. / 4104, -9. / 50, 2. / 55}};
/// Where the formula of order 5 ceases to be stable on the negative real axis: −z.
inline constexpr double stability_limit = 3.6;

/// begin + h Σ w_j x_j, or the sum alone where begin is null.
struct Combination {
  static constexpr const char* name = "rkf45_combination";
  const double* x[stages];
  Row w;
  double h;
  const double* begin;
  double* out;
  TRAMMEL_HD void operator()(int i) const {
    double sum = 0;
    for (int j = 0; j < stages; ++j) sum += w.w[j] * x[j][i];
    out[i] = (begin ? begin[i] : 0.0) + h * sum;
  }
};
/// The same of states with a rate; other scalars stay as they are.
struct StateCombination {
  static constexpr const char* name = "rkf45_state_combination";
  Combination of;
  const unsigned char* differential;
  TRAMMEL_HD void operator()(int k) const {
    if (differential[k]) of(k);
  }
};

}  // namespace trammel::rkf45
