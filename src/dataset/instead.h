// What takes the place of statements of ADAMS that are not here.
#pragma once

#include <string_view>

namespace trammel {

/// Advice for a keyword (case ignored), to stand behind a message; "" for most.
std::string_view instead_of(std::string_view keyword);

}  // namespace trammel
