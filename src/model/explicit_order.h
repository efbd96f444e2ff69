// The order in which scalars that follow from what is known can be evaluated.
#pragma once

#include <vector>

#include "model/model.h"

namespace trammel {

/// The scalars of Model::explicit_scalars(), each behind those whose value (VARIABLE) or rate (DIFF) its
/// expression reads.
std::vector<int> explicit_order(const Model& model);

}  // namespace trammel
