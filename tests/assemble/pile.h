// A pile of shapes on a plane, held against each other by one CONTACT or by one for each two bodies.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "random_model.h"

namespace trammel::test {

inline constexpr const char* pile_law =
    ", STIFFNESS=3E4, EXPONENT=1.6, DAMPING=200, DMAX=0.01, COULOMB_FRICTION=ON, MU_STATIC=0.7\n"
    ", MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=1.5, FRICTION_TRANSITION_VELOCITY=4\n";

/// Balls, ellipsoids and boxes about each other on a plane; every third has two shapes. The shape of body k
/// is GRAPHICS/k, a second one GRAPHICS/(k + 100).
struct Pile {
  static constexpr int bodies = 9;
  std::string parts = "PART/1, GROUND\nMARKER/1, PART=1\nGRAPHICS/1, PLANE, RM=1\n";
  std::vector<std::vector<int>> shapes{{1}};  ///< of ground, then of each body

  explicit Pile(Random& random) {
    for (int k = 2; k < 2 + bodies; ++k) {
      parts += fmt::format(
          "PART/{0}, MASS=1.3, IP=0.3,0.4,0.5, CM={0}0, QG={1:.4f},{2:.4f},{3:.4f}, REULER={4:.4f},1,2\n"
          "MARKER/{0}0, PART={0}\nMARKER/{0}1, PART={0}, QP=0.3,0.2,0.1\n",
          k, random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(0, 1.2),
          random.uniform(0, 3));
      shapes.push_back({k});
      const double size = random.uniform(0.5, 1);
      parts += fmt::format(
          "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE={1:.4f}, YSCALE={1:.4f}, ZSCALE={1:.4f}\n", k, size);
      if (k % 3 > 0) continue;
      shapes.back().push_back(k + 100);
      parts +=
          fmt::format("GRAPHICS/{1}, ELLIPSOID, CM={0}1, XSCALE=0.4, YSCALE=0.4, ZSCALE=0.4\n", k, k + 100);
    }
  }
  static std::string listed(const std::vector<int>& ids) { return fmt::format("{}", fmt::join(ids, ", ")); }
  std::string one_group() const {
    std::vector<int> all;
    for (std::size_t k = 1; k < shapes.size(); ++k) all.insert(all.end(), shapes[k].begin(), shapes[k].end());
    return fmt::format("CONTACT/1, IGEOM={0}, JGEOM=1, {0}\n", listed(all)) + pile_law;
  }
  std::string all_pairs() const {
    std::string text;
    int id = 0;
    for (std::size_t a = 0; a < shapes.size(); ++a)
      for (std::size_t b = a + 1; b < shapes.size(); ++b)
        text += fmt::format("CONTACT/{}, IGEOM={}, JGEOM={}\n", ++id, listed(shapes[a]), listed(shapes[b])) +
                pile_law;
    return text;
  }
};

}  // namespace trammel::test
