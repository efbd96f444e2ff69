// What the operating system says against a file, with advice.
#pragma once

#include <string>

namespace trammel {

/// "cannot write run.req: No space left on device; ..." with the mending advice for the error number.
std::string io_error_text(const char* action, const std::string& path, int error);

}  // namespace trammel
