// Conversion: there and back, parts of a file, and what a format cannot hold.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "output/look/convert.h"
#include "output/write/native_file.h"
#include "support.h"

namespace trammel::test::convert_test {
namespace {

class ConvertTest : public OutputTest {
 protected:
  static constexpr std::size_t records_ = 23;
  Channels channels_ = sample_channels();
  std::size_t width_ = static_cast<std::size_t>(channels_.size());

  void SetUp() override {
    NativeWriter writer;
    writer.open(file("a.nc"), channels_, sample_info());
    for (std::size_t r = 0; r < records_; ++r)
      writer.record(sample_time(r), sample_kind(r), sample_values(r, width_));
    writer.close();
  }
  Conversion convert(const std::string& in, const std::string& out,
                     const ConvertOptions& options = {}) const {
    return convert_results(ResultReader(file(in)), file(out), options);
  }
  ExitCode failure(const std::string& in, const std::string& out, const ConvertOptions& options = {}) const {
    return failure_of([&] { convert(in, out, options); }).code();
  }
};

/// Through every format with all digits and back: the same names, units, times and numbers. The record of the
/// input state does not go into a table, and is told.
TEST_F(ConvertTest, ThereAndBack) {
  std::string before = "a.nc";
  for (const char* step : {"b.res", "c.csv", "d.res", "e.nc"}) {
    const Conversion done = convert(before, step);
    EXPECT_EQ(done.records, step[0] == 'b' ? records_ : records_ - 1);
    EXPECT_EQ(done.notices.size(), step[0] == 'c' ? 1u : 0u);
    EXPECT_EQ(done.channels, width_);
    EXPECT_EQ(done.bytes, std::filesystem::file_size(file(step)));
    before = step;
  }
  const ResultReader reader(file("e.nc"));
  ASSERT_EQ(reader.records(), records_ - 1);
  const std::vector<ChannelRef> wanted = list_channels(channels_), found = reader.list();
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < width_; ++k) {
    EXPECT_EQ(found[k].name, wanted[k].name);
    EXPECT_EQ(found[k].unit, wanted[k].unit);
    const std::vector<double> column = reader.column(found[k]);
    for (std::size_t r = 1; r < records_; ++r) {
      EXPECT_EQ(column[r - 1], sample_value(r, k));
      EXPECT_EQ(reader.times()[r - 1], sample_time(r));
    }
  }
}

TEST_F(ConvertTest, RequestsThereAndBack) {
  const Conversion done = convert("a.nc", "a.req");
  EXPECT_EQ(done.records, records_ - 1);
  ASSERT_EQ(done.notices.size(), 3u);  // 49 channels of others; MAG and AMAG; the input state
  EXPECT_NE(done.notices[0].find("49 channels"), std::string::npos) << done.notices[0];
  EXPECT_NE(done.notices[1].find("2 magnitudes"), std::string::npos) << done.notices[1];
  convert("a.req", "b.nc");
  convert("b.nc", "b.req");  // the second time there is nothing left to round
  EXPECT_EQ(read_text(file("b.req")), read_text(file("a.req")));
  convert("a.req", "c.res");
  convert("c.res", "c.nc");
  const NativeReader native(file("c.nc")), direct(file("b.nc"));
  EXPECT_EQ(native.read("REQUEST/1.PSI"), direct.read("REQUEST/1.PSI"));
  EXPECT_EQ(native.records(), records_ - 1);
}

/// Formats without types of requests: functions stay as they are, angles of displacements go to their places
/// in degrees.
TEST_F(ConvertTest, TypesOfRequestsFollowFromNamesAndQuantities) {
  using Q = Quantity;
  Channels channels;
  const auto add = [&](int id, int type, const Components& components) {
    channels.entities.push_back({"REQUEST", id, "", components, type, 0, 0, ""});
  };
  add(1, 5, {{"F1", Q::length, 1}, {"F2", Q::angle, 2}, {"F6", Q::angle, 6}});
  add(2, 1, {{"PSI", Q::angle, 6}, {"THETA", Q::angle, 7}, {"PHI", Q::angle, 8}});
  add(3, 5, {{"F2", Q::velocity, 2}, {"F6", Q::angular_velocity, 6}});
  add(4, 2, {{"VY", Q::velocity, 3}, {"WZ", Q::angular_velocity, 8}});
  // CNAMES in all eight places
  add(5, 1,
      {{"a", Q::length, 1},
       {"b", Q::length, 2},
       {"c", Q::length, 3},
       {"d", Q::length, 4},
       {"e", Q::angle, 5},
       {"f", Q::angle, 6},
       {"g", Q::angle, 7},
       {"h", Q::angle, 8}});
  add(6, 5, {{"F2", Q::length, 2}, {"F3", Q::length, 3}, {"F4", Q::length, 4}});
  OutputSet set;
  set.open(channels, sample_info(), file("types"), {Format::native, Format::results, Format::csv});
  std::vector<double> values(static_cast<std::size_t>(channels.size()), std::numbers::pi / 6);
  set.record(0.5, StepKind::dynamics, values);
  set.close();
  const std::string as_it_is = "  5.23599E-01", degrees = "  3.00000E+01", none = "  0.00000E+00";
  const std::vector<std::string> wanted = {" " + as_it_is + none + none + as_it_is + none + none,
                                           " " + none + none + none + degrees + degrees + degrees,
                                           " " + as_it_is + none + none + as_it_is + none + none,
                                           " " + none + as_it_is + none + none + none + as_it_is,
                                           " " + as_it_is + as_it_is + as_it_is + degrees + degrees + degrees,
                                           " " + as_it_is + as_it_is + as_it_is + none + none + none};
  for (const char* from : {"types.nc", "types.res", "types.csv"}) {
    convert(from, "types.req");
    const std::vector<std::string> lines = read_lines(file("types.req"));
    ASSERT_EQ(lines.size(), 3u + 2 * 6 + 1 + 6) << from;
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_EQ(lines[16 + k], wanted[k]) << from;
      EXPECT_EQ(ResultReader(file(from)).channels().entities[k].request_type,
                channels.entities[k].request_type)
          << from << " " << k;
    }
  }
}

TEST_F(ConvertTest, PartsOfAFile) {
  // Times are 0, 0, 0.01 ... 0.21.
  ConvertOptions options;
  options.channels = {"boom.X", "REQUEST/12"};
  options.from = 0.05;
  options.to = 0.12;
  options.every = 3;
  const Conversion done = convert("a.nc", "b.csv", options);
  EXPECT_EQ(done.channels, 4u);
  const ResultReader reader(file("b.csv"));
  const std::vector<std::size_t> kept = {6, 9, 12, 13};  // 0.05, 0.08, 0.11 and the last, 0.12
  ASSERT_EQ(reader.records(), kept.size());
  for (std::size_t r = 0; r < kept.size(); ++r) {
    EXPECT_EQ(reader.times()[r], sample_time(kept[r]));
    EXPECT_EQ(reader.column(reader.find("PART/2.X"))[r], sample_value(kept[r], 0));
    EXPECT_EQ(reader.column(reader.find("REQUEST/12.F7"))[r], sample_value(kept[r], width_ - 1));
  }
}

/// float32: every number to half a unit of its 24th bit, times whole, and a smaller file.
TEST_F(ConvertTest, SinglePrecision) {
  convert("a.nc", "b.nc", {.single_precision = true});
  const NativeReader reader(file("b.nc"));
  EXPECT_TRUE(reader.notices().empty());
  bool rounded = false;
  for (std::size_t r = 0; r < records_; ++r) {
    const std::vector<double> values = reader.record(r);
    for (std::size_t k = 0; k < width_; ++k) {
      const double exact = sample_value(r, k);
      EXPECT_LE(std::abs(values[k] - exact), std::ldexp(std::abs(exact), -24));
      rounded = rounded || values[k] != exact;
    }
    EXPECT_EQ(reader.time()[r], sample_time(r));
  }
  EXPECT_TRUE(rounded);
  // 12 bytes of time and kind, then 8 or 4 bytes per value.
  const auto size = [&](const char* name) { return std::filesystem::file_size(file(name)); };
  EXPECT_EQ(size("a.nc") - size("b.nc"), records_ * 4 * width_);
}

TEST_F(ConvertTest, Failures) {
  EXPECT_EQ(failure("a.nc", "a.txt"), ExitCode::usage);
  EXPECT_EQ(failure("a.nc", "noextension"), ExitCode::usage);
  EXPECT_EQ(failure("a.nc", "a.nc"), ExitCode::usage);
  EXPECT_EQ(NativeReader(file("a.nc")).records(), records_);  // and it is still there
  EXPECT_EQ(failure("a.nc", "b.nc", {.every = 0}), ExitCode::usage);
  EXPECT_EQ(failure("a.nc", "b.csv", {.single_precision = true}), ExitCode::usage);
  EXPECT_EQ(failure("a.nc", "b.csv", {.channels = {"PART/9"}}), ExitCode::usage);
  EXPECT_EQ(failure("a.nc", "b.csv", {.from = 7.0}), ExitCode::usage);
  EXPECT_EQ(failure("a.nc", "b.req", {.channels = {"PART/2"}}), ExitCode::usage);
  EXPECT_EQ(failure("a.nc", "b.gra", {.channels = {"REQUEST/1"}}), ExitCode::usage);
  EXPECT_EQ(failure("a.nc", "no/such/folder/b.csv"), ExitCode::io);
  std::ofstream(file("c.csv")) << "TIME,REQUEST/1.a,REQUEST/1.F2\n0,1,2\n";  // both claim the first place
  EXPECT_EQ(failure("c.csv", "c.req"), ExitCode::input);
}

}  // namespace
}  // namespace trammel::test::convert_test
