// Where a finite-element model is held and loaded: nodes, and points that stand for sets of nodes.
#pragma once

#include <array>
#include <vector>

#include "flexible/full_model.h"
#include "flexible/surface_means.h"

namespace trammel {

/// A point that stands for a set of nodes.
struct Spider {
  int node = 0;            ///< the number that it gets
  Vec3d point;             ///< where it is
  std::vector<int> nodes;  ///< their ids
  bool rigid = false;      ///< the nodes move with the point as one rigid body; else it moves by their mean
  std::vector<SurfaceEntry>
      surface{};  ///< weights of the mean, by places in `nodes`; none: all nodes the same
};

/// The rigid motion that comes nearest to the displacements u of some nodes, all with the same weight:
///   ϑ = S⁻¹ Σ r_p × u_p,   u = ū + ϑ × (x − x̄),   r_p = x_p − x̄,   S = Σ r_p·r_p 1 − r_p r_pᵀ
/// or to the displacements of a surface: sums become integrals, by G_pq = ∫ N_p N_q dA
///   x̄ = Σ w_p x_p,   ū = Σ w_p u_p,   w_p = Σ_q G_pq / Σ G,   a_p = Σ_q G_pq r_q,   ϑ = S⁻¹ Σ a_p × u_p,
///   S = Σ a_p·r_p 1 − r_p a_pᵀ
struct MeanMotion {
  std::vector<int> node;  ///< indices
  /// Per node: u_p · weight[p][i] summed is component i of the displacement of the point, of ϑ from 3 on.
  std::vector<std::array<Vec3d, 6>> weight;
  bool turns = false;  ///< ϑ is determined: the nodes do not lie on a line
};
MeanMotion mean_motion(const FullModel& model, std::vector<int> nodes, const Vec3d& point,
                       const std::vector<SurfaceEntry>& surface = {});

/// A motion that the interface may make: a displacement or rotation by one of one of its points.
struct InterfaceMotion {
  struct Value {
    int unknown;
    double value;
  };
  int point = 0;             ///< index in Boundary::points
  int direction = 0;         ///< 0 to 5
  std::vector<Value> moved;  ///< unknowns that it prescribes
  int row = -1;              ///< of the mean motions that it prescribes instead
};

struct Boundary {
  struct Point {
    int id;
    Vec3d position;
    int node = -1;  ///< index, or −1: of a spider
  };
  std::vector<Point> points;
  std::vector<InterfaceMotion> motions;
  std::vector<unsigned char> held;  ///< per unknown: prescribed by motions
  std::vector<MeanMotion> means;    ///< of averaged spiders: six rows each
  std::vector<Spider> spiders;

  int rows() const { return 6 * static_cast<int>(means.size()); }
};

/// Throws Failure(input) for nodes that are not there or belong to two, and spiders whose nodes lie on a
/// line.
Boundary make_boundary(const FullModel& model, const std::vector<int>& nodes, std::vector<Spider> spiders);

}  // namespace trammel
