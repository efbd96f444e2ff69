#include "output/read/native_modes.h"

#include <algorithm>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/io_error.h"
#include "output/netcdf_library.h"
#include "output/write/classic_layout.h"
#include "output/write/native_head.h"

namespace trammel {
namespace {

class ModesInFile {
 public:
  explicit ModesInFile(const std::string& path) : path_(path) {
    check(netcdf().nc_open(name_of_file(path).c_str(), NC_NOWRITE, &handle_));
  }
  ~ModesInFile() { netcdf().nc_close(handle_); }
  ModesInFile(const ModesInFile&) = delete;
  ModesInFile& operator=(const ModesInFile&) = delete;

  std::vector<ModeSet> read() {
    std::vector<ModeSet> out;
    int variables = 0;
    check(netcdf().nc_inq_nvars(handle_, &variables));
    for (int v = 0; v < variables; ++v) {
      int rank = 0, number = 0;
      check(netcdf().nc_inq_varndims(handle_, v, &rank));
      if (rank != 0 || netcdf().nc_get_att_int(handle_, v, "linear", &number) != NC_NOERR) continue;
      out.push_back(set_of(v, number));
    }
    if (!out.empty()) refuse_cut();
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return out;
  }

 private:
  void check(int status) const {
    if (status == NC_NOERR) return;
    if (status > 0) throw Failure(ExitCode::io, io_error_text("read", path_, status));
    fail(ExitCode::io, "cannot read the modes in {}: {}", path_, netcdf().nc_strerror(status));
  }

  /// The arrays stand between the head and the records: what ends before these has not all of them.
  void refuse_cut() const {
    const std::uint64_t size = std::filesystem::file_size(path_),
                        end = read_classic_layout(path_).value().first_record;
    if (size < end)
      fail(ExitCode::input,
           "{}: the file ends early (byte {}), inside the modes of LINEAR, which end at byte {}", path_, size,
           end);
  }

  ModeSet set_of(int variable, int number) {
    ModeSet out;
    out.number = number;
    int modes = 0;
    check(netcdf().nc_get_var_int(handle_, variable, &modes));
    check(netcdf().nc_get_att_double(handle_, variable, "time", &out.time));
    check(netcdf().nc_get_att_int(handle_, variable, "states", &out.states));
    std::size_t length = 0;
    if (netcdf().nc_inq_attlen(handle_, variable, "parts", &length) == NC_NOERR) {
      std::string names(length, '\0');
      check(netcdf().nc_get_att_text(handle_, variable, "parts", names.data()));
      for (const std::string_view name : split(names, '\n')) out.parts.emplace_back(name);
    }
    const auto m = static_cast<std::size_t>(std::max(modes, 0)), p = out.parts.size();
    if (out.has_shapes()) {
      out.position = array(number, "part_position", 3 * p);
      out.axes = array(number, "part_axes", 9 * p);
    }
    if (m == 0) return out;
    out.eigenvalue = array(number, "eigenvalue", 2 * m);
    out.damping_ratio = array(number, "damping_ratio", m);
    if (out.has_shapes()) out.shape = array(number, "shape", m * p * ModeSet::per_part);
    return out;
  }

  std::vector<double> array(int number, const char* what, std::size_t expected) const {
    const std::string name = fmt::format("LINEAR_{}_{}", number, what);
    int id = -1, rank = 0, dimensions[NC_MAX_VAR_DIMS];
    if (netcdf().nc_inq_varid(handle_, name.c_str(), &id) != NC_NOERR)
      fail(ExitCode::input, "{}: {} is not in the file", path_, name);
    check(netcdf().nc_inq_varndims(handle_, id, &rank));
    check(netcdf().nc_inq_vardimid(handle_, id, dimensions));
    std::size_t size = 1;
    for (int d = 0; d < rank; ++d) {
      std::size_t length = 0;
      check(netcdf().nc_inq_dimlen(handle_, dimensions[d], &length));
      size *= length;
    }
    if (size != expected)
      fail(ExitCode::input, "{}: {} has {} numbers, {} are expected", path_, name, size, expected);
    std::vector<double> out(size);
    check(netcdf().nc_get_var_double(handle_, id, out.data()));
    return out;
  }

  std::string path_;
  int handle_ = -1;
};

}  // namespace

std::vector<ModeSet> read_native_modes(const std::string& path) {
  return ModesInFile(path).read();
}

}  // namespace trammel
