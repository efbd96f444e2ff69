// NFORCE: linear force among n markers I and one marker J, in the axes of J. With e_i = (d; AX, AY, AZ) of
// I_i in J and ė_i as for FIELD (elastic_field.h), stacked,
//   f = f₀ − K (e − e₀) − C ė,      K, C 6n × 6n
// six components act on each I_i, and on J what balances them all:
//   F_J = −Σ F_i,   T_J = −Σ (T_i + (r_i − r_J) × F_i)
#pragma once

#include <string>
#include <vector>

#include "element/multi_point.h"
#include "language/rows.h"

namespace trammel {

struct Nforce {
  static constexpr int features = 12, components = 6;  // e, ė; F, T in the axes of J
  static constexpr CountedAngles counted{0, 3};

  template <class T>
  TRAMMEL_HD static void motion(const MarkerKinematics<T>& I, const MarkerKinematics<T>& J,
                                const double* last, T* x) {
    relative_motion(I, J, last, x, x + 6);
  }

  TRAMMEL_HD static void force(const MultiPointParameters& p, int i, const double* x, double* f) {
    const Matrices m(p);
    for (int r = 0; r < 6; ++r) {
      const double *k = m.k + (6 * i + r) * m.size, *c = m.c + (6 * i + r) * m.size, *e0 = m.length;
      double sum = m.force[6 * i + r];
      for (const double *e = x, *end = x + 12 * p.pairs; e < end; e += 12, k += 6, c += 6, e0 += 6)
        for (int s = 0; s < 6; ++s) sum -= k[s] * (e[s] - e0[s]) + c[s] * e[6 + s];
      f[r] = sum;
    }
  }

  template <class D>
  TRAMMEL_HD static void add_variation(const MultiPointParameters& p, int i, int k, const D* dx, D* f) {
    const Matrices m(p);
    for (int r = 0; r < 6; ++r)
      for (int s = 0; s < 6; ++s) {
        const long at = (6 * i + r) * m.size + 6 * k + s;
        for (int d = 0; d < 6; ++d) f[r].d[d] -= m.k[at] * dx[s].d[d] + m.c[at] * dx[6 + s].d[d];
      }
  }

  template <class T>
  TRAMMEL_HD static WrenchPair<T> wrench(const T (&f)[6], const MarkerKinematics<T>& I,
                                         const MarkerKinematics<T>& J) {
    return balanced_wrench(f, I, J);
  }

 private:
  /// Where K, C (by rows), f₀ and e₀ stand among the parameters.
  struct Matrices {
    long size;  ///< 6n
    const double *k, *c, *force, *length;
    TRAMMEL_HD explicit Matrices(const MultiPointParameters& p)
        : size(6L * p.pairs),
          k(p.numbers),
          c(k + size * size),
          force(c + size * size),
          length(force + size) {}
  };
};

struct NforceStatement {
  using Law = Nforce;
  static constexpr Field fields[] = {
      {.name = "IMARKERS",
       .kind = FieldKind::ids,
       .max_count = 350,
       .refers = "MARKER",
       .help = "the n markers that take the action",
       .required = true},
      statements::takes_reaction,
      {.name = "KMATRIX",
       .kind = FieldKind::id,
       .refers = "MATRIX",
       .help = "stiffness, 6n x 6n, in the order of IMARKERS",
       .required = true},
      {.name = "CMATRIX",
       .kind = FieldKind::id,
       .refers = "MATRIX",
       .help = "damping, 6n x 6n",
       .group = "damping"},
      statements::damping_ratio(),
      {.name = "FORCE",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the 6n forces at LENGTH; zero if absent"},
      {.name = "LENGTH",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the 6n displacements at which the force is FORCE; zero if absent"},
  };
  static constexpr StatementSpec spec{
      .keyword = "NFORCE",
      .fields = fields,
      .help = "Linear force among many markers.",
      .equation =
          "f = FORCE - K (e - LENGTH) - C e',  e: DX, DY, DZ, AX, AY, AZ of each I in J, in the axes of J",
      .between_bodies = true,
      .force_function = "NFORCE"};

  static void pairs(const auto& s, auto pair) {
    if (const auto* markers = s.find("IMARKERS"))
      for (const double id : markers->numbers) pair(static_cast<int>(id), s.id_of("J").value_or(0));
  }
  static std::vector<double> read(const auto& s, int pairs, auto& data) {
    const int n = 6 * pairs;
    const std::string why = "six for each of its " + std::to_string(pairs) + " IMARKERS";
    std::vector<double> numbers = data.matrix("KMATRIX", n, n, why), c = data.matrix("CMATRIX", n, n, why);
    if (s.has("CRATIO"))
      for (std::size_t e = 0; e < c.size(); ++e) c[e] = s.real("CRATIO", 0) * numbers[e];
    for (const std::vector<double>& more : {c, data.array("FORCE", n, why), data.array("LENGTH", n, why)})
      numbers.insert(numbers.end(), more.begin(), more.end());
    return numbers;
  }
};

}  // namespace trammel
