// compile(): CURVE, PTCV, CVCV; and what it says about mistakes. Written decks are read back the same.
#include <gtest/gtest.h>

#include "../support/deck.h"
#include "dataset/writer.h"
#include "expression/builtins.h"
#include "model/state.h"

namespace trammel::curves_test {
namespace {

using namespace test;

const std::string bodies =
    "PART/1, GROUND\nMARKER/11, PART = 1\nMARKER/19, PART = 1, FLOATING\nPART/2, MASS = 1, CM = 21, IP = 1, "
    "1, "
    "1\nMARKER/21, PART = 2\nMARKER/29, PART = 2, FLOATING\nPART/3, MASS = 1, CM = 31, IP = 1, 1, "
    "1\nMARKER/31, PART = "
    "3\nMARKER/39, PART = 3, FLOATING\nMATRIX/1, FULL, RORDER, ROWS = 4, COLUMNS = 3\n, VALUES = 0, 0, 0, 1, "
    "0, 0, 2, "
    "1, 0, 3, 3, 0\nMATRIX/2, FULL, RORDER, ROWS = 5, COLUMNS = 3\n, VALUES = 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, "
    "-1, 0, 1, "
    "0, 0\nMATRIX/3, FULL, RORDER, ROWS = 4, COLUMNS = 3\n, VALUES = 0, 0, 0, 1, 0, 0, 2, 1, 0.5, 3, 3, "
    "0\nMATRIX/4, "
    "FULL, RORDER, ROWS = 3, COLUMNS = 2, VALUES = 1, 2, 3, 4, 5, 6\n";
const std::string curves =
    "CURVE/1, OPEN, MATRIX = 1, CURVE_POINTS\nCURVE/2, CLOSED, CURVE_POINTS, MATRIX = 2, ORDER = 4\nCURVE/3, "
    "MATRIX = "
    "3, CURVE_POINTS\n";

std::string complaint(const std::string& deck, ExitCode code = ExitCode::input) {
  return message_of(bodies + deck, code);
}

TEST(Curves, rows_of_the_constraints) {
  const Model model =
      compile_text(bodies + curves +
                   "PTCV/4, I = 21, JFLOAT = 39, RM = 31, CURVE = 1, DISP = 3, 3, 0, VEL = 0.5\nCVCV/5, "
                   "ICURVE = 1, JCURVE = 2, IRM = 21, JRM = 11, IFLOAT = 29, JFLOAT = 19\n");
  ASSERT_EQ(model.constraint_elements.size(), 3u);
  const ConstraintElement &ptcv = model.constraint_elements[0], &place = model.constraint_elements[1],
                          &cvcv = model.constraint_elements[2];
  EXPECT_EQ(ptcv.rows, 2);
  EXPECT_EQ(model.equation_name(ptcv.first_row + model.coordinates), "PTCV/4 [Ri-C].N1");
  EXPECT_TRUE(place.initial_only);
  EXPECT_EQ(place.phases[0], static_cast<unsigned>(phase_given_position | phase_given_velocity));
  EXPECT_EQ(place.target_rate[0], 0.5);
  EXPECT_NEAR(place.row[0].parameter, 1, 1e-12);  // the last point
  EXPECT_EQ(cvcv.rows, 1);
  EXPECT_EQ(model.markers[cvcv.I].id, 21);
  EXPECT_EQ(model.markers[cvcv.J].id, 11);
  const State state(model);
  EXPECT_EQ(state.angle[model.curve_uses[0].slot_J], place.row[0].parameter);
}

TEST(Curves, mistakes_are_told_with_their_place) {
  const struct {
    std::string deck, message;
    ExitCode code = ExitCode::input;
  } mistakes[] = {
      {"CURVE/1, MATRIX = 4, CURVE_POINTS\n", "CURVE/1: MATRIX/4 is 3 x 2; it must have 3 columns"},
      {"CURVE/1, CLOSED, MATRIX = 1, CURVE_POINTS\n",
       "CURVE/1: MATRIX/1: the first and the last point of a CLOSED curve must be the same"},
      {"CURVE/1, MATRIX = 7, CURVE_POINTS\n", "CURVE/1: MATRIX 7 does not exist"},
      {"CURVE/1, MATRIX = 1\n", "CURVE/1: MATRIX needs CURVE_POINTS beside it"},
      {"CURVE/1, CLOSED\n", "CURVE/1: one of MATRIX"},
      {"CURVE/1, MATRIX = 1, CURVE_POINTS, ORDER = 3\n", "CURVE/1: ORDER=3 is not supported",
       ExitCode::unsupported},
      {"CURVE/1, FUNCTION = USER(1), MINPAR = 0\n", "CURVE/1: FUNCTION=USER(...)", ExitCode::unsupported},
      {curves + "PTCV/1, I = 21, JFLOAT = 39, CURVE = 1\n", "PTCV/1: RM is missing"},
      {curves + "PTCV/1, I = 21, JFLOAT = 29, RM = 31, CURVE = 1\n",
       "PTCV/1: I=21 and JFLOAT=29 are both on PART/2"},
      {curves + "PTCV/1, I = 21, JFLOAT = 39, RM = 11, CURVE = 1\n",
       "PTCV/1: RM=11 and JFLOAT=39 are on different bodies"},
      {curves + "PTCV/1, I = 21, JFLOAT = 31, RM = 31, CURVE = 1\n", "PTCV/1: JFLOAT=31 is not FLOATING"},
      {curves + "PTCV/1, I = 21, JFLOAT = 39, RM = 31, CURVE = 9\n", "PTCV/1: CURVE 9 does not exist"},
      {curves + "PTCV/1, I = 21, JFLOAT = 39, RM = 31, CURVE = 1, DISP = 0, 0, 0, ICM = 21\n",
       "PTCV/1: ICM=21 must be on the body of RM"},
      {curves + "CVCV/1, ICURVE = 3, JCURVE = 2, IRM = 21, JRM = 11, IFLOAT = 29, JFLOAT = 19\n",
       "CVCV/1: CURVE/3 has a point with z = 0.5; ICURVE must lie in the x-y plane"},
      {curves + "CVCV/1, ICURVE = 1, JCURVE = 2, IRM = 21, JRM = 21, IFLOAT = 29, JFLOAT = 19\n",
       "CVCV/1: JRM=21 and JFLOAT=19 are on different bodies"},
      {curves + "CVCV/1, ICURVE = 1, JCURVE = 2, IRM = 21, JRM = 11, IFLOAT = 29, JFLOAT = 19, IVEL = 1\n",
       "CVCV/1: IVEL is not supported", ExitCode::unsupported},
      {"VARIABLE/1, FUNCTION = CURVE(0,0,1,5)\n", "CURVE/5 does not exist"},
      {curves + "VARIABLE/1, FUNCTION = CURVE(0,3,1,1)\n",
       "the order of CURVE's derivative is 0, 1 or 2, not 3"},
      {curves + "VARIABLE/1, FUNCTION = CURVE(0,0,4,1)\n", "CURVE has components 1, 2, 3 (x, y, z), not 4"},
  };
  for (const auto& m : mistakes) {
    const std::string text = complaint(m.deck, m.code);
    EXPECT_NE(text.find(m.message), std::string::npos) << m.deck << text;
    EXPECT_EQ(text.find("deck.adm:"), 0u) << text;
  }
}

/// The table of functions says which ones are refused; all others of elements must be answered here.
TEST(Functions, none_that_the_reference_promises_is_refused) {
  for (const Builtin& row : builtins()) {
    if (row.kind != BuiltinKind::system || !row.supported) continue;
    std::string call(row.name);
    for (int k = 0; k < row.max_arguments; ++k) call += k == 0 ? "(99" : ",1";
    call += ')';
    const std::string text = complaint(fmt::format("VARIABLE/1, FUNCTION = {}\n", call));
    EXPECT_NE(text.find("does not exist"), std::string::npos) << call << ": " << text;  // there is no 99
  }
}

/// What is written reads back as the same statements with the same values.
TEST(Curves, round_trip_of_the_writer) {
  const std::string deck =
      "title\n" + bodies + curves +
      "PTCV/4, I = 21, JFLOAT = 39, RM = 31, CURVE = 1, DISP = 3, 3.25, -0.125, ICM = 31, VEL = "
      "0.1\nCVCV/5, ICURVE = 1, JCURVE = 2, IRM = 21, JRM = 11, IFLOAT = 29, JFLOAT = "
      "19\nVARIABLE/1, FUNCTION = PTCV(4,1,2,0)+CURVE(0.1*TIME,1,2,3)\nEND\n";
  Diagnostics diagnostics;
  const Description first = parse_dataset(deck, "a.adm", diagnostics);
  const std::string written = write_dataset(first);
  const Description second = parse_dataset(written, "b.adm", diagnostics);
  EXPECT_EQ(diagnostics.count(Severity::error), 0);
  ASSERT_EQ(first.statements.size(), second.statements.size());
  for (std::size_t k = 0; k < first.statements.size(); ++k) {
    const Statement &a = first.statements[k], &b = second.statements[k];
    EXPECT_EQ(a.label(), b.label());
    ASSERT_EQ(a.arguments.size(), b.arguments.size()) << a.label();
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
      EXPECT_EQ(a.arguments[i].field, b.arguments[i].field) << a.label();
      EXPECT_EQ(a.arguments[i].numbers, b.arguments[i].numbers) << a.label();
      EXPECT_EQ(a.arguments[i].text, b.arguments[i].text) << a.label();
    }
  }
}

}  // namespace
}  // namespace trammel::curves_test
