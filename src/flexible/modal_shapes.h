// Orthogonal modes of a basis of shapes, and their values at nodes. Internal to the reduction.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "flexible/boundary.h"

namespace trammel {

/// The stiffness and mass matrices of a model between some of its displacements.
class Pencil {
 public:
  Pencil(const FullModel& model, const std::vector<std::vector<double>>& shapes);

  struct Modes {
    Eigen::VectorXd eigenvalues;  ///< ω², ascending
    Eigen::MatrixXd combination;  ///< shapes × modes; their mass is 1
  };
  /// Modes among the shapes, orthogonal to the first `rigid` of them. A shape that is a combination of
  /// others, to one part in 10⁵ of its size, is left out.
  Modes solve(int rigid) const;

 private:
  Eigen::MatrixXd stiffness_, mass_;
};

/// Which nodes a reduced body has beside the points of its interface.
struct NodeChoice {
  std::vector<int> ids;
  bool all = false;
};
/// Adds the nodes of a reduced body with their shapes; where it has all nodes also their masses, each the sum
/// of its rows of the mass matrix. `flat`: unknowns × modes, by columns. Returns the number of nodes whose
/// rotations stay unknown.
int add_nodes(const FullModel& model, const Boundary& boundary, const NodeChoice& choice,
              const std::vector<double>& flat, ModalBody& body);

}  // namespace trammel
