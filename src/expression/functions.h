// Mathematical and general functions of expressions, each written once for any scalar S (double or nested
// duals), host and device. An argument outside a function's domain sets `error`; the value is then 0.
#pragma once

#include <cmath>

#include "expression/eval_error.h"
#include "math/vec3.h"

namespace trammel::functions {

constexpr double pi = 3.14159265358979323846;

// ---- properties of scalars that the formulas below use

TRAMMEL_HD inline bool is_zero(double x) {
  return x == 0.0;
}
template <class T, int N>
TRAMMEL_HD bool is_zero(const Dual<T, N>& x) {
  if (!is_zero(x.v)) return false;
  for (int k = 0; k < N; ++k)
    if (!is_zero(x.d[k])) return false;
  return true;
}

TRAMMEL_HD inline bool all_finite(double x) {
  return x - x == 0.0;
}
template <class T, int N>
TRAMMEL_HD bool all_finite(const Dual<T, N>& x) {
  if (!all_finite(x.v)) return false;
  for (int k = 0; k < N; ++k)
    if (!all_finite(x.d[k])) return false;
  return true;
}

/// f(x) where f is finite and f'(x) is not: infinite derivatives in directions in which x changes, else 0.
TRAMMEL_HD inline double singular(double, double f) {
  return f;
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> singular(const Dual<T, N>& x, double f) {
  Dual<T, N> y;
  y.v = singular(x.v, f);
  for (int k = 0; k < N; ++k) y.d[k] = is_zero(x.d[k]) ? T(0.0) : T(HUGE_VAL);
  return y;
}

// ---- powers, roots, logarithms

/// a to the power b for any sign of a (the caller checks the domain):
///   d(aᵇ) = b aᵇ⁻¹ da + aᵇ ln(a) db; the second term is omitted for a <= 0 (it is 0 for a = 0 < b; for a < 0
///     a varying exponent has no real derivative).
TRAMMEL_HD inline double power(double a, double b) {
  return std::pow(a, b);
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> power(const Dual<T, N>& a, const Dual<T, N>& b) {
  using std::log;
  Dual<T, N> y;
  y.v = power(a.v, b.v);
  bool base_moves = false, exponent_moves = false;
  for (int k = 0; k < N; ++k) {
    base_moves = base_moves || !is_zero(a.d[k]);
    exponent_moves = exponent_moves || !is_zero(b.d[k]);
  }
  if (base_moves && !is_zero(b.v)) {
    const T slope = b.v * power(a.v, b.v - T(1.0));
    for (int k = 0; k < N; ++k)
      if (!is_zero(a.d[k])) y.d[k] = slope * a.d[k];
  }
  if (exponent_moves && value_of(a) > 0) {
    const T slope = y.v * log(a.v);
    for (int k = 0; k < N; ++k)
      if (!is_zero(b.d[k])) y.d[k] = y.d[k] + slope * b.d[k];
  }
  return y;
}

template <class S>
TRAMMEL_HD S checked_power(const S& a, const S& b, EvalError& error) {
  const double base = value_of(a), exponent = value_of(b);
  if (base < 0 && exponent != std::floor(exponent)) error = EvalError::power;
  if (base == 0 && exponent < 0) error = EvalError::division_by_zero;
  return error == EvalError::none ? power(a, b) : S(0.0);
}

template <class S>
TRAMMEL_HD S divide(const S& a, const S& b, EvalError& error) {
  if (value_of(b) == 0) {
    error = EvalError::division_by_zero;
    return S(0.0);
  }
  return a / b;
}

template <class S>
TRAMMEL_HD S square_root(const S& x, EvalError& error) {
  using std::sqrt;
  if (value_of(x) > 0) return sqrt(x);
  if (value_of(x) < 0) error = EvalError::square_root;
  return singular(x, 0.0);
}

TRAMMEL_HD inline double logarithm10(double x) {
  return std::log10(x);
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> logarithm10(const Dual<T, N>& x) {
  constexpr double log10_e = 0.43429448190325182765;
  return chain(x, logarithm10(x.v), T(log10_e / x.v));
}

template <class S>
TRAMMEL_HD S logarithm(const S& x, bool common, EvalError& error) {
  using std::log;
  if (!(value_of(x) > 0)) {
    error = EvalError::logarithm;
    return S(0.0);
  }
  return common ? logarithm10(x) : S(log(x));
}

template <class S>
TRAMMEL_HD S arc(const S& x, bool cosine, EvalError& error) {
  using std::acos, std::asin;
  const double v = value_of(x);
  if (v > 1 || v < -1) {
    error = EvalError::arc_domain;
    return S(0.0);
  }
  if (v == 1 || v == -1) return singular(x, cosine ? std::acos(v) : std::asin(v));
  return cosine ? S(acos(x)) : S(asin(x));
}

/// atan2 with atan2(0, 0) = 0 and, there, derivative 0.
template <class S>
TRAMMEL_HD S arc_tangent2(const S& y, const S& x) {
  using std::atan2;
  if (value_of(y) == 0 && value_of(x) == 0) return S(0.0);
  return atan2(y, x);
}

/// |a|, with derivative 0 at a = 0.
template <class S>
TRAMMEL_HD S safe_norm(const Vec3<S>& a) {
  const S square = dot(a, a);
  using std::sqrt;
  return value_of(square) > 0 ? S(sqrt(square)) : S(0.0);
}

// ---- rounding and comparison

/// a - b AINT(a/b), with the sign of a; the integer factor is computed from the exact remainder.
template <class S>
TRAMMEL_HD S modulo(const S& a, const S& b, EvalError& error) {
  const double va = value_of(a), vb = value_of(b);
  if (vb == 0) {
    error = EvalError::division_by_zero;
    return S(0.0);
  }
  const double quotient = std::round((va - std::fmod(va, vb)) / vb);
  return a - b * S(quotient);
}

// ---- general functions

/// Whether x0 < x1; otherwise sets `error`.
template <class S>
TRAMMEL_HD bool increasing(const S& x0, const S& x1, EvalError& error) {
  if (value_of(x0) < value_of(x1)) return true;
  error = EvalError::interval;
  return false;
}

/// h0 (x <= x0), h0 + (h1-h0) Δ²(3-2Δ), h1 (x >= x1); Δ = (x-x0)/(x1-x0).
template <class S>
TRAMMEL_HD S step(const S& x, const S& x0, const S& h0, const S& x1, const S& h1, EvalError& error) {
  if (!increasing(x0, x1, error)) return S(0.0);
  if (value_of(x) <= value_of(x0)) return h0;
  if (value_of(x) >= value_of(x1)) return h1;
  const S delta = (x - x0) / (x1 - x0);
  return h0 + (h1 - h0) * (delta * delta * (3.0 - 2.0 * delta));
}

/// As step with Δ³(10-15Δ+6Δ²).
template <class S>
TRAMMEL_HD S step5(const S& x, const S& x0, const S& h0, const S& x1, const S& h1, EvalError& error) {
  if (!increasing(x0, x1, error)) return S(0.0);
  if (value_of(x) <= value_of(x0)) return h0;
  if (value_of(x) >= value_of(x1)) return h1;
  const S delta = (x - x0) / (x1 - x0);
  return h0 + (h1 - h0) * (delta * delta * delta * (10.0 + delta * (6.0 * delta - 15.0)));
}

/// As step with ½ + ½ sin(πΔ - π/2).
template <class S>
TRAMMEL_HD S havsin(const S& x, const S& x0, const S& h0, const S& x1, const S& h1, EvalError& error) {
  using std::sin;
  if (!increasing(x0, x1, error)) return S(0.0);
  if (value_of(x) <= value_of(x0)) return h0;
  if (value_of(x) >= value_of(x1)) return h1;
  const S delta = (x - x0) / (x1 - x0);
  return 0.5 * (h0 + h1) + 0.5 * (h1 - h0) * S(sin(pi * delta - 0.5 * pi));
}

/// Σ a_j (x-x0)^j, j = 0 .. n-1 (Horner).
template <class S>
TRAMMEL_HD S poly(const S& x, const S& x0, const S* a, int n) {
  const S u = x - x0;
  S sum = a[n - 1];
  for (int j = n - 2; j >= 0; --j) sum = sum * u + a[j];
  return sum;
}

/// Σ a_j T_j(x-x0); T0 = 1, T1 = u, T_j = 2u T_{j-1} - T_{j-2}.
template <class S>
TRAMMEL_HD S cheby(const S& x, const S& x0, const S* a, int n) {
  const S u = x - x0;
  S before = S(1.0), t = u, sum = a[0];
  for (int j = 1; j < n; ++j) {
    sum = sum + a[j] * t;
    const S next = 2.0 * u * t - before;
    before = t;
    t = next;
  }
  return sum;
}

/// a0 + Σ_{j>=1} a_j cos(j w (x-x0)), or with sin. a0 is not halved.
template <class S>
TRAMMEL_HD S fourier(const S& x, const S& x0, const S& w, const S* a, int n, bool sine) {
  using std::cos, std::sin;
  const S angle = w * (x - x0);
  S sum = a[0];
  for (int j = 1; j < n; ++j) {
    const S multiple = static_cast<double>(j) * angle;
    sum = sum + a[j] * (sine ? S(sin(multiple)) : S(cos(multiple)));
  }
  return sum;
}

/// a STEP5(x, x0, 0, x0+dx, 1) sin(2πϕ): frequency f0 before x0, f1 after x1, linear between;
///   ϕ = f0 x | f0 x + (f1-f0)(x-x0)²/(2(x1-x0)) | f1 x - ½(f1-f0)(x0+x1).
template <class S>
TRAMMEL_HD S sweep(const S& x, const S& a, const S& x0, const S& f0, const S& x1, const S& f1, const S& dx,
                   EvalError& error) {
  using std::sin;
  if (!increasing(x0, x1, error)) return S(0.0);
  const S gate = step5(x, x0, S(0.0), S(x0 + dx), S(1.0), error);
  S phase = f0 * x;
  if (value_of(x) >= value_of(x1))
    phase = f1 * x - 0.5 * (f1 - f0) * (x0 + x1);
  else if (value_of(x) > value_of(x0))
    phase = phase + (f1 - f0) * (x - x0) * (x - x0) / (2.0 * (x1 - x0));
  return a * gate * S(sin(2.0 * pi * phase));
}

/// k g^e + c(g) ġ for penetration g > 0 with rate ġ; the damping c rises from 0 to cmax over the depth d.
/// Clamped to be >= 0; all partial derivatives are 0 while clamped.
template <class S>
TRAMMEL_HD S contact_force(const S& depth, const S& rate, const S& k, const S& e, const S& cmax, const S& d,
                           EvalError& error) {
  const S damping = step(depth, S(0.0), S(0.0), d, cmax, error);
  const S force = k * power(depth, e) + damping * rate;
  return value_of(force) > 0 ? force : S(0.0);
}

template <class S>
TRAMMEL_HD bool contact_parameters(const S& k, const S& e, const S& cmax, const S& d, EvalError& error) {
  if (value_of(k) >= 0 && value_of(e) > 0 && value_of(cmax) >= 0 && value_of(d) > 0) return true;
  error = EvalError::contact_parameter;
  return false;
}

/// One-sided contact: 0 for x >= x1, else max(0, k (x1-x)^e - STEP(x, x1-d, cmax, x1, 0) xdot).
template <class S>
TRAMMEL_HD S impact(const S& x, const S& xdot, const S& x1, const S& k, const S& e, const S& cmax, const S& d,
                    EvalError& error) {
  if (!contact_parameters(k, e, cmax, d, error) || !(value_of(x) < value_of(x1))) return S(0.0);
  return contact_force(S(x1 - x), S(-xdot), k, e, cmax, d, error);
}

/// Two-sided contact: positive force below x1, negative above x2, 0 between.
template <class S>
TRAMMEL_HD S bistop(const S& x, const S& xdot, const S& x1, const S& x2, const S& k, const S& e,
                    const S& cmax, const S& d, EvalError& error) {
  if (!contact_parameters(k, e, cmax, d, error)) return S(0.0);
  if (value_of(x) < value_of(x1)) return contact_force(S(x1 - x), S(-xdot), k, e, cmax, d, error);
  if (value_of(x) > value_of(x2)) return -contact_force(S(x - x2), xdot, k, e, cmax, d, error);
  return S(0.0);
}

}  // namespace trammel::functions
