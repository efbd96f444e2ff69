// Where a finite-element model is held and loaded: nodes, and points that stand for sets of nodes.
#pragma once

#include <array>
#include <vector>

#include "flexible/full_model.h"
#include "flexible/surface_means.h"

namespace trammel {

/// A point that stands for a set of nodes.
struct Spider {
  int node = 0;            ///< the id that the point gets
  Vec3d point;             ///< where it is
  std::vector<int> nodes;  ///< their ids
  bool rigid = false;      ///< the nodes move with the point as one rigid body; else it moves by their mean
  std::vector<SurfaceEntry> surface{};  ///< weights of the mean, by places in `nodes`; empty: all nodes alike
};

/// The rigid motion that comes nearest to the displacements u of some nodes, all with the same weight:
///   ϑ = S⁻¹ Σ r_p × u_p,   u = ū + ϑ × (x − x̄),   r_p = x_p − x̄,   S = Σ r_p·r_p 1 − r_p r_pᵀ
/// or to the displacements of a surface: sums become integrals, by G_pq = ∫ N_p N_q dA
///   x̄ = Σ w_p x_p,   ū = Σ w_p u_p,   w_p = Σ_q G_pq / Σ G,   a_p = Σ_q G_pq r_q,   ϑ = S⁻¹ Σ a_p × u_p,
///   S = Σ a_p·r_p 1 − a_p r_pᵀ
struct MeanMotion {
  std::vector<int> node;  ///< indices
  /// Σ_p weight[p][i]·u_p is component i of the displacement of the point for i < 3, component i − 3 of ϑ
  /// from there on.
  std::vector<std::array<Vec3d, 6>> weight;
  bool turns = false;  ///< ϑ is determined: the nodes do not lie on a line
};
MeanMotion mean_motion(const FullModel& model, std::vector<int> nodes, const Vec3d& point,
                       const std::vector<SurfaceEntry>& surface = {});

/// A motion that the interface may make: one of its points displaced along, or turned about, an axis by one.
struct InterfaceMotion {
  struct Value {
    int unknown;
    double value;
  };
  int point = 0;             ///< index in Boundary::points
  int direction = 0;         ///< 0, 1, 2 displacement, 3, 4, 5 rotation
  std::vector<Value> moved;  ///< unknowns that it prescribes, and their values
  int row = -1;              ///< row of Boundary::means that it prescribes instead; −1: none
};

struct Boundary {
  struct Point {
    int id;
    Vec3d position;
    int node = -1;  ///< index of the node; −1: the point is that of a spider
  };
  std::vector<Point> points;
  std::vector<InterfaceMotion> motions;
  std::vector<unsigned char> held;  ///< per unknown: prescribed by motions
  std::vector<MeanMotion> means;    ///< of averaged spiders: six rows each
  std::vector<Spider> spiders;

  int rows() const { return 6 * static_cast<int>(means.size()); }
};

/// Throws Failure(input) for nodes that do not exist or belong to two points, and spiders whose nodes lie on
/// a line.
Boundary make_boundary(const FullModel& model, const std::vector<int>& nodes, std::vector<Spider> spiders);

}  // namespace trammel
