// Adams formulas on any points of time, and kernels of ABAM (integrate/methods/abam.cpp). With f known at the
// times t_n, t_{n−1}, …, a step of size h uses the polynomials through the last k of them, x = (t − t_n)/h:
//   predictor of order k:      y_p = y_n + h ∫ P_k,       e_k = f(y_p) − P_k(1)
//   corrector of order k + 1:  y   = y_p + h I_k e_k,     I_k = ∫ Π_{i<k} (x − x_i)/(1 − x_i)
//   less that of order k:      h J_k e_k,                 J_k = ∫ (x − 1) Π_{i<k−1} (x − x_i) / Π_{i<k} (1 −
//   x_i)
// Source: L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations (1975), ch. 5,
// with the polynomials in Lagrange's form instead of divided differences.
#pragma once

#include "integrate/step_terms.h"

namespace trammel::adams {

inline constexpr int highest_order = 12;
/// With one more the error of the next higher order is known.
inline constexpr int most_points = highest_order + 1;

/// −h λ where the pair of order k, with this corrector, ceases to be stable in steps of one size.
inline constexpr double stability_limit[highest_order + 1] = {0,    2.0,  2.4,  1.9,  1.4,  1.04, 0.78,
                                                              0.58, 0.44, 0.34, 0.27, 0.21, 0.16};

struct Weights {
  double w[most_points] = {};
  int count = 0;
};

/// ∫₀¹ f, exact to degree 13 (Gauss).
template <class F>
double integral(const F& f) {
  constexpr double node[] = {0.4058451513773972, 0.7415311855993945, 0.9491079123427585};
  constexpr double weight[] = {0.3818300505051189, 0.2797053914892766, 0.1294849661688697};
  double sum = 0.4179591836734694 * f(0.5);
  for (int i = 0; i < 3; ++i) sum += weight[i] * (f((1 + node[i]) / 2) + f((1 - node[i]) / 2));
  return sum / 2;
}

/// ℓ_m(at) of the points x_0 … x_{count−1}.
inline Weights lagrange(const double* x, int count, double at) {
  Weights out;
  out.count = count;
  for (int m = 0; m < count; ++m) {
    out.w[m] = 1;
    for (int i = 0; i < count; ++i)
      if (i != m) out.w[m] *= (at - x[i]) / (x[m] - x[i]);
  }
  return out;
}
/// ∫₀¹ ℓ_m.
inline Weights predictor(const double* x, int count) {
  Weights out;
  out.count = count;
  for (int m = 0; m < count; ++m)
    out.w[m] = integral([&](double at) {
      double product = 1;
      for (int i = 0; i < count; ++i)
        if (i != m) product *= (at - x[i]) / (x[m] - x[i]);
      return product;
    });
  return out;
}
/// I_k and J_k.
inline double corrector_gain(const double* x, int k) {
  return integral([&](double at) {
    double product = 1;
    for (int i = 0; i < k; ++i) product *= (at - x[i]) / (1 - x[i]);
    return product;
  });
}
inline double error_gain(const double* x, int k) {
  return integral([&](double at) {
    double product = (at - 1) / (1 - x[k - 1]);
    for (int i = 0; i < k - 1; ++i) product *= (at - x[i]) / (1 - x[i]);
    return product;
  });
}

/// begin + h (own x + Σ w_m x_m), or the sum alone where begin is null.
struct Sum {
  static constexpr const char* name = "adams_sum";
  const double* past[most_points];
  Weights weights;
  const double* x;  ///< null where own is 0
  double own, h;
  const double* begin;
  double* out;
  TRAMMEL_HD void operator()(int i) const {
    double sum = x ? own * x[i] : 0.0;
    for (int m = 0; m < weights.count; ++m) sum += weights.w[m] * past[m][i];
    out[i] = (begin ? begin[i] : 0.0) + h * sum;
  }
};
/// The same of states with a rate; other scalars stay as they are.
struct StateSum {
  static constexpr const char* name = "adams_state_sum";
  Sum of;
  const unsigned char* differential;
  TRAMMEL_HD void operator()(int k) const {
    if (differential[k]) of(k);
  }
};

/// Past points, the latest first: q beside q̇ and q̈, for re-basing, and Ẋ.
struct Past {
  static constexpr const char* rebase_name = "rebase_bodies_with_adams_points";
  double *q[most_points], *v[most_points], *a[most_points], *sdot[most_points];
  double time[most_points] = {};
  int points = 0;

  /// The oldest point's place becomes that of a new one.
  void push(double t) {
    for (double** x : {q, v, a, sdot}) {
      double* oldest = x[most_points - 1];
      for (int m = most_points - 1; m > 0; --m) x[m] = x[m - 1];
      x[0] = oldest;
    }
    for (int m = most_points - 1; m > 0; --m) time[m] = time[m - 1];
    time[0] = t;
    if (points < most_points) ++points;
  }
  TRAMMEL_HD void operator()(const RebasedBody& body) const {
    const int at = body.at;
    for (int m = 0; m < points; ++m)
      coordinates_of(motion_of(body.old, load(q[m] + at), load(v[m] + at), load(a[m] + at)), body.basis,
                     q[m] + at, v[m] + at, a[m] + at);
  }
};

}  // namespace trammel::adams
