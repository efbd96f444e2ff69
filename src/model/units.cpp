#include "model/units.h"

namespace trammel {

namespace {

struct UnitRow {
  std::string_view kind, name;
  double si;
};

constexpr double pound = 0.45359237, g0 = 9.80665, inch = 0.0254, foot = 0.3048;

constexpr UnitRow unit_rows[] = {
    {"FORCE", "NEWTON", 1},
    {"FORCE", "KNEWTON", 1e3},
    {"FORCE", "MEGANEWTON", 1e6},
    {"FORCE", "CENTINEWTON", 1e-2},
    {"FORCE", "MILLINEWTON", 1e-3},
    {"FORCE", "MICRONEWTON", 1e-6},
    {"FORCE", "NANONEWTON", 1e-9},
    {"FORCE", "DYNE", 1e-5},
    {"FORCE", "KILOGRAM_FORCE", g0},
    {"FORCE", "POUND_FORCE", pound* g0},
    {"FORCE", "KPOUND_FORCE", 1e3 * pound* g0},
    {"FORCE", "OUNCE_FORCE", pound* g0 / 16},
    {"FORCE", "POUNDAL", pound* foot},
    {"MASS", "KILOGRAM", 1},
    {"MASS", "GRAM", 1e-3},
    {"MASS", "MILLIGRAM", 1e-6},
    {"MASS", "MICROGRAM", 1e-9},
    {"MASS", "NANOGRAM", 1e-12},
    {"MASS", "TONNE", 1e3},
    {"MASS", "POUND_MASS", pound},
    {"MASS", "KPOUND_MASS", 1e3 * pound},
    {"MASS", "OUNCE_MASS", pound / 16},
    {"MASS", "SLUG", pound* g0 / foot},
    {"MASS", "SLINCH", pound* g0 / inch},
    {"MASS", "US_TON", 2e3 * pound},
    {"LENGTH", "METER", 1},
    {"LENGTH", "CENTIMETER", 1e-2},
    {"LENGTH", "MILLIMETER", 1e-3},
    {"LENGTH", "MICROMETER", 1e-6},
    {"LENGTH", "NANOMETER", 1e-9},
    {"LENGTH", "ANGSTROM", 1e-10},
    {"LENGTH", "KILOMETER", 1e3},
    {"LENGTH", "INCH", inch},
    {"LENGTH", "FOOT", foot},
    {"LENGTH", "YARD", 3 * foot},
    {"LENGTH", "MILE", 5280 * foot},
    {"LENGTH", "MILS", 1e-3 * inch},
    {"LENGTH", "MICROINCH", 1e-6 * inch},
    {"TIME", "SECOND", 1},
    {"TIME", "MILLISECONDS", 1e-3},
    {"TIME", "MICROSECOND", 1e-6},
    {"TIME", "NANOSECOND", 1e-9},
    {"TIME", "MINUTE", 60},
    {"TIME", "HOUR", 3600},
    {"TIME", "DAY", 86400},
};

struct SystemRow {
  std::string_view name, force, mass, length, time;
};
constexpr SystemRow systems[] = {
    {"MKS", "NEWTON", "KILOGRAM", "METER", "SECOND"},
    {"CGS", "DYNE", "GRAM", "CENTIMETER", "SECOND"},
    {"FPS", "POUND_FORCE", "POUND_MASS", "FOOT", "SECOND"},
    {"IPS", "POUND_FORCE", "POUND_MASS", "INCH", "SECOND"},
};

}  // namespace

double unit_in_si(std::string_view kind, std::string_view name) {
  for (const UnitRow& row : unit_rows)
    if (row.kind == kind && row.name == name) return row.si;
  return 0;
}

Units read_units(const Statement* statement) {
  Units units;
  if (!statement) return units;
  units.force = statement->word("FORCE");
  units.mass = statement->word("MASS");
  units.length = statement->word("LENGTH");
  units.time = statement->word("TIME");
  for (const SystemRow& system : systems)
    if (statement->word("SYSTEM") == system.name) {
      units.force = system.force;
      units.mass = system.mass;
      units.length = system.length;
      units.time = system.time;
    }
  if (!units.force.empty()) {
    const double f = unit_in_si("FORCE", units.force), m = unit_in_si("MASS", units.mass);
    const double l = unit_in_si("LENGTH", units.length), t = unit_in_si("TIME", units.time);
    units.ucf = f / (m * l / (t * t));
    units.meters_per_length = l;
  }
  units.ucf = statement->real("UCF", units.ucf);
  return units;
}

}  // namespace trammel
