// All result files of a run behind one interface: open, record, flush, close.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "element/contact_incident.h"
#include "output/channels.h"
#include "output/mode_set.h"
#include "output/run_info.h"
#include "output/step_kind.h"
#include "output/stream_file.h"
#include "output/write/graphics_scene.h"
#include "output/write/results_xrf.h"
#include "output/write/table_file.h"

namespace trammel {

enum class Format { native, request, results, csv, graphics, table, contacts };

/// "nc", "req", "res", "csv", "gra", "out", "contacts" (case ignored); nullopt for anything else.
std::optional<Format> parse_format(std::string_view name);
/// ".nc", ".req", ".res", ".csv", ".gra", ".out", ".contacts.nc"
const char* extension_of(Format format);
/// Whether files of this format contain the model as input, before all records.
bool shows_input(Format format);
/// Whether files of this format contain modes of LINEAR.
bool shows_modes(Format format);
/// All names that parse_format() accepts.
std::vector<std::string> format_names();

struct OutputOptions {
  double flush_seconds = 2.0;                       ///< longest time results stay in memory
  std::size_t buffer_bytes = std::size_t{1} << 20;  ///< per file
  bool single_precision = false;                    ///< native file: values as float32
  int every = 1;  ///< native file: every n-th record of a simulation, and always the first and last
  ResultsOptions results;
  TableOptions table;
  GraphicsScene scene;  ///< for the .gra file
};

struct FileReport {
  std::string path;
  std::uint64_t bytes = 0;
};

/// Writer of one file of the set.
class ResultSink;
struct SinkTarget;

/// Keeps at most buffer_bytes and one record per file in memory. Failures: io, naming the file.
class OutputSet {
 public:
  OutputSet();
  ~OutputSet();

  /// Creates prefix + extension for each format; none for an empty list of formats.
  ///
  /// `go_on`: saved by save(). The files are continued from there, with the same formats, channels and
  /// options (except flushing), else Failure(input); bytes beyond that position are cut off. Failure(io)
  /// names a file that is missing, shorter or another one; no file has been changed then. If the saved set
  /// was not open, the files are created.
  void open(const Channels& channels, const RunInfo& info, const std::string& prefix,
            const std::vector<Format>& formats, const OutputOptions& options = {}, Archive* go_on = nullptr);
  /// A single file, created by its full name.
  void open_file(const Channels& channels, const RunInfo& info, const std::string& path, Format format,
                 const OutputOptions& options = {});
  /// values: one double per component of the channels given to open(), in their order (angles in rad).
  void record(double time, StepKind kind, std::span<const double> values,
              std::span<const ContactIncident> incidents = {});
  /// Records the model as input, before all records, in the files that contain it: .res and .gra.
  void record_input(double time, std::span<const double> values);
  /// Modes of a LINEAR, in the files that contain them: .nc, .res and .out.
  void modes(const ModeSet& set);
  /// Hands all records to the operating system: the files are complete up to here even if the process dies.
  void flush();
  /// flush(), and saves everything that another set needs to continue the files.
  void save(Archive& a);
  /// `successful`: for the termination status in the .res file.
  void close(bool successful = true);

  bool is_open() const { return open_; }
  bool has(Format format) const;
  std::uint64_t records() const { return records_; }
  /// The files and their sizes on disk, final after flush() or close().
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
  std::uint64_t identity_ = 0;  ///< hash of channels and options
  std::uint64_t records_ = 0;
  FlushClock clock_;
  bool open_ = false;
};

}  // namespace trammel
