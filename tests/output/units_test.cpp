// Units of the UNITS statement in result files: every one comes back from every format as what it was.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "base/text.h"
#include "output/output_set.h"
#include "output/read/result_reader.h"
#include "output/unit_names.h"
#include "support.h"

namespace trammel::test::units_test {
namespace {

/// The units that docs/statements.md names for an argument of UNITS, as results spell them.
std::vector<std::string> documented_units(const std::string& argument) {
  std::vector<std::string> out;
  for (const std::string& line : read_lines(std::string(TRAMMEL_SOURCE_DIR) + "/docs/statements.md")) {
    if (!line.starts_with("| `" + argument + "` (") || line.find("unit of " + lower(argument)) == line.npos)
      continue;
    std::size_t at = line.find("one of `");
    while (at < line.size() && (at = line.find('`', at)) < line.find(" |", line.find("one of"))) {
      const std::size_t end = line.find('`', at + 1);
      const std::string name = line.substr(at + 1, end - at - 1);
      const std::map<std::string, std::string> spelt = {
          {"KILOGRAM", "kg"}, {"MILLIMETER", "mm"}, {"SECOND", "sec"}};
      out.push_back(spelt.contains(name) ? spelt.at(name) : lower(name));
      at = end + 1;
    }
  }
  return out;
}

struct Kind {
  const char* argument;
  std::size_t count;
  std::string UnitNames::*member;
};
const Kind kinds[] = {{"FORCE", 13, &UnitNames::force},
                      {"MASS", 12, &UnitNames::mass},
                      {"LENGTH", 13, &UnitNames::length},
                      {"TIME", 7, &UnitNames::time}};

/// Every unit in turn, the others as in SYSTEM=MKS.
template <class Action>
void for_each_unit(const Action& action) {
  for (const Kind& kind : kinds) {
    const std::vector<std::string> names = documented_units(kind.argument);
    ASSERT_EQ(names.size(), kind.count) << kind.argument;
    for (const std::string& name : names) {
      UnitNames units{"newton", "kg", "meter", "sec", 1.0};
      units.*kind.member = name;
      units.length_per_meter = length_per_meter(units.length);
      action(kind, name, units);
    }
  }
}

TEST(Units, have_letters_of_their_own) {
  std::map<std::string, std::string> owners;
  for_each_unit([&](const Kind& kind, const std::string& name, const UnitNames& units) {
    const std::string code = unit_code(units);
    ASSERT_EQ(code.size(), 12u);
    EXPECT_EQ(units_of_code(code).*kind.member, name);
    const bool base = units.force + units.mass + units.length + units.time == "newtonkgmetersec";
    const bool fresh = owners.emplace(code, name).second;
    EXPECT_TRUE(base || fresh) << name << " and " << owners[code];
  });
  // What no statement has is no other unit.
  EXPECT_EQ(unit_code({"minipound", "mixed", "micron", "minim", 1.0}), "________RACA");
}

TEST(Units, that_differ_are_told) {
  for_each_unit([](const Kind& kind, const std::string& name, const UnitNames& units) {
    for (const std::string& other : documented_units(kind.argument)) {
      UnitNames others = units;
      others.*kind.member = other;
      EXPECT_EQ(unit_conflict(units, others).empty(), name == other) << name << " and " << other;
    }
  });
  EXPECT_EQ(unit_conflict({"kilonewton", "kilogram", "millimeter", "second", 1.0},
                          {"knewton", "KG", "MM", "sec", 1.0}),
            "");
  EXPECT_EQ(unit_conflict({}, {"newton", "kg", "micron", "second", 1.0}), "length in meter and micron");
}

TEST(Units, of_length_are_those_of_the_statement) {
  const std::map<std::string, double> meters = {
      {"meter", 1},          {"centimeter", 1e-2}, {"mm", 1e-3},       {"micrometer", 1e-6},
      {"nanometer", 1e-9},   {"angstrom", 1e-10},  {"kilometer", 1e3}, {"inch", 0.0254},
      {"foot", 0.3048},      {"yard", 0.9144},     {"mile", 1609.344}, {"mils", 2.54e-5},
      {"microinch", 2.54e-8}};
  for (const std::string& name : documented_units("LENGTH"))
    EXPECT_NEAR(length_per_meter(name) * meters.at(name), 1, 1e-15) << name;
}

/// The format with room for two letters of each unit, and the ones that spell them.
TEST_F(OutputTest, UnitsComeBackFromEveryFormat) {
  Channels channels = sample_channels();
  const auto width = static_cast<std::size_t>(channels.size());
  for_each_unit([&](const Kind& kind, const std::string& name, const UnitNames& units) {
    channels.units = units;
    OutputSet set;
    set.open(channels, sample_info(), file("a"),
             {Format::native, Format::results, Format::csv, Format::request});
    set.record(0, StepKind::dynamics, sample_values(0, width));
    set.close();
    const ResultReader native(file("a.nc"));
    for (const char* extension : {".res", ".csv", ".req"}) {
      const ResultReader reader(file("a") + extension);
      EXPECT_TRUE(reader.notices().empty()) << name << extension << ": " << reader.notices().front();
      const std::string found = reader.channels().units.*kind.member;
      const bool shown = kind.argument != std::string("MASS") || extension != std::string(".csv");
      EXPECT_EQ(found, shown ? name : "") << extension;  // no channel has the unit of mass
      if (extension == std::string(".req")) continue;
      for (const ChannelRef& channel : native.list())
        EXPECT_EQ(reader.find(channel.name).unit, channel.unit) << name << extension;
    }
  });
}

}  // namespace
}  // namespace trammel::test::units_test
