// Decks with one mistake each in an element made of arrays and matrices, a coupling, an elastic force, a
// spline or a setting; and the one message that is expected for it.
#include "../support/wrong_deck.h"
#include "support.h"

namespace trammel::wrong_decks_elements_test {
namespace {

const test::WrongDeck wrong[] = {
    {"ARRAY/1,X,SIZE=2.5", "d.adm:2: ARRAY/1: SIZE takes an integer, found '2.5'\n"},
    {"ARRAY/1,X,SIZE=-1", "d.adm:2: ARRAY/1: SIZE=-1 is out of range; it must be >=1\n"},
    {"ARRAY/1,X,SIZE=100001",
     "d.adm:2: ARRAY/1: SIZE=100001 is more than the 100000 entries that X may have\n"},
    {"ARRAY/1,NUMBERS=1,2,,4", "d.adm:2: ARRAY/1: a value is missing in NUMBERS\n"},
    {"ARRAY/1,NUMBERS=1,two", "d.adm:2: ARRAY/1: unknown argument 'two'; ARRAY has ...\n"},
    {"ARRAY/1,NUMBERS=1\n2,3",
     "d.adm:3: '2,3' begins no statement; a line that continues one has a comma in column 1\n"},
    {"ARRAY/1,XX,SIZE=2", "d.adm:2: ARRAY/1: unknown argument 'XX'; did you mean X? ARRAY has ...\n"},
    {"ARRAY/0,X,SIZE=2", "d.adm:2: ARRAY/0: the id must be a positive integer up to 2147483647\n"},
    {"ARRAY/1,X,SIZE=2\nARRAY/1,Y,SIZE=2",
     "d.adm:3: ARRAY/1: given twice; first at d.adm:2; ids are unique per statement\n"},
    {"STRING/1,STRING", "d.adm:2: STRING/1: STRING needs a value: STRING=...\n"},
    {"STRING/1,abc", "d.adm:2: STRING/1: unknown argument 'abc'; STRING has ...\n"},
    {"STRING/1,TEXT=abc", "d.adm:2: STRING/1: unknown argument 'TEXT'; STRING has ...\n"},
    {"MATRIX/1,FULL,ROWS=0,COLUMNS=2,VALUES=1",
     "d.adm:2: MATRIX/1: ROWS=0 is out of range; it must be >=1\n"},
    {"MATRIX/1,FULL,SPARSE,ROWS=1,COLUMNS=1,VALUES=1",
     "d.adm:2: MATRIX/1: FULL and SPARSE exclude each other; give one of them\n"},
    {"MATRIX/1,SPARSE,I=0,J=1,VALUES=1", "d.adm:2: MATRIX/1: I=0 is out of range; it must be >=1\n"},
    {"MATRIX/1,SPARSE,I=1,VALUES=1", "d.adm:2: MATRIX/1: J is missing; SPARSE takes I, J and VALUES\n"},
    {"MATRIX/1,SPARSE,RORDER,I=1,J=1,VALUES=1",
     "d.adm:2: MATRIX/1: SPARSE and RORDER exclude each other; give one of them\n"},
    {"MATRIX/1,SPARSE,I=1,J=1,VALUES=x", "d.adm:2: MATRIX/1: VALUES takes a number, found 'x'\n"},
    {"MATRIX/1,SPARSE,I=50000,J=50000,VALUES=1",
     "d.adm:2: MATRIX/1: 50000 x 50000 entries are more than the 10 million that a matrix may have\n"},
    {"MATRIX/1,NAME=K", "d.adm:2: MATRIX/1: FULL, SPARSE or FILE is missing; say how the values are given\n"},
    {"COUPLER/1,JOINTS=1,2,SCALES=1,-1,TYPE=R:Q",
     "d.adm:2: COUPLER/1: TYPE cannot be 'Q'; it is TRANSLATIONAL or ROTATIONAL\n"},
    {"COUPLER/1,SCALES=1,2", "d.adm:2: COUPLER/1: JOINTS is missing; the joints that are coupled\n"},
    {"COUPLER/1,JOINTS=1,two,SCALES=1", "d.adm:2: COUPLER/1: JOINTS takes an id, found 'two'\n"},
    {"COUPLER/1,JOINTS=1,2,SCALES=1,FUNCTION=TIME",
     "d.adm:2: COUPLER/1: SCALES and FUNCTION exclude each other; give one of them\n"},
    {"GEAR/1,JOINTS=1,CV=101", "d.adm:2: GEAR/1: JOINTS takes 2 values, found 1\n"},
    {"GEAR/1,JOINTS=1,2,CV=999", "d.adm:2: GEAR/1: marker 999 does not exist (PART/3 has 301)\n"},
    {"GEAR/1,JOINTS=1,9,CV=101", "d.adm:2: GEAR/1: JOINT 9 does not exist (there are 1, 2)\n"},
    {"GEAR/1,JOINTS=1,2,CV=101,RATIO=2", "d.adm:2: GEAR/1: unknown argument 'RATIO'; GEAR has ...\n"},
    {"FIELD/1,J=301,KMATRIX=1", "d.adm:2: FIELD/1: KMATRIX takes 36 values, found 1\n"},
    {"FIELD/"
     "1,I=201,J=301,CRATIO=-1,FORCE=1,2,3,4,5,6,KM=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1,1,1",
     "d.adm:2: FIELD/1: CRATIO=-1 is out of range; it must be >=0\n"},
    {"FIELD/"
     "1,I=201,J=301,KM=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,CRATIO=1,CM=1,"
     "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
     "d.adm:2: FIELD/1: CRATIO and CMATRIX exclude each other; give one of them\n"},
    {"FIELD/"
     "1,I=201,J=301,KM=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,FORCE=1,2,3",
     "d.adm:2: FIELD/1: FORCE takes 6 values, found 3\n"},
    {"FIELD/"
     "1,I=201,J=301,KM=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,FUNCTION=USER("
     "1)",
     "d.adm:2: FIELD/1: KMATRIX and FUNCTION exclude each other; give one of them\n"},
    {"FIELD/1,I=201,J=999,KM=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
     "d.adm:2: FIELD/1: marker 999 does not exist (PART/3 has 301)\n"},
    {"FIELD/"
     "1,I=201,J=301,KM=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,FORMULATION="
     "CUBIC",
     "d.adm:2: FIELD/1: FORMULATION cannot be 'CUBIC'; it is LINEAR or NONLINEAR\n"},
    {"BEAM/1,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1",
     "d.adm:2: BEAM/1: I is missing; marker at the end, +x of J from J\n"},
    {"BEAM/1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=0,EMOD=1,GMOD=1",
     "d.adm:2: BEAM/1: AREA=0 is out of range; it must be >0\n"},
    {"BEAM/"
     "1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1,CRATIO=1,CMATRIX=1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1,1,1,1,1",
     "d.adm:2: BEAM/1: CRATIO and CMATRIX exclude each other; give one of them\n"},
    {"BEAM/1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1,CMATRIX=1,2,3",
     "d.adm:2: BEAM/1: CMATRIX takes 21 values, found 3\n"},
    {"BEAM/1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1,ASY=-1",
     "d.adm:2: BEAM/1: ASY=-1 is out of range; it must be >=0\n"},
    {"BEAM/1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1,STIFFNESS=3",
     "d.adm:2: BEAM/1: unknown argument 'STIFFNESS'; BEAM has ...\n"},
    {"BEAM/1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1,FORMULATION=CURVED",
     "d.adm:2: BEAM/1: FORMULATION cannot be 'CURVED'; it is LINEAR, STRING or NONLINEAR\n"},
    {"BEAM/1,I=201,J=301,LENGTH=1,IXX=1,IYY=1,IZZ=1,AREA=1,EMOD=1,GMOD=1,I=201",
     "d.adm:2: BEAM/1: I is given twice\n"},
    {"LSE/1,X=1,A=1,IC=5\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1\nMATRIX/"
     "1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: ARRAY 5 does not exist (there are 1, 2, 3)\n"},
    {"LSE/1,A=1\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: X is missing; ARRAY of the states\n"},
    {"LSE/1,X=1\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: A is missing; states by states\n"},
    {"LSE/1,X=1,A=1,D=1,U=3\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1\nMATRIX/"
     "1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: D needs Y beside it\n"},
    {"TFSISO/1,X=1,Y=2,U=3,NUM=1,DEN=1\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1",
     "d.adm:2: TFSISO/1: DENOMINATOR takes at least 2 values, found 1\n"},
    {"TFSISO/1,X=1,Y=2,U=3,NUM=1\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1",
     "d.adm:2: TFSISO/1: DENOMINATOR is missing; coefficients a0, a1 ... by ascending powers of s\n"},
    {"TFSISO/1,X=1,Y=2,NUM=1,DEN=1,2\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1",
     "d.adm:2: TFSISO/1: U is missing; ARRAY of the input\n"},
    {"NFORCE/1,IM=201,J=101,KM=7\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: MATRIX 7 does not exist (there is only 1)\n"},
    {"NFORCE/1,IM=201,KM=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: J is missing; marker that takes the reaction\n"},
    {"NFORCE/1,J=101,KM=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: IMARKERS is missing; the n markers that take the action\n"},
    {"NFORCE/1,IM=201,J=101\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: KMATRIX is missing; stiffness, 6n x 6n, in the order of IMARKERS\n"},
    {"NFORCE/1,IM=201,999,J=101,KM=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: marker 999 does not exist (PART/3 has 301)\n"},
    {"NFORCE/1,IM=201,J=101,KM=1,CM=1,CRATIO=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: CMATRIX and CRATIO exclude each other; give one of them\n"},
    {"NFORCE/1,IM=201,J=101,KM=1,FORCE=9\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: ARRAY 9 does not exist (there is no ARRAY at all)\n"},
    {"SPLINE/1,X=1,2,3,4,Y=1,2,3,4,FILE=a",
     "d.adm:2: SPLINE/1: X and FILE exclude each other; give one of them\n"},
    {"SPLINE/1,X=1,2,3,4,Y=1,2,3,4,Z=1", "d.adm:2: SPLINE/1: unknown argument 'Z'; SPLINE has ...\n"},
    {"SPLINE/1,Y=1,2,3,4", "d.adm:2: SPLINE/1: Y needs X beside it\n"},
    {"VARIABLE/2,FU=DX(201", "d.adm:2: VARIABLE/2: FUNCTION: a ) is missing\n"},
    {"DIFF/1,IC=1", "d.adm:2: DIFF/1: FUNCTION is missing; rate, or the residual if IMPLICIT\n"},
    {"SFORCE/1,I=201,J=101,FU=1", "d.adm:2: SFORCE/1: one of TRANSLATION, ROTATION must be given\n"},
    {"SFORCE/1,TRANS,ROT,I=201,J=101,FU=1",
     "d.adm:2: SFORCE/1: TRANSLATION and ROTATION exclude each other; give one of them\n"},
    {"JOINT/3,TRANSLATIONAL,I=201,J=301,IC=1,\n, 30D",
     "d.adm:3: JOINT/3: IC is no angle here: '30D' cannot be in degrees\n"},
    {"JOINT/3,IC=1D,I=201,J=301,TRANSLATIONAL",
     "d.adm:2: JOINT/3: IC is no angle here: '1D' cannot be in degrees\n"},
    {"MOTION/1,JOINT=1,VELOCITY,ICDISP=30D,TRANSLATION,FUNCTION=1",
     "d.adm:2: MOTION/1: ICDISP is no angle here: '30D' cannot be in degrees\n"},
    {"MOTION/1,I=201,J=301,X,ACCELERATION,ICVEL=30D,FUNCTION=1",
     "d.adm:2: MOTION/1: ICVEL is no angle here: '30D' cannot be in degrees\n"},
    {"FIELD/"
     "1,I=201,J=301,LENGTH=0,0,30D,30D,0,0,KM=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1",
     "d.adm:2: FIELD/1: LENGTH is no angle here: '30D' cannot be in degrees\n"},
    {"JOINT/3,SCREW,I=201,J=301", "d.adm:2: JOINT/3: SCREW needs PITCH beside it\n"},
    {"JPRIM/1,INLINE,ATPOINT,I=201,J=301",
     "d.adm:2: JPRIM/1: INLINE and ATPOINT exclude each other; give one of them\n"},
    {"JPRIM/1,I=201,J=301",
     "d.adm:2: JPRIM/1: one of ATPOINT, INLINE, INPLANE, ORIENTATION, PARALLEL_AXES, PERPENDICULAR must be "
     "given\n"},
    {"GCON/1,I=201", "d.adm:2: GCON/1: FUNCTION is missing; expression that is held at zero\n"},
    {"REQUEST/1,D,I=999", "d.adm:2: REQUEST/1: marker 999 does not exist (PART/3 has 301)\n"},
    {"ACCGRAV/GRAV=-9.81",
     "d.adm:2: ACCGRAV: unknown argument 'GRAV'; did you mean IGRAV? ACCGRAV has ...\n"},
    {"IC/ERROR=0", "d.adm:2: IC: ERROR=0 is out of range; it must be >0\n"},
    {"INTEGRATOR/HHT,ERROR=-1", "d.adm:2: INTEGRATOR: ERROR=-1 is out of range; it must be >0\n"},
    {"INTEGRATOR/HHT,HMAX=0", "d.adm:2: INTEGRATOR: HMAX=0 is out of range; it must be >0\n"},
    {"FIELD/1,I=201,J=301,CRATIO=.1", "d.adm:2: FIELD/1: CRATIO needs KMATRIX beside it\n"},
    {"OUTPUT/REQSAVES",
     "d.adm:2: OUTPUT: unknown argument 'REQSAVES'; did you mean REQSAVE? OUTPUT has ...\n"},
    {"RESULTS/FORMATTED=3", "d.adm:2: RESULTS: FORMATTED takes no value\n"},
};

TEST(WrongDecks, of_elements_give_one_message_each) {
  for (const auto& deck : wrong) {
    Diagnostics diagnostics;
    parse_dataset(deck.text(), "d.adm", diagnostics);
    EXPECT_EQ(messages(diagnostics), deck.message) << deck.body;
    EXPECT_EQ(diagnostics.exit_code(), ExitCode::input) << deck.body;
  }
}

}  // namespace
}  // namespace trammel::wrong_decks_elements_test
