#include "output/unit_names.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace trammel {
namespace {

enum class Base { length, mass, time, force };

struct UnitEntry {
  Base base;
  const char* name;
  const char* code;
  double per_meter = 1.0;  ///< lengths only
};

// Every unit of the UNITS statement as results spell it, and names of other programs. Seen in files: M_ KG S_
// N_ IN LB PF. The other codes follow the pattern of two letters, each for one unit of its kind. Of names
// with the same code, the first is the one spelt in results. The inch is 25.4 mm by definition.
constexpr UnitEntry entries[] = {
    {Base::length, "meter", "M_", 1.0},
    {Base::length, "mm", "MM", 1e3},
    {Base::length, "millimeter", "MM", 1e3},
    {Base::length, "centimeter", "CM", 1e2},
    {Base::length, "cm", "CM", 1e2},
    {Base::length, "micrometer", "UM", 1e6},
    {Base::length, "nanometer", "NM", 1e9},
    {Base::length, "angstrom", "AN", 1e10},
    {Base::length, "kilometer", "KM", 1e-3},
    {Base::length, "km", "KM", 1e-3},
    {Base::length, "inch", "IN", 1 / 0.0254},
    {Base::length, "foot", "FT", 1 / 0.3048},
    {Base::length, "yard", "YD", 1 / 0.9144},
    {Base::length, "mile", "MI", 1 / 1609.344},
    {Base::length, "mils", "ML", 1e3 / 0.0254},
    {Base::length, "microinch", "UI", 1e6 / 0.0254},
    {Base::mass, "kg", "KG"},
    {Base::mass, "kilogram", "KG"},
    {Base::mass, "gram", "G_"},
    {Base::mass, "milligram", "ML"},
    {Base::mass, "microgram", "UG"},
    {Base::mass, "nanogram", "NG"},
    {Base::mass, "megagram", "MG"},
    {Base::mass, "tonne", "TO"},
    {Base::mass, "pound_mass", "LB"},
    {Base::mass, "kpound_mass", "KP"},
    {Base::mass, "ounce_mass", "OZ"},
    {Base::mass, "slug", "SL"},
    {Base::mass, "slinch", "SI"},
    {Base::mass, "us_ton", "UT"},
    {Base::time, "sec", "S_"},
    {Base::time, "second", "S_"},
    {Base::time, "milliseconds", "MS"},
    {Base::time, "millisecond", "MS"},
    {Base::time, "microsecond", "US"},
    {Base::time, "nanosecond", "NS"},
    {Base::time, "minute", "MN"},
    {Base::time, "hour", "HR"},
    {Base::time, "day", "DA"},
    {Base::force, "newton", "N_"},
    {Base::force, "knewton", "KN"},
    {Base::force, "kilonewton", "KN"},
    {Base::force, "meganewton", "MN"},
    {Base::force, "centinewton", "CN"},
    {Base::force, "millinewton", "ML"},
    {Base::force, "micronewton", "UN"},
    {Base::force, "nanonewton", "NN"},
    {Base::force, "dyne", "DY"},
    {Base::force, "pound_force", "PF"},
    {Base::force, "kpound_force", "KP"},
    {Base::force, "ounce_force", "OF"},
    {Base::force, "kilogram_force", "KF"},
    {Base::force, "poundal", "PL"},
};

const UnitEntry* entry_named(std::string_view name) {
  for (const UnitEntry& entry : entries)
    if (equal_ignoring_case(entry.name, name)) return &entry;
  return nullptr;
}

std::string& member(UnitNames& units, Base base) {
  std::string* members[] = {&units.length, &units.mass, &units.time, &units.force};
  return *members[static_cast<int>(base)];
}

/// "__", the code of no unit, for names that are not in the list: its first letters could be another unit's.
const char* two_letters(const std::string& name) {
  const UnitEntry* entry = entry_named(name);
  return entry != nullptr ? entry->code : "__";
}

bool is_same_unit(const std::string& a, const std::string& b) {
  const UnitEntry *first = entry_named(a), *second = entry_named(b);
  if (first == nullptr || second == nullptr) return equal_ignoring_case(a, b);
  return first->base == second->base && std::string_view(first->code) == second->code;
}

}  // namespace

std::string time_unit(const UnitNames& units) {
  return units.time == "second" ? "sec" : units.time;
}

std::string unit_of(Quantity quantity, const UnitNames& units) {
  const std::string time = time_unit(units);
  // A dataset without units has empty names; a unit with an empty part is empty.
  const auto joined = [](const std::string& a, const char* between, const std::string& b) {
    return a.empty() || b.empty() ? std::string() : a + between + b;
  };
  switch (quantity) {
    case Quantity::none:
      return "";
    case Quantity::time:
      return time;
    case Quantity::length:
      return units.length;
    case Quantity::angle:
      return "rad";
    case Quantity::velocity:
      return joined(units.length, "/", time);
    case Quantity::angular_velocity:
      return joined("rad", "/", time);
    case Quantity::acceleration:
      return joined(units.length, "/", time.empty() ? "" : time + "**2");
    case Quantity::angular_acceleration:
      return joined("rad", "/", time.empty() ? "" : time + "**2");
    case Quantity::force:
      return units.force;
    case Quantity::torque:
      return joined(units.force, "-", units.length);
  }
  return "";
}

Quantity quantity_of(std::string_view unit, const UnitNames& units) {
  if (unit.empty()) return Quantity::none;
  for (int k = 1; k <= static_cast<int>(Quantity::torque); ++k)
    if (equal_ignoring_case(unit, unit_of(static_cast<Quantity>(k), units))) return static_cast<Quantity>(k);
  return Quantity::none;
}

std::string unit_code(const UnitNames& units) {
  std::string code;
  for (const std::string* name : {&units.length, &units.mass, &units.time, &units.force})
    code += two_letters(*name);
  return code + "RACA";
}

UnitNames units_of_code(std::string_view code) {
  UnitNames units{"", "", "", "", 1.0};
  for (const Base base : {Base::length, Base::mass, Base::time, Base::force}) {
    const std::size_t at = 2 * static_cast<std::size_t>(base);
    if (at + 2 > code.size()) break;
    for (const UnitEntry& entry : entries) {
      if (entry.base != base || code.substr(at, 2) != entry.code) continue;
      member(units, base) = entry.name;
      break;
    }
  }
  units.length_per_meter = length_per_meter(units.length);
  return units;
}

UnitNames units_in(const std::vector<std::string>& texts) {
  UnitNames units{"", "", "", "", 1.0};
  for (const std::string& text : texts) {
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find_first_of("/-*", at), text.size());
      if (const UnitEntry* entry = entry_named(std::string_view(text).substr(at, end - at)))
        if (member(units, entry->base).empty()) member(units, entry->base) = text.substr(at, end - at);
      at = end + 1;
    }
  }
  units.length_per_meter = length_per_meter(units.length);
  return units;
}

double length_per_meter(std::string_view unit) {
  const UnitEntry* entry = entry_named(unit);
  return entry != nullptr ? entry->per_meter : 1.0;
}

std::string unit_conflict(const UnitNames& a, const UnitNames& b) {
  const std::pair<const char*, std::pair<const std::string*, const std::string*>> pairs[] = {
      {"length", {&a.length, &b.length}},
      {"mass", {&a.mass, &b.mass}},
      {"time", {&a.time, &b.time}},
      {"force", {&a.force, &b.force}},
  };
  std::string out;
  for (const auto& [what, names] : pairs) {
    const auto& [first, second] = names;
    if (first->empty() || second->empty() || is_same_unit(*first, *second)) continue;
    out += (out.empty() ? "" : ", ") + std::string(what) + " in " + *first + " and " + *second;
  }
  return out;
}

}  // namespace trammel
