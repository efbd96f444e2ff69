// The contents of an output record: entities (a part, a joint, a request) with named components. The analysis
// fills one flat array of doubles per record, in this order.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
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

  bool operator==(const Component&) const = default;
  void archive(Archive& a) { a(name, quantity, slot); }
};

/// The components of an entity. Copies share one list until one of them is changed: the parts of a model, a
/// hundred thousand perhaps, have equal components.
class Components {
 public:
  Components() = default;
  Components(std::vector<Component> list)
      : list_(std::make_shared<std::vector<Component>>(std::move(list))) {}
  Components(std::initializer_list<Component> list) : Components(std::vector<Component>(list)) {}

  const std::vector<Component>& list() const {
    static const std::vector<Component> none;
    return list_ ? *list_ : none;
  }
  std::size_t size() const { return list().size(); }
  bool empty() const { return list().empty(); }
  const Component& operator[](std::size_t k) const { return list()[k]; }
  const Component& front() const { return list().front(); }
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  bool operator==(const Components& other) const { return list_ == other.list_ || list() == other.list(); }

  /// The list for changes, shared with no copy.
  std::vector<Component>& change() {
    if (!list_ || list_.use_count() > 1) list_ = std::make_shared<std::vector<Component>>(list());
    return *list_;
  }
  void push_back(Component component) { change().push_back(std::move(component)); }
  void clear() { list_.reset(); }

  void archive(Archive& a) { a(change()); }

 private:
  std::shared_ptr<std::vector<Component>> list_;
};

/// The name is the channel's address on the command line: "PART/2", with component "PART/2.X".
struct Entity {
  std::string type;  ///< "PART", "JOINT", "REQUEST" ... the statement keyword
  int id = 0;
  std::string view_name;  ///< adams_view_name, or ""
  Components components;
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
