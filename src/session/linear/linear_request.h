// The options of a LINEAR command, with indices of the model.
#pragma once

#include "analysis/linear/linearization.h"
#include "dataset/description.h"

namespace trammel {

/// Throws Failure(input) for a VARIABLE or marker that the model does not have.
LinearizationOptions linear_request(const Statement& linear, const Description& description,
                                    const Model& model);

}  // namespace trammel
