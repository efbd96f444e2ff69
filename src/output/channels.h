// The contents of an output record: entities (a part, a joint, a request) with named components. The analysis
// fills one flat array of doubles per record, in this order.
#pragma once

#include <string>
#include <vector>

#include "base/archive.h"

namespace trammel {

/// Physical dimension of a component; determines the unit in result files.
enum class Quantity {
  none,
  time,
  length,
  angle,
  velocity,
  angular_velocity,
  acceleration,
  angular_acceleration,
  force,
  torque
};

struct Component {
  std::string name;  ///< "X", "FX", "F2"
  Quantity quantity = Quantity::none;
  /// REQUESTs only: the ADAMS component 1 to 8 (2 3 4 translational, 6 7 8 rotational, 1 and 5 magnitudes),
  /// where components are missing and the name (as F2) does not tell it; 0: by position.
  int slot = 0;

  void archive(Archive& a) { a(name, quantity, slot); }
};

/// The name is the channel's address on the command line: "PART/2", with component "PART/2.X".
struct Entity {
  std::string type;  ///< "PART", "JOINT", "REQUEST" ... the statement keyword
  int id = 0;
  std::string view_name;  ///< adams_view_name, or ""
  std::vector<Component> components;
  // REQUESTs only, for the .req file:
  int request_type = 0;  ///< 1 displacement 2 velocity 3 acceleration 4 force 5 function
  int marker_i = 0, marker_j = 0;
  std::string comment;  ///< of a FLEX_BODY, too: the file of its modes

  void archive(Archive& a) { a(type, id, view_name, components, request_type, marker_i, marker_j, comment); }
  std::string name() const { return type + "/" + std::to_string(id); }
};

struct UnitNames {
  std::string force = "newton", mass = "kg", length = "meter", time = "second";  ///< as spelt in result files
  double length_per_meter = 1.0;  ///< length units in one meter (.req header)

  void archive(Archive& a) { a(force, mass, length, time, length_per_meter); }
};

struct Channels {
  std::vector<Entity> entities;
  UnitNames units;
  int size() const {
    int n = 0;
    for (const Entity& e : entities) n += static_cast<int>(e.components.size());
    return n;
  }
};

}  // namespace trammel
