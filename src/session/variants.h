// The table of variants of `trammel batch`: the arguments that vary, and their values.
#pragma once

#include <string>
#include <vector>

#include "session/job.h"

namespace trammel {

/// A column of the table: an argument of a statement.
struct VariedArgument {
  std::string name;       ///< "PART/2.MASS"
  std::string statement;  ///< a redefinition without its value: "PART/2, MASS="
  int column = 0;         ///< column of the file, from 1
  std::string keyword, field;
  int id = 0;  ///< 0: the statement has none
};

/// A line of the table.
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

/// Reads a CSV file (docs/batch.md): a line of headers, then a line per variant. Mistakes in headers, names
/// of variants and numbers of cells are added to `diagnostics` with line and column, and the columns and
/// variants concerned left out of the table; values are not checked. Throws Failure(io) where the file cannot
/// be read.
VariantTable read_variants(const std::string& path, const Description& description, Diagnostics& diagnostics);

/// Reports as mistakes the varied arguments that a command before the first SIMULATE gives: the command would
/// override the variants.
void check_commands(const VariantTable& table, const CommandFile& commands, Diagnostics& diagnostics);

/// The changes of a variant, column by column.
std::vector<Edit> edits_of(const VariantTable& table, const Variant& variant);

/// Adds to `diagnostics`, with line and column, the mistakes in the values of a variant that show without the
/// other values.
void check_values(const VariantTable& table, const Variant& variant, Diagnostics& diagnostics);

/// Empties the values of the variant that `mistakes` name by line and column, so that further mistakes can be
/// found. False where there are none.
bool leave_out_wrong(const VariantTable& table, const Diagnostics& mistakes, Variant& variant);

}  // namespace trammel
