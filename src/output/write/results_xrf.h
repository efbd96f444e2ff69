// The .res file in XRF (XML) form: every channel of every output step.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/channels.h"
#include "output/mode_set.h"
#include "output/number_text.h"
#include "output/run_info.h"
#include "output/step_kind.h"
#include "output/stream_file.h"

namespace trammel {

/// Of the element EigenSolution and what is in it (docs/file_formats.md).
inline constexpr const char* xrf_modes_namespace = "urn:trammel:modes:1";

/// Options of the RESULTS statement.
struct ResultsOptions {
  bool accelerations = true;  ///< false: accelerations of parts are omitted (NOACCELERATIONS)
  bool velocities = true, displacements = true;
  bool reaction_forces = true, applied_forces = true, contacts = true, system_elements = true,
       requests = true;
  int digits = 17;           ///< most significant digits; 17: all
  std::string comment = {};  ///< text of <Comment>
  std::string analysis_name = "run";

  void archive(Archive& a) {
    a(accelerations, velocities, displacements, reaction_forces, applied_forces, contacts, system_elements,
      requests, digits, comment, analysis_name);
  }
};

/// The file is complete XML after every flush: closing tags follow the last step and are overwritten by the
/// next one.
class ResultsFile {
 public:
  /// Values that stand together in a record and in the file.
  struct Group {
    int first = 0, end = 0;  ///< [first, end) in a record
    bool begins = false;     ///< on a new line: the first of its entity
  };

  /// With a position the file is continued there, without a header; call archive() next.
  void open(const std::string& path, const Channels& channels, const RunInfo& info,
            ResultsOptions options = {}, const FilePosition* position = nullptr);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, StepKind kind, std::span<const double> values);
  /// Modes of a LINEAR, between the blocks of steps.
  void modes(const ModeSet& set);
  void flush() { file_.flush(); }
  FilePosition position() { return file_.position(); }
  /// Saves or restores what a continued file needs besides its position: the present block.
  void archive(Archive& a);
  void close(bool successful = true);

  const std::string& path() const { return file_.path(); }
  std::uint64_t size() const { return file_.size(); }

 private:
  void write_head(const Channels& channels, const RunInfo& info, const ResultsOptions& options,
                  const std::vector<int>& id);
  std::string tail(bool successful) const;

  std::vector<Group> lines_;  ///< in the order of the file
  StreamFile file_;
  RecordText text_;
  std::string rate_unit_;  ///< of eigenvalues
  int digits_ = 17;
  bool block_open_ = false;
  StepKind block_kind_ = StepKind::model_input;
  int blocks_ = 0;  ///< number of Data blocks
  int blocks_of_kind_[6] = {};
};

}  // namespace trammel
