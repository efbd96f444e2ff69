// What datasets in the field write and what has no effect: read, and told where something is left out.
#include "dataset/permissive.h"
#include "dataset/writer.h"
#include "support.h"

namespace trammel::accepted_test {
namespace {

#define BODY \
  "PART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nMARKER/21,PART=2\n"

/// Everything said of a deck that can run.
std::string said_of(const std::string& body) {
  Diagnostics diagnostics;
  const Description deck = read_body(body, diagnostics);
  report_unsupported(deck, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << messages(diagnostics);
  return messages(diagnostics);
}

/// A force without reaction may have both markers on one body: J gives its direction there.
TEST(Accepted, ActionOnlyOnOneBody) {
  EXPECT_EQ(said_of(BODY "SFORCE/1,ROTATIONAL,I=20,J=21,ACTIONONLY,FUNCTION=3\n"
                         "SFORCE/2,TRANSLATIONAL,I=20,J=21,ACTIONONLY,FUNCTION=3\n"),
            "");
  Diagnostics diagnostics;
  read_body(BODY "SFORCE/1,ROTATIONAL,I=20,J=21,FUNCTION=3\n", diagnostics);
  EXPECT_EQ(messages(diagnostics),
            "d.adm:7: SFORCE/1: I=20 and J=21 are both on PART/2; they must be on different bodies\n");
}

TEST(Accepted, EmptyTexts) {
  using namespace std::string_literals;
  for (const std::string& text : {""s, "   "s, std::string(1024, '\0'), "\t \0\0 "s}) {
    const Description deck =
        read_good("STRING/31\n, STRING = " + text + "\nREQUEST/1, F2=1\\COMMENT=" + text + "\n");
    ASSERT_NE(deck.find("STRING", 31), nullptr);
    EXPECT_TRUE(deck.find("STRING", 31)->has("STRING"));
    EXPECT_EQ(deck.find("STRING", 31)->text("STRING"), "");
    Diagnostics again;  // and it reads back what it writes
    EXPECT_EQ(content(parse_dataset(write_dataset(deck), "d.adm", again)), content(deck));
    EXPECT_EQ(messages(again), "");
  }
  EXPECT_EQ(read_good("STRING/1, STRING = abc" + std::string(50, '\0')).find("STRING", 1)->text("STRING"),
            "abc");
  Diagnostics diagnostics;  // a file name is needed
  read_body("MATRIX/1, FILE=   \n", diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(Accepted, MoreNamesThanComponents) {
  Diagnostics diagnostics;
  const Description deck = read_body(
      "REQUEST/1\n, CNAMES = \"a\", \"b\", \"c\", \"d\"\n, \"e\", \"f\", \"g\", \"h\", \"\", \"j\"\n, F2 = "
      "TIME\n"
      "REQUEST/2, F2=TIME\\CUNITS=\"\",length,,,,,,,\"force\"\n",
      diagnostics);
  EXPECT_EQ(messages(diagnostics),
            "d.adm:3: REQUEST/1: CNAMES takes at most 8 texts; 2 more are left out\n"
            "d.adm:6: REQUEST/2: CUNITS takes at most 8 texts; 1 more is left out\n");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(deck.find("REQUEST", 1)->find("CNAMES")->words,
            (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g", "h"}));
  EXPECT_EQ(deck.find("REQUEST", 1)->text("F2"), "TIME");
}

/// FORCE and VELOCITY are names of quantities as well as flags of requests between markers, of which there is
/// one, with I.
TEST(Accepted, NamesOfFlagsInListsOfARequest) {
  using Words = std::vector<std::string>;
  const auto words = [](const std::string& arguments, const char* list) {
    const Description deck = read_good("REQUEST/1," + arguments + "\nMARKER/1,PART=9999\n");
    EXPECT_EQ(deck.find("REQUEST", 1)->chosen("kind"), "") << arguments;
    return deck.find("REQUEST", 1)->find(list)->words;
  };
  EXPECT_EQ(words("F2=1\\F3=2\\CUNITS=length,force", "CUNITS"), (Words{"length", "force"}));
  EXPECT_EQ(words("CUNITS=length,force,\n,velocity,F2=1\\F3=2", "CUNITS"),
            (Words{"length", "force", "velocity"}));
  EXPECT_EQ(words("F2=1\\CNAMES=x,force,CUNITS=length, acceleration", "CNAMES"), (Words{"x", "force"}));
  EXPECT_EQ(words("F2=1\\CNAMES=x,force,CUNITS=length, acceleration", "CUNITS"),
            (Words{"length", "acceleration"}));
  for (const std::string text :
       {"CNAMES=a,b\\CUNITS=length,time\\F2=1", "CNAMES=a,b\\\n,CUNITS=length,time\\F2=1"}) {
    EXPECT_EQ(words(text, "CNAMES"), (Words{"a", "b"})) << text;
    EXPECT_EQ(words(text, "CUNITS"), (Words{"length", "time"})) << text;
  }
  for (const std::string text :
       {"CNAMES=a,b,FORCE,I=1,J=1", "I=1,J=1,CUNITS=length,time,FORCE", "I=1,CNAMES=a,b,FORCE"}) {
    const Description deck = read_good("REQUEST/1," + text + "\nMARKER/1,PART=9999\n");
    EXPECT_TRUE(deck.find("REQUEST", 1)->has("FORCE")) << text;
  }
  const Description both = read_good("REQUEST/1,V,I=1,CUNITS=length,force\nMARKER/1,PART=9999\n");
  EXPECT_EQ(both.find("REQUEST", 1)->chosen("kind"), "VELOCITY");
  EXPECT_EQ(both.find("REQUEST", 1)->find("CUNITS")->words, (Words{"length", "force"}));
}

TEST(Accepted, WhatHasNoEffectIsTold) {
  EXPECT_EQ(said_of("RESULTS/FORMATTED\n, NOTIRES\n"),
            "d.adm:2: RESULTS: NOTIRES is accepted, without effect in this program\n");
  EXPECT_EQ(said_of("INTEGRATOR/\n, GSTIFF\n, SCALE = 1, 1, 1\n"),
            "d.adm:2: INTEGRATOR: SCALE is accepted, without effect in this program\n");
}

TEST(Accepted, TorquesOnPointMassesAreTold) {
  const auto said = [](const std::string& force) {
    return said_of(BODY "POINT_MASS/3,MASS=1,CM=30\nMARKER/30,POINT_MASS=3\nMARKER/2,PART=1,FLOATING\n" +
                   force);
  };
  const auto told = [](const std::string& force, const char* marker) {
    return fmt::format(
        "d.adm:10: {}: its torque has no effect on {}: POINT_MASS/3 is a point and does not turn; give a "
        "PART "
        "with inertia\n",
        force, marker);
  };
  EXPECT_EQ(said("SFORCE/1,ROTATION,I=30,J=1,FUNCTION=3\n"), told("SFORCE/1", "I=30"));
  EXPECT_EQ(said("SFORCE/1,ROTATION,I=20,J=30,FUNCTION=3\n"), told("SFORCE/1", "J=30"));
  EXPECT_EQ(said("SFORCE/1,ROTATION,ACTIONONLY,I=20,J=30,FUNCTION=3\n"), "");
  EXPECT_EQ(said("SFORCE/1,TRANSLATION,I=30,J=1,FUNCTION=3\n"), "");
  EXPECT_EQ(said("SPRINGDAMPER/1,ROTATION,I=30,J=1,KT=3\n"), told("SPRINGDAMPER/1", "I=30"));
  EXPECT_EQ(said("VTORQUE/1,I=30,JFLOAT=2,RM=1,TX=3\n"), told("VTORQUE/1", "I=30"));
  EXPECT_EQ(said("GFORCE/1,I=30,JFLOAT=2,RM=1,FX=3\\TX=0\n"), "");
  EXPECT_EQ(said("GFORCE/1,I=30,JFLOAT=2,RM=1,FX=3\\TX=2\n"), told("GFORCE/1", "I=30"));
  EXPECT_EQ(said("BUSHING/1,I=30,J=1,K=1,1,1,KT=0,0,0\n"), "");
  EXPECT_EQ(said("BUSHING/1,I=30,J=1,K=1,1,1,KT=0,0,1\n"), told("BUSHING/1", "I=30"));
}

TEST(Accepted, ArraysOfStatesWithoutSize) {
  EXPECT_EQ(said_of("ARRAY/1, X\nARRAY/2\n, Y\n"), "");
  Diagnostics diagnostics;
  read_body("ARRAY/1, X, NUMBERS=1,2\n", diagnostics);
  EXPECT_EQ(messages(diagnostics),
            "d.adm:2: ARRAY/1: X takes only SIZE; its values come from the element that names it\n");
}

}  // namespace
}  // namespace trammel::accepted_test
