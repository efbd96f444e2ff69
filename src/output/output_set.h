// All result files of a run behind one interface: open, record, flush, close.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"
#include "output/run_info.h"
#include "output/step_kind.h"
#include "output/stream_file.h"
#include "output/write/graphics_scene.h"
#include "output/write/results_xrf.h"
#include "output/write/table_file.h"

namespace trammel {

enum class Format { native, request, results, csv, graphics, table };

/// "nc", "req", "res", "csv", "gra", "out" (case ignored); nullopt for anything else.
std::optional<Format> parse_format(std::string_view name);
/// ".nc", ".req", ".res", ".csv", ".gra", ".out"
const char* extension_of(Format format);
/// Whether a run writes the state as the dataset gives it there, before all records.
bool shows_input(Format format);
/// "nc", "req" ...: all that parse_format() takes.
std::vector<std::string> format_names();

struct OutputOptions {
  double flush_seconds = 2.0;                       ///< longest time results are held back
  std::size_t buffer_bytes = std::size_t{1} << 20;  ///< per file
  bool single_precision = false;                    ///< native file: values as float32
  int every = 1;  ///< native file: of the records of a simulation every n-th, the first and the last always
  ResultsOptions results;
  TableOptions table;
  GraphicsScene scene;  ///< of the .gra file
};

struct FileReport {
  std::string path;
  std::uint64_t bytes = 0;
};

/// One file of a set.
class ResultSink;
struct SinkTarget;

/// Holds at most buffer_bytes and one record per file. Failures: io, naming the file.
class OutputSet {
 public:
  OutputSet();
  ~OutputSet();

  /// Creates prefix + extension for each format. An empty list of formats is allowed: nothing is written.
  ///
  /// `go_on`: what save() saved. The files go on from there, with the same formats, channels and options (but
  /// for flushing), else Failure(input); what they have behind that place is cut off. A file that is missing,
  /// shorter or another one is Failure(io) that names it, and then none has been changed. Where the set was
  /// not open when it was saved, its files are created.
  void open(const Channels& channels, const RunInfo& info, const std::string& prefix,
            const std::vector<Format>& formats, const OutputOptions& options = {}, Archive* go_on = nullptr);
  /// One file alone, created by its whole name.
  void open_file(const Channels& channels, const RunInfo& info, const std::string& path, Format format,
                 const OutputOptions& options = {});
  /// values: one double per component of the channels given to open(), in their order (angles rad).
  void record(double time, StepKind kind, std::span<const double> values);
  /// The state as the dataset gives it, before all records: to the files that show it, .res and .gra.
  void record_input(double time, std::span<const double> values);
  /// Everything recorded so far is in the files, which are readable, even if the process dies.
  void flush();
  /// flush(), and all that another set needs to go on from here.
  void save(Archive& a);
  /// `successful`: what the termination status of the .res file says.
  void close(bool successful = true);

  bool is_open() const { return open_; }
  std::uint64_t records() const { return records_; }
  /// The files and their sizes on disk; call after flush() or close() for final sizes.
  std::vector<FileReport> files() const;

 private:
  void begin(const Channels& channels, const OutputOptions& options);
  void make(const SinkTarget& target, Format format);
  void go_on_from(Archive& saved, const Channels& channels, const RunInfo& info, const std::string& prefix,
                  const std::vector<Format>& formats, const OutputOptions& options);

  std::vector<std::unique_ptr<ResultSink>> sinks_;
  std::vector<std::string> paths_;
  std::vector<Format> formats_;
  std::size_t width_ = 0;
  std::uint64_t identity_ = 0;  ///< of channels and options
  std::uint64_t records_ = 0;
  FlushClock clock_;
  bool open_ = false;
};

}  // namespace trammel
