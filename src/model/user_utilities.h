// Utility subroutines of ADAMS that user code calls: SYSFNC, SYSARY, STEP, IMPACT, ERRMES ...
#pragma once

namespace trammel {

/// Lets libraries that are loaded from now on find them, wherever this code itself is.
void make_user_utilities_visible();

}  // namespace trammel
