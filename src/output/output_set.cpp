#include "output/output_set.h"

#include <algorithm>
#include <exception>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/write/csv_file.h"
#include "output/write/graphics_file.h"
#include "output/write/native_file.h"
#include "output/write/request_file.h"

namespace trammel {

class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void record(double time, StepKind kind, std::span<const double> values) = 0;
  virtual void flush() = 0;
  virtual void close(bool successful) = 0;
};

namespace {

/// Where a file comes from and goes to.
struct Target {
  const std::string& path;
  const Channels& channels;
  const RunInfo& info;
  const OutputOptions& options;
};

void open_writer(NativeWriter& w, const Target& t) {
  NativeOptions options;
  options.buffer_bytes = t.options.buffer_bytes;
  options.flush_seconds = t.options.flush_seconds;
  options.single_precision = t.options.single_precision;
  options.every = t.options.every;
  w.open(t.path, t.channels, t.info, options);
}
void open_writer(RequestFile& w, const Target& t) {
  w.open(t.path, t.channels, t.info);
}
void open_writer(ResultsFile& w, const Target& t) {
  w.open(t.path, t.channels, t.info, t.options.results);
}
void open_writer(CsvFile& w, const Target& t) {
  w.open(t.path, t.channels);
}
void open_writer(GraphicsFile& w, const Target& t) {
  w.open(t.path, t.channels, t.info, t.options.scene);
}
void open_writer(TableFile& w, const Target& t) {
  w.open(t.path, t.channels, t.info, t.options.table);
}

/// Writers with kinds of records take records of all kinds; the others take output steps only, and the state
/// as the dataset gives it is no output step.
template <class Writer>
class SinkOf final : public ResultSink {
 public:
  explicit SinkOf(const Target& target) { open_writer(writer_, target); }
  void record(double time, StepKind kind, std::span<const double> values) override {
    if constexpr (requires { writer_.record(time, kind, values); })
      writer_.record(time, kind, values);
    else if (kind != StepKind::model_input)
      writer_.record(time, values);
  }
  void flush() override { writer_.flush(); }
  void close(bool successful) override {
    if constexpr (requires { writer_.close(successful); })
      writer_.close(successful);
    else
      writer_.close();
  }

 private:
  Writer writer_;
};

template <class Writer>
std::unique_ptr<ResultSink> make_sink(const Target& target) {
  return std::make_unique<SinkOf<Writer>>(target);
}

struct FormatEntry {
  Format format;
  const char* name;
  const char* extension;
  std::unique_ptr<ResultSink> (*make)(const Target& target);
  bool shows_input = false;
};

constexpr FormatEntry format_entries[] = {
    {Format::native, "nc", ".nc", make_sink<NativeWriter>},
    {Format::request, "req", ".req", make_sink<RequestFile>},
    {Format::results, "res", ".res", make_sink<ResultsFile>, true},
    {Format::csv, "csv", ".csv", make_sink<CsvFile>},
    {Format::graphics, "gra", ".gra", make_sink<GraphicsFile>, true},
    {Format::table, "out", ".out", make_sink<TableFile>},
};

const FormatEntry& entry_of(Format format) {
  return *std::find_if(std::begin(format_entries), std::end(format_entries),
                       [format](const FormatEntry& entry) { return entry.format == format; });
}

}  // namespace

std::optional<Format> parse_format(std::string_view name) {
  for (const FormatEntry& entry : format_entries)
    if (equal_ignoring_case(entry.name, name)) return entry.format;
  return std::nullopt;
}

const char* extension_of(Format format) {
  return entry_of(format).extension;
}

bool shows_input(Format format) {
  return entry_of(format).shows_input;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const FormatEntry& entry : format_entries) out.push_back(entry.name);
  return out;
}

OutputSet::OutputSet() = default;
OutputSet::~OutputSet() = default;

void OutputSet::begin(const Channels& channels, const OutputOptions& options) {
  close();
  sinks_.clear();
  paths_.clear();
  formats_.clear();
  records_ = 0;
  width_ = static_cast<std::size_t>(channels.size());
  clock_ = FlushClock(options.flush_seconds);
}

void OutputSet::open(const Channels& channels, const RunInfo& info, const std::string& prefix,
                     const std::vector<Format>& formats, const OutputOptions& options) {
  begin(channels, options);
  for (auto format = formats.begin(); format != formats.end(); ++format) {
    if (std::find(formats.begin(), format, *format) != format) continue;  // asked for twice
    const FormatEntry& entry = entry_of(*format);
    const std::string path = prefix + entry.extension;
    sinks_.push_back(entry.make({path, channels, info, options}));
    paths_.push_back(path);
    formats_.push_back(*format);
  }
  open_ = true;
}

void OutputSet::open_file(const Channels& channels, const RunInfo& info, const std::string& path,
                          Format format, const OutputOptions& options) {
  begin(channels, options);
  sinks_.push_back(entry_of(format).make({path, channels, info, options}));
  paths_.push_back(path);
  formats_.push_back(format);
  open_ = true;
}

void OutputSet::record(double time, StepKind kind, std::span<const double> values) {
  if (!open_) fail(ExitCode::internal, "a result was recorded before the result files were opened");
  if (values.size() != width_)
    fail(ExitCode::internal, "a record has {} values, the channels {}", values.size(), width_);
  ++records_;
  for (const auto& sink : sinks_) sink->record(time, kind, values);
  if (clock_.due()) flush();
}

void OutputSet::record_input(double time, std::span<const double> values) {
  for (std::size_t k = 0; k < sinks_.size(); ++k)
    if (trammel::shows_input(formats_[k])) sinks_[k]->record(time, StepKind::model_input, values);
}

void OutputSet::flush() {
  clock_.reset();
  for (const auto& sink : sinks_) sink->flush();
}

void OutputSet::close(bool successful) {
  if (!open_) return;
  open_ = false;
  std::exception_ptr first;
  for (const auto& sink : sinks_) {  // one full disk does not leave the other files unfinished
    try {
      sink->close(successful);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

std::vector<FileReport> OutputSet::files() const {
  std::vector<FileReport> out;
  for (const std::string& path : paths_) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    out.push_back({path, error ? 0 : static_cast<std::uint64_t>(size)});
  }
  return out;
}

}  // namespace trammel
