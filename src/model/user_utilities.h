// Utility subroutines of ADAMS that user code calls: SYSFNC, SYSARY, STEP, IMPACT, ERRMES ...
#pragma once

#include <string>

namespace trammel {

/// Lets libraries that are loaded from now on find them, wherever this code itself is. Returns why they would
/// not, or "": another copy of this code in the process may have taken the names.
std::string make_user_utilities_visible();

}  // namespace trammel
