// What is recognised but not supported: reports, and dropping it together with what depends on it.
#include "dataset/permissive.h"

#include "dataset/changes.h"
#include "dataset/check.h"
#include "support.h"

namespace trammel::permissive_test {
namespace {

const char* const mixed =
    "PART/1,GROUND\nPART/2,MASS=1,CM=201\nFE_PART/7,TYPE=3D\nMARKER/101,PART=1\nMARKER/201,PART=2\n"
    "MARKER/701,FE_PART=7,NODE_LABEL=3\nJOINT/1,FIXED,I=701,J=101\nJOINT/2,REVOLUTE,I=201,J=101\n"
    "CONTACT/1,IGEOM=1,JGEOM=2\nCONTACT/2,IGEOM=1,JGEOM=2\nVARIABLE/1,FU=CONTACT(2,1,8,0)*2\nVARIABLE/"
    "2,FU=VARVAL(1)\n"
    "DIFF/3,FU=TIME,DYNAMIC_HOLD\nSFORCE/1,ROT,I=201,J=101,FU=DIF(3)*AZ(201,101)\nREQUEST/1,F2=DX(201,701)\n"
    "REQUEST/2,F2=AZ(201,101)\nLSOLVER/CALAHAN\nFIELD/1,I=201,J=101,FU=USER(1),ROUTINE=a::b\n"
    "GRAPHICS/1,EXTERNAL,RM=101,FILE=a.xmt_txt\nGRAPHICS/2,PLANE,RM=201\n";

TEST(Unsupported, IsReportedOncePerKind) {
  const Description deck = read_good(mixed);
  Diagnostics d;
  report_unsupported(deck, d);
  EXPECT_EQ(
      messages(d),
      "d.adm:4: FE_PART/7: FE_PART is not supported; remove it or use --permissive\n"
      "d.adm:7: MARKER/701: FE_PART is not supported; remove it or use --permissive\n"
      "d.adm:10: CONTACT/1: GRAPHICS/1 is EXTERNAL, a Parasolid file, which only Parasolid reads; put its "
      "shape "
      "beside it as .stl, .obj or .shl, which CAD programs export (2 such statements); remove it or use "
      "--permissive\n"
      "d.adm:14: DIFF/3: DYNAMIC_HOLD is not supported; remove it or use --permissive\n"
      "d.adm:19: FIELD/1: FUNCTION=USER(...): user subroutines are not supported; remove it or use "
      "--permissive\n"
      "d.adm:18: LSOLVER: accepted, without effect in this program\n");
  EXPECT_EQ(d.exit_code(), ExitCode::unsupported);
  EXPECT_EQ(d.count(Severity::note), 1);
}

/// A GRAPHICS whose marker could not be read has the argument, without a number.
TEST(Unsupported, LooksForNoMarkerWhereNoneCouldBeRead) {
  Diagnostics wrong, d;
  const Description deck = read_body(
      "PART/1,GROUND\nMARKER/1,PART=1\nGRAPHICS/1,PLANE,RM=1,XMIN=-1,XMAX=1,YMIN=-1,YMAX=1\n"
      "GRAPHICS/2,ELLIPSOID,CM==1,XSCALE=1,YSCALE=1,ZSCALE=1\nCONTACT/1,IGEOM=2,JGEOM=1\n",
      wrong);
  EXPECT_EQ(messages(wrong), "d.adm:5: GRAPHICS/2: CM takes an id, found '=1'\n");
  report_unsupported(deck, d);
  EXPECT_EQ(messages(d), "");
}

TEST(Unsupported, IsDroppedAndItsDependentsAreListed) {
  Description deck = read_good(mixed);
  const DropReport report = drop_unsupported(deck, Dependents::keep);
  std::string dropped, counts, dependents;
  for (const auto& s : report.dropped) dropped += s.label + " ";
  for (const auto& [keyword, count] : report.counts) counts += fmt::format("{}:{} ", keyword, count);
  for (const auto& s : report.dependents) dependents += s.label + "<" + s.on + " ";
  EXPECT_EQ(dropped, "FE_PART/7 MARKER/701 CONTACT/1 CONTACT/2 DIFF/3 FIELD/1 ");
  EXPECT_EQ(counts, "FE_PART:1 MARKER:1 CONTACT:2 DIFF:1 FIELD:1 ");
  EXPECT_EQ(dependents,
            "JOINT/1<MARKER/701 REQUEST/1<MARKER/701 VARIABLE/1<CONTACT/2 SFORCE/1<DIFF/3 "
            "VARIABLE/2<VARIABLE/1 ");
  EXPECT_NE(deck.find("JOINT", 1), nullptr);
  EXPECT_EQ(deck.find("CONTACT", 1), nullptr);
}

TEST(Unsupported, DependentsAreDroppedOnRequest) {
  Description deck = read_good(mixed);
  drop_unsupported(deck, Dependents::drop);
  std::string left;
  for (const Statement& s : deck.statements) left += s.label() + " ";
  EXPECT_EQ(left, "PART/1 PART/2 MARKER/101 MARKER/201 JOINT/2 REQUEST/2 LSOLVER GRAPHICS/1 GRAPHICS/2 ");
}

const char* const refined =
    "PART/1,GROUND\nPART/2,MASS=1,CM=201\nMARKER/101,PART=1\nMARKER/201,PART=2\n"
    "GRAPHICS/1,POINT,RM=201\nGRAPHICS/2,PLANE,RM=101\n"
    "CONTACT/"
    "1,IGEOM=1,JGEOM=2,POISSON,PENALTY=1,RESTITUTION_COEFFICIENT=1,AUGMENTED_LAGRANGIAN_FORMULATION\n";

/// What a statement can do without is told as what it is.
TEST(Feature, IsToldByItsName) {
  Diagnostics d;
  report_unsupported(read_good(refined), d);
  EXPECT_EQ(
      messages(d),
      "d.adm:8: CONTACT/1: refinement of POISSON (AUGMENTED_LAGRANGIAN_FORMULATION) is not supported: give "
      "POISSON a larger PENALTY, which lessens the depth of rest as much and leaves the speeds of "
      "RESTITUTION_COEFFICIENT as they are; remove it or use --permissive\n");
  EXPECT_EQ(d.exit_code(), ExitCode::unsupported);
}

/// The contact stays.
TEST(Feature, IsLeftOutAlone) {
  Description deck = read_good(refined);
  const DropReport report = drop_unsupported(deck, Dependents::drop);
  std::string dropped;
  for (const auto& s : report.dropped)
    dropped += fmt::format("{}: {} at {}\n", s.label, s.reason, s.where.line);
  EXPECT_EQ(dropped,
            "refinement of POISSON of CONTACT/1: not supported (AUGMENTED_LAGRANGIAN_FORMULATION) at 8\n");
  EXPECT_TRUE(report.counts.empty());
  ASSERT_EQ(deck.all("CONTACT").size(), 1u);
  EXPECT_EQ(deck.find("CONTACT", 1)->arguments.size(), 5u);
  Diagnostics d;
  report_unsupported(deck, d);
  EXPECT_EQ(messages(d), "");
}

const char* const faulty =
    "PART/1,GROUND\nPART/2,MASS=-1\nMARKER/201,PART=2\nMARKER/101,PART=1\n"
    "MARKER/102,PART=1; MARKER/103,PART=1\n,RM=102,KOLOUR=1; MARKER/104,PART=1\n"
    "JONT/3,I=101\nINTEGRATOR/HHT,HMAX=-1\n= 7\nMOTION/1,JOINT=3,ROT,FU=TIME\n"
    "REQUEST/1,F2=DX(201,101)\nREQUEST/2,F2=DX(103,104)\nREQUEST/3,F2=DX(104,3)\n";

std::string list_of(const DropReport& report) {
  std::string out;
  for (const auto& s : report.dropped)
    out += shortened(fmt::format("{}:{} {}", s.where.line, s.label, s.reason)) + "\n";
  for (const auto& s : report.dependents) out += s.label + "<" + s.on + " ";
  return out;
}

TEST(Wrong, StatementsGoWithWhatDependsOnThem) {
  Diagnostics found;
  Description deck = read_body(faulty, found);
  const DropReport report = drop_wrong(deck, found, Wrong::elements);
  EXPECT_EQ(list_of(report),
            "8:JONT/3 unknown statement 'JONT'; did you mean JOINT?\n"
            "3:PART/2 MASS=-1 is out of range; it must be >=0\n"
            "7:MARKER/103 unknown argument 'KOLOUR'; MARKER has ...\n"
            "MOTION/1<JONT/3 REQUEST/3<JONT/3 MARKER/201<PART/2 REQUEST/2<MARKER/103 REQUEST/1<MARKER/201 ");
  std::string left;
  for (const Statement& s : deck.statements) left += s.label() + " ";
  EXPECT_EQ(left, "PART/1 MARKER/101 MARKER/102 MARKER/104 INTEGRATOR ");
  // Settings, and lines that name no element, stay mistakes.
  EXPECT_EQ(messages(found),
            "d.adm:9: INTEGRATOR: HMAX=-1 is out of range; it must be >0\n"
            "d.adm:10: '= 7' begins no statement; a line that continues one has a comma in column 1\n");
}

TEST(Wrong, SettingsGoOnRequest) {
  Diagnostics found;
  Description deck = read_body(faulty, found);
  drop_wrong(deck, found, Wrong::all);
  EXPECT_EQ(deck.find("INTEGRATOR"), nullptr);
  EXPECT_NE(deck.find_absent("INTEGRATOR"), nullptr);
}

TEST(Wrong, NobodyMissesWhatIsAbsent) {
  Diagnostics found;
  Description deck = read_body(faulty, found);
  drop_wrong(deck, found, Wrong::elements);
  Statement change = parse_redefinition("MARKER/104,RM=103", "--set");
  Diagnostics after;
  apply_change(deck, change, after);
  apply_change(deck, parse_redefinition("PART/2,MASS=1", "--set"), after);
  check_description(deck, after);
  EXPECT_EQ(messages(after), "");
  EXPECT_EQ(missing_target(deck, parse_redefinition("PART/2,MASS=1", "--set")), "PART/2 is left out");
  EXPECT_EQ(missing_target(deck, parse_redefinition("PART/5,MASS=1", "--set")), "PART/5 does not exist");
  EXPECT_EQ(missing_target(deck, change), "");
}

TEST(Wrong, WhatIsGivenTwiceStaysOnce) {
  Diagnostics found;
  Description deck = read_body(
      "PART/1,GROUND\nPART/2\nMARKER/1,PART=1\nMARKER/2,PART=2\nMARKER/2,PART=2,QP=1,0,0\nREQUEST/"
      "1,F2=DX(2,1)\n",
      found);
  const DropReport report = drop_wrong(deck, found, Wrong::elements);
  EXPECT_EQ(list_of(report), "6:MARKER/2 given twice; first at d.adm:5; ids are unique per statement\n");
  EXPECT_EQ(deck.find("MARKER", 2)->has("QP"), false);
  EXPECT_NE(deck.find("REQUEST", 1), nullptr);
}

/// States and outputs have their values from the system, which names their ARRAYs.
TEST(Wrong, ArraysGoWithTheirSystem) {
  Diagnostics found;
  Description deck = read_body(
      "ARRAY/1,X,SIZE=1\nARRAY/2,U,VARIABLES=1\nARRAY/3,Y,SIZE=1\nVARIABLE/1,FU=TIME\nMATRIX/1,FULL,ROWS=1,"
      "COLUMNS=1,VALUES=1\nLSE/1,X=1,U=2,Y=3,A=1,C=1,KOLOUR=2\nVARIABLE/2,FU=ARYVAL(3,1)\n",
      found);
  const DropReport report = drop_wrong(deck, found, Wrong::elements);
  EXPECT_EQ(
      list_of(report),
      "7:LSE/1 unknown argument 'KOLOUR'; LSE has ...\nARRAY/1<LSE/1 ARRAY/3<LSE/1 VARIABLE/2<ARRAY/3 ");
}

TEST(Unsupported, ExpressionsNameStatements) {
  using Named = std::vector<std::pair<std::string_view, int>>;
  EXPECT_EQ(named_in_expression("2*DX(12,013)+akispl(DM(4,5),0,77,1)-SQRT(9)+VX(1,2,3)"),
            (Named{{"MARKER", 12},
                   {"MARKER", 13},
                   {"MARKER", 4},
                   {"MARKER", 5},
                   {"SPLINE", 77},
                   {"MARKER", 1},
                   {"MARKER", 2},
                   {"MARKER", 3}}));
  EXPECT_EQ(named_in_expression("CONTACT(2, 1, 8, 4363)*STEP(DIF(4),1,2,3,4)"),
            (Named{{"CONTACT", 2}, {"DIFF", 4}}));
  EXPECT_EQ(named_in_expression("DX(1.5)+TIME*30D+DX(0,))(("), (Named{}));
}

}  // namespace
}  // namespace trammel::permissive_test
