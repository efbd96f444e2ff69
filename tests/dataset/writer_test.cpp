// Round trip: reading what was written gives the same description, to the last bit.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/text.h"
#include "dataset/permissive.h"
#include "dataset/writer.h"
#include "support.h"

namespace trammel::writer_test {
namespace {

void expect_round_trip(const Description& deck, const std::string& name) {
  Diagnostics diagnostics;
  const std::string text = write_dataset(deck);
  const Description again = parse_dataset(text, name, diagnostics);
  for (const Diagnostic& d : diagnostics.list())
    if (d.severity == Severity::error) ADD_FAILURE() << to_string(d);
  EXPECT_EQ(content(again), content(deck)) << name;
  EXPECT_EQ(write_dataset(again), text) << name;
}

TEST(Writer, FormOfTheText) {
  const Description deck = read_good(
      "part/1,GROUND\n! "
      "adams_view_name='arm'\nPART/2,MASS=.5D0,CM=3,EXACT=X:Y\nMARKER/3,PART=2\nVARIABLE/1,FU=1 + 2\\IC=3\n");
  EXPECT_EQ(
      write_dataset(deck),
      "title\nPART/1\n, GROUND\n! adams_view_name='arm'\nPART/2\n, MASS = 0.5\n, CM = 3\n, EXACT = X:Y\n"
      "MARKER/3\n, PART = 2\nVARIABLE/1\n, FUNCTION = 1 + 2\\\n, IC = 3\nEND\n");
}

TEST(Writer, EveryKindOfArgument) {
  expect_round_trip(
      read_good(
          "UNITS/SYSTEM=IPS\nACCGRAV/\nPART/1,GROUND\nPART/2,MASS=1,CM=1,IP=.1,.1,.1,0,1E-17,0,QG=1,2,3\n"
          ",REULER=0.1D,33.3D,1e-5D\nMARKER/1,PART=2\nMARKER/2,PART=1,FLOATING\nMARKER/3,PART=1\n"
          "VFORCE/1,I=1,JFLOAT=2,RM=3,FX=IF(TIME-1:0,1,2)\\FZ=3\n"
          "REQUEST/1,F2=1\\F3=2\\CNAMES=\"a, b\",,\"it's\",\"c=d\",\"DISPLACEMENT\"\\COMMENT=x: y (z), w\n"
          "REQUEST/2,D,I=1,RESULTS_NAME=q\nINTEGRATOR/HHT,PATTERN=T:F,CORRECTOR=MOD,KMAX=2\n"
          "STRING/1\n, STRING = a,b\n,c = \\x\n,\n, d\nGRAPHICS/1,BOX\n, CORNER=1\nLSOLVER/CALAHAN\nNOLIST\n"
          "DEBUG/\nSPLINE/3,X=1,2,3,4\n,Y=0,1,2,3,4,Y=1,5,6,7,8\nSPLINE/4,FILE=a=b.rpc\n"
          "SPLINE/5,FILE=\"a, b.rpc\"\nPINPUT/1,VARIABLES=1\nVARIABLE/1,FUNC=1,ROUTINE=lib::sub\n"),
      "kinds");
}

TEST(Writer, ModelsOfTheProject) {
  int read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TRAMMEL_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".adm") continue;
    Diagnostics diagnostics;
    expect_round_trip(read_dataset(entry.path().string(), diagnostics), entry.path().string());
    EXPECT_EQ(messages(diagnostics), "") << entry.path();
    ++read;
  }
  EXPECT_GT(read, 0);
}

/// Counts the lines that begin with NAME/, below the title and above END: what a reader must find.
std::map<std::string, int> statements_by_eye(const std::string& path) {
  std::map<std::string, int> counts;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::size_t k = 0;
    while (k < line.size() && (std::isalpha(static_cast<unsigned char>(line[k])) != 0 || line[k] == '_')) ++k;
    if (k > 0 && k < line.size() && line[k] == '/') ++counts[upper(line.substr(0, k))];
  }
  return counts;
}

TEST(Samples, AreReadWholeAndWrittenBack) {
  const char* folder = std::getenv("TRAMMEL_SAMPLES");
  if (folder == nullptr) GTEST_SKIP() << "TRAMMEL_SAMPLES does not name a folder with real datasets";
  int read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".adm") continue;
    const std::string path = entry.path().string();
    Diagnostics diagnostics;
    Description deck = read_dataset(path, diagnostics);
    EXPECT_EQ(diagnostics.count(Severity::error), 0) << path << "\n" << messages(diagnostics);
    std::map<std::string, int> counts;
    for (const Statement& s : deck.statements) ++counts[std::string(s.spec->keyword)];
    EXPECT_EQ(counts, statements_by_eye(path)) << path;
    expect_round_trip(deck, path);
    const DropReport report = drop_unsupported(deck, Dependents::drop);
    Diagnostics after;
    report_unsupported(deck, after);
    EXPECT_EQ(after.count(Severity::error), 0) << path;
    Diagnostics again;
    parse_dataset(write_dataset(deck), path, again);
    EXPECT_EQ(again.count(Severity::error), 0) << path << "\n" << messages(again);
    ++read;
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace trammel::writer_test
