// What a REQUEST's names and units become in results.
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::requests_test {
namespace {

using namespace test;

const std::string part =
    "title\nPART/1, GROUND\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1, VX = 2\nMARKER/21, PART = 2\n";

const Entity& request(const Recording& r, int id) {
  for (const Entity& e : r.simulation->channels().entities)
    if (e.type == "REQUEST" && e.id == id) return e;
  throw std::runtime_error("no such request");
}

TEST(Requests, names_and_units_of_components) {
  Recording r(part +
              "REQUEST/1, F2 = DX(21)\\F3 = VX(21)\\F4 = 3\\CNAMES = way, , speed, number, CUNITS = , , "
              "\"Velocity\", "
              "no_units, RESULTS_NAME = path\nREQUEST/2, DISPLACEMENT, I = 21, CUNITS = , \"force\"\nEND\n");
  const Entity& named = request(r, 1);
  EXPECT_EQ(named.view_name, "path");
  ASSERT_EQ(named.components.size(), 7u);  // the empty name took F2 out
  EXPECT_EQ(named.components[0].name, "way");
  EXPECT_EQ(named.components[1].name, "speed");
  EXPECT_EQ(named.components[1].slot, 3);
  EXPECT_EQ(named.components[1].quantity, Quantity::velocity);
  EXPECT_EQ(named.components[2].quantity, Quantity::none);
  const Entity& standard = request(r, 2);
  EXPECT_EQ(standard.components[0].quantity, Quantity::length);
  EXPECT_EQ(standard.components[1].quantity, Quantity::force);
  EXPECT_EQ(standard.components[5].quantity, Quantity::angle);
}

TEST(Requests, units_that_results_do_not_know_are_told) {
  Diagnostics diagnostics;
  const Description deck =
      parse_dataset(part + "REQUEST/1, F2 = 1\\CUNITS = , furlong\nUNITS/UCF=1\nEND\n", "d.adm", diagnostics);
  compile(deck, diagnostics);
  ASSERT_EQ(diagnostics.list().size(), 1u);
  EXPECT_EQ(to_string(diagnostics.list()[0]),
            "d.adm:5: REQUEST/1: CUNITS: 'furlong' is no quantity of result files; the component is shown "
            "without unit");
}

/// Files whose columns have names could not be read again.
TEST(Requests, components_of_one_name_are_refused) {
  const auto told = [](const std::string& request) {
    Diagnostics diagnostics;
    compile(parse_dataset(part + request + "\nUNITS/UCF=1\nEND\n", "d.adm", diagnostics), diagnostics);
    std::string text;
    for (const Diagnostic& d : diagnostics.list()) text += to_string(d) + "\n";
    return text;
  };
  EXPECT_EQ(
      told("REQUEST/1, F2 = 1\\F3 = 2\\F4 = 3\\\n, CNAMES = z, a, b, a"),
      "d.adm:6: REQUEST/1: CNAMES: components 2 and 4 are both called 'a'; give each a name of its own\n");
  EXPECT_EQ(told("REQUEST/1, F1 = 1\\F2 = 2\\CNAMES = F2"),  // the second one's own
            "d.adm:5: REQUEST/1: CNAMES: components 1 and 2 are both called 'F2'; give each a name of its "
            "own\n");
  EXPECT_EQ(told("REQUEST/1, F2 = 1\\F3 = 2\\CNAMES = , a, , b"), "");
}

/// Every form of a component reads what it says.
TEST(Requests, of_variables_arrays_and_plants) {
  Recording r(part +
              "VARIABLE/1, FUNCTION = 2\nVARIABLE/2, FUNCTION = TIME\nPINPUT/1, VARIABLES = 2, 1\nARRAY/1, "
              "NUMBERS = 7, "
              "8\nREQUEST/1, VARIABLES = 2, 1\nREQUEST/2, F2 = PINVAL(1,2)\\F3 = ARYVAL(1,2)\\F4 = "
              "POUVAL(3,1)\nPOUTPUT/3, "
              "VARIABLES = 2\nEND\n");
  r.simulation->run(dynamics_analysis, {1, 2, 0});
  EXPECT_NEAR(r.at(2, "REQUEST/1", "F1"), 1, 1e-12);
  EXPECT_NEAR(r.at(2, "REQUEST/1", "F2"), 2, 1e-12);
  EXPECT_NEAR(r.at(2, "REQUEST/2", "F2"), 2, 1e-12);
  EXPECT_NEAR(r.at(2, "REQUEST/2", "F3"), 8, 1e-12);
  EXPECT_NEAR(r.at(2, "REQUEST/2", "F4"), 1, 1e-12);
}

}  // namespace
}  // namespace trammel::requests_test
