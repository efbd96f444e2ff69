// Variations of two markers and gradients of rows as plain numbers, for differences.
#pragma once

#include <array>

#include "element/constraint_row.h"
#include "random.h"

namespace trammel::test {

/// The variation (δr_I, δθ_I, δr_J, δθ_J), δA = [δθ]× A, as 12 numbers.
using Variation = std::array<double, 12>;

/// The pose moved by h times six numbers (δr, δθ).
inline Pose<double> moved(const Pose<double>& p, const double* d, double h) {
  return {p.r + h * Vec3d{d[0], d[1], d[2]}, exponential(h * Vec3d{d[3], d[4], d[5]}) * p.A};
}

inline Variation numbers(const RowGradient<double>& g) {
  Variation v;
  const Vec3d* part[4] = {&g.fi, &g.ti, &g.fj, &g.tj};
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k < 3; ++k) v[3 * p + k] = (*part[p])[k];
  return v;
}

}  // namespace trammel::test
