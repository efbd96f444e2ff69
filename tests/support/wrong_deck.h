// Decks with one mistake each, and the one message that is expected.
#pragma once

#include <string>

namespace trammel::test {

struct WrongDeck {
  const char *body, *message;
  /// The statement at fault stands on line 2; three parts, their markers, two joints and a variable below it.
  std::string text() const {
    return std::string("title\n") + body +
           "\nPART/1,GROUND\nPART/2,MASS=1,CM=201,IP=1,1,1\nPART/3,MASS=1,CM=301,IP=1,1,1\n"
           "MARKER/101,PART=1\nMARKER/102,PART=1\nMARKER/201,PART=2\nMARKER/301,PART=3\n"
           "MARKER/290,PART=2,FLOATING\nJOINT/1,REV,I=201,J=101\nJOINT/2,REV,I=301,J=102\nVARIABLE/"
           "1,FU=1\nEND\n";
  }
};

}  // namespace trammel::test
