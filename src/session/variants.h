// The table of variants of `trammel batch`: which arguments of the model differ, and their values.
#pragma once

#include <string>
#include <vector>

#include "session/job.h"

namespace trammel {

/// A column: an argument of a statement.
struct VariedArgument {
  std::string name;       ///< "PART/2.MASS"
  std::string statement;  ///< a redefinition but for the value: "PART/2, MASS="
  int column = 0;         ///< in the file, from 1
  std::string keyword, field;
  int id = 0;  ///< 0: the statement has none
};

/// A line of the file.
struct Variant {
  int line = 0;
  std::string name;
  std::vector<std::string> values;  ///< one per varied argument; "": as in the deck
  std::vector<std::string> notes;   ///< cells of columns that change nothing
};

struct VariantTable {
  std::string path;
  int header_line = 0;
  std::vector<VariedArgument> arguments;
  std::vector<std::string> notes;  ///< headers of columns that change nothing: "#length"
  std::vector<Variant> variants;
};

/// Reads a CSV file (docs/batch.md): a line of headers, a line per variant. Mistakes in headers, names and
/// numbers of cells go to `diagnostics` with line and column, and what they concern is left out of the table;
/// values are not looked at. Throws Failure(io) when the file cannot be read.
VariantTable read_variants(const std::string& path, const Description& description, Diagnostics& diagnostics);

/// An argument that a command gives before the first SIMULATE cannot be varied: the command has the last
/// word.
void check_commands(const VariantTable& table, const CommandFile& commands, Diagnostics& diagnostics);

/// What a variant changes, column by column.
std::vector<Edit> edits_of(const VariantTable& table, const Variant& variant);

/// Mistakes in the values of a variant that each value alone shows, with line and column.
void check_values(const VariantTable& table, const Variant& variant, Diagnostics& diagnostics);

/// Empties the values that mistakes name by line and column, so that others can be looked for; false where
/// there is none.
bool leave_out_wrong(const VariantTable& table, const Diagnostics& mistakes, Variant& variant);

}  // namespace trammel
