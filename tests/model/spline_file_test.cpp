// SPLINE with FILE: RPC III files and tables, written here byte by byte; INTERP of them; and what is said of
// mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>

#include <unistd.h>

#include "../support/deck.h"
#include "expression/evaluate.h"
#include "model/spline_file.h"

namespace trammel::spline_file_test {
namespace {

using namespace test;
using Values = std::vector<double>;

/// A file of RPC III as its format says, with two channels of six points in groups of four, two a frame.
struct Rpc {
  std::vector<std::pair<std::string, std::string>> records = {
      {"FORMAT", "BINARY_IEEE_LITTLE_END"},
      {"NUM_HEADER_BLOCKS", "4"},
      {"NUM_PARAMS", "12"},
      {"FILE_TYPE", "TIME_HISTORY"},
      {"DELTA_T", "2.500000E-01"},
      {"DATA_TYPE", "FLOATING_POINT"},
      {"CHANNELS", "2"},
      {"PTS_PER_FRAME", "2"},
      {"PTS_PER_GROUP", "4"},
      {"FRAMES", "3"},
      {"SCALE.CHAN_1", "0.5"},
      {"SCALE.CHAN_2", "1.5E-2"},
  };
  std::string& operator[](const std::string& keyword) {
    for (auto& [name, value] : records)
      if (name == keyword) return value;
    return records.emplace_back(keyword, "").second;
  }
  void erase(const std::string& keyword) {
    std::erase_if(records, [&](const auto& record) { return record.first == keyword; });
  }
  /// The bytes, with the numbers as they lie in the file.
  template <class Number>
  std::string bytes(const std::vector<Number>& data, bool big_end = false) const {
    std::string out;
    for (const auto& [keyword, value] : records) {
      std::string record(128, '\0');
      record.replace(0, keyword.size(), keyword);
      record.replace(32, value.size(), value);
      out += record;
    }
    out.resize(2048);
    for (const Number number : data) {
      auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(number);
      if (big_end != (std::endian::native == std::endian::big)) std::reverse(raw.begin(), raw.end());
      out.append(raw.data(), raw.size());
    }
    return out;
  }
};

/// Group 1: points 1 to 4 of channel 1, of channel 2; group 2: points 5 and 6, filled up to four.
const std::vector<float> floats = {1, 2.5F, -3, 4, 10, 20, 30, 40, 5, 6, 99, 99, -50, -60.25F, 99, 99};
const std::vector<std::int16_t> shorts = {1,      2,  -3, 4,  100, -200, 300, 32752,
                                          -32768, 60, 99, 99, -50, 7,    99,  99};

class SplineFile : public ::testing::Test {
 protected:
  SplineFile()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("trammel_spline_{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~SplineFile() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text, const char* name = "f.rsp") {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string deck() const { return (folder_ / "deck.adm").string(); }
  TimeHistory read(int channel, const char* name = "f.rsp") {
    return read_spline_file(name, deck(), channel);
  }
  std::string refusal(int channel, ExitCode code = ExitCode::input, const char* name = "f.rsp") {
    try {
      read(channel, name);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), code) << failure.what();
      const std::string text = failure.what(), folder = folder_.string() + "/";
      return text.starts_with(folder) ? text.substr(folder.size()) : text;
    }
    return "accepted";
  }
  /// Value and first time derivative of the function of VARIABLE/1.
  struct Curve {
    Model model;
    double at(double t, int order = 0) const {
      const Tape& tape = model.tapes[model.scalars[0].tape];
      std::vector<SplineView> views;
      for (const SplineTable& table : model.splines) views.push_back(view(table));
      TapeTables tables;
      tables.splines = views.data();
      const TimeDerivatives jet = evaluate_in_time(tape, t, 4, tables);
      return order == 0 ? jet.value : order == 1 ? jet.first : jet.second;
    }
  };
  Curve curve(const std::string& function, const std::string& spline) {
    return {
        compile_text("PART/1, GROUND\n" + spline + "\nVARIABLE/1, FUNCTION = " + function + "\n", deck())};
  }
  std::filesystem::path folder_;
};

TEST_F(SplineFile, floating_numbers_of_either_end) {
  for (const bool big : {false, true}) {
    Rpc file;
    if (big) file["FORMAT"] = "BINARY_IEEE_BIG_END";
    write(file.bytes(floats, big));
    EXPECT_EQ(read(1).x, (Values{0, 0.25, 0.5, 0.75, 1, 1.25}));
    EXPECT_EQ(read(1).y, (Values{1, 2.5, -3, 4, 5, 6}));  // numbers that are not integers have no scale
    EXPECT_EQ(read(2).y, (Values{10, 20, 30, 40, -50, -60.25}));
  }
}

TEST_F(SplineFile, short_integers_are_scaled) {
  for (const bool big : {false, true}) {
    Rpc file;
    if (big) file["FORMAT"] = "BINARY_IEEE_BIG_END";
    file["DATA_TYPE"] = "SHORT_INTEGER";
    write(file.bytes(shorts, big));
    EXPECT_EQ(read(1).y, (Values{0.5, 1, -1.5, 2, -16384, 30}));
    const Values second = read(2).y;
    const Values raw = {100, -200, 300, 32752, -50, 7};
    for (std::size_t k = 0; k < raw.size(); ++k) EXPECT_DOUBLE_EQ(second[k], 0.015 * raw[k]);
  }
}

TEST_F(SplineFile, a_file_longer_than_what_is_read_at_once) {
  constexpr int points = 5000;  // 40 kB, in groups of 1000
  Rpc file;
  file["PTS_PER_FRAME"] = "1000";
  file["PTS_PER_GROUP"] = "1000";
  file["FRAMES"] = "5";
  std::vector<float> data;
  for (int group = 0; group < 5; ++group)
    for (int channel = 1; channel <= 2; ++channel)
      for (int k = 0; k < 1000; ++k) data.push_back(static_cast<float>(channel * (1000 * group + k)));
  write(file.bytes(data));
  const TimeHistory second = read(2);
  ASSERT_EQ(second.y.size(), static_cast<std::size_t>(points));
  for (int k = 0; k < points; ++k) ASSERT_EQ(second.y[k], 2.0 * k);
}

TEST_F(SplineFile, tables_of_text) {
  write("# measured\n! x, left, right\n\n0 1,-2\r\n0.5D0\t2;-4 ! second\n 1, 4, -8\n2 8 -16", "f.txt");
  EXPECT_EQ(read(1, "f.txt").x, (Values{0, 0.5, 1, 2}));
  EXPECT_EQ(read(1, "f.txt").y, (Values{1, 2, 4, 8}));
  EXPECT_EQ(read(2, "f.txt").y, (Values{-2, -4, -8, -16}));
  write("0 1\n1 2\n2 3\n3 5\n", "f.txt");
  EXPECT_EQ(read(0, "f.txt").y, (Values{1, 2, 3, 5}));
}

// sin 2t at 41 points 0.05 apart: cubic splines are off by 5/384 h⁴ 16 = 1.3e-6 inside (not-a-knot ends: some
// more), straight lines by 1/8 h² 4 = 1.3e-3.
TEST_F(SplineFile, interp_goes_through_the_numbers) {
  std::string text;
  for (int k = 0; k <= 40; ++k) text += fmt::format("{:.17g} {:.17g}\n", 0.05 * k, std::sin(0.1 * k));
  write(text, "f.txt");
  const std::string spline = "SPLINE/7, FILE = f.txt";
  const Curve cubic = curve("INTERP(TIME,3,7)", spline), lines = curve("INTERP(TIME,1,7)", spline);
  for (int k = 0; k <= 40; ++k) {
    EXPECT_NEAR(cubic.at(0.05 * k), std::sin(0.1 * k), 1e-14);
    EXPECT_NEAR(lines.at(0.05 * k), std::sin(0.1 * k), 1e-14);
  }
  EXPECT_NEAR(cubic.at(0.777), std::sin(1.554), 2e-6);
  const double weight = 0.54;  // of the point 0.8 at 0.777, between it and 0.75
  EXPECT_NEAR(lines.at(0.777), (1 - weight) * std::sin(1.5) + weight * std::sin(1.6), 1e-14);
  EXPECT_NEAR(lines.at(0.777, 1), (std::sin(1.6) - std::sin(1.5)) / 0.05, 1e-12);
}

// Derivatives by iord, and those of the tangent in time, against central differences: e² third derivatives /
// 6, with e = 1e-5 below 1e-8 for both orders; rounding 1e-16 / 1e-5.
TEST_F(SplineFile, interp_has_the_derivatives_of_its_differences) {
  write("0 1\n0.3 2\n1 -1\n1.2 0\n2 3\n", "f.txt");
  const double e = 1e-5;
  for (const int method : {1, 3}) {
    const auto of = [&](int order) {
      return curve(fmt::format("INTERP(TIME,{},7,{})", method, order), "SPLINE/7, FILE = f.txt");
    };
    const Curve value = of(0), first = of(1), second = of(2);
    for (const double t : {-0.5, 0.11, 0.6, 1.1, 1.7, 2.5}) {
      const double slope = (value.at(t + e) - value.at(t - e)) / (2 * e);
      const double bend = (first.at(t + e) - first.at(t - e)) / (2 * e);
      EXPECT_NEAR(first.at(t), slope, 1e-7) << method << " at " << t;
      EXPECT_NEAR(value.at(t, 1), slope, 1e-7) << method << " at " << t;
      EXPECT_NEAR(second.at(t), bend, 1e-7) << method << " at " << t;
      EXPECT_NEAR(value.at(t, 2), bend, 1e-7) << method << " at " << t;
    }
  }
}

TEST_F(SplineFile, outside_the_data_the_end_holds_or_its_tangent) {
  write("0 1\n1 2\n2 0\n3 4\n", "f.txt");
  for (const char* function :
       {"INTERP(TIME,1,7)", "INTERP(TIME,3,7)", "CUBSPL(TIME,0,7)", "AKISPL(TIME,0,7)"}) {
    const Curve held = curve(function, "SPLINE/7, FILE = f.txt");
    EXPECT_EQ(held.at(-2), 1) << function;
    EXPECT_EQ(held.at(5), 4) << function;
    EXPECT_EQ(held.at(5, 1), 0) << function;
    const Curve tangent = curve(function, "SPLINE/7, FILE = f.txt, LINEAR_EXTRAPOLATE");
    EXPECT_NEAR(tangent.at(5), 4 + 2 * tangent.at(3 - 1e-9, 1), 1e-7) << function;
    EXPECT_NEAR(tangent.at(-2), 1 - 2 * tangent.at(1e-9, 1), 1e-7) << function;
  }
}

TEST_F(SplineFile, wrong_headers) {
  EXPECT_NE(refusal(1, ExitCode::io).find("f.rsp cannot be read"), std::string::npos);
  const auto told = [&](const std::string& keyword, const std::string& value, int channel = 1,
                        ExitCode code = ExitCode::input) {
    Rpc file;
    file[keyword] = value;
    write(file.bytes(floats));
    return refusal(channel, code);
  };
  EXPECT_EQ(told("DELTA_T", "fast"), "f.rsp: byte 512: DELTA_T must be a number, found 'fast'");
  EXPECT_EQ(told("DELTA_T", "0"), "f.rsp: byte 512: DELTA_T must be positive, is 0");
  EXPECT_EQ(told("FRAMES", "-3"),
            "f.rsp: byte 1152: FRAMES must be an integer from 1 to 1073741824, found '-3'");
  EXPECT_EQ(told("FRAMES", "1"), "f.rsp: byte 1152: needs at least 4 points, has 2");
  EXPECT_EQ(told("CHANNELS", "2", 3), "f.rsp: byte 768: there is no channel 3; the file has 2");
  EXPECT_EQ(told("CHANNELS", "2", 0), "f.rsp: byte 768: CHANNEL is missing; the file has 2 channels");
  EXPECT_EQ(told("NUM_HEADER_BLOCKS", "6"),
            "f.rsp: byte 2112: the file ends within its header of 3072 bytes");
  EXPECT_EQ(told("FRAMES", "5"),
            "f.rsp: byte 2112: the file ends; 10 points in groups of 4 for 2 channels go on");
  EXPECT_EQ(told("FRAMES", "1073741824"),
            "f.rsp: byte 2112: the file ends; 2147483648 points in groups of 4 for 2 channels go on");
  EXPECT_EQ(told("FORMAT", "ASCII", 1, ExitCode::unsupported),
            "f.rsp: byte 0: FORMAT ASCII is not supported; BINARY_IEEE_LITTLE_END or BINARY_IEEE_BIG_END is");
  EXPECT_EQ(told("FILE_TYPE", "HISTOGRAM", 1, ExitCode::unsupported),
            "f.rsp: byte 384: FILE_TYPE HISTOGRAM is not supported; TIME_HISTORY is");
  EXPECT_EQ(told("HALF_FRAMES", "1", 1, ExitCode::unsupported),
            "f.rsp: byte 1536: HALF_FRAMES 1 is not supported; 0 is");
  Rpc file;
  file.erase("SCALE.CHAN_2");
  write(file.bytes(floats));
  EXPECT_EQ(refusal(2), "accepted");
  file["DATA_TYPE"] = "SHORT_INTEGER";
  write(file.bytes(shorts));
  EXPECT_EQ(refusal(1), "accepted");
  EXPECT_EQ(refusal(2), "f.rsp: byte 0: the header has no SCALE.CHAN_2");
}

TEST_F(SplineFile, wrong_numbers) {
  std::vector<float> data = floats;
  data[12] = std::numeric_limits<float>::quiet_NaN();  // point 5 of channel 2
  write(Rpc{}.bytes(data));
  EXPECT_EQ(refusal(1), "accepted");
  EXPECT_EQ(refusal(2), "f.rsp: byte 2096: point 5 of channel 2 is not a number");
  write("FORMAT");
  EXPECT_EQ(refusal(1), "f.rsp: byte 6: the file ends within its header of 512 bytes");
  EXPECT_EQ(refusal(1, ExitCode::unsupported, "f.DAC"),
            "f.DAC: files of nSoft (DAC) are not supported; RPC III and tables of text are");
  const auto told = [&](const std::string& text, int channel) {
    write(text, "f.txt");
    return refusal(channel, ExitCode::input, "f.txt");
  };
  EXPECT_EQ(told("! x y\n0 1\n1 two\n", 1), "f.txt:3: 'two' is no number");
  EXPECT_EQ(told("0 1\n1 2\n1 3\n", 1), "f.txt:3: x must increase strictly, but 1 follows 1");
  EXPECT_EQ(told("0 1 2\n1 2\n", 2), "f.txt:2: 2 numbers, the lines before have 3");
  EXPECT_EQ(told("0 1 2\n", 0), "f.txt:1: CHANNEL is missing; the table has 2 columns of y");
  EXPECT_EQ(told("0 1 2\n", 3), "f.txt:1: there is no channel 3; columns of y: 2");
  EXPECT_EQ(told("0\n", 1), "f.txt:1: a line is x and at least one y, found 1 number");
  EXPECT_EQ(told("0 1\n1 2\n2 3\n", 1), "f.txt:3: needs at least 4 points, has 3");
  EXPECT_EQ(told("", 1), "f.txt:0: needs at least 4 points, has 0");
}

TEST_F(SplineFile, wrong_decks) {
  write("0 1\n1 2\n2 3\n3 4\n", "f.txt");
  const auto told = [&](const std::string& body, ExitCode code = ExitCode::input) {
    try {
      compile_text("PART/1, GROUND\n" + body, deck());
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), code);
      std::string text = failure.what();
      for (std::size_t at; (at = text.find(folder_.string() + "/")) != std::string::npos;)
        text.erase(at, folder_.string().size() + 1);
      return text;
    }
    return std::string("accepted");
  };
  const std::string spline =
      "SPLINE/7, FILE = f.txt\nSPLINE/8, X = 0,1,2,3, Y = 0,1,2,3\nVARIABLE/1, FUNCTION = ";
  EXPECT_EQ(told(spline + "INTERP(TIME,3,7)\n"), "accepted");
  EXPECT_NE(
      told(spline + "INTERP(TIME,2,7)\n").find("the method of INTERP is 1 (linear) or 3 (cubic), not 2"),
      std::string::npos);
  EXPECT_NE(told(spline + "INTERP(TIME,3,8)\n")
                .find("INTERP reads time histories, splines with FILE; for a SPLINE with X and Y use CUBSPL"),
            std::string::npos);
  EXPECT_NE(
      told(spline + "INTERP(TIME,3,7,3)\n").find("the order of INTERP's derivative is 0, 1 or 2, not 3"),
      std::string::npos);
  EXPECT_NE(told(spline + "INTERP(TIME,3,9)\n").find("SPLINE/9"), std::string::npos);
  EXPECT_EQ(told("SPLINE/7, FILE = f.txt, CHANNEL = 2\n"),
            "deck.adm:3: SPLINE/7: FILE: f.txt:1: there is no channel 2; columns of y: 1");
  EXPECT_NE(told("SPLINE/7, FILE = f.txt, BLOCK = A\n", ExitCode::unsupported).find("BLOCK"),
            std::string::npos);
  EXPECT_NE(told("SPLINE/7, FILE = f.txt, X = 0,1,2,3, Y = 0,1,2,3\n").find("FILE"), std::string::npos);
}

}  // namespace
}  // namespace trammel::spline_file_test
