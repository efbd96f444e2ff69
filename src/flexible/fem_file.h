// Flexible bodies in the modal data files of MBDyn (.fem).
#pragma once

#include <string>

#include "flexible/modal_body.h"

namespace trammel {

/// The body of a file of record groups, each behind a line "** RECORD GROUP n"; other lines that begin with
/// ** are comments, numbers are free:
///    1  revision (REV0), nodes, modes: normal, of attachment, of constraint, rejected
///    2  node ids            3, 4  modal displacements and velocities at the start (not used)
///    5, 6, 7  x, y, z of the nodes         8  per mode and node φ and φ*
///    9, 10  modal mass and stiffness      11  lumped masses: m m m Jx Jy Jz per node
///   12  mass, centre, inertia (not used)  13  modal damping
/// Groups 1, 2, 5 to 11 must be there. The file names no units. Invariants are those of the lumped masses,
/// but for the modal mass. Throws Failure(input) with file and line, (io) if it cannot be read.
ModalBody read_fem(const std::string& path);

/// The text of such a file; numbers with 17 digits, so that it reads back to the same bits. Throws
/// Failure(input) where the masses of the nodes are not known.
std::string write_fem(const ModalBody& body);

}  // namespace trammel
