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
      } else if (keyword && keyword->name == "NODE") {
        take_node(in, text, (*keyword)["NSET"]);
      } else if (keyword && keyword->name == "NSET") {
        take_set(in, text, *keyword);
      }
    }
  }
  InputMesh mesh() {
    for (auto& [name, ids] : mesh_.set) {
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }
    return std::move(mesh_);
  }

 private:
  void begin(const TextRecords& in, const Keyword& keyword, const std::string& path, int depth) {
    for (const Refused& r : refused)
      if (keyword.name == r.keyword)
        fail(ExitCode::unsupported, "{}:{}: *{} {}", path, in.line(), r.keyword, r.why);
    if (keyword.name != "INCLUDE") return;
    if (depth >= 10) in.wrong("*INCLUDE within ten others");
    read(beside(path, keyword["INPUT"]), depth + 1);
  }
  static int whole(const TextRecords& in, std::string_view text) {
    const auto value = parse_integer(trim(text));
    if (!value || *value < 1) in.wrong("the number of a node is expected, found '{}'", trim(text));
    return *value;
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
  void take_set(const TextRecords& in, std::string_view text, const Keyword& keyword) {
    std::vector<int>& ids = mesh_.set[upper(keyword["NSET"])];
    const std::vector<std::string_view> words = split(text, ',');
    if (keyword.has("GENERATE")) {
      if (words.size() < 2) in.wrong("first, last and increment of a set are expected, found '{}'", text);
      const int first = whole(in, words[0]), last = whole(in, words[1]);
      const int by = words.size() > 2 && !trim(words[2]).empty() ? whole(in, words[2]) : 1;
      if (last < first || last - first > 100000000) in.wrong("no set goes from {} to {}", first, last);
      for (int id = first; id <= last; id += by) ids.push_back(id);
      return;
    }
    for (const std::string_view word : words) {
      const std::string name = upper(trim(word));
      if (name.empty()) continue;
      if (const auto other = mesh_.set.find(name); other != mesh_.set.end()) {
        const std::vector<int> members = other->second;
        ids.insert(ids.end(), members.begin(), members.end());
      } else {
        ids.push_back(whole(in, word));
      }
    }
  }

  InputMesh mesh_;
};

}  // namespace

InputMesh read_inp(const std::string& path) {
  InpReader reader;
  reader.read(path, 0);
  return reader.mesh();
}

}  // namespace trammel
