#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/netcdf_library.h"
#include "output/read/native_modes.h"
#include "output/write/classic_layout.h"
#include "output/write/native_file.h"

namespace trammel {

NativeReader::NativeReader(const std::string& path) : path_(path) {
  // Before the library, whose messages on damaged headers are less precise.
  const std::optional<ClassicLayout> layout = read_classic_layout(path);
  const int status = layout ? netcdf().nc_open(name_of_file(path).c_str(), NC_NOWRITE, &handle_) : NC_ENOTNC;
  if (status == NC_ENOTNC)
    fail(ExitCode::input,
         "{}: not a netCDF file of the classic kind; plot and compare read the .nc files of a run", path);
  check(status, "read");
  try {
    read_description();
    leave_out_missing_records(*layout);
  } catch (...) {
    netcdf().nc_close(handle_);
    throw;
  }
}

NativeReader::~NativeReader() {
  netcdf().nc_close(handle_);
}

void NativeReader::check(int status, const char* action) const {
  if (status == NC_NOERR) return;
  if (status > 0) throw Failure(ExitCode::io, io_error_text(action, path_, status));
  fail(ExitCode::io, "cannot {} {}: {}", action, path_, netcdf().nc_strerror(status));
}

std::string NativeReader::text_attribute(int variable, const char* name) const {
  std::size_t length = 0;
  nc_type type = NC_NAT;
  if (netcdf().nc_inq_att(handle_, variable, name, &type, &length) != NC_NOERR || type != NC_CHAR) return "";
  std::string text(length, '\0');
  check(netcdf().nc_get_att_text(handle_, variable, name, text.data()), "read");
  return text;
}

int NativeReader::integer_attribute(int variable, const char* name) const {
  std::size_t length = 0;
  nc_type type = NC_NAT;
  if (netcdf().nc_inq_att(handle_, variable, name, &type, &length) != NC_NOERR || length != 1) return 0;
  int value = 0;
  check(netcdf().nc_get_att_int(handle_, variable, name, &value), "read");
  return value;
}

void NativeReader::read_description() {
  int unlimited = -1, variables = 0;
  if (integer_attribute(NC_GLOBAL, "trammel_layout") < 1 ||
      netcdf().nc_inq_varid(handle_, "time", &time_variable_) != NC_NOERR ||
      netcdf().nc_inq_varid(handle_, "kind", &kind_variable_) != NC_NOERR)
    fail(ExitCode::input, "{}: a netCDF file, but not a result file of this program", path_);
  check(netcdf().nc_inq_unlimdim(handle_, &unlimited), "read");
  for (const int variable : {time_variable_, kind_variable_}) {
    int rank = 0, dimension = -1;
    check(netcdf().nc_inq_varndims(handle_, variable, &rank), "read");
    if (rank == 1) check(netcdf().nc_inq_vardimid(handle_, variable, &dimension), "read");
    if (rank != 1 || unlimited < 0 || dimension != unlimited)
      fail(ExitCode::input, "{}: time and kind must have one value per record", path_);
  }
  check(netcdf().nc_inq_dimlen(handle_, unlimited, &records_), "read");
  check(netcdf().nc_inq_nvars(handle_, &variables), "read");
  for (int variable = 0; variable < variables; ++variable) {
    if (variable == time_variable_ || variable == kind_variable_) continue;
    if (integer_attribute(variable, "linear") > 0) continue;  // modes
    channels_.entities.push_back(read_entity(variable));
    variables_.push_back(variable);
  }
  const std::pair<const char*, std::string*> texts[] = {
      {"title", &info_.title},
      {"program", &info_.program},
      {"version", &info_.version},
      {"build", &info_.build},
      {"command_line", &info_.command_line},
      {"input_file", &info_.input_file},
      {"integrator", &info_.integrator},
      {"backend", &info_.backend},
      {"host", &info_.host},
      {"date", &info_.local_time},
      {"unit_force", &channels_.units.force},
      {"unit_mass", &channels_.units.mass},
      {"unit_length", &channels_.units.length},
      {"unit_time", &channels_.units.time},
  };
  for (const auto& [name, text] : texts) *text = text_attribute(NC_GLOBAL, name);
  if (netcdf().nc_get_att_double(handle_, NC_GLOBAL, "length_per_meter", &channels_.units.length_per_meter) !=
      NC_NOERR)
    channels_.units.length_per_meter = 1.0;
}

Entity NativeReader::read_entity(int variable) const {
  Entity entity;
  entity.type = text_attribute(variable, "adams_type");
  entity.id = integer_attribute(variable, "adams_id");
  entity.view_name = text_attribute(variable, "adams_name");
  entity.request_type = integer_attribute(variable, "request_type");
  entity.marker_i = integer_attribute(variable, "marker_i");
  entity.marker_j = integer_attribute(variable, "marker_j");
  entity.comment = text_attribute(variable, "comment");
  int dimensions[2] = {-1, -1}, rank = 0;
  std::size_t size = 0;
  check(netcdf().nc_inq_varndims(handle_, variable, &rank), "read");
  if (rank != 2 || entity.type.empty())
    fail(ExitCode::input, "{}: variable {} is no entity", path_, variable);
  check(netcdf().nc_inq_vardimid(handle_, variable, dimensions), "read");
  check(netcdf().nc_inq_dimlen(handle_, dimensions[1], &size), "read");
  const std::string names = text_attribute(variable, "components");
  const std::vector<std::string_view> words = split(names, ' ');
  if (words.size() != size)
    fail(ExitCode::input, "{}: {} has {} values and {} component names", path_, entity.name(), size,
         words.size());
  const auto integers = [&](const char* name) {
    std::vector<int> list(size, 0);
    std::size_t length = 0;
    if (netcdf().nc_inq_attlen(handle_, variable, name, &length) == NC_NOERR && length == size)
      check(netcdf().nc_get_att_int(handle_, variable, name, list.data()), "read");
    return list;
  };
  const std::vector<int> quantities = integers("quantities"), slots = integers("slots");
  for (std::size_t k = 0; k < size; ++k) {
    const int quantity = std::clamp(quantities[k], 0, static_cast<int>(Quantity::torque));
    entity.components.push_back({std::string(words[k]), static_cast<Quantity>(quantity), slots[k]});
  }
  return entity;
}

/// Drops the records beyond the end of the file, for which the library returns zeros.
void NativeReader::leave_out_missing_records(const ClassicLayout& layout) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path_, error);
  if (error || layout.record_bytes == 0) return;
  const std::uintmax_t whole =
      size > layout.first_record ? (size - layout.first_record) / layout.record_bytes : 0;
  if (whole >= records_) return;
  notices_.push_back(
      fmt::format("{}: the file ends early (byte {}): {} of {} records are in it, the others are left out",
                  path_, size, whole, records_));
  records_ = static_cast<std::size_t>(whole);
}

std::vector<ModeSet> NativeReader::modes() const {
  return read_native_modes(path_);
}

std::vector<double> NativeReader::time() const {
  std::vector<double> out(records_);
  const std::size_t start = 0;
  if (records_ > 0)
    check(netcdf().nc_get_vara_double(handle_, time_variable_, &start, &records_, out.data()), "read");
  return out;
}

std::vector<StepKind> NativeReader::kinds() const {
  std::vector<int> numbers(records_);
  const std::size_t start = 0;
  if (records_ > 0)
    check(netcdf().nc_get_vara_int(handle_, kind_variable_, &start, &records_, numbers.data()), "read");
  std::vector<StepKind> out;
  for (const int number : numbers)
    out.push_back(number < 0 || number > static_cast<int>(StepKind::dynamics)
                      ? StepKind::dynamics
                      : static_cast<StepKind>(number));
  return out;
}

std::vector<double> NativeReader::read(const ChannelRef& channel) const {
  if (channel.entity < 0) return time();
  std::vector<double> out(records_);
  const std::size_t start[2] = {0, static_cast<std::size_t>(channel.component)}, count[2] = {records_, 1};
  if (records_ > 0)
    check(netcdf().nc_get_vara_double(handle_, variables_[static_cast<std::size_t>(channel.entity)], start,
                                      count, out.data()),
          "read");
  return out;
}

std::vector<double> NativeReader::record(std::size_t index) const {
  std::vector<double> out(static_cast<std::size_t>(channels_.size()));
  read_record(index, out);
  return out;
}

void NativeReader::read_record(std::size_t index, std::span<double> out) const {
  if (index >= records_) fail(ExitCode::usage, "{}: record {} of {}", path_, index, records_);
  std::size_t at = 0;
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    const std::size_t size = channels_.entities[k].components.size();
    const std::size_t start[2] = {index, 0}, count[2] = {1, size};
    check(netcdf().nc_get_vara_double(handle_, variables_[k], start, count, out.data() + at), "read");
    at += size;
  }
}

}  // namespace trammel
