// The settings of result files by OUTPUT, RESULTS and options of the command line. Statements may be absent
// (nullptr).
#pragma once

#include <string>
#include <vector>

#include "dataset/description.h"
#include "output/output_set.h"

namespace trammel {

/// The native file; the file of overlaps where the model has `contacts` (not with RESULTS/NOCONTACTS); .req
/// (OUTPUT/REQSAVE), .gra (GRSAVE), .out (PRINT), .res (RESULTS/XRF).
std::vector<Format> chosen_formats(const Statement* output, const Statement* results, bool contacts);

/// --formats; "none" alone is an empty list. Failure(usage) for names that are no formats.
std::vector<Format> formats_named(const std::vector<std::string>& names);
/// --every: Failure(usage) for less than 1.
void check_every(int every);

/// RESULTS: NO..., DECIMALPLACES, COMMENT.
ResultsOptions results_options(const Statement* results);

/// OUTPUT: FIXED, YPR, DZERO ... FZERO, DSCALE ... FSCALE.
TableOptions table_options(const Statement* output);

}  // namespace trammel
