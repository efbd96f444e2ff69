#include "recovery/node_series.h"

#include "output/write/native_file.h"
#include "recovery/mode_sums.h"
#include "recovery/tensor_measures.h"

namespace trammel {

namespace {

constexpr const char* displacement_names[] = {"U", "V", "W"};
constexpr const char* tensor_names[] = {"XX", "YY", "ZZ", "XY", "YZ", "ZX"};

/// Appends rows of a field times the modal coordinates.
void add_values(const std::vector<float>& field, int first_row, int rows, const std::vector<double>& q,
                std::vector<double>& out) {
  for (int r = first_row; r < first_row + rows; ++r) out.push_back(mode_sum(field, r, q));
}

}  // namespace

Channels node_channels(const ModalFields& fields, const std::vector<int>& nodes, const UnitNames& units) {
  Channels out;
  out.units = units;
  for (const int p : nodes) {
    Entity& node = out.entities.emplace_back();
    node.type = "NODE";
    node.id = fields.node_id[p];
    for (const char* name : displacement_names) node.components.push_back({name, Quantity::length});
    for (const char* name : tensor_names) node.components.push_back({std::string("S") + name});
    for (const char* name : {"MISES", "S1", "S2", "S3"}) node.components.push_back({name});
    for (const char* name : tensor_names) node.components.push_back({std::string("E") + name});
  }
  return out;
}

std::size_t write_node_series(const std::string& path, const ModalFields& f, ModalMotion& motion,
                              const std::vector<int>& nodes, const ResultReader& results) {
  NativeWriter writer;
  writer.open(path, node_channels(f, nodes, results.channels().units), results.info());
  std::vector<double> q(f.mode_id.size()), values;
  for (std::size_t k = 0; k < motion.records(); ++k) {
    motion.coordinates(k, q.data());
    values.clear();
    for (const int p : nodes) {
      add_values(f.translation, 3 * p, 3, q, values);
      add_values(f.stress, tensor_components * p, tensor_components, q, values);
      const double* stress = values.data() + values.size() - tensor_components;
      double principal[3];
      principal_values(stress, principal);
      const double mises = von_mises(stress);
      values.insert(values.end(), {mises, principal[2], principal[1], principal[0]});
      add_values(f.strain, tensor_components * p, tensor_components, q, values);
    }
    writer.record(motion.time(k), motion.kind(k), values);
  }
  writer.close();
  return motion.records();
}

}  // namespace trammel
