// Field tables: commands of .acf files that are not statements of the dataset.
#pragma once

#include "language/field.h"

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
    {.name = "STATICS", .help = "equilibrium, or with END a sequence of equilibria", .group = "type"},
    {.name = "KINEMATICS", .help = "kinematic analysis", .group = "type"},
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

/// Which elements ACTIVATE and DEACTIVATE mean; the kinds that they take stand in front (dataset/registry.h).
inline constexpr Field which_elements[] = {
    {.name = "ID",
     .kind = integer,
     .max_count = 10000,
     .check = ">0",
     .help = "which ones",
     .group = "which",
     .required = true},
    {.name = "RANGE",
     .kind = integer,
     .min_count = 2,
     .max_count = 2,
     .check = ">0",
     .help = "first and last id; those between that exist",
     .group = "which"},
};
/// Which modes a table of LINEAR/EIGENSOL shows; without numbers all.
constexpr Field modes_field(std::string_view name, std::string_view help) {
  return {.name = name,
          .kind = integer,
          .min_count = 0,
          .max_count = 2,
          .check = ">0",
          .help = help,
          .needs = "EIGENSOL"};
}
inline constexpr Field linear_fields[] = {
    {.name = "EIGENSOL", .help = "eigenvalues and mode shapes", .group = "type", .required = true},
    {.name = "STATEMAT", .help = "matrices A, B, C, D of states, inputs and outputs", .group = "type"},
    {.name = "MKB",
     .help = "matrices of mass, stiffness and inputs",
     .group = "type",
     .support = unsupported},
    {.name = "EXPORT", .help = "a model in another language", .group = "type", .support = unsupported},
    {.name = "NOVECTOR", .help = "eigenvalues alone", .needs = "EIGENSOL"},
    {.name = "NODAMPIN", .help = "without what depends on velocities", .needs = "EIGENSOL"},
    {.name = "MODES",
     .kind = integer,
     .check = ">0",
     .help = "how many, the nearest to NEAR; else all of a small model and the 30 lowest of a large one (an "
             "argument of this program, not of ADAMS)",
     .needs = "EIGENSOL"},
    {.name = "NEAR",
     .kind = real,
     .default_value = "0",
     .unit = "1/time",
     .check = ">=0",
     .help = "frequency in cycles (an argument of this program, not of ADAMS)",
     .needs = "MODES"},
    modes_field("COORDS", "tables of displacements: first and last mode; all without numbers"),
    modes_field("KINETIC", "tables of kinetic energy by parts: first and last mode"),
    modes_field("STRAIN", "tables of strain energy by forces: first and last mode"),
    modes_field("DISSIPATIVE", "tables of dissipated energy by forces: first and last mode"),
    {.name = "ORIGINAL", .help = "choice of states", .support = no_effect},
    {.name = "RM",
     .kind = id,
     .refers = "MARKER",
     .help = "displacements are seen from this marker, and those that it leaves open from ground (DX in "
             "ground); without it all are seen from ground"},
    {.name = "PSTATE",
     .kind = id,
     .refers = "PSTATE",
     .help = "its VARIABLEs are states in place of displacements"},
    {.name = "PINPUT", .kind = id, .refers = "PINPUT", .help = "inputs", .needs = "STATEMAT"},
    {.name = "POUTPUT", .kind = id, .refers = "POUTPUT", .help = "outputs", .needs = "STATEMAT"},
    {.name = "FILE",
     .kind = text,
     .help = "beginning of the file names; with the extension .npz the name of the one file",
     .needs = "STATEMAT"},
    {.name = "FORMAT",
     .kind = choice,
     .choices = "MATLAB|MATRIXX",
     .default_value = "MATLAB",
     .help = "MATLAB: a text file for each matrix",
     .needs = "STATEMAT",
     .unsupported_choices = "MATRIXX"},
};
inline constexpr StatementSpec linear{.keyword = "LINEAR",
                                      .has_id = false,
                                      .fields = linear_fields,
                                      .help = "Linearises the model where it is.",
                                      .equation = "dx/dt = A x + B u, y = C x + D u; eigenvalues s of A"};

inline constexpr Field save_fields[] = {
    {.name = "SYSTEM", .help = "model and state", .group = "what", .required = true},
    {.name = "STATES", .help = "the state alone", .group = "what", .support = unsupported},
    {.name = "FILE", .kind = text, .help = "file, in the folder of the results", .required = true},
    {.name = "TITLE", .kind = long_text, .help = "title of the file", .support = no_effect},
};
inline constexpr StatementSpec save{
    .keyword = "SAVE", .has_id = false, .fields = save_fields, .help = "Saves model and state."};
inline constexpr Field reload_fields[] = {
    {.name = "SYSTEM", .help = "model and state", .group = "what", .required = true},
    {.name = "STATES", .help = "the state alone", .group = "what", .support = unsupported},
    {.name = "FILE", .kind = text, .help = "a file that SAVE has written", .required = true},
    {.name = "OUTPUT_PREFIX",
     .kind = text,
     .help = "further result files of this name; else records go on in those that are open",
     .support = unsupported},
    {.name = "TITLE", .kind = long_text, .help = "title of what follows", .support = no_effect},
};
inline constexpr StatementSpec reload{
    .keyword = "RELOAD", .has_id = false, .fields = reload_fields, .help = "Restores model and state."};
inline constexpr Field info_fields[] = {
    {.name = "DISPLACEMENT", .help = "DX DY DZ; PSI THETA PHI", .group = "type", .required = true},
    {.name = "VELOCITY", .help = "VX VY VZ; WX WY WZ", .group = "type"},
    {.name = "ACCELERATION", .help = "ACCX ACCY ACCZ; WDTX WDTY WDTZ", .group = "type"},
    {.name = "FORCE", .help = "FX FY FZ; TX TY TZ", .group = "type"},
    {.name = "I", .kind = id, .refers = "MARKER", .help = "of this marker", .required = true},
    {.name = "J", .kind = id, .refers = "MARKER", .help = "relative to this marker; else to ground"},
    {.name = "RM", .kind = id, .refers = "MARKER", .help = "along its axes; else global"},
};
inline constexpr StatementSpec info{
    .keyword = "INFO", .has_id = false, .fields = info_fields, .help = "Prints a measurement."};

inline constexpr Field show_fields[] = {
    {.name = "STATE",
     .kind = choice,
     .choices = "SIMULATION",
     .help = "statistics of the run so far",
     .required = true},
};
inline constexpr StatementSpec show{
    .keyword = "SHOW", .has_id = false, .fields = show_fields, .help = "Prints statistics."};
inline constexpr StatementSpec time_command{
    .keyword = "TIME", .has_id = false, .support = no_effect, .help = "Prints the time used."};
inline constexpr StatementSpec control{
    .keyword = "CONTROL", .has_id = false, .support = unsupported, .help = "User code drives the run."};

}  // namespace trammel::statements
