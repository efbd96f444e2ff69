// Units of a dataset and the factor that makes force = mass · acceleration hold.
#pragma once

#include <string>
#include <string_view>

#include "dataset/description.h"

namespace trammel {

struct Units {
  std::string force, mass, length, time;  ///< names as UNITS spells them; "" without UNITS
  double ucf = 1;                         ///< [F]/([M][L]/[T]²); mass and inertia are divided by it
  double meters_per_length = 1;
};

/// From the UNITS statement (nullptr: consistent units, UCF 1).
Units read_units(const Statement* statement);

/// SI value of a unit name of kind "FORCE", "MASS", "LENGTH", "TIME"; 0 if unknown.
double unit_in_si(std::string_view kind, std::string_view name);

}  // namespace trammel
