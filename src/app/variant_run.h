// One variant of `trammel batch`, from the deck as read to its line of the table.
#pragma once

#include <functional>

#include "app/batch.h"
#include "app/batch_table.h"

namespace trammel {

/// What all variants share; read by all threads, written by none.
struct BatchSetting {
  explicit BatchSetting(const BatchOptions& batch) : options(batch) {}
  const BatchOptions& options;
  Job deck;  ///< as read, before --set
  VariantTable table;
  std::vector<Watched> watched;
  Channels channels;  ///< in which the watched were found
  RunInfo info;
  std::string prefix;       ///< of the output files
  ComputeSettings compute;  ///< of one variant
  std::function<bool()> interrupted;
};

/// A deck that is ready to run. job.diagnostics say what was found; after mistakes plan and model are of no
/// use.
struct PreparedJob {
  Job job;
  Plan plan;
  Model model;
};
/// The deck with --set and the changes of a variant (nullptr: none), planned and compiled as `trammel run`
/// does it. Throws Failure for edits that cannot be read, and options that do not fit.
PreparedJob prepare_variant(const BatchSetting& setting, const Variant* variant);

/// Runs a variant. Throws nothing: failures are in the result.
VariantResult run_variant(const BatchSetting& setting, const Variant& variant);

}  // namespace trammel
