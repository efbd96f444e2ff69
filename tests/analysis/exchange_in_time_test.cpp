// Redundant equations change places before one that is needed vanishes, whatever the size of steps.
#include <gtest/gtest.h>

#include <regex>

#include "../support/simulate.h"

namespace trammel::exchange_in_time_test {
namespace {

using namespace test;

/// A Bennett linkage: four revolute joints, one degree of freedom, three redundant equations. At 0.339 s one
/// of those that hold it from the start on vanishes.
const std::string bennett =
    "bennett\n"
    "PART/1, GROUND\n"
    "PART/2, MASS=1.3, CM=200, IP=0.12000000000000001, 0.14999999999999999, 0.12\n"
    ", QG=0.45829654069387366, 0.54015419908171447, -0.082778512963301243, REULER=1.1897165959087017, "
    "0.36473731263879311, -1.0245808396794793\n"
    "PART/3, MASS=1.6000000000000001, CM=300, IP=0.14000000000000001, 0.14999999999999999, 0.12\n"
    ", QG=-0.11185461224019611, 0.13941870667776624, -0.12277851296330147, REULER=1.3818833519588167, "
    "0.58898721414592037, -0.83241408362936431\n"
    "PART/4, MASS=1.8999999999999999, CM=400, IP=0.16, 0.14999999999999999, 0.12\n"
    ", QG=-0.19999999999999984, 0.05999999999999997, -0.12000000000000023, REULER=1.6088624441872321, "
    "0.68838876159063955, -0.60543499140094892\n"
    "MARKER/200, PART=2, QP=0, 0, 0, REULER=0, 0, 0\n"
    "MARKER/300, PART=3, QP=0, 0, 0, REULER=0, 0, 0\n"
    "MARKER/400, PART=4, QP=0, 0, 0, REULER=0, 0, 0\n"
    "MARKER/1001, PART=1, QP=0, 0, 0, REULER=0, 0, 0\n"
    "MARKER/1002, PART=4, QP=-0.012109392168500068, -0.10122809889072153, 0.21818852998331453, "
    "REULER=-2.5361576621888444, 0.68838876159063955, 1.5327302094025612\n"
    "MARKER/1003, PART=2, QP=0.1072118467173357, 0.29784705653968824, 0.06451188979321916, "
    "REULER=0.58020439384992928, 0.25029504201443914, -0.63459503399467587\n"
    "MARKER/1004, PART=1, QP=0.54030230586813977, 0.8414709848078965, 0, REULER=1, 0.59999999999999998, "
    "-0.90962866911936968\n"
    "MARKER/1005, PART=3, QP=0.30063265150893353, -0.096140643265228934, 0.23653720510512927, "
    "REULER=-1.9532548549368633, 0.45776108250862368, 1.4611904642542928\n"
    "MARKER/1006, PART=2, QP=-0.23242947072213174, -0.30870450944560734, -0.01757935997658476, "
    "REULER=-1.5210822114140816, 0.21869599259021916, 1.3895264694310101\n"
    "MARKER/1007, PART=4, QP=-0.29764193257833743, 0.35811331617264114, -0.22619489992231517, "
    "REULER=-3.1405190545425903, 0.76851509704333743, 1.9901814035081102\n"
    "MARKER/1008, PART=3, QP=-0.55609893810296951, 0.17161463645734143, -0.2042780550002237, "
    "REULER=-2.9054648233237059, 0.7632917317076191, 2.2319483073983024\n"
    "JOINT/1, REVOLUTE, I=1001, J=1002\n"
    "JOINT/2, REVOLUTE, I=1003, J=1004\n"
    "JOINT/3, REVOLUTE, I=1005, J=1006\n"
    "JOINT/4, REVOLUTE, I=1007, J=1008\n"
    "ACCGRAV/IGRAV=0.29999999999999999, JGRAV=-9, KGRAV=2\n";

/// With so many digits.
std::string in_digits(int digits) {
  const std::regex number(R"(-?\d+\.\d{6,}(E-\d+)?)");
  std::string out, rest = bennett;
  for (std::smatch m; std::regex_search(rest, m, number); rest = m.suffix())
    out += m.prefix().str() + fmt::format("{:.{}g}", std::stod(m.str()), digits);
  return out + rest;
}

/// The largest JOINT.FM.
double largest_reaction(const std::string& deck, const std::string& integrator, int outputs, bool shared) {
  ComputeSettings compute;
  compute.share_reactions = shared;
  Recording r(deck + "INTEGRATOR/" + integrator + "\nEND\n", "bennett.adm", compute);
  r.simulation->run(dynamics_analysis, {0.5, outputs});
  double largest = 0;
  for (std::size_t k = 0; k < r.time.size(); ++k)
    for (const char* joint : {"JOINT/1", "JOINT/2", "JOINT/3", "JOINT/4"})
      largest = std::max(largest, norm(r.vector(k, joint, "FX", "FY", "FZ")));
  return largest;
}

TEST(ExchangeInTime, reactions_do_not_grow_with_the_number_of_outputs) {
  // Least reactions, of all that move the links alike; those of a choice of rows by which no others depend on
  // them with coefficients above 2 are a few times as large at most. Those of a row that vanishes have no
  // bound.
  constexpr double times = 4;
  for (const char* integrator : {"GSTIFF,SI2,ERROR=1E-6", "RADAU,ERROR=1E-4", "HHT,ERROR=1E-4"}) {
    const double least = largest_reaction(in_digits(17), integrator, 500, true);
    EXPECT_NEAR(least, 63, 5) << integrator;  // beside what rounding of a singular choice would leave
    for (const int outputs : {50, 500})
      for (const int digits : {17, 8})
        EXPECT_LT(largest_reaction(in_digits(digits), integrator, outputs, false), times * least)
            << integrator << ' ' << outputs << ' ' << digits;
  }
}

}  // namespace
}  // namespace trammel::exchange_in_time_test
