#include "flexible/mesh_cut.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {

namespace {

/// One element: its group in InputMesh::elements, and its index there.
struct ElementPlace {
  const InputElements* group;
  std::size_t index;
  int id() const { return group->id[index]; }
  const int* nodes() const { return &group->node[index * group->kind->nodes]; }
  int count() const { return group->kind->nodes; }
};

class MeshCutter {
 public:
  MeshCutter(const InputMesh& mesh, const std::string& source, const MeshCutOptions& options)
      : mesh_(mesh), source_(source), options_(options) {}

  MeshCut cut() {
    list_elements();
    if (options_.sets.empty())
      cut_by_slabs();
    else
      cut_by_sets();
    require_all();
    MeshCut out;
    out.piece.resize(pieces_);
    for (std::size_t e = 0; e < all_.size(); ++e) add_element(out.piece[piece_[e]], all_[e]);
    for (InputMesh& piece : out.piece) add_sets(piece);
    find_faces(out);
    return out;
  }

 private:
  void list_elements() {
    for (const InputElements& group : mesh_.elements) {
      if (!group.kind)
        fail(ExitCode::unsupported, "{}: elements of type {} are no solids that can be cut; model it with {}",
             source_, group.type, kinds());
      for (std::size_t k = 0; k < group.id.size(); ++k) all_.push_back({&group, k});
    }
    if (all_.empty())
      fail(ExitCode::input, "{}: has no solid elements (*ELEMENT, TYPE={})", source_, kinds());
    for (const ElementPlace& e : all_)
      for (int k = 0; k < e.count(); ++k)
        if (!mesh_.node.contains(e.nodes()[k]))
          fail(ExitCode::input, "{}: element {} has node {}, which *NODE does not give", source_, e.id(),
               e.nodes()[k]);
    piece_.assign(all_.size(), -1);
  }
  static std::string kinds() {
    std::string text;
    for (const SolidKind& kind : solid_kinds()) text += (text.empty() ? "" : ", ") + std::string(kind.name);
    return text;
  }

  // ---- which piece an element is in
  Vec3d middle(const ElementPlace& e) const {
    Vec3d sum{};
    for (int k = 0; k < e.count(); ++k) sum += mesh_.node.at(e.nodes()[k]);
    return (1.0 / e.count()) * sum;
  }
  void cut_by_slabs() {
    Vec3d least{INFINITY, INFINITY, INFINITY}, most = -least;
    for (const ElementPlace& e : all_)
      for (int k = 0; k < e.count(); ++k)
        for (int i = 0; i < 3; ++i) {
          const double x = mesh_.node.at(e.nodes()[k])[i];
          least[i] = std::min(least[i], x);
          most[i] = std::max(most[i], x);
        }
    const Vec3d size = most - least;
    int axis = options_.axis;
    for (int i = 0; i < 3 && options_.axis < 0; ++i)
      if (axis < 0 || size[i] > size[axis]) axis = i;
    std::vector<double> at = options_.at;
    for (int k = 1; k < options_.parts; ++k) at.push_back(least[axis] + size[axis] * k / options_.parts);
    std::sort(at.begin(), at.end());
    pieces_ = static_cast<int>(at.size()) + 1;
    what_ = fmt::format("from {:.6g} to {:.6g} along {}", least[axis], most[axis], "xyz"[axis]);
    for (std::size_t e = 0; e < all_.size(); ++e)
      piece_[e] =
          static_cast<int>(std::upper_bound(at.begin(), at.end(), middle(all_[e])[axis]) - at.begin());
  }
  void cut_by_sets() {
    std::map<int, std::size_t> place;
    for (std::size_t e = 0; e < all_.size(); ++e) place[all_[e].id()] = e;
    for (const std::string& name : options_.sets) {
      const auto set = mesh_.element_set.find(upper(name));
      if (set == mesh_.element_set.end())
        fail(ExitCode::usage, "{}: there is no *ELSET {}; {}", source_, name, sets());
      for (const int id : set->second) {
        const auto at = place.find(id);
        if (at == place.end()) continue;
        int& piece = piece_[at->second];
        if (piece >= 0)
          fail(ExitCode::usage, "{}: element {} is in {} and in {}; a piece must have its elements to itself",
               source_, id, options_.sets[piece], name);
        piece = pieces_;
      }
      ++pieces_;
    }
    for (std::size_t e = 0; e < all_.size(); ++e)
      if (piece_[e] < 0)
        fail(ExitCode::usage, "{}: element {} is in none of the sets; add that in which it is", source_,
             all_[e].id());
    what_ = "of the sets";
  }
  std::string sets() const {
    std::string names;
    for (const auto& [name, ids] : mesh_.element_set) names += (names.empty() ? "there are " : ", ") + name;
    return names.empty() ? "there are none" : names;
  }
  void require_all() const {
    std::vector<int> count(pieces_);
    for (const int p : piece_) ++count[p];
    for (int p = 0; p < pieces_; ++p)
      if (count[p] == 0)
        fail(ExitCode::usage,
             "{}: piece {} of {} has no element ({}); cut it in fewer, or elsewhere: an element is in the "
             "piece "
             "that its middle is in",
             source_, p + 1, pieces_, what_);
  }

  // ---- pieces as meshes
  void add_element(InputMesh& piece, const ElementPlace& e) const {
    auto group = std::find_if(piece.elements.begin(), piece.elements.end(),
                              [&](const InputElements& g) { return g.kind == e.group->kind; });
    if (group == piece.elements.end())
      group = piece.elements.insert(group, InputElements{e.group->type, e.group->kind, {}, {}});
    group->id.push_back(e.id());
    for (int k = 0; k < e.count(); ++k) {
      group->node.push_back(e.nodes()[k]);
      piece.node.emplace(e.nodes()[k], mesh_.node.at(e.nodes()[k]));
    }
  }
  /// Sets, sections and materials as far as the piece has their members.
  void add_sets(InputMesh& piece) const {
    std::set<int> elements;
    for (const InputElements& group : piece.elements) elements.insert(group.id.begin(), group.id.end());
    for (const auto& [name, ids] : mesh_.set)
      for (const int id : ids)
        if (piece.node.contains(id)) piece.set[name].push_back(id);
    for (const auto& [name, ids] : mesh_.element_set)
      for (const int id : ids)
        if (elements.contains(id)) piece.element_set[name].push_back(id);
    for (const InputMesh::Section& section : mesh_.sections) {
      const auto members = piece.element_set.find(section.elements);
      if (members == piece.element_set.end()) continue;
      for (const int id : members->second) elements.erase(id);
      const auto material = mesh_.material.find(section.material);
      if (material == mesh_.material.end() || !material->second.elastic || !(material->second.density > 0))
        fail(ExitCode::input, "{}: *MATERIAL {} must have *ELASTIC (isotropic) and *DENSITY", source_,
             section.material);
      piece.sections.push_back(section);
      piece.material.insert(*material);
    }
    if (!elements.empty())
      fail(ExitCode::input, "{}: element {} is in no *SOLID SECTION, so that it has no material", source_,
           *elements.begin());
  }
  void find_faces(MeshCut& out) const {
    std::map<int, std::vector<int>> owners;
    for (int p = 0; p < pieces_; ++p)
      for (const auto& [id, at] : out.piece[p].node) owners[id].push_back(p);
    std::map<std::array<int, 2>, std::vector<int>> shared;
    for (const auto& [id, of] : owners) {
      if (of.size() > 2)
        fail(ExitCode::usage, "{}: node {} is in pieces {}, {} and {}; cuts must not meet: cut elsewhere",
             source_, id, of[0] + 1, of[1] + 1, of[2] + 1);
      if (of.size() == 2) shared[{of[0], of[1]}].push_back(id);
    }
    for (auto& [of, nodes] : shared) {
      if (nodes.size() < 3)
        fail(ExitCode::usage,
             "{}: pieces {} and {} have {} nodes in common, and it takes three to hold one to the other; cut "
             "elsewhere",
             source_, of[0] + 1, of[1] + 1, nodes.size());
      const std::string name = fmt::format("CUT_{}_{}", of[0] + 1, of[1] + 1);
      out.piece[of[0]].set[name] = out.piece[of[1]].set[name] = nodes;
      out.face.push_back({of[0], of[1], name, std::move(nodes)});
    }
  }

  const InputMesh& mesh_;
  const std::string& source_;
  const MeshCutOptions& options_;
  std::vector<ElementPlace> all_;
  std::vector<int> piece_;  ///< per element
  int pieces_ = 0;
  std::string what_;  ///< what is cut, for messages
};

/// CalculiX reads 20 characters of a number and takes them for all of it: the exponent of a longer number is
/// lost. Twelve digits with sign and exponent have 19.
std::string inp_number(double x) {
  return fmt::format("{:.12g}", x);
}

/// Numbers, `most` a line.
void append_list(std::string& text, const int* first, std::size_t count, std::size_t most) {
  for (std::size_t k = 0; k < count; ++k)
    text += fmt::format("{}{}", first[k], k + 1 == count ? "\n" : (k + 1) % most == 0 ? ",\n" : ", ");
}
void append_sets(std::string& text, const char* keyword,
                 const std::map<std::string, std::vector<int>>& sets) {
  for (const auto& [name, ids] : sets) {
    text += fmt::format("*{0}, {0}={1}\n", keyword, name);
    append_list(text, ids.data(), ids.size(), 10);
  }
}

}  // namespace

MeshCut cut_mesh(const InputMesh& mesh, const std::string& source, const MeshCutOptions& options) {
  return MeshCutter(mesh, source, options).cut();
}

std::string inp_text(const InputMesh& mesh, const std::string& title) {
  std::string text = fmt::format("** {}\n*NODE\n", title);
  for (const auto& [id, at] : mesh.node)
    text += fmt::format("{}, {}, {}, {}\n", id, inp_number(at.x), inp_number(at.y), inp_number(at.z));
  for (const InputElements& group : mesh.elements) {
    text += fmt::format("*ELEMENT, TYPE={}\n", group.type);
    const std::size_t each = group.kind->nodes;
    for (std::size_t e = 0; e < group.id.size(); ++e) {
      std::vector<int> numbers{group.id[e]};
      numbers.insert(numbers.end(), group.node.begin() + e * each, group.node.begin() + (e + 1) * each);
      append_list(text, numbers.data(), numbers.size(), 10);
    }
  }
  append_sets(text, "NSET", mesh.set);
  append_sets(text, "ELSET", mesh.element_set);
  for (const auto& [name, material] : mesh.material)
    text += fmt::format("*MATERIAL, NAME={}\n*ELASTIC\n{}, {}\n*DENSITY\n{}\n", name,
                        inp_number(material.elastic->E), inp_number(material.elastic->poisson),
                        inp_number(material.density));
  for (const InputMesh::Section& section : mesh.sections)
    text += fmt::format("*SOLID SECTION, ELSET={}, MATERIAL={}\n", section.elements, section.material);
  return text + "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n";
}

}  // namespace trammel
