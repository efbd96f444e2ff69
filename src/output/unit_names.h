// Units as result files spell them, there and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"

namespace trammel {

/// The unit of a quantity as result files spell it: "meter/sec**2", "newton-meter", "" without unit.
std::string unit_of(Quantity quantity, const UnitNames& units);
/// As result files spell a time unit: "second" is "sec", others as they are.
std::string time_unit(const UnitNames& units);
/// The quantity whose unit has this spelling; none where there is none.
Quantity quantity_of(std::string_view unit, const UnitNames& units);

/// The 12 characters of .req and .gra headers, two per quantity: length, mass, time, force, angle and
/// coordinates, e.g. "M_KGS_N_RACA".
std::string unit_code(const UnitNames& units);
/// The names behind such a code; "" for two letters that are not known.
UnitNames units_of_code(std::string_view code);

/// The base units that occur in unit texts ("mm/sec**2", "newton-mm"), "" for those that do not.
UnitNames units_in(const std::vector<std::string>& texts);
/// Length units in one meter; 1 for a unit that is not known.
double length_per_meter(std::string_view unit);

/// "length in meter and mm": the base units that are not the same, other spellings and unknown ones apart;
/// "" where all agree.
std::string unit_conflict(const UnitNames& a, const UnitNames& b);

}  // namespace trammel
