// FRICTION: what the coefficient of friction follows from, by slip velocity v and creep or bristle deflection
// z, each a vector of 1 to 3 components (theory.md, section "Friction in joints").
//
// T is a number, or a term of a function expression: then the branches of where_negative() and where_zero()
// become those of IF.
#pragma once

#include <cmath>
#include <string_view>

#include "math/dual.h"

namespace trammel {

/// How the surfaces of a joint move on each other.
enum class FrictionSurface { pin, slide, cylinder, ball };

/// A joint that can have friction: type, yoke, axis about or along which it slips ('X'..'Z'), and of which
/// marker.
struct FrictionJoint {
  std::string_view type, yoke;
  FrictionSurface surface;
  char axis = 'Z';
  bool of_I = false;
};
inline constexpr FrictionJoint friction_joints[] = {
    {"REVOLUTE", "", FrictionSurface::pin},
    {"TRANSLATIONAL", "", FrictionSurface::slide},
    {"CYLINDRICAL", "", FrictionSurface::cylinder},
    {"SPHERICAL", "", FrictionSurface::ball},
    {"HOOKE", "I_YOKE", FrictionSurface::pin, 'X', true},
    {"HOOKE", "J_YOKE", FrictionSurface::pin, 'Y'},
    {"UNIVERSAL", "I_YOKE", FrictionSurface::pin, 'Z', true},
    {"UNIVERSAL", "J_YOKE", FrictionSurface::pin, 'Z'},
};
/// Components of slip.
constexpr int slip_components(FrictionSurface surface) {
  return surface == FrictionSurface::cylinder ? 2 : surface == FrictionSurface::ball ? 3 : 1;
}

/// A constant of the type of `like`.
TRAMMEL_HD inline double constant(double, double value) {
  return value;
}
template <class Below, class Else>
TRAMMEL_HD double where_negative(double x, Below below, Else otherwise) {
  return x < 0 ? below() : otherwise();
}
template <class Zero, class Else>
TRAMMEL_HD double where_zero(double x, Zero zero, Else otherwise) {
  return x == 0 ? zero() : otherwise();
}
template <class T, int N>
TRAMMEL_HD Dual<T, N> constant(const Dual<T, N>&, double value) {
  return Dual<T, N>(value);
}
template <class T, int N, class Below, class Else>
TRAMMEL_HD Dual<T, N> where_negative(const Dual<T, N>& x, Below below, Else otherwise) {
  return value_of(x) < 0 ? below() : otherwise();
}
template <class T, int N, class Zero, class Else>
TRAMMEL_HD Dual<T, N> where_zero(const Dual<T, N>& x, Zero zero, Else otherwise) {
  return value_of(x) == 0 ? zero() : otherwise();
}
template <class T>
TRAMMEL_HD T times(const T* a, const T* b, int n) {
  T sum = a[0] * b[0];
  for (int k = 1; k < n; ++k) sum = sum + a[k] * b[k];
  return sum;
}
/// √q, whose derivative at 0 is taken as 0.
template <class T>
TRAMMEL_HD T root(const T& q) {
  using std::sqrt;
  return where_zero(
      q, [&] { return constant(q, 0.0); }, [&] { return T(sqrt(q)); });
}
/// D²(3 − 2D): 0 to 1 as D goes from 0 to 1.
template <class T>
TRAMMEL_HD T rise(const T& D) {
  return D * D * (3.0 - 2.0 * D);
}

/// FORMULATION=ORIGINAL. Friction is a multiple c of its static limit, |c| ≤ 1:
///   c = a v/V + b z/Δ
struct StickSlip {
  double velocity = 0.1;     ///< V, below which the surfaces may stick
  double coefficient = 1.5;  ///< sliding friction from this times V on
  double sliding = 1;        ///< sliding friction, a multiple of the static one
  double deformation = 0;    ///< Δ; 0: no creep
  /// Where friction is full: z grows no more. It grows freely below `free` of it.
  static constexpr double free = 0.81;  ///< (0.9)²

  template <class T>
  struct Parts {
    T a, b;
  };

  /// q = |v/V|², p = |z/Δ|²
  template <class T>
  TRAMMEL_HD Parts<T> parts(const T& q, const T& p) const {
    const T t = root(q);
    const T spring = where_negative(
        T(p - 1.0), [&] { return T(1.5 - 0.5 * p); }, [&] { return T(1.0 / root(p)); });
    const auto slope = [&] { return T(1.5 - 1.5 * spring * spring * p); };  // ∂c/∂(v/V) at rest, along z
    const auto sliding_part = [&] {
      return where_negative(
          T(t - coefficient),
          [&] { return T((1.0 + (sliding - 1.0) * rise(T((t - 1.0) / (coefficient - 1.0)))) / t); },
          [&] { return T(sliding / t); });
    };
    return {where_negative(
                T(q - 1.0), [&] { return T(slope() * (1.0 - t) * (1.0 - t) + t * (3.0 - 2.0 * t)); },
                sliding_part),
            where_negative(
                T(q - 1.0), [&] { return T(spring * (1.0 - rise(t))); }, [&] { return constant(q, 0.0); })};
  }

  /// g of ż = v − g z/Δ; outward = v·z/Δ, p = |z/Δ|².
  template <class T>
  TRAMMEL_HD T hold(const T& outward, const T& p) const {
    const auto none = [&] { return constant(p, 0.0); };
    const auto held = [&](const T& share) { return T(share * outward / p); };
    return where_negative(
        T(0.0 - outward),
        [&] {
          return where_negative(T(p - free), none, [&] {
            return where_negative(
                T(p - 1.0), [&] { return held(rise(T((p - free) / (1.0 - free)))); },
                [&] { return held(constant(p, 1.0)); });
          });
        },
        none);
  }
};

/// FORMULATION=LUGRE (Canudas de Wit, Olsson, Åström, Lischinsky, A new model for control of systems with
/// friction, IEEE Trans. Automatic Control 40, 1995).
///   μ = σ₀ z + σ₁ ż + σ₂ v,  ż = v − h z,  h = σ₀ |v|/g,  g = μ_d + (μ_s − μ_d) exp(−(|v|/v_s)^α)
struct Bristles {
  double stiffness = 1, damping = 0, viscous = 0;  ///< σ₀ [1/length], σ₁, σ₂ [time/length]
  double mu_static = 1, mu_dynamic = 1;
  double velocity = 1, exponent = 2;  ///< v_s, α
  /// Of surfaces that let go, μ_s/σ₀.
  double deflection() const { return mu_static / stiffness; }

  /// h; q = |v|²
  template <class T>
  TRAMMEL_HD T release(const T& q) const {
    using std::exp;
    using std::log;
    return where_zero(
        q, [&] { return constant(q, 0.0); },
        [&] {
          const T fall = exp(T(0.5 * exponent * log(T(q / (velocity * velocity)))));
          const T g = mu_dynamic + (mu_static - mu_dynamic) * exp(T(0.0 - fall));
          return T(stiffness * root(q) / g);
        });
  }
};

}  // namespace trammel
