#include "geometry/mesh_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/mesh_edges.h"
#include "geometry/mesh_mass.h"
#include "geometry/mesh_polygon.h"

namespace trammel {

namespace {

std::string at(const Vec3d& p) {
  return fmt::format("({}, {}, {})", p.x, p.y, p.z);
}

/// 2 triangles.
std::string count_of(int n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

using Triangle = std::array<int, 3>;

int remove_degenerate(TriangleMesh& mesh) {
  return static_cast<int>(std::erase_if(
      mesh.triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }));
}

/// +1 if the vertices go round as the sorted ones do, else -1.
int sense(const Triangle& t) {
  return (t[0] < t[1]) + (t[1] < t[2]) + (t[2] < t[0]) == 2 ? 1 : -1;
}

/// Of triangles with the same vertices one is kept; none if there is one of each sense.
int remove_duplicates(TriangleMesh& mesh) {
  const int count = static_cast<int>(mesh.triangles.size());
  std::vector<Triangle> sorted = mesh.triangles;
  for (Triangle& t : sorted) std::sort(t.begin(), t.end());
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return sorted[a] < sorted[b]; });
  std::vector<char> drop(count, 0);
  for (int k = 0, end = 0; k < count; k = end) {
    int sum = 0;
    for (end = k; end < count && sorted[order[end]] == sorted[order[k]]; ++end)
      sum += sense(mesh.triangles[order[end]]);
    if (end == k + 1) continue;
    for (int i = k; i < end; ++i) drop[order[i]] = 1;
    const auto kept = std::find_if(order.begin() + k, order.begin() + end,
                                   [&](int t) { return sense(mesh.triangles[t]) * sum > 0; });
    if (kept != order.begin() + end) drop[*kept] = 0;
  }
  int t = 0;
  return static_cast<int>(std::erase_if(mesh.triangles, [&](const Triangle&) { return drop[t++] != 0; }));
}

void require_closed(const TriangleMesh& mesh, const std::vector<TriangleSide>& sides,
                    const std::string& name) {
  int open = 0, crowded = 0;
  const TriangleSide *first_open = nullptr, *first_crowded = nullptr;
  for (std::size_t k = 0, end = 0; k < sides.size(); k = end) {
    for (end = k; end < sides.size() && sides[end].low == sides[k].low && sides[end].high == sides[k].high;)
      ++end;
    if (end - k == 1 && open++ == 0) first_open = &sides[k];
    if (end - k > 2 && crowded++ == 0) first_crowded = &sides[k];
  }
  const auto ends = [&](const TriangleSide* s) {
    return fmt::format("from {} to {}", at(mesh.vertices[s->low]), at(mesh.vertices[s->high]));
  };
  if (open > 0)
    fail(ExitCode::input,
         "{}: the surface is not closed: {} of one face only, the first {}; close it where it was made", name,
         count_of(open, "edge"), ends(first_open));
  if (crowded > 0)
    fail(ExitCode::input, "{}: {} of more than two faces, the first {}; separate the solids that touch there",
         name, count_of(crowded, "edge"), ends(first_crowded));
}

void turn(Triangle& t) {
  std::swap(t[1], t[2]);
}

/// The shells of a closed mesh, and the sense of each triangle by that of its shell's first.
struct Shells {
  std::vector<int> of;         ///< by triangle
  std::vector<char> opposite;  ///< by triangle: of the other sense than the first
  int count = 0;
};

Shells find_shells(const TriangleMesh& mesh, const std::vector<TriangleSide>& sides,
                   const std::string& name) {
  const int count = static_cast<int>(mesh.triangles.size());
  struct Neighbour {
    int triangle;
    bool same;
  };
  std::vector<std::vector<Neighbour>> neighbours(count);
  for (std::size_t k = 0; k + 1 < sides.size(); k += 2) {
    const bool same = sides[k].forward != sides[k + 1].forward;
    neighbours[sides[k].triangle].push_back({sides[k + 1].triangle, same});
    neighbours[sides[k + 1].triangle].push_back({sides[k].triangle, same});
  }
  Shells shells{std::vector<int>(count, -1), std::vector<char>(count, 0), 0};
  std::vector<int> front;
  for (int t = 0; t < count; ++t) {
    if (shells.of[t] >= 0) continue;
    shells.of[t] = shells.count;
    front.assign(1, t);
    while (!front.empty()) {
      const int a = front.back();
      front.pop_back();
      for (const Neighbour& b : neighbours[a]) {
        const char opposite = shells.opposite[a] ^ !b.same;
        if (shells.of[b.triangle] < 0) {
          shells.of[b.triangle] = shells.count;
          shells.opposite[b.triangle] = opposite;
          front.push_back(b.triangle);
        } else if (shells.opposite[b.triangle] != opposite) {
          fail(ExitCode::input, "{}: the surface has only one side, as seen at {}; it bounds no solid", name,
               at(mesh.vertices[mesh.triangles[a][0]]));
        }
      }
    }
    ++shells.count;
  }
  return shells;
}

/// Turns the fewer triangles of each shell. Returns how many.
int align(TriangleMesh& mesh, const Shells& shells) {
  std::vector<int> balance(shells.count, 0);
  const std::size_t count = mesh.triangles.size();
  for (std::size_t t = 0; t < count; ++t) balance[shells.of[t]] += shells.opposite[t] ? -1 : 1;
  int turned = 0;
  for (std::size_t t = 0; t < count; ++t)
    if ((shells.opposite[t] != 0) != (balance[shells.of[t]] < 0)) {
      turn(mesh.triangles[t]);
      ++turned;
    }
  return turned;
}

struct Shell {
  TriangleMesh mesh;
  double volume;
  std::array<Vec3d, 2> box;
};

std::vector<Shell> separate(const TriangleMesh& mesh, const Shells& shells) {
  std::vector<Shell> list(shells.count);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    TriangleMesh& part = list[shells.of[t]].mesh;
    const int first = static_cast<int>(part.vertices.size());
    for (const int v : mesh.triangles[t]) part.vertices.push_back(mesh.vertices[v]);
    part.triangles.push_back({first, first + 1, first + 2});
  }
  for (Shell& shell : list) {
    shell.volume = mesh_mass(shell.mesh).volume;
    shell.box = mesh_bounds(shell.mesh);
  }
  return list;
}

bool box_inside(const Shell& a, const Shell& b) {
  for (int i = 0; i < 3; ++i)
    if (a.box[0][i] <= b.box[0][i] || a.box[1][i] >= b.box[1][i]) return false;
  return true;
}

/// Turns the shells that are inside out and in no other. Returns how many.
int turn_outward(TriangleMesh& mesh, const Shells& shells) {
  const std::vector<Shell> list = separate(mesh, shells);
  std::vector<char> inverted(list.size(), 0);
  for (std::size_t s = 0; s < list.size(); ++s)
    if (list[s].volume < 0)
      inverted[s] = std::none_of(list.begin(), list.end(),
                                 [&](const Shell& other) { return box_inside(list[s], other); });
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (inverted[shells.of[t]]) turn(mesh.triangles[t]);
  return static_cast<int>(std::count(inverted.begin(), inverted.end(), 1));
}

}  // namespace

void check_mesh(TriangleMesh& mesh, const std::string& name, Diagnostics& diagnostics) {
  const Location where{name, 0};
  if (const int n = remove_degenerate(mesh))
    diagnostics.note(where, "{} with a vertex twice removed", count_of(n, "face"));
  if (const int n = remove_duplicates(mesh))
    diagnostics.note(where, "{} with the same vertices as another removed", count_of(n, "face"));
  const std::vector<TriangleSide> sides = sorted_sides(mesh);
  require_closed(mesh, sides, name);
  const Shells shells = find_shells(mesh, sides, name);
  if (const int n = align(mesh, shells))
    diagnostics.note(where, "{} turned to the sense of the neighbours", count_of(n, "face"));
  if (const int n = turn_outward(mesh, shells))
    diagnostics.note(where, "{} inside out, turned", count_of(n, "shell"));
  if (shells.count > 1) diagnostics.note(where, "the surface has {} separate shells", shells.count);
  const double size = mesh_size(mesh);
  if (!(mesh_mass(mesh).volume > 1e-12 * size * size * size))
    fail(ExitCode::input, "{}: the surface encloses no volume (its size is {}); it bounds no solid", name,
         size);
}

}  // namespace trammel
