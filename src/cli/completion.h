// `trammel completion`: scripts for shells, made from the command line's own tables.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace trammel {

/// The script for "bash" or "zsh", which reads that of bash.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace trammel
