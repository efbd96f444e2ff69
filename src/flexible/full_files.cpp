#include "flexible/full_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>

#include "base/text_records.h"
#include "flexible/inner_unknowns.h"

namespace trammel {

namespace {

/// Numbers of a line, between blanks or commas.
class Numbers {
 public:
  Numbers(const TextRecords& in, const std::string& line)
      : in_(in), at_(line.data()), end_(at_ + line.size()) {}
  int integer(const char* what, int least, int most) {
    int value = 0;
    take(value, what);
    if (value < least || value > most) in_.wrong("{} is {}; {} to {} is possible", what, value, least, most);
    return value;
  }
  double number(const char* what) {
    double value = 0;
    take(value, what);
    return value;
  }

 private:
  template <class T>
  void take(T& value, const char* what) {
    while (at_ != end_ && (*at_ == ' ' || *at_ == ',' || *at_ == '\t' || *at_ == '+')) ++at_;
    const auto [next, error] = std::from_chars(at_, end_, value);
    if (error != std::errc{}) in_.wrong("{} is expected, found '{}'", what, std::string_view(at_, end_));
    at_ = next;
  }

  const TextRecords& in_;
  const char *at_, *end_;
};

/// Calls f(record) for every line with numbers; ** begins a comment.
template <class F>
void for_records(const std::string& path, F&& f) {
  TextRecords in(path);
  for (std::string line; in.next(line);) {
    if (line.find_first_not_of(" \t\r") == line.npos || line.starts_with("**")) continue;
    Numbers numbers(in, line);
    f(in, numbers);
  }
}

/// Unknowns of nodes, as files name them.
struct Freedom {
  int node, direction;  ///< id, 0 to 5
  auto operator<=>(const Freedom&) const = default;
};

[[noreturn]] void strange_node(const std::string& inp, int node) {
  fail(ExitCode::input,
       "{}: node {} of the matrices is not among its nodes. CalculiX makes nodes of its own for shells and "
       "beams: model them with solids",
       inp, node);
}

/// The model's nodes and unknowns, without matrices; `place`: per freedom of the list its unknown.
FullModel model_of(const std::string& inp, const InputMesh& mesh, const std::vector<Freedom>& freedoms,
                   std::vector<int>& place) {
  std::vector<int> order(freedoms.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return freedoms[a] < freedoms[b]; });
  FullModel out;
  out.source = inp;
  place.resize(order.size());
  for (const int k : order) {
    const Freedom& f = freedoms[k];
    if (out.node_id.empty() || out.node_id.back() != f.node) {
      const auto at = mesh.node.find(f.node);
      if (at == mesh.node.end()) strange_node(inp, f.node);
      out.node_id.push_back(f.node);
      out.position.push_back(at->second);
      out.first.push_back(out.unknowns());
    } else if (out.direction.back() == f.direction) {
      fail(ExitCode::input, "{}: direction {} of node {} stands twice among the unknowns", inp,
           f.direction + 1, f.node);
    }
    place[k] = out.unknowns();
    out.direction.push_back(static_cast<unsigned char>(f.direction));
  }
  out.first.push_back(out.unknowns());
  if (out.unknowns() == 0) fail(ExitCode::input, "{}: its matrices have no unknowns", inp);
  return out;
}

std::string sibling(const std::string& inp, const char* end) {
  const std::string path = std::filesystem::path(inp).replace_extension(end).string();
  if (!std::filesystem::is_regular_file(path))
    fail(ExitCode::io,
         "{} is missing. CalculiX makes it: end {} with the step\n  *STEP\n  *FREQUENCY, "
         "SOLVER=MATRIXSTORAGE\n  1\n  *END STEP\nand run 'ccx {}'",
         path, inp, std::filesystem::path(inp).stem().string());
  return path;
}

}  // namespace

FullModel read_calculix(const std::string& inp, const InputMesh& mesh) {
  const std::string dof = sibling(inp, ".dof"), sti = sibling(inp, ".sti"), mas = sibling(inp, ".mas");
  std::vector<Freedom> freedoms;
  TextRecords lines(dof);
  for (std::string line; lines.next(line);) {
    const std::size_t dot = line.find('.');
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (dot == line.npos) lines.wrong("node.direction is expected, found '{}'", line);
    const std::string before = line.substr(0, dot), behind = line.substr(dot + 1);
    Numbers node(lines, before), direction(lines, behind);
    freedoms.push_back({node.integer("a node", 1, 0x7fffffff), direction.integer("a direction", 1, 6) - 1});
  }
  // Elements C3D8I have unknowns of their own, at nodes that the mesh lacks; they are counted behind the
  // others.
  const auto of_mesh = [&](const Freedom& f) { return mesh.node.contains(f.node); };
  std::vector<Freedom> nodal, inner;
  for (const Freedom& f : freedoms) (of_mesh(f) ? nodal : inner).push_back(f);
  std::vector<int> place_of_nodal, place;
  FullModel out = model_of(inp, mesh, nodal, place_of_nodal);
  const int all = static_cast<int>(freedoms.size());
  for (int next = out.unknowns(), at = 0; const Freedom& f : freedoms)
    place.push_back(of_mesh(f) ? place_of_nodal[at++] : next++);
  const auto matrix = [&](const std::string& path) {
    std::vector<MatrixEntry> entries;
    for_records(path, [&](const TextRecords&, Numbers& n) {
      const int i = n.integer("a row", 1, all), j = n.integer("a column", 1, all);
      entries.push_back({place[i - 1], place[j - 1], n.number("a value")});
    });
    return entries;
  };
  std::vector<MatrixEntry> stiffness = matrix(sti), mass = matrix(mas);
  if (!inner.empty())
    if (const int k = condense_inner_unknowns(out.unknowns(), all, stiffness, mass); k >= 0)
      strange_node(inp, inner[k - out.unknowns()].node);
  set_matrices(out, std::move(stiffness), std::move(mass));
  return out;
}

FullModel read_node_matrices(const std::string& inp, const InputMesh& mesh, const std::string& stiffness,
                             const std::string& mass) {
  struct NodeEntry {
    Freedom row, column;
    double value;
  };
  const auto read = [](const std::string& path) {
    std::vector<NodeEntry> entries;
    for_records(path, [&](const TextRecords&, Numbers& n) {
      const auto freedom = [&] {
        const int node = n.integer("a node", 1, 0x7fffffff);
        return Freedom{node, n.integer("a direction", 1, 6) - 1};
      };
      const Freedom row = freedom();
      const Freedom column = freedom();
      entries.push_back({row, column, n.number("a value")});
    });
    return entries;
  };
  std::vector<NodeEntry> k = read(stiffness), m = read(mass);
  std::vector<Freedom> freedoms;
  for (const std::vector<NodeEntry>* list : {&k, &m})
    for (const NodeEntry& e : *list)
      if (e.row == e.column) freedoms.push_back(e.row);
  std::sort(freedoms.begin(), freedoms.end());
  freedoms.erase(std::unique(freedoms.begin(), freedoms.end()), freedoms.end());
  std::vector<int> place;
  FullModel out = model_of(inp, mesh, freedoms, place);
  const auto unknown = [&](const Freedom& f, const std::string& path) {
    const auto at = std::lower_bound(freedoms.begin(), freedoms.end(), f);
    if (at == freedoms.end() || *at != f)
      fail(ExitCode::input, "{}: direction {} of node {} has no entry on the diagonal", path, f.direction + 1,
           f.node);
    return place[at - freedoms.begin()];
  };
  const auto entries_of = [&](std::vector<NodeEntry>& list, const std::string& path) {
    std::vector<MatrixEntry> out_list;
    for (const NodeEntry& e : list)
      out_list.push_back({unknown(e.row, path), unknown(e.column, path), e.value});
    std::vector<NodeEntry>().swap(list);
    return out_list;
  };
  std::vector<MatrixEntry> entries = entries_of(k, stiffness);
  set_matrices(out, std::move(entries), entries_of(m, mass));
  return out;
}

}  // namespace trammel
