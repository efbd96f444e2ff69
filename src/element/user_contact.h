// The normal force of a CONTACT by user code: CNFSUB of ADAMS, called by its C or its Fortran interface.
//   gap = −g, gapdot = −ġ;  F_n = result[0]
// Derivatives are central differences by both, with steps of 6e-6 of the gap, and of the rate or 1 mm/s where
// it is below that.
#pragma once

#include <string>
#include <vector>

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

  std::string name;  ///< "impact.so: Cnfsub"
  int id = 0;
  std::vector<double> constants;
  std::vector<int> graphics_I, graphics_J;
  std::vector<int> flipped_I, flipped_J;  ///< of each of these: 1: it is a hole
  C* c = nullptr;                         ///< one of the two
  Fortran* fortran = nullptr;
  double least_rate = 0;  ///< 1 mm/s

  /// The force at a depth and a rate of approach; no number where the code gives none, or a second or third
  /// component. One call at a time in the process: user code need not be ready for threads.
  double force(double depth, double rate, double time, bool for_differences) const;
  /// Its derivatives by both.
  struct Slopes {
    double by_depth, by_rate;
  };
  Slopes slopes(double depth, double rate, double time) const;
};

inline double user_normal_force(const UserNormalForce& code, double depth, double rate, double time) {
  return code.force(depth, rate, time, false);
}
template <int N>
Dual<double, N> user_normal_force(const UserNormalForce& code, const Dual<double, N>& depth,
                                  const Dual<double, N>& rate, double time) {
  Dual<double, N> out(code.force(depth.v, rate.v, time, false));
  const UserNormalForce::Slopes slopes = code.slopes(depth.v, rate.v, time);
  for (int k = 0; k < N; ++k) out.d[k] = slopes.by_depth * depth.d[k] + slopes.by_rate * rate.d[k];
  return out;
}

}  // namespace trammel
