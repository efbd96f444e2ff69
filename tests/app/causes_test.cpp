// Messages about models that cannot run name the true cause: the element, what of it, the value.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "support.h"

using namespace trammel_test;

namespace causes_test {
namespace {

/// A body of 2 kg on a revolute joint about z, 1 m from its centre of mass.
std::string pendulum(const std::string& more) {
  return "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
         "PART=1\nPART/2, MASS=2, CM=20, IP=1,1,1, QG=1,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, "
         "QP=-1,0,0\n"
         "JOINT/1, REVOLUTE, I=21, J=1\n" +
         more + "END\n";
}

Outcome run_deck(const Folder& f, const std::string& deck) {
  f.write("deck.adm", deck);
  return run(f, {"run", "deck.adm", "--end", "1", "--steps", "10"});
}

TEST(Causes, markers_of_a_force_along_their_line_coincide) {
  const struct {
    const char *statement, *label;
  } forces[] = {{"SPRINGDAMPER/7, TRANSLATION, I=21, J=1, K=100, C=1, LENGTH=1\n", "SPRINGDAMPER/7"},
                {"SFORCE/8, TRANSLATION, I=21, J=1, FUNCTION=10\n", "SFORCE/8"}};
  for (const auto& force : forces) {
    Folder f;
    const std::string told =
        std::string(force.label) + ": its markers I=21 and J=1 coincide, so that its force has no direction";
    const Outcome o = run_deck(f, pendulum(force.statement));
    EXPECT_EQ(o.code, 5);
    EXPECT_NE(o.err.find(told), std::string::npos) << o.err;
    EXPECT_EQ(o.err.find("singular"), std::string::npos) << o.err;
    const Outcome c = run(f, {"check", "deck.adm"});
    EXPECT_EQ(c.code, 5);
    EXPECT_NE(c.err.find(told), std::string::npos) << c.err;
  }
  // Where nothing acts, nothing needs a direction; a force on one body alone has that of J.
  for (const std::string statement : {"SFORCE/8, ROTATION, I=21, J=1, FUNCTION=10\n",
                                      "SFORCE/8, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=10\n"}) {
    Folder f;
    EXPECT_EQ(run_deck(f, pendulum(statement)).code, 0) << statement;
  }
}

TEST(Causes, variables_in_a_circle_are_named) {
  const struct {
    const char *statements, *circle;
  } cases[] = {
      {"VARIABLE/1, FUNCTION=VARVAL(1)+1\n", "VARIABLE/1 -> VARIABLE/1"},
      {"VARIABLE/1, FUNCTION=VARVAL(2)+1\nVARIABLE/2, FUNCTION=VARVAL(1)\n",
       "VARIABLE/. -> VARIABLE/. -> VARIABLE/."},
      {"VARIABLE/1, FUNCTION=SFORCE(3,0,8,1)+1\nSFORCE/3, ROTATION, I=20, J=1, FUNCTION=VARVAL(1)\n",
       "VARIABLE/1 -> SFORCE/3 -> VARIABLE/1|SFORCE/3 -> VARIABLE/1 -> SFORCE/3"},
  };
  for (const auto& c : cases) {
    Folder f;
    const Outcome o = run_deck(f, pendulum(c.statements));
    EXPECT_EQ(o.code, 5);
    EXPECT_TRUE(std::regex_search(o.err, std::regex(std::string("part of the circle (") + c.circle + ")")))
        << o.err;
  }
  // V = 1 + V/2 has the solution 2; W = cos W that of the fixed point 0.739085... (Dottie's number).
  Folder f;
  const Outcome o =
      run_deck(f, pendulum("VARIABLE/1, FUNCTION=1+0.5*VARVAL(2)\nVARIABLE/2, FUNCTION=VARVAL(1)\n"
                           "VARIABLE/3, FUNCTION=COS(VARVAL(3))\nREQUEST/1, F2=VARVAL(2), F3=VARVAL(3)\n"));
  ASSERT_EQ(o.code, 0) << o.err;
  for (double v : f.channel("deck.nc", "REQUEST/1.F2")) EXPECT_NEAR(v, 2, 1e-9);
  for (double v : f.channel("deck.nc", "REQUEST/1.F3")) EXPECT_NEAR(v, 0.73908513321516064, 1e-9);
}

TEST(Causes, functions_without_value_are_told_with_argument_and_time) {
  Folder f;
  // exp overflows above ln(1.797...e308) = 709.78: first at the output time 0.8.
  const Outcome large = run_deck(f, pendulum("REQUEST/3, F2=2*EXP(1000*TIME)\n"));
  EXPECT_EQ(large.code, 5);
  EXPECT_EQ(large.err, "REQUEST/3 F2: EXP(800) overflows, at column 3 of \"2*EXP(1000*TIME)\", at t = 0.8\n");
  // In the equations: at some trial time behind 0.5, with the argument of that time.
  const Outcome root = run_deck(f, pendulum("SFORCE/3, ROTATION, I=20, J=1, FUNCTION=SQRT(0.5-TIME)\n"));
  EXPECT_EQ(root.code, 5);
  const std::size_t begin = root.err.find("SFORCE/3 FUNCTION: SQRT("), at = root.err.find(", at t = ");
  ASSERT_NE(begin, std::string::npos) << root.err;
  ASSERT_NE(at, std::string::npos) << root.err;
  EXPECT_NE(root.err.find("): square root of a negative number, at column 1 of \"SQRT(0.5-TIME)\""),
            std::string::npos)
      << root.err;
  const double argument = std::stod(root.err.substr(root.err.find('(', begin) + 1));
  EXPECT_LT(argument, 0);
  EXPECT_NEAR(argument, 0.5 - std::stod(root.err.substr(at + 9)), 1e-9);  // the time is told to 9 digits
}

TEST(Causes, inertia_that_no_body_has) {
  const auto with = [](const std::string& inertia) {
    std::string deck = pendulum("");
    return deck.replace(deck.find("IP=1,1,1"), 8, "IP=" + inertia);
  };
  Folder f;
  // Eigenvalues of [1 -5 0; -5 1 0; 0 0 1]: 1 - 5, 1, 1 + 5.
  const Outcome negative = run_deck(f, with("1,1,1,5,0,0"));
  EXPECT_EQ(negative.code, 3);
  EXPECT_NE(
      negative.err.find("deck.adm:5: PART/2: the principal moments of inertia about the centre of mass are "
                        "-4, 1, 6: none may be negative"),
      std::string::npos)
      << negative.err;
  // Eigenvalues of [2 -1.5 0; -1.5 2 0; 0 0 1]: 0.5, 1, 3.5.
  const Outcome flat = run_deck(f, with("2,2,1,1.5,0,0"));
  EXPECT_EQ(flat.code, 0) << flat.err;
  EXPECT_NE(flat.out.find("deck.adm:5: PART/2: the principal moments of inertia about the centre of mass are "
                          "0.5, 1, 3.5: no body has them"),
            std::string::npos)
      << flat.out;
  // A plate (Izz = Ixx + Iyy), a rod askew, a point: limits that bodies have.
  for (const char* inertia : {"1,2,3", "0.5,0.5,1,0.5,0,0", "0,0,0"})
    EXPECT_EQ(run_deck(f, with(inertia)).out.find("principal"), std::string::npos) << inertia;
}

}  // namespace
}  // namespace causes_test
