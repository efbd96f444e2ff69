// Messages for errors of the operating system on files.
#pragma once

#include <string>

namespace trammel {

/// "cannot write run.req: No space left on device; ..." with advice for the error number.
std::string io_error_text(const char* action, const std::string& path, int error);

}  // namespace trammel
