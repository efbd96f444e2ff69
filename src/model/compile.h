// Description → Model: resolves names, builds tables and tapes.
#pragma once

#include "base/diagnostics.h"
#include "dataset/description.h"
#include "model/model.h"

namespace trammel {

/// Compiles a description that the dataset checks have passed. Mistakes that only show here (expressions,
/// inertia, unsupported arguments) go to `diagnostics`; with errors in it the model must not be run.
Model compile(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
