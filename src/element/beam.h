// BEAM: a massless beam of constant cross section from J to I along x of J. LINEAR: with shear (Timoshenko),
// as an elastic field about its undeformed end.
//   P_y = 12 E I_zz ASY / (G A L²),   P_z = 12 E I_yy ASZ / (G A L²)
//   K₁₁ = E A/L,   K₂₂ = 12 E I_zz / L³(1+P_y),   K₃₃ = 12 E I_yy / L³(1+P_z),   K₄₄ = G I_xx/L
//   K₂₆ = K₆₂ = −6 E I_zz / L²(1+P_y),            K₃₅ = K₅₃ = 6 E I_yy / L²(1+P_z)
//   K₅₅ = (4+P_z) E I_yy / L(1+P_z),              K₆₆ = (4+P_y) E I_zz / L(1+P_y)
// Source: stiffness of a beam element with shear deformation, Przemieniecki, Theory of Matrix Structural
// Analysis, section 5.6; the rows and columns of one end.
#pragma once

#include <variant>

#include "element/elastic_field.h"
#include "element/nonlinear_beam.h"
#include "element/string_beam.h"

namespace trammel {

struct BeamSection {
  double length = 0, area = 0;
  double ixx = 0, iyy = 0, izz = 0;  ///< torsion constant; second moments of area about y and z
  double e = 0, g = 0;               ///< Young's modulus, shear modulus
  double asy = 0, asz = 0;           ///< shear ratios; 0: no shear deformation
};

/// The field of the beam, without damping: e₀ = (L, 0, 0, 0, 0, 0).
inline ElasticField beam_field(const BeamSection& b) {
  const double l = b.length, py = b.asy == 0 ? 0 : 12 * b.e * b.izz * b.asy / (b.g * b.area * l * l),
               pz = b.asz == 0 ? 0 : 12 * b.e * b.iyy * b.asz / (b.g * b.area * l * l);
  ElasticField f;
  f.k[0][0] = b.e * b.area / l;
  f.k[1][1] = 12 * b.e * b.izz / (l * l * l * (1 + py));
  f.k[2][2] = 12 * b.e * b.iyy / (l * l * l * (1 + pz));
  f.k[3][3] = b.g * b.ixx / l;
  f.k[4][4] = (4 + pz) * b.e * b.iyy / (l * (1 + pz));
  f.k[5][5] = (4 + py) * b.e * b.izz / (l * (1 + py));
  f.k[1][5] = f.k[5][1] = -6 * b.e * b.izz / (l * l * (1 + py));
  f.k[2][4] = f.k[4][2] = 6 * b.e * b.iyy / (l * l * (1 + pz));
  f.length[0] = l;
  return f;
}

/// The beam for large rotations, with the damping of the linear law.
inline NonlinearBeam nonlinear_beam(const BeamSection& b, const ElasticField& linear) {
  NonlinearBeam p{.length = b.length, .ea = b.e * b.area, .d = {b.g * b.ixx, b.e * b.iyy, b.e * b.izz}};
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) p.c[r][c] = linear.c[r][c];
  return p;
}

using BeamLaw = std::variant<ElasticField, StringBeam, NonlinearBeam>;

struct BeamStatement {
  static constexpr const StatementSpec& spec = statements::beam;
  static BeamLaw read(const auto& s) {
    const auto value = [&](std::string_view name) { return s.real(name, 0); };
    const std::string_view formulation = s.word("FORMULATION");
    const bool nonlinear = formulation == "NONLINEAR";
    BeamSection b{value("LENGTH"), value("AREA"),     value("IXX"),     value("IYY"),
                  value("IZZ"),    value("EMODULUS"), value("GMODULUS")};
    if (!nonlinear) b.asy = value("ASY"), b.asz = value("ASZ");
    ElasticField f = beam_field(b);
    scale_damping(value("CRATIO"), f);
    if (const auto* a = s.find("CMATRIX")) {
      const double* next = a->numbers.data();  // lower triangle, column by column
      for (int c = 0; c < 6; ++c)
        for (int r = c; r < 6; ++r) f.c[r][c] = f.c[c][r] = *next++;
    }
    if (formulation == "STRING") return StringBeam{f};
    return nonlinear ? BeamLaw(nonlinear_beam(b, f)) : BeamLaw(f);
  }
};

}  // namespace trammel
