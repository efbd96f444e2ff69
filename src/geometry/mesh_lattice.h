// Points of two meshes with whole coordinates, for answers that never contradict each other.
#pragma once

#include <cstdint>

namespace trammel {

/// A point in units of the lattice. Points that compare as degenerate are moved apart by an infinitesimal
/// amount that only `name` decides.
struct LatticePoint {
  std::int64_t at[3];  ///< within ±2⁴⁰
  std::uint32_t name;  ///< differs between points
};

/// The sign, never 0, of det(b − a, c − a, d − a), exact: +1 if d lies on the side of the triangle abc to
/// which its normal points. Where the points lie in one plane, that of the points moved by ε times small
/// whole numbers made of their names, ε → 0: so all answers together are those of one placement without
/// degeneracy (H. Edelsbrunner, E. P. Mücke, ACM Trans. Graphics 9 (1990), with another choice of the
/// perturbation).
int orientation(const LatticePoint& a, const LatticePoint& b, const LatticePoint& c, const LatticePoint& d);

}  // namespace trammel
