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
  std::uint64_t seed = 1;          ///< --seed: of the random samples
};

/// The table as text. Failure(usage) for options that cannot be understood or do not fit together.
///
/// grid: all combinations, the first variable slowest. random: n independent samples, evenly distributed.
/// lhs: Latin hypercube; each range is cut into n equal parts, and every part has one sample. The same seed
/// gives the same table on every machine. A variable that is no argument of a statement stands in a column
/// "#L", and changes what --drive says by expressions in braces.
std::string generated_table(const GenerateOptions& options);

/// The file of a generated table. The destructor removes it, unless keep() was called or the file existed
/// before with the same text. Does nothing where no method is chosen.
class GeneratedTable {
 public:
  /// Throws Failure: usage as generated_table(), and where the file exists with another text; io.
  GeneratedTable(const GenerateOptions& options, const std::string& path);
  ~GeneratedTable();
  GeneratedTable(const GeneratedTable&) = delete;
  GeneratedTable& operator=(const GeneratedTable&) = delete;
  void keep() { written_.clear(); }

 private:
  std::string written_;  ///< path of the file that the destructor removes; "": none
};

}  // namespace trammel
