#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "base/diagnostics.h"
#include "output/native_file.h"
#include "output/number_text.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

constexpr int layout_version = 1;

// The library keeps up to two adjacent blocks of the file and writes them in ascending order. With the
// records two blocks away from the block of the record count, the count cannot be written together with
// records, so it is always written after them: a kill never leaves records that are counted but empty.
constexpr std::size_t block_bytes = 4096;
constexpr std::size_t record_alignment = 2 * block_bytes;

/// netCDF names have no slash; other characters outside letters, digits and _ are replaced too.
std::string variable_name(const Entity& entity) {
  std::string name = entity.type + "_" + std::to_string(entity.id);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return name;
}

/// A word of a blank-separated attribute: blanks inside become _, nothing becomes `empty`.
std::string word(const std::string& text, const char* empty) {
  if (text.empty()) return empty;
  std::string out = as_utf8(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  return out;
}

int put_text(int handle, int variable, const char* name, const std::string& text) {
  const std::string utf8 = as_utf8(text);
  return nc_put_att_text(handle, variable, name, utf8.size(), utf8.data());
}

}  // namespace

NativeWriter::~NativeWriter() {
  try {
    close();
  } catch (const Failure&) {  // a destructor cannot report
  }
}

void NativeWriter::check(int status, const char* action) {
  if (status == NC_NOERR) return;
  const int handle = handle_;
  handle_ = -1;
  if (handle >= 0) nc_abort(handle);  // closes the descriptor; what was synced stays
  // Positive codes are those of the operating system.
  if (status > 0) throw Failure(ExitCode::io, io_error_text(action, path_, status));
  fail(ExitCode::io, "cannot {} {}: {}", action, path_, nc_strerror(status));
}

void NativeWriter::open(const std::string& path, const Channels& channels, const RunInfo& info,
                        NativeOptions options) {
  close();
  path_ = path;
  buffer_bytes_ = options.buffer_bytes;
  clock_ = FlushClock(options.flush_seconds);
  written_ = 0;
  variables_.clear();
  single_precision_ = options.single_precision;
  if (options.every < 1)
    fail(ExitCode::usage, "{}: every {}-th record; 1 or more is possible", path, options.every);
  every_ = options.every;
  since_kept_ = -1;
  held_ = false;
  // The library needs to seek, and removes a file that it could not set up: a device is not to be touched.
  const std::filesystem::file_status kind = std::filesystem::status(path);
  if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind) &&
      !std::filesystem::is_directory(kind))
    fail(ExitCode::io, "cannot write {}: it is not a regular file, which .nc results need", path);
  // The library reports an unwritable folder with less than the operating system knows; ask that first.
  StreamFile().open(path);
  std::size_t window = block_bytes;
  // An absolute path: the library takes names such as "http:..." for addresses.
  const std::string absolute = std::filesystem::absolute(path).string();
  int handle = -1;
  check(nc__create(absolute.c_str(), NC_CLOBBER | NC_64BIT_OFFSET, 0, &window, &handle), "create");
  handle_ = handle;
  define(channels, info);
  check(nc_sync(handle_), "write");
}

void NativeWriter::define(const Channels& channels, const RunInfo& info) {
  int previous = 0;
  check(nc_set_fill(handle_, NC_NOFILL, &previous), "define");  // every value of a record is written
  check(nc_def_dim(handle_, "time", NC_UNLIMITED, &time_dimension_), "define");
  check(nc_def_var(handle_, "time", NC_DOUBLE, 1, &time_dimension_, &time_variable_), "define");
  check(put_text(handle_, time_variable_, "units", word(time_unit(channels.units), "1")), "define");
  check(nc_def_var(handle_, "kind", NC_INT, 1, &time_dimension_, &kind_variable_), "define");
  std::vector<int> flags;
  std::string meanings;
  for (int k = 0; k <= static_cast<int>(StepKind::dynamics); ++k) {
    flags.push_back(k);
    meanings += (k > 0 ? " " : "") + std::string(to_string(static_cast<StepKind>(k)));
  }
  check(nc_put_att_int(handle_, kind_variable_, "flag_values", NC_INT, flags.size(), flags.data()), "define");
  check(put_text(handle_, kind_variable_, "flag_meanings", meanings), "define");

  std::vector<int> dimensions;  // of n components at index n, made at first use
  std::set<std::string> names;
  width_ = 0;
  for (const Entity& entity : channels.entities) {
    if (!names.insert(variable_name(entity)).second)
      fail(ExitCode::internal, "{}: {} is in the channels twice", path_, entity.name());
    define_entity(entity, channels.units, dimensions);
    width_ += entity.components.size();
  }

  const std::pair<const char*, const std::string*> texts[] = {
      {"title", &info.title},
      {"program", &info.program},
      {"version", &info.version},
      {"build", &info.build},
      {"command_line", &info.command_line},
      {"input_file", &info.input_file},
      {"integrator", &info.integrator},
      {"backend", &info.backend},
      {"host", &info.host},
      {"date", &info.local_time},
      {"unit_force", &channels.units.force},
      {"unit_mass", &channels.units.mass},
      {"unit_length", &channels.units.length},
      {"unit_time", &channels.units.time},
  };
  for (const auto& [name, text] : texts) check(put_text(handle_, NC_GLOBAL, name, *text), "define");
  check(put_text(handle_, NC_GLOBAL, "unit_angle", "rad"), "define");
  const double per_meter = channels.units.length_per_meter;
  check(nc_put_att_double(handle_, NC_GLOBAL, "length_per_meter", NC_DOUBLE, 1, &per_meter), "define");
  check(nc_put_att_int(handle_, NC_GLOBAL, "trammel_layout", NC_INT, 1, &layout_version), "define");
  check(nc__enddef(handle_, 0, 4, 0, record_alignment), "define");
}

void NativeWriter::define_entity(const Entity& entity, const UnitNames& units, std::vector<int>& dimensions) {
  const std::size_t size = entity.components.size();
  if (size == 0) fail(ExitCode::internal, "{}: {} has no components", path_, entity.name());
  if (dimensions.size() <= size) dimensions.resize(size + 1, -1);
  if (dimensions[size] < 0)
    check(nc_def_dim(handle_, fmt::format("components_{}", size).c_str(), size, &dimensions[size]), "define");
  const int shape[2] = {time_dimension_, dimensions[size]};
  int id = -1;
  check(nc_def_var(handle_, variable_name(entity).c_str(), single_precision_ ? NC_FLOAT : NC_DOUBLE, 2, shape,
                   &id),
        "define");
  variables_.push_back({id, size});

  std::string components, component_units;
  std::vector<int> quantities, slots;
  for (const Component& component : entity.components) {
    const char* blank = components.empty() ? "" : " ";
    components += blank + word(component.name, "_");
    component_units += blank + word(unit_of(component.quantity, units), "1");
    quantities.push_back(static_cast<int>(component.quantity));
    slots.push_back(component.slot);
  }
  check(put_text(handle_, id, "adams_type", entity.type), "define");
  check(nc_put_att_int(handle_, id, "adams_id", NC_INT, 1, &entity.id), "define");
  check(put_text(handle_, id, "adams_name", entity.view_name), "define");
  check(put_text(handle_, id, "components", components), "define");
  check(put_text(handle_, id, "units", component_units), "define");
  check(nc_put_att_int(handle_, id, "quantities", NC_INT, size, quantities.data()), "define");
  if (entity.request_type == 0) return;
  check(nc_put_att_int(handle_, id, "request_type", NC_INT, 1, &entity.request_type), "define");
  check(nc_put_att_int(handle_, id, "marker_i", NC_INT, 1, &entity.marker_i), "define");
  check(nc_put_att_int(handle_, id, "marker_j", NC_INT, 1, &entity.marker_j), "define");
  check(nc_put_att_int(handle_, id, "slots", NC_INT, size, slots.data()), "define");
  check(put_text(handle_, id, "comment", entity.comment), "define");
}

void NativeWriter::record(double time, StepKind kind, std::span<const double> values) {
  if (values.size() != width_)
    fail(ExitCode::internal, "{}: a record has {} values, the channels {}", path_, values.size(), width_);
  // A simulation begins with another kind of record, or with the time at which the one before has ended.
  const bool begins = since_kept_ < 0 || kind != last_kind_ || time <= last_time_;
  if (begins) keep_held();
  last_time_ = time;
  last_kind_ = kind;
  if (begins || ++since_kept_ >= every_) {
    since_kept_ = 0;
    held_ = false;
    keep(time, kind, values);
  } else {
    held_ = true;
    held_values_.assign(values.begin(), values.end());
  }
  if (values_.size() * sizeof(double) >= buffer_bytes_ || clock_.due()) flush();
}

void NativeWriter::keep(double time, StepKind kind, std::span<const double> values) {
  times_.push_back(time);
  kinds_.push_back(static_cast<int>(kind));
  values_.insert(values_.end(), values.begin(), values.end());
}

void NativeWriter::keep_held() {
  if (held_) keep(last_time_, last_kind_, held_values_);
  held_ = false;
}

namespace {

/// To single precision; what it cannot hold becomes infinite, as in arithmetic.
float to_float(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  if (std::abs(value) <= largest || !std::isfinite(value)) return static_cast<float>(value);
  return value > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
}

}  // namespace

void NativeWriter::write_record(std::size_t record, double time, int kind, const double* values) {
  check(nc_put_var1_double(handle_, time_variable_, &record, &time), "write");
  check(nc_put_var1_int(handle_, kind_variable_, &record, &kind), "write");
  for (const Variable& variable : variables_) {
    const std::size_t start[2] = {record, 0}, count[2] = {1, variable.size};
    if (single_precision_) {
      floats_.resize(variable.size);
      std::transform(values, values + variable.size, floats_.begin(), to_float);
      check(nc_put_vara_float(handle_, variable.id, start, count, floats_.data()), "write");
    } else {
      check(nc_put_vara_double(handle_, variable.id, start, count, values), "write");
    }
    values += variable.size;
  }
}

void NativeWriter::flush() {
  if (handle_ < 0) return;
  clock_.reset();
  if (times_.empty()) return;
  // Record by record: that is the order in the file.
  for (std::size_t k = 0; k < times_.size(); ++k)
    write_record(written_ + k, times_[k], kinds_[k], values_.data() + k * width_);
  check(nc_sync(handle_), "write");  // data first, then the number of records
  written_ += times_.size();
  times_.clear();
  kinds_.clear();
  values_.clear();
}

void NativeWriter::close() {
  if (handle_ < 0) return;
  keep_held();
  flush();
  const int handle = handle_;
  const int status = nc_close(handle);
  handle_ = -1;
  check(status, "close");
}

}  // namespace trammel
