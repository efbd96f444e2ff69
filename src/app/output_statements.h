// What OUTPUT and RESULTS say about result files. Statements may be absent (nullptr).
#pragma once

#include <vector>

#include "dataset/description.h"
#include "output/output_set.h"

namespace trammel {

/// The native file, and .req (OUTPUT/REQSAVE), .gra (GRSAVE), .out (PRINT), .res (RESULTS/XRF).
std::vector<Format> chosen_formats(const Statement* output, const Statement* results);

/// RESULTS: NO..., DECIMALPLACES, COMMENT.
ResultsOptions results_options(const Statement* results);

/// OUTPUT: FIXED, DZERO, VZERO, AZERO, FZERO.
TableOptions table_options(const Statement* output);

}  // namespace trammel
