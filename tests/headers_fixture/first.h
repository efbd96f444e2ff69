// Compiles with nothing before it, as second.h does.
#pragma once

#include <vector>

namespace fixture {
struct First {
  std::vector<int> numbers;
};
int sum_of(const First& first);
}  // namespace fixture
