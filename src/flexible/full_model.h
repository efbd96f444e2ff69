// A finite-element model as its matrices show it: M ü + K u = f over the displacements of nodes.
#pragma once

#include <string>
#include <vector>

#include "flexible/modal_body.h"
#include "linear/pattern.h"

namespace trammel {

/// Numbers are in consistent units (force = mass · length / time²).
struct FullModel {
  std::string source;  ///< file, for messages
  std::vector<int> node_id;
  std::vector<Vec3d> position;           ///< per node
  std::vector<int> first;                ///< nodes + 1: unknowns of node p are [first[p], first[p + 1])
  std::vector<unsigned char> direction;  ///< per unknown: 0, 1, 2 displacements, 3, 4, 5 rotations; ascending
  SparsePattern pattern;                 ///< both triangles
  std::vector<double> stiffness, mass;   ///< parallel to pattern.row

  int nodes() const { return static_cast<int>(node_id.size()); }
  int unknowns() const { return static_cast<int>(direction.size()); }
  /// Unknown of a node (an index) in a direction; −1: it has none.
  int unknown(int node, int direction) const;
  /// Node of an unknown.
  int node_of(int unknown) const;
  /// Index of the node with an id; −1: there is none.
  int node(int id) const;
};

/// An entry of a symmetric matrix; its mirror image is meant, too.
struct MatrixEntry {
  int row, column;
  double value;
};

/// Sets pattern, stiffness and mass of a model whose unknowns are known. An entry that stands in one triangle
/// or in both counts once; the lists are emptied. Throws Failure(input) where the two values of an entry
/// differ by more than the digits of files.
void set_matrices(FullModel& model, std::vector<MatrixEntry> stiffness, std::vector<MatrixEntry> mass);

/// y = A x of a symmetric matrix with values parallel to the pattern.
void multiply(const SparsePattern& pattern, const std::vector<double>& values, const double* x, double* y);

/// Displacements of all unknowns by a rigid motion of size one: along axis `motion` (0 to 2), or a turn about
/// axis `motion` − 3 through the given point.
std::vector<double> rigid_motion(const FullModel& model, int motion, const Vec3d& about);

/// Throws Failure(input) where a rigid motion meets resistance: supports were left in the model, or parts of
/// it are missing.
void require_free(const FullModel& model);

}  // namespace trammel
