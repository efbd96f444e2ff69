// Reader of any result file: the native file, .res in XRF form, .req, .csv, the results table of a batch.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/channel_names.h"
#include "output/read/result_table.h"
#include "output/write/native_file.h"

namespace trammel {

/// The format is recognised by content, not by name. The native file is read on demand; text files are held
/// in memory, 8 bytes per value. Failures: io (unreadable), input (with file:line; other kinds of file),
/// usage (no such channel).
class ResultReader {
 public:
  explicit ResultReader(const std::string& path);

  const std::string& path() const { return path_; }
  /// "native", "tracks of contacts", "XRF", "requests", "batch table", "CSV"
  const char* format() const { return format_; }
  /// Times and values have six digits only (.req files).
  bool six_digits() const { return six_digits_; }
  /// Results table of a batch: a record is a variant, its time is the variant's number.
  bool of_variants() const { return table_.of_variants; }
  /// Tracks of contacts: NaN stands where there is no overlap.
  bool has_gaps() const { return table_.has_gaps; }
  const Channels& channels() const { return native_ ? native_->channels() : table_.channels; }
  const RunInfo& info() const { return native_ ? native_->info() : table_.info; }
  /// Remarks for the user: truncation, contents that were not understood.
  const std::vector<std::string>& notices() const { return native_ ? native_->notices() : table_.notices; }

  std::size_t records() const { return times_.size(); }
  const std::vector<double>& times() const { return times_; }
  const std::vector<StepKind>& kinds() const { return kinds_; }

  /// Modes of each LINEAR/EIGENSOL; only native and XRF files have any.
  std::vector<ModeSet> modes() const { return native_ ? native_->modes() : table_.modes; }

  std::vector<ChannelRef> list() const { return list_channels(channels()); }
  ChannelRef find(std::string_view name) const { return find_channel(channels(), path_, name); }
  /// All values of one channel (or the times), one per record.
  std::vector<double> column(const ChannelRef& channel) const;
  /// All values of one record, in the order of the channels.
  void record(std::size_t index, std::span<double> values) const;
  std::size_t width() const { return width_; }

 private:
  void take_tracks();

  std::string path_;
  const char* format_ = "";
  bool six_digits_ = false;
  std::unique_ptr<NativeReader> native_;
  ResultTable table_;  ///< contents of a file that is no table of channels as it stands
  std::vector<double> times_;
  std::vector<StepKind> kinds_;
  std::size_t width_ = 0;
};

}  // namespace trammel
