#include "recovery/vtu_series.h"

#include <fmt/format.h>

#include <filesystem>

#include "output/stream_file.h"
#include "recovery/mode_sums.h"
#include "recovery/tensor_measures.h"

namespace trammel {

namespace {

/// An array of the file: its description, and its bytes behind the XML as they are in memory (little-endian).
struct DataArray {
  const char *name, *type;
  int components;
  std::string_view bytes;
};
template <class T>
DataArray array_of(const char* name, const char* type, int components, const std::vector<T>& values) {
  return {name, type, components, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)}};
}

/// The cells, which do not change.
struct Cells {
  std::vector<std::int32_t> connectivity, offsets;
  std::vector<std::uint8_t> types;
  explicit Cells(const ModalFields& f)
      : connectivity(f.cell_node.begin(), f.cell_node.end()),
        offsets(f.cell_start.begin() + 1, f.cell_start.end()),
        types(f.cell_type.begin(), f.cell_type.end()) {}
};

/// What the points have at one time.
struct PointValues {
  std::vector<float> place, displacement, stress, mises, strain;
};

void write_file(const std::string& path, const ModalFields& f, const Cells& cells, const PointValues& v) {
  std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece "
      "NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
      f.nodes(), f.cells());
  std::vector<DataArray> written;
  std::uint64_t offset = 0;
  const auto section = [&](const char* begin, const char* end, std::initializer_list<DataArray> arrays) {
    head += fmt::format("<{}>\n", begin);
    for (const DataArray& a : arrays) {
      if (a.bytes.empty()) continue;
      head += fmt::format(
          "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
          "offset=\"{}\"/>\n",
          a.type, a.name, a.components, offset);
      offset += sizeof(std::uint64_t) + a.bytes.size();
      written.push_back(a);
    }
    head += fmt::format("</{}>\n", end);
  };
  section(
      "PointData Scalars=\"von_mises\" Vectors=\"displacement\"", "PointData",
      {array_of("displacement", "Float32", 3, v.displacement), array_of("von_mises", "Float32", 1, v.mises),
       array_of("stress", "Float32", tensor_components, v.stress),
       array_of("strain", "Float32", tensor_components, v.strain)});
  section("Points", "Points", {array_of("points", "Float32", 3, v.place)});
  section("Cells", "Cells",
          {array_of("connectivity", "Int32", 1, cells.connectivity),
           array_of("offsets", "Int32", 1, cells.offsets), array_of("types", "UInt8", 1, cells.types)});
  head += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  StreamFile out;
  out.begin(path, head, nullptr);
  for (const DataArray& a : written) {
    const std::uint64_t size = a.bytes.size();
    out.write({reinterpret_cast<const char*>(&size), sizeof size});
    out.write(a.bytes);
  }
  out.write("\n</AppendedData>\n</VTKFile>\n");
  out.close();
}

/// The points of the record that was read last, with modal coordinates q.
void set_values(const ModalFields& f, const ModalMotion& motion, const std::vector<float>& q,
                const VtuOptions& options, PointValues& v) {
  const int n = f.nodes(), modes = f.modes();
  v.displacement.resize(3 * f.node_id.size());
  v.stress.resize(tensor_components * f.node_id.size());
  v.mises.resize(f.node_id.size());
  v.place.resize(3 * f.node_id.size());
  mode_sums(f.translation.data(), 3 * n, modes, q.data(), 1, v.displacement.data());
  mode_sums(f.stress.data(), tensor_components * n, modes, q.data(), 1, v.stress.data());
  if (options.strain) {
    v.strain.resize(v.stress.size());
    mode_sums(f.strain.data(), tensor_components * n, modes, q.data(), 1, v.strain.data());
  }
  Mat3d axes = Mat3d::identity();
  Vec3d origin{};
  if (!options.body_axes) {
    axes = motion.axes();
    origin = motion.origin();
  }
  for (int p = 0; p < n; ++p) {
    double s[tensor_components];
    for (int c = 0; c < tensor_components; ++c)
      s[c] = v.stress[static_cast<std::size_t>(p) * tensor_components + c];
    v.mises[p] = static_cast<float>(von_mises(s));
    float* moved = v.displacement.data() + static_cast<std::size_t>(3) * p;
    const Vec3d u = options.length * (axes * Vec3d{moved[0], moved[1], moved[2]});
    const Vec3d at = origin + options.length * (axes * f.position[p]);
    for (int d = 0; d < 3; ++d) {
      moved[d] = static_cast<float>(u[d]);
      v.place[static_cast<std::size_t>(3) * p + d] = static_cast<float>(at[d]);
    }
  }
}

}  // namespace

std::uint64_t vtu_bytes(const ModalFields& f, const VtuOptions& options) {
  const std::uint64_t floats = 3 + 3 + tensor_components + 1 + (options.strain ? tensor_components : 0);
  return floats * 4 * f.node_id.size() + 4 * f.cell_node.size() + 5 * f.cell_type.size();
}

void write_vtu_series(const std::string& prefix, const ModalFields& f, ModalMotion& motion,
                      const VtuOptions& options) {
  const Cells cells(f);
  PointValues values;
  std::vector<double> q(f.mode_id.size());
  std::vector<float> single(f.mode_id.size());
  const std::string name = std::filesystem::path(prefix).filename().string();
  StreamFile list;
  list.begin(prefix + ".pvd",
             "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n",
             nullptr);
  list.set_tail("</Collection>\n</VTKFile>\n");
  for (std::size_t k = 0; k < motion.records(); ++k) {
    motion.coordinates(k, q.data());
    std::copy(q.begin(), q.end(), single.begin());
    set_values(f, motion, single, options, values);
    write_file(fmt::format("{}_{:05}.vtu", prefix, k), f, cells, values);
    list.write(fmt::format("<DataSet timestep=\"{}\" file=\"{}_{:05}.vtu\"/>\n", motion.time(k), name, k));
    list.flush();
    if (options.progress)
      options.progress(static_cast<double>(k + 1) / static_cast<double>(motion.records()));
  }
  list.close();
}

}  // namespace trammel
