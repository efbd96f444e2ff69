// How scalars of a model follow changes of its coordinates, their rates and states.
#pragma once

#include <Eigen/SparseLU>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

/// Of K_aa δs_a + K_aq δq + C_aq δq̇ + M_aq δq̈ + K_ax δx + K_aλ δλ = 0, the equations of algebraic scalars,
/// chains of VARIABLEs that read each other included; x are differential ones. All give a value per scalar of
/// the model.
class ScalarChanges {
 public:
  /// Failure(solver) where a function has no value. Scalars whose equations do not determine them stay as
  /// they are.
  ScalarChanges(const Model& model, Assembler& assembler, const State& state);

  Eigen::VectorXd by_place(const Eigen::VectorXd& q) const { return follow(by_place_, q); }
  Eigen::VectorXd by_velocity(const Eigen::VectorXd& v) const { return follow(by_velocity_, v); }
  Eigen::VectorXd by_acceleration(const Eigen::VectorXd& a) const { return follow(by_acceleration_, a); }
  /// Of all scalars; those that are algebraic are not looked at. States change as given.
  Eigen::VectorXd by_states(const Eigen::VectorXd& all) const;
  /// Of all scalars of a small motion what algebraic ones have beside the parts that follow the others: that
  /// by reactions. None where no equation reads these.
  Eigen::VectorXd by_reactions(const Eigen::VectorXd& all, const Eigen::VectorXd& other_parts) const;

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  Eigen::VectorXd follow(const Sparse& by, const Eigen::VectorXd& x) const;

  std::vector<int> algebraic_, states_;  ///< scalars of the model
  Eigen::Index scalars_ = 0;
  Sparse by_place_, by_velocity_, by_acceleration_, by_states_;
  Eigen::SparseLU<Sparse> block_;
  bool determined_ = false, reactions_ = false;
};

}  // namespace trammel
