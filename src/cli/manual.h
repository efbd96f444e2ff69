// `trammel man`: the manual page, generated from the command line's own tables.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace trammel {

/// All commands with their options, examples and exit codes, in the man macros of roff.
std::string manual_page(const CLI::App& app);

}  // namespace trammel
