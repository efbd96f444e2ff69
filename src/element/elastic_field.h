// FIELD and BEAM: linear force and torque among six relative displacements, in the axes of J.
//   (F_I; T_I) = f₀ − K (e − e₀) − C ė                         (J axes)
//   F_J = −F_I,  T_J = −T_I − (r_I − r_J) × F_I
// e = (d; AX, AY, AZ): d position of I in J, projected angles; ė = (v; ω): v velocity of I as seen in J, ω
// the relative angular velocity. NFORCE is the same law among many markers I (nforce.h).
#pragma once

#include <algorithm>

#include "element/wrench.h"
#include "expression/marker_kinematics.h"
#include "language/elastic.h"

namespace trammel {

struct ElasticField {
  double k[6][6] = {}, c[6][6] = {};  ///< stiffness, damping: force by displacement, row by column
  /// f₀ and e₀.
  double force[6] = {}, length[6] = {};
};

TRAMMEL_HD inline CountedAngles counted_angles(const ElasticField&) {
  return {0, 3};
}

/// f = f₀ − K (e − e₀) − C ė.
template <class T>
TRAMMEL_HD void elastic_force(const ElasticField& p, const T (&e)[6], const T (&rate)[6], T (&f)[6]) {
  for (int r = 0; r < 6; ++r) {
    f[r] = T(p.force[r]);
    for (int s = 0; s < 6; ++s) f[r] = f[r] - p.k[r][s] * (e[s] - p.length[s]) - p.c[r][s] * rate[s];
  }
}

template <class T>
TRAMMEL_HD WrenchPair<T> wrench(const ElasticField& p, const MarkerKinematics<T>& I,
                                const MarkerKinematics<T>& J, const double* last) {
  T e[6], rate[6], f[6];
  relative_motion(I, J, last, e, rate);
  elastic_force(p, e, rate, f);
  return balanced_wrench(f, I, J);
}

/// CRATIO: C = ratio · K.
inline void scale_damping(double ratio, ElasticField& f) {
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) f.c[r][c] = ratio * f.k[r][c];
}

struct FieldStatement {
  static constexpr const StatementSpec& spec = statements::field;
  static ElasticField read(const auto& s) {
    ElasticField f;
    if (const auto* a = s.find("KMATRIX"))
      for (int n = 0; n < 36; ++n) f.k[n % 6][n / 6] = a->numbers[n];
    scale_damping(s.real("CRATIO", 0), f);
    if (const auto* a = s.find("CMATRIX"))
      for (int n = 0; n < 36; ++n) f.c[n % 6][n / 6] = a->numbers[n];
    if (const auto* a = s.find("FORCE")) std::copy(a->numbers.begin(), a->numbers.end(), f.force);
    if (const auto* a = s.find("LENGTH")) std::copy(a->numbers.begin(), a->numbers.end(), f.length);
    return f;
  }
};

}  // namespace trammel
