// Contents of a result file in text form, and the readers of these formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"
#include "output/mode_set.h"
#include "output/run_info.h"
#include "output/step_kind.h"

namespace trammel {

/// Records of equal width, in blocks: appending copies nothing.
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
  std::vector<std::string> notices;  ///< remarks for the user, such as a truncation
  std::vector<ModeSet> modes;        ///< of LINEAR/EIGENSOL
  bool has_gaps = false;             ///< NaN: what a channel tells of is not there
  bool of_variants = false;          ///< a record is a variant, its "time" the variant's number
  void add(double time, StepKind kind, std::span<const double> values);

  /// Sets the quantities of the channels from the units in the file at `path`; an unknown unit is named in a
  /// notice, so is that of the times if `time` is one. Returns the factors for the file's numbers: degrees
  /// become radians.
  std::vector<double> set_quantities(const std::vector<std::string>& units, const std::string& path,
                                     const std::string& time = "");
  /// Adds a notice that the file ends at `byte`, and up to which `record` ("step") the table goes.
  void note_cut(const std::string& place, std::uint64_t byte, std::string_view record);
};

// All readers: Failure(io) for unreadable files, Failure(input) with file:line for invalid ones. A file that
// ends early (such as that of an unfinished run) is read up to its last complete record, with a notice.

/// .res in XRF form, by this program or ADAMS. Angles in degrees become radians.
ResultTable read_results_xrf(const std::string& path);
/// .req in format A.R3. Angles of displacement requests become radians; components are named by the request's
/// type (X, VX, ACCX, FX ...; F2 to F8 for functions), with their slots.
ResultTable read_request_file(const std::string& path);
/// Values separated by commas, semicolons or tabs, with a header line; the first column is the time.
/// "PART/2.X [mm]" becomes a channel of that entity; other names become entities COLUMN/n with one component.
ResultTable read_csv(const std::string& path);
/// The results table of `trammel batch`: numeric columns become entities COLUMN/n with one component.
ResultTable read_batch_table(const std::string& path);

}  // namespace trammel
