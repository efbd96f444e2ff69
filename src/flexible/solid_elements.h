// Strains at the nodes of solid finite elements by displacements of their nodes.
#pragma once

#include <vector>

#include "flexible/solid_kinds.h"
#include "math/vec3.h"

namespace trammel {

/// Strain or stress: xx, yy, zz, xy, yz, zx, of the symmetric tensor (shears are half of γ).
constexpr int tensor_components = 6;

/// Isotropic elasticity: σ = λ tr(ε) 1 + 2 G ε.
struct Elasticity {
  double E = 0, poisson = 0;
  double lame() const { return E * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double shear() const { return E / (2 * (1 + poisson)); }
  void stress(const double* strain, double* out) const;
};

/// Strains at the nodes of one element. They are those at the points of the element where derivatives are
/// most accurate (2 × 2 × 2 of bricks, four of quadratic tetrahedra, 3 × 2 of quadratic wedges), continued to
/// the nodes by a polynomial of the same number of terms (Barlow, Optimal stress locations in finite element
/// models, IJNME 10, 1976).
class SolidStrains {
 public:
  explicit SolidStrains(const SolidKind& kind);
  /// Takes the element with these positions of its nodes; false where it is turned inside out. `material` is
  /// used by incompatible kinds alone.
  bool place(const Vec3d* nodes, const Elasticity& material);
  /// `moved`: 3 numbers per node; `strain`: tensor_components per node.
  void at_nodes(const double* moved, double* strain) const;
  const SolidKind& kind() const { return *kind_; }

 private:
  struct Point {
    double at[3];
    std::vector<Vec3d> by_place;  ///< ∂N/∂ξ per node
    std::vector<Vec3d> gradient;  ///< ∂N/∂x per node
    Vec3d bubble[3];              ///< gradients of the bending shapes
    double volume = 0;            ///< det ∂x/∂ξ
  };
  bool place_bubbles(const Vec3d* nodes, const Elasticity& material);
  void strain_at(const Point& point, const double* moved, const double* bent, double* strain) const;

  const SolidKind* kind_;
  std::vector<Point> points_;
  std::vector<double> continued_;  ///< nodes × points: weight of a point at a node
  std::vector<double> bend_;       ///< 9 × 3 nodes: amplitudes of the bending shapes by displacements
};

}  // namespace trammel
