// Decks with one mistake each, and the one message that is expected for it.
#include "dataset/permissive.h"
#include "support.h"

namespace trammel::wrong_decks_test {
namespace {

struct Wrong {
  const char* name;
  const char* body;     ///< from line 2 of d.adm on
  const char* message;  ///< all messages
};

// Two bodies with markers, on lines 2 to 5, for decks whose mistake is in an element between them.
#define BODIES                                               \
  "PART/1,GROUND\nPART/2,MASS=1,CM=201\nMARKER/101,PART=1\n" \
  "MARKER/201,PART=2;MARKER/202,PART=2;MARKER/204,PART=2;MARKER/190,PART=1,FLOATING\n"

const Wrong wrong[] = {
    {"unknown statement", "JIONT/1,FIXED,I=1,J=2",
     "d.adm:2: unknown statement 'JIONT'; did you mean JOINT?\n"},
    {"unknown statement, nothing near", "BANANA/1", "d.adm:2: unknown statement 'BANANA'\n"},
    {"ambiguous statement", "V/1", "d.adm:2: statement 'V' is ambiguous: VFORCE, VTORQUE or VARIABLE\n"},
    {"continuation without comma", BODIES "PART/3\nMASS = 1",
     "d.adm:7: 'MASS = 1' begins no statement; a line that continues one has a comma in column 1\n"},
    {"no slash", BODIES "JOINT 1,FIXED", "d.adm:6: a slash is missing after 'JOINT'\n"},
    {"id zero", "VARIABLE/0,FU=1",
     "d.adm:2: VARIABLE/0: the id must be a positive integer up to 2147483647\n"},
    {"id negative", "VARIABLE/-4,FU=1",
     "d.adm:2: VARIABLE/-4: the id must be a positive integer up to 2147483647\n"},
    {"id missing", "VARIABLE/,FU=1",
     "d.adm:2: VARIABLE/: the id must be a positive integer up to 2147483647\n"},
    {"id is a word", "VARIABLE/abc,FU=1",
     "d.adm:2: VARIABLE/abc: the id must be a positive integer up to 2147483647\n"},
    {"id too large", "VARIABLE/99999999999,FU=1",
     "d.adm:2: VARIABLE/99999999999: the id must be a positive integer up to 2147483647\n"},
    {"no comma after id", BODIES "JOINT/1 FIXED,I=101,J=201",
     "d.adm:6: JOINT/1: a comma is missing after the id, before 'FIXED'\n"},
    {"no comma after flag", BODIES "JOINT/1, FIXED\n, REVOLUTE I=101,J=201",
     "d.adm:7: JOINT/1: a comma is missing after REVOLUTE, before 'I=101'\n"},
    {"unknown argument", "PART/2,MASS=1,CM=1,REULLER=1,2,3\nMARKER/1,PART=2",
     "d.adm:2: PART/2: unknown argument 'REULLER'; did you mean REULER? PART has ...\n"},
    {"argument of another statement", "VARIABLE/1\n, FU=1\n, MASS=3",
     "d.adm:4: VARIABLE/1: unknown argument 'MASS'; VARIABLE has ...\n"},
    {"ambiguous argument", "PART/2,V=1", "d.adm:2: PART/2: argument 'V' is ambiguous: VX, VY, VZ or VM\n"},
    {"no argument name", "PART/2,5", "d.adm:2: PART/2: the name of an argument is expected, found '5'\n"},
    {"argument twice", "PART/2,MASS=0,\n,MASS=1", "d.adm:3: PART/2: MASS is given twice\n"},
    {"flag with value", "PART/1,GROUND=1", "d.adm:2: PART/1: GROUND takes no value\n"},
    {"value missing", "PART/2,MASS", "d.adm:2: PART/2: MASS needs a value: MASS=...\n"},
    {"empty value", "PART/2,MASS=", "d.adm:2: PART/2: a value is missing in MASS\n"},
    {"empty value in a list", "PART/2,QG=1,,3", "d.adm:2: PART/2: a value is missing in QG\n"},
    {"number expected", "PART/2,MASS=heavy", "d.adm:2: PART/2: MASS takes a number, found 'heavy'\n"},
    {"number expected in a list", "PART/2,QG=1,two,3", "d.adm:2: PART/2: QG takes a number, found 'two'\n"},
    {"two numbers without comma", "PART/2,QG=1 2 3", "d.adm:2: PART/2: QG takes a number, found '1 2 3'\n"},
    {"infinite", "PART/2,MASS=1E999", "d.adm:2: PART/2: MASS takes a finite number, found '1E999'\n"},
    {"not a number", "PART/2,MASS=NaN", "d.adm:2: PART/2: MASS takes a number, found 'NaN'\n"},
    {"degrees of a mass", "PART/2,MASS=3D", "d.adm:2: PART/2: MASS is no angle: '3D' cannot be in degrees\n"},
    {"integer expected", "IC/MAXIT=2.5", "d.adm:2: IC: MAXIT takes an integer, found '2.5'\n"},
    {"id expected", BODIES "JOINT/1,FIXED,I=101,J=2x", "d.adm:6: JOINT/1: J takes an id, found '2x'\n"},
    {"too few values", "PART/2\n, QG=1,2", "d.adm:3: PART/2: QG takes 3 values, found 2\n"},
    {"too few values before an argument", "PART/2,QG=1,2,VX=1",
     "d.adm:2: PART/2: QG takes 3 values, found 2\n"},
    {"too many values", "PART/2,QG=1,2,3,4,5,6", "d.adm:2: PART/2: QG takes 3 values, and there are more\n"},
    {"too many of a range", "DIFF/1,FU=1\\IC=1,2,3",
     "d.adm:2: DIFF/1: IC takes at most 2 values, and there are more\n"},
    {"four moments of inertia", "PART/2,MASS=1,CM=1,IP=1,1,1,0\nMARKER/1,PART=2",
     "d.adm:2: PART/2: IP takes 3 values (xx, yy, zz) or 6 (and xy, xz, yz), found 4\n"},
    {"wrong choice", "UNITS/FORCE=STONE,MASS=GRAM,LENGTH=METER,TIME=DAY",
     "d.adm:2: UNITS: FORCE cannot be 'STONE'; it is NEWTON, KNEWTON, MEGANEWTON, CENTINEWTON, MILLINEWTON, "
     "MICRONEWTON, NANONEWTON, DYNE, KILOGRAM_FORCE, POUND_FORCE, KPOUND_FORCE, OUNCE_FORCE or POUNDAL\n"},
    {"ambiguous choice", "UNITS/FORCE=NEWTON,MASS=GRAM,LENGTH=MIL,TIME=DAY",
     "d.adm:2: UNITS: LENGTH: 'MIL' is ambiguous: MILLIMETER, MILE or MILS\n"},
    {"wrong keyword in a list", "PART/2,EXACT=X:W",
     "d.adm:2: PART/2: EXACT cannot be 'W'; it is X, Y, Z, PSI, THETA or PHI\n"},
    {"pattern", "IC/PATTERN=T:F:3", "d.adm:2: IC: PATTERN cannot be '3'; it is TRUE or FALSE\n"},
    {"units incomplete", "UNITS/FORCE=NEWTON,MASS=GRAM,LENGTH=METER",
     "d.adm:2: UNITS: FORCE needs TIME beside it\n"},
    {"units twice over", "UNITS/SYSTEM=MKS\n, UCF=1",
     "d.adm:3: UNITS: SYSTEM and UCF exclude each other; give one of them\n"},
    {"units empty", "UNITS/",
     "d.adm:2: UNITS: nothing is given; name FORCE, MASS, LENGTH, TIME, or SYSTEM, or UCF\n"},
    {"singleton twice", "UNITS/SYSTEM=MKS\nPART/2\nUNITS/SYSTEM=CGS",
     "d.adm:4: UNITS: given twice; first at d.adm:2\n"},
    {"duplicate id", "PART/2\nPART/002",
     "d.adm:3: PART/2: given twice; first at d.adm:2; ids are unique per statement\n"},
    {"negative mass", "PART/2,MASS=-1,CM=3\nMARKER/3,PART=2",
     "d.adm:2: PART/2: MASS=-1 is out of range; it must be >=0\n"},
    {"damping of the method", "INTEGRATOR/HHT,ALPHA=-0.5",
     "d.adm:2: INTEGRATOR: ALPHA=-0.5 is out of range; it must be in [-1/3,0]\n"},
    {"unstable Newmark", "INTEGRATOR/NEWMARK,BETA=0.25,GAMMA=0.7",
     "d.adm:2: INTEGRATOR: BETA=0.25 is unstable; with GAMMA=0.7 it must be at least 0.36\n"},
    {"unstable Newmark with the table's GAMMA", "INTEGRATOR/NEWMARK,BETA=0.25",
     "d.adm:2: INTEGRATOR: BETA=0.25 is unstable; with GAMMA=0.7 it must be at least 0.36\n"},
    {"unstable Newmark with the table's BETA", "INTEGRATOR/NEWMARK,GAMMA=1",
     "d.adm:2: INTEGRATOR: BETA=0.36 is unstable; with GAMMA=1 it must be at least 0.5625\n"},
    {"method without formulation", "INTEGRATOR/HHT,SI2", "d.adm:2: INTEGRATOR: HHT knows only I3, not SI2\n"},
    {"steps crossed", "INTEGRATOR/GSTIFF,HMAX=1E-3,HMIN=1E-2",
     "d.adm:2: INTEGRATOR: HMIN=0.01 is larger than HMAX=0.001\n"},
    {"methods exclude each other", "INTEGRATOR/GSTIFF,HHT",
     "d.adm:2: INTEGRATOR: GSTIFF and HHT exclude each other; give one of them\n"},
    {"mass without centre", "PART/2,MASS=1",
     "d.adm:2: PART/2: MASS without CM; name the marker at the centre of mass\n"},
    {"inertia without axes", "PART/2,IP=1,1,1",
     "d.adm:2: PART/2: IP without CM or IM; name the marker in whose axes it is given\n"},
    {"angles and points", "PART/2,REULER=1,2,3,ZG=0,0,1",
     "d.adm:2: PART/2: REULER and ZG exclude each other; give one of them\n"},
    {"ground with mass", "PART/1,GROUND,MASS=2,CM=3\nMARKER/3,PART=1",
     "d.adm:2: PART/1: GROUND and MASS exclude each other; give one of them\n"},
    {"x point alone", "PART/2,XG=1,0,0", "d.adm:2: PART/2: XG needs ZG beside it\n"},
    {"floating and placed", "MARKER/1,PART=9999,FLOATING,QP=1,2,3",
     "d.adm:2: MARKER/1: FLOATING and QP exclude each other; give one of them\n"},
    {"marker without owner", "MARKER/1,QP=1,2,3",
     "d.adm:2: MARKER/1: PART is missing; name the body that owns the marker\n"},
    {"part of a marker", "MARKER/1,PART=7",
     "d.adm:2: MARKER/1: PART 7 does not exist (there is only 9999)\n"},
    {"marker of a joint", BODIES "!adams_view_name='hinge'\nJOINT/3,REVOLUTE,I=101\n, J=205",
     "d.adm:8: JOINT/3 (hinge): marker 205 does not exist (PART/2 has 201, 202, 204)\n"},
    {"joint of a motion", "MOTION/1,JOINT=5,FUNC=TIME",
     "d.adm:2: MOTION/1: JOINT 5 does not exist (there is no JOINT at all)\n"},
    {"variables of a request", "VARIABLE/1,FU=1;VARIABLE/2,FU=1\nREQUEST/1,VARIABLES=1,2,3",
     "d.adm:3: REQUEST/1: VARIABLE 3 does not exist (there are 1, 2)\n"},
    {"id of a reference", BODIES "JOINT/1,FIXED,I=0,J=201",
     "d.adm:6: JOINT/1: I=0 is no id; ids are positive integers\n"},
    {"centre on another body", "PART/1,GROUND\nPART/2,MASS=1,CM=3\nMARKER/3,PART=1\nMARKER/4,PART=2",
     "d.adm:3: PART/2: CM=3 is a marker of PART/1; it must be one of its own (it has 4)\n"},
    {"reference frame on another body", BODIES "MARKER/300,PART=1,RM=201",
     "d.adm:6: MARKER/300: RM=201 is a marker of PART/2; it must be on the same body\n"},
    {"reference frame itself", BODIES "MARKER/300,PART=1,RM=300",
     "d.adm:6: MARKER/300: RM is the marker itself\n"},
    {"no type", BODIES "JOINT/1,I=101,J=201",
     "d.adm:6: JOINT/1: one of REVOLUTE, TRANSLATIONAL, CYLINDRICAL, SPHERICAL, UNIVERSAL, HOOKE, CONVEL, "
     "PLANAR, "
     "FIXED, RACKPIN, SCREW must be given\n"},
    {"two types", BODIES "JOINT/1,FIXED,REVOLUTE,I=101,J=201",
     "d.adm:6: JOINT/1: FIXED and REVOLUTE exclude each other; give one of them\n"},
    {"marker missing", BODIES "JOINT/1,FIXED,I=101",
     "d.adm:6: JOINT/1: J is missing; marker that takes the reaction\n"},
    {"same body", BODIES "JOINT/1,FIXED,I=201,J=202",
     "d.adm:6: JOINT/1: I=201 and J=202 are both on PART/2; they must be on different bodies\n"},
    {"same body by force", BODIES "VFORCE/1,I=101,JFLOAT=190,FX=1",
     "d.adm:6: VFORCE/1: I=101 and JFLOAT=190 are both on PART/1; they must be on different bodies\n"},
    {"rack without diameter", BODIES "JOINT/1,RACKPIN,I=101,J=201",
     "d.adm:6: JOINT/1: RACKPIN needs PD beside it\n"},
    {"initial condition of a fixed joint", BODIES "JOINT/1,FIXED,I=101,J=201,IC=1,0",
     "d.adm:6: JOINT/1: IC needs REVOLUTE or TRANSLATIONAL beside it\n"},
    {"motion without axis", BODIES "MOTION/1,I=101,J=201,FU=TIME",
     "d.adm:6: MOTION/1: I and J are given without X, Y, Z, B1, B2 or B3; name the one driven\n"},
    {"motion without object", BODIES "MOTION/1,FU=TIME",
     "d.adm:6: MOTION/1: one of JOINT, I, J, TRANSLATION, ROTATION, X, Y, Z, B1, B2, B3 must be given\n"},
    {"motion of both kinds", BODIES "JOINT/1,FIXED,I=101,J=201\nMOTION/1,JOINT=1,X,I=101,J=201,FU=TIME",
     "d.adm:7: MOTION/1: JOINT and X exclude each other; give one of them\n"},
    {"start of a displacement", BODIES "MOTION/1,X,I=101,J=201,ICDISP=1,FU=TIME",
     "d.adm:6: MOTION/1: ICDISP needs VELOCITY or ACCELERATION beside it\n"},
    {"negative stiffness", BODIES "BUSHING/1,I=101,J=201,K=1,-2,3",
     "d.adm:6: BUSHING/1: K=-2 is out of range; it must be >=0\n"},
    {"spring of both kinds", BODIES "SPRINGDAMPER/1,I=101,J=201,TRANS,K=1,KT=2",
     "d.adm:6: SPRINGDAMPER/1: TRANSLATION and KT exclude each other; give one of them\n"},
    {"joint on a floating marker", BODIES "JOINT/1,FIXED,I=201,J=190",
     "d.adm:6: JOINT/1: J=190 is FLOATING; it must be a fixed marker\n"},
    {"reaction on a fixed marker", BODIES "VFORCE/1,I=201,JFLOAT=101,FX=1",
     "d.adm:6: VFORCE/1: JFLOAT=101 is not FLOATING; write MARKER/101, PART=..., FLOATING\n"},
    {"floating marker of two", BODIES "VFORCE/1,I=201,JFLOAT=190,FX=1\nVTORQUE/1,I=201,JFLOAT=190,TX=1",
     "d.adm:7: VTORQUE/1: JFLOAT=190 belongs to VFORCE/1 already; each force needs its own\n"},
    {"force without components", BODIES "VFORCE/1,I=201,JFLOAT=190",
     "d.adm:6: VFORCE/1: one of FX, FY, FZ, FXYZ, FUNCTION must be given\n"},
    {"function missing", BODIES "SFORCE/1,TRANS,I=201,J=101",
     "d.adm:6: SFORCE/1: FUNCTION is missing; value\n"},
    {"function empty", "VARIABLE/1,FUNCTION=\\", "d.adm:2: VARIABLE/1: FUNCTION: the expression is empty\n"},
    {"parenthesis not closed", "VARIABLE/1,FUNCTION=SIN(TIME\n, IC=0",
     "d.adm:2: VARIABLE/1: FUNCTION: a ) is missing\n"},
    {"parenthesis not opened", "VARIABLE/1,FUNCTION=SIN(TIME))",
     "d.adm:2: VARIABLE/1: FUNCTION: ')' without its opening mark\n"},
    {"brackets crossed", "VARIABLE/1,FUNCTION=(1,[2)]",
     "d.adm:2: VARIABLE/1: FUNCTION: ')' without its opening mark\n"},
    {"comma in the open", "VARIABLE/1,FUNCTION=TIME, 3",
     "d.adm:2: VARIABLE/1: FUNCTION: a comma outside parentheses, before '3'; an expression ends at \\ or at "
     "the name "
     "of the next argument\n"},
    {"quotation mark", "REQUEST/1,F2=1\\CNAMES=\"a, b",
     "d.adm:2: REQUEST/1: CNAMES: the quotation mark is not closed\n"},
    {"request of nothing", "REQUEST/1,COMMENT=x",
     "d.adm:2: REQUEST/1: one of DISPLACEMENT, VELOCITY, ACCELERATION, FORCE, I, J, RM, F1, F2, F3, F4, F5, "
     "F6, F7, F8, "
     "FUNCTION, VARIABLES must be given\n"},
    {"request without kind", BODIES "REQUEST/1,I=101",
     "d.adm:6: REQUEST/1: one of DISPLACEMENT, VELOCITY, ACCELERATION, FORCE must be given\n"},
    {"abscissas fall", "SPLINE/1,X=1,2,2,4,Y=1,2,3,4",
     "d.adm:2: SPLINE/1: X must increase strictly; value 3 (2) follows 2\n"},
    {"ordinates missing", "SPLINE/1,X=1,2,3,4",
     "d.adm:2: SPLINE/1: Y is missing; give one value for each X\n"},
    {"row of wrong length", "SPLINE/1,X=1,2,3,4,5\n,Y=1,2,3,4",
     "d.adm:3: SPLINE/1: Y has 4 values; with 5 values of X it takes 5\n"},
    {"z falls", "SPLINE/1,X=1,2,3,4,Y=1,1,2,3,4\n,Y=0,1,2,3,4",
     "d.adm:3: SPLINE/1: z, the first value of each Y, must increase strictly; 0 follows 1\n"},
    {"too few points", "SPLINE/1,X=1,2,3,Y=1,2,3",
     "d.adm:2: SPLINE/1: X takes at least 4 values, found 3\n"
     "d.adm:2: SPLINE/1: Y takes at least 4 values, found 3\n"},
    {"two grounds", "PART/1,GROUND\nPART/2\nPART/3\n,GROUND",
     "d.adm:5: PART/3: GROUND is given twice; first by PART/1 at d.adm:2\n"},
};

TEST(WrongDecks, EachGivesItsMessage) {
  for (const Wrong& deck : wrong) {
    Diagnostics diagnostics;
    read_body(deck.body, diagnostics);
    EXPECT_EQ(messages(diagnostics), deck.message) << deck.name;
  }
}

TEST(WrongDecks, NoGround) {
  Diagnostics diagnostics;
  parse_dataset("title\nPART/2,MASS=0", "d.adm", diagnostics);
  EXPECT_EQ(messages(diagnostics), "d.adm: no PART has GROUND; add PART/1, GROUND\n");
}

TEST(WrongDecks, AllMistakesInOnePass) {
  Diagnostics diagnostics;
  read_body(
      "PART/2,MASS=x\nPRAT/3\nMARKER/1,PART=2,QP=1\nMARKER/2,PART=3\nMARKER/4,PART=5\nJOINT/1,FIXED,I=1,J=9",
      diagnostics);
  // MARKER/2 names the unreadable PRAT/3: that is no mistake of its own.
  EXPECT_EQ(messages(diagnostics),
            "d.adm:2: PART/2: MASS takes a number, found 'x'\n"
            "d.adm:3: unknown statement 'PRAT'; did you mean PART?\n"
            "d.adm:4: MARKER/1: QP takes 3 values, found 1\n"
            "d.adm:6: MARKER/4: PART 5 does not exist (there are 2, 9999)\n"
            "d.adm:7: JOINT/1: marker 9 does not exist (PART/5 has 4)\n");
  EXPECT_EQ(diagnostics.exit_code(), ExitCode::input);
}

TEST(WrongDecks, ReadingStopsAfterAThousandMistakes) {
  std::string body;
  for (int k = 0; k < 5000; ++k) body += "BANANA/1\n";
  Diagnostics diagnostics;
  read_body(body, diagnostics);
  ASSERT_EQ(diagnostics.list().size(), 1001u);
  EXPECT_EQ(diagnostics.list().back().text, "1000 mistakes so far: the others are not listed");
}

TEST(WrongDecks, FramesThatLeadBackToThemselves) {
  Diagnostics diagnostics;
  read_body(
      "MARKER/1,PART=9999,RM=2\nMARKER/2,PART=9999,RM=3\nMARKER/3,PART=9999,RM=1\nMARKER/4,PART=9999,RM=1",
      diagnostics);
  EXPECT_EQ(messages(diagnostics),
            "d.adm:2: MARKER/1: RM leads back to the marker itself, through MARKER/3\n");
}

}  // namespace
}  // namespace trammel::wrong_decks_test
