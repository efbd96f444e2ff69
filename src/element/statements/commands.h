// Field tables: commands of .acf files that are not statements of the dataset.
#pragma once

#include "element/field.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

inline constexpr Field file_fields[] = {
    {.name = "COMMAND", .kind = text, .help = "command file to run", .group = "what:command"},
    {.name = "MODEL", .kind = text, .help = "dataset to load", .group = "what:model"},
    {.name = "OUTPUT_PREFIX", .kind = text, .help = "name of the output files", .group = "what:model"},
};
inline constexpr StatementSpec file{
    .keyword = "FILE", .has_id = false, .fields = file_fields, .help = "Files to read and to write."};

inline constexpr Field simulate_fields[] = {
    {.name = "DYNAMICS", .help = "dynamic analysis", .group = "type", .required = true},
    {.name = "TRANSIENT", .help = "dynamic analysis, or kinematic if nothing is free", .group = "type"},
    {.name = "INITIAL_CONDITIONS", .help = "initial conditions only", .group = "type"},
    {.name = "STATICS", .help = "equilibrium", .group = "type", .support = unsupported},
    {.name = "KINEMATICS", .help = "kinematic analysis", .group = "type", .support = unsupported},
    {.name = "DISPLACEMENT",
     .help = "only up to displacements",
     .group = "level",
     .needs = "INITIAL_CONDITIONS"},
    {.name = "VELOCITY", .help = "only up to velocities", .group = "level", .needs = "INITIAL_CONDITIONS"},
    {.name = "ACCELERATION",
     .help = "up to accelerations and forces",
     .group = "level",
     .needs = "INITIAL_CONDITIONS"},
    {.name = "END", .kind = real, .unit = "time", .help = "time at which it ends", .group = "until"},
    {.name = "DURATION",
     .kind = real,
     .unit = "time",
     .check = ">0",
     .help = "how long it lasts",
     .group = "until"},
    {.name = "STEPS",
     .kind = integer,
     .check = "in [1,100000000]",
     .help = "number of output steps",
     .group = "output"},
    {.name = "DTOUT", .kind = real, .unit = "time", .check = ">0", .help = "output step", .group = "output"},
};
inline constexpr StatementSpec simulate{
    .keyword = "SIMULATE", .has_id = false, .fields = simulate_fields, .help = "Runs an analysis."};

inline constexpr StatementSpec stop{.keyword = "STOP", .has_id = false, .help = "Ends the run."};

inline constexpr StatementSpec activate{
    .keyword = "ACTIVATE", .has_id = false, .support = unsupported, .help = "Brings elements into force."};
inline constexpr StatementSpec deactivate{
    .keyword = "DEACTIVATE", .has_id = false, .support = unsupported, .help = "Takes elements out of force."};
inline constexpr StatementSpec linear{
    .keyword = "LINEAR", .has_id = false, .support = unsupported, .help = "Linearises the model."};
inline constexpr StatementSpec save{
    .keyword = "SAVE", .has_id = false, .support = unsupported, .help = "Saves model and state."};
inline constexpr StatementSpec reload{
    .keyword = "RELOAD", .has_id = false, .support = unsupported, .help = "Restores model and state."};
inline constexpr StatementSpec info{
    .keyword = "INFO", .has_id = false, .support = unsupported, .help = "Prints a measurement."};
inline constexpr StatementSpec show{
    .keyword = "SHOW", .has_id = false, .support = no_effect, .help = "Prints statistics."};
inline constexpr StatementSpec time_command{
    .keyword = "TIME", .has_id = false, .support = no_effect, .help = "Prints the time used."};
inline constexpr StatementSpec control{
    .keyword = "CONTROL", .has_id = false, .support = unsupported, .help = "User code drives the run."};

}  // namespace trammel::statements
