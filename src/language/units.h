// Field tables: units and gravity.
#pragma once

#include "language/field.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

inline constexpr Field units_fields[] = {
    {.name = "FORCE",
     .kind = choice,
     .choices = "NEWTON|KNEWTON|MEGANEWTON|CENTINEWTON|MILLINEWTON|MICRONEWTON|NANONEWTON|DYNE|"
                "KILOGRAM_FORCE|POUND_FORCE|KPOUND_FORCE|OUNCE_FORCE|POUNDAL",
     .help = "unit of force",
     .group = "units:four",
     .needs = "MASS LENGTH TIME"},
    {.name = "MASS",
     .kind = choice,
     .choices = "KILOGRAM|GRAM|MILLIGRAM|MICROGRAM|NANOGRAM|TONNE|POUND_MASS|KPOUND_MASS|OUNCE_MASS|SLUG|"
                "SLINCH|US_TON",
     .help = "unit of mass",
     .group = "units:four",
     .needs = "FORCE LENGTH TIME"},
    {.name = "LENGTH",
     .kind = choice,
     .choices = "METER|CENTIMETER|MILLIMETER|MICROMETER|NANOMETER|ANGSTROM|KILOMETER|INCH|FOOT|YARD|MILE|"
                "MILS|MICROINCH",
     .help = "unit of length",
     .group = "units:four",
     .needs = "FORCE MASS TIME"},
    {.name = "TIME",
     .kind = choice,
     .choices = "SECOND|MILLISECONDS|MICROSECOND|NANOSECOND|MINUTE|HOUR|DAY",
     .help = "unit of time",
     .group = "units:four",
     .needs = "FORCE MASS LENGTH"},
    {.name = "SYSTEM",
     .kind = choice,
     .choices = "MKS|CGS|FPS|IPS|NONE",
     .help = "four units at once: MKS m kg s N, CGS cm g s dyne, FPS ft lbm s lbf, IPS in lbm s lbf",
     .group = "units:system"},
    {.name = "UCF",
     .kind = real,
     .check = ">0",
     .help = "units consistency factor itself",
     .group = "units:ucf"},
};
inline constexpr StatementSpec units{
    .keyword = "UNITS",
    .has_id = false,
    .fields = units_fields,
    .help = "Units of the dataset; they give the factor that makes force = mass times acceleration hold.",
    .equation = "F UCF = m a,  UCF = [force] / ([mass][length]/[time]^2)"};

inline constexpr Field accgrav_fields[] = {
    {.name = "IGRAV", .kind = real, .default_value = "0", .unit = "length/time^2", .help = "along ground x"},
    {.name = "JGRAV", .kind = real, .default_value = "0", .unit = "length/time^2", .help = "along ground y"},
    {.name = "KGRAV", .kind = real, .default_value = "0", .unit = "length/time^2", .help = "along ground z"},
};
inline constexpr StatementSpec accgrav{.keyword = "ACCGRAV",
                                       .has_id = false,
                                       .fields = accgrav_fields,
                                       .help = "Acceleration of gravity in ground axes.",
                                       .equation = "f = m (IGRAV, JGRAV, KGRAV)"};

}  // namespace trammel::statements
