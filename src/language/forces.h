// Field tables: forces.
#pragma once

#include "language/rows.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

inline constexpr Field sforce_fields[] = {
    {.name = "TRANSLATION",
     .help = "force along the line from J to I; positive repels",
     .group = "kind",
     .required = true,
     .alias = "TRANSLATIONAL"},
    {.name = "ROTATION", .help = "torque about z of J", .group = "kind", .alias = "ROTATIONAL"},
    takes_action,
    takes_reaction,
    {.name = "ACTIONONLY", .help = "no reaction on J; a force acts along z of J", .alias = "ACTION_ONLY"},
    {.name = "FUNCTION",
     .kind = expression,
     .unit = "force or force*length",
     .help = "value",
     .required = true,
     .user_call = true},
    loaded_routine,
};
inline constexpr StatementSpec sforce{.keyword = "SFORCE",
                                      .fields = sforce_fields,
                                      .help = "Single force or torque between two markers.",
                                      .equation = "F_I = f (r_I - r_J)/|r_I - r_J|, or T_I = f z_J",
                                      .between_bodies = true,
                                      .force_function = "SFORCE",
                                      .element = ElementClass::applied_force};

inline constexpr Field springdamper_fields[] = {
    {.name = "TRANSLATION",
     .help = "along the line between the markers",
     .group = "kind:translation",
     .required = true,
     .alias = "TRANSLATIONAL"},
    {.name = "ROTATION", .help = "about z of J", .group = "kind:rotation", .alias = "ROTATIONAL"},
    takes_action,
    takes_reaction,
    coefficient("K", "force/length", ">=0", "stiffness", "kind:translation", "TRANSLATION"),
    coefficient("C", "force*time/length", ">=0", "damping", "kind:translation", "TRANSLATION"),
    coefficient("LENGTH", "length", ">=0", "length at which the force is FORCE", "kind:translation",
                "TRANSLATION"),
    coefficient("FORCE", "force", "", "force at LENGTH", "kind:translation", "TRANSLATION"),
    coefficient("KT", "force*length/angle", ">=0", "torsional stiffness per radian", "kind:rotation",
                "ROTATION"),
    coefficient("CT", "force*length*time/angle", ">=0",
                "torsional damping per radian, of WZ(I,J,J), which is AZ' while the z axes are parallel",
                "kind:rotation", "ROTATION"),
    coefficient("ANGLE", "angle", "", "angle at which the torque is TORQUE", "kind:rotation", "ROTATION"),
    coefficient("TORQUE", "force*length", "", "torque at ANGLE", "kind:rotation", "ROTATION"),
};
inline constexpr StatementSpec springdamper{
    .keyword = "SPRINGDAMPER",
    .fields = springdamper_fields,
    .help = "Linear spring and damper.",
    .equation = "f = FORCE - K (DM - LENGTH) - C VR,  t = TORQUE - KT (AZ - ANGLE) - CT WZ",
    .between_bodies = true,
    .force_function = "SPDP"};

inline constexpr Field vforce_fields[] = {
    {.name = "I", .kind = id, .refers = "MARKER", .help = "marker on which the force acts", .required = true},
    floating_reaction,
    axes_of_components,
    component("FX", "force", "component along x of RM", "law:components", true),
    component("FY", "force", "component along y of RM", "law:components"),
    component("FZ", "force", "component along z of RM", "law:components"),
    {.name = "FXYZ", .kind = expression, .unit = "force", .help = "vector expression", .group = "law:vector"},
    loaded_function("law:user"),
    loaded_routine,
};
inline constexpr StatementSpec vforce{
    .keyword = "VFORCE",
    .fields = vforce_fields,
    .help = "Force with three components.",
    .equation = "F_I = A_RM (FX, FY, FZ), -F at the same point of the other body",
    .between_bodies = true,
    .force_function = "VFORCE",
    .element = ElementClass::applied_force};

inline constexpr Field vtorque_fields[] = {
    {.name = "I",
     .kind = id,
     .refers = "MARKER",
     .help = "marker on which the torque acts",
     .required = true},
    floating_reaction,
    axes_of_components,
    component("TX", "force*length", "component about x of RM", "law:components", true),
    component("TY", "force*length", "component about y of RM", "law:components"),
    component("TZ", "force*length", "component about z of RM", "law:components"),
    {.name = "TXYZ",
     .kind = expression,
     .unit = "force*length",
     .help = "vector expression",
     .group = "law:vector"},
    loaded_function("law:user"),
    loaded_routine,
};
inline constexpr StatementSpec vtorque{.keyword = "VTORQUE",
                                       .fields = vtorque_fields,
                                       .help = "Torque with three components.",
                                       .equation = "T_I = A_RM (TX, TY, TZ), -T on the other body",
                                       .between_bodies = true,
                                       .force_function = "VTORQ",
                                       .element = ElementClass::applied_force};

inline constexpr Field gforce_fields[] = {
    {.name = "I", .kind = id, .refers = "MARKER", .help = "marker on which it acts", .required = true},
    floating_reaction,
    axes_of_components,
    component("FX", "force", "force along x of RM", "law:components force:components", true),
    component("FY", "force", "force along y of RM", "law:components force:components"),
    component("FZ", "force", "force along z of RM", "law:components force:components"),
    component("TX", "force*length", "torque about x of RM", "law:components torque:components"),
    component("TY", "force*length", "torque about y of RM", "law:components torque:components"),
    component("TZ", "force*length", "torque about z of RM", "law:components torque:components"),
    {.name = "FXYZ",
     .kind = expression,
     .unit = "force",
     .help = "vector expression of the force",
     .group = "law:components force:vector"},
    {.name = "TXYZ",
     .kind = expression,
     .unit = "force*length",
     .help = "vector expression of the torque",
     .group = "law:components torque:vector"},
    loaded_function("law:user"),
    loaded_routine,
};
inline constexpr StatementSpec gforce{.keyword = "GFORCE",
                                      .fields = gforce_fields,
                                      .help = "Force and torque with three components each.",
                                      .equation = "F_I = A_RM (FX, FY, FZ), T_I = A_RM (TX, TY, TZ)",
                                      .between_bodies = true,
                                      .force_function = "GFORCE",
                                      .element = ElementClass::applied_force};

inline constexpr Field bushing_fields[] = {
    takes_action,
    takes_reaction,
    coefficients("K", "force/length", ">=0", "stiffness along the axes of J"),
    coefficients("C", "force*time/length", ">=0", "damping along the axes of J"),
    coefficients("KT", "force*length/angle", ">=0", "torsional stiffness about the axes of J, per radian"),
    coefficients("CT", "force*length*time/angle", ">=0", "torsional damping about the axes of J, per radian"),
    coefficients("FORCE", "force", "", "constant force"),
    coefficients("TORQUE", "force*length", "", "constant torque"),
};
inline constexpr StatementSpec bushing{
    .keyword = "BUSHING",
    .fields = bushing_fields,
    .help = "Linear elastic mount with six components, in the axes of J.",
    .equation = "F = FORCE - K d - C v,  T = TORQUE - KT (AX, AY, AZ) - CT w",
    .between_bodies = true,
    .force_function = "BUSH"};

inline constexpr Field mforce_fields[] = {
    {.name = "FLEX_BODY",
     .kind = id,
     .refers = "FLEX_BODY",
     .help = "body on which the force acts",
     .required = true},
    {.name = "CASE_INDEX",
     .kind = integer,
     .check = ">=1",
     .help = "load case: which column of the file's matrix MODLOAD",
     .group = "law:case",
     .required = true,
     .needs = "SCALE"},
    {.name = "SCALE",
     .kind = expression,
     .help = "factor of the load case",
     .group = "law:case",
     .needs = "CASE_INDEX"},
    {.name = "FORCE", .kind = expression, .help = "USER(...)", .group = "law:user", .support = unsupported},
    {.name = "JFLOAT",
     .kind = id,
     .refers = "MARKER",
     .help = "floating marker of the body that takes the reaction to the force on the frame; none if absent"},
    user_routine,
};
inline constexpr StatementSpec mforce{
    .keyword = "MFORCE",
    .fields = mforce_fields,
    .help = "Force of a modal load case on a flexible body, which turns with the body.",
    .equation = "Q_j = SCALE L_j; on the frame SCALE A (F, T) by the rigid modes of the file",
    .element = ElementClass::applied_force};
inline constexpr StatementSpec tire{
    .keyword = "TIRE", .support = unsupported, .help = "Tyre.", .element = ElementClass::applied_force};

}  // namespace trammel::statements
