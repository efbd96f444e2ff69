#include "flexible/inp_file.h"

#include <algorithm>

#include "base/text.h"
#include "base/text_records.h"

namespace trammel {

namespace {

struct Refused {
  std::string_view keyword, why;
};
constexpr std::string_view held = "holds nodes against ground; a flexible body is free, so take it out";
constexpr std::string_view tied =
    "makes unknowns depend on others, which the matrices do not show; tie nodes by --rigid or --averaged "
    "here";
constexpr Refused refused[] = {
    {"BOUNDARY", held},
    {"EQUATION", tied},
    {"MPC", tied},
    {"RIGID BODY", tied},
    {"COUPLING", tied},
    {"KINEMATIC", tied},
    {"DISTRIBUTING", tied},
    {"DISTRIBUTING COUPLING", tied},
    {"TIE", tied},
    {"CYCLIC SYMMETRY MODEL", tied},
    {"TRANSFORM", "turns the axes of nodes; give them in those of the model"},
};

/// "*NSET, NSET=HOLE, GENERATE": its keyword and parameters, in capital letters.
struct Keyword {
  std::string name;
  std::map<std::string, std::string> parameters;
  explicit Keyword(std::string_view line) {
    for (const std::string_view part : split(line.substr(1), ',')) {
      const std::size_t equals = part.find('=');
      const std::string key = upper(trim(part.substr(0, equals)));
      if (name.empty() && parameters.empty())
        name = key;
      else if (!key.empty())
        parameters[key] = equals == part.npos ? "" : std::string(trim(part.substr(equals + 1)));
    }
  }
  bool has(const std::string& key) const { return parameters.contains(key); }
  std::string operator[](const std::string& key) const {
    const auto at = parameters.find(key);
    return at == parameters.end() ? "" : at->second;
  }
};

class InpReader {
 public:
  void read(const std::string& path, int depth) {
    TextRecords in(path);
    std::optional<Keyword> keyword;
    for (std::string line; in.next(line);) {
      const std::string_view text = trim(line);
      if (text.empty() || text.starts_with("**")) continue;
      if (text.starts_with("*")) {
        keyword = Keyword(text);
        begin(in, *keyword, path, depth);
      } else if (keyword) {
        take(in, text, *keyword);
      }
    }
    require_whole_element(in);
  }
  InputMesh mesh() {
    for (auto* sets : {&mesh_.set, &mesh_.element_set})
      for (auto& [name, ids] : *sets) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      }
    return std::move(mesh_);
  }

 private:
  void take(const TextRecords& in, std::string_view text, const Keyword& keyword) {
    if (keyword.name == "NODE") take_node(in, text, keyword["NSET"]);
    if (keyword.name == "NSET") take_set(in, text, keyword, "NSET", mesh_.set);
    if (keyword.name == "ELSET") take_set(in, text, keyword, "ELSET", mesh_.element_set);
    if (keyword.name == "ELEMENT") take_element(in, text);
    if (keyword.name == "ELASTIC") take_elastic(in, text, keyword);
    if (keyword.name == "DENSITY" && material_ && material_->density == 0)
      material_->density = number(in, split(text, ',')[0], "a density");
  }
  void begin(const TextRecords& in, const Keyword& keyword, const std::string& path, int depth) {
    for (const Refused& r : refused)
      if (keyword.name == r.keyword)
        fail(ExitCode::unsupported, "{}:{}: *{} {}", path, in.line(), r.keyword, r.why);
    require_whole_element(in);
    if (keyword.name == "ELEMENT") begin_elements(in, keyword);
    if (keyword.name == "SOLID SECTION")
      mesh_.sections.push_back({upper(keyword["ELSET"]), upper(keyword["MATERIAL"])});
    if (keyword.name == "MATERIAL") material_ = &mesh_.material[upper(keyword["NAME"])];
    if (keyword.name != "INCLUDE") return;
    if (depth >= 10) in.wrong("*INCLUDE within ten others");
    read(beside(path, keyword["INPUT"]), depth + 1);
  }
  static int whole(const TextRecords& in, std::string_view text, const char* what = "a node") {
    const auto value = parse_integer(trim(text));
    if (!value || *value < 1) in.wrong("the number of {} is expected, found '{}'", what, trim(text));
    return *value;
  }
  static double number(const TextRecords& in, std::string_view text, const char* what) {
    const auto value = parse_number(trim(text));
    if (!value) in.wrong("{} is expected, found '{}'", what, trim(text));
    return *value;
  }
  void begin_elements(const TextRecords& in, const Keyword& keyword) {
    const std::string type = upper(keyword["TYPE"]);
    if (type.empty()) in.wrong("*ELEMENT needs TYPE=...");
    auto at = std::find_if(mesh_.elements.begin(), mesh_.elements.end(),
                           [&](const InputElements& e) { return e.type == type; });
    if (at == mesh_.elements.end())
      at = mesh_.elements.insert(at, InputElements{type, solid_kind(type), {}, {}});
    elements_ = &*at;
    element_set_ = keyword["ELSET"].empty() ? nullptr : &mesh_.element_set[upper(keyword["ELSET"])];
  }
  /// The numbers of an element and of its nodes, on as many lines as they take.
  void take_element(const TextRecords& in, std::string_view text) {
    if (!elements_->kind) return;
    for (const std::string_view word : split(text, ',')) {
      if (trim(word).empty()) continue;
      if (nodes_missing_ == 0) {
        elements_->id.push_back(whole(in, word, "an element"));
        if (element_set_) element_set_->push_back(elements_->id.back());
        nodes_missing_ = elements_->kind->nodes;
      } else {
        elements_->node.push_back(whole(in, word));
        --nodes_missing_;
      }
    }
  }
  void require_whole_element(const TextRecords& in) const {
    if (nodes_missing_ > 0)
      in.wrong("element {} of type {} lacks {} of its {} nodes", elements_->id.back(), elements_->type,
               nodes_missing_, elements_->kind->nodes);
  }
  void take_elastic(const TextRecords& in, std::string_view text, const Keyword& keyword) {
    const std::string type = upper(keyword["TYPE"]);
    const std::vector<std::string_view> words = split(text, ',');
    if (!material_ || material_->elastic || words.size() < 2 || !(type.empty() || type.starts_with("ISO")))
      return;
    const Elasticity e{number(in, words[0], "Young's modulus"), number(in, words[1], "Poisson's ratio")};
    if (!(e.E > 0) || !(e.poisson > -1) || !(e.poisson < 0.5))
      in.wrong("no material has Young's modulus {} and Poisson's ratio {}", e.E, e.poisson);
    material_->elastic = e;
  }
  void take_node(const TextRecords& in, std::string_view text, const std::string& set) {
    const std::vector<std::string_view> words = split(text, ',');
    const int id = whole(in, words[0]);
    Vec3d at{};
    for (std::size_t i = 0; i < 3 && i + 1 < words.size(); ++i) {
      if (trim(words[i + 1]).empty()) continue;
      const auto value = parse_number(trim(words[i + 1]));
      if (!value) in.wrong("'{}' is no coordinate of node {}", trim(words[i + 1]), id);
      at[static_cast<int>(i)] = *value;
    }
    mesh_.node[id] = at;
    if (!set.empty()) mesh_.set[upper(set)].push_back(id);
  }
  using Sets = std::map<std::string, std::vector<int>>;
  /// Ids and names of other sets; the name of this one stands behind `parameter`.
  static void take_set(const TextRecords& in, std::string_view text, const Keyword& keyword,
                       const char* parameter, Sets& sets) {
    const char* member = *parameter == 'N' ? "a node" : "an element";
    std::vector<int>& ids = sets[upper(keyword[parameter])];
    const std::vector<std::string_view> words = split(text, ',');
    if (keyword.has("GENERATE")) {
      if (words.size() < 2) in.wrong("first, last and increment of a set are expected, found '{}'", text);
      const int first = whole(in, words[0], member), last = whole(in, words[1], member);
      const int by = words.size() > 2 && !trim(words[2]).empty() ? whole(in, words[2], "an increment") : 1;
      if (last < first || last - first > 100000000) in.wrong("no set goes from {} to {}", first, last);
      for (int id = first; id <= last; id += by) ids.push_back(id);
      return;
    }
    for (const std::string_view word : words) {
      const std::string name = upper(trim(word));
      if (name.empty()) continue;
      if (const auto other = sets.find(name); other != sets.end()) {
        const std::vector<int> members = other->second;
        ids.insert(ids.end(), members.begin(), members.end());
      } else {
        ids.push_back(whole(in, word, member));
      }
    }
  }

  InputMesh mesh_;
  InputElements* elements_ = nullptr;  ///< of the present *ELEMENT
  std::vector<int>* element_set_ = nullptr;
  int nodes_missing_ = 0;  ///< how many its last element still lacks
  InputMaterial* material_ = nullptr;
};

}  // namespace

InputMesh read_inp(const std::string& path) {
  InpReader reader;
  reader.read(path, 0);
  return reader.mesh();
}

}  // namespace trammel
