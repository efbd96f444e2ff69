#include "flexible/modal_fields.h"

#include <algorithm>
#include <map>

#include "base/diagnostics.h"
#include "base/thread_pool.h"

namespace trammel {

namespace {

/// Modes whose sums are formed together.
constexpr int kTogether = 8;

class Fields {
 public:
  Fields(const InputMesh& mesh, const FullModel& model, const std::vector<double>& shapes,
         const ModalBody& body)
      : mesh_(mesh), model_(model), shapes_(shapes) {
    out_.source = model.source;
    out_.units = body.units;
    out_.mode_id = body.mode_id;
    out_.frequency = body.frequency;
    take_nodes();
    for (const InputElements& e : mesh.elements) take_elements(e);
    if (out_.cells() == 0) fail(ExitCode::input, "{}: has no solid elements (*ELEMENT)", model_.source);
  }

  ModalFields run(ThreadPool* pool) {
    const auto values = static_cast<std::size_t>(out_.nodes()) * out_.modes();
    out_.translation.resize(3 * values);
    out_.strain.resize(6 * values);
    out_.stress.resize(6 * values);
    const int blocks = (out_.modes() + kTogether - 1) / kTogether;
    const auto block = [&](int b) { add_modes(b * kTogether, std::min(out_.modes(), (b + 1) * kTogether)); };
    if (pool)
      pool->run_queued(blocks, block);
    else
      for (int b = 0; b < blocks; ++b) block(b);
    return std::move(out_);
  }

 private:
  struct Group {
    const SolidKind* kind;
    const std::vector<int>* id;
    int first;                         ///< its first cell
    std::vector<Elasticity> material;  ///< per element
  };

  /// The nodes of the model that solids have; `node_`: per node of the model its index.
  void take_nodes() {
    std::vector<unsigned char> used(model_.nodes(), 0);
    for (const InputElements& e : mesh_.elements)
      for (const int id : e.node)
        if (const int p = model_.node(id); p >= 0) used[p] = 1;
    node_.assign(model_.nodes(), -1);
    for (int p = 0; p < model_.nodes(); ++p) {
      if (!used[p]) continue;
      node_[p] = out_.nodes();
      model_node_.push_back(p);
      out_.node_id.push_back(model_.node_id[p]);
      out_.position.push_back(model_.position[p]);
    }
    out_.cell_start.push_back(0);
  }

  void take_elements(const InputElements& e) {
    if (!e.kind) {
      std::string names;
      for (const SolidKind& kind : solid_kinds())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
      fail(ExitCode::unsupported, "{}: stresses of elements {} are not known; they are of {}", model_.source,
           e.type, names);
    }
    Group group{e.kind, &e.id, out_.cells(), std::vector<Elasticity>(e.id.size(), Elasticity{})};
    for (std::size_t k = 0; k < e.id.size(); ++k) {
      for (int a = 0; a < e.kind->nodes; ++a) {
        const int id = e.node[k * e.kind->nodes + a], p = model_.node(id);
        if (p < 0 || model_.unknown(p, 2) < 0)
          fail(ExitCode::input, "{}: node {} of element {} has no unknowns in the matrices", model_.source,
               id, e.id[k]);
        out_.cell_node.push_back(node_[p]);
      }
      out_.cell_type.push_back(e.kind->vtk);
      out_.cell_start.push_back(static_cast<int>(out_.cell_node.size()));
    }
    take_materials(e, group);
    groups_.push_back(std::move(group));
  }

  void take_materials(const InputElements& e, Group& group) {
    std::vector<unsigned char> has(e.id.size(), 0);
    for (const InputMesh::Section& section : mesh_.sections) {
      const auto set = mesh_.element_set.find(section.elements);
      const auto material = mesh_.material.find(section.material);
      if (set == mesh_.element_set.end())
        fail(ExitCode::input, "{}: *SOLID SECTION, ELSET={}: there is no such set of elements", model_.source,
             section.elements);
      if (material == mesh_.material.end() || !material->second.elastic)
        fail(
            ExitCode::unsupported,
            "{}: material {} of *SOLID SECTION, ELSET={} has no isotropic *ELASTIC, by which stresses follow",
            model_.source, section.material, section.elements);
      for (std::size_t k = 0; k < e.id.size(); ++k)
        if (std::binary_search(set->second.begin(), set->second.end(), e.id[k])) {
          group.material[k] = *material->second.elastic;
          has[k] = 1;
        }
    }
    const auto without = std::find(has.begin(), has.end(), 0);
    if (without != has.end())
      fail(ExitCode::input, "{}: element {} is in no *SOLID SECTION", model_.source,
           e.id[static_cast<std::size_t>(without - has.begin())]);
  }

  /// Sums of the modes [begin, end) at the nodes.
  void add_modes(int begin, int end) {
    const int count = end - begin, modes = out_.modes();
    const std::size_t width = static_cast<std::size_t>(count) * tensor_components;
    std::vector<double> strain(out_.nodes() * width), stress(out_.nodes() * width);
    std::vector<int> elements(out_.nodes(), 0);
    for (const Group& group : groups_) add_group(group, begin, count, strain, stress, elements);
    for (int p = 0; p < out_.nodes(); ++p)
      for (int k = 0; k < count; ++k) {
        const std::size_t from = p * width + static_cast<std::size_t>(k) * tensor_components;
        for (int c = 0; c < tensor_components; ++c) {
          const std::size_t to = (static_cast<std::size_t>(tensor_components) * p + c) * modes + begin + k;
          out_.strain[to] = static_cast<float>(strain[from + c] / elements[p]);
          out_.stress[to] = static_cast<float>(stress[from + c] / elements[p]);
        }
        for (int d = 0; d < 3; ++d)
          out_.translation[(static_cast<std::size_t>(3) * p + d) * modes + begin + k] =
              static_cast<float>(shape(model_node_[p], d, begin + k));
      }
  }
  void add_group(const Group& group, int begin, int count, std::vector<double>& strain,
                 std::vector<double>& stress, std::vector<int>& elements) const {
    SolidStrains element(*group.kind);
    const int n = group.kind->nodes;
    std::vector<Vec3d> at(n);
    std::vector<double> moved(3 * static_cast<std::size_t>(n)), found(6 * static_cast<std::size_t>(n));
    const std::size_t width = static_cast<std::size_t>(count) * tensor_components;
    for (std::size_t k = 0; k < group.material.size(); ++k) {
      const int* node = out_.cell_node.data() + out_.cell_start[group.first + k];
      for (int a = 0; a < n; ++a) {
        at[a] = out_.position[node[a]];
        ++elements[node[a]];
      }
      const Elasticity& material = group.material[k];
      if (!element.place(at.data(), material))
        fail(ExitCode::input, "{}: element {} is flat or turned inside out", model_.source, (*group.id)[k]);
      for (int j = 0; j < count; ++j) {
        for (int a = 0; a < n; ++a)
          for (int d = 0; d < 3; ++d) moved[3 * a + d] = shape(model_node_[node[a]], d, begin + j);
        element.at_nodes(moved.data(), found.data());
        for (int a = 0; a < n; ++a) {
          const std::size_t to = node[a] * width + static_cast<std::size_t>(j) * tensor_components;
          double s[tensor_components];
          material.stress(found.data() + tensor_components * a, s);
          for (int c = 0; c < tensor_components; ++c) {
            strain[to + c] += found[tensor_components * a + c];
            stress[to + c] += s[c];
          }
        }
      }
    }
  }
  /// Displacement of a node of the model by a mode.
  double shape(int p, int direction, int mode) const {
    return shapes_[static_cast<std::size_t>(mode) * model_.unknowns() + model_.unknown(p, direction)];
  }

  const InputMesh& mesh_;
  const FullModel& model_;
  const std::vector<double>& shapes_;
  std::vector<int> node_, model_node_;
  std::vector<Group> groups_;
  ModalFields out_;
};

}  // namespace

ModalFields modal_fields(const InputMesh& mesh, const FullModel& model, const std::vector<double>& shapes,
                         const ModalBody& body, ThreadPool* pool) {
  return Fields(mesh, model, shapes, body).run(pool);
}

}  // namespace trammel
