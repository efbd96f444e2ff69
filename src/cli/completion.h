// `trammel completion`: scripts for shells, generated from the command line's own tables.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace trammel {

/// The script for "bash" or "zsh"; that for zsh uses the one for bash.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace trammel
