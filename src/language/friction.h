// Field table: friction in joints.
#pragma once

#include "language/rows.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

/// A length or velocity of friction that is not zero.
constexpr Field friction_size(std::string_view name, std::string_view value, std::string_view unit,
                              std::string_view help) {
  return {.name = name, .kind = real, .default_value = value, .unit = unit, .check = ">0", .help = help};
}
/// A number of the bristles of LUGRE.
constexpr Field bristle_number(std::string_view name, std::string_view unit, std::string_view check,
                               std::string_view help, std::string_view alias = {}) {
  return {.name = name, .kind = real, .unit = unit, .check = check, .help = help, .alias = alias};
}

inline constexpr Field friction_fields[] = {
    {.name = "JOINT", .kind = id, .refers = "JOINT", .help = "joint in which it acts", .required = true},
    {.name = "FORMULATION",
     .kind = choice,
     .choices = "ORIGINAL|LUGRE",
     .default_value = "ORIGINAL",
     .help = "creep and velocity, or bristles"},
    {.name = "MU_STATIC",
     .kind = real,
     .check = ">0",
     .help = "coefficient of static friction",
     .required = true},
    {.name = "MU_DYNAMIC",
     .kind = real,
     .check = ">=0",
     .help = "coefficient of sliding friction, MU_STATIC at most",
     .required = true},
    friction_size("STICTION_TRANSITION_VELOCITY", "0.1", "length/time",
                  "velocity of the surfaces up to which they may stick; of LUGRE, that of STRIBECK_VELOCITY"),
    {.name = "TRANSITION_VELOCITY_COEFFICIENT",
     .kind = real,
     .default_value = "1.5",
     .check = ">1",
     .help = "the coefficient is MU_DYNAMIC from this times STICTION_TRANSITION_VELOCITY on"},
    friction_size("MAX_STICTION_DEFORMATION", "0.01", "length", "creep at which friction is MU_STATIC"),
    {.name = "EFFECT",
     .kind = choice,
     .choices = "ALL|STICTION|SLIDING",
     .default_value = "ALL",
     .help = "SLIDING: no creep; STICTION: MU_DYNAMIC is 0"},
    {.name = "INPUTS",
     .kind = choices,
     .max_count = 4,
     .choices = "ALL|NONE|PRELOAD|REACTION_FORCE|BENDING_MOMENT|TORSIONAL_MOMENT",
     .default_value = "ALL",
     .help = "what makes friction"},
    friction_size("PIN_RADIUS", "1", "length", "radius of the pin"),
    friction_size("FRICTION_ARM", "1", "length", "arm of the axial force"),
    friction_size("BENDING_REACTION_ARM", "1", "length", "arm between the forces that bear a bending moment"),
    friction_size("BALL_RADIUS", "1", "length", "radius of the ball"),
    friction_size("REACTION_ARM", "1", "length", "arm of the forces that bear a torsional moment"),
    friction_size("INITIAL_OVERLAP", "1000", "length",
                  "overlap of the sliding parts as the deck places them"),
    {.name = "OVERLAP_DELTA",
     .kind = choice,
     .choices = "INCREASE|DECREASE|CONSTANT",
     .default_value = "CONSTANT",
     .help = "what a displacement along z of J does to the overlap"},
    coefficient("FRICTION_FORCE_PRELOAD", "force", ">=0", "static friction force without any reaction"),
    coefficient("FRICTION_TORQUE_PRELOAD", "force*length", ">=0",
                "static friction torque without any reaction"),
    {.name = "MAX_FRICTION_FORCE",
     .kind = real,
     .unit = "force",
     .check = ">0",
     .help = "bound of the friction force"},
    {.name = "MAX_FRICTION_TORQUE",
     .kind = real,
     .unit = "force*length",
     .check = ">0",
     .help = "bound of the friction torque"},
    {.name = "I_YOKE", .help = "friction between the cross and I", .group = "yoke"},
    {.name = "J_YOKE", .help = "friction between the cross and J", .group = "yoke"},
    {.name = "INACTIVE",
     .kind = choice,
     .choices = "STATIC",
     .help = "no friction in statics and quasi-statics",
     .alias = "INACTIVE_DURING"},
    bristle_number("BRISTLE_STIFFNESS", "1/length", ">0",
                   "coefficient of friction by deflection; MU_STATIC/MAX_STICTION_DEFORMATION if absent"),
    bristle_number("BRISTLE_DAMPING", "time/length", ">=0",
                   "coefficient of friction by rate of deflection; 0 if absent", "DAMPING_EFFECTS"),
    bristle_number("VISCOUS_DAMPING", "time/length", ">=0",
                   "coefficient of friction by velocity; 0 if absent", "VISCOUS_EFFECTS"),
    bristle_number(
        "STRIBECK_VELOCITY", "length/time", ">0",
        "velocity at which friction has fallen towards MU_DYNAMIC; STICTION_TRANSITION_VELOCITY if "
        "absent"),
    bristle_number("DECAY_EXPONENT", "", ">0", "of that fall; 2 if absent"),
};
inline constexpr StatementSpec friction{
    .keyword = "FRICTION",
    .fields = friction_fields,
    .help = "Friction in a JOINT: TRANSLATIONAL, REVOLUTE, CYLINDRICAL, SPHERICAL, HOOKE or UNIVERSAL.",
    .equation = "F = -(mu/MU_STATIC) (MU_STATIC N + preload), N from the reactions of the joint",
    .force_function = "FRICTION",
    .element = ElementClass::applied_force};

}  // namespace trammel::statements
