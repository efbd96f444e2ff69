// Units as spelt in result files, and their inverse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"

namespace trammel {

/// The unit of a quantity as spelt in result files: "meter/sec**2", "newton-meter", "": no unit.
std::string unit_of(Quantity quantity, const UnitNames& units);
/// A time unit as spelt in result files: "sec" for "second", others unchanged.
std::string time_unit(const UnitNames& units);
/// The quantity with this unit; Quantity::none if there is none.
Quantity quantity_of(std::string_view unit, const UnitNames& units);

/// The 12 characters of .req and .gra headers, two for each of length, mass, time, force, angle and
/// coordinates, e.g. "M_KGS_N_RACA". Each unit of the UNITS statement has letters of its own; names that are
/// not known, and "", have "__".
std::string unit_code(const UnitNames& units);
/// The unit names of such a code; "" for two unknown letters.
UnitNames units_of_code(std::string_view code);

/// The base units in unit texts ("mm/sec**2", "newton-mm"), "" for those that do not occur.
UnitNames units_in(const std::vector<std::string>& texts);
/// Length units in one meter; 1 for an unknown unit.
double length_per_meter(std::string_view unit);

/// The base units that differ, as "length in meter and mm"; different spellings and missing names do not
/// count. "" if all agree.
std::string unit_conflict(const UnitNames& a, const UnitNames& b);

}  // namespace trammel
