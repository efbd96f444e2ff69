#pragma once

namespace fixture {
template <class T>
int twice(const T&) {
  return 2 * fixture::sum_of({});
}
}  // namespace fixture
