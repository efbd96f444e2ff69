// The order in which scalars that follow from what is known can be evaluated.
#pragma once

#include <vector>

#include "model/model.h"

namespace trammel {

/// The scalars of Model::explicit_scalars(), each behind those whose value (VARIABLE) or rate (DIFF) its
/// expression reads.
std::vector<int> explicit_order(const Model& model);

/// The first scalar with a rate that reads accelerations, reactions or what is solved for with them, directly
/// or by VARIABLEs; -1: none does.
int first_state_of_solutions(const Model& model);

/// VARIABLEs and DIFFs that read accelerations or reactions and that nothing but their like reads: all else
/// can be solved for without them.
struct Followers {
  std::vector<int> all;
  /// Those that can be evaluated when all else is known, each behind those that it reads.
  std::vector<int> in_order;
};
Followers followers(const Model& model);

}  // namespace trammel
