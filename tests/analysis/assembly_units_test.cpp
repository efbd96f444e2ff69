// No answer of initial conditions depends on the unit of length.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"
#include "linkages.h"

namespace trammel::assembly_units_test {
namespace {

using namespace test;

/// Places, orientations, velocities and accelerations of the parts at t = 0, in metres.
struct Initial {
  std::vector<double> place, acceleration;
};
Initial initial(const std::string& deck, double per_meter) {
  Recording r(deck);
  r.simulation->initialize();
  r.simulation->run(initial_analysis);
  Initial out;
  std::size_t k = 0;
  for (const Entity& e : r.simulation->channels().entities)
    for (const Component& c : e.components) {
      const double value = r.values.back()[k++];
      if (!e.name().starts_with("PART/")) continue;
      const bool rotation = c.name == "PSI" || c.name == "THETA" || c.name == "PHI";
      if (rotation)
        out.place.push_back(std::cos(value));  // angles are alike up to turns
      else if (c.name.starts_with("WD"))
        out.acceleration.push_back(value);
      else if (c.name.starts_with("ACC"))
        out.acceleration.push_back(value / per_meter);
      else
        out.place.push_back(c.name.starts_with("W") ? value : value / per_meter);
    }
  return out;
}

void expect_alike(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                  const std::string& which) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], tolerance * std::max(1.0, std::fabs(b[k]))) << which << ", value " << k;
}

TEST(AssemblyUnits, linkages_assemble_alike_in_every_unit) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const bool closed = seed % 2 == 0;
    LinkageOptions options;
    options.misplaced = 0.05;
    std::vector<Initial> found;
    for (const LengthUnit& unit : {meter, millimeter, inch}) {
      options.unit = unit;
      const int bars = static_cast<int>(closed ? 3 + seed % 4 / 2 : 1 + seed % 3);
      found.push_back(initial(linkage(seed, bars, closed, options), unit.per_meter));
    }
    // Rounding, magnified where misplaced rows depend on others nearly: 1e-9 of places. Accelerations follow
    // places by gravity over length and the square of the linkage's leverage, at most about 50.
    for (std::size_t u = 1; u < found.size(); ++u) {
      const std::string which = fmt::format("seed {}, unit {}", seed, u);
      expect_alike(found[u].place, found[0].place, 1e-9, which);
      expect_alike(found[u].acceleration, found[0].acceleration, 1e-7, which);
    }
  }
}

}  // namespace
}  // namespace trammel::assembly_units_test
