// Field tables: arrays and matrices, and the linear systems that are made of them.
#pragma once

#include "language/field.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

inline constexpr int any_number = 10'000'000;  ///< bound of a value list without a natural one

inline constexpr Field array_fields[] = {
    {.name = "IC", .help = "initial values of states", .group = "kind"},
    {.name = "X", .help = "states of an element", .group = "kind"},
    {.name = "Y", .help = "outputs of an element", .group = "kind"},
    {.name = "U", .help = "inputs: values of VARIABLEs", .group = "kind"},
    {.name = "SIZE",
     .kind = integer,
     .check = ">=1",
     .help = "number of entries; of X and Y, if absent, as many as the element that names them has"},
    {.name = "NUMBERS", .kind = real, .max_count = any_number, .help = "values", .group = "entries"},
    {.name = "VARIABLES",
     .kind = ids,
     .max_count = any_number,
     .refers = "VARIABLE",
     .help = "variables whose values are the entries",
     .group = "entries",
     .needs = "U"},
};
inline constexpr StatementSpec array{
    .keyword = "ARRAY",
    .fields = array_fields,
    .help = "List of numbers, or of the states, outputs or inputs of an element.",
    .equation = "ARYVAL(id, k) is entry k"};

inline constexpr Field string_fields[] = {
    {.name = "STRING", .kind = long_text, .min_count = 0, .help = "text", .required = true},
};
inline constexpr StatementSpec string{
    .keyword = "STRING", .fields = string_fields, .support = kept, .help = "Text for user code; kept."};

inline constexpr Field matrix_fields[] = {
    {.name = "FULL", .help = "all values are given", .group = "form:full", .required = true},
    {.name = "SPARSE", .help = "nonzero values and their places are given", .group = "form:sparse"},
    {.name = "FILE", .kind = text, .help = "file that holds the matrix", .group = "form:file"},
    {.name = "RORDER", .help = "VALUES go row by row", .group = "order form:full"},
    {.name = "CORDER", .help = "VALUES go column by column", .group = "order form:full"},
    {.name = "ROWS", .kind = integer, .check = ">=1", .help = "number of rows"},
    {.name = "COLUMNS", .kind = integer, .check = ">=1", .help = "number of columns"},
    {.name = "I",
     .kind = integer,
     .max_count = any_number,
     .check = ">=1",
     .help = "row of each value",
     .group = "form:sparse",
     .needs = "SPARSE"},
    {.name = "J",
     .kind = integer,
     .max_count = any_number,
     .check = ">=1",
     .help = "column of each value",
     .group = "form:sparse",
     .needs = "SPARSE"},
    {.name = "VALUES", .kind = real, .max_count = any_number, .help = "values"},
    {.name = "NAME", .kind = text, .help = "name of the matrix in the file", .group = "form:file"},
    {.name = "UNITS", .kind = text, .help = "units of the values", .support = unsupported},
};
inline constexpr StatementSpec matrix{
    .keyword = "MATRIX", .fields = matrix_fields, .help = "Matrix of constants."};

inline constexpr Field lse_fields[] = {
    {.name = "X", .kind = id, .refers = "ARRAY", .help = "ARRAY of the states", .required = true},
    {.name = "A", .kind = id, .refers = "MATRIX", .help = "states by states", .required = true},
    {.name = "B", .kind = id, .refers = "MATRIX", .help = "states by inputs", .needs = "U"},
    {.name = "U", .kind = id, .refers = "ARRAY", .help = "ARRAY of the inputs"},
    {.name = "C", .kind = id, .refers = "MATRIX", .help = "outputs by states", .needs = "Y"},
    {.name = "Y", .kind = id, .refers = "ARRAY", .help = "ARRAY of the outputs"},
    {.name = "D", .kind = id, .refers = "MATRIX", .help = "outputs by inputs", .needs = "U Y"},
    {.name = "IC", .kind = id, .refers = "ARRAY", .help = "ARRAY of the initial states; zero if absent"},
    {.name = "STATIC_HOLD", .help = "the states keep their values in statics"},
};
inline constexpr StatementSpec lse{.keyword = "LSE",
                                   .fields = lse_fields,
                                   .help = "Linear state equations.",
                                   .equation = "x' = A x + B u,  y = C x + D u",
                                   .element = ElementClass::system_element};

inline constexpr Field structure_fields[] = {
    {.name = "X", .kind = id, .refers = "ARRAY", .help = "ARRAY of q, then q'", .required = true},
    {.name = "M", .kind = id, .refers = "MATRIX", .help = "masses, square", .required = true},
    {.name = "C", .kind = id, .refers = "MATRIX", .help = "dampers; none if absent"},
    {.name = "K", .kind = id, .refers = "MATRIX", .help = "stiffnesses; none if absent"},
    {.name = "B", .kind = id, .refers = "MATRIX", .help = "coordinates by inputs", .needs = "U"},
    {.name = "U", .kind = id, .refers = "ARRAY", .help = "ARRAY of the inputs: forces"},
    {.name = "IC", .kind = id, .refers = "ARRAY", .help = "ARRAY of q and q' at the start; zero if absent"},
    {.name = "STATIC_HOLD", .help = "the states keep their values in statics"},
};
inline constexpr StatementSpec structure{.keyword = "STRUCTURE",
                                         .fields = structure_fields,
                                         .help =
                                             "Linear structure, its equations of motion given by matrices (a "
                                             "statement of this program, not of ADAMS).",
                                         .equation = "M q'' + C q' + K q = B u",
                                         .element = ElementClass::system_element};

inline constexpr Field tfsiso_fields[] = {
    {.name = "X", .kind = id, .refers = "ARRAY", .help = "ARRAY of the states", .required = true},
    {.name = "U", .kind = id, .refers = "ARRAY", .help = "ARRAY of the input", .required = true},
    {.name = "Y", .kind = id, .refers = "ARRAY", .help = "ARRAY of the output", .required = true},
    {.name = "NUMERATOR",
     .kind = real,
     .max_count = 31,
     .help = "coefficients b0, b1 ... by ascending powers of s",
     .required = true},
    {.name = "DENOMINATOR",
     .kind = real,
     .min_count = 2,
     .max_count = 31,
     .help = "coefficients a0, a1 ... by ascending powers of s",
     .required = true},
    {.name = "STATIC_HOLD", .help = "the states keep their values in statics"},
};
inline constexpr StatementSpec tfsiso{
    .keyword = "TFSISO",
    .fields = tfsiso_fields,
    .help = "Transfer function from one input to one output, zero initial states.",
    .equation = "y(s) / u(s) = (b0 + b1 s + ...) / (a0 + a1 s + ...)",
    .element = ElementClass::system_element};

}  // namespace trammel::statements
