// Name of an element for messages and results.
#pragma once

#include <string>

#include "base/diagnostics.h"

namespace trammel {

struct ElementName {
  std::string type;  ///< statement keyword: "JOINT"
  int id = 0;
  std::string view_name;  ///< adams_view_name or ""
  Location where;
  bool active = true;  ///< DEACTIVATE: keeps its place in all tables and has no effect
  std::string label() const { return type + "/" + std::to_string(id); }
};

}  // namespace trammel
