// Changes δs of the algebraic scalars of a model with its coordinates, their rates and accelerations, and its
// states.
#pragma once

#include <Eigen/SparseLU>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

/// Solves the linearised equations of the algebraic scalars a, chains of VARIABLEs that read each other
/// included, K_aa δs_a + K_aq δq + C_aq δq̇ + M_aq δq̈ + K_ax δx + K_aλ δλ = 0, x the differential scalars, for
/// one term at a time. Arguments have one entry per coordinate or per scalar of the model, results one per
/// scalar.
class ScalarChanges {
 public:
  /// Linearises at the state. Throws Failure(solver) where a function has no value. Scalars that their
  /// equations do not determine keep their values.
  ScalarChanges(const Model& model, Assembler& assembler, const State& state);

  Eigen::VectorXd by_displacement(const Eigen::VectorXd& q) const { return follow(by_displacement_, q); }
  Eigen::VectorXd by_velocity(const Eigen::VectorXd& v) const { return follow(by_velocity_, v); }
  Eigen::VectorXd by_acceleration(const Eigen::VectorXd& a) const { return follow(by_acceleration_, a); }
  /// `all`: one entry per scalar of the model, of which those of states are read. States change as given.
  Eigen::VectorXd by_states(const Eigen::VectorXd& all) const;
  /// The part of the algebraic scalars by reactions: `all`, the scalars of a small motion, less
  /// `other_parts`, the sum of their other parts. Zero where no equation reads reactions.
  Eigen::VectorXd by_reactions(const Eigen::VectorXd& all, const Eigen::VectorXd& other_parts) const;

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  Eigen::VectorXd follow(const Sparse& by, const Eigen::VectorXd& x) const;

  std::vector<int> algebraic_, states_;  ///< scalars of the model
  Eigen::Index scalars_ = 0;
  Sparse by_displacement_, by_velocity_, by_acceleration_, by_states_;
  Eigen::SparseLU<Sparse> block_;
  bool determined_ = false, reactions_ = false;
};

}  // namespace trammel
