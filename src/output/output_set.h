// All result files of a run behind one interface: open, record, flush, close.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/native_file.h"
#include "output/request_file.h"
#include "output/results_xrf.h"

namespace trammel {

enum class Format { native, request, results };

/// "nc", "req", "res" (case ignored); nullopt for anything else.
std::optional<Format> parse_format(std::string_view name);
/// ".nc", ".req", ".res"
const char* extension_of(Format format);

struct OutputOptions {
  double flush_seconds = 2.0;                       ///< longest time results are held back
  std::size_t buffer_bytes = std::size_t{1} << 20;  ///< per file
  ResultsOptions results;
};

struct FileReport {
  std::string path;
  std::uint64_t bytes = 0;
};

/// Holds at most buffer_bytes and one record per file. Failures: io, naming the file.
class OutputSet {
 public:
  /// Creates prefix + extension for each format. An empty list of formats is allowed: nothing is written.
  void open(const Channels& channels, const RunInfo& info, const std::string& prefix,
            const std::vector<Format>& formats, const OutputOptions& options = {});
  /// values: one double per component of the channels given to open(), in their order (angles rad).
  void record(double time, StepKind kind, std::span<const double> values);
  /// Everything recorded so far is in the files, which are readable, even if the process dies.
  void flush();
  /// `successful`: what the termination status of the .res file says.
  void close(bool successful = true);

  bool is_open() const { return open_; }
  std::uint64_t records() const { return records_; }
  /// The files and their sizes on disk; call after flush() or close() for final sizes.
  std::vector<FileReport> files() const;

 private:
  std::optional<NativeWriter> native_;
  std::optional<RequestFile> request_;
  std::optional<ResultsFile> results_;
  std::vector<std::string> paths_;
  std::size_t width_ = 0;
  std::uint64_t records_ = 0;
  FlushClock clock_;
  bool open_ = false;
};

}  // namespace trammel
