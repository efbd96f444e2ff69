// Graphics and table files, read back by parsers of their own; what RESULTS leaves out of a .res file.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "output/graphics_file.h"
#include "output/native_file.h"
#include "output/output_set.h"
#include "output/result_reader.h"
#include "output/table_file.h"
#include "support.h"

namespace trammel::test {
namespace {

class TableTest : public OutputTest {
 protected:
  Channels channels_ = sample_channels();
  std::size_t width_ = static_cast<std::size_t>(channels_.size());
};

TEST_F(TableTest, PositionsOfParts) {
  GraphicsFile graphics;
  graphics.open(file("a.gra"), channels_, sample_info());
  constexpr std::size_t records = 30;
  for (std::size_t r = 0; r < records; ++r) graphics.record(sample_time(r), sample_values(r, width_));
  graphics.close();
  const std::vector<std::string> lines = read_lines(file("a.gra"));
  ASSERT_EQ(lines.size(), 3 + 2 + 3 * records);
  EXPECT_EQ(lines[0].substr(0, 16), " TRAMMEL.GRA 1  ");
  EXPECT_EQ(lines[0].substr(37, 12), "M_KGS_N_RACA");
  EXPECT_EQ(lines[1], sample_info().title);
  EXPECT_EQ(std::stoi(lines[2]), 2);
  EXPECT_EQ(lines[3], "          2 PART         boom");
  EXPECT_EQ(lines[4], "         30 PART         ");
  for (std::size_t r = 0; r < records; ++r) {
    EXPECT_NEAR(std::stod(lines[5 + 3 * r]), sample_time(r), 5.1e-6 * sample_time(r));
    for (std::size_t part = 0; part < 2; ++part) {
      std::istringstream line(lines[6 + 3 * r + part]);
      for (std::size_t c = 0; c < 6; ++c) {
        double value = NAN;
        line >> value;
        const double exact = sample_value(r, 18 * part + c);
        EXPECT_NEAR(value, exact, 5.1e-6 * std::abs(exact));  // half a unit of the sixth digit
      }
    }
  }
}

/// Numbers of every table of a .out file: [page][request][line][column].
std::vector<std::vector<std::vector<std::vector<double>>>> tables_of(const std::vector<std::string>& lines) {
  std::vector<std::vector<std::vector<std::vector<double>>>> out;
  for (const std::string& line : lines) {
    if (line == "\f") out.emplace_back();
    if (line.starts_with(" REQUEST/")) out.back().emplace_back();
    std::istringstream stream(line);
    std::vector<double> numbers;
    for (double value; stream >> value;) numbers.push_back(value);
    if (!out.empty() && !out.back().empty() && numbers.size() > 1) out.back().back().push_back(numbers);
  }
  return out;
}

TEST_F(TableTest, TablesOfRequests) {
  constexpr std::size_t records = 120, page = TableFile::times_per_page;
  TableFile table;
  table.open(file("a.out"), channels_, sample_info());
  for (std::size_t r = 0; r < records; ++r) table.record(sample_time(r), sample_values(r, width_));
  table.close();
  const std::vector<std::string> lines = read_lines(file("a.out"));
  const auto pages = tables_of(lines);
  ASSERT_EQ(pages.size(), 3u);
  const std::size_t first = 18 + 18 + 6 + 6 + 1;
  const double degrees = 180.0 / std::numbers::pi;
  for (std::size_t r = 0; r < records; ++r) {
    ASSERT_EQ(pages[r / page].size(), 2u);
    const auto& one = pages[r / page][0].at(r % page);
    ASSERT_EQ(one.size(), 8u);  // time, magnitude, X Y Z, three angles; the fifth component means nothing
    const std::size_t places[] = {0, 1, 2, 3, 5, 6, 7};
    for (std::size_t c = 0; c < 7; ++c) {
      double exact = sample_value(r, first + places[c]) * (c > 3 ? degrees : 1.0);
      if (std::abs(exact) < 1e-7) exact = 0;  // prints as 0
      EXPECT_NEAR(one[c + 1], exact, 5.1e-6 * std::abs(exact));
    }
    const auto& two = pages[r / page][1].at(r % page);
    ASSERT_EQ(two.size(), 4u);
    EXPECT_NEAR(two[3], sample_value(r, first + 10), 5.1e-6 * std::abs(two[3]));  // F7: numbers as they are
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  EXPECT_NE(
      text.find(" REQUEST/1   displacement of marker 201, relative to 101\n tip <of> the \"boom\" & more\n"),
      std::string::npos);
  EXPECT_NE(text.find("           sec         meter         meter"), std::string::npos);
  EXPECT_NE(text.find("deg"), std::string::npos);
}

/// Fixed point and limits of zero, as OUTPUT says.
TEST_F(TableTest, FixedPoint) {
  TableOptions options;
  options.fixed = true;
  options.zero[0] = 0.5;
  TableFile table;
  table.open(file("a.out"), channels_, sample_info(), options);
  std::vector<double> values(width_, 0.0);
  const std::size_t first = 18 + 18 + 6 + 6 + 1;
  values[first] = 0.49;  // MAG: below DZERO
  values[first + 1] = -1234.5679123;
  values[first + 2] = 2.5e9;  // wider than the column
  values[first + 8] = 0.25;   // F2 has no limit of its own
  table.record(0.125, values);
  table.close();
  const auto pages = tables_of(read_lines(file("a.out")));
  EXPECT_EQ(pages.at(0).at(0).at(0), (std::vector<double>{0.125, 0, -1234.5679, 2.5e9, 0, 0, 0, 0}));
  EXPECT_EQ(pages.at(0).at(1).at(0), (std::vector<double>{0.125, 0.25, 0, 0}));
}

/// After every flush the file holds all lines; the page begun goes on where it was.
TEST_F(TableTest, PagesThatAreNotFull) {
  TableFile table;
  table.open(file("a.out"), channels_, sample_info());
  std::size_t lines_before = 0;
  for (std::size_t r = 0; r < 70; ++r) {
    table.record(sample_time(r), sample_values(r, width_));
    table.flush();
    std::size_t rows = 0;
    for (const auto& page : tables_of(read_lines(file("a.out")))) rows += page.at(1).size();
    EXPECT_EQ(rows, r + 1);
    lines_before = read_lines(file("a.out")).size();
  }
  table.close();
  EXPECT_EQ(read_lines(file("a.out")).size(), lines_before);
}

/// RESULTS/NO...: what is left out is not there, the rest keeps its values.
TEST_F(TableTest, ClassesLeftOutOfResults) {
  struct Case {
    bool ResultsOptions::*member;
    std::size_t channels;
    const char* gone;
  };
  const Case cases[] = {
      {&ResultsOptions::displacements, 12, "PART/2.PHI"},
      {&ResultsOptions::velocities, 12, "PART/30.VX"},
      {&ResultsOptions::accelerations, 12, "PART/2.WDZ"},
      {&ResultsOptions::reaction_forces, 12, "JOINT/1.FX"},
      {&ResultsOptions::system_elements, 1, "VARIABLE/7"},
      {&ResultsOptions::requests, 11, "REQUEST/12.F2"},
  };
  for (const Case& c : cases) {
    ResultsOptions options;
    options.*c.member = false;
    ResultsFile results;
    results.open(file("a.res"), channels_, sample_info(), options);
    results.record(1.0, StepKind::dynamics, sample_values(2, width_));
    results.close();
    const ResultReader reader(file("a.res"));
    EXPECT_EQ(reader.width(), width_ - c.channels) << c.gone;
    EXPECT_EQ(failure_of([&] { reader.find(c.gone); }).code(), ExitCode::usage);
    for (const ChannelRef& ref : list_channels(channels_)) {
      std::vector<double> column;
      try {
        column = reader.column(reader.find(ref.name));
      } catch (const Failure&) {
        continue;
      }
      EXPECT_EQ(column, std::vector<double>{sample_value(2, static_cast<std::size_t>(ref.column))})
          << ref.name;
    }
  }
}

TEST_F(TableTest, DigitsAndCommentOfResults) {
  ResultsFile results;
  results.open(file("a.res"), channels_, sample_info(), {.digits = 5, .comment = "second <run>"});
  results.record(1.0, StepKind::dynamics, sample_values(2, width_));
  results.close();
  EXPECT_NE(read_text(file("a.res")).find("<Comment>\nsecond &lt;run&gt;\n</Comment>"), std::string::npos);
  const ResultReader reader(file("a.res"));
  std::vector<double> values(width_);
  reader.record(0, values);
  const ResultReader& r = reader;
  bool rounded = false;
  for (const ChannelRef& ref : r.list()) {
    const double exact = sample_value(2, static_cast<std::size_t>(ref.column));
    const double value = values[static_cast<std::size_t>(ref.column)];
    EXPECT_NEAR(value, exact, 5.1e-5 * std::abs(exact));  // half a unit of the fifth digit
    rounded = rounded || value != exact;
  }
  EXPECT_TRUE(rounded);
}

/// Every n-th record of each simulation, with its first and its last.
TEST_F(TableTest, NativeFileEveryFew) {
  OutputOptions options;
  options.every = 4;
  options.single_precision = true;
  OutputSet set;
  set.open(channels_, sample_info(), file("a"), {Format::native, Format::csv}, options);
  // Initial conditions at 0; one simulation 0 ... 1 of 11 records; the next begins at 1 again, 1 ... 1.5, 6
  // records.
  set.record(0.0, StepKind::initial_conditions, sample_values(0, width_));
  std::vector<double> wanted = {0.0};
  for (int k = 1; k <= 10; ++k) {
    set.record(0.1 * k, StepKind::dynamics, sample_values(static_cast<std::size_t>(k), width_));
    if (k % 4 == 1 || k == 10) wanted.push_back(0.1 * k);  // 0.1, 0.5, 0.9 and the last
  }
  for (int k = 0; k <= 5; ++k) {
    set.record(1 + 0.1 * k, StepKind::dynamics, sample_values(static_cast<std::size_t>(20 + k), width_));
    if (k % 4 == 0 || k == 5) wanted.push_back(1 + 0.1 * k);
  }
  set.close();
  const NativeReader native(file("a.nc"));
  EXPECT_EQ(native.time(), wanted);
  EXPECT_EQ(native.record(4)[3],
            static_cast<double>(static_cast<float>(sample_value(10, 3))));  // the end of the first
  EXPECT_EQ(native.record(5)[3],
            static_cast<double>(static_cast<float>(sample_value(20, 3))));  // begin of the second
  EXPECT_EQ(ResultReader(file("a.csv")).records(), 17u);                    // the others have all
}

}  // namespace
}  // namespace trammel::test
