// Decks with a ball above ground.
#pragma once

#include <string>

#include <fmt/format.h>

namespace trammel::test {

inline constexpr const char* metric = "UNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n";

inline std::string deck(const std::string& body) {
  return "contact\n" + std::string(metric) + "PART/1, GROUND\nMARKER/1, PART=1\n" + body + "END\n";
}

/// A ball of radius 0.1 and mass 2 above the plane z = 0.
inline std::string ball(const std::string& start, int id = 2) {
  return fmt::format(
      "PART/{0}, MASS=2, IP=0.008, 0.008, 0.008, CM={0}0, {1}\nMARKER/{0}0, PART={0}\n"
      "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n",
      id, start);
}

}  // namespace trammel::test
