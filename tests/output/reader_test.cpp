// Readers of result files: what the writers wrote, files of others, files that are cut or damaged.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include "output/read/result_reader.h"
#include "output/write/csv_file.h"
#include "output/write/native_file.h"
#include "output/write/request_file.h"
#include "output/write/results_xrf.h"
#include "support.h"

namespace trammel::test::reader_test {
namespace {

class ReaderTest : public OutputTest {
 protected:
  Channels channels_ = sample_channels();
  std::size_t width_ = static_cast<std::size_t>(channels_.size());

  /// The same records in every format that can be read.
  void write_all(std::size_t records) {
    NativeWriter native;
    ResultsFile results;
    RequestFile request;
    CsvFile csv;
    native.open(file("a.nc"), channels_, sample_info());
    results.open(file("a.res"), channels_, sample_info());
    request.open(file("a.req"), channels_, sample_info());
    csv.open(file("a.csv"), channels_);
    for (std::size_t r = 0; r < records; ++r) {
      const std::vector<double> values = sample_values(r, width_);
      native.record(sample_time(r), sample_kind(r), values);
      results.record(sample_time(r), sample_kind(r), values);
      request.record(sample_time(r), values);
      csv.record(sample_time(r), values);
    }
    native.close();
    results.close();
    request.close();
    csv.close();
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
  }
  std::string input_error(const std::string& name) const {
    const Failure failure = failure_of([&] { ResultReader(file(name)); });
    EXPECT_EQ(failure.code(), ExitCode::input) << failure.what();
    return failure.what();
  }
};

std::vector<double> record_of(const ResultReader& reader, std::size_t index) {
  std::vector<double> values(reader.width());
  reader.record(index, values);
  return values;
}

/// Formats with all digits give back the very numbers, by record and by channel.
TEST_F(ReaderTest, AllDigitsComeBack) {
  constexpr std::size_t records = 70;
  write_all(records);
  for (const char* name : {"a.nc", "a.res", "a.csv"}) {
    const ResultReader reader(file(name));
    EXPECT_TRUE(reader.notices().empty() || std::string(name) == "a.csv") << reader.notices()[0];
    ASSERT_EQ(reader.records(), records) << name;
    ASSERT_EQ(reader.width(), width_) << name;
    const std::vector<ChannelRef> wanted = list_channels(channels_), found = reader.list();
    for (std::size_t k = 0; k < width_; ++k) {
      EXPECT_EQ(found[k].name, wanted[k].name) << name;
      EXPECT_EQ(found[k].unit, wanted[k].unit) << name << " " << wanted[k].name;
      const std::vector<double> column = reader.column(reader.find(wanted[k].name));
      for (std::size_t r = 0; r < records; ++r) ASSERT_EQ(column[r], sample_value(r, k)) << name << r << k;
    }
    for (std::size_t r = 0; r < records; ++r) {
      EXPECT_EQ(reader.times()[r], sample_time(r));
      EXPECT_EQ(record_of(reader, r), sample_values(r, width_));
    }
  }
  const ResultReader results(file("a.res"));
  for (std::size_t r = 0; r < records; ++r) EXPECT_EQ(results.kinds()[r], sample_kind(r));
  EXPECT_EQ(results.find("boom.X").name, "PART/2.X");  // the name in ADAMS View is kept
  EXPECT_EQ(results.find("drive.rotation.TZ").name, "MOTION/4.TZ");
  EXPECT_EQ(results.info().title, sample_info().title);
  EXPECT_EQ(results.channels().entities[5].request_type, 1);  // by its units
  EXPECT_EQ(results.channels().units.force, "newton");
}

/// Accelerations may be left out: the numbers of the others move up.
TEST_F(ReaderTest, ResultsWithoutAccelerations) {
  ResultsFile results;
  results.open(file("a.res"), channels_, sample_info(), {.accelerations = false});
  results.record(0.5, StepKind::dynamics, sample_values(3, width_));
  results.close();
  const ResultReader reader(file("a.res"));
  EXPECT_EQ(reader.width(), width_ - 12);
  EXPECT_EQ(reader.column(reader.find("PART/30.WZ"))[0], sample_value(3, 18 + 11));
  EXPECT_EQ(reader.column(reader.find("JOINT/1.FX"))[0], sample_value(3, 36));
}

TEST_F(ReaderTest, RequestsComeBackToSixDigits) {
  constexpr std::size_t records = 40;
  write_all(records);
  const ResultReader reader(file("a.req"));
  EXPECT_TRUE(reader.six_digits());
  ASSERT_EQ(reader.records(), records);
  ASSERT_EQ(reader.channels().entities.size(), 2u);
  const Entity& first = reader.channels().entities[0];
  EXPECT_EQ(first.marker_i, 201);
  EXPECT_EQ(first.marker_j, 101);
  EXPECT_EQ(first.comment, "tip <of> the \"boom\" & more");
  EXPECT_EQ(reader.channels().units.length, "meter");
  // MAG X Y Z AMAG PSI THETA PHI begin behind two parts, joint, motion and variable; then F2 F4 F7.
  const std::size_t at = 18 + 18 + 6 + 6 + 1;
  const std::pair<const char*, std::size_t> wanted[] = {{"REQUEST/1.X", at + 1},   {"REQUEST/1.Z", at + 3},
                                                        {"REQUEST/1.PSI", at + 5}, {"REQUEST/1.PHI", at + 7},
                                                        {"REQUEST/12.F2", at + 8}, {"REQUEST/12.F4", at + 9},
                                                        {"REQUEST/12.F7", at + 10}};
  for (const auto& [name, channel] : wanted) {
    const std::vector<double> column = reader.column(reader.find(name));
    for (std::size_t r = 0; r < records; ++r) {
      const double value = sample_value(r, channel);
      EXPECT_NEAR(column[r], value, 5.1e-6 * std::abs(value)) << name << r;  // half a unit of the sixth digit
    }
  }
  EXPECT_EQ(reader.column(reader.find("REQUEST/12.F3")), std::vector<double>(records, 0.0));
}

/// Cut anywhere: the complete records with their very values, and a word on it; or an error; nothing else.
TEST_F(ReaderTest, CutFilesGiveTheirCompleteRecords) {
  constexpr std::size_t records = 4;
  write_all(records);
  for (const char* name : {"a.nc", "a.res", "a.req", "a.csv"}) {
    const std::string whole = read_text(file(name)), extension = std::filesystem::path(name).extension();
    const ResultReader original(file(name));
    std::vector<std::size_t> ends;  // sizes at which a further record is complete
    std::size_t last = 0;
    if (extension == ".nc") {
      const std::size_t bytes = 8 * width_ + 12;
      for (std::size_t r = 1; r <= records; ++r) ends.push_back(whole.size() - (records - r) * bytes);
    } else if (extension == ".res") {
      while ((last = whole.find("</Step>", last)) != std::string::npos) ends.push_back(last += 7);
    } else {
      const std::size_t lines = extension == ".req" ? 3 : 1;
      std::vector<std::size_t> newlines;
      for (std::size_t at = 0; (at = whole.find('\n', at)) != std::string::npos; ++at) newlines.push_back(at);
      for (std::size_t r = 1; r <= records; ++r) {
        // A full line of a .req file needs no line end; a line of a .csv does.
        const std::size_t end = newlines[newlines.size() - 1 - (records - r) * lines];
        ends.push_back(extension == ".req" ? end : end + 1);
      }
    }
    ASSERT_EQ(ends.size(), records) << name;
    std::size_t readable = 0;
    // Every length near the ends of records, every 37th elsewhere.
    for (std::size_t size = 0; size < whole.size(); size += 1) {
      bool near = false;
      for (const std::size_t end : ends) near = near || (size + 12 > end && size < end + 12);
      if (!near && size % 37 != 0) continue;
      const std::string cut = "cut" + extension;
      put(cut, whole.substr(0, size));
      std::size_t expected = 0;
      for (const std::size_t end : ends) expected += size >= end;
      try {
        const ResultReader reader(file(cut));
        ++readable;
        ASSERT_EQ(reader.records(), expected) << name << " cut at " << size;
        for (std::size_t r = 0; r < expected; ++r)
          ASSERT_EQ(record_of(reader, r), record_of(original, r)) << name << " cut at " << size;
        const bool at_the_end_of_a_record =
            extension != ".res" &&
            (std::find(ends.begin(), ends.end(), size) != ends.end() ||
             (extension == ".req" && std::find(ends.begin(), ends.end(), size - 1) != ends.end()));
        const bool noticed = !reader.notices().empty();
        if (extension == ".nc") {
          EXPECT_EQ(noticed, expected < records) << size;
        } else if (!at_the_end_of_a_record && expected > 0 && expected < records) {
          EXPECT_TRUE(noticed) << name << " cut at " << size;
        }
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), ExitCode::input) << failure.what();
        EXPECT_NE(std::string(failure.what()).find(file(cut)), std::string::npos) << failure.what();
        EXPECT_EQ(expected, 0u) << name << " cut at " << size << ": " << failure.what();
      }
    }
    EXPECT_GT(readable, 30u) << name;  // the loop above has seen more than errors
  }
}

/// Bytes changed at random: an answer or a Failure; no crash, no endless loop, no memory without bound.
TEST_F(ReaderTest, DamagedFilesAreSurvived) {
  write_all(3);
  std::mt19937 random(20261120);
  int failures = 0, answers = 0;
  for (const char* name : {"a.res", "a.req", "a.csv"}) {
    const std::string whole = read_text(file(name)), extension = std::filesystem::path(name).extension();
    for (int trial = 0; trial < 250; ++trial) {
      std::string text = whole;
      for (int k = 0; k <= trial % 5; ++k) {
        const std::size_t at = random() % text.size();
        constexpr const char* bits[] = {"<", ">", "\"", "\n", "9", "-", "e", ",", " ", "/", "=", "\xFF"};
        text.replace(at, random() % 3, bits[random() % std::size(bits)]);
      }
      put("bad" + extension, text);
      try {
        const ResultReader reader(file("bad" + extension));
        EXPECT_LE(reader.records(), 4u);
        for (std::size_t r = 0; r < reader.records(); ++r)
          EXPECT_EQ(record_of(reader, r).size(), reader.width());
        ++answers;
      } catch (const Failure& failure) {
        EXPECT_TRUE(failure.code() == ExitCode::input) << failure.what();
        ++failures;
      }
    }
  }
  EXPECT_GT(answers, 30);  // most changes leave no XML and no table
  EXPECT_GT(failures, 100);
}

constexpr const char* foreign_results = R"(<?xml version="1.0"?><!-- made by hand -->
<Results xmlns="http://www.mscsoftware.com/:xrf10"><Analysis name="x" Solver="other 1" executionDate="then">
<ModelInfo title="a &lt;title&gt; &#65;" /><Units angle="deg" length="mm" mass="kg" time="sec" />
<StepMap name="m"><Entity name="time"><Component name="TIME" unitsValue="sec" id="1"/></Entity>
<Entity name="arm_XFORM" entity="arm" entType="Part" objectId="3"><Component name="PSI" unitsValue="deg" id="3"/>
<Component name="X" unitsValue="mm" id="2"/><Component name="WX" unitsValue="deg/sec" id="4"/></Entity>
<Entity name="odd" entity="odd" entType="Spring" objectId="7"><Component name="FX" unitsValue="newton" id="5"/>
<Component name="E" unitsValue="furlong" id="6"/></Entity>
</StepMap><Data name="static_001" id="1"><Step type="static">0 1
180 90 -5.0E-01 7</Step></Data>
<Data name="dynamic_001" id="2"><Step type="dynamic">1.5 2 -90 +45 nan 8 </Step></Data>
<TerminationStatus runStatus="Failed" /></Analysis></Results>
)";

/// Values are found by their ids, whatever the order; degrees become radians; what is odd is noticed.
TEST_F(ReaderTest, ResultsOfOtherPrograms) {
  put("a.res", foreign_results);
  const ResultReader reader(file("a.res"));
  ASSERT_EQ(reader.records(), 2u);
  EXPECT_EQ(reader.kinds()[0], StepKind::statics);
  EXPECT_EQ(reader.times()[1], 1.5);
  EXPECT_EQ(reader.info().title, "a <title> A");
  EXPECT_EQ(reader.column(reader.find("arm.X")), (std::vector<double>{1, 2}));
  const std::vector<double> psi = reader.column(reader.find("PART/3.PSI")),
                            wx = reader.column(reader.find("arm.WX"));
  EXPECT_DOUBLE_EQ(psi[0], std::numbers::pi);
  EXPECT_DOUBLE_EQ(psi[1], -std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(wx[1], std::numbers::pi / 4);
  EXPECT_EQ(reader.find("arm.PSI").unit, "rad");
  EXPECT_EQ(reader.find("arm.WX").unit, "rad/sec");
  EXPECT_EQ(reader.find("SPRING/7.FX").unit, "newton");
  EXPECT_TRUE(std::isnan(reader.column(reader.find("odd.FX"))[1]));
  EXPECT_EQ(reader.channels().units.length_per_meter, 1000.0);
  ASSERT_EQ(reader.notices().size(), 2u);
  EXPECT_NE(reader.notices()[0].find("furlong"), std::string::npos);
  EXPECT_NE(reader.notices()[1].find("Failed"), std::string::npos);
}

/// Numbers, tags and characters of two bytes that lie across the pieces in which a file is read.
TEST_F(ReaderTest, LongResultsAreReadInPieces) {
  std::string text = foreign_results;
  const std::string step = "<Step type=\"dynamic\">1.5 2 -90 +45 nan 8.125</Step>\n<!-- \xC3\xA4\xC3\xB6 -->";
  constexpr std::size_t copies = 30'000;  // 2 MB
  std::string steps;
  for (std::size_t k = 0; k < copies; ++k) steps += step;
  text.insert(text.rfind("</Data>"), steps);
  put("a.res", text);
  const ResultReader reader(file("a.res"));
  ASSERT_EQ(reader.records(), copies + 2);
  const std::vector<double> x = reader.column(reader.find("arm.X")), e = reader.column(reader.find("odd.E"));
  for (std::size_t k = 2; k < x.size(); ++k) ASSERT_TRUE(x[k] == 2 && e[k] == 8.125) << k;
}

/// Bytes that are no UTF-8 are Latin-1, as in the other formats; what result files do not have is refused.
TEST_F(ReaderTest, CharactersAndEntitiesOfXml) {
  const auto title_as = [&](const std::string& title) {
    std::string text = foreign_results;
    const std::string old = "a &lt;title&gt; &#65;";
    text.replace(text.find(old), old.size(), title);
    put("a.res", text);
  };
  title_as(
      "B\xFC"
      "gel &amp; &#x20AC;");
  EXPECT_EQ(ResultReader(file("a.res")).info().title, "B\xC3\xBCgel & \xE2\x82\xAC");
  title_as("B\xC3\xBCgel");
  EXPECT_EQ(ResultReader(file("a.res")).info().title, "B\xC3\xBCgel");
  title_as("a & b");
  EXPECT_NE(input_error("a.res").find(":3: this is no XML"), std::string::npos);
  put("a.res", "<!DOCTYPE Results [<!ENTITY x \"y\">]>\n<Results/>");
  EXPECT_EQ(input_error("a.res"), file("a.res") + ":1: the entity x is declared; result files have none");
  put("a.res", "<Results>\n<StepMap></Results>");
  EXPECT_EQ(input_error("a.res"), file("a.res") + ":2: this is no XML: mismatched tag");
  std::string deep = "<Results>";
  for (int k = 0; k < 2000; ++k) deep += "<a>";
  put("a.res", deep);
  EXPECT_NE(input_error("a.res").find("nested more than"), std::string::npos);
  put("a.res", "<Results " + std::string(3'000'000, 'a'));  // the limit is 1 MiB
  EXPECT_NE(input_error("a.res").find(":1: a tag without end"), std::string::npos);
}

TEST_F(ReaderTest, MistakesNameTheirPlace) {
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = foreign_results;
    text.replace(text.find(from), from.size(), to);
    put("a.res", text);
    return input_error("a.res");
  };
  const std::string path = file("a.res");
  EXPECT_EQ(changed("180 90", "180 9x0"), path + ":10: \"9x0\" is no number");
  EXPECT_EQ(changed("90 -5.0E-01", "-5.0E-01"), path + ":9: a step with 5 values; the StepMap names 6");
  EXPECT_EQ(changed("90 -5.0E-01", "9 9 9"),
            path + ":9: a step with more than the 6 values that the StepMap names");
  EXPECT_NE(changed("id=\"4\"", "id=\"3\"").find(":6: the id 3 stands twice"), std::string::npos);
  EXPECT_NE(changed("id=\"4\"", "id=\"x\"").find(":6: a component with the id \"x\""), std::string::npos);
  EXPECT_NE(changed("<Results", "<Report").find("begins with <Report>"), std::string::npos);
  put("a.req", " A.R3    2024\ntitle\n    1     M_KGS_N_RACA 1.0\n  1 2 3\n");
  EXPECT_EQ(input_error("a.req").substr(0, file("a.req").size() + 3), file("a.req") + ":4:");
  put("a.csv", "TIME,PART/2.X [mm]\n0,1\n0.1,2,3\n");
  EXPECT_EQ(input_error("a.csv"), file("a.csv") + ":3: 3 values; the line of names has 2");
  put("a.csv", "TIME,PART/2.X\n0,abc\n");
  EXPECT_EQ(input_error("a.csv"), file("a.csv") + ":2: column 2: \"abc\" is no number");
  put("a.csv", "x,y\n0,1\n");
  EXPECT_NE(input_error("a.csv").find("must be the time"), std::string::npos);
  put("a.txt", "hello");
  EXPECT_NE(input_error("a.txt").find("no result file"), std::string::npos);
  put("a.nc", "");
  EXPECT_NE(input_error("a.nc").find("is empty"), std::string::npos);
  EXPECT_EQ(failure_of([&] { ResultReader(file("absent.res")); }).code(), ExitCode::io);
  EXPECT_EQ(failure_of([&] { ResultReader(folder_.string()); }).code(), ExitCode::io);
}

/// Tables of measurements: semicolons with decimal commas, columns with names of their own, gaps.
TEST_F(ReaderTest, ColumnsOfMeasurements) {
  put("a.csv",
      "Time (sec);\"front; left\" [newton];PART/2.PSI [deg];PART/2.X [mm]\r\n0;1,5;180;\r\n1e-1;-2;90;7\r\n");
  const ResultReader reader(file("a.csv"));
  ASSERT_EQ(reader.records(), 2u);
  EXPECT_EQ(reader.times()[1], 0.1);
  EXPECT_EQ(reader.column(reader.find("front; left")), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(reader.find("front; left").unit, "newton");
  EXPECT_DOUBLE_EQ(reader.column(reader.find("PART/2.PSI"))[0], std::numbers::pi);
  EXPECT_TRUE(std::isnan(reader.column(reader.find("PART/2.X"))[0]));
  EXPECT_EQ(reader.column(reader.find("PART/2.X"))[1], 7);
}

TEST_F(ReaderTest, SelectedChannels) {
  const auto names = [&](const std::vector<std::string>& patterns) {
    std::string out;
    for (const ChannelRef& ref : select_channels(channels_, "a", patterns)) out += ref.name + " ";
    return out;
  };
  EXPECT_EQ(names({"PART/*.X"}), "PART/2.X PART/30.X ");
  EXPECT_EQ(names({"boom.v?", "part/30.X"}), "PART/2.VX PART/2.VY PART/2.VZ PART/30.X ");
  EXPECT_EQ(names({"REQ/12"}), "REQUEST/12.F2 REQUEST/12.F4 REQUEST/12.F7 ");
  EXPECT_EQ(names({"VARIABLE/7", "REQUEST/12.F4"}), "VARIABLE/7.Q REQUEST/12.F4 ");
  EXPECT_EQ(select_channels(channels_, "a", {}).size(), width_);
  EXPECT_EQ(failure_of([&] { names({"FRICTION/*"}); }).code(), ExitCode::usage);
  EXPECT_EQ(failure_of([&] { names({"PART/2.Q"}); }).code(), ExitCode::usage);
  EXPECT_EQ(failure_of([&] { names({""}); }).code(), ExitCode::usage);
  // A component keeps its place in a .req file when the others are gone.
  const Channels few = reduced(channels_, select_channels(channels_, "a", {"REQUEST/1.THETA"}));
  ASSERT_EQ(few.entities.size(), 1u);
  EXPECT_EQ(request_position(few.entities[0], 0), 4);
}

using ReaderSamples = ReaderTest;

TEST_F(ReaderSamples, RequestFiles) {
  const std::vector<std::string> files = sample_files(".req");
  if (files.empty()) GTEST_SKIP() << "TRAMMEL_SAMPLES names no folder with .req files";
  for (const std::string& path : files) {
    const ResultReader reader(path);
    EXPECT_TRUE(reader.notices().empty()) << reader.notices()[0];
    EXPECT_GT(reader.records(), 10u) << path;
    EXPECT_GT(reader.width(), 0u) << path;
  }
}

}  // namespace
}  // namespace trammel::test::reader_test
