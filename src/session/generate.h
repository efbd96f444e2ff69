// `trammel batch --generate`: tables of variants made from ranges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trammel {

struct GenerateOptions {
  std::string method;              ///< --generate: "grid", "random:100", "lhs:100"; "": none
  std::vector<std::string> vary;   ///< --vary: "L=0.2:0.3", "L=0.2:0.3:5", "PART/2.MASS=1,2,5"
  std::vector<std::string> drive;  ///< --drive: "MARKER/33.QP={L},0,0"
  std::uint64_t seed = 1;          ///< --seed: other samples with another one
};

/// The table as text. Failure(usage) for options that cannot be understood or do not fit together.
///
/// grid: all combinations, the first variable slowest. random: n independent samples, evenly distributed.
/// lhs: Latin hypercube; of each range cut into n equal parts every part has one sample. The same seed gives
/// the same table on every machine. A variable that is no argument of a statement stands in a column "#L",
/// and changes what --drive says by expressions in braces.
std::string generated_table(const GenerateOptions& options);

/// The file of a generated table: removed again unless keep() is called, or it was there before with the same
/// text. Nothing where no method is chosen.
class GeneratedTable {
 public:
  /// Failure: usage as above, and where the file has another text; io.
  GeneratedTable(const GenerateOptions& options, const std::string& path);
  ~GeneratedTable();
  GeneratedTable(const GeneratedTable&) = delete;
  GeneratedTable& operator=(const GeneratedTable&) = delete;
  void keep() { written_.clear(); }

 private:
  std::string written_;  ///< path of what the destructor removes
};

}  // namespace trammel
