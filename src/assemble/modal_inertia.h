// Whether the kinetic energy of a flexible body, theory.md (65), is positive for every motion.
#pragma once

#include <vector>

#include "model/model.h"
#include "model/state.h"

namespace trammel {

/// Where invariants are left out (INVARIANTS), the energy is that of an inertia linear in q, which is
/// negative for some motions once the deformation is large: accelerations then point against the forces. With
/// all of them it is a sum of squares.
class ModalInertia {
 public:
  explicit ModalInertia(const Model& model);
  /// Throws Failure(solver), with the body's name and the time, where it is negative for some motion at the
  /// modal coordinates of `state`.
  void refuse_negative_energy(const State& state);

 private:
  struct Linear {
    const FlexibleBody* body;
    std::vector<double> factor;    ///< L of I6 = L Lᵀ, of the modes with inertia, by rows
    std::vector<double> coupling;  ///< room for 6 numbers per such mode
  };
  bool is_negative(Linear& of, const double* q) const;

  const Model& model_;
  std::vector<Linear> bodies_;  ///< those with invariants left out
};

}  // namespace trammel
