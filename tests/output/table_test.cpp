// Graphics and table files, read back by parsers of their own; what RESULTS leaves out of a .res file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "math/rotation.h"
#include "output/output_set.h"
#include "output/read/result_reader.h"
#include "output/write/native_file.h"
#include "output/write/table_file.h"
#include "support.h"

namespace trammel::test::table_test {
namespace {

class TableTest : public OutputTest {
 protected:
  Channels channels_ = sample_channels();
  std::size_t width_ = static_cast<std::size_t>(channels_.size());
};

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

/// Factors of OUTPUT: the translational one on the magnitude too, the limits of zero after them.
TEST_F(TableTest, ScaledComponents) {
  TableOptions options;
  options.scale[0][0] = 1000;
  options.scale[0][1] = -2;
  options.zero[0] = 0.5;
  options.scale[3][0] = 7;  // of FORCE requests: there is none
  TableFile table;
  table.open(file("a.out"), channels_, sample_info(), options);
  std::vector<double> values(width_, 0.0);
  const std::size_t first = 18 + 18 + 6 + 6 + 1;
  values[first] = 0.25;       // MAG
  values[first + 1] = 4e-4;   // 0.4 after scaling, below DZERO
  values[first + 2] = -6e-4;  // X Y Z: -0.6 stays
  values[first + 5] = std::numbers::pi / 4;
  values[first + 8] = 0.25;  // F2 of a function request
  table.record(1, values);
  table.close();
  const std::vector<std::string> lines = read_lines(file("a.out"));
  const auto pages = tables_of(lines);
  EXPECT_EQ(pages.at(0).at(0).at(0), (std::vector<double>{1, 250, 0, -0.6, 0, -90, 0, 0}));
  EXPECT_EQ(pages.at(0).at(1).at(0), (std::vector<double>{1, 0.25, 0, 0}));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), " scaled: 1000 (translational), -2 (rotational)"), 1);
}

/// Yaw, pitch, roll of R = Rz(a) Ry(b) Rx(c) are a, -b, c; also where theta = 0.
TEST_F(TableTest, YawPitchRoll) {
  TableOptions options;
  options.yaw_pitch_roll = true;
  options.scale[0][1] = 10;
  TableFile table;
  table.open(file("a.out"), channels_, sample_info(), options);
  const std::size_t first = 18 + 18 + 6 + 6 + 1;
  const double cases[][3] = {{0.4, 0.3, 0.2}, {-3.0, -1.2, 2.9}, {1.1, 0, 0}, {0, 0, 0}, {-2, 1.4, -1}};
  for (const auto& [a, b, c] : cases) {
    std::vector<double> values(width_, 0.0);
    const Mat3d pitch{{std::cos(b), 0, std::sin(b), 0, 1, 0, -std::sin(b), 0, std::cos(b)}};
    const Vec3d angles = angles_313(rotation_z(a) * pitch * rotation_x(c));
    for (int k = 0; k < 3; ++k) values[first + 5 + static_cast<std::size_t>(k)] = angles[k];
    table.record(0, values);
  }
  table.close();
  const std::vector<std::string> lines = read_lines(file("a.out"));
  const auto pages = tables_of(lines);
  const double factor = 10 * 180 / std::numbers::pi;
  for (std::size_t k = 0; k < std::size(cases); ++k) {
    const std::vector<double>& row = pages.at(0).at(0).at(k);
    const double exact[3] = {cases[k][0], -cases[k][1], cases[k][2]};
    for (std::size_t n = 0; n < 3; ++n)  // six digits are printed
      EXPECT_NEAR(row.at(5 + n), factor * exact[n], 5.1e-6 * factor * std::abs(exact[n]) + 1e-9) << k;
  }
  EXPECT_NE(std::find_if(lines.begin(), lines.end(),
                         [](const std::string& line) {
                           return line.ends_with("           YAW         PITCH          ROLL");
                         }),
            lines.end());
  EXPECT_TRUE(table_warnings(channels_, options).empty());
  for (Entity& e : channels_.entities)
    if (e.request_type == 1) e.components.change().erase(e.components.begin() + 6);
  for (Entity& e : channels_.entities)  // what was the eighth component still is
    if (e.request_type == 1) e.components.change().back().slot = 8;
  ASSERT_EQ(table_warnings(channels_, options).size(), 1u);
  EXPECT_EQ(table_warnings(channels_, options)[0].substr(0, 10), "REQUEST/1:");
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
  // One simulation 0 ... 1 of 11 records, the first of which are the initial conditions; the next begins at 1
  // again, 1 ... 1.5, 6 records.
  set.record(0.0, StepKind::initial_conditions, sample_values(0, width_));
  std::vector<double> wanted = {0.0};
  for (int k = 1; k <= 10; ++k) {
    set.record(0.1 * k, StepKind::dynamics, sample_values(static_cast<std::size_t>(k), width_));
    if (k % 4 == 0 || k == 10) wanted.push_back(0.1 * k);  // 0.4, 0.8 and the last
  }
  for (int k = 0; k <= 5; ++k) {
    set.record(1 + 0.1 * k, StepKind::dynamics, sample_values(static_cast<std::size_t>(20 + k), width_));
    if (k % 4 == 0 || k == 5) wanted.push_back(1 + 0.1 * k);
  }
  set.close();
  const NativeReader native(file("a.nc"));
  EXPECT_EQ(native.time(), wanted);
  EXPECT_EQ(native.record(3)[3],
            static_cast<double>(static_cast<float>(sample_value(10, 3))));  // the end of the first
  EXPECT_EQ(native.record(4)[3],
            static_cast<double>(static_cast<float>(sample_value(20, 3))));  // begin of the second
  EXPECT_EQ(ResultReader(file("a.csv")).records(), 17u);                    // the others have all
}

}  // namespace
}  // namespace trammel::test::table_test
