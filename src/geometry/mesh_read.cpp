#include "geometry/mesh_read.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"
#include "geometry/mesh_polygon.h"

namespace trammel {

namespace {

constexpr double farthest = 1e100;  ///< beyond it volumes of a mesh would overflow

/// A word of a file for a message: its first 40 bytes, '?' for those that are no printable ASCII.
std::string shown(std::string_view word) {
  std::string text(word.substr(0, 40));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

/// Lines and words of a text, with the place.
class MeshText {
 public:
  MeshText(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  template <class... Args>
  [[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ExitCode::input, "{}:{}: {}", name_, line_, fmt::format(format, std::forward<Args>(args)...));
  }
  /// The next line that has words, as words; false at the end.
  bool next_line() {
    words_.clear();
    at_ = 0;
    while (words_.empty() && begin_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
      split_words(text_.substr(begin_, end - begin_));
      begin_ = end + 1;
      ++line_;
    }
    return !words_.empty();
  }
  bool end_of_line() const { return at_ >= words_.size(); }
  /// The next word of this line, or of a later one.
  std::string_view word(std::string_view what) {
    if (end_of_line() && !next_line()) wrong("the file ends where {} is expected; is it cut off?", what);
    return words_[at_++];
  }
  double number(std::string_view what) {
    const std::string_view w = word(what);
    const std::string low = lower(w);
    for (const char* none : {"nan", "-nan", "+nan", "inf", "-inf", "+inf", "infinity", "-infinity"})
      if (low == none) wrong("{} is {}; every coordinate must be a finite number", what, shown(w));
    const auto value = parse_number(w);
    if (!value) wrong("'{}' is no number where {} is expected", shown(w), what);
    if (!(std::fabs(*value) <= farthest)) wrong("{} = {} is too large", what, shown(w));
    return *value;
  }
  int integer(std::string_view what) {
    const std::string_view w = word(what);
    const auto value = parse_integer(w);
    if (!value) wrong("'{}' is no whole number where {} is expected", shown(w), what);
    return *value;
  }
  Vec3d point() {
    Vec3d p;
    p.x = number("x of a vertex");
    p.y = number("y of a vertex");
    p.z = number("z of a vertex");
    return p;
  }
  /// What is left of this line, its words one blank apart.
  std::string rest_of_line() {
    std::string rest;
    for (; !end_of_line(); ++at_) rest += (rest.empty() ? "" : " ") + std::string(words_[at_]);
    return rest;
  }
  std::size_t size() const { return text_.size(); }

 private:
  void split_words(std::string_view line) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; };
    for (std::size_t k = 0; k < line.size();) {
      while (k < line.size() && blank(line[k])) ++k;
      const std::size_t from = k;
      while (k < line.size() && !blank(line[k])) ++k;
      if (k > from) words_.push_back(line.substr(from, k - from));
    }
  }

  std::string_view text_;
  std::string name_;
  std::size_t begin_ = 0, at_ = 0;
  int line_ = 0;
  std::vector<std::string_view> words_;
};

void add_polygon(const MeshText& in, TriangleMesh& mesh, std::vector<int> polygon) {
  if (polygon.size() < 3) in.wrong("a face of {} vertices; it must have 3 at least", polygon.size());
  if (polygon.size() > longest_polygon)
    in.wrong("a face of {} vertices; at most {} are supported: export triangles", polygon.size(),
             longest_polygon);
  cut_polygon(mesh, std::move(polygon));
}

/// Where a named part begins.
struct PartMark {
  bool group;  ///< it ends where any part begins; an object ends where the next object does
  std::string name;
  std::size_t triangle;
};
using PartMarks = std::vector<PartMark>;

TriangleMesh parse_stl_binary(std::string_view bytes, const std::string& name) {
  static_assert(std::endian::native == std::endian::little);
  TriangleMesh mesh;
  for (std::size_t at = 84; at + 50 <= bytes.size(); at += 50) {
    const int first = static_cast<int>(mesh.vertices.size());
    for (std::size_t k = 0; k < 3; ++k) {
      float x[3];
      std::memcpy(x, bytes.data() + at + 12 * (k + 1), sizeof x);
      for (const float c : x)
        if (!std::isfinite(c))
          fail(ExitCode::input,
               "{}: byte {}: vertex {} of triangle {} is {}; every coordinate must be a finite number", name,
               at + 12 * (k + 1), k + 1, first / 3 + 1, std::isnan(c) ? "NaN" : "infinite");
      mesh.vertices.push_back({x[0], x[1], x[2]});
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TriangleMesh parse_stl_text(std::string_view bytes, const std::string& name, PartMarks& marks) {
  MeshText in(bytes, name);
  TriangleMesh mesh;
  std::vector<int> loop;
  bool in_loop = false;
  if (!in.next_line() || lower(in.word("solid")) != "solid")
    in.wrong(
        "neither a text STL file (it begins with 'solid') nor a binary one (84 + 50 bytes a triangle; it has "
        "{})",
        bytes.size());
  marks.push_back({false, in.rest_of_line(), 0});
  while (in.next_line()) {
    const std::string key = lower(in.word("a keyword"));
    if (key == "solid") marks.push_back({false, in.rest_of_line(), mesh.triangles.size()});
    if (key == "vertex") {
      if (!in_loop) in.wrong("'vertex' outside of 'outer loop' ... 'endloop'");
      loop.push_back(static_cast<int>(mesh.vertices.size()));
      mesh.vertices.push_back(in.point());
    } else if (key == "outer") {
      if (in_loop) in.wrong("'outer loop' before the 'endloop' of the one before");
      in_loop = true;
      loop.clear();
    } else if (key == "endloop") {
      if (!in_loop) in.wrong("'endloop' without 'outer loop'");
      in_loop = false;
      add_polygon(in, mesh, loop);
    } else if (key != "facet" && key != "endfacet" && key != "endsolid" && key != "solid") {
      in.wrong(
          "'{}' is no keyword of a text STL file; expected facet, outer loop, vertex, endloop, endfacet or "
          "endsolid",
          shown(key));
    }
  }
  if (in_loop) in.wrong("the file ends before 'endloop'; is it cut off?");
  return mesh;
}

/// Text and binary files are told apart by their size: there are binary files that begin with "solid".
TriangleMesh parse_stl(std::string_view bytes, const std::string& name, PartMarks& marks) {
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, sizeof count);
  if (bytes.size() >= 84 && bytes.size() == 84 + 50 * static_cast<std::uint64_t>(count))
    return parse_stl_binary(bytes, name);
  return parse_stl_text(bytes, name, marks);
}

/// The vertex of "7", "7/2/1", "-1" (the last so far).
int obj_vertex(const MeshText& in, std::string_view word, int count) {
  const auto number = parse_integer(word.substr(0, word.find('/')));
  if (!number) in.wrong("'{}' is no vertex of a face; expected a number like 7, 7/2/1 or -1", shown(word));
  const int v = *number < 0 ? count + *number : *number - 1;
  if (v < 0 || v >= count)
    in.wrong("vertex {} does not exist; {} are defined above this line", *number, count);
  return v;
}

TriangleMesh parse_obj(std::string_view bytes, const std::string& name, PartMarks& marks) {
  MeshText in(bytes, name);
  TriangleMesh mesh;
  while (in.next_line()) {
    const std::string_view key = in.word("a keyword");
    if (key == "v") {
      mesh.vertices.push_back(in.point());
    } else if (key == "f") {
      std::vector<int> polygon;
      while (!in.end_of_line())
        polygon.push_back(obj_vertex(in, in.word("a vertex"), static_cast<int>(mesh.vertices.size())));
      add_polygon(in, mesh, std::move(polygon));
    } else if (key == "o" || key == "g") {
      marks.push_back({key == "g", in.rest_of_line(), mesh.triangles.size()});
    }
  }
  return mesh;
}

TriangleMesh parse_shl(std::string_view bytes, const std::string& name, PartMarks&) {
  MeshText in(bytes, name);
  TriangleMesh mesh;
  const int vertices = in.integer("the number of vertices"), faces = in.integer("the number of faces");
  const double scale = in.end_of_line() ? 1.0 : in.number("the scale");
  if (vertices < 0 || faces < 0)
    in.wrong("{} vertices and {} faces; counts cannot be negative", vertices, faces);
  if (!(scale > 0)) in.wrong("the scale is {}; it must be positive", scale);
  // Each number takes a byte and a blank at least.
  if (6.0 * vertices + 8.0 * faces > static_cast<double>(in.size()) + 2)
    in.wrong("{} vertices and {} faces do not fit into {} bytes; is the file cut off?", vertices, faces,
             in.size());
  for (int k = 0; k < vertices; ++k) {
    const Vec3d p = scale * in.point();
    if (!(norm(p) <= farthest)) in.wrong("a vertex times the scale is too large");
    mesh.vertices.push_back(p);
  }
  for (int k = 0; k < faces; ++k) {
    const int n = in.integer("the number of vertices of a face");
    if (n < 3 || n > longest_polygon)
      in.wrong("a face of {} vertices; from 3 to {} are supported", n, longest_polygon);
    std::vector<int> polygon;
    for (int i = 0; i < n; ++i) {
      const int v = in.integer("a vertex of a face");
      if (v < 1 || v > vertices)
        in.wrong("vertex {} does not exist; the file has {}, from 1 on", v, vertices);
      polygon.push_back(v - 1);
    }
    add_polygon(in, mesh, std::move(polygon));
  }
  if (!in.end_of_line() || in.next_line())
    in.wrong("more follows after the last of {} faces; check the counts of line 1", faces);
  return mesh;
}

struct FormatRow {
  const char* ending;
  MeshFormat format;
  TriangleMesh (*parse)(std::string_view bytes, const std::string& name, PartMarks& marks);
};

constexpr FormatRow formats[] = {{".stl", MeshFormat::stl, parse_stl},
                                 {".obj", MeshFormat::obj, parse_obj},
                                 {".shl", MeshFormat::shl, parse_shl}};

/// The names of parts that have triangles, each once, for a message: the first few.
std::vector<std::string> names_of_parts(const PartMarks& marks, std::size_t triangles) {
  constexpr std::size_t most = 6;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < marks.size() && names.size() < most; ++k) {
    const std::size_t end = k + 1 < marks.size() ? marks[k + 1].triangle : triangles;
    const std::string name = shown(marks[k].name);
    if (end > marks[k].triangle && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

/// Leaves the triangles that are kept, and their vertices.
void keep_triangles(TriangleMesh& mesh, const std::vector<bool>& kept) {
  TriangleMesh part;
  std::vector<int> place(mesh.vertices.size(), -1);
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    if (!kept[k]) continue;
    part.triangles.push_back(mesh.triangles[k]);
    for (int& v : part.triangles.back()) {
      if (place[v] < 0) {
        place[v] = static_cast<int>(part.vertices.size());
        part.vertices.push_back(mesh.vertices[v]);
      }
      v = place[v];
    }
  }
  mesh = std::move(part);
}

/// Leaves the element, or all where there is one part or none.
void take_element(TriangleMesh& mesh, const PartMarks& marks, const std::string& name, MeshElement& element) {
  std::vector<bool> kept(mesh.triangles.size(), false);
  bool object = false, group = false;
  std::size_t next = 0;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    for (; next < marks.size() && marks[next].triangle <= k; ++next) {
      const bool is = equal_ignoring_case(marks[next].name, element.name);
      object = marks[next].group ? object : is;
      group = marks[next].group && is;
    }
    kept[k] = object || group;
    element.found = element.found || kept[k];
  }
  if (element.found) return keep_triangles(mesh, kept);
  if (const auto names = names_of_parts(marks, mesh.triangles.size()); names.size() > 1)
    fail(ExitCode::input, "{}: no part is called '{}'; there are {}", name, shown(element.name),
         fmt::join(names, ", "));
}

}  // namespace

MeshFormat mesh_format(const std::string& path) {
  const std::string ending = lower(std::filesystem::path(path).extension().string());
  for (const FormatRow& row : formats)
    if (ending == row.ending) return row.format;
  fail(ExitCode::unsupported, "{}: files '{}' are not supported; export the solid as .stl, .obj or .shl",
       path, ending);
}

TriangleMesh parse_mesh(std::string_view bytes, MeshFormat format, const std::string& name,
                        Diagnostics& diagnostics, MeshElement* element) {
  PartMarks marks;
  TriangleMesh mesh = formats[static_cast<int>(format)].parse(bytes, name, marks);
  if (element) take_element(mesh, marks, name, *element);
  if (mesh.triangles.empty()) fail(ExitCode::input, "{}: the file has no faces", name);
  const int moved = merge_vertices(mesh, 1e-9 * mesh_size(mesh));
  if (moved > 0)
    diagnostics.note({name, 0},
                     "{} vertices that differ by less than 1e-9 of the size are taken as one with others",
                     moved);
  return mesh;
}

TriangleMesh read_mesh(const std::string& path, Diagnostics& diagnostics, MeshElement* element) {
  const MeshFormat format = mesh_format(path);
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none))  // no device or pipe is opened: those may never end
    fail(ExitCode::io, "{}: {}", path, std::filesystem::exists(path, none) ? "not a file" : "no such file");
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) fail(ExitCode::io, "{}: cannot be read", path);
  return parse_mesh(bytes, format, path, diagnostics, element);
}

}  // namespace trammel
