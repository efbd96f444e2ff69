#include "output/output_set.h"

#include <algorithm>
#include <concepts>
#include <exception>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/write/contacts_file.h"
#include "output/write/csv_file.h"
#include "output/write/graphics_file.h"
#include "output/write/native_file.h"
#include "output/write/request_file.h"

namespace trammel {

class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void record(double time, StepKind kind, std::span<const double> values,
                      std::span<const ContactIncident> incidents) = 0;
  virtual void modes(const ModeSet& set) = 0;
  virtual void flush() = 0;
  virtual FilePosition position() = 0;
  virtual void archive(Archive& a) = 0;
  virtual void close(bool successful) = 0;
};

/// Arguments for opening a file.
struct SinkTarget {
  const std::string& path;
  const Channels& channels;
  const RunInfo& info;
  const OutputOptions& options;
  const FilePosition* position = nullptr;  ///< position at which the file is continued
};

namespace {

template <class Writer>
requires std::same_as<Writer, NativeWriter> || std::same_as<Writer, ContactsFile>
void open_writer(Writer& w, const SinkTarget& t) {
  NativeOptions options;
  options.buffer_bytes = t.options.buffer_bytes;
  options.flush_seconds = t.options.flush_seconds;
  options.single_precision = t.options.single_precision;
  options.every = t.options.every;
  w.open(t.path, t.channels, t.info, options, t.position);
}
void open_writer(RequestFile& w, const SinkTarget& t) {
  w.open(t.path, t.channels, t.info, t.position);
}
void open_writer(ResultsFile& w, const SinkTarget& t) {
  w.open(t.path, t.channels, t.info, t.options.results, t.position);
}
void open_writer(CsvFile& w, const SinkTarget& t) {
  w.open(t.path, t.channels, t.position);
}
void open_writer(GraphicsFile& w, const SinkTarget& t) {
  w.open(t.path, t.channels, t.info, t.options.scene, t.position);
}
void open_writer(TableFile& w, const SinkTarget& t) {
  w.open(t.path, t.channels, t.info, t.options.table, t.position);
}

/// Writers whose format has kinds of records receive all records; the others output steps only, without the
/// model as input.
template <class Writer>
class SinkOf final : public ResultSink {
 public:
  explicit SinkOf(const SinkTarget& target) { open_writer(writer_, target); }
  void record(double time, StepKind kind, std::span<const double> values,
              std::span<const ContactIncident> incidents) override {
    if constexpr (requires { writer_.record(time, kind, incidents); })
      writer_.record(time, kind, incidents);
    else if constexpr (requires { writer_.record(time, kind, values); })
      writer_.record(time, kind, values);
    else if (kind != StepKind::model_input)
      writer_.record(time, values);
  }
  void modes(const ModeSet& set) override {
    if constexpr (requires { writer_.modes(set); }) writer_.modes(set);
  }
  void flush() override { writer_.flush(); }
  FilePosition position() override { return writer_.position(); }
  void archive(Archive& a) override {
    if constexpr (requires { writer_.archive(a); }) writer_.archive(a);
  }
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
std::unique_ptr<ResultSink> make_sink(const SinkTarget& target) {
  return std::make_unique<SinkOf<Writer>>(target);
}

struct FormatEntry {
  Format format;
  const char* name;
  const char* extension;
  std::unique_ptr<ResultSink> (*make)(const SinkTarget& target);
  bool shows_input = false;
  bool shows_modes = false;
};

constexpr FormatEntry format_entries[] = {
    {Format::native, "nc", ".nc", make_sink<NativeWriter>, false, true},
    {Format::request, "req", ".req", make_sink<RequestFile>},
    {Format::results, "res", ".res", make_sink<ResultsFile>, true, true},
    {Format::csv, "csv", ".csv", make_sink<CsvFile>},
    {Format::graphics, "gra", ".gra", make_sink<GraphicsFile>, true},
    {Format::table, "out", ".out", make_sink<TableFile>, false, true},
    {Format::contacts, "contacts", ".contacts.nc", make_sink<ContactsFile>},
};

const FormatEntry& entry_of(Format format) {
  return *std::find_if(std::begin(format_entries), std::end(format_entries),
                       [format](const FormatEntry& entry) { return entry.format == format; });
}

/// FNV-1a hash of several texts.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

/// Hash that differs (with near certainty) if a record would have other values or another layout.
std::uint64_t identity_of(const Channels& channels, OutputOptions options) {
  Digest digest;
  const auto add = [&digest](auto&... members) {
    Archive a;
    a(members...);
    digest.add(a.bytes());
  };
  UnitNames units = channels.units;
  add(units, options.single_precision, options.every, options.results, options.table);
  Components last;
  for (Entity entity : channels.entities) {
    bool same = entity.components == last;  // a list is added where it differs from the one before
    last = entity.components;
    if (same) entity.components.clear();
    add(same, entity);
  }
  return digest.value();
}

std::vector<Format> each_once(const std::vector<Format>& formats) {
  std::vector<Format> out;
  for (const Format format : formats)
    if (std::find(out.begin(), out.end(), format) == out.end()) out.push_back(format);
  return out;
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

bool OutputSet::has(Format format) const {
  return std::find(formats_.begin(), formats_.end(), format) != formats_.end();
}

bool shows_input(Format format) {
  return entry_of(format).shows_input;
}

bool shows_modes(Format format) {
  return entry_of(format).shows_modes;
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
  identity_ = identity_of(channels, options);
  clock_ = FlushClock(options.flush_seconds);
}

void OutputSet::make(const SinkTarget& target, Format format) {
  sinks_.push_back(entry_of(format).make(target));
  paths_.push_back(target.path);
  formats_.push_back(format);
}

void OutputSet::open(const Channels& channels, const RunInfo& info, const std::string& prefix,
                     const std::vector<Format>& formats, const OutputOptions& options, Archive* go_on) {
  begin(channels, options);
  const std::vector<Format> wanted = each_once(formats);
  bool was_open = false;
  if (go_on) {
    go_on->section("results");
    (*go_on)(was_open);
  }
  if (was_open)
    go_on_from(*go_on, channels, info, prefix, wanted, options);
  else
    for (const Format format : wanted) make({prefix + extension_of(format), channels, info, options}, format);
  open_ = true;
}

void OutputSet::go_on_from(Archive& saved, const Channels& channels, const RunInfo& info,
                           const std::string& prefix, const std::vector<Format>& formats,
                           const OutputOptions& options) {
  std::vector<Format> saved_formats;
  std::uint64_t identity = 0;
  std::vector<FilePosition> positions;
  saved(saved_formats, identity, positions, records_);
  if (formats != saved_formats || positions.size() != formats.size())
    fail(ExitCode::input, "{}.*: the run was begun with other formats of results", prefix);
  if (identity != identity_)
    fail(ExitCode::input,
         "{}.*: the run was begun with other channels, or other options of its results (--single, --every, "
         "RESULTS, OUTPUT)",
         prefix);
  for (std::size_t k = 0; k < formats.size(); ++k)  // check all before one is cut
    check_position(prefix + extension_of(formats[k]), positions[k]);
  for (std::size_t k = 0; k < formats.size(); ++k) {
    make({prefix + extension_of(formats[k]), channels, info, options, &positions[k]}, formats[k]);
    sinks_.back()->archive(saved);
    sinks_.back()->flush();  // the text after the contents, such as closing tags
  }
}

void OutputSet::save(Archive& a) {
  a.section("results");
  a(open_);
  if (!open_) return;
  clock_.reset();
  std::vector<FilePosition> positions;
  for (const auto& sink : sinks_) positions.push_back(sink->position());
  a(formats_, identity_, positions, records_);
  for (const auto& sink : sinks_) sink->archive(a);
}

void OutputSet::open_file(const Channels& channels, const RunInfo& info, const std::string& path,
                          Format format, const OutputOptions& options) {
  begin(channels, options);
  make({path, channels, info, options}, format);
  open_ = true;
}

void OutputSet::record(double time, StepKind kind, std::span<const double> values,
                       std::span<const ContactIncident> incidents) {
  if (!open_) fail(ExitCode::internal, "a result was recorded before the result files were opened");
  if (values.size() != width_)
    fail(ExitCode::internal, "a record has {} values, the channels {}", values.size(), width_);
  ++records_;
  for (const auto& sink : sinks_) sink->record(time, kind, values, incidents);
  if (clock_.due()) flush();
}

void OutputSet::record_input(double time, std::span<const double> values) {
  for (std::size_t k = 0; k < sinks_.size(); ++k)
    if (trammel::shows_input(formats_[k])) sinks_[k]->record(time, StepKind::model_input, values, {});
}

void OutputSet::modes(const ModeSet& set) {
  if (!open_) fail(ExitCode::internal, "modes were given before the result files were opened");
  for (const auto& sink : sinks_) sink->modes(set);
}

void OutputSet::flush() {
  clock_.reset();
  for (const auto& sink : sinks_) sink->flush();
}

void OutputSet::close(bool successful) {
  if (!open_) return;
  open_ = false;
  std::exception_ptr first;
  for (const auto& sink : sinks_) {  // one full disk must not leave the other files unfinished
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
