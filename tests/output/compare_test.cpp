// Comparison of results: limits, times that differ, names that differ, and what only one file has.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "output/look/compare.h"
#include "output/look/convert.h"
#include "output/unit_names.h"
#include "output/write/csv_file.h"
#include "output/write/native_file.h"
#include "output/write/request_file.h"
#include "support.h"

namespace trammel::test::compare_test {
namespace {

class CompareTest : public OutputTest {
 protected:
  void put(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
  Comparison compare(const std::string& a, const std::string& b, const CompareOptions& options = {}) const {
    return compare_results(ResultReader(file(a)), ResultReader(file(b)), options);
  }
  ExitCode failure(const std::string& a, const std::string& b, const CompareOptions& options = {}) const {
    return failure_of([&] { compare(a, b, options); }).code();
  }
  /// A table with the time and one column, values by function.
  template <class Function>
  void table(const std::string& name, int steps, double end, Function function,
             const char* head = "PART/2.X [mm]") {
    std::string text = std::string("TIME [sec],") + head + "\n";
    for (int k = 0; k <= steps; ++k)
      text += fmt::format("{},{}\n", end * k / steps, function(end * k / steps));
    put(name, text);
  }
};

/// The limit is atol + rtol · peak of a; the worst place is where the difference is.
TEST_F(CompareTest, LimitsAndWorstPlace) {
  put("a.csv", "TIME,PART/2.X,PART/2.Y\n0,0,1\n1,-4,1\n2,2,1\n");
  put("b.csv", "TIME,PART/2.X,PART/2.Y\n0,0.5,1\n1,-4,1\n2,1.25,1\n");
  CompareOptions options;
  options.rtol = 0.1875;  // 0.1875 · 4 = 0.75, the very difference: not above it (all numbers are exact)
  Comparison c = compare("a.csv", "b.csv", options);
  EXPECT_TRUE(c.within);
  ASSERT_EQ(c.channels.size(), 2u);
  EXPECT_EQ(c.channels[0].name, "PART/2.X");
  EXPECT_EQ(c.channels[0].time, 2);
  EXPECT_EQ(c.channels[0].a, 2);
  EXPECT_EQ(c.channels[0].b, 1.25);
  EXPECT_EQ(c.channels[0].difference, 0.75);
  EXPECT_EQ(c.channels[0].limit, 0.75);
  EXPECT_EQ(c.times, 3u);
  EXPECT_EQ(c.interpolated, 0u);
  options.rtol = 0.125;
  options.atol = 0.125;  // 0.125 + 0.5 = 0.625
  c = compare("a.csv", "b.csv", options);
  EXPECT_FALSE(c.within);
  EXPECT_EQ(c.over, 1u);
  EXPECT_EQ(c.channels[0].limit, 0.625);
  EXPECT_EQ(c.channels[0].over, 1u);
  options = {.atol = 0.0, .rtol = 0.4, .pointwise = true};  // 0.4 · |2| = 0.8 ≥ 0.75, but nothing at |a| = 0
  c = compare("a.csv", "b.csv", options);
  EXPECT_FALSE(c.within);
  EXPECT_EQ(c.channels[0].time, 0);
  EXPECT_EQ(c.channels[0].over, 1u);
  options.from = 1.0;
  EXPECT_TRUE(compare("a.csv", "b.csv", options).within);
  EXPECT_EQ(compare("a.csv", "b.csv", options).times, 2u);
}

TEST_F(CompareTest, NanIsADifference) {
  put("a.csv", "TIME,PART/2.X,PART/2.Y,PART/2.Z\n0,1,nan,inf\n1,1,2,inf\n");
  put("b.csv", "TIME,PART/2.X,PART/2.Y,PART/2.Z\n0,,nan,inf\n1,1,2,inf\n");
  const Comparison c = compare("a.csv", "b.csv", {.atol = 1e300});
  EXPECT_FALSE(c.within);
  EXPECT_EQ(c.over, 2u);  // X: one of them; Y: both; infinities of one sign agree
  EXPECT_TRUE(std::isnan(c.channels[0].difference));
  EXPECT_EQ(c.channels[0].over, 1u);
  EXPECT_EQ(c.channels[2].name, "PART/2.Z");
  EXPECT_EQ(c.channels[2].difference, 0.0);
}

TEST_F(CompareTest, WhatOnlyOneFileHasIsNamed) {
  put("a.csv", "TIME,PART/2.X,PART/3.X\n0,1,0\n1,1,0\n");
  put("b.csv", "TIME,PART/2.X,PART/4.X\n0,1,0\n1,1,0\n2,1,0\n3,1,0\n");
  Comparison c = compare("a.csv", "b.csv");
  EXPECT_FALSE(c.within);
  EXPECT_EQ(c.over, 0u);
  EXPECT_EQ(c.only_a, std::vector<std::string>{"PART/3.X"});
  EXPECT_EQ(c.only_b, std::vector<std::string>{"PART/4.X"});
  EXPECT_EQ(c.uncovered_a, 0u);
  EXPECT_EQ(c.uncovered_b, 2u);
  EXPECT_TRUE(compare("a.csv", "b.csv", {.common = true}).within);
  EXPECT_TRUE(compare("a.csv", "b.csv", {.channels = {"PART/2"}, .to = 1.0}).within);
  c = compare("b.csv", "a.csv");  // the same told from the other side
  EXPECT_EQ(c.uncovered_a, 2u);
  EXPECT_EQ(c.only_a, std::vector<std::string>{"PART/4.X"});
  EXPECT_FALSE(compare("a.csv", "b.csv", {.channels = {"PART/3"}, .map = {{"PART/2.X", "PART/2.X"}}}).within);
  EXPECT_EQ(failure("a.csv", "b.csv", {.channels = {"PART/3"}}), ExitCode::usage);  // nothing in common
  EXPECT_EQ(failure("a.csv", "b.csv", {.channels = {"PART/9"}}), ExitCode::usage);
  EXPECT_EQ(failure("a.csv", "b.csv", {.from = 7.0}), ExitCode::usage);
  EXPECT_EQ(failure("a.csv", "b.csv", {.atol = -1.0}), ExitCode::usage);
  EXPECT_EQ(failure("a.csv", "b.csv", {.rtol = std::nan("")}), ExitCode::usage);
  put("c.csv", "TIME,PART/2.X\n0,1\n-1,1\n");
  EXPECT_EQ(failure("a.csv", "c.csv"), ExitCode::input);
  put("d.csv", "TIME,PART/2.X\n");
  EXPECT_EQ(failure("a.csv", "d.csv"), ExitCode::input);
}

/// A line is interpolated without error; a sine to the bound h²/8·max|x″| of linear interpolation, which its
/// worst place reaches (the midpoint of an interval at the crest).
TEST_F(CompareTest, TimesThatDifferAreInterpolated) {
  table("line.csv", 100, 1.0, [](double t) { return 3 * t - 1; });
  table("coarse.csv", 7, 1.0, [](double t) { return 3 * t - 1; });
  Comparison c = compare("line.csv", "coarse.csv", {.rtol = 1e-14});  // a few roundings of numbers below 3
  EXPECT_TRUE(c.within) << c.channels[0].difference;
  EXPECT_EQ(c.times, 8u);  // those of the coarser file; both ends are times of the other as well
  EXPECT_EQ(c.interpolated, 6u);
  ASSERT_EQ(c.notices.size(), 1u);
  EXPECT_NE(c.notices[0].find("a is interpolated linearly"), std::string::npos) << c.notices[0];
  EXPECT_NE(c.notices[0].find("6 of 8"), std::string::npos);

  constexpr double w = 2 * std::numbers::pi;
  const auto sine = [](double t) { return std::sin(w * t); };
  table("fine.csv", 50, 1.0, sine);
  table("shifted.csv", 20, 1.0,
        sine);  // t = k/20; the crest t = 1/4 lies in the middle between 12/50 and 13/50
  c = compare("fine.csv", "shifted.csv", {.rtol = 0.0});
  const double h = 1.0 / 50, bound = h * h / 8 * w * w;
  EXPECT_EQ(c.channels[0].time, 0.25);
  EXPECT_LT(c.channels[0].difference, bound);
  EXPECT_GT(c.channels[0].difference, 0.99 * bound);  // 1 − cos(w h/2) = w²h²/8 (1 − w²h²/48 + …)
}

/// Components of one vector share a scale; what is rounding beside the largest number of the unit is none; a
/// number without unit, and another unit, have scales of their own.
TEST_F(CompareTest, ScalesOfVectors) {
  const char* head =
      "TIME [sec],PART/2.X [mm],PART/2.Y [mm],PART/3.X [mm],PART/2.PSI [rad],PART/2.F,PART/2.G\n";
  put("a.csv", std::string(head) + "0,1000,0,0,0.5,8,0\n");
  put("b.csv", std::string(head) + "0,1000,0.0009,8e-10,0.5,8,0\n");
  EXPECT_TRUE(compare("a.csv", "b.csv", {.rtol = 1e-6}).within);
  Comparison c = compare("a.csv", "b.csv", {.rtol = 5e-7});  // limits 5e-4 and 5e-10
  EXPECT_EQ(c.over, 2u);
  EXPECT_EQ(c.channels[0].name, "PART/2.Y");
  EXPECT_DOUBLE_EQ(c.channels[0].limit, 5e-4);
  EXPECT_DOUBLE_EQ(c.channels[1].limit, 5e-10);
  put("b.csv", std::string(head) + "0,1000,0,0,0.50001,8,1e-7\n");
  c = compare("a.csv", "b.csv", {.rtol = 1e-6});
  EXPECT_EQ(c.over, 2u);
  EXPECT_EQ(c.channels[0].name, "PART/2.G");
  EXPECT_EQ(c.channels[1].name, "PART/2.PSI");
}

/// The scale of a channel is that of its file, whichever channels are compared and whatever b has of them.
TEST_F(CompareTest, ScalesAreOfAllChannelsOfTheFile) {
  const std::string head = "TIME [sec],PART/2.Y [mm],PART/3.X [mm]";
  put("a.csv", head + ",PART/2.X [mm]\n0,0,0,0\n0.4,0,0,0\n1,0,0,-600\n");
  put("b.csv", head + ",PART/2.X [mm]\n0,0,0,0\n0.4,0,0,0\n1,0,0,-600\n");
  put("few.csv", head + "\n0,0,0\n0.5,0,0\n");
  const auto limits = [&](const char* b, const CompareOptions& options) {
    std::map<std::string, double> out;
    for (const ChannelDifference& d : compare("a.csv", b, options).channels) out[d.name] = d.limit;
    return out;
  };
  const std::map<std::string, double> all = limits("b.csv", {.rtol = 0.01});
  EXPECT_DOUBLE_EQ(all.at("PART/2.Y"), 6);     // of the vector of PART/2
  EXPECT_DOUBLE_EQ(all.at("PART/3.X"), 6e-6);  // 1e-6 of the largest length
  for (const char* name : {"PART/2.X", "PART/2.Y", "PART/3.X"}) {
    const std::map<std::string, double> one = limits("b.csv", {.rtol = 0.01, .channels = {name}});
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one.at(name), all.at(name)) << name;
  }
  // At the times of few.csv: X = -100 at 0.5, between 0.4 and 1.
  const std::map<std::string, double> few = limits("few.csv", {.rtol = 0.01, .common = true});
  ASSERT_EQ(few.size(), 2u);
  EXPECT_DOUBLE_EQ(few.at("PART/2.Y"), 1);
  EXPECT_DOUBLE_EQ(few.at("PART/3.X"), 1e-6);
}

/// Columns of tables have their headers in common, not their places.
TEST_F(CompareTest, ColumnsArePairedByTheirHeaders) {
  put("ab.csv", "TIME [sec],A,B\n0,1,2\n1,3,4\n");
  put("ba.csv", "TIME [sec],b,A\n0,2,1\n1,4,3.5\n");
  put("c.csv", "TIME [sec],C\n0,1\n1,3\n");
  put("numbers.csv", "TIME [sec],Column_1,Column_2\n0,1,2\n1,3,4\n");
  put("bc.csv", "TIME [sec],B,C\n0,2,1\n1,4,3\n");
  const auto converted = [&](const std::string& name) {
    const ResultReader table(file(name + ".csv"));
    convert_results(table, file(name + ".nc"), {});
    return name + ".nc";
  };
  for (const std::string& a : {std::string("ab.csv"), converted("ab")})
    for (const std::string& b : {std::string("ba.csv"), converted("ba")}) {
      const Comparison c = compare(a, b, {.rtol = 0.0});
      ASSERT_EQ(c.channels.size(), 2u);
      EXPECT_EQ(c.over, 1u);
      EXPECT_EQ(c.channels[0].name, "A");
      EXPECT_EQ(c.channels[0].a, 3);
      EXPECT_EQ(c.channels[0].b, 3.5);
      EXPECT_EQ(c.channels[1].name, "B");
      EXPECT_EQ(c.channels[1].difference, 0);
      EXPECT_TRUE(c.only_a.empty() && c.only_b.empty());
    }
  const Comparison c = compare("ab.csv", "bc.csv", {.rtol = 0.0});
  ASSERT_EQ(c.channels.size(), 1u);
  EXPECT_EQ(c.channels[0].difference, 0);
  EXPECT_EQ(c.only_a, std::vector<std::string>{"A"});
  EXPECT_EQ(c.only_b, std::vector<std::string>{"C"});
  for (const std::string& other : {std::string("c.csv"), converted("c"), std::string("numbers.csv")}) {
    EXPECT_EQ(failure("ab.csv", other, {.common = true}), ExitCode::usage) << other;
    EXPECT_EQ(failure(other, "ab.nc", {.common = true}), ExitCode::usage) << other;
  }
  EXPECT_TRUE(compare("ab.csv", "c.csv", {.common = true, .map = {{"A", "C"}}}).within);
}

/// Tables of batches, of which one has other quantities in the same places.
TEST_F(CompareTest, TablesOfBatchesArePairedByTheirHeaders) {
  put("one.csv",
      "number,name,PART/2.MASS,status,final:PART/2.X,max:PART/2.X\n1,1,5,done,7,8\n2,2,6,done,9,9\n");
  put("two.csv",
      "number,name,PART/2.MASS,status,max:PART/2.X,max:PART/2.VX\n1,1,5,done,8,7\n2,2,6,done,9,9\n");
  const Comparison c = compare("one.csv", "two.csv", {.rtol = 0.0});
  EXPECT_EQ(c.over, 0u) << c.channels[0].name;
  EXPECT_EQ(c.only_a, std::vector<std::string>{"final:PART/2.X"});
  EXPECT_EQ(c.only_b, std::vector<std::string>{"max:PART/2.VX"});
  std::set<std::string> names;
  for (const ChannelDifference& d : c.channels) names.insert(d.name);
  EXPECT_TRUE(names.contains("PART/2.MASS") && names.contains("max:PART/2.X"));
}

/// After RELOAD of an earlier state the time begins anew: such files can be compared record by record.
TEST_F(CompareTest, TimesThatRunBackwards) {
  put("a.csv", "TIME,PART/2.X\n0,0\n1,1\n0.5,5\n1,6\n");
  put("b.csv", "TIME,PART/2.X\n0,0\n1,1\n0.5,5\n1,7\n");
  put("c.csv", "TIME,PART/2.X\n0,0\n0.5,5\n1,6\n");
  Comparison c = compare("a.csv", "a.csv", {.rtol = 0.0});
  EXPECT_TRUE(c.within);
  EXPECT_EQ(c.times, 4u);
  c = compare("a.csv", "b.csv", {.rtol = 0.0});
  EXPECT_EQ(c.channels[0].difference, 1);
  EXPECT_EQ(c.channels[0].a, 6);
  EXPECT_EQ(c.channels[0].over, 1u);
  c = compare("a.csv", "b.csv", {.rtol = 0.0, .to = 0.75});
  EXPECT_TRUE(c.within);
  EXPECT_EQ(c.times, 2u);
  for (const auto& [x, y] : {std::pair("a.csv", "c.csv"), std::pair("c.csv", "a.csv")})
    EXPECT_EQ(failure(x, y), ExitCode::input);
}

/// Degrees of angle become radians; those of temperature are a unit that is not known, as is "ms" of times.
TEST_F(CompareTest, DegreesAndUnknownUnits) {
  put("a.csv",
      "time,T [degC],U (deg F),phi [deg],psi [Degrees],w [deg/sec],x [mm]\n"
      "0,20,68,90,180,180,1\n1,40,104,90,180,180,2\n");
  const ResultReader a(file("a.csv"));
  const auto value = [&](const char* name) { return a.column(a.find(name)).at(1); };
  EXPECT_EQ(value("T"), 40);
  EXPECT_EQ(value("U"), 104);
  EXPECT_DOUBLE_EQ(value("phi"), std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(value("psi"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("w"), std::numbers::pi);
  EXPECT_EQ(a.find("T").unit, "");
  EXPECT_EQ(a.find("psi").unit, "rad");
  EXPECT_EQ(a.find("w").unit, "rad/sec");
  ASSERT_EQ(a.notices().size(), 2u);
  EXPECT_NE(a.notices()[0].find("\"deg F\" is not known"), std::string::npos) << a.notices()[0];
  EXPECT_NE(a.notices()[1].find("\"degC\" is not known"), std::string::npos) << a.notices()[1];
  for (const auto& [unit, known] : {std::pair("ms", false), std::pair("sec", true), std::pair("", true)}) {
    ResultTable table;
    table.channels.units = units_in({unit, "mm/sec"});
    table.channels.entities.push_back({"PART", 2, "", {{"VX"}}, 0, 0, 0, ""});
    EXPECT_EQ(table.set_quantities({"mm/sec"}, "a.csv", unit), std::vector<double>{1.0});
    EXPECT_EQ(table.notices.empty(), known) << unit;
    if (known) continue;
    EXPECT_EQ(table.notices.at(0), "a.csv: the unit of time \"ms\" is not known; times are read as numbers");
  }
  put("ms.csv", "TIME [ms],PART/2.X [meter]\n0,1\n1,2\n");
  const ResultReader ms(file("ms.csv"));
  ASSERT_EQ(ms.notices().size(), 1u);
  EXPECT_NE(ms.notices()[0].find("the unit of time \"ms\""), std::string::npos) << ms.notices()[0];
}

/// The end of a simulation and the begin of the next stand at one time: first with first, second with second.
TEST_F(CompareTest, RepeatedTimesKeepTheirOrder) {
  put("a.csv", "TIME,PART/2.X\n0,0\n1,1\n1,5\n2,6\n");
  put("b.csv", "TIME,PART/2.X\n0,0\n0.5,0.5\n1,1\n1,5\n1.5,5.5\n2,6\n");
  for (const auto& [a, b] : {std::pair("a.csv", "b.csv"), std::pair("b.csv", "a.csv")}) {
    const Comparison c = compare(a, b, {.rtol = 0.0});
    EXPECT_TRUE(c.within) << c.channels[0].time << " " << c.channels[0].difference;
    EXPECT_EQ(c.times, 4u);
    EXPECT_EQ(c.interpolated, 0u);
  }
}

TEST_F(CompareTest, AnglesModuloAFullTurn) {
  const auto wrapped = [](double t) { return std::remainder(8 * t, 2 * std::numbers::pi); };
  table("a.csv", 40, 1.0, wrapped, "PART/2.PSI [rad]");
  table(
      "b.csv", 40, 1.0, [](double t) { return 8 * t; }, "PART/2.PSI [rad]");
  table("c.csv", 80, 1.0, wrapped, "PART/2.PSI [rad]");
  EXPECT_FALSE(compare("a.csv", "b.csv").within);
  EXPECT_TRUE(compare("a.csv", "b.csv", {.rtol = 1e-14, .wrap = true}).within);
  EXPECT_TRUE(compare("c.csv", "b.csv", {.rtol = 1e-14, .wrap = true}).within);
}

TEST_F(CompareTest, UnitsAndNames) {
  table("a.csv", 4, 1.0, [](double t) { return t; });
  table(
      "b.csv", 4, 1.0, [](double t) { return t; }, "front travel [mm]");
  table(
      "c.csv", 4, 1.0, [](double t) { return t; }, "PART/2.X [meter]");
  table(
      "d.csv", 4, 1.0, [](double t) { return t; }, "PART/2.X [millimeter]");
  table(
      "e.csv", 4, 1.0, [](double t) { return t; }, "part_2.x [mm]");
  EXPECT_TRUE(compare("a.csv", "b.csv", {.map = {{"PART/2.X", "front travel"}}}).within);
  EXPECT_EQ(failure("a.csv", "b.csv"), ExitCode::usage);
  EXPECT_EQ(failure("a.csv", "b.csv", {.map = {{"PART/2.X", "rear travel"}}}), ExitCode::usage);
  const Comparison c = compare("a.csv", "c.csv");
  EXPECT_FALSE(c.within);
  EXPECT_NE(c.notices[0].find("length in mm and meter"), std::string::npos);
  EXPECT_TRUE(compare("a.csv", "d.csv").within);
  EXPECT_TRUE(compare("a.csv", "e.csv").within);  // a column called as a channel is on the command line
}

/// The requests of a run: .req against the native file, which calls the components by CNAMES. Six digits of a
/// value are off by at most 5e-6 of it; the default limit allows 1e-5 of the peak.
TEST_F(CompareTest, RequestFileAgainstNativeFile) {
  Channels channels;
  channels.units.time = "sec";
  channels.entities.push_back(
      {"REQUEST", 3, "", {{"speed", Quantity::none, 2}, {"F2", Quantity::none, 4}}, 5, 0, 0, ""});
  channels.entities.push_back({"REQUEST", 4, "", {{"PSI", Quantity::angle, 6}}, 1, 9, 8, ""});
  NativeWriter native;
  RequestFile request;
  native.open(file("a.nc"), channels, sample_info());
  request.open(file("a.req"), channels, sample_info());
  for (int k = 0; k <= 300; ++k) {
    const double t = k / 7.0;  // no time has an end of digits
    const double values[] = {1e5 * std::sin(t), std::cos(t), std::sin(2 * t)};
    native.record(t, StepKind::dynamics, values);
    request.record(t, values);
  }
  native.close();
  request.close();
  const Comparison c = compare("a.nc", "a.req", {.common = true});
  EXPECT_TRUE(c.within) << c.channels[0].name << " " << c.channels[0].difference;
  EXPECT_EQ(c.rtol, 1e-5);
  EXPECT_EQ(c.times, 301u);
  EXPECT_EQ(c.interpolated, 0u);
  ASSERT_EQ(c.channels.size(), 3u);  // by their places: speed is F2 there, F2 is F4
  EXPECT_GT(c.channels[0].difference, 0.0);
  EXPECT_TRUE(c.only_a.empty());
  EXPECT_EQ(c.only_b.size(), 12u - 3u);
  EXPECT_FALSE(compare("a.nc", "a.req", {.rtol = 1e-7, .common = true}).within);
}

}  // namespace
}  // namespace trammel::test::compare_test
