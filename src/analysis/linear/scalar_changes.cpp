#include "analysis/linear/scalar_changes.h"

#include "analysis/linear/tangent_parts.h"

namespace trammel {

ScalarChanges::ScalarChanges(const Model& model, Assembler& assembler, const State& state)
    : scalars_(static_cast<Eigen::Index>(model.scalars.size())) {
  if (scalars_ == 0) return;
  std::vector<int> place(model.scalars.size());  // index among the algebraic or the differential scalars
  for (int k = 0; k < static_cast<int>(scalars_); ++k) {
    std::vector<int>& of_kind =
        model.scalars[static_cast<std::size_t>(k)].differential() ? states_ : algebraic_;
    place[static_cast<std::size_t>(k)] = static_cast<int>(of_kind.size());
    of_kind.push_back(k);
  }
  const TangentValues values =
      tangent_values(model, assembler, state, {AnalysisMode::linear, phase_dynamics});
  const SparsePattern& pattern = assembler.pattern();
  std::vector<Eigen::Triplet<double>> block, place_part, velocity_part, acceleration_part, state_part;
  const int first = model.first_scalar();
  for (int column = 0; column < pattern.n; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
      const int scalar = pattern.row[k] - first;
      if (scalar < 0 || scalar >= scalars_ || model.scalars[static_cast<std::size_t>(scalar)].differential())
        continue;
      const int row = place[static_cast<std::size_t>(scalar)], other = column - first;
      if (column < model.coordinates) {
        place_part.emplace_back(row, column, values.K[k]);
        velocity_part.emplace_back(row, column, values.C[k]);
        if (values.M[k] != 0) acceleration_part.emplace_back(row, column, values.M[k]);
      } else if (column < first) {
        reactions_ = reactions_ || values.K[k] != 0;
      } else if (other >= 0 && other < scalars_) {
        const auto at = static_cast<std::size_t>(other);
        (model.scalars[at].differential() ? state_part : block).emplace_back(row, place[at], values.K[k]);
      }
    }
  const auto rows = static_cast<Eigen::Index>(algebraic_.size());
  const auto fill = [rows](Sparse& m, Eigen::Index columns, const auto& entries) {
    m.resize(rows, columns);
    m.setFromTriplets(entries.begin(), entries.end());
  };
  fill(by_displacement_, model.coordinates, place_part);
  fill(by_velocity_, model.coordinates, velocity_part);
  fill(by_acceleration_, model.coordinates, acceleration_part);
  fill(by_states_, static_cast<Eigen::Index>(states_.size()), state_part);
  if (rows == 0) return;
  Sparse own;
  fill(own, rows, block);
  block_.compute(own);
  determined_ = block_.info() == Eigen::Success;
}

Eigen::VectorXd ScalarChanges::follow(const Sparse& by, const Eigen::VectorXd& x) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(scalars_);
  if (!determined_) return out;
  const Eigen::VectorXd right = -(by * x), s = block_.solve(right);
  for (std::size_t k = 0; k < algebraic_.size(); ++k) out[algebraic_[k]] = s[static_cast<Eigen::Index>(k)];
  return out;
}

Eigen::VectorXd ScalarChanges::by_states(const Eigen::VectorXd& all) const {
  Eigen::VectorXd x(static_cast<Eigen::Index>(states_.size()));
  for (std::size_t k = 0; k < states_.size(); ++k) x[static_cast<Eigen::Index>(k)] = all[states_[k]];
  Eigen::VectorXd out = follow(by_states_, x);
  for (std::size_t k = 0; k < states_.size(); ++k) out[states_[k]] = x[static_cast<Eigen::Index>(k)];
  return out;
}

Eigen::VectorXd ScalarChanges::by_reactions(const Eigen::VectorXd& all,
                                            const Eigen::VectorXd& other_parts) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(scalars_);
  if (!determined_ || !reactions_) return out;
  for (const int k : algebraic_) out[k] = all[k] - other_parts[k];
  return out;
}

}  // namespace trammel
