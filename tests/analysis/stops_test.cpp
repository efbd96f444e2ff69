// A mass that falls on a stiff stop, or lies on it: in no record may its acceleration be another one than its
// forces give it, and it rises no higher than it came from.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::stops_test {
namespace {

using namespace test;

constexpr double mass = 2, g = 9.81, radius = 0.1;

/// A force law, and its channel.
struct Stop {
  const char* name;
  std::string statements;
  const char *entity, *component;
};
void PrintTo(const Stop& stop, std::ostream* out) {
  *out << stop.name;
}

Stop impact(const char* name, double exponent, double stiffness) {
  return {name,
          fmt::format("SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1\n"
                      ",FUNCTION=IMPACT(DZ(20),VZ(20),{},{},{},100,1E-5)\n",
                      radius, stiffness, exponent),
          "SFORCE/1", "FZ"};
}
Stop by_function(const char* name, const std::string& function) {
  return {name, "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1\n,FUNCTION=" + function + "\n", "SFORCE/1", "FZ"};
}
/// Force K max(0, p) in other words.
Stop by_absolute_value(const char* name, double stiffness) {
  return by_function(name, fmt::format("{}*({}-DZ(20)+ABS({}-DZ(20)))", stiffness / 2, radius, radius));
}
/// 1 N at the surface, e times as much for each `length` inside of it.
Stop exponential(const char* name, double length) {
  return by_function(name, fmt::format("EXP(({}-DZ(20))/{})", radius, length));
}
/// A force that levels off: 0.02 N at the surface.
Stop levelling(const char* name, double most, double length) {
  const double depth = length * std::atanh(1 - 0.04 / most);
  return by_function(name, fmt::format("{}*(1+TANH(({}-DZ(20)-{})/{}))", most / 2, radius, depth, length));
}
/// In a guide that bears a load across it.
Stop guided(const char* name, double load, double stiffness) {
  Stop stop = impact(name, 1, stiffness);
  stop.statements += fmt::format(
      "JOINT/1,TRANSLATIONAL,I=20,J=1\nMARKER/11,PART=1,REULER=0,90D,0\n"
      "SFORCE/2,TRANSLATION,ACTIONONLY,I=20,J=11,FUNCTION={}\n",
      load);
  return stop;
}
/// By way of a VARIABLE.
Stop by_variable(const char* name, double stiffness) {
  return {name,
          fmt::format("VARIABLE/1,FUNCTION=IMPACT(DZ(20),VZ(20),{},{},1,2E4,1E-6)\n"
                      "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=VARVAL(1)\n",
                      radius, stiffness),
          "SFORCE/1", "FZ"};
}
Stop ball(const char* name, double restitution, double stiffness) {
  return {name,
          fmt::format("GRAPHICS/1,ELLIPSOID,CM=20,XSCALE=.2,YSCALE=.2,ZSCALE=.2\nGRAPHICS/2,PLANE,RM=1\n"
                      "CONTACT/1,IGEOM=1,JGEOM=2,POISSON,PENALTY={},RESTITUTION={}\n",
                      stiffness, restitution),
          "CONTACT/1", "FZ"};
}

std::string deck(const Stop& stop, double drop, const std::string& integrator) {
  return fmt::format(
      "stop\nUNITS/SYSTEM=MKS\nACCGRAV/KGRAV={}\nPART/1,GROUND\nMARKER/1,PART=1\n"
      "PART/2,MASS={},CM=20,IP=8E-3,8E-3,8E-3,QG=0,0,{:.17g}\nMARKER/20,PART=2\n{}INTEGRATOR/"
      "{},HMAX=.1\nEND\n",
      -g, mass, radius + drop, stop.statements, integrator);
}

class Stops : public testing::TestWithParam<std::tuple<const char*, Stop>> {};

TEST_P(Stops, what_stands_on_them_is_not_thrown) {
  const auto& [integrator, stop] = GetParam();
  for (const double drop : {0.0, 1e-6, 1e-4})
    for (const int outputs : {10, 40}) {
      SCOPED_TRACE(fmt::format("drop {} outputs {}", drop, outputs));
      Recording r(deck(stop, drop, integrator));
      r.simulation->run(dynamics_analysis, {0.2, outputs});
      const double error = r.simulation->settings().integrator.error;
      // A stop leaves ε^(2/3) in velocities (26b), and is touched some twenty times. Those of I3 that is
      // asked for by name are not controlled, as it says: half a metre per second, of 27 that were.
      const bool by_name = std::string(integrator).find("I3") != std::string::npos;
      const double fastest = std::sqrt(2 * g * drop) + 20 * std::cbrt(error * error) + (by_name ? 0.5 : 0.0),
                   highest = fastest * fastest / (2 * g) + error;
      for (std::size_t k = 0; k < r.time.size(); ++k) {
        SCOPED_TRACE(r.time[k]);
        const double force = r.at(k, stop.entity, stop.component);
        // A residual may be a hundredth of m a, or what ERROR allows; records have four times that.
        EXPECT_NEAR(mass * r.at(k, "PART/2", "ACCZ"), force - mass * g, 0.05 * (mass * g + std::abs(force)));
        EXPECT_LT(r.at(k, "PART/2", "Z") - radius, highest);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(
    , Stops,
    testing::Combine(testing::Values("GSTIFF,SI2,ERROR=1E-3", "WSTIFF,SI2,ERROR=1E-3", "GSTIFF,I3,ERROR=1E-3",
                                     "GSTIFF,I3,ERROR=1E-4", "GSTIFF,ERROR=1E-3", "HHT,ERROR=1E-3",
                                     "HHT,ERROR=1E-5", "RADAU"),
                     testing::Values(impact("impact_1e7", 1, 1e7), impact("impact_1e9", 1, 1e9),
                                     impact("impact_of_2_2", 2.2, 1e10), by_absolute_value("abs_1e9", 1e9),
                                     exponential("exponential_of_1e_5", 1e-5),
                                     levelling("levelling_at_1e3", 1e3, 1e-5),
                                     guided("guided_1e10", 1e5, 1e10), by_variable("variable_1e9", 1e9),
                                     ball("ball_1e8", 0, 1e8), ball("ball_1e9", 0.3, 1e9),
                                     ball("ball_1e10", 0.3, 1e10))));

/// A rotor on its stop, without mass: what its inertia is tells what its moments are beside.
class RotorsOnStops : public testing::TestWithParam<const char*> {};

TEST_P(RotorsOnStops, need_no_mass) {
  for (const double stiffness : {1e5, 1e9})
    for (const double ahead : {0.0, 1e-6}) {
      SCOPED_TRACE(fmt::format("{} N m/rad, {} rad ahead", stiffness, ahead));
      Recording r(fmt::format(
          "rotor\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,CM=20,IP=8E-3,8E-3,8E-3\n"
          ",REULER={:.17g},0,0\nMARKER/20,PART=2\nJOINT/1,REVOLUTE,I=20,J=1\n"
          "SFORCE/1,ROTATION,I=20,J=1,FUNCTION=IMPACT(AZ(20),WZ(20),0,{},1,0,1E-4)-1\n"
          "REQUEST/1,F2=AZ(20)\nINTEGRATOR/{}\nEND\n",
          ahead, stiffness, GetParam()));
      r.simulation->run(dynamics_analysis, {0.5, 100});
      const double error = r.simulation->settings().integrator.error;
      for (std::size_t k = 0; k < r.time.size(); ++k)
        EXPECT_LT(r.at(k, "REQUEST/1", "F2"), ahead + error) << r.time[k];
    }
}

INSTANTIATE_TEST_SUITE_P(, RotorsOnStops,
                         testing::Values("GSTIFF,SI2,ERROR=1E-3", "HHT,ERROR=1E-3", "HHT,ERROR=1E-4",
                                         "RADAU"));

}  // namespace
}  // namespace trammel::stops_test
