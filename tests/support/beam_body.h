// A beam along x by finite elements, and its modes: what tests of flexible bodies are made from.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "../support/temporary_file.h"
#include "flexible/invariants.h"
#include "flexible/mtx_file.h"

namespace trammel::test {

/// A prismatic beam; lumped masses at equal distances.
struct Beam {
  double length = 1, E = 2e11, G = 8e10, density = 7800;
  double area = 4e-4, Iy = 1.2e-8, Iz = 1.5e-8, torsion = 2e-8;
  int elements = 16;

  int nodes() const { return elements + 1; }
  double element() const { return length / elements; }
  double mass() const { return density * area * length; }
  /// Number of the node at the far end; the first is 1.
  int last() const { return nodes(); }

  /// Euler's beam, six unknowns u v w θx θy θz per node.
  Eigen::MatrixXd stiffness() const;
  /// Diagonal: of a node the mass of half of each element at it, and that length's rotary inertia.
  Eigen::VectorXd masses() const;
};

/// Frequencies [cycles/time], ascending, of K x = ω² M x with the given unknowns held.
Eigen::VectorXd frequencies(const Eigen::MatrixXd& K, const Eigen::VectorXd& M,
                            const std::vector<int>& held = {});
/// ω [radians/time], ascending, of K x = ω² M x; 0 where ω² < 0.
Eigen::VectorXd angular_frequencies(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);
/// Displacements of a beam that is held at its first node, under forces and moments at all nodes; six numbers
/// a node, global axes, both.
Eigen::VectorXd held_beam(const Beam& beam, const Eigen::VectorXd& loads);
/// The modes of the combinations of unknowns in the columns of a basis, made orthogonal.
ModalBody modes_in(const Beam& beam, const Eigen::MatrixXd& basis);
/// Craig and Bampton's modes with the boundary nodes (from 1) and `normal` fixed-interface modes, made
/// orthogonal; all modes where `normal` is negative.
ModalBody modes_of(const Beam& beam, const std::vector<int>& boundary, int normal);
/// All modes of the beam held at its first node.
ModalBody cantilever_modes(const Beam& beam);

}  // namespace trammel::test
