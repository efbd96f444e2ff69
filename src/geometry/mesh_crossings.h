// Where the surfaces of two closed meshes cross, and which polygons bound what they have in common.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/mesh_lattice.h"
#include "geometry/mesh_solid.h"
#include "math/pose.h"

namespace trammel {

/// A corner of the common solid: a vertex of one mesh inside the other, or an edge of one through a face of
/// the other.
struct OverlapNode {
  int mesh;      ///< whose vertex or edge
  int vertex;    ///< -1: an edge through a face
  int edge;      ///< of `mesh`
  int face;      ///< triangle of the other mesh
  bool enters;   ///< the edge comes from outside the other mesh, going from low to high
  double along;  ///< where on the edge: 0 low … 1 high
};

/// A side of the polygon that is the part of a triangle inside the other mesh, which lies to its left seen
/// from outside.
struct OverlapSide {
  int component;  ///< of the common solid, from 0
  int mesh, triangle;
  int from, to;  ///< nodes
};

/// The combinatorics of the overlap of two solids, decided on a lattice without contradictions. Buffers are
/// kept from call to call.
class MeshCrossings {
 public:
  /// Looks at the two solids with these poses in ground.
  void find(const SolidMesh* const (&solids)[2], const Pose<double> (&poses)[2]);

  const std::vector<OverlapNode>& nodes() const { return nodes_; }
  /// By component, mesh, triangle.
  const std::vector<OverlapSide>& sides() const { return sides_; }
  int components() const { return components_; }
  /// What the coordinates of numbers made of this may be counted from [length, ground].
  const Vec3d& reference() const { return reference_; }
  /// The width of the lattice: 2⁻³⁹ of the solids' size [length].
  double unit() const { return unit_; }

 private:
  struct Raw {
    std::uint64_t key;
    bool enters;
  };
  struct Cut {
    int triangle[2];
    std::uint64_t start, end;  ///< of the side on the first mesh; the second has it the other way round
  };
  struct PerMesh {
    std::vector<int> on_lattice, inside, crossed, shell_seeded;  ///< the call that last said so
    std::vector<LatticePoint> points;
    std::vector<int> node;  ///< of a vertex inside
    std::vector<int> front;
  };

  const LatticePoint& point(int m, int vertex);
  void cross_triangles(int first, int second);
  void add_crossing(int m, int triangle, int side, bool enters, int face, Cut& cut);
  void number_crossings();
  int node_of(std::uint64_t key) const;
  void seed_inside();
  bool is_inside(int m, int vertex);
  void flood(int m);
  void mark_inside(int m, int vertex);
  int balance(int m, int edge) const;
  void add_edge_sides();
  void add_crossed_edge(int m, int edge, int begin, int end);
  void add_edge_side(int m, int edge, int from, int to);
  void add_side(int m, int triangle, int from, int to);
  void join_holes();
  void number_components();
  Vec3d place(int node) const;
  int root(int node);
  bool encloses(std::size_t begin, std::size_t end, int which, const Vec3d& p, const Vec3d& normal);

  const SolidMesh* solids_[2] = {};
  Pose<double> poses_[2];  ///< relative to reference_
  Vec3d reference_;
  double unit_ = 1;
  int call_ = 0, components_ = 0, crossing_count_ = 0;
  PerMesh per_mesh_[2];
  std::vector<Raw> raw_;
  std::vector<std::uint64_t> keys_;
  std::vector<Cut> cuts_;
  std::vector<OverlapNode> nodes_;
  std::vector<OverlapSide> sides_;
  std::vector<int> parent_, number_, entering_, leaving_, roots_;
  std::vector<std::array<int, 2>> pair_stack_;
  std::vector<int> stack_;
};

}  // namespace trammel
