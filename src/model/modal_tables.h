// From the modes of a file to the tables of a flexible body.
#pragma once

#include <array>
#include <vector>

#include "flexible/modal_body.h"
#include "model/modal_numbers.h"

namespace trammel {

/// Which of a file's modes and invariants a body takes, and in what units.
struct ModalChoice {
  std::vector<int> modes;             ///< indices in ModalBody, those without inertia last
  std::array<bool, 10> invariants{};  ///< [1] to [9]; [1], [2], [6], [7] are always used
  double mass = 1, length = 1;        ///< units of the file in units of the deck
  double energy = 1;                  ///< the same for force · length
  double ucf = 1;                     ///< units consistency factor of the deck
};

/// The tables of the chosen modes, without damping; the caller sets the FlexiblePlace and the nodes. Throws
/// Failure(input) where I6 of a mode is not positive.
ModalTables modal_tables(const ModalBody& body, const ModalChoice& choice);

/// Appends φ and φ* of a node of the file, 6 numbers per chosen mode, in the units of the tables.
void append_shapes(const ModalBody& body, const ModalChoice& choice, const ModalTables& tables, int node,
                   std::vector<double>& shapes);

}  // namespace trammel
