// Where the surfaces of two closed meshes cross, and which polygons bound what they have in common. On the
// processor and on a device; definitions: mesh_crossings_definitions.h.
#pragma once

#include <cstdint>

#include "geometry/mesh_lattice.h"
#include "geometry/mesh_view.h"
#include "geometry/room.h"
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

/// An edge of one mesh through a face of the other, found with one of the triangles at the edge.
struct EdgeThroughFace {
  std::uint64_t key;  ///< of the mesh, the edge and the face
  bool enters;
};

/// Two triangles that cross.
struct TriangleCut {
  int triangle[2];
  std::uint64_t start, end;  ///< of the side on the first mesh; the second has it the other way round
};

/// What the search works in (owned_rooms.h).
struct CrossingWork {
  struct PerMesh {
    Room<int> on_lattice, inside, crossed, shell_seeded;  ///< the call that last said so
    Room<LatticePoint> points;
    Room<int> node;  ///< of a vertex inside
    Room<int> front;
  };
  int call = 0;
  PerMesh per_mesh[2];
  Room<EdgeThroughFace> crossings;
  Room<TriangleCut> cuts;
  Room<OverlapNode> nodes;  ///< in the order of `crossings`, then the vertices inside
  Room<OverlapSide> sides;  ///< by component, mesh, triangle
  Room<int> parent, number, entering, leaving, roots;

  TRAMMEL_HD void renew() { call = 0; }
  template <class F>
  void for_rooms(F&& f) {
    for (PerMesh& m : per_mesh)
      f(m.on_lattice), f(m.inside), f(m.crossed), f(m.shell_seeded), f(m.points), f(m.node), f(m.front);
    f(crossings), f(cuts), f(nodes), f(sides);
    f(parent), f(number), f(entering), f(leaving), f(roots);
  }
};

/// The combinatorics of the overlap of two solids, decided on a lattice without contradictions.
class MeshCrossings {
 public:
  TRAMMEL_HD MeshCrossings(CrossingWork& work, const MeshView& first, const MeshView& second)
      : work_(work), solids_{&first, &second} {}

  /// Looks at the two solids with these poses in ground. False: a list of the work space had no room for all.
  TRAMMEL_HD bool find(const Pose<double> (&poses)[2]);

  TRAMMEL_HD const Room<OverlapNode>& nodes() const { return work_.nodes; }
  TRAMMEL_HD const Room<OverlapSide>& sides() const { return work_.sides; }
  TRAMMEL_HD int components() const { return components_; }
  /// What the coordinates of numbers made of this may be counted from [length, ground].
  TRAMMEL_HD const Vec3d& reference() const { return reference_; }
  /// The width of the lattice: 2⁻³⁹ of the solids' size [length].
  TRAMMEL_HD double unit() const { return unit_; }

 private:
  TRAMMEL_HD bool take_tables();
  TRAMMEL_HD const LatticePoint& point(int m, int vertex);
  TRAMMEL_HD void cross_triangles(int first, int second);
  TRAMMEL_HD void add_crossing(int m, int triangle, int side, bool enters, int face, TriangleCut& cut);
  TRAMMEL_HD void number_crossings();
  TRAMMEL_HD double place_on_edge(const OverlapNode& node);
  TRAMMEL_HD int node_of(std::uint64_t key) const;
  TRAMMEL_HD void seed_inside();
  TRAMMEL_HD bool is_inside(int m, int vertex);
  TRAMMEL_HD void flood(int m);
  TRAMMEL_HD void mark_inside(int m, int vertex);
  TRAMMEL_HD int balance(int m, int edge) const;
  TRAMMEL_HD bool find_sides();
  TRAMMEL_HD void add_edge_sides();
  TRAMMEL_HD void add_crossed_edge(int m, int edge, int begin, int end);
  TRAMMEL_HD void add_edge_side(int m, int edge, int from, int to);
  TRAMMEL_HD void add_side(int m, int triangle, int from, int to);
  TRAMMEL_HD void join_holes();
  TRAMMEL_HD void join_holes_of_triangle(int begin, int end);
  TRAMMEL_HD void unite(int a, int b);
  TRAMMEL_HD void number_components();
  TRAMMEL_HD Vec3d place(int node) const;
  TRAMMEL_HD int root(int node);
  TRAMMEL_HD bool encloses(int begin, int end, int which, const Vec3d& p, const Vec3d& normal);

  CrossingWork& work_;
  const MeshView* solids_[2];
  Pose<double> poses_[2];  ///< relative to reference_
  Vec3d reference_;
  double unit_ = 1;
  int components_ = 0, crossing_count_ = 0;
};

}  // namespace trammel
