// math/ on the device: vectors, nested dual numbers, 3-1-3 rotations. One thread per index.
#include "math/dual.h"
#include "math/rotation.h"
#include "math/vec3.h"

namespace trammel {

/// Every elementary function of one argument, so that each is compiled for T.
template <class T>
TRAMMEL_HD T elementary(const T& x) {
  using std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::fabs, std::log,
      std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  const T y = sin(x) + cos(x) * tan(x) / sqrt(x) - exp(x) * log(x) + pow(x, 1.5);
  return y + asin(x) + acos(x) * atan(x) - atan2(x, y) + sinh(x) + cosh(x) * tanh(x) + fabs(y);
}

}  // namespace trammel

using namespace trammel;

/// Solves A x = b by the inverse and by a rotation of the residual: products, transposes, cross products.
extern "C" __global__ void math_vec3(const Mat3d* a, const Vec3d* b, Vec3d* x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const Mat3d m = a[i] + skew(b[i]) * outer(b[i], b[i]) - determinant(a[i]) * transpose(a[i]);
  const Vec3d y = inverse(m) * b[i];
  x[i] = y - transpose_times(a[i], cross(y, b[i])) + norm(y) * m.column(i % 3) + m.row(1);
}

extern "C" __global__ void math_dual_1(const double* in, double* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = elementary(Dual<double, 1>::variable(in[i], 0)).d[0];
}

extern "C" __global__ void math_dual_6(const double* in, Dual<double, 6>* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = elementary(Dual<double, 6>::variable(in[i], i % 6));
}

/// Second derivative in time: duals of duals.
extern "C" __global__ void math_dual_nested(const double* in, double* out, int n) {
  using Inner = Dual<double, 1>;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = elementary(Dual<Inner, 1>::variable(Inner::variable(in[i], 0), 0)).d[0].d[0];
}

/// Orientation and its rates from 3-1-3 angles: A, ω = E ε̇, α = E ε̈ + Ė ε̇, and the gradients of these.
extern "C" __global__ void math_rotation(const Vec3d* e, const Vec3d* ed, const Vec3d* edd, Mat3d* axes,
                                         Vec3d* rates, Mat3d* gradients, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const AngularVelocityMap map(e[i]);
  axes[i] = rotation_313(e[i]);
  rates[2 * i] = map.E * ed[i];
  rates[2 * i + 1] = map.E * edd[i] + map.rate(ed[i]) * ed[i];
  gradients[3 * i] = map.velocity_gradient(ed[i]);
  gradients[3 * i + 1] = map.acceleration_gradient(ed[i], edd[i]);
  gradients[3 * i + 2] = map.moment_gradient(rates[2 * i]);
}
