// Flexible bodies in files of matrices (ADAMSMAT2).
#pragma once

#include <string>

#include "flexible/modal_body.h"

namespace trammel {

/// The body of a file with the matrices
///   SELNOD    node id, x, y, z                       SELMOD    mode number, frequency [cycles/time]
///   T_MODE    3 × (modes · nodes), φ, of each node all modes    R_MODE    the same of rotations
///   GENSTIFF, GENDAMP  modes × modes                 INVAR1 … INVAR9 (or INVAR_1 …), those that are known
///   PRELOAD   modes, MODLOAD   modes × cases
/// and the units of its first record. GENSTIFF is in the file's force · length by modal coordinates. Throws
/// Failure(input) with file and line, (io) if it cannot be read.
ModalBody read_mtx(const std::string& path);

/// The text of such a file; numbers with 17 digits, so that it reads back to the same bits.
std::string write_mtx(const ModalBody& body);

}  // namespace trammel
