// ARRAY, STRING, MATRIX, LSE, TFSISO, COUPLER, GEAR, FIELD, BEAM, NFORCE: what is read, what is refused and
// how.
#include <cmath>

#include "dataset/permissive.h"
#include "dataset/writer.h"
#include "support.h"

namespace trammel::systems_test {
namespace {

const std::string all =
    "PART/1,GROUND\nPART/2,MASS=1,CM=201\nPART/3,MASS=1,CM=301\nMARKER/101,PART=1\nMARKER/102,PART=1\n"
    "MARKER/201,PART=2\nMARKER/301,PART=3\nJOINT/1,REV,I=201,J=101\nJOINT/2,REV,I=301,J=102\n"
    "ARRAY/1,X,SIZE=2\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VARIABLES=1\nARRAY/4,IC,SIZE=2,NUMBERS=.1,-2E-17\n"
    "ARRAY/5,NUM=1,2,3,4,5,6,7,8,9,10,11,12\nARRAY/6,X,SIZE=1\nARRAY/7,Y,SIZE=1\nVARIABLE/1,FU=TIME\n"
    "STRING/1,STRING=c:\\x, y, no\n"
    "MATRIX/1,FULL,RORDER,ROWS=2,COLUMNS=2\n,VALUES=1,2,3,4\nMATRIX/2,FULL,ROWS=2,COL=1,VAL=1,2\n"
    "MATRIX/3,SPARSE,I=1,J=2,VALUES=3.25\nMATRIX/4,FILE=a/b.mtx,NAME=K\nMATRIX/6,FULL = "
    "CORDER,ROWS=1,COL=2,VAL=1,2\nMATRIX/"
    "5,SPARSE,ROWS=12,COLUMNS=12,I=1,12\n"
    ",J=12,1,VALUES=3,3\n"
    "LSE/1,X=1,A=1,B=2,U=3,C=3,Y=2,IC=4,STATIC_HOLD\nTFSISO/1,X=6,U=3,Y=7,NUM=1,DENOM=1,.5\n"
    "COUPLER/1,JOINTS=1,2,SCALES=-2,TYPE=R:ROT\nGEAR/1,JOINTS=1,2,CV=102\n"
    "FIELD/1,I=201,J=301,CRATIO=.1,LENGTH=0,0,0,90D,0,0\n"
    ",KM=1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1\n"
    "BEAM/1,I=201,J=301,LEN=1,IXX=1,IYY=1,IZZ=1,AREA=1,E=1,G=1,ASY=1.2,FORM=LINEAR\n"
    "NFORCE/1,IM=201,301,J=101,KM=5,FORCE=5,CRAT=.2\n";

TEST(Systems, are_read) {
  const Description deck = read_good(all);
  EXPECT_EQ(deck.find("MATRIX", 1)->chosen("order"), "RORDER");
  EXPECT_EQ(deck.find("MATRIX", 6)->chosen("order"), "CORDER");
  EXPECT_EQ(deck.find("STRING", 1)->text("STRING"), "c:\\x, y, no");
  EXPECT_EQ(deck.find("COUPLER", 1)->find("TYPE")->words,
            (std::vector<std::string>{"ROTATIONAL", "ROTATIONAL"}));
  EXPECT_NEAR(deck.find("FIELD", 1)->find("LENGTH")->numbers[3], std::acos(0.0), 1e-15);
  EXPECT_EQ(deck.find("BEAM", 1)->real("EMODULUS", 0), 1);
  Diagnostics diagnostics;
  report_unsupported(deck, diagnostics);
  EXPECT_EQ(messages(diagnostics), "");
}

TEST(Systems, are_written_back) {
  const Description deck = read_good(all);
  Diagnostics diagnostics;
  const Description again = parse_dataset(write_dataset(deck), "d.adm", diagnostics);
  EXPECT_EQ(messages(diagnostics), "");
  EXPECT_EQ(content(again), content(deck));
}

struct Case {
  const char* body;  ///< from line 2 on, where the markers and joints of `bodies` follow
  const char* message;
};

const std::string bodies =
    "\nPART/1,GROUND\nPART/2,MASS=1,CM=201\nPART/3,MASS=1,CM=301\nMARKER/101,PART=1\nMARKER/"
    "102,PART=1\nMARKER/201,"
    "PART=2\nMARKER/301,PART=3\nMARKER/290,PART=2,FLOATING\nJOINT/1,REV,I=201,J=101\nJOINT/"
    "2,REV,I=301,J=102\n"
    "VARIABLE/1,FU=1";

const Case cases[] = {
    {"ARRAY/1,X,SIZE=0", "d.adm:2: ARRAY/1: SIZE=0 is out of range; it must be >=1\n"},
    {"ARRAY/1,X,SIZE=2,NUMBERS=1,2",
     "d.adm:2: ARRAY/1: X takes only SIZE; its values come from the element that names it\n"},
    {"ARRAY/1,X,Y,SIZE=2", "d.adm:2: ARRAY/1: X and Y exclude each other; give one of them\n"},
    {"ARRAY/1,IC,SIZE=3,NUMBERS=1,2",
     "d.adm:2: ARRAY/1: NUMBERS has 2 values; it must have 3, as SIZE says\n"},
    {"ARRAY/1,SIZE=3", "d.adm:2: ARRAY/1: NUMBERS is missing; give the values\n"},
    {"ARRAY/1,U,SIZE=1",
     "d.adm:2: ARRAY/1: VARIABLES is missing; name the variables whose values are the entries\n"},
    {"ARRAY/1,U,SIZE=2,VARIABLES=1",
     "d.adm:2: ARRAY/1: VARIABLES has 1 values; it must have 2, as SIZE says\n"},
    {"ARRAY/1,U,VARIABLES=7", "d.adm:2: ARRAY/1: VARIABLE 7 does not exist (there is only 1)\n"},
    {"ARRAY/1,U,NUMBERS=7", "d.adm:2: ARRAY/1: U takes VARIABLES, not NUMBERS\n"},
    {"STRING/1", "d.adm:2: STRING/1: STRING is missing; text\n"},
    {"MATRIX/1,ROWS=2,COLUMNS=2,VALUES=1,2,3,4",
     "d.adm:2: MATRIX/1: one of FULL, SPARSE, FILE, RORDER, CORDER, I, J, NAME must be given\n"},
    {"MATRIX/1,FULL,ROWS=2,VALUES=1,2",
     "d.adm:2: MATRIX/1: COLUMNS is missing; FULL takes ROWS, COLUMNS and VALUES\n"},
    {"MATRIX/1,FULL,ROWS=2,COLUMNS=2,VALUES=1,2,3",
     "d.adm:2: MATRIX/1: VALUES has 3 values; 2 x 2 takes 4\n"},
    {"MATRIX/1,FULL,ROWS=2,COLUMNS=2,VALUES=1,2,3,4",
     "d.adm:2: MATRIX/1: RORDER or CORDER is missing; say whether VALUES go row by row or column by "
     "column\n"},
    {"MATRIX/1,FULL,RORDER,CORDER,ROWS=1,COLUMNS=1,VALUES=1",
     "d.adm:2: MATRIX/1: RORDER and CORDER exclude each other; give one of them\n"},
    {"MATRIX/1,SPARSE,I=1,2,J=1,VALUES=1,2",
     "d.adm:2: MATRIX/1: J has 1 values; it must have 2, one for each of VALUES\n"},
    {"MATRIX/1,SPARSE,I=1,1,J=2,2,VALUES=1,2", "d.adm:2: MATRIX/1: row 1, column 2 is given twice\n"},
    {"MATRIX/1,SPARSE,ROWS=2,COLUMNS=2,I=1,J=3,VALUES=1",
     "d.adm:2: MATRIX/1: row 1, column 3 is outside ROWS=2, COLUMNS=2\n"},
    {"MATRIX/1,FILE=a.mtx,NAME=K,VALUES=1",
     "d.adm:2: MATRIX/1: FILE and VALUES exclude each other; give one of them\n"},
    {"LSE/1,X=1,A=1",
     "d.adm:2: LSE/1: ARRAY 1 does not exist (there is no ARRAY at all)\nd.adm:2: LSE/1: MATRIX 1 does "
     "not exist (there is no MATRIX at all)\n"},
    {"LSE/1,X=1,A=1,B=1\nARRAY/1,X,SIZE=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: B needs U beside it\n"},
    {"LSE/1,X=1,A=1,U=2\nARRAY/1,X,SIZE=1\nARRAY/2,U,VAR=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: U without B or D; an input must act on something\n"},
    {"LSE/1,X=1,A=1,Y=2\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: Y without C or D; say what the outputs are\n"},
    {"TFSISO/1,X=1,Y=2,U=3,NUM=1,DEN=1,2,0\nARRAY/1,X,SIZE=2\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1",
     "d.adm:2: TFSISO/1: the last coefficient of DENOMINATOR is 0; leave out zeros at the end\n"},
    {"TFSISO/1,X=1,Y=2,U=3,NUM=1,1,1,DEN=1,2\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1",
     "d.adm:2: TFSISO/1: NUMERATOR has degree 2, DENOMINATOR 1; the output of such a system has no bound\n"},
    {"TFSISO/1,X=1,Y=2,U=3,NUM=1,1,1,0,DEN=1,2\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1",
     "d.adm:2: TFSISO/1: NUMERATOR has degree 2, DENOMINATOR 1; the output of such a system has no bound\n"},
    {"TFSISO/1,X=1,Y=2,U=3,NUM=1,0,0,DEN=1,2\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1", ""},
    {"COUPLER/1,JOINTS=1,2", "d.adm:2: COUPLER/1: one of SCALES, FUNCTION must be given\n"},
    {"COUPLER/1,JOINTS=1,SCALES=2", "d.adm:2: COUPLER/1: JOINTS takes at least 2 values, found 1\n"},
    {"COUPLER/1,JOINTS=1,7,SCALES=2", "d.adm:2: COUPLER/1: JOINT 7 does not exist (there are 1, 2)\n"},
    {"COUPLER/1,JOINTS=1,1,SCALES=2", "d.adm:2: COUPLER/1: a joint is named twice\n"},
    {"COUPLER/1,JOINTS=1,2,SCALES=2,1,3",
     "d.adm:2: COUPLER/1: SCALES has 3 values; 2 joints take 2 or, with 1 for the first, 1\n"},
    {"COUPLER/1,JOINTS=1,2,SCALES=2,TYPE=R",
     "d.adm:2: COUPLER/1: TYPE has 1 keywords; it must have 2, one for each joint\n"},
    {"COUPLER/1,JOINTS=1,2,SCALES=0", "d.adm:2: COUPLER/1: a factor in SCALES is 0; leave that joint out\n"},
    {"GEAR/1,JOINTS=1,2",
     "d.adm:2: GEAR/1: CV is missing; marker on the carrier where the teeth mesh, z along their "
     "common velocity\n"},
    {"GEAR/1,JOINTS=1,1,CV=101", "d.adm:2: GEAR/1: a joint is named twice\n"},
    {"BEAM/1,I=201,J=301,LENGTH=0,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1",
     "d.adm:2: BEAM/1: LENGTH=0 is out of range; it must be >0\n"},
    {"BEAM/1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1",
     "d.adm:2: BEAM/1: GMODULUS is missing; shear modulus\n"},
    {"BEAM/1,I=101,J=102,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1",
     "d.adm:2: BEAM/1: I=101 and J=102 are both on PART/1; they must be on different bodies\n"},
    {"FIELD/1,I=201,J=301,KMATRIX=1,2,3", "d.adm:2: FIELD/1: KMATRIX takes 36 values, found 3\n"},
    {"FIELD/1,I=201,J=301",
     "d.adm:2: FIELD/1: one of KMATRIX, CMATRIX, CRATIO, FORCE, LENGTH, FUNCTION must be given\n"},
    {"NFORCE/1,IM=201,202,J=101,KM=1\nMARKER/202,PART=2\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1", ""},
    {"NFORCE/1,IM=201,102,J=101,KM=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: marker 102 and J=101 are both on PART/1; they must be on different bodies\n"},
    {"NFORCE/1,IM=201,201,J=101,KM=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: marker 201 is named twice\n"},
    {"NFORCE/1,IM=290,J=101,KM=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: IMARKERS=290 is FLOATING; it must be a fixed marker\n"},
};

TEST(Systems, mistakes_have_one_message_each) {
  for (const Case& c : cases) {
    Diagnostics diagnostics;
    parse_dataset("title\n" + (c.body + bodies), "d.adm", diagnostics);
    EXPECT_EQ(messages(diagnostics), c.message) << c.body;
  }
}

TEST(Systems, a_beam_without_shear_says_what_it_leaves_out) {
  const std::string beam = "BEAM/1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1";
  const Case forms[] = {
      {",ASY=1.2,ASZ=0,FORMULATION=NONL",
       "d.adm:2: BEAM/1: ASY is not used: FORMULATION=NONLINEAR has no shear deformation\n"},
      {",ASY=1.2,ASZ=1.2,FORMULATION=STRING", ""},
      {",ASY=1.2", ""},
      {",FORMULATION=NONLINEAR", ""},
  };
  for (const Case& c : forms) {
    Diagnostics diagnostics;
    parse_dataset("title\n" + beam + (c.body + bodies), "d.adm", diagnostics);
    EXPECT_EQ(messages(diagnostics), c.message) << c.body;
    for (const Diagnostic& d : diagnostics.list()) EXPECT_EQ(d.severity, Severity::warning);
  }
}

TEST(Systems, forms_without_a_law_end_with_code_4) {
  const Case forms[] = {
      {"FIELD/1,I=201,J=301,FUNCTION=USER(1)\\ROUTINE=a::b",
       "d.adm:2: FIELD/1: FUNCTION=USER(...): user subroutines are not supported; remove it or use "
       "--permissive\n"},
      {"COUPLER/1,JOINTS=1,2,FUNCTION=USER(1)",
       "d.adm:2: COUPLER/1: FUNCTION=USER(...): user subroutines are not supported; remove it or use "
       "--permissive\n"},
      {"MATRIX/1,FULL,ROWS=1,COLUMNS=1,VALUES=1,UNITS=force",
       "d.adm:2: MATRIX/1: UNITS is not supported; remove it or use --permissive\n"},
  };
  for (const Case& c : forms) {
    Diagnostics diagnostics;
    const Description deck = parse_dataset("title\n" + (c.body + bodies), "d.adm", diagnostics);
    EXPECT_EQ(messages(diagnostics), "") << c.body;
    report_unsupported(deck, diagnostics);
    EXPECT_EQ(messages(diagnostics), c.message);
    EXPECT_EQ(diagnostics.exit_code(), ExitCode::unsupported);
  }
}

}  // namespace
}  // namespace trammel::systems_test
