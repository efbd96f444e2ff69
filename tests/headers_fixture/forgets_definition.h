// First is known, and not how large it is.
#pragma once

namespace fixture {
struct First;
struct Fourth {
  First first;
};
}  // namespace fixture
