// Loads on the nodes of a finite-element model, as *CLOAD has them.
#pragma once

#include <string>
#include <vector>

#include "flexible/inp_file.h"

namespace trammel {

/// A force along, or a moment about, an axis of the model.
struct NodalLoad {
  int node;       ///< id
  int direction;  ///< 0, 1, 2 forces, 3, 4, 5 moments
  double value;
};

/// The file's lines are "node or set, direction 1 to 6, value"; blank lines and those that begin with * are
/// passed over. A set has the value at each of its nodes. Throws Failure(input) with file and line, (io).
std::vector<NodalLoad> read_load_case(const std::string& path, const InputMesh& mesh);

}  // namespace trammel
