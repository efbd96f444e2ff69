// Decks whose one mistake shows only when the model is compiled: what `trammel check` says, to the letter.
#include <gtest/gtest.h>

#include "../app/support.h"
#include "../support/wrong_deck.h"

using namespace trammel_test;

namespace wrong_models_test {
namespace {

const trammel::test::WrongDeck wrong[] = {
    {"MATRIX/1,FILE=none.mtx,NAME=K",
     "d.adm:2: MATRIX/1: FILE: none.mtx cannot be read: No such file or directory\n"},
    {"COUPLER/1,JOINTS=1,2,SCALES=1,2,TYPE=R:T",
     "d.adm:2: COUPLER/1: JOINT/2 has no translational freedom\n"},
    {"GEAR/1,CV=101",
     "d.adm:2: GEAR/1: JOINTS is missing; joints of the two gears, I on the gear, J on the carrier\n"},
    {"LSE/1,X=3,A=1\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: X=ARRAY/3 is of another kind; it must be ARRAY/3, X, SIZE=...\n"},
    {"LSE/1,X=1,A=2\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1\nMATRIX/"
     "1,FULL,ROWS=1,COL=1,VAL=1\nMATRIX/2,FULL,RORDER,ROWS=2,COL=3,VAL=1,2,3,4,5,6",
     "d.adm:2: LSE/1: A=MATRIX/2 is 2 x 3; it must be 1 x 1, as X has 1\n"},
    {"LSE/1,X=1,A=1\nLSE/2,X=1,A=1\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1\nMATRIX/"
     "1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:3: LSE/2: X=ARRAY/1 belongs to LSE/1 already; each element needs its own\n"},
    {"TFSISO/1,X=1,Y=2,U=3,NUM=1,DEN=1,2,3\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1",
     "d.adm:2: TFSISO/1: X=ARRAY/1 has 1 entries; it must have 2, the degree of DENOMINATOR\n"},
    {"TFSISO/1,X=1,Y=2,U=4,NUM=1,DEN=1,2\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nARRAY/3,U,VAR=1\nARRAY/"
     "4,U,VAR=1,1",
     "d.adm:2: TFSISO/1: U=ARRAY/4 has 2 entries; it must have 1, the one input\n"},
    {"NFORCE/1,IM=201,J=101,KM=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: NFORCE/1: KMATRIX=MATRIX/1 is 1 x 1; it must be 6 x 6, six for each of its 1 IMARKERS\n"},
    {"VARIABLE/2,FU=SIN()",
     "d.adm:2: VARIABLE/2: FUNCTION: SIN takes 1 argument(s), not 0, at column 1 (SIN(x))\n"},
    {"VARIABLE/2,FU=SIN(1,2)",
     "d.adm:2: VARIABLE/2: FUNCTION: SIN takes 1 argument(s), not 2, at column 1 (SIN(x))\n"},
    {"VARIABLE/2,FU=1+",
     "d.adm:2: VARIABLE/2: FUNCTION: the expression ends where a number, a name or \"(\" should follow, at "
     "column 3\n"},
    {"VARIABLE/2,FU=2 3",
     "d.adm:2: VARIABLE/2: FUNCTION: \"3\" where an operator or the end should stand, at column 3\n"},
    {"VARIABLE/2,FU=DX(201)+DX(999,1)",
     "d.adm:2: VARIABLE/2: FUNCTION: marker 999 does not exist at column 12\n"},
    {"VARIABLE/2,FU=AKISPL(TIME,0,5)",
     "d.adm:2: VARIABLE/2: FUNCTION: SPLINE/5 does not exist at column 15\n"},
    {"VARIABLE/2,FU=VARVAL(77)", "d.adm:2: VARIABLE/2: FUNCTION: VARIABLE/77 does not exist at column 1\n"},
    {"VARIABLE/2,FU=TIMES",
     "d.adm:2: VARIABLE/2: FUNCTION: unknown name \"TIMES\" at column 1 (did you mean TIME?)\n"},
    {"VARIABLE/2,FU=[1,2]",
     "d.adm:2: VARIABLE/2: FUNCTION: \"]\" where \",\" (a vector is [a, b, c]) should stand, at column 5\n"},
    {"VARIABLE/2,FU=[1,2,3]",
     "d.adm:2: VARIABLE/2: FUNCTION: the expression must be a scalar, but is a vector at column 1\n"},
    {"VARIABLE/2,FU=IF(TIME,1,2,3)",
     "d.adm:2: VARIABLE/2: FUNCTION: \",\" where \":\" of IF(e: a, b, c) should stand, at column 8\n"},
    {"VARIABLE/2,FU=1..5", "d.adm:2: VARIABLE/2: FUNCTION: \"1..\" is no number at column 1\n"},
    {"VARIABLE/2,FU=STEP(TIME,0,0,1)",
     "d.adm:2: VARIABLE/2: FUNCTION: STEP takes 5 argument(s), not 4, at column 1 (STEP(x, x0, h0, x1, "
     "h1))\n"},
    {"VARIABLE/2,FU=ARYVAL(1,3)", "d.adm:2: VARIABLE/2: FUNCTION: ARRAY/1 does not exist at column 1\n"},
    {"VARIABLE/2,FU=#3",
     "d.adm:2: VARIABLE/2: FUNCTION: \"#\" where a number, a name or \"(\" should stand, at column 1\n"},
    {"DIFF/1,FU=DIF(2)", "d.adm:2: DIFF/1: FUNCTION: DIFF/2 does not exist at column 1\n"},
    {"MOTION/1,JOINT=1,TRANS,FU=TIME", "d.adm:2: MOTION/1: JOINT/1 is REVOLUTE and has no TRANSLATION\n"},
    {"MOTION/1,JOINT=1,ROT,FU=DX(201,101)",
     "d.adm:2: MOTION/1: FUNCTION depends on positions, which is not supported: they are not known when a "
     "displacement is needed; "
     "give "
     "VELOCITY or ACCELERATION and its derivative, or use a GCON\n"},
    {"COUPLER/1,JOINTS=1,3,SCALES=1\nJOINT/3,SPHERICAL,I=201,J=102",
     "d.adm:2: COUPLER/1: JOINT/3 is SPHERICAL; it must be REVOLUTE, TRANSLATIONAL or CYLINDRICAL\n"},
    {"VARIABLE/2,FU=HAVSINE(TIME,0,0,1,1)",
     "d.adm:2: VARIABLE/2: FUNCTION: unknown function \"HAVSINE\" at column 1 (did you mean HAVSIN?)\n"},
    {"LSE/1,X=1,A=1,U=2,B=1\nARRAY/1,X,SIZE=1\nARRAY/2,Y,SIZE=1\nMATRIX/1,FULL,ROWS=1,COL=1,VAL=1",
     "d.adm:2: LSE/1: U=ARRAY/2 is of another kind; it must be ARRAY/2, U, VARIABLES=...\n"},
};

TEST(WrongModels, give_one_message_each) {
  Folder f;
  for (const auto& deck : wrong) {
    f.write("d.adm", deck.text());
    const Outcome o = run(f, {"check", "d.adm"});
    EXPECT_EQ(o.err, deck.message) << deck.body;
    const bool unsupported = o.err.find("not supported") != std::string::npos;
    const bool unreadable = o.err.find("cannot be read") != std::string::npos;
    EXPECT_EQ(o.code, unsupported ? 4 : unreadable ? 7 : 3) << deck.body;
  }
}

}  // namespace
}  // namespace wrong_models_test
