// The Nordsieck array of a polynomial y of degree k: z_j = h^j y^(j)/j! at the present time, for every
// component of a vector, and the operations of a step on it, one component each (device_api/kernel.h).
// Source: C. W. Gear, "Numerical Initial Value Problems in Ordinary Differential Equations" (1971),
// chapter 9.
#pragma once

#include "device_api/terms.h"
#include "integrate/rebase_body.h"
#include "integrate/step_terms.h"

namespace trammel {

/// Highest order of the backward differentiation formulas.
inline constexpr int highest_order = 6;

/// Coefficients ℓ of a correction: z_j += ℓ_j e, with ℓ_1 = 1.
struct NordsieckCoefficients {
  double l[highest_order + 1];
};

struct NordsieckArray {
  double* z[highest_order + 1];
  int order;

  /// The polynomial and h times its derivative, one step later.
  TRAMMEL_HD double next_value(int i) const {
    double sum = z[order][i];
    for (int j = order - 1; j >= 0; --j) sum += z[j][i];
    return sum;
  }
  TRAMMEL_HD double next_rate(int i) const {
    double sum = order * z[order][i];
    for (int j = order - 1; j > 0; --j) sum += j * z[j][i];
    return sum;
  }
  /// The polynomial x steps from the present time.
  TRAMMEL_HD double value(int i, double x) const {
    double sum = z[order][i];
    for (int j = order - 1; j >= 0; --j) sum = sum * x + z[j][i];
    return sum;
  }
};

/// z for steps that are longer by `ratio`.
struct RescaleNordsieck {
  static constexpr const char* name = "rescale_nordsieck";
  NordsieckArray y;
  double ratio;
  TRAMMEL_HD void operator()(int i) const {
    double power = 1;
    for (int j = 1; j <= y.order; ++j) y.z[j][i] *= power *= ratio;
  }
};

/// One step on: z ← P z + ℓ e with the Pascal triangle P, so that h times the derivative is h·rate_i. Entries
/// that have no rate stay.
struct AdvanceNordsieck {
  static constexpr const char* name = "advance_nordsieck";
  NordsieckArray y;
  const double* rate;
  double h;
  NordsieckCoefficients c;
  const unsigned char* differential;  ///< null: all have a rate
  TRAMMEL_HD void operator()(int i) const {
    if (differential && !differential[i]) return;
    const double e = h * rate[i] - y.next_rate(i);
    for (int k = 0; k < y.order; ++k)
      for (int j = y.order - 1; j >= k; --j) y.z[j][i] += y.z[j + 1][i];
    for (int j = 0; j <= y.order; ++j) y.z[j][i] += c.l[j] * e;
  }
};

/// q, q̇, q̈ one step on, where q̈ follows its polynomial: q̇ = h-derivative of v, e_q = h q̇ − z_1 of q.
struct PredictByNordsieck {
  static constexpr const char* name = "predict_by_nordsieck";
  NordsieckArray position, velocity;
  double *q, *v, *a;
  double h, l0;
  TRAMMEL_HD void operator()(int i) const {
    a[i] = velocity.next_rate(i) / h;
    v[i] = velocity.next_value(i);
    q[i] = position.next_value(i) + l0 * (h * v[i] - position.next_rate(i));
  }
};

/// The same of states with a rate; scalars without one are extrapolated.
struct PredictScalarsByNordsieck {
  static constexpr const char* name = "predict_scalars_by_nordsieck";
  NordsieckArray state;
  Extrapolation past;
  int first;  ///< entry of the first scalar in `past`
  const unsigned char* differential;
  double *s, *sdot;
  double h;
  TRAMMEL_HD void operator()(int k) const {
    if (!differential[k]) {
      s[k] = past(first + k);
      return;
    }
    sdot[k] = state.next_rate(k) / h;
    s[k] = state.next_value(k);
  }
};

/// out_i = factor ℓ_0 e_i = factor (y_{n+1} − predicted y), before the array is advanced.
struct NordsieckCorrection {
  static constexpr const char* name = "nordsieck_correction";
  NordsieckArray y;
  const double* rate;
  double h, factor;  ///< ℓ_0 is part of the factor
  double* out;
  const unsigned char* differential;  ///< null: all have a rate
  TRAMMEL_HD void operator()(int i) const {
    out[i] = differential && !differential[i] ? 0.0 : factor * (h * rate[i] - y.next_rate(i));
  }
};

/// Angles and their rates as polynomials, given over to another basis of the body: the new polynomials take
/// the values that the old ones have at the present time and the k − 1 steps before it, and the rates at the
/// present time. A polynomial in one basis is none in another; what differs is of the order of the formula.
struct NordsieckAngles {
  static constexpr const char* rebase_name = "rebase_bodies_with_polynomials";
  NordsieckArray position, velocity;
  double h;
  double* change[2];  ///< the last corrections of positions and velocities, taken for small rotations

  TRAMMEL_HD void operator()(const RebasedBody& body) const {
    const int at = body.at;
    const OrientationBasis &old = body.old, &basis = body.basis;
    const double *e = body.now.q + at, *ed = body.now.v + at, *edd = body.now.a + at;
    double angle[highest_order][3], rate[highest_order][3];  // at the present time, one step before, ...
    const int points = position.order;
    double unused[3];
    for (double* c : change)
      coordinates_of(motion_of(old, body.e, load(c + at), Vec3d{}), basis, angle[0], c + at, unused);
    for (int p = 1; p < points; ++p) {
      Vec3d q, v;
      for (int k = 0; k < 3; ++k) {
        q[k] = position.value(at + k, -p);
        v[k] = velocity.value(at + k, -p);
      }
      coordinates_of(motion_of(old, q, v, Vec3d{}), basis, angle[p], rate[p], unused);
    }
    for (int k = 0; k < 3; ++k) {
      double values[highest_order + 1];
      for (int p = 1; p < points; ++p) values[p] = angle[p][k];
      fit(position, at + k, e[k], h * ed[k], values);
      for (int p = 1; p < points; ++p) values[p] = rate[p][k];
      fit(velocity, at + k, ed[k], h * edd[k], values);
    }
  }

 private:
  /// The polynomial with this value and rate at 0, and values[p] at −p for p = 1 .. order − 1: Newton's
  /// divided differences with a double node at 0, multiplied out.
  TRAMMEL_HD static void fit(const NordsieckArray& y, int i, double value, double rate, double* values) {
    const int k = y.order;
    // (y(−p) − y(0) − y'(0)(−p)) / p² is a polynomial of degree k − 2.
    for (int p = 1; p < k; ++p) values[p] = (values[p] - value + rate * p) / (p * p);
    for (int level = 1; level < k - 1; ++level)
      for (int p = k - 1; p > level; --p) values[p] = (values[p] - values[p - 1]) / -level;
    double c[highest_order + 1] = {};
    for (int p = k - 1; p >= 1; --p) {  // Horner: c ← c (x + p) + values[p]
      for (int j = k - 2; j > 0; --j) c[j] = c[j - 1] + p * c[j];
      c[0] = p * c[0] + values[p];
    }
    y.z[0][i] = value;
    y.z[1][i] = rate;
    for (int j = 2; j <= k; ++j) y.z[j][i] = c[j - 2];
  }
};

}  // namespace trammel
