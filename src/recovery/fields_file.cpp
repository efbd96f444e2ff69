#include "recovery/fields_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/diagnostics.h"
#include "output/io_error.h"
#include "output/netcdf_library.h"
#include "output/write/native_head.h"

namespace trammel {

namespace {

constexpr int kLayout = 1;
/// The last number of a file that is whole: the library takes what is missing behind a cut for zeros.
constexpr const char* kEnd = "end";
constexpr int kEndValue = 0x54524d4c;

/// An open file of the netCDF library.
class Handle {
 public:
  explicit Handle(const std::string& path) : path_(path) {}
  ~Handle() {
    if (id >= 0) netcdf().nc_close(id);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  void check(int status, const char* action) const {
    if (status == NC_NOERR) return;
    if (status > 0) throw Failure(ExitCode::io, io_error_text(action, path_, status));
    fail(ExitCode::io, "cannot {} {}: {}", action, path_, netcdf().nc_strerror(status));
  }
  int id = -1;

 private:
  const std::string& path_;
};

struct Unit {
  const char* name;
  std::string ModalUnits::*member;
};
constexpr Unit units[] = {{"unit_mass", &ModalUnits::mass},
                          {"unit_length", &ModalUnits::length},
                          {"unit_time", &ModalUnits::time},
                          {"unit_force", &ModalUnits::force}};

class Writer {
 public:
  Writer(const std::string& path, const ModalFields& fields) : file_(path), f_(fields) {
    check(netcdf().nc_create(name_of_file(path).c_str(), NC_CLOBBER | NC_64BIT_OFFSET, &file_.id));
  }
  void run() {
    define();
    put("mode_id", f_.mode_id);
    put("frequency", f_.frequency);
    put("node_id", f_.node_id);
    std::vector<double> places;
    for (const Vec3d& s : f_.position) places.insert(places.end(), {s.x, s.y, s.z});
    put("position", places);
    put("translation", f_.translation);
    put("strain", f_.strain);
    put("stress", f_.stress);
    put("cell_type", f_.cell_type);
    put("cell_start", f_.cell_start);
    put("cell_node", f_.cell_node);
    put(kEnd, std::vector<int>{kEndValue});
    const int id = file_.id;
    file_.id = -1;
    check(netcdf().nc_close(id));
  }

 private:
  void check(int status) const { file_.check(status, "write"); }
  int dimension(const char* name, std::size_t length) {
    int out = -1;
    check(netcdf().nc_def_dim(file_.id, name, length, &out));
    return out;
  }
  void variable(const char* name, nc_type type, std::initializer_list<int> dimensions) {
    int out = -1;
    check(netcdf().nc_def_var(file_.id, name, type, static_cast<int>(dimensions.size()), dimensions.begin(),
                              &out));
  }
  void text(const char* name, const std::string& value) {
    check(netcdf().nc_put_att_text(file_.id, NC_GLOBAL, name, value.size(), value.data()));
  }
  void define() {
    const int mode = dimension("mode", f_.mode_id.size()), node = dimension("node", f_.node_id.size());
    const int direction = dimension("direction", 3), component = dimension("component", tensor_components);
    const int cell = dimension("cell", f_.cell_type.size()),
              ends = dimension("cell_end", f_.cell_start.size());
    const int corner = dimension("corner", f_.cell_node.size());
    variable("mode_id", NC_INT, {mode});
    variable("frequency", NC_DOUBLE, {mode});
    variable("node_id", NC_INT, {node});
    variable("position", NC_DOUBLE, {node, direction});
    variable("translation", NC_FLOAT, {node, direction, mode});
    variable("strain", NC_FLOAT, {node, component, mode});
    variable("stress", NC_FLOAT, {node, component, mode});
    variable("cell_type", NC_INT, {cell});
    variable("cell_start", NC_INT, {ends});
    variable("cell_node", NC_INT, {corner});
    variable(kEnd, NC_INT, {});
    check(netcdf().nc_put_att_int(file_.id, NC_GLOBAL, "trammel_fields", NC_INT, 1, &kLayout));
    text("source", f_.source);
    text("components", "xx yy zz xy yz zx");
    for (const Unit& u : units) text(u.name, f_.units.*u.member);
    check(netcdf().nc_enddef(file_.id));
  }
  template <class T>
  void put(const char* name, const std::vector<T>& values) {
    int at = -1;
    check(netcdf().nc_inq_varid(file_.id, name, &at));
    if constexpr (std::is_same_v<T, int>) check(netcdf().nc_put_var_int(file_.id, at, values.data()));
    if constexpr (std::is_same_v<T, float>) check(netcdf().nc_put_var_float(file_.id, at, values.data()));
    if constexpr (std::is_same_v<T, double>) check(netcdf().nc_put_var_double(file_.id, at, values.data()));
  }

  Handle file_;
  const ModalFields& f_;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(path) {
    const int status = netcdf().nc_open(name_of_file(path).c_str(), NC_NOWRITE, &file_.id);
    int layout = 0;
    if (status == NC_ENOTNC ||
        (status == NC_NOERR &&
         netcdf().nc_get_att_int(file_.id, NC_GLOBAL, "trammel_fields", &layout) != NC_NOERR))
      fail(ExitCode::input, "{}: no file of fields, as 'trammel flex reduce --fields' writes it", path);
    check(status);
    if (layout != kLayout)
      fail(ExitCode::input, "{}: fields of layout {}; this program reads layout {}", path, layout, kLayout);
  }
  ModalFields run(const FieldsWanted& wanted) {
    ModalFields f;
    f.source = path_;
    std::vector<int> end;
    get(kEnd, end, 1);
    if (end[0] != kEndValue) fail(ExitCode::input, "{}: is not whole; make it again", path_);
    for (const Unit& u : units) f.units.*u.member = text(u.name);
    const std::size_t modes = length("mode"), nodes = length("node"), cells = length("cell");
    get("mode_id", f.mode_id, modes);
    get("frequency", f.frequency, modes);
    get("node_id", f.node_id, nodes);
    std::vector<double> places;
    get("position", places, 3 * nodes);
    for (std::size_t p = 0; p < nodes; ++p)
      f.position.push_back({places[3 * p], places[3 * p + 1], places[3 * p + 2]});
    if (wanted.translation) get("translation", f.translation, 3 * nodes * modes);
    if (wanted.strain) get("strain", f.strain, tensor_components * nodes * modes);
    if (wanted.stress) get("stress", f.stress, tensor_components * nodes * modes);
    get("cell_type", f.cell_type, cells);
    get("cell_start", f.cell_start, cells + 1);
    get("cell_node", f.cell_node, length("corner"));
    require_sound(f);
    return f;
  }

 private:
  void check(int status) const { file_.check(status, "read"); }
  std::size_t length(const char* name) const {
    int id = -1;
    std::size_t out = 0;
    if (netcdf().nc_inq_dimid(file_.id, name, &id) != NC_NOERR)
      fail(ExitCode::input, "{}: has no dimension {}", path_, name);
    check(netcdf().nc_inq_dimlen(file_.id, id, &out));
    return out;
  }
  std::string text(const char* name) const {
    std::size_t size = 0;
    nc_type type = NC_NAT;
    if (netcdf().nc_inq_att(file_.id, NC_GLOBAL, name, &type, &size) != NC_NOERR || type != NC_CHAR)
      return "";
    std::string out(size, '\0');
    check(netcdf().nc_get_att_text(file_.id, NC_GLOBAL, name, out.data()));
    return out;
  }
  /// Refuses arrays of other sizes, and such that are larger than the file: of these nothing is allocated.
  template <class T>
  void get(const char* name, std::vector<T>& values, std::size_t count) const {
    int at = -1, rank = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    if (netcdf().nc_inq_varid(file_.id, name, &at) != NC_NOERR)
      fail(ExitCode::input, "{}: has no variable {}", path_, name);
    check(netcdf().nc_inq_var(file_.id, at, nullptr, nullptr, &rank, dimensions.data(), nullptr));
    std::size_t size = 1;
    for (int k = 0; k < rank; ++k) {
      std::size_t n = 0;
      check(netcdf().nc_inq_dimlen(file_.id, dimensions[k], &n));
      size *= n;
    }
    if (size != count || count > std::filesystem::file_size(path_))
      fail(ExitCode::input, "{}: variable {} has {} values; {} are expected", path_, name, size, count);
    values.resize(count);
    if (count == 0) return;
    if constexpr (std::is_same_v<T, int>) check(netcdf().nc_get_var_int(file_.id, at, values.data()));
    if constexpr (std::is_same_v<T, float>) check(netcdf().nc_get_var_float(file_.id, at, values.data()));
    if constexpr (std::is_same_v<T, double>) check(netcdf().nc_get_var_double(file_.id, at, values.data()));
  }
  /// Nothing of a file can make a number up or lead out of an array.
  void require_sound(const ModalFields& f) const {
    if (f.nodes() == 0 || f.modes() == 0) fail(ExitCode::input, "{}: has no nodes or no modes", path_);
    const auto numbers = [](const std::vector<float>& values) {
      return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
    };
    if (!numbers(f.translation) || !numbers(f.strain) || !numbers(f.stress))
      fail(ExitCode::input, "{}: some of its displacements, strains or stresses are no numbers", path_);
    bool right = f.cell_start.front() == 0 && f.cell_start.back() == static_cast<int>(f.cell_node.size()) &&
                 std::is_sorted(f.cell_start.begin(), f.cell_start.end());
    for (const int p : f.cell_node) right = right && p >= 0 && p < f.nodes();
    for (int e = 0; right && e < f.cells(); ++e) {
      const SolidKind* kind = solid_kind_of_cell(f.cell_type[e]);
      right = kind && f.cell_start[e + 1] - f.cell_start[e] == kind->nodes;
    }
    if (!right)
      fail(ExitCode::input, "{}: cells are of no known kind, or name nodes that are not there", path_);
  }

  const std::string& path_;
  Handle file_;
};

}  // namespace

void write_fields(const std::string& path, const ModalFields& fields) {
  netcdf();  // where there is no library no earlier file is removed
  try {
    Writer(path, fields).run();
  } catch (const Failure&) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    throw;
  }
}

ModalFields read_fields(const std::string& path, const FieldsWanted& wanted) {
  return Reader(path).run(wanted);
}

std::string fields_name(const std::string& modes) {
  return std::filesystem::path(modes).replace_extension(".fields.nc").string();
}

}  // namespace trammel
