// The result table of `trammel batch`: one line per variant, in the order of the variants.
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
  bool begun = false;  ///< a session was made: `end` and `counters` are valid
  double end = 0;      ///< model time reached
  StepCounters counters;
  double seconds = 0;
  std::string where;           ///< where the steps were computed: "cpu", "cuda:0"
  std::vector<double> values;  ///< one per watched channel; empty: there was no record
  std::string message;         ///< text of a failure
  std::vector<std::string> warnings;
};

/// The lines that the table of a stopped batch holds already.
struct KeptLines {
  std::vector<std::string> lines;  ///< one per variant, with its line end; "": to be computed
  std::uint64_t bytes = 0;         ///< length of the file before the first line to be computed
  std::size_t done = 0, failed = 0;
  std::size_t first_failed = 0;
  std::string first_failure;         ///< "exit code 5: ..."
  std::vector<std::string> notices;  ///< notices that the last line was cut
};

/// Reads the complete lines of variants that are done, or have failed for reasons that stay (not the disk,
/// exit code 7), and for which `complete` holds. Failure(usage) where the table is not of these variants and
/// columns.
KeptLines read_kept(const std::string& path, const VariantTable& variants,
                    const std::vector<Watched>& watched, const std::function<bool(const Variant&)>& complete);

/// Holds in memory the lines that wait for earlier ones. Throws Failure(io).
class BatchTable {
 public:
  /// `kept`: the lines of the file at `path` after which it continues; without lines it begins anew.
  void open(const std::string& path, const VariantTable& variants, const std::vector<Watched>& watched,
            const KeptLines& kept);
  /// Adds the result of a variant, each once, in any order. The lines that are complete from the first on are
  /// written.
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
