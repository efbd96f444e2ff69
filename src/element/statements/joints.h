// Field tables: constraints.
#pragma once

#include "element/field.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

inline constexpr Field joint_fields[] = {
    {.name = "REVOLUTE", .help = "5 equations; turns about z", .group = "type", .required = true},
    {.name = "TRANSLATIONAL", .help = "5 equations; slides along z", .group = "type"},
    {.name = "CYLINDRICAL", .help = "4 equations; slides along and turns about z", .group = "type"},
    {.name = "SPHERICAL", .help = "3 equations; common point", .group = "type"},
    {.name = "UNIVERSAL",
     .help = "4 equations; the arms of the cross are z of I and z of J",
     .group = "type"},
    {.name = "HOOKE", .help = "4 equations; the arms of the cross are x of I and y of J", .group = "type"},
    {.name = "CONVEL", .help = "4 equations; equal and opposite spins about z", .group = "type"},
    {.name = "PLANAR", .help = "3 equations; the x-y planes coincide", .group = "type"},
    {.name = "FIXED", .help = "6 equations; no freedom", .group = "type"},
    {.name = "RACKPIN", .help = "1 equation; pinion I rolls on rack J", .group = "type", .needs = "PD"},
    {.name = "SCREW", .help = "1 equation; advance per turn about z", .group = "type", .needs = "PITCH"},
    {.name = "I", .kind = id, .refers = "MARKER", .help = "marker that takes the action", .required = true},
    {.name = "J", .kind = id, .refers = "MARKER", .help = "marker that takes the reaction", .required = true},
    {.name = "IC",
     .kind = real,
     .max_count = 2,
     .unit = "length or angle",
     .help = "initial displacement and velocity of I relative to J along or about z of J"},
    {.name = "ICTRAN",
     .kind = real,
     .max_count = 2,
     .unit = "length",
     .help = "initial displacement and velocity along z of J",
     .needs = "CYLINDRICAL"},
    {.name = "ICROT",
     .kind = real,
     .max_count = 2,
     .unit = "angle",
     .help = "initial angle and angular velocity about z of J",
     .needs = "CYLINDRICAL"},
    {.name = "PD",
     .kind = real,
     .unit = "length",
     .check = ">0",
     .help = "pitch diameter of the pinion",
     .needs = "RACKPIN"},
    {.name = "PITCH",
     .kind = real,
     .unit = "length",
     .help = "advance per turn; positive is right-handed",
     .needs = "SCREW"},
};
inline constexpr StatementSpec joint{.keyword = "JOINT",
                                     .fields = joint_fields,
                                     .help = "Ideal joint between two markers of different bodies.",
                                     .equation = "phi(q) = 0",
                                     .between_bodies = true,
                                     .force_function = "JOINT"};

inline constexpr Field jprim_fields[] = {
    {.name = "ATPOINT", .help = "3 equations; common point", .group = "type", .required = true},
    {.name = "INLINE", .help = "2 equations; I stays on z of J", .group = "type"},
    {.name = "INPLANE", .help = "1 equation; I stays in the x-y plane of J", .group = "type"},
    {.name = "ORIENTATION", .help = "3 equations; same axes", .group = "type"},
    {.name = "PARALLEL_AXES", .help = "2 equations; z axes parallel", .group = "type"},
    {.name = "PERPENDICULAR", .help = "1 equation; z axes at right angles", .group = "type"},
    {.name = "I", .kind = id, .refers = "MARKER", .help = "marker that takes the action", .required = true},
    {.name = "J", .kind = id, .refers = "MARKER", .help = "marker that takes the reaction", .required = true},
};
inline constexpr StatementSpec jprim{.keyword = "JPRIM",
                                     .fields = jprim_fields,
                                     .help = "Elementary constraint between two markers of different bodies.",
                                     .equation = "phi(q) = 0",
                                     .between_bodies = true,
                                     .force_function = "JPRIM"};

inline constexpr Field motion_fields[] = {
    {.name = "JOINT",
     .kind = id,
     .refers = "JOINT",
     .help = "joint whose freedom is driven",
     .group = "drive:joint",
     .required = true},
    {.name = "I",
     .kind = id,
     .refers = "MARKER",
     .help = "driven marker",
     .group = "drive:markers",
     .needs = "J"},
    {.name = "J",
     .kind = id,
     .refers = "MARKER",
     .help = "marker against which the motion is measured",
     .group = "drive:markers",
     .needs = "I"},
    {.name = "TRANSLATION",
     .help = "drives the displacement along z",
     .group = "kind drive:joint",
     .alias = "TRANSLATIONAL"},
    {.name = "ROTATION",
     .help = "drives the angle about z",
     .group = "kind drive:joint",
     .alias = "ROTATIONAL"},
    {.name = "X", .help = "drives x of I in J", .group = "axis drive:markers", .needs = "I J"},
    {.name = "Y", .help = "drives y of I in J", .group = "axis drive:markers", .needs = "I J"},
    {.name = "Z", .help = "drives z of I in J", .group = "axis drive:markers", .needs = "I J"},
    {.name = "B1", .help = "drives the first 1-2-3 angle", .group = "axis drive:markers", .needs = "I J"},
    {.name = "B2", .help = "drives the second 1-2-3 angle", .group = "axis drive:markers", .needs = "I J"},
    {.name = "B3", .help = "drives the third 1-2-3 angle", .group = "axis drive:markers", .needs = "I J"},
    {.name = "DISPLACEMENT", .help = "FUNCTION is the displacement (default)", .group = "level"},
    {.name = "VELOCITY", .help = "FUNCTION is the velocity", .group = "level", .alias = "V"},
    {.name = "ACCELERATION", .help = "FUNCTION is the acceleration", .group = "level"},
    {.name = "ICDISP",
     .kind = real,
     .unit = "length or angle",
     .help = "initial displacement of a velocity or acceleration motion"},
    {.name = "ICVEL",
     .kind = real,
     .unit = "length or angle",
     .help = "initial velocity of an acceleration motion",
     .needs = "ACCELERATION"},
    {.name = "FUNCTION", .kind = expression, .help = "the motion as a function of TIME", .required = true},
    {.name = "ROUTINE", .kind = text, .help = "user subroutine", .support = unsupported},
};
inline constexpr StatementSpec motion{.keyword = "MOTION",
                                      .fields = motion_fields,
                                      .help = "Prescribed motion of a joint or between two markers.",
                                      .equation = "q - f(t) = 0",
                                      .between_bodies = true,
                                      .force_function = "MOTION"};

inline constexpr Field gcon_fields[] = {
    {.name = "I", .kind = id, .refers = "MARKER", .help = "marker at which the reaction is reported"},
    {.name = "FUNCTION", .kind = expression, .help = "expression that is held at zero", .required = true},
};
inline constexpr StatementSpec gcon{
    .keyword = "GCON",
    .fields = gcon_fields,
    .help = "General constraint: an expression of positions, or linear in velocities.",
    .equation = "f(q, q', t) = 0"};

inline constexpr Field coupler_fields[] = {
    {.name = "JOINTS",
     .kind = ids,
     .min_count = 2,
     .max_count = 3,
     .refers = "JOINT",
     .help = "the joints that are coupled",
     .required = true},
    {.name = "SCALES",
     .kind = real,
     .max_count = 3,
     .help = "a factor for each joint; that of the first may be left out and is 1",
     .group = "law:scales",
     .required = true},
    {.name = "FUNCTION",
     .kind = expression,
     .help = "USER(...)",
     .group = "law:user",
     .support = unsupported},
    {.name = "TYPE",
     .kind = choices,
     .max_count = 3,
     .choices = "TRANSLATIONAL|ROTATIONAL",
     .help = "which freedom of each joint; CYLINDRICAL joints need it"},
    {.name = "ROUTINE", .kind = text, .max_count = 3, .help = "user subroutines", .support = unsupported},
};
inline constexpr StatementSpec coupler{
    .keyword = "COUPLER",
    .fields = coupler_fields,
    .help = "Couples the displacements of two or three joints.",
    .equation = "r1 q1 + r2 q2 [+ r3 q3] = 0, each q from the assembled configuration"};

inline constexpr Field gear_fields[] = {
    {.name = "JOINTS",
     .kind = ids,
     .min_count = 2,
     .max_count = 2,
     .refers = "JOINT",
     .help = "joints of the two gears, I on the gear, J on the carrier",
     .required = true},
    {.name = "CV",
     .kind = id,
     .refers = "MARKER",
     .help = "marker on the carrier where the teeth mesh, z along their common velocity",
     .required = true},
};
inline constexpr StatementSpec gear{
    .keyword = "GEAR",
    .fields = gear_fields,
    .help = "Pair of gears.",
    .equation =
        "both gears move alike along z of CV: p1 q1 = p2 q2, p = z_CV . (z_J x (r_CV - r_J)) of a turning, "
        "z_CV . z_J of a sliding joint"};

inline constexpr StatementSpec ptcv{.keyword = "PTCV", .support = unsupported, .help = "Point on a curve."};
inline constexpr StatementSpec cvcv{
    .keyword = "CVCV", .support = unsupported, .help = "Curve rolling or sliding on a curve."};
inline constexpr StatementSpec ucon{.keyword = "UCON", .support = unsupported, .help = "User constraint."};

}  // namespace trammel::statements
