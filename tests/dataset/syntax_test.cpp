// One test for each rule of the dataset language.
#include <cmath>
#include <numbers>

#include "dataset/lines.h"
#include "support.h"

namespace trammel::syntax_test {
namespace {

constexpr double deg = std::numbers::pi / 180;

const Statement& at(const Description& deck, std::string_view keyword, int id = 0) {
  const Statement* found = deck.find(keyword, id);
  if (found == nullptr) throw std::runtime_error("no " + std::string(keyword));
  return *found;
}

std::vector<double> numbers(const Statement& s, std::string_view name) {
  const Argument* a = s.find(name);
  return a == nullptr ? std::vector<double>{} : a->numbers;
}

using Values = std::vector<double>;

TEST(Title, IsVerbatimEvenWhenItLooksLikeAComment) {
  Diagnostics d;
  EXPECT_EQ(parse_dataset("!PART/1; x\nPART/1,GROUND", "d", d).title, "!PART/1; x");
  EXPECT_EQ(parse_dataset("  PART/7, MASS=\nPART/1,GROUND", "d", d).title, "  PART/7, MASS=");
  EXPECT_EQ(parse_dataset("\nPART/1,GROUND", "d", d).title, "");
  EXPECT_EQ(
      messages(d),
      "d:1: line 1 is the title, and reads like a statement: 'PART/7, MASS=' has no effect; put a title "
      "above\n");
}

TEST(Title, AFileOfOneLineHasNoStatements) {
  Diagnostics d;
  const Description deck = parse_dataset("only a title", "d", d);
  EXPECT_EQ(deck.title, "only a title");
  EXPECT_TRUE(deck.statements.empty());
  EXPECT_EQ(messages(d), "d: no statement stands below its first line; is it a dataset?\n");
}

TEST(Comments, StandAnywhere) {
  const Description deck = read_good("! a\nPART/1 ! b\n! c\n, GROUND ! d, MASS=3\n");
  EXPECT_TRUE(at(deck, "PART", 1).has("GROUND"));
}

TEST(Comments, BlankAndCommentLinesLieInsideStatements) {
  const Description deck = read_good("MARKER/3, PART=1\n\n! between\n   \n, QP=1,2\n!x\n,3\nPART/1,GROUND");
  EXPECT_EQ(numbers(at(deck, "MARKER", 3), "QP"), (Values{1, 2, 3}));
}

TEST(ViewName, IsThatOfTheNextStatement) {
  const Description deck = read_good(
      "PART/1,GROUND\n!          adams_view_name='m.base'\n"
      "!  adams_view_units='mm'\nMARKER/1,PART=1\nMARKER/2,PART=1");
  EXPECT_EQ(at(deck, "MARKER", 1).view_name, "m.base");
  EXPECT_EQ(at(deck, "MARKER", 1).label(), "MARKER/1 (m.base)");
  EXPECT_EQ(at(deck, "MARKER", 2).view_name, "");
}

TEST(Statements, SemicolonsEndThem) {
  const Description deck =
      read_good(";PART/1,GROUND; MARKER/1,PART=1;;MARKER/2\n,PART=1;\nMARKER/3,PART=1 ; ! x");
  EXPECT_EQ(deck.statements.size(), 4u);
  EXPECT_EQ(at(deck, "MARKER", 2).where.line, 2);
  EXPECT_EQ(at(deck, "MARKER", 3).where.line, 4);
}

TEST(Statements, EndStopsReadingAndMayBeMissing) {
  EXPECT_EQ(read_good("PART/1,GROUND\n end \n\n  ! a comment\nEND\n").statements.size(), 1u);
  EXPECT_EQ(read_good("PART/1,GROUND").statements.size(), 1u);
}

TEST(Statements, WhatStandsBehindEndIsTold) {
  Diagnostics diagnostics;
  const Description deck =
      read_body("PART/1,GROUND\nEND\n! a comment\n\nMARKER/1, PART=1\nrubbish\n", diagnostics);
  EXPECT_EQ(deck.statements.size(), 1u);
  EXPECT_EQ(
      messages(diagnostics),
      "d.adm:6: 'MARKER/1, PART=1' stands behind END (d.adm:3) and is not read, nor is what follows it; "
      "remove it, or put END at the end\n");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(Statements, KeywordsAreAbbreviatedAndInAnyCase) {
  const Description deck =
      read_good("Accgrav/KGRAV=-9.8\nINT/si2\nRESULT/format\nmark/1,part=9999\nVar/1, FUNC=0\n");
  EXPECT_EQ(at(deck, "ACCGRAV").real("KGRAV", 0), -9.8);
  EXPECT_EQ(at(deck, "INTEGRATOR").chosen("formulation"), "SI2");
  EXPECT_TRUE(at(deck, "RESULTS").has("FORMATTED"));
  EXPECT_EQ(at(deck, "MARKER", 1).id_of("PART"), 9999);
  EXPECT_EQ(at(deck, "VARIABLE", 1).text("FUNCTION"), "0");
}

TEST(Statements, ListAndNolistStandAlone) {
  EXPECT_EQ(read_good("NOLIST\nLIST\nNOLIST").statements.size(), 4u);
}

TEST(Arguments, SingleLettersOfRequestsWin) {
  const Description deck = read_good(
      "PART/1,GROUND\nMARKER/1,PART=1\nREQUEST/1, D,I=1,C=X: a b (c)\nREQUEST/2, V,I=1\nREQUEST/3, A,I=1\n"
      "REQUEST/4, F,I=1,RM=0\nREQUEST/5, FU=USER(1)\\,RO=a::b\n");
  EXPECT_EQ(at(deck, "REQUEST", 1).chosen("kind"), "DISPLACEMENT");
  EXPECT_EQ(at(deck, "REQUEST", 1).text("COMMENT"), "X: a b (c)");
  EXPECT_EQ(at(deck, "REQUEST", 2).chosen("kind"), "VELOCITY");
  EXPECT_EQ(at(deck, "REQUEST", 3).chosen("kind"), "ACCELERATION");
  EXPECT_EQ(at(deck, "REQUEST", 4).chosen("kind"), "FORCE");
  EXPECT_EQ(at(deck, "REQUEST", 5).text("FUNCTION"), "USER(1)");
}

TEST(Arguments, OtherSpellings) {
  const Description deck = read_good(
      "PART/1,GROUND\nPART/2,EU=90D,0,0\nMARKER/1,PART=1,EU=0,90D,0\nMARKER/2,PART=2\n"
      "SFORCE/1,TRANSLATIONAL,I=2,J=1,FUNC=1\nSFORCE/2,ROTA,I=2,J=1,FU=1\nMOTION/"
      "1,ROTATIONAL,JOINT=1,FUN=TIME\n"
      "JOINT/1,TRANSLATION,I=2,J=1");
  EXPECT_EQ(numbers(at(deck, "PART", 2), "REULER"), (Values{90 * deg, 0, 0}));
  EXPECT_EQ(numbers(at(deck, "MARKER", 1), "REULER"), (Values{0, 90 * deg, 0}));
  EXPECT_EQ(at(deck, "SFORCE", 1).chosen("kind"), "TRANSLATION");
  EXPECT_EQ(at(deck, "SFORCE", 2).chosen("kind"), "ROTATION");
  EXPECT_EQ(at(deck, "MOTION", 1).chosen("kind"), "ROTATION");
  EXPECT_EQ(at(deck, "JOINT", 1).chosen("type"), "TRANSLATIONAL");
}

TEST(Arguments, OrderIsFreeAndForwardReferencesAreNormal) {
  const Description deck =
      read_good("JOINT/1,J=2,I=1,FIXED\nMARKER/1,PART=1\nMARKER/2,PART=2\nPART/1,GROUND\nPART/2");
  EXPECT_EQ(at(deck, "JOINT", 1).id_of("I"), 1);
  EXPECT_EQ(at(deck, "JOINT", 1).id_of("J"), 2);
}

TEST(Arguments, CarryTheirOwnLine) {
  const Description deck =
      read_good("PART/1,GROUND\nMARKER/1\n\n, PART=1\n! x\n, QP=0,0,0, REULER=0,0\n,0\n");
  const Statement& marker = at(deck, "MARKER", 1);
  EXPECT_EQ(marker.where.line, 3);
  EXPECT_EQ(marker.find("PART")->where.line, 5);
  EXPECT_EQ(marker.find("QP")->where.line, 7);
  EXPECT_EQ(marker.find("REULER")->where.line, 7);
}

TEST(Numbers, AllForms) {
  const Description deck = read_good(
      "VARIABLE/1,IC=12,FU=0\nVARIABLE/2,IC=-.5,FU=0\nVARIABLE/3,IC=1.0D-3,FU=0\nVARIABLE/4,IC=+2.5e2,FU=0\n"
      "VARIABLE/5,IC= - 7 ,FU=0\nVARIABLE/6,IC=1e-400,FU=0\nVARIABLE/0007,IC=4.,FU=0\n");
  // 1e-400 is below the smallest double: zero, not a mistake.
  const double expected[] = {12, -0.5, 1e-3, 250, -7, 0, 4};
  for (int id = 1; id <= 7; ++id) EXPECT_EQ(at(deck, "VARIABLE", id).real("IC", 99), expected[id - 1]) << id;
}

TEST(Numbers, DegreesWhereAnglesStand) {
  const Description deck = read_good(
      "PART/2,REULER=90D,-45.5d,1,WX=360D\nIC/ALIMIT=10D\nPART/1,GROUND\nMARKER/1,PART=1\nMARKER/2,PART=2\n"
      "JOINT/1,REVOLUTE,I=1,J=2,IC=0,30D\nSPRINGDAMPER/1,ROTATION,I=1,J=2,KT=3,ANGLE=180D");
  EXPECT_EQ(numbers(at(deck, "PART", 2), "REULER"), (Values{90 * deg, -45.5 * deg, 1}));
  EXPECT_EQ(at(deck, "PART", 2).real("WX", 0), 360 * deg);
  EXPECT_EQ(at(deck, "IC").real("ALIMIT", 0), 10 * deg);
  EXPECT_EQ(numbers(at(deck, "JOINT", 1), "IC"), (Values{0, 30 * deg}));
  EXPECT_EQ(at(deck, "SPRINGDAMPER", 1).real("ANGLE", 0), 180 * deg);
}

TEST(Numbers, LeadingZerosOfIds) {
  const Description deck = read_good("PART/01,GROUND\nMARKER/0101,PART = 01");
  EXPECT_EQ(at(deck, "MARKER", 101).id_of("PART"), 1);
}

TEST(Lists, TheCommaInColumnOneSeparatesOnce) {
  const Description deck = read_good(
      "MARKER/1,PART=9999,QP=1\n,2\n,3\nMARKER/2,PART=9999,QP=1,\n,2,\n, 3\nMARKER/3,PART=9999\n"
      ", QP =\n, 1, 2, 3\nMARKER/4,PART=9999,QP=1,2,3,\n,REULER=0,0,0\nMARKER/5, &\nPART=9999,QP=1, &\n 2,3");
  for (int id = 1; id <= 5; ++id) EXPECT_EQ(numbers(at(deck, "MARKER", id), "QP"), (Values{1, 2, 3})) << id;
}

TEST(Lists, KeywordsWithColons) {
  const Description deck = read_good(
      "PART/2,EXACT=X:y : PSI\nIC/PATTERN=T:F:true:FALSE\nUNITS/FORCE=NEWTON,MASS=KILO,"
      "LENGTH=METER,TIME=SEC");
  EXPECT_EQ(at(deck, "PART", 2).find("EXACT")->words, (std::vector<std::string>{"X", "Y", "PSI"}));
  EXPECT_EQ(numbers(at(deck, "IC"), "PATTERN"), (Values{1, 0, 1, 0}));
  EXPECT_EQ(at(deck, "UNITS").word("MASS"), "KILOGRAM");
  EXPECT_EQ(at(deck, "UNITS").word("TIME"), "SECOND");
}

TEST(Lists, RowsOfASplineRepeatY) {
  const Description deck =
      read_good("SPLINE/1,X=1,2,3,4,Y=0,1,2,3,4,Y=1,5,6,7,8\nSPLINE/2,LINEAR,X=1,2,3,4\n,Y=1,2\n,3,4");
  int rows = 0;
  for (const Argument& a : at(deck, "SPLINE", 1).arguments) rows += a.field->name == "Y";
  EXPECT_EQ(rows, 2);
  EXPECT_EQ(numbers(at(deck, "SPLINE", 1), "Y"), (Values{0, 1, 2, 3, 4}));
  EXPECT_TRUE(at(deck, "SPLINE", 2).has("LINEAR_EXTRAPOLATE"));
  EXPECT_EQ(numbers(at(deck, "SPLINE", 2), "Y"), (Values{1, 2, 3, 4}));
}

std::string function_of(const std::string& text) {
  const Description deck = read_good("VARIABLE/1" + text);
  return std::string(at(deck, "VARIABLE", 1).text("FUNCTION"));
}

TEST(Expressions, TheCommaInColumnOneIsContinuation) {
  EXPECT_EQ(function_of(", FUNCTION = -3*DM(1,2)\n, - 4*VR(1,2)"), "-3*DM(1,2) - 4*VR(1,2)");
  EXPECT_EQ(function_of(", FUNCTION =\n, SIN(\n,TIME)"), "SIN( TIME)");
  EXPECT_EQ(function_of(", FUNCTION = 2\n,*(30.0)\n, * 4"), "2 *(30.0) * 4");
  EXPECT_EQ(function_of(", FUNC= 2 &\n +3 &\n! x\n\n*4"), "2 +3 *4");
}

TEST(Expressions, InsideParenthesesItSeparatesOperands) {
  EXPECT_EQ(function_of(", FUNCTION = STEP(TIME\n,0\n,1,\n,2,\n,3)"), "STEP(TIME, 0, 1, 2, 3)");
  EXPECT_EQ(function_of(", FUNCTION = MAX(DX(1,2)\n,(3))"), "MAX(DX(1,2), (3))");
  EXPECT_EQ(function_of(", FUNCTION = (1\n, - 2)"), "(1 - 2)");
  EXPECT_EQ(function_of(", FUNCTION = IF(TIME:\n, 1,\n,2, 3 )"), "IF(TIME: 1, 2, 3 )");
}

TEST(Expressions, EndAtABackslashOrAtAnArgument) {
  const Description deck = read_good(
      "PART/1,GROUND\nPART/2\nMARKER/1,PART=2\nMARKER/2,PART=1,FLOATING\n"
      "VFORCE/1,I=1,JFLOAT=2,FX=0\\FY=DX(1)\\\n,FZ=MAX(1,2), RM=1\n"
      "REQUEST/4, F2=ORIENT(27,1,01,02)\\F3=AX(1)\\\n, F4=AY(1),C=EULER PARAMETERS\n"
      "REQUEST/5, F2=AX(1)/F3=AY(1)/\n,F4=1/2/F6=2\nDIFF/1,FU=-DIF(1)\n, IC=3\nDIFF/2,FU=DIF1(2),IMPL");
  const Statement& force = at(deck, "VFORCE", 1);
  EXPECT_EQ(force.text("FX"), "0");
  EXPECT_EQ(force.text("FY"), "DX(1)");
  EXPECT_EQ(force.text("FZ"), "MAX(1,2)");
  EXPECT_EQ(force.id_of("RM"), 1);
  EXPECT_EQ(at(deck, "REQUEST", 4).text("F2"), "ORIENT(27,1,01,02)");
  EXPECT_EQ(at(deck, "REQUEST", 4).text("F4"), "AY(1)");
  EXPECT_EQ(at(deck, "REQUEST", 4).text("COMMENT"), "EULER PARAMETERS");
  EXPECT_EQ(at(deck, "REQUEST", 5).text("F2"), "AX(1)");
  EXPECT_EQ(at(deck, "REQUEST", 5).text("F3"), "AY(1)");
  EXPECT_EQ(at(deck, "REQUEST", 5).text("F4"), "1/2");
  EXPECT_EQ(at(deck, "REQUEST", 5).text("F6"), "2");
  EXPECT_EQ(at(deck, "DIFF", 1).text("FUNCTION"), "-DIF(1)");
  EXPECT_EQ(at(deck, "DIFF", 1).real("IC", 0), 3);
  EXPECT_TRUE(at(deck, "DIFF", 2).has("IMPLICIT"));
}

TEST(Expressions, ASlashThatDividesNothingIsKept) {
  // Only the components of requests and vector forces were closed by a slash; elsewhere it is a mistake,
  // which whoever reads the expression must see.
  EXPECT_EQ(function_of(", FUNCTION = 3/"), "3/");
}

TEST(Texts, NamesInQuotationMarks) {
  const Description deck =
      read_good("REQUEST/1,CNAMES = \"a, b\", \"_\", ,c d\n, \"e\"\n, CUNITS=mm,deg,F2=1\n");
  EXPECT_EQ(at(deck, "REQUEST", 1).find("CNAMES")->words,
            (std::vector<std::string>{"a, b", "_", "", "c d", "e"}));
  EXPECT_EQ(at(deck, "REQUEST", 1).find("CUNITS")->words, (std::vector<std::string>{"mm", "deg"}));
  EXPECT_EQ(at(deck, "REQUEST", 1).text("F2"), "1");
}

TEST(Texts, AreKeptAsTheyStand) {
  const Description deck = read_good(
      "REQUEST/6\n, COMMENT = cam:camW:_ (x,y)\n, F2 = 1\\\nRESULTS/COMMENT=a long"
      "\n, er text, with commas\n,XRF\n");
  EXPECT_EQ(at(deck, "REQUEST", 6).text("COMMENT"), "cam:camW:_ (x,y)");
  EXPECT_EQ(at(deck, "RESULTS").text("COMMENT"), "a long er text, with commas");
  EXPECT_TRUE(at(deck, "RESULTS").has("XRF"));
}

TEST(Texts, UnreadArgumentsKeepTheirLines) {
  const Description deck =
      read_good("STRING/22\n, STRING = .\\Test, x=1.ipt\nTIRE/1, I=1\n, J = 2, LENGTH=3\n");
  EXPECT_EQ(at(deck, "STRING", 22).arguments.at(0).text, ".\\Test, x=1.ipt");
  EXPECT_EQ(at(deck, "TIRE", 1).arguments.at(0).text, "I=1\n J = 2, LENGTH=3");
}

TEST(Markers, BelongToThePartAboveWhenNoneIsNamed) {
  const Description deck = read_good("PART/1,GROUND\nMARKER/1\nPART/5\nMARKER/2,QP=1,0,0\nMARKER/3,PART=1");
  EXPECT_EQ(at(deck, "MARKER", 1).id_of("PART"), 1);
  EXPECT_EQ(at(deck, "MARKER", 2).id_of("PART"), 5);
  EXPECT_EQ(at(deck, "MARKER", 3).id_of("PART"), 1);
}

TEST(Bytes, CarriageReturnsTabsNulAndByteOrderMark) {
  Diagnostics d;
  using namespace std::string_literals;
  const std::string text = "\xEF\xBB\xBFtitle\r\nPART/1\t,\tGROUND\r\n\0MARKER/1\0,PART=1\r\n, QP=1,2,3\r\n"s;
  const Description deck = parse_dataset(text, "d.adm", d);
  EXPECT_EQ(messages(d), "");
  EXPECT_EQ(deck.title, "title");
  EXPECT_EQ(numbers(at(deck, "MARKER", 1), "QP"), (Values{1, 2, 3}));
}

TEST(Bytes, LatinOneBecomesUtf8) {
  EXPECT_EQ(clean_text("kN\xB7m"), "kN\xC2\xB7m");
  EXPECT_EQ(clean_text("kN\xC2\xB7m"), "kN\xC2\xB7m");  // valid UTF-8 stays
  EXPECT_EQ(clean_text("\xC3"), "\xC3\x83");            // cut off in the middle: Latin-1
  EXPECT_EQ(clean_text("\xED\xA0\x80").size(), 6u);     // a surrogate is no UTF-8
  EXPECT_EQ(clean_text("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(clean_text("a\rb\r\nc"), "a\nb\nc");
}

TEST(Lines, MayBeVeryLong) {
  std::string body = "SPLINE/1,X=0", y = ",Y=0";
  for (int k = 1; k < 20000; ++k) {
    body += "," + std::to_string(k);
    y += ",1.25E-3";
  }
  EXPECT_EQ(numbers(at(read_good(body + y), "SPLINE", 1), "X").size(), 20000u);
}

TEST(Redefinition, NamesOnlyWhatChanges) {
  Description deck = read_good(
      "PART/2,MASS=1,CM=1,ZG=0,0,1,XG=1,0,0\nMARKER/1,PART=2\nMOTION/3,I=1,J=2,X,FU=1\n"
      "MARKER/2,PART=9999");
  deck.redefine(parse_redefinition("part/2, mass=3.5, REULER=0,90D,0", "--set"));
  const Statement& part = at(deck, "PART", 2);
  EXPECT_EQ(part.real("MASS", 0), 3.5);
  EXPECT_EQ(part.id_of("CM"), 1);
  EXPECT_FALSE(part.has("ZG"));
  EXPECT_FALSE(part.has("XG"));
  EXPECT_EQ(numbers(part, "REULER"), (Values{0, 90 * deg, 0}));
  deck.redefine(parse_redefinition("MOTION/3, VELOCITY, Y, ICDISP=0", "--set"));
  const Statement& motion = at(deck, "MOTION", 3);
  EXPECT_EQ(motion.chosen("axis"), "Y");
  EXPECT_EQ(motion.chosen("level"), "VELOCITY");
  EXPECT_EQ(motion.text("FUNCTION"), "1");
  deck.redefine(parse_redefinition("VARIABLE/77, FUNC=2", "--set"));
  EXPECT_EQ(at(deck, "VARIABLE", 77).text("FUNCTION"), "2");
}

std::string redefinition_error(std::string_view text) {
  try {
    parse_redefinition(text, "--set");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::input);
    return failure.what();
  }
  return "no error";
}

TEST(Redefinition, Mistakes) {
  EXPECT_EQ(redefinition_error(""), "--set: nothing is given; write STATEMENT/id, ARGUMENT=value");
  EXPECT_EQ(redefinition_error("PART/2,MASS=x"), "--set: PART/2: MASS takes a number, found 'x'");
  EXPECT_EQ(redefinition_error("PRAT/2,MASS=1"), "--set: unknown statement 'PRAT'; did you mean PART?");
  EXPECT_EQ(redefinition_error("PART/2,MASS=1;PART/3"),
            "--set: one statement at a time, found also 'PART/3'");
}

TEST(Files, ThatCannotBeRead) {
  Diagnostics d;
  try {
    read_dataset("/nonexistent/x.adm", d);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::io);
    EXPECT_STREQ(failure.what(), "/nonexistent/x.adm: the file does not exist");
  }
  EXPECT_THROW(read_dataset("/", d), Failure);
}

}  // namespace
}  // namespace trammel::syntax_test
