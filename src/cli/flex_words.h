// The nodes of a mesh and the units that options of the commands flex name. All functions throw
// Failure(usage) with what is expected.
#pragma once

#include <string>
#include <vector>

#include "flexible/inp_file.h"
#include "flexible/modal_body.h"

namespace trammel {

/// Ids of the nodes that `words` name: ids, and names of sets.
std::vector<int> nodes_of(const InputMesh& mesh, const std::vector<std::string>& words);

/// A point and the nodes that it stands for.
struct NamedPoint {
  int id;
  std::vector<int> nodes;  ///< ascending, without the point itself
};
/// "1001=HOLE,12": an id, nodes and sets.
NamedPoint point_of(const InputMesh& mesh, const std::string& text);

/// Units by names, "TONNE,MILLIMETER,SECOND,NEWTON"; empty names for an empty text.
ModalUnits units_of(const std::string& text);

}  // namespace trammel
