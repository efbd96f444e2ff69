#pragma once

namespace fixture {
inline std::vector<int> none() {
  return {};
}
}  // namespace fixture
