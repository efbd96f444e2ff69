// Decks that chance has damaged: the reader must answer each, in bounded time, and never fall over.
#include <chrono>
#include <random>

#include "dataset/lines.h"
#include "dataset/permissive.h"
#include "dataset/writer.h"
#include "support.h"

namespace trammel::robustness_test {
namespace {

const char* const seed_deck =
    "a deck with everything\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/KGRAV=-9.81\n"
    "! adams_view_name='ground'\nPART/1,GROUND\nMARKER/101,PART=1;MARKER/102,PART=1,QP=1,2,3,REULER=90D,0,0\n"
    "MARKER/103,PART=1,FLOATING\nPART/2\n, MASS=1,CM=201,IP=1,1,1\n,QG=0,0,\n,0, EXACT=X:Y:PSI\n"
    "MARKER/201,PART=2\nMARKER/202,PART=2,ZP=0,0,1,XP=1,0,0\nJOINT/1,REVOLUTE,I=202,J=102,IC=0,30D\n"
    "MOTION/1,JOINT=1,ROT,FUNC=30D*TIME\nSFORCE/1,TRANS,I=201,J=101,FU=-3*DM(201,101)\n,-4*VR(201,101)\n"
    "VFORCE/1,I=201,JFLOAT=103,RM=101,FX=STEP(TIME,0,0,\n,1,2)\\FY=0\\FZ=IF(TIME-1:0,0,MAX(1,2))\n"
    "BUSHING/1,I=201,J=101,K=1,2,3,C=1,1,1\nVARIABLE/1,FUNCTION=VARVAL(1)*[1,2,3] ! comment\n"
    "DIFF/1,IC=1,FU=-DIF(1),IMPL\nSPLINE/1,X=1,2,3,4,Y=1,4,9,16\n"
    "REQUEST/1,D,I=201,J=101,C=COMMENT: x (y)\nREQUEST/2,CNAMES=\"a\",\"b, c\",F2=AX(1,2)\\F3=1/F4=2\n"
    "STRING/1,STRING=c:\\x\\y.dat\nGRAPHICS/1,CYLINDER\n, CM=101, LENGTH = "
    "2\nINTEGRATOR/HHT,ERROR=1E-5,PATTERN=T:F\n"
    "OUTPUT/REQSAVE,NOSEP\nRESULTS/XRF\nEND\n";

std::string mutated(const std::string& deck, std::mt19937& random) {
  static const std::string pieces[] = {",", "\n,", "\n",    "&\n",        "\\",     "!",     ";",  "(",
                                       ")", "[",   "]",     "=",          "/",      "\"",    "'",  ":",
                                       "D", "-",   "1E999", "9999999999", "GROUND", "PART/", "\t", "RM=1"};
  std::string text = deck;
  const int changes = 1 + static_cast<int>(random() % 6);
  for (int k = 0; k < changes; ++k) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    switch (random() % 6) {
      case 0:
        text.insert(at, pieces[random() % std::size(pieces)]);
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        if (!text.empty()) text[at] = static_cast<char>(random() % 256);
        break;
      case 3:
        text.insert(at, text.substr(random() % (text.size() + 1), random() % 60));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text.insert(at, std::string(random() % 40, "(,[&=1"[random() % 6]));
        break;
    }
  }
  return text;
}

TEST(Robustness, TheUndamagedDeckIsGood) {
  Diagnostics diagnostics;
  parse_dataset(seed_deck, "d.adm", diagnostics);
  EXPECT_EQ(messages(diagnostics), "");
}

TEST(Robustness, DamagedDecksAreAnswered) {
  std::mt19937 random(20240607);
  int good = 0, bad = 0;
  for (int k = 0; k < 6000; ++k) {
    const std::string text = mutated(seed_deck, random);
    Diagnostics diagnostics;
    Description deck = parse_dataset(text, "d.adm", diagnostics);
    for (const Diagnostic& d : diagnostics.list()) {
      EXPECT_FALSE(d.text.empty());
      EXPECT_EQ(clean_text(d.text), d.text) << "a message is no printable UTF-8";
    }
    (diagnostics.has_errors() ? bad : good)++;
    if (!diagnostics.has_errors()) {
      // What reads without a mistake must read back the same.
      Diagnostics again;
      const Description copy = parse_dataset(write_dataset(deck), "d.adm", again);
      ASSERT_FALSE(again.has_errors()) << text << "\n--- written:\n"
                                       << write_dataset(deck) << messages(again);
      ASSERT_EQ(content(copy), content(deck)) << text;
    }
    write_dataset(deck);
    report_unsupported(deck, diagnostics);
    drop_unsupported(deck, Dependents::drop);
  }
  // Both outcomes must occur, or the test shows nothing.
  EXPECT_GT(good, 100);
  EXPECT_GT(bad, 1000);
}

TEST(Robustness, NoiseIsNoDataset) {
  std::mt19937 random(7);
  for (int k = 0; k < 200; ++k) {
    std::string text(1 + random() % 3000, ' ');
    for (char& c : text) c = static_cast<char>(random() % 256);
    Diagnostics diagnostics;
    parse_dataset(text, "d.adm", diagnostics);
    EXPECT_TRUE(diagnostics.has_errors());
  }
}

/// Seconds to read a text.
double reading_time(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  Diagnostics diagnostics;
  Description deck = parse_dataset(text, "d.adm", diagnostics);
  drop_unsupported(deck, Dependents::drop);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string repeated(const std::string& head, const std::string& piece, int count) {
  std::string text = "title\n" + head;
  for (int k = 0; k < count; ++k) text += piece;
  return text;
}

TEST(Robustness, TimeGrowsWithTheLength) {
  // 2 MB of one thing; linear reading takes well below a second, quadratic reading minutes. The limit only
  // tells these apart on a slow and busy machine.
  constexpr int n = 400'000;
  const std::pair<const char*, std::string> texts[] = {
      {"open parentheses", repeated("VARIABLE/1,FU=", "((((", n)},
      {"balanced parentheses", repeated("VARIABLE/1,FU=", "()()", n)},
      {"continued lines", repeated("VARIABLE/1,FU=1", "\n,+1", n)},
      {"ampersands", repeated("VARIABLE/1,FU=1", "&\n+1", n)},
      {"commas", repeated("VARIABLE/1,FU=1", ",,,,", n)},
      {"values", repeated("SPLINE/1,X=", "1,2,", n)},
      {"arguments", repeated("PART/2", ",VX=1", n)},
      {"rows", repeated("SPLINE/1,X=1,2,3,4", ",Y=1", n)},
      {"semicolons", repeated("", "PART;", n)},
      {"statements", repeated("", "PART/2\n", n)},
      {"quotation marks", repeated("REQUEST/1,CNAMES=", "\"\",", n)},
      {"open quotation mark", repeated("REQUEST/1,CNAMES=\"", "abc,", n)},
      {"text", repeated("RESULTS/COMMENT=", "a, b", n)},
      {"backslashes", repeated("VARIABLE/1,FU=1", "\\\\\\\\", n)},
      {"one word", repeated("", "WORD", n)},
      {"comments", repeated("PART/1", "!abc\n", n)},
  };
  for (const auto& [name, text] : texts) EXPECT_LT(reading_time(text), 20.0) << name;
  std::string chain = "title\nPART/1,GROUND\n";
  for (int k = 1; k < 50'000; ++k)
    chain += "MARKER/" + std::to_string(k) + ",PART=1,RM=" + std::to_string(k + 1) + "\n";
  EXPECT_LT(reading_time(chain), 20.0);
}

}  // namespace
}  // namespace trammel::robustness_test
