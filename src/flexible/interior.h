// The inside of a finite-element model whose interface is held.
#pragma once

#include <memory>
#include <vector>

#include "flexible/boundary.h"
#include "linear/system.h"

namespace trammel {

/// Static and shifted solutions over the unknowns that the interface does not prescribe. With averaged
/// spiders their means B u are prescribed by multipliers λ:
///   [ K − σM + BᵀρB   Bᵀ ] [ u ]   [ f + BᵀρBu ]
///   [ B               0  ] [ λ ] = [ B u       ]
/// The term with ρ changes nothing where B u is given, and makes the leading block regular wherever the means
/// hold the model.
class Interior {
 public:
  /// Factors the matrix. Throws Failure(input) where the interface leaves something free (shift 0).
  Interior(const FullModel& model, const Boundary& boundary, double shift, std::shared_ptr<ThreadPool> pool);

  /// Number of unknowns of the inside, and for each its number in the model.
  int size() const { return static_cast<int>(unknown_.size()); }
  const std::vector<int>& unknowns() const { return unknown_; }
  /// Displacements of all unknowns of the model by one motion of the interface (index), its other motions
  /// held.
  std::vector<double> constraint_mode(int motion);
  /// y = (K − σM)⁻¹ x, the interface held; `size()` values each, may be the same array.
  void solve(const double* x, double* y);
  /// y = M x over the inside.
  void mass_times(const double* x, double* y) const;
  /// The values of the inside, placed among all unknowns of the model; the others are zero.
  std::vector<double> spread(const double* x) const;
  const GuardedSystem& system() const { return system_; }

 private:
  void number();
  void assemble(double shift);
  void build_graph();
  void penalties();
  struct Term;
  void add_means(int j, std::vector<Term>& column) const;
  void answer();
  std::string place_of(const SolveReport& report) const;

  const FullModel& model_;
  const Boundary& boundary_;
  std::vector<int> unknown_;                 ///< per unknown of the inside: that of the model
  std::vector<int> inside_;                  ///< per unknown of the model: that of the inside; −1: held
  std::vector<std::pair<int, int>> member_;  ///< per unknown of the inside: spider and node in it; −1: none
  std::vector<double> penalty_;              ///< per row of means: ρ
  SparsePattern pattern_;                    ///< empty once it is factored, as `value_` is
  std::vector<double> value_;
  MechanismGraph graph_;
  GuardedSystem system_{"multifrontal"};
  std::vector<double> x_;
};

}  // namespace trammel
