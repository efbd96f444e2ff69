// Field tables: shapes and contact between them.
#pragma once

#include "language/rows.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

/// A flag that names the shape.
constexpr Field shape(std::string_view name, std::string_view help) {
  return {.name = name, .help = help, .group = "shape"};
}
constexpr Field shape_marker(std::string_view name, std::string_view help) {
  return {.name = name, .kind = id, .refers = "MARKER", .help = help};
}
/// A length of a shape.
constexpr Field dimension(std::string_view name, std::string_view check, std::string_view help) {
  return {.name = name, .kind = real, .unit = "length", .check = check, .help = help};
}
/// What only a picture shows.
constexpr Field of_picture(std::string_view name, std::string_view help) {
  return {.name = name, .kind = real, .help = help, .support = kept};
}

inline constexpr Field graphics_fields[] = {
    shape("ELLIPSOID", "ball, or ellipsoid, about CM"),
    shape("BOX", "from CORNER along its axes"),
    shape("CYLINDER", "from CM along its z axis"),
    shape("FRUSTUM", "cone cut off, from CM along its z axis"),
    shape("TORUS", "ring about the z axis of CM"),
    shape("PLANE", "all that is below the x-y plane of RM, without end"),
    shape("POINT", "the origin of RM"),
    shape("CIRCLE", "about CM, in its x-y plane"),
    {.name = "ARC",
     .help = "about CM, in its x-y plane, from its x axis on by RANGLE",
     .group = "shape",
     .alias = "A"},
    shape("EXTRUSION", "prism over a profile in the x-y plane of RM, along its z axis"),
    shape("REVOLUTION", "a profile in the x-z plane of RM turned about its z axis, from x towards y"),
    shape("EXTERNAL",
          "solid of a file in the axes of RM: .stl, .obj or .shl; with FILE of another kind the one of that "
          "name beside it"),
    shape("FORCE", "picture of a force"),
    {.name = "SPRINGDAMPER", .help = "picture of a spring", .group = "shape", .alias = "SPDP"},
    {.name = "OUTLINE",
     .kind = ids,
     .min_count = 2,
     .max_count = 1000000,
     .refers = "MARKER",
     .help = "lines between the origins of markers, which are in one plane",
     .group = "shape"},
    shape("CURVE", "the curve CID in the x-y plane of CRM"),
    {.name = "CID", .kind = id, .refers = "CURVE", .help = "of CURVE"},
    shape_marker("CRM", "marker of CURVE"),
    shape_marker("CM", "marker of ELLIPSOID, CYLINDER, FRUSTUM, TORUS, CIRCLE, ARC"),
    shape_marker("RM", "marker of PLANE, POINT, EXTRUSION, REVOLUTION, EXTERNAL"),
    shape_marker("CORNER", "marker of BOX"),
    dimension("XSCALE", ">0", "diameter of ELLIPSOID along x"),
    dimension("YSCALE", ">0", "along y"),
    dimension("ZSCALE", ">0", "along z"),
    dimension("X", "", "edge of BOX along x, either way"),
    dimension("Y", "", "along y"),
    dimension("Z", "", "along z"),
    dimension("LENGTH", "", "of CYLINDER, FRUSTUM, EXTRUSION, either way"),
    dimension("RADIUS", ">0", "of CYLINDER, CIRCLE, ARC"),
    dimension("BOTTOM", ">=0", "radius of FRUSTUM at CM"),
    dimension("TOP", ">=0", "radius of FRUSTUM at its other end"),
    dimension("MAJOR", ">0", "radius of the middle of TORUS"),
    dimension("MINOR", ">0", "radius of its tube"),
    {.name = "PROFILE",
     .kind = ids,
     .max_count = 1000,
     .refers = "MARKER",
     .help =
         "markers at the corners of EXTRUSION or REVOLUTION, one after the other; closed from the last to "
         "the first",
     .group = "profile"},
    {.name = "PROFILE_POINTS",
     .kind = real,
     .max_count = 2000,
     .unit = "length",
     .help = "these corners themselves: x, y of each of EXTRUSION, radius, z of each of REVOLUTION",
     .group = "profile"},
    {.name = "ANGLE", .kind = real, .default_value = "360D", .unit = "angle", .help = "of REVOLUTION"},
    {.name = "PATH", .kind = integer, .max_count = 10000, .help = "picture: of EXTRUSION", .support = kept},
    {.name = "ETYPE", .kind = text, .help = "picture: keyword of the element of FORCE", .support = kept},
    {.name = "EID", .kind = integer, .help = "its id", .support = kept},
    {.name = "EMARKER", .kind = id, .refers = "MARKER", .help = "where it is shown", .support = kept},
    {.name = "FILE", .kind = text, .help = "of EXTERNAL"},
    {.name = "ELEMENT", .kind = text, .help = "the part of that name in FILE", .support = kept},
    {.name = "TYPE", .kind = text, .help = "of FILE", .support = kept},
    {.name = "RANGLE",
     .kind = real,
     .unit = "angle",
     .help = "angle of ARC; of a sector of CYLINDER or FRUSTUM, which CONTACT refuses"},
    of_picture("XMIN", "picture: edge of PLANE"),
    of_picture("XMAX", "picture: edge of PLANE"),
    of_picture("YMIN", "picture: edge of PLANE"),
    of_picture("YMAX", "picture: edge of PLANE"),
    of_picture("SIDES",
               "flat sides about the axis: of REVOLUTION, 3 to 1000 (32); of CYLINDER, FRUSTUM, TORUS and "
               "ELLIPSOID where CONTACT takes them as meshes, 32 at least, 1000 at most; else picture"),
    of_picture("SEG", "picture: lines"),
    of_picture("FACETING_TOLERANCE", "picture: fineness of EXTERNAL"),
};
inline constexpr StatementSpec graphics{
    .keyword = "GRAPHICS",
    .fields = graphics_fields,
    .support = kept,
    .help =
        "Shape for pictures and CONTACT. What is not in the table is kept as it stands, and refused in a "
        "shape that a CONTACT names.",
    .open = true};

inline constexpr Field contact_fields[] = {
    {.name = "IGEOM",
     .kind = ids,
     .max_count = 1000000,
     .refers = "GRAPHICS",
     .help = "shapes of one body, which takes the action",
     .required = true},
    {.name = "JGEOM",
     .kind = ids,
     .max_count = 1000000,
     .refers = "GRAPHICS",
     .help = "shapes of another, which takes the reaction",
     .required = true},
    {.name = "IMPACT", .help = "stiffness and damping (default)", .group = "law"},
    {.name = "POISSON", .help = "restitution", .group = "law"},
    {.name = "NORMAL_FUNCTION",
     .kind = expression,
     .help = "USER(r1, ...): normal force by user code, with these numbers",
     .group = "law",
     .needs = "NORMAL_ROUTINE",
     .user_call = true},
    {.name = "NORMAL_ROUTINE",
     .kind = text,
     .help = "library::function of that code, or library alone for Cnfsub or CNFSUB in it",
     .needs = "NORMAL_FUNCTION"},
    {.name = "STIFFNESS",
     .kind = real,
     .unit = "force/length**EXPONENT",
     .check = ">0",
     .help = "k of IMPACT"},
    {.name = "DAMPING",
     .kind = real,
     .default_value = "0",
     .unit = "force*time/length",
     .check = ">=0",
     .help = "greatest damping of IMPACT"},
    {.name = "DMAX",
     .kind = real,
     .unit = "length",
     .check = ">0",
     .help = "depth at which DAMPING is reached"},
    {.name = "EXPONENT", .kind = real, .check = ">0", .help = "e of IMPACT"},
    {.name = "PENALTY", .kind = real, .unit = "force/length", .check = ">0", .help = "stiffness of POISSON"},
    {.name = "RESTITUTION_COEFFICIENT",
     .kind = real,
     .check = "in [0,1]",
     .help = "speed after over speed before, of POISSON"},
    {.name = "AUGMENTED_LAGRANGIAN_FORMULATION",
     .help = "refined POISSON; a larger PENALTY lessens the depth, too, and leaves speeds as they are",
     .support = unsupported,
     .feature = "refinement of POISSON"},
    {.name = "COULOMB_FRICTION",
     .kind = choice,
     .choices = "ON|OFF|DYNAMICS_ONLY",
     .default_value = "OFF",
     .help = "friction along the slip"},
    {.name = "MU_STATIC",
     .kind = real,
     .check = ">=0",
     .help = "coefficient at STICTION_TRANSITION_VELOCITY"},
    {.name = "MU_DYNAMIC",
     .kind = real,
     .check = ">=0",
     .help = "coefficient from FRICTION_TRANSITION_VELOCITY on"},
    {.name = "STICTION_TRANSITION_VELOCITY",
     .kind = real,
     .unit = "length/time",
     .check = ">0",
     .help = "slip at which friction is greatest"},
    {.name = "FRICTION_TRANSITION_VELOCITY",
     .kind = real,
     .unit = "length/time",
     .check = ">0",
     .help = "slip from which it is MU_DYNAMIC"},
    {.name = "FRICTION_FUNCTION",
     .kind = expression,
     .help = "USER(...): friction by user code; COULOMB_FRICTION in its place",
     .support = unsupported},
    {.name = "FRICTION_ROUTINE", .kind = text, .help = "of that code", .support = unsupported},
    {.name = "STICTION",
     .kind = choice,
     .choices = "ON|OFF",
     .default_value = "OFF",
     .help = "surfaces that hold each other deflect as a spring, and do not creep; the spring turns with J, "
             "so let J be what does not roll or spin"},
    {.name = "MAX_STICTION_DEFORMATION",
     .kind = real,
     .default_value = "0.01",
     .unit = "length",
     .check = ">0",
     .help = "of that spring, where it gives way"},
    {.name = "IFLIP",
     .kind = ids,
     .max_count = 1000000,
     .refers = "GRAPHICS",
     .help = "those of IGEOM that are holes, and curves that are solid on their other side: the body is what "
             "lies around "
             "them"},
    {.name = "JFLIP",
     .kind = ids,
     .max_count = 1000000,
     .refers = "GRAPHICS",
     .help = "those of JGEOM that are holes, and curves that are solid on their other side: the body is what "
             "lies around "
             "them"},
    {.name = "IFLEX", .kind = integer, .help = "flexible body", .support = unsupported},
    {.name = "JFLEX", .kind = integer, .help = "flexible body", .support = unsupported},
    {.name = "TYPE", .kind = text, .help = "kind of shapes; they say it themselves", .support = kept},
};
inline constexpr StatementSpec contact{
    .keyword = "CONTACT",
    .fields = contact_fields,
    .help =
        "Bodies that push each other apart where their shapes overlap, with friction; in space, or in a "
        "plane.",
    .equation =
        "F_n = max(0, k g**e + STEP(g, 0, 0, DMAX, DAMPING) dg/dt), g the depth; friction mu(v) F_n against "
        "the slip",
    .force_function = "CONTACT",
    .element = ElementClass::contact};

}  // namespace trammel::statements
