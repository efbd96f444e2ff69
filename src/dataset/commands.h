// Command files (.acf): which model, and what to do with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "dataset/description.h"

namespace trammel {

/// One command as read. A redefinition (VARIABLE/1, FUNCTION=...) is a statement of the dataset that names
/// only what it changes; so do the settings (INTEGRATOR, OUTPUT ...): merge with Description::redefine().
struct Command {
  Statement statement;
  std::string echo;  ///< its lines as written, separated by newlines
  Location where;
  bool redefinition = false;
};

struct CommandFile {
  std::string path;
  std::string model;               ///< path of the dataset that was found; empty after an error
  std::string output_prefix;       ///< default: the model's file name without extension
  std::vector<std::string> files;  ///< files that were read: `path` and those that FILE/COMMAND names
  std::vector<Command> commands;   ///< in order, nested files in place; the FILE commands stand among them
};

/// Reads a command file in any of its layouts: line 1 the model and line 2 the output prefix; an empty first
/// line and FILE/MODEL; FILE/MODEL at once. Files that FILE/COMMAND names are read in place. Reading ends at
/// STOP. Mistakes go to `diagnostics`; throws Failure (io) when `path` itself cannot be read.
CommandFile read_commands(const std::string& path, Diagnostics& diagnostics);

/// Appends the commands in `text`; messages name `origin` in place of a file.
void add_commands(CommandFile& to, const std::string& text, const std::string& origin,
                  Diagnostics& diagnostics);

/// Finds a file that a deck names: relative to `folder`, backslashes as slashes, the default extension
/// (".adm") appended when that file exists, case ignored where nothing matches exactly. Of a place on Windows
/// (C:\dir\name) that does not exist the last component is looked for in `folder`. nullopt if there is none.
std::optional<std::string> find_file(const std::string& folder, std::string_view name,
                                     std::string_view default_extension);

/// Whether a line is a command or redefinition, rather than the name of a file.
bool is_command(std::string_view line);

}  // namespace trammel
