// Field tables: variables, differential equations, data and the statements that only hold data.
#pragma once

#include "language/rows.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

inline constexpr int many = 10'000'000;  ///< bound of a value list without a natural one

inline constexpr Field variable_fields[] = {
    {.name = "IC", .kind = real, .default_value = "0", .help = "start value for an implicit function"},
    {.name = "FUNCTION", .kind = expression, .help = "value", .required = true, .user_call = true},
    loaded_routine,
};
inline constexpr StatementSpec variable{.keyword = "VARIABLE",
                                        .fields = variable_fields,
                                        .help = "Algebraic variable.",
                                        .equation = "V - f = 0",
                                        .element = ElementClass::system_element};

inline constexpr Field diff_fields[] = {
    {.name = "IC",
     .kind = real,
     .max_count = 2,
     .default_value = "0",
     .help = "initial value [and a guess of the rate]"},
    {.name = "FUNCTION",
     .kind = expression,
     .help = "rate, or the residual if IMPLICIT",
     .required = true,
     .user_call = true},
    {.name = "IMPLICIT",
     .help = "0 = f(y, y') instead of y' = f; where f does not read y', y is an algebraic state"},
    {.name = "STATIC_HOLD", .help = "the state keeps its value in statics"},
    {.name = "DYNAMIC_HOLD", .help = "the state keeps its value in dynamics", .support = unsupported},
    loaded_routine,
};
inline constexpr StatementSpec diff{.keyword = "DIFF",
                                    .fields = diff_fields,
                                    .help = "Differential equation of first order.",
                                    .equation = "y' = f, or 0 = f(y, y')",
                                    .element = ElementClass::system_element};

inline constexpr Field spline_fields[] = {
    {.name = "X",
     .kind = real,
     .min_count = 4,
     .max_count = many,
     .help = "abscissas, strictly increasing",
     .group = "source:values",
     .required = true},
    {.name = "Y",
     .kind = real,
     .min_count = 4,
     .max_count = many,
     .help = "ordinates; given more than once, each row begins with its z",
     .group = "source:values",
     .needs = "X",
     .repeats = true},
    {.name = "LINEAR_EXTRAPOLATE", .help = "straight lines outside the data"},
    {.name = "FILE",
     .kind = text,
     .help = "time history: RPC III, or a table of text, whose first column is the abscissa",
     .group = "source:file"},
    {.name = "CHANNEL",
     .kind = integer,
     .check = ">=1",
     .help =
         "channel of the file, in a table the column after the first; may be left out if there is only one",
     .group = "source:file",
     .needs = "FILE"},
    {.name = "BLOCK",
     .kind = text,
     .help = "block of the file, whose format is that of a user subroutine",
     .support = unsupported},
    user_routine,
};
inline constexpr StatementSpec spline{.keyword = "SPLINE",
                                      .fields = spline_fields,
                                      .help = "Points of a curve or surface for AKISPL, CUBSPL and INTERP."};

inline constexpr Field plant_fields[] = {
    {.name = "VARIABLES",
     .kind = ids,
     .max_count = many,
     .refers = "VARIABLE",
     .help = "variables of the group",
     .required = true},
};
inline constexpr StatementSpec pinput{.keyword = "PINPUT",
                                      .fields = plant_fields,
                                      .support = kept,
                                      .help = "Inputs of a plant, for linearisation and co-simulation.",
                                      .equation = "PINVAL(id, k) is the value of entry k"};
inline constexpr StatementSpec poutput{.keyword = "POUTPUT",
                                       .fields = plant_fields,
                                       .support = kept,
                                       .help = "Outputs of a plant, for linearisation and co-simulation.",
                                       .equation = "POUVAL(id, k) is the value of entry k"};
inline constexpr StatementSpec pstate{
    .keyword = "PSTATE",
    .fields = plant_fields,
    .support = kept,
    .help = "States of a linear model: VARIABLEs that measure displacements, in place of those of parts."};

inline constexpr StatementSpec fe_part{
    .keyword = "FE_PART", .support = unsupported, .help = "Geometrically exact beam body."};
inline constexpr StatementSpec fe_node{
    .keyword = "FE_NODE", .support = unsupported, .help = "Node of an FE_PART."};
inline constexpr StatementSpec fe_load{
    .keyword = "FE_LOAD", .support = unsupported, .help = "Distributed load on an FE_PART."};
inline constexpr StatementSpec section{
    .keyword = "SECTION", .support = unsupported, .help = "Cross section of an FE_PART."};
inline constexpr Field curve_fields[] = {
    {.name = "OPEN", .help = "the curve has two ends (default)", .group = "ends"},
    {.name = "CLOSED",
     .help = "the last point is the first again; continuous there as well",
     .group = "ends"},
    {.name = "MATRIX",
     .kind = id,
     .refers = "MATRIX",
     .help = "points of the curve, a row x, y, z for each, at least 4 (2 of ORDER=2)",
     .group = "source:matrix",
     .required = true,
     .needs = "CURVE_POINTS"},
    {.name = "CURVE_POINTS",
     .help = "the curve passes through the points",
     .group = "source:matrix points",
     .needs = "MATRIX"},
    {.name = "CONTROL_POINTS",
     .help = "the points control the curve; refused, as its knots are not known",
     .group = "source:matrix points",
     .support = unsupported},
    {.name = "ORDER",
     .kind = integer,
     .default_value = "4",
     .check = ">=2",
     .help = "order of the B-spline: 4, cubic, or 2, straight lines between the points, at whose corners the "
             "velocity across the next line is lost; others refused",
     .group = "source:matrix"},
    user_function("source:user"),
    {.name = "MINPAR",
     .kind = real,
     .default_value = "-1",
     .help = "least parameter",
     .group = "source:user",
     .support = unsupported},
    {.name = "MAXPAR",
     .kind = real,
     .default_value = "1",
     .help = "greatest parameter",
     .group = "source:user",
     .support = unsupported},
    user_routine,
};
inline constexpr StatementSpec curve{
    .keyword = "CURVE",
    .fields = curve_fields,
    .help = "Curve through points, for PTCV, CVCV and the function CURVE.",
    .equation = "(x, y, z)(alpha): cubic splines, alpha from -1 to 1 by the lengths of the chords"};
inline constexpr StatementSpec surface{
    .keyword = "SURFACE", .support = unsupported, .help = "Parametric surface."};

}  // namespace trammel::statements
