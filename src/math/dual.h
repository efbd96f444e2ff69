// Forward-mode dual numbers: value and N directional derivatives. Nesting Dual<Dual<...>> gives
// higher derivatives: a time jet is Dual<Dual<double,1>,1>, whose .d[0].d[0] is the second derivative.
//
//   f(x + Σ dₖ eₖ) = f(x) + Σ f'(x) dₖ eₖ,  eᵢ eⱼ = 0
#pragma once

#include <cmath>

#include "base/hd.h"

namespace trammel {

template <class T, int N>
struct Dual {
  T v{};
  T d[N]{};

  TRAMMEL_HD Dual() {}
  TRAMMEL_HD Dual(double value) : v(value) {}  // implicit: constants mix with duals in formulas
  TRAMMEL_HD static Dual variable(const T& value, int direction) {
    Dual x;
    x.v = value;
    x.d[direction] = T(1.0);
    return x;
  }
};

/// The plain number inside any nesting.
TRAMMEL_HD inline double value_of(double x) {
  return x;
}
template <class T, int N>
TRAMMEL_HD double value_of(const Dual<T, N>& x) {
  return value_of(x.v);
}

/// f(x) with derivative f'(x): the chain rule for one argument.
template <class T, int N>
TRAMMEL_HD Dual<T, N> chain(const Dual<T, N>& x, const T& f, const T& df) {
  Dual<T, N> y;
  y.v = f;
  for (int k = 0; k < N; ++k) y.d[k] = df * x.d[k];
  return y;
}

template <class T, int N>
TRAMMEL_HD Dual<T, N> operator+(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> y;
  y.v = a.v + b.v;
  for (int k = 0; k < N; ++k) y.d[k] = a.d[k] + b.d[k];
  return y;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator-(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> y;
  y.v = a.v - b.v;
  for (int k = 0; k < N; ++k) y.d[k] = a.d[k] - b.d[k];
  return y;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator-(const Dual<T, N>& a) {
  Dual<T, N> y;
  y.v = -a.v;
  for (int k = 0; k < N; ++k) y.d[k] = -a.d[k];
  return y;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator*(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> y;
  y.v = a.v * b.v;
  for (int k = 0; k < N; ++k) y.d[k] = a.d[k] * b.v + a.v * b.d[k];
  return y;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator/(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> y;
  const T inverse = T(1.0) / b.v;
  y.v = a.v * inverse;
  for (int k = 0; k < N; ++k) y.d[k] = (a.d[k] - y.v * b.d[k]) * inverse;
  return y;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator+(const Dual<T, N>& a, double b) {
  Dual<T, N> y = a;
  y.v = y.v + b;
  return y;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator+(double a, const Dual<T, N>& b) {
  return b + a;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator-(const Dual<T, N>& a, double b) {
  return a + (-b);
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator-(double a, const Dual<T, N>& b) {
  return (-b) + a;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator*(const Dual<T, N>& a, double b) {
  Dual<T, N> y;
  y.v = a.v * b;
  for (int k = 0; k < N; ++k) y.d[k] = a.d[k] * b;
  return y;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator*(double a, const Dual<T, N>& b) {
  return b * a;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator/(const Dual<T, N>& a, double b) {
  return a * (1.0 / b);
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> operator/(double a, const Dual<T, N>& b) {
  return Dual<T, N>(a) / b;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N>& operator+=(Dual<T, N>& a, const Dual<T, N>& b) {
  a = a + b;
  return a;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N>& operator-=(Dual<T, N>& a, const Dual<T, N>& b) {
  a = a - b;
  return a;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N>& operator*=(Dual<T, N>& a, const Dual<T, N>& b) {
  a = a * b;
  return a;
}

// Comparisons look at the value only: branches follow the value.
template <class T, int N>
TRAMMEL_HD bool operator<(const Dual<T, N>& a, const Dual<T, N>& b) {
  return value_of(a) < value_of(b);
}
template <class T, int N>
TRAMMEL_HD bool operator<(const Dual<T, N>& a, double b) {
  return value_of(a) < b;
}
template <class T, int N>
TRAMMEL_HD bool operator>(const Dual<T, N>& a, double b) {
  return value_of(a) > b;
}

// Elementary functions. `using std::f` lets the same text serve double and nested duals.
template <class T, int N>
TRAMMEL_HD Dual<T, N> sin(const Dual<T, N>& x) {
  using std::cos, std::sin;
  return chain(x, T(sin(x.v)), T(cos(x.v)));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> cos(const Dual<T, N>& x) {
  using std::cos, std::sin;
  return chain(x, T(cos(x.v)), T(-sin(x.v)));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> tan(const Dual<T, N>& x) {
  using std::tan;
  const T t = tan(x.v);
  return chain(x, t, T(1.0 + t * t));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> asin(const Dual<T, N>& x) {
  using std::asin, std::sqrt;
  return chain(x, T(asin(x.v)), T(1.0 / sqrt(1.0 - x.v * x.v)));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> acos(const Dual<T, N>& x) {
  using std::acos, std::sqrt;
  return chain(x, T(acos(x.v)), T(-1.0 / sqrt(1.0 - x.v * x.v)));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> atan(const Dual<T, N>& x) {
  using std::atan;
  return chain(x, T(atan(x.v)), T(1.0 / (1.0 + x.v * x.v)));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  using std::atan2;
  Dual<T, N> r;
  const T inverse = 1.0 / (x.v * x.v + y.v * y.v);
  r.v = atan2(y.v, x.v);
  for (int k = 0; k < N; ++k) r.d[k] = (x.v * y.d[k] - y.v * x.d[k]) * inverse;
  return r;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> sinh(const Dual<T, N>& x) {
  using std::cosh, std::sinh;
  return chain(x, T(sinh(x.v)), T(cosh(x.v)));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> cosh(const Dual<T, N>& x) {
  using std::cosh, std::sinh;
  return chain(x, T(cosh(x.v)), T(sinh(x.v)));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> tanh(const Dual<T, N>& x) {
  using std::tanh;
  const T t = tanh(x.v);
  return chain(x, t, T(1.0 - t * t));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> exp(const Dual<T, N>& x) {
  using std::exp;
  const T e = exp(x.v);
  return chain(x, e, e);
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> log(const Dual<T, N>& x) {
  using std::log;
  return chain(x, T(log(x.v)), T(1.0 / x.v));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> sqrt(const Dual<T, N>& x) {
  using std::sqrt;
  const T s = sqrt(x.v);
  return chain(x, s, T(0.5 / s));
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> fabs(const Dual<T, N>& x) {
  return value_of(x) < 0 ? -x : x;
}
/// x to a constant power.
template <class T, int N>
TRAMMEL_HD Dual<T, N> pow(const Dual<T, N>& x, double exponent) {
  using std::pow;
  if (exponent == 0.0) return Dual<T, N>(1.0);
  return chain(x, T(pow(x.v, exponent)), T(exponent * pow(x.v, exponent - 1.0)));
}

}  // namespace trammel
