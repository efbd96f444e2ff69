// Types of entities: their names in the XRF format, and their classes.
#pragma once

#include <string>
#include <string_view>

#include "language/field.h"
#include "output/channels.h"

namespace trammel {

/// The XRF type: "Part" for PART; the statement's keyword for unknown statements.
std::string xrf_type(const Entity& entity);
/// The statement of an XRF entType.
std::string statement_of_xrf_type(std::string_view type);

/// The class of its statement; RESULTS/NO... leaves classes out of a .res file.
ElementClass class_of(const Entity& entity);

inline bool is_part(const Entity& entity) {
  return class_of(entity) == ElementClass::part;
}

/// 0 displacement, 1 velocity, 2 acceleration.
int rate_order(Quantity quantity);

}  // namespace trammel
