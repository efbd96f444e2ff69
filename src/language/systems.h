// Field tables: arrays and matrices.
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

}  // namespace trammel::statements
