// The normal force of a CONTACT by user code: CNFSUB of ADAMS, called by its C or its Fortran interface.
//   gap = −g, gapdot = −ġ, loci and locj: the points of both surfaces in the axes of the markers of their
//   shapes;  F_n = result[0]
// Derivatives are central differences, with steps of 6e-6 of the gap, of the rate or 1 mm/s where it is below
// that, and of the distance of a point from its marker.
#pragma once

#include <string>
#include <vector>

#include "expression/marker_kinematics.h"
#include "geometry/shape.h"
#include "math/dual.h"

namespace trammel {

/// What the C interface is given of the statement, laid out as its header slv_c_utils.h has it
/// (sAdamsContact, sAdamsContactFriction).
struct UserContact {
  int id, shapes_I, shapes_J;
  int *graphics_I, *graphics_J, *flipped_I, *flipped_J;
};
struct UserContactArguments {
  UserContact contact;
  int count;
  const double* constants;
};

struct UserNormalForce {
  using C = void(const UserContactArguments*, double time, const double* place_I, const double* normal_I,
                 const double* place_J, const double* normal_J, double gap, double rate, double second_rate,
                 double area, int for_differences, int what, double* result);
  using Fortran = void(const int* id, const double* time, const double* constants, const int* count,
                       const double* place_I, const double* normal_I, const double* place_J,
                       const double* normal_J, const double* gap, const double* rate,
                       const double* second_rate, const double* area, const int* for_differences,
                       const int* what, double* result);
  /// The shapes of one side: their GRAPHICS, which of them are holes (1), and the markers of these in the
  /// axes of the contact's marker there.
  struct Side {
    std::vector<int> graphics, flipped;
    std::vector<Pose<double>> frame;
    const Pose<double>& frame_of(int id) const;
  };

  std::string name;  ///< "impact.so: Cnfsub"
  int id = 0;
  std::vector<double> constants;
  Side I, J;
  C* c = nullptr;  ///< one of the two
  Fortran* fortran = nullptr;
  double least_rate = 0;  ///< 1 mm/s

  /// What the force depends on besides the time: depth, rate of approach, the place on I and that on J.
  static constexpr int arguments = 8;
  /// No number where the code gives none, or a second or third component. One call at a time in the process:
  /// user code need not be ready for threads.
  double force(const double (&x)[arguments], double time, bool for_differences) const;
  /// Its derivative by one of them.
  double slope(const double (&x)[arguments], int argument, double time) const;
};

inline double user_normal_force(const UserNormalForce& code, const double (&x)[UserNormalForce::arguments],
                                double time) {
  return code.force(x, time, false);
}
template <int N>
Dual<double, N> user_normal_force(const UserNormalForce& code,
                                  const Dual<double, N> (&x)[UserNormalForce::arguments], double time) {
  double at[UserNormalForce::arguments];
  for (int j = 0; j < UserNormalForce::arguments; ++j) at[j] = x[j].v;
  Dual<double, N> out(code.force(at, time, false));
  for (int j = 0; j < UserNormalForce::arguments; ++j) {
    bool varies = false;
    for (const double d : x[j].d) varies = varies || d != 0;
    if (!varies) continue;
    const double slope = code.slope(at, j, time);
    for (int k = 0; k < N; ++k) out.d[k] += slope * x[j].d[k];
  }
  return out;
}

/// Of an overlap of two shapes, by their GRAPHICS; `rate`: at which they approach each other along its
/// normal.
template <class T>
T user_normal_force(const UserNormalForce& code, const Incident<T>& at, const T& rate, const Pose<T>& I,
                    const Pose<T>& J, int shape_I, int shape_J, double time) {
  const Vec3<T> half = T(0.5 * at.depth) * at.normal;  // from the middle of the overlap to either surface
  const auto seen = [](const Pose<double>& frame, const Pose<T>& marker, const Vec3<T>& point, T* out) {
    const Vec3<T> x = transpose_times(marker.A, point - marker.r);
    for (int k = 0; k < 3; ++k) {
      out[k] = T(0.0);
      for (int i = 0; i < 3; ++i) out[k] = out[k] + frame.A(i, k) * (x[i] - frame.r[i]);
    }
  };
  T x[UserNormalForce::arguments] = {at.depth, rate};
  seen(code.I.frame_of(shape_I), I, at.point - half, x + 2);
  seen(code.J.frame_of(shape_J), J, at.point + half, x + 5);
  return user_normal_force(code, x, time);
}

}  // namespace trammel
