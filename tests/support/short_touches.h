// A mass that is thrown at a spring, against its weight, and just reaches it: the touch is shorter than a
// step in free flight.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace trammel::test {

constexpr const char* si_units = "UNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n";

/// A mass above z = 0 on a vertical line.
inline std::string mass_on_line(double mass, double z, double vz, const std::string& force,
                                const std::string& integrator) {
  return "touch\n" + std::string(si_units) +
         "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0,0,-3\n" +
         fmt::format("PART/2, MASS={}, IP=1,1,1, CM=20, QG=0,0,{:.17g}, VZ={:.17g}\n", mass, z, vz) +
         "MARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n" + force + "\nINTEGRATOR/" + integrator +
         "\nEND\n";
}

inline std::string pushed_by(const std::string& function) {
  return "SFORCE/1, TRANSLATION, I=20, J=2, FUNCTION=" + function;
}

/// A spring of 1e4 N/m in each of the ways in which a deck can say it, and the radius at which it touches.
struct SpringOfTouch {
  std::string force;
  double radius = 0;
};
inline std::vector<SpringOfTouch> springs_of_touch() {
  return {{pushed_by("IMPACT(DZ(20,1), VZ(20,1), 0, 1E4, 1, 0, 1)")},
          {pushed_by("BISTOP(DZ(20,1), VZ(20,1), 0, 1E3, 1E4, 1, 0, 1)")},
          {pushed_by("-BISTOP(-DZ(20,1), -VZ(20,1), -1E3, 0, 1E4, 1, 0, 1)")},
          {pushed_by("IF(DZ(20,1): -1E4*DZ(20,1), 0, 0)")},
          {"GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1\n"
           "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E4, EXPONENT=1, DAMPING=0, DMAX=1",
           0.5}};
}

/// The throw of a mass of 1 from a height so that it would come `overlap` beyond the spring's end without the
/// spring.
struct ShortTouch {
  double overlap, height = 0.3;
  static constexpr double weight = 10, stiffness = 1e4;
  double speed() const { return std::sqrt(2 * weight * (height + overlap)); }

  std::string deck(const SpringOfTouch& spring, const std::string& integrator) const {
    return mass_on_line(1, height + spring.radius, -speed(),
                        spring.force + fmt::format("\nACCGRAV/KGRAV={}", weight), integrator);
  }
  /// At t, after the touch: there with the speed w the mass is away again, with w, after the time T,
  /// tan(ω T/2) = ω w/g.
  double speed_at(double t) const {
    const double v = speed(), w = std::sqrt(2 * weight * overlap), omega = std::sqrt(stiffness);
    const double touch = 2 / omega * std::atan(omega * w / weight);
    return w + weight * (t - (v - w) / weight - touch);
  }
  double speed_without_spring(double t) const { return -speed() + weight * t; }
};

}  // namespace trammel::test
