// Reproducible random numbers, vectors and rotations for property tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "math/vec3.h"

namespace trammel::test {

/// Uniform numbers from a fixed seed: the same on every machine (std::uniform_real_distribution is not).
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * (engine_() / 4294967296.0); }
  Vec3d vector(double size = 1) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  /// A rotation from a quaternion with uniform components: independent of the product's rotation code.
  Mat3d rotation() {
    double q[4], n = 0;
    do {
      n = 0;
      for (double& x : q) {
        x = uniform(-1, 1);
        n += x * x;
      }
    } while (n < 0.01 || n > 1);
    for (double& x : q) x /= std::sqrt(n);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    return Mat3d{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
                  2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),  //
                  2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  }

 private:
  std::mt19937 engine_;
};

/// exp([v]x) by its power series, scaled and squared: the definition, not a closed form.
inline Mat3d exponential(const Vec3d& v) {
  const Mat3d s = (1.0 / 1024) * skew(v);
  Mat3d sum = Mat3d::identity(), term = Mat3d::identity();
  for (int k = 1; k < 8; ++k) {  // |s| < 0.02: the next term is below 1e-17
    term = (1.0 / k) * (term * s);
    sum += term;
  }
  for (int k = 0; k < 10; ++k) sum = sum * sum;
  return sum;
}

/// The mean of exp([tv]x) over t from -1/2 to 1/2 by its power series, sum of ([v/2]x)^2k / (2k+1)!.
inline Mat3d mean_turn(const Vec3d& v) {
  const Mat3d half = 0.5 * skew(v), square = half * half;
  Mat3d sum = Mat3d::identity(), term = Mat3d::identity();
  for (int k = 1; k < 20; ++k) {
    term = (1.0 / ((2 * k) * (2 * k + 1))) * (term * square);
    sum += term;
  }
  return sum;
}

inline double largest(const Mat3d& a) {
  double m = 0;
  for (double x : a.m) m = std::fmax(m, std::fabs(x));
  return m;
}

/// The vector of the skew part: axial(skew(v)) = v.
inline Vec3d axial(const Mat3d& a) {
  return {0.5 * (a(2, 1) - a(1, 2)), 0.5 * (a(0, 2) - a(2, 0)), 0.5 * (a(1, 0) - a(0, 1))};
}

/// Central difference of fourth order, (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h: error h^4 f'''''/30 plus
/// rounding 1.5 u |f| / h. T: anything with sum, difference and product by a number.
template <class F>
auto derivative(const F& f, double h = 1e-3) {
  return (1 / (12 * h)) * (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h)));
}

}  // namespace trammel::test
