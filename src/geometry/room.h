// Lists in memory that others own, on the processor or on a device: what a search works in, which cannot ask
// for memory. A list that has no room for all that it is given counts on; its owner then enlarges it and
// searches again.
#pragma once

#include "base/hd.h"

namespace trammel {

template <class T>
struct Room {
  T* list = nullptr;
  int size = 0;  ///< beyond `capacity`: how many there should have been
  int capacity = 0;

  TRAMMEL_HD bool lacks() const { return size > capacity; }
  TRAMMEL_HD void clear() { size = 0; }
  TRAMMEL_HD void push(const T& x) {
    if (size < capacity) list[size] = x;
    ++size;
  }
  /// Makes the size n, with the elements as they are in memory. False: there is no room for them.
  TRAMMEL_HD bool resize(int n) {
    size = n;
    return !lacks();
  }
  TRAMMEL_HD T& operator[](int k) const { return list[k]; }
  TRAMMEL_HD T& back() const { return list[size - 1]; }
  TRAMMEL_HD T* begin() const { return list; }
  TRAMMEL_HD T* end() const { return list + size; }
};

}  // namespace trammel
