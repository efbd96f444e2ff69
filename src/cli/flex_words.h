// What options of the commands flex name: nodes of a mesh, units.
#pragma once

#include <string>
#include <vector>

#include "flexible/inp_file.h"
#include "flexible/modal_body.h"

namespace trammel {

/// Ids of nodes named by words: ids and sets.
std::vector<int> nodes_of(const InputMesh& mesh, const std::vector<std::string>& words);

/// "TONNE,MILLIMETER,SECOND,NEWTON"; none of an empty text.
ModalUnits units_of(const std::string& text);

}  // namespace trammel
