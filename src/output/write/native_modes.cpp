#include "output/write/native_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/diagnostics.h"
#include "output/io_error.h"
#include "output/netcdf_library.h"
#include "output/number_text.h"
#include "output/write/classic_layout.h"
#include "output/write/native_head.h"

namespace trammel {
namespace {

/// An open netCDF file, closed at the end of its scope.
class ModeFile {
 public:
  ModeFile(const std::string& path, const std::string& shown) : shown_(shown) {
    check(netcdf().nc_open(name_of_file(path).c_str(), NC_WRITE, &handle_));
    int previous = 0;
    check(netcdf().nc_set_fill(handle_, NC_NOFILL, &previous));  // every value is written
    check(netcdf().nc_redef(handle_));
  }
  ~ModeFile() {
    if (handle_ >= 0) netcdf().nc_abort(handle_);
  }
  ModeFile(const ModeFile&) = delete;
  ModeFile& operator=(const ModeFile&) = delete;

  int dimension(const std::string& name, std::size_t length) {
    int id = -1;
    if (netcdf().nc_inq_dimid(handle_, name.c_str(), &id) != NC_NOERR)
      check(netcdf().nc_def_dim(handle_, name.c_str(), length, &id));
    return id;
  }
  int variable(const std::string& name, nc_type type, const std::vector<int>& dimensions) {
    int id = -1;
    check(netcdf().nc_def_var(handle_, name.c_str(), type, static_cast<int>(dimensions.size()),
                              dimensions.data(), &id));
    return id;
  }
  void integer(int variable, const char* name, int value) {
    check(netcdf().nc_put_att_int(handle_, variable, name, NC_INT, 1, &value));
  }
  void number(int variable, const char* name, double value) {
    check(netcdf().nc_put_att_double(handle_, variable, name, NC_DOUBLE, 1, &value));
  }
  void text(int variable, const char* name, std::string_view value) {
    check(netcdf().nc_put_att_text(handle_, variable, name, value.size(), value.data()));
  }
  void end_definitions() { check(netcdf().nc__enddef(handle_, 0, 4, 0, native_record_alignment)); }
  void put(int variable, const std::vector<double>& values) {
    if (variable >= 0) check(netcdf().nc_put_var_double(handle_, variable, values.data()));
  }
  void put(int variable, int value) { check(netcdf().nc_put_var_int(handle_, variable, &value)); }
  void close() {
    const int handle = std::exchange(handle_, -1);
    check(netcdf().nc_close(handle));
  }

 private:
  void check(int status) const {
    if (status == NC_NOERR) return;
    if (status > 0) throw Failure(ExitCode::io, io_error_text("write modes to", shown_, status));
    fail(ExitCode::io, "cannot write modes to {}: {}", shown_, netcdf().nc_strerror(status));
  }
  std::string shown_;
  int handle_ = -1;
};

/// The arrays of a LINEAR, in the order in which they are defined.
struct ModeVariables {
  int number = -1, eigenvalue = -1, damping_ratio = -1, shape = -1, position = -1, axes = -1;
};

ModeVariables define(ModeFile& file, const ModeSet& set) {
  const std::string name = fmt::format("LINEAR_{}", set.number);
  ModeVariables out;
  const auto variable = [&](const char* what, const std::vector<int>& dimensions) {
    const int id = file.variable(name + what, NC_DOUBLE, dimensions);
    file.integer(id, "linear", set.number);
    return id;
  };
  out.number = file.variable(name, NC_INT, {});
  file.integer(out.number, "linear", set.number);
  file.number(out.number, "time", set.time);
  file.integer(out.number, "states", set.states);
  if (set.has_shapes())
    file.text(out.number, "parts", as_utf8(fmt::format("{}", fmt::join(set.parts, "\n"))));
  int parts = -1;
  if (set.has_shapes()) {
    parts = file.dimension(fmt::format("parts_{}", set.number), set.parts.size());
    const int three = file.dimension("x_y_z", 3);
    out.position = variable("_part_position", {parts, three});
    out.axes = variable("_part_axes", {parts, three, file.dimension("axis", 3)});
  }
  if (set.modes() == 0) return out;  // a dimension of length zero would be that of the records
  const int modes = file.dimension(fmt::format("modes_{}", set.number), set.modes()),
            complex = file.dimension("real_imaginary", 2);
  out.eigenvalue = variable("_eigenvalue", {modes, complex});
  out.damping_ratio = variable("_damping_ratio", {modes});
  if (parts >= 0)
    out.shape = variable("_shape", {modes, parts, file.dimension("X_Y_Z_RX_RY_RZ", 6), complex});
  return out;
}

void write(const std::string& path, const std::string& shown, std::span<const ModeSet> sets) {
  ModeFile file(path, shown);
  std::vector<ModeVariables> variables;
  for (const ModeSet& set : sets) variables.push_back(define(file, set));
  file.end_definitions();
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const ModeSet& set = sets[k];
    const ModeVariables& v = variables[k];
    file.put(v.number, static_cast<int>(set.modes()));
    file.put(v.eigenvalue, set.eigenvalue);
    file.put(v.damping_ratio, set.damping_ratio);
    file.put(v.shape, set.shape);
    file.put(v.position, set.position);
    file.put(v.axes, set.axes);
  }
  file.close();
}

}  // namespace

void add_modes_to_native(const std::string& path, std::span<const ModeSet> sets) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path file = fs::canonical(path, error);  // what a link leads to is replaced, not the link
  if (error) throw Failure(ExitCode::io, io_error_text("read", path, error.value()));
  const std::string copy = file.string() + ".modes";
  try {
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing, error);
    if (error) throw Failure(ExitCode::io, io_error_text("write modes to", path, error.value()));
    write(copy, path, sets);
    // Without records the library leaves out the room before the first one: a shorter file is a cut one.
    const std::uint64_t first = read_classic_layout(copy).value().first_record;
    if (fs::file_size(copy) < first) fs::resize_file(copy, first, error);
    if (!error) fs::rename(copy, file, error);
    if (error) throw Failure(ExitCode::io, io_error_text("write modes to", path, error.value()));
  } catch (...) {
    fs::remove(copy, error);
    throw;
  }
}

}  // namespace trammel
