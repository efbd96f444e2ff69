// Files of flexible bodies by the ends of their names.
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "flexible/modal_body.h"

namespace trammel {

/// The body in a .mtx (ADAMSMAT2) or .fem (MBDyn) file. For any other, like an .mnf, the file of that name
/// with one of these extensions, with a note. Throws Failure(unsupported) where there is none, and what the
/// readers throw.
ModalBody read_modal_body(const std::string& path, Diagnostics& diagnostics);

}  // namespace trammel
