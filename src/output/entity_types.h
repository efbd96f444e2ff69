// Kinds of entities: what they are called in the XRF format, and which belong together.
#pragma once

#include <string>
#include <string_view>

#include "language/field.h"
#include "output/channels.h"

namespace trammel {

/// "Part" for PART; statements that are not known appear under their own keyword.
std::string xrf_type(const Entity& entity);
/// The statement behind an entType.
std::string statement_of_xrf_type(std::string_view type);

/// The class of its statement; RESULTS/NO... leaves classes out of a .res file.
ElementClass class_of(const Entity& entity);

inline bool is_part(const Entity& entity) {
  return class_of(entity) == ElementClass::part;
}

/// 0 displacement, 1 velocity, 2 acceleration: the group of a part's component.
int rate_order(Quantity quantity);

}  // namespace trammel
