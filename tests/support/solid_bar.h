// A bar of solid elements of any kind, for tests of their strains.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "flexible/solid_elements.h"

namespace trammel::test {

/// 6 × 2 × 2 bricks from (0, 0, 0) to (0.6, 0.08, 0.06), slightly bent so that none is a box; cut into six
/// tetrahedra or two wedges each where the kind asks for it, with nodes between corners of quadratic kinds.
class SolidBar {
 public:
  explicit SolidBar(const std::string& type) : kind_(solid_kind(type)) {
    for (int i = 0; i <= 6; ++i)
      for (int j = 0; j <= 2; ++j)
        for (int k = 0; k <= 2; ++k) position_.push_back(bent(0.1 * i, 0.04 * j, 0.03 * k));
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k) add_brick(i, j, k);
  }

  const SolidKind& kind() const { return *kind_; }
  int nodes() const { return static_cast<int>(position_.size()); }
  int elements() const { return static_cast<int>(node_.size()) / kind_->nodes; }
  const Vec3d& position(int node) const { return position_[node]; }
  /// Indices of the nodes of an element.
  const int* node(int element) const { return node_.data() + element * kind_->nodes; }
  static Elasticity material() { return {2e11, 0.3}; }

  /// For CalculiX: nodes are counted from 1, sets ROOT (x = 0) and TIP; `step` is appended.
  std::string inp(const std::string& step) const {
    std::string out = "*NODE, NSET=ALL\n", root = "*NSET, NSET=ROOT\n", tip = "*NSET, NSET=TIP\n";
    for (int p = 0; p < nodes(); ++p) {
      const Vec3d& s = position_[p];
      out += fmt::format("{}, {:.9f}, {:.9f}, {:.9f}\n", p + 1, s.x, s.y, s.z);
      if (s.x < 1e-6) root += fmt::format("{},\n", p + 1);
      if (s.x > 0.6 - 1e-6) tip += fmt::format("{},\n", p + 1);
    }
    out += fmt::format("*ELEMENT, TYPE={}, ELSET=BAR\n", kind_->name);
    for (int e = 0; e < elements(); ++e) {
      std::string line = fmt::format("{}", e + 1);
      for (int a = 0; a < kind_->nodes; ++a)
        line += fmt::format(",{}{}", a == 12 ? "\n" : " ", node(e)[a] + 1);
      out += line + "\n";
    }
    return out + root + tip +
           "*MATERIAL, NAME=STEEL\n*ELASTIC\n2e11, 0.3\n*DENSITY\n7800.\n"
           "*SOLID SECTION, ELSET=BAR, MATERIAL=STEEL\n" +
           step;
  }

 private:
  /// With nine decimals: CalculiX reads no more than 20 characters of a number.
  static Vec3d bent(double x, double y, double z) {
    Vec3d s{x * (1 + 0.4 * y * (0.6 - x)), y + 0.15 * x * (0.6 - x), z * (1 + 0.3 * x) + 0.1 * y * x};
    for (int i = 0; i < 3; ++i) s[i] = std::round(1e9 * s[i]) / 1e9;
    return s;
  }
  int corner(int i, int j, int k) const { return 9 * i + 3 * j + k; }
  void add_brick(int i, int j, int k) {
    int c[8];
    constexpr int at[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                              {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int a = 0; a < 8; ++a) c[a] = corner(i + at[a][0], j + at[a][1], k + at[a][2]);
    using List = std::vector<int>;
    constexpr int brick[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    constexpr int wedge[][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
    constexpr int tetrahedron[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    const std::string name(kind_->name);
    if (name == "C3D4" || name == "C3D10") {
      // Six around the diagonal from corner 0 to corner 6.
      constexpr int around[7] = {1, 2, 3, 7, 4, 5, 1};
      for (int t = 0; t < 6; ++t) add(List{c[0], c[around[t]], c[around[t + 1]], c[6]}, tetrahedron);
    } else if (name == "C3D6" || name == "C3D15") {
      add(List{c[0], c[1], c[2], c[4], c[5], c[6]}, wedge);
      add(List{c[0], c[2], c[3], c[4], c[6], c[7]}, wedge);
    } else {
      add(List(c, c + 8), brick);
    }
  }
  template <std::size_t N>
  void add(std::vector<int> corners, const int (&edges)[N][2]) {
    const std::size_t own = corners.size();
    node_.insert(node_.end(), corners.begin(), corners.end());
    if (own == static_cast<std::size_t>(kind_->nodes)) return;
    for (const auto& [a, b] : edges) {
      const std::array<int, 2> key{std::min(corners[a], corners[b]), std::max(corners[a], corners[b])};
      const auto [found, made] = middle_.try_emplace(key, nodes());
      if (made) position_.push_back(0.5 * (position_[key[0]] + position_[key[1]]));
      node_.push_back(found->second);
    }
  }

  const SolidKind* kind_;
  std::vector<Vec3d> position_;
  std::vector<int> node_;
  std::map<std::array<int, 2>, int> middle_;
};

}  // namespace trammel::test
