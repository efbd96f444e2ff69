// The result table of `trammel batch`: a line per variant, written in their order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "integrate/integrator.h"
#include "output/stream_file.h"
#include "session/variants.h"
#include "session/watched.h"

namespace trammel {

struct VariantResult {
  enum class Status { done, failed, interrupted };
  Status status = Status::interrupted;
  int exit_code = 0;
  bool begun = false;  ///< a model was made: end time and counters say something
  double end = 0;      ///< model time
  StepCounters counters;
  double seconds = 0;
  std::string where;           ///< what computed the steps: "cpu", "cuda:0"
  std::vector<double> values;  ///< of the watched channels; empty: no record
  std::string message;         ///< of a failure
  std::vector<std::string> warnings;
};

/// What the table of a batch that was stopped holds already.
struct KeptLines {
  std::vector<std::string> lines;  ///< one per variant, with its end; "": to be computed
  std::uint64_t bytes = 0;         ///< of the file, up to the first that is to be computed
  std::size_t done = 0, failed = 0;
  std::size_t first_failed = 0;
  std::string first_failure;         ///< "exit code 5: ..."
  std::vector<std::string> notices;  ///< that the last line was cut
};

/// The whole lines of variants that are done, or failed for reasons that stay (not the disk, exit code 7),
/// and for which `complete` holds. Failure(usage) where the table is not one of these variants and columns.
KeptLines read_kept(const std::string& path, const VariantTable& variants,
                    const std::vector<Watched>& watched, const std::function<bool(const Variant&)>& complete);

/// Lines that wait for one before them are held in memory. Failures: io.
class BatchTable {
 public:
  /// `kept`: of the file at `path`, which goes on behind them; without lines it begins anew.
  void open(const std::string& path, const VariantTable& variants, const std::vector<Watched>& watched,
            const KeptLines& kept);
  /// The result of a variant, each once, in any order. What is complete from the first line on goes to the
  /// file.
  void add(std::size_t variant, const VariantResult& result);
  void close() { file_.close(); }

 private:
  void write_due();

  const VariantTable* variants_ = nullptr;
  std::size_t watched_ = 0, next_ = 0;
  std::vector<std::string> lines_;
  StreamFile file_;
};

}  // namespace trammel
