// `trammel reference`: the statements, commands and functions that the program knows.
#pragma once

#include <string>

namespace trammel {

/// The reference as Markdown, generated from the field tables and the table of functions; docs/statements.md
/// is this text.
std::string statement_reference();
/// Prints the reference, or its part about one statement, command or function, whose name is `word` or begins
/// with it, ignoring case. Returns the exit code: 2 for a word that fits none of them, or several.
int reference_command(const std::string& word);

}  // namespace trammel
