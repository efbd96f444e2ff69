// `trammel reference`: the statements, commands and functions that the program knows.
#pragma once

#include <string>

namespace trammel {

/// The reference as Markdown, made from the field tables and the table of functions. docs/statements.md is
/// this text.
std::string statement_reference();
/// Prints it. The exit code.
int reference_command();

}  // namespace trammel
