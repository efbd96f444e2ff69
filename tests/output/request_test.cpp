// The .req file: read back by a parser of its own, and against the bytes of real files.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "output/number_text.h"
#include "output/unit_names.h"
#include "output/write/request_file.h"
#include "support.h"

namespace trammel::test::request_test {
namespace {

using RequestTest = OutputTest;

struct ParsedRequest {
  int id = 0, type = 0, i = 0, j = 0;
  std::string comment;
};

struct ParsedFile {
  std::string date, title, units;
  double per_meter = 0;
  std::vector<ParsedRequest> requests;
  std::vector<double> times;
  std::vector<std::vector<std::vector<double>>> values;  ///< [time][request][6]
};

/// Reads by columns, as a Fortran program would.
ParsedFile parse(std::vector<std::string> lines) {
  for (std::string& line : lines)
    if (!line.empty() && line.back() == '\r') line.pop_back();
  ParsedFile out;
  std::size_t at = 0;
  EXPECT_EQ(lines.at(0).substr(0, 9), " A.R3    ");
  EXPECT_EQ(lines.at(0).size(), 58u);
  out.date = lines[0].substr(9, 19);
  out.title = lines.at(1);
  EXPECT_EQ(out.title.size(), 80u);
  const int count = std::stoi(lines.at(2).substr(0, 5));
  out.units = lines[2].substr(10, 12);
  out.per_meter = std::stod(lines[2].substr(22));
  at = 3;
  for (int k = 0; k < count; ++k) {
    const std::string& line = lines.at(at++);
    ParsedRequest request{std::stoi(line.substr(0, 11)), std::stoi(line.substr(11, 14)),
                          std::stoi(line.substr(25, 14)), std::stoi(line.substr(39, 14)), ""};
    const std::size_t words = std::stoul(line.substr(53, 14));
    request.comment = lines.at(at++);
    EXPECT_EQ(request.comment.size(), 4 * words);
    out.requests.push_back(request);
  }
  while (at < lines.size()) {
    EXPECT_EQ(lines[at].size(), 14u);
    out.times.push_back(std::stod(lines[at++]));
    out.values.emplace_back();
    for (int k = 0; k < count; ++k) {
      const std::string& line = lines.at(at++);
      EXPECT_EQ(line.size(), 79u);
      out.values.back().emplace_back();
      for (std::size_t c = 0; c < 6; ++c)
        out.values.back().back().push_back(std::stod(line.substr(1 + 13 * c, 13)));
    }
  }
  return out;
}

TEST_F(RequestTest, ReadsBack) {
  const Channels channels = sample_channels();
  const std::size_t width = static_cast<std::size_t>(channels.size());
  RequestFile request;
  request.open(file("a.req"), channels, sample_info());
  constexpr std::size_t records = 40;
  for (std::size_t r = 0; r < records; ++r) request.record(sample_time(r), sample_values(r, width));
  request.close();

  const ParsedFile parsed = parse(read_lines(file("a.req")));
  EXPECT_EQ(parsed.units, "M_KGS_N_RACA");
  EXPECT_EQ(parsed.per_meter, 1.0);
  EXPECT_EQ(parsed.title.substr(0, 22), "crane <test> & \"title\"");
  ASSERT_EQ(parsed.requests.size(), 2u);
  EXPECT_EQ(parsed.requests[0].id, 1);
  EXPECT_EQ(parsed.requests[0].type, 1);
  EXPECT_EQ(parsed.requests[0].i, 201);
  EXPECT_EQ(parsed.requests[0].j, 101);
  EXPECT_EQ(parsed.requests[0].comment, "tip <of> the \"boom\" & more  ");
  EXPECT_EQ(parsed.requests[1].id, 12);
  EXPECT_EQ(parsed.requests[1].type, 5);
  EXPECT_EQ(parsed.requests[1].i, 0);  // functions have no markers
  EXPECT_EQ(parsed.requests[1].comment, "");
  ASSERT_EQ(parsed.times.size(), records);

  // Requests stand behind two parts (18 each), joint and motion (6 each) and a variable (1).
  const std::size_t first = 18 + 18 + 6 + 6 + 1, second = first + 8;
  const double degrees = 180.0 / std::numbers::pi;
  for (std::size_t r = 0; r < records; ++r) {
    const auto value = [&](std::size_t channel) { return sample_value(r, channel); };
    const double expected[2][6] = {
        {value(first + 1), value(first + 2), value(first + 3), value(first + 5) * degrees,
         value(first + 6) * degrees, value(first + 7) * degrees},
        // F2, F4 and F7 only; an angle of a function request stays as it comes.
        {value(second), 0, value(second + 1), 0, value(second + 2), 0}};
    EXPECT_NEAR(parsed.times[r], sample_time(r), 5.1e-6 * sample_time(r));
    for (std::size_t q = 0; q < 2; ++q)
      for (std::size_t c = 0; c < 6; ++c)  // six significant digits
        EXPECT_NEAR(parsed.values[r][q][c], expected[q][c], 5.1e-6 * std::abs(expected[q][c])) << r << q << c;
  }
}

/// Components of a request read from a file: six, in the order of the file.
Entity six_components(const ParsedRequest& request) {
  Entity entity;
  entity.type = "REQUEST";
  entity.id = request.id;
  entity.request_type = request.type;
  entity.marker_i = request.i;
  entity.marker_j = request.j;
  entity.comment = request.comment;
  while (!entity.comment.empty() && entity.comment.back() == ' ') entity.comment.pop_back();
  for (int c = 0; c < 6; ++c) {
    const Quantity quantity =
        request.type == 1 ? (c < 3 ? Quantity::length : Quantity::angle) : Quantity::none;
    entity.components.push_back({std::string(1, static_cast<char>('A' + c)), quantity});
  }
  return entity;
}

/// A real file is read, its content written again, and the bytes compared (line ends aside; comments that
/// end in blanks are padded to words as far as the file had them).
using RequestSamples = RequestTest;

TEST_F(RequestSamples, ByteForByte) {
  const std::vector<std::string> files = sample_files(".req");
  if (files.empty()) GTEST_SKIP() << "TRAMMEL_SAMPLES names no folder with .req files";
  for (const std::string& path : files) {
    const ParsedFile parsed = parse(read_lines(path));
    Channels channels;
    for (const ParsedRequest& request : parsed.requests) channels.entities.push_back(six_components(request));
    channels.units.length_per_meter = parsed.per_meter;
    RunInfo info;
    info.local_time = parsed.date;
    info.title = parsed.title;
    RequestFile request;
    request.open(file("copy.req"), channels, info);
    for (std::size_t r = 0; r < parsed.times.size(); ++r) {
      std::vector<double> values;
      for (std::size_t q = 0; q < parsed.requests.size(); ++q)
        for (std::size_t c = 0; c < 6; ++c) {
          const bool degrees = parsed.requests[q].type == 1 && c >= 3;
          values.push_back(parsed.values[r][q][c] * (degrees ? std::numbers::pi / 180.0 : 1.0));
        }
      request.record(parsed.times[r], values);
    }
    request.close();
    std::vector<std::string> real = read_lines(path);
    for (std::string& line : real)
      if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::vector<std::string> ours = read_lines(file("copy.req"));
    ASSERT_EQ(ours.size(), real.size()) << path;
    for (std::size_t k = 0; k < real.size(); ++k) ASSERT_EQ(ours[k], real[k]) << path << ":" << k + 1;
  }
}

TEST_F(RequestTest, PositionsOfComponents) {
  Entity request{"REQUEST", 1, "", {{"F8", Quantity::none}, {"f2", Quantity::none}, {"F5", Quantity::none}},
                 5,         0, 0,  ""};
  EXPECT_EQ(request_position(request, 0), 5);
  EXPECT_EQ(request_position(request, 1), 0);
  EXPECT_EQ(request_position(request, 2), -1);
  request.components = {{"speed", Quantity::none, 6}, {"load", Quantity::none, 3}};  // renamed F6 and F3
  EXPECT_EQ(request_position(request, 0), 3);
  EXPECT_EQ(request_position(request, 1), 1);
  request.components = {{"load", Quantity::none, 3}, {"again", Quantity::none, 3}};
  Channels channels;
  channels.entities = {request};
  EXPECT_EQ(failure_of([&] { RequestFile().open(file("a.req"), channels, sample_info()); }).code(),
            ExitCode::internal);
}

/// CNAMES may call the components of F2 and F3 "F3" and "F2": each stays in its own place of the file.
TEST_F(RequestTest, SlotsComeBeforeNames) {
  Channels channels;
  channels.entities.push_back(
      {"REQUEST",
       1,
       "",
       {{"F3", Quantity::none, 2}, {"F2", Quantity::none, 3}, {"F2", Quantity::none, 8}},
       5,
       0,
       0,
       ""});
  RequestFile request;
  request.open(file("a.req"), channels, sample_info());
  request.record(0.0, std::vector<double>{1.0, 2.0, 3.0});
  request.close();
  const ParsedFile parsed = parse(read_lines(file("a.req")));
  ASSERT_EQ(parsed.values.size(), 1u);
  EXPECT_EQ(parsed.values[0][0], (std::vector<double>{1, 2, 0, 0, 0, 3}));
}

/// Columns never run together: 13 columns hold every double.
TEST(FortranNumbers, WidthHolds) {
  const auto text = [](double value, int width) {
    std::string out;
    append_fortran_e(out, value, width);
    return out;
  };
  EXPECT_EQ(text(1.0, 13), "  1.00000E+00");
  EXPECT_EQ(text(-0.0, 13), "  0.00000E+00");
  EXPECT_EQ(text(-2.5e-7, 14), "  -2.50000E-07");
  EXPECT_EQ(text(9.9999999e99, 13), "  1.00000+100");  // the rounding moves into the third exponent digit
  EXPECT_EQ(text(-1.5e300, 13), " -1.50000+300");
  EXPECT_EQ(text(1e-120, 13), "  0.00000E+00");
  EXPECT_EQ(text(std::nan(""), 13), "          NaN");
  EXPECT_EQ(text(-INFINITY, 13), "    -Infinity");
}

TEST(UnitCodes, AsInRealHeaders) {
  EXPECT_EQ(unit_code({}), "M_KGS_N_RACA");
  EXPECT_EQ(unit_code({"pound_force", "pound_mass", "inch", "second", 39.37007874015748}), "INLBS_PFRACA");
  EXPECT_EQ(unit_code({"", "", "", "", 1.0}).size(), 12u);
}

}  // namespace
}  // namespace trammel::test::request_test
