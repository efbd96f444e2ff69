// `trammel reference`: the statements, commands and functions that the program knows.
#pragma once

#include <string>

namespace trammel {

/// The reference as Markdown, made from the field tables and the table of functions. docs/statements.md is
/// this text.
std::string statement_reference();
/// Prints it, or what stands in it of one statement, command or function, of whose name `word` is all or the
/// beginning, case ignored. The exit code: 2 for a word that means none of them, or several.
int reference_command(const std::string& word);

}  // namespace trammel
