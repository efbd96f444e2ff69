// What a result file in text form holds, and the readers of these files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"
#include "output/run_info.h"
#include "output/step_kind.h"

namespace trammel {

/// Records of equal width, in blocks: growing copies nothing.
class RecordBlocks {
 public:
  void set_width(std::size_t width);
  void append(std::span<const double> values);
  std::span<const double> operator[](std::size_t index) const;
  std::size_t size() const { return count_; }

 private:
  std::vector<std::vector<double>> blocks_;
  std::size_t width_ = 0, per_block_ = 1, count_ = 0;
};

struct ResultTable {
  ResultTable() { info.program.clear(); }

  Channels channels;
  RunInfo info;
  std::vector<double> times;
  std::vector<StepKind> kinds;
  RecordBlocks records;              ///< values in the order of the channels; angles in rad
  std::vector<std::string> notices;  ///< what a user should know of the file: that it is cut, and where
  bool of_variants = false;          ///< a record is a variant, its "time" the variant's number
  void add(double time, StepKind kind, std::span<const double> values);

  /// Gives the channels their quantities, by the units that the file at `path` states for them; a unit
  /// without a name here is named in a notice. Factors to be applied to the file's numbers: degrees become
  /// radians.
  std::vector<double> set_quantities(const std::vector<std::string>& units, const std::string& path);
  /// A notice that the file ends at that byte, and up to which record ("step") the table goes.
  void note_cut(const std::string& place, std::uint64_t byte, std::string_view record);
};

// All of them: Failure(io) for what cannot be read, Failure(input) with file:line for what cannot be
// understood. A file that ends early is read up to its last complete record, with a notice; so is the file of
// a run that goes on.

/// .res in XRF form, of this program or of ADAMS. Angles in degrees become rad.
ResultTable read_results_xrf(const std::string& path);
/// .req in format A.R3. Angles of displacement requests become rad; components are named as the type of the
/// request says (X, VX, ACCX, FX ...; F2 to F8 for functions), with their slots.
ResultTable read_request_file(const std::string& path);
/// Comma-separated values (or semicolons, or tabs) with a line of names; the first column is the time.
/// "PART/2.X [mm]" becomes a channel of that entity, other names those of entities COLUMN/n with one
/// component.
ResultTable read_csv(const std::string& path);
/// The table of `trammel batch`: its columns of numbers are entities COLUMN/n with one component.
ResultTable read_batch_table(const std::string& path);

}  // namespace trammel
