// Elements on the device: constraint rows with gradient and Hessian, and every force law, as values and with
// the six directions of differentiation that the tangent needs. One thread per element.
#include "element/applied_force.h"
#include "element/bushing.h"
#include "element/constraint_row.h"
#include "element/contact.h"
#include "element/elastic_field.h"
#include "element/nonlinear_beam.h"
#include "element/springdamper.h"
#include "element/string_beam.h"

using namespace trammel;

namespace {

using D6 = Dual<double, 6>;

template <class T>
struct Pair {
  MarkerKinematics<T> I, J;
};

}  // namespace

extern "C" __global__ void row_value_double(const ConstraintRow* row, const Pose<double>* pose,
                                            const double* last, double* phi, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) phi[i] = row_value(row[i], pose[2 * i], pose[2 * i + 1], last[i]);
}

/// Value, first and second time derivative.
extern "C" __global__ void row_value_time_jet(const ConstraintRow* row,
                                              const Pose<Dual<Dual<double, 1>, 1>>* pose, const double* last,
                                              Dual<Dual<double, 1>, 1>* phi, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) phi[i] = row_value(row[i], pose[2 * i], pose[2 * i + 1], last[i]);
}

extern "C" __global__ void row_gradient_double(const ConstraintRow* row, const Pose<double>* pose,
                                               RowGradient<double>* g, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) g[i] = row_gradient(row[i], pose[2 * i], pose[2 * i + 1]);
}

extern "C" __global__ void row_hessian_double(const ConstraintRow* row, const Pose<double>* pose,
                                              const double* weight, double (*h)[12][12], int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) row_hessian(row[i], pose[2 * i], pose[2 * i + 1], weight[i], h[i]);
}

extern "C" __global__ void springdamper_double(const SpringDamper* p, const Pair<double>* m,
                                               const double* last, WrenchPair<double>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + i);
}

extern "C" __global__ void springdamper_dual_6(const SpringDamper* p, const Pair<D6>* m, const double* last,
                                               WrenchPair<D6>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + i);
}

extern "C" __global__ void bushing_double(const Bushing* p, const Pair<double>* m, const double* last,
                                          WrenchPair<double>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + 3 * i);
}

extern "C" __global__ void bushing_dual_6(const Bushing* p, const Pair<D6>* m, const double* last,
                                          WrenchPair<D6>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + 3 * i);
}

extern "C" __global__ void string_beam_double(const StringBeam* p, const Pair<double>* m, const double* last,
                                              WrenchPair<double>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + 3 * i);
}

extern "C" __global__ void string_beam_dual_6(const StringBeam* p, const Pair<D6>* m, const double* last,
                                              WrenchPair<D6>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + 3 * i);
}

extern "C" __global__ void nonlinear_beam_double(const NonlinearBeam* p, const Pair<double>* m,
                                                 const double* last, WrenchPair<double>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + 3 * i);
}

extern "C" __global__ void nonlinear_beam_dual_6(const NonlinearBeam* p, const Pair<D6>* m,
                                                 const double* last, WrenchPair<D6>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + 3 * i);
}

extern "C" __global__ void elastic_field_double(const ElasticField* p, const Pair<double>* m,
                                                const double* last, WrenchPair<double>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + 3 * i);
}

extern "C" __global__ void elastic_field_dual_6(const ElasticField* p, const Pair<D6>* m, const double* last,
                                                WrenchPair<D6>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = wrench(p[i], m[i].I, m[i].J, last + 3 * i);
}

/// Sum over the components of value × unit wrench.
template <class T>
__device__ WrenchPair<T> applied(const AppliedForce& p, const Pose<T>* pose, const double* value) {
  WrenchPair<T> w;
  const int components = p.kind == AppliedKind::vector ? 6 : 1;
  for (int k = 0; k < components; ++k) w = w + T(value[k]) * unit_wrench(p, k, pose[0], pose[1], pose[2]);
  return w;
}

extern "C" __global__ void applied_force_double(const AppliedForce* p, const Pose<double>* pose,
                                                const double* value, WrenchPair<double>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = applied(p[i], pose + 3 * i, value + 6 * i);
}

extern "C" __global__ void applied_force_dual_6(const AppliedForce* p, const Pose<D6>* pose,
                                                const double* value, WrenchPair<D6>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) w[i] = applied(p[i], pose + 3 * i, value + 6 * i);
}

/// A contact of two shapes in any of the closed forms.
extern "C" __global__ void contact_double(const ContactLaw* p, const PlacedShape* s, const Pair<double>* m,
                                          WrenchPair<double>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const PlacedShape &a = s[2 * i], &b = s[2 * i + 1];
  const Incident<double> at =
      overlap(a.shape, frame_of<double>(a, m[i].I), b.shape, frame_of<double>(b, m[i].J));
  if (at.depth > 0) w[i] = wrench(p[i], at, m[i].I, m[i].J, {true, 0.0});
}

extern "C" __global__ void contact_dual_6(const ContactLaw* p, const PlacedShape* s, const Pair<D6>* m,
                                          WrenchPair<D6>* w, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const PlacedShape &a = s[2 * i], &b = s[2 * i + 1];
  const Incident<D6> at = overlap(a.shape, frame_of<D6>(a, m[i].I), b.shape, frame_of<D6>(b, m[i].J));
  if (value_of(at.depth) > 0) w[i] = wrench(p[i], at, m[i].I, m[i].J, {true, 0.0});
}
