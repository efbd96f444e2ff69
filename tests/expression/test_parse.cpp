// Lexing and grammar: by value of what was read, and by the place and text of errors.
#include <numbers>

#include "support.h"

namespace trammel::expression_test::test_parse {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

TEST(Parse, numbers) {
  EXPECT_EQ(number("12"), 12.0);
  EXPECT_EQ(number(" .5 "), 0.5);
  EXPECT_EQ(number("9."), 9.0);
  EXPECT_EQ(number("1E-3"), 1e-3);
  EXPECT_EQ(number("1.5e+2"), 150.0);
  EXPECT_EQ(number("1D-03"), 1e-3);
  EXPECT_EQ(number("1.5d+02"), 150.0);
  EXPECT_EQ(number("1d3"), 1000.0);
  EXPECT_EQ(number("90D"), 90 * degree);
  EXPECT_EQ(number("30.0d*2"), 30 * degree * 2);
  EXPECT_EQ(number("90D + 5"), 90 * degree + 5);
  EXPECT_EQ(number("90D-45D*2"), 0.0);  // what cannot be an exponent is a term
  EXPECT_EQ(number("90D+0.5"), 90 * degree + 0.5);
  EXPECT_EQ(number("90D-2E1D"), 90 * degree - 20 * degree);
  EXPECT_EQ(number("2.5E1D"), 25 * degree);
  EXPECT_EQ(number("1E-999"), 0.0);
  EXPECT_EQ(number("0.1"), 0.1);
}

TEST(Parse, operators) {
  EXPECT_EQ(number("2+3*4"), 14.0);
  EXPECT_EQ(number("(2+3)*4"), 20.0);
  EXPECT_EQ(number("2-3-4"), -5.0);
  EXPECT_EQ(number("16/4/2"), 2.0);
  EXPECT_EQ(number("-2**2"), -4.0);
  EXPECT_EQ(number("(-2)**2"), 4.0);
  EXPECT_EQ(number("2**3**2"), 512.0);
  EXPECT_EQ(number("2**-1"), 0.5);
  EXPECT_EQ(number("-2**-2**-1"), -std::pow(2.0, -std::pow(2.0, -1.0)));
  EXPECT_EQ(number("2* *3"), 8.0);
  EXPECT_EQ(number("2 *\n* 3 * 2"), 16.0);
  EXPECT_EQ(number("2*-3"), -6.0);
  EXPECT_EQ(number("--+-3"), -3.0);
  EXPECT_EQ(number("+4 - +1"), 3.0);
  EXPECT_EQ(number("rtod*Dtor + pi"), 1.0 + std::numbers::pi);
}

TEST(Parse, sign_if_and_vectors) {
  EXPECT_EQ(number("IF(-1: 10, 20, 30)"), 10.0);
  EXPECT_EQ(number("if ( 0 : 10 , 20 , 30 )"), 20.0);
  EXPECT_EQ(number("IF(0.1:10,20,30)"), 30.0);
  EXPECT_EQ(number("[1,2,3]*[4,5,6]"), 32.0);
  EXPECT_EQ(number("([1,2,3]%[4,5,6])*[1,0,0]"), 2 * 6 - 3 * 5.0);
  EXPECT_EQ(number("([1,2,3]%[4,5,6])*[0,1,0]"), 3 * 4 - 1 * 6.0);
  EXPECT_EQ(number("([1,2,3]%[4,5,6])*[0,0,1]"), 1 * 5 - 2 * 4.0);
  EXPECT_EQ(number("(2*[1,2,3] - [1,1,1]/2 + -[0,0,1]*4)*[1,10,100]"), 1.5 + 35 + 150.0);
}

struct Mistake {
  const char* text;
  int column;
  const char* message;  ///< part of it
};

TEST(Parse, mistakes_are_named_with_their_place) {
  const Mistake mistakes[] = {
      {"", 1, "empty"},
      {"   ", 1, "empty"},
      {"1+", 3, "ends where"},
      {"1+*2", 3, "\"*\""},
      {"(1+2", 5, "\")\""},
      {"1 2", 3, "\"2\" where an operator"},
      {"2x", 1, "no number"},
      {"1.2.3", 1, "no number"},
      {"1E", 1, "no number"},
      {"90D+5", 3, "write \"90D + 5\" or \"90E+5\""},
      {"TIME*1.5D-12", 9, "write \"1.5D - 12\" or \"1.5E-12\""},
      {"1E999", 1, "cannot be represented"},
      {".", 1, "no number"},
      {"3*$", 3, "\"$\""},
      {"3*\x01", 3, "byte 1"},
      {"STEP(1,2,3,4,5", 15, "\")\""},
      {"IF(1,2,3,4)", 5, "\":\""},
      {"[1,2]", 5, "\",\""},
      {"1 > 2", 3, "\">\""},
      {"MAX(1,,2)", 7, "\",\""},
      {"1 + FOO", 5, "unknown name \"FOO\""},
      {"1+2 + STEPP(TIME,0,0,1,1)", 7, "unknown function \"STEPP\" at column 7 (did you mean STEP?)"},
      {"SIN", 1, "without arguments"},
      {"STEP(TIME,0,0,1)", 1, "STEP takes 5 argument(s), not 4, at column 1 (STEP(x, x0, h0, x1, h1))"},
      {"DX()", 1, "DX takes 1 to 3"},
      {"DX(99)", 4, "marker 99 does not exist at column 4"},
      {"DX(0)", 4, "argument 1 of DX must be the id of a marker, 1 to 2147483647, not 0,"},
      {"DX(-2147483648,1)", 4, "must be the id of a marker, 1 to 2147483647, not -2147483648,"},
      {"DX(1,-3)", 6, "argument 2 of DX must be the id of a marker, 1 to 2147483647, not -3,"},
      {"DX(2147483648)", 4, "must be the id of a marker, 1 to 2147483647, not 2147483648,"},
      {"ORIENT(27,3E9,1,2)", 11, "must be an integer from -2147483647 to 2147483647, not 3e+09,"},
      {"DX(1.5)", 4, "must be an integer, not 1.5,"},
      {"DX(TIME)", 4, "must be a constant"},
      {"AKISPL(TIME,0,7)", 15, "SPLINE/7 does not exist"},
      {"STEP(TIME,2,0,1,1)", 1, "x0 must be less than x1"},
      {"STEP(TIME,1,0,1,1)", 1, "x0 must be less than x1"},
      {"IMPACT(TIME,0,1,1,-1,1,1)", 1, "exponent e must be positive"},
      {"1+SQRT(-1)", 3, "SQRT(-1): square root of a negative number"},
      {"1/0", 2, "1 / 0: division by zero"},
      {"LOG(0)", 1, "logarithm"},
      {"ACOS(2)", 1, "outside [-1, 1]"},
      {"(-8)**0.5", 5, "broken power"},
      {"EXP(1000)", 1, "EXP(1000) overflows"},
      {"[1,2,3]+1", 8, "vector + scalar is not defined"},
      {"1/[1,2,3]", 2, "scalar / vector"},
      {"[1,2,3]**2", 8, "vector ** scalar"},
      {"2%3", 2, "scalar % scalar"},
      {"SIN([1,2,3])", 5, "must be a scalar"},
      {"[1,2,3]", 1, "must be a scalar, but is a vector"},
      {"ORIENT(27,5,1,2)", 11, "components 1 to 4"},
  };
  for (const Mistake& m : mistakes) {
    StandIn model;
    try {
      compile_expression(m.text, model);
      ADD_FAILURE() << m.text << " was accepted";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.column(), m.column) << m.text << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(m.message), std::string::npos)
          << m.text << ": " << error.what();
      EXPECT_EQ(error.code(), ExitCode::input) << m.text;
    }
  }
}

TEST(Parse, known_functions_that_do_not_exist_yet_are_unsupported) {
  for (const char* text : {"BEAM(1,0,2,0)", "USER(1,2)", "FXFREQ", "ORIENT(3,1,1,2)"}) {
    StandIn model;
    try {
      compile_expression(text, model);
      ADD_FAILURE() << text << " was accepted";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.code(), ExitCode::unsupported) << error.what();
    }
  }
}

TEST(Parse, depth_and_length_have_limits) {
  const auto nested = [](int n) { return std::string(n, '(') + "1" + std::string(n, ')'); };
  EXPECT_EQ(number(nested(150)), 1.0);
  EXPECT_EQ(number(std::string(150, '-') + "1"), 1.0);
  for (const std::string& text : {nested(100000), std::string(100000, '-') + "1", std::string(100000, '[')}) {
    try {
      number(text);
      ADD_FAILURE() << "accepted";
    } catch (const ExpressionError& error) {
      EXPECT_NE(std::string(error.what()).find("nested deeper than 200"), std::string::npos) << error.what();
    }
  }
  std::string powers = "1";
  for (int k = 0; k < 100000; ++k) powers += "**1";
  EXPECT_THROW(number(powers), ExpressionError);
  EXPECT_THROW(number(std::string(max_expression_length + 1, ' ') + "1"), ExpressionError);
  // A long sum is no deep one.
  std::string sum = "TIME";
  for (int k = 0; k < 100000; ++k) sum += "+TIME";
  StandIn model;
  EXPECT_EQ(value_of_text(sum, model, 0.5), 50000.5);
}

/// Strings put together from pieces at random: either an ExpressionError or a tape, nothing else.
TEST(Parse, random_text_never_breaks_it) {
  const char* pieces[] = {"1",       "2.5E3", "30D",     "TIME",   "+",     "-",         "*",
                          "**",      "/",     "%",       "(",      ")",     "[",         "]",
                          ",",       ":",     " ",       "IF(",    "STEP(", "DX(1,2)",   "DXYZ(1)",
                          "AZ(",     "SQRT(", "AKISPL(", "DELAY(", "POLY(", "VARVAL(1)", "BEAM(1,2,3,4)",
                          ".",       "E",     "D",       "\\",     "\n",    "\xff",      "0",
                          "IMPACT(", "PI",    "INVPSD("};
  std::mt19937 random(5);
  int accepted = 0;
  for (int n = 0; n < 20000; ++n) {
    std::string text;
    const int length = 1 + static_cast<int>(random() % 14);
    for (int k = 0; k < length; ++k) text += pieces[random() % std::size(pieces)];
    StandIn model(2);
    try {
      const Tape tape = compile_expression(text, model, ResultKind::any);
      ++accepted;
      TapeRun<double> run(tape, model, 0.3);
      run.evaluate();  // may report an error, must not crash
    } catch (const ExpressionError&) {
    }
  }
  EXPECT_GT(accepted, 200);  // the test reaches the tape often enough to mean something
}

}  // namespace
}  // namespace trammel::expression_test::test_parse
