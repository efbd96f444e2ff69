// Field tables: flexible bodies.
#pragma once

#include "language/field.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

inline constexpr Field flex_body_fields[] = {
    {.name = "MATRICES",
     .kind = ids,
     .max_count = 32,
     .refers = "MATRIX",
     .help = "MATRIX statements that name a file of matrices (ADAMSMAT2); it is taken before MNF_FILE"},
    {.name = "MNF_FILE",
     .kind = text,
     .help =
         "file of the modes: .mtx (ADAMSMAT2) or .fem (MBDyn); for an .mnf, which cannot be read, the file "
         "of that name with one of these ends"},
    {.name = "DB_FILE", .kind = text, .help = "database of modes", .support = unsupported},
    {.name = "INDEX_IN_DB", .kind = integer, .help = "entry of the database", .support = unsupported},
    {.name = "BDF_FILE", .kind = text, .help = "nonlinear finite-element body", .support = unsupported},
    {.name = "QG",
     .kind = real,
     .min_count = 3,
     .max_count = 3,
     .default_value = "0,0,0",
     .unit = "length",
     .help = "origin of the body's frame in ground"},
    {.name = "REULER",
     .kind = real,
     .min_count = 3,
     .max_count = 3,
     .default_value = "0,0,0",
     .unit = "angle",
     .help = "body-fixed 3-1-3 angles of the body's frame",
     .group = "orientation:euler",
     .alias = "EULER"},
    {.name = "ZG",
     .kind = real,
     .min_count = 3,
     .max_count = 3,
     .unit = "length",
     .help = "a point on +z of the body's frame, in ground",
     .group = "orientation:points"},
    {.name = "XG",
     .kind = real,
     .min_count = 3,
     .max_count = 3,
     .unit = "length",
     .help = "a point in the +x half of the x-z plane, in ground",
     .group = "orientation:points",
     .needs = "ZG"},
    {.name = "VX",
     .kind = real,
     .unit = "length/time",
     .help = "velocity of the frame along x of ground or VM"},
    {.name = "VY",
     .kind = real,
     .unit = "length/time",
     .help = "velocity of the frame along y of ground or VM"},
    {.name = "VZ",
     .kind = real,
     .unit = "length/time",
     .help = "velocity of the frame along z of ground or VM"},
    {.name = "WX", .kind = real, .unit = "angle/time", .help = "angular velocity about x of the frame or WM"},
    {.name = "WY", .kind = real, .unit = "angle/time", .help = "angular velocity about y of the frame or WM"},
    {.name = "WZ", .kind = real, .unit = "angle/time", .help = "angular velocity about z of the frame or WM"},
    {.name = "VM", .kind = id, .refers = "MARKER", .help = "marker along whose axes VX, VY, VZ are given"},
    {.name = "WM", .kind = id, .refers = "MARKER", .help = "marker about whose axes WX, WY, WZ are given"},
    {.name = "EXACT",
     .kind = FieldKind::choices,
     .max_count = 6,
     .choices = "X|Y|Z|PSI|THETA|PHI",
     .help = "coordinates of the frame that assembly holds unless that is impossible, as those of a PART"},
    {.name = "DMODE",
     .kind = real,
     .max_count = 1000,
     .help = "modal coordinates at the start, one per mode that takes part, in the order of the file; 0 if "
             "absent"},
    {.name = "VMODE",
     .kind = real,
     .max_count = 1000,
     .help = "their rates at the start, one per mode that takes part, held as well as constraints allow; if "
             "absent 0, unless constraints and given velocities need others"},
    {.name = "MEXACT",
     .kind = integer,
     .max_count = 1000,
     .help =
         "numbers of the modes whose coordinates assembly holds unless that is impossible, which is told"},
    {.name = "MODES",
     .kind = integer,
     .max_count = 1000,
     .help =
         "numbers of the modes that take part; an argument of this program's own. All but the rigid ones if "
         "absent",
     .group = "modes:on"},
    {.name = "MODES_OFF",
     .kind = integer,
     .max_count = 1000,
     .help = "numbers of modes that take no part; an argument of this program's own",
     .group = "modes:off"},
    {.name = "INVARIANTS",
     .kind = logicals,
     .min_count = 9,
     .max_count = 9,
     .help =
         "which of the nine invariants are used; as the file says if absent, all that are known of a .fem. "
         "Without 6 no mode takes part; 1, 2 and 7 are always used"},
    {.name = "CRATIO",
     .kind = expression,
     .help = "damping over critical damping of a mode, may read FXFREQ, FXMODE and TIME; if absent 0.01 "
             "below 100 "
             "cycles per second, 0.1 below 1000, else 1"},
    {.name = "GENERALIZED_DAMPING",
     .kind = choice,
     .choices = "OFF|FULL|INTERNAL_ONLY",
     .default_value = "OFF",
     .help =
         "instead of CRATIO the damping matrix of the file: INTERNAL_ONLY between modes, FULL by its rigid "
         "modes also with the frame"},
    {.name = "DYNAMIC_LIMIT",
     .kind = real,
     .unit = "1/time",
     .check = ">=0",
     .help = "frequency in cycles above which modes have no inertia: where they are follows from loads and "
             "damping"},
    {.name = "STABILITY_FACTOR",
     .kind = real,
     .check = ">=0",
     .help = "damping over critical damping that modes above DYNAMIC_LIMIT have besides"},
    {.name = "CHAR_LEN",
     .kind = real,
     .unit = "length",
     .help = "length by which others scale modes",
     .support = no_effect},
    {.name = "REPRESENTATION",
     .kind = choice,
     .choices = "MODAL|RIGID",
     .default_value = "MODAL",
     .help = "RIGID: no mode takes part"},
};
inline constexpr StatementSpec flex_body{
    .keyword = "FLEX_BODY",
    .fields = flex_body_fields,
    .help = "Flexible body: a frame, and modes that deform it.",
    .equation = "u = sum phi_j q_j;  d/dt dT/dq' - dT/dq + K q + C q' = Q",
    .element = ElementClass::part};

}  // namespace trammel::statements
