// What declares First is not included.
#pragma once

namespace fixture {
struct Third {
  First first;
};
}  // namespace fixture
