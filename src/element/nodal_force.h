// NFORCE: linear force among n markers I and one marker J, in the axes of J. With e_i = (d; AX, AY, AZ) of
// I_i in J and ė_i as for FIELD (elastic_field.h), stacked,
//   f = f₀ − K (e − e₀) − C ė,      K, C 6n × 6n
// six components act on each I_i, and on J what balances them all:
//   F_J = −Σ F_i,   T_J = −Σ (T_i + (r_i − r_J) × F_i)
#pragma once

#include "element/elastic_field.h"

namespace trammel {

/// Parameters of an NFORCE: matrices by rows, vectors of 6n.
struct NodalLaw {
  int n = 0;
  const double* k = nullptr;
  const double* c = nullptr;
  const double* force = nullptr;
  const double* length = nullptr;
};

/// The six components on I_i of the motions e, ė of all markers (6n each).
TRAMMEL_HD inline void nodal_components(const NodalLaw& p, int i, const double* e, const double* rate,
                                        double (&f)[6]) {
  const int size = 6 * p.n;
  for (int r = 0; r < 6; ++r) {
    const double *k = p.k + (6 * i + r) * static_cast<long>(size),
                 *c = p.c + (6 * i + r) * static_cast<long>(size);
    f[r] = p.force[6 * i + r];
    for (int s = 0; s < size; ++s) f[r] -= k[s] * (e[s] - p.length[s]) + c[s] * rate[s];
  }
}

/// Adds what a variation of the motion of I_k alone (derivatives of e_k, ė_k in dual numbers) changes in the
/// components on I_i.
template <class D>
TRAMMEL_HD void add_nodal_variation(const NodalLaw& p, int i, int k, const D (&e)[6], const D (&rate)[6],
                                    D (&f)[6]) {
  for (int r = 0; r < 6; ++r)
    for (int s = 0; s < 6; ++s) {
      const long at = (6 * i + r) * 6L * p.n + 6 * k + s;
      for (int d = 0; d < 6; ++d) f[r].d[d] -= p.k[at] * e[s].d[d] + p.c[at] * rate[s].d[d];
    }
}

}  // namespace trammel
