// Who owns the lists that a search works in (room.h).
//
// A work space is a struct of Rooms with a member template for_rooms(f), which calls f(room) for each in
// turn, and a member renew(), which forgets what it remembers from one search to the next. Its memory is one
// block, zero at first. A search in it returns whether all lists had room.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "geometry/room.h"

namespace trammel {

/// The room of each list, in their order.
using RoomSizes = std::vector<int>;

/// What the lists of a work space shall have room for after a search that lacked some: half as much again as
/// it asked for, and 64 at least.
template <class Work>
RoomSizes enlarged(Work& work) {
  constexpr int least = 64;
  RoomSizes sizes;
  work.for_rooms([&](const auto& room) {
    const int wanted = room.size + room.size / 2;
    sizes.push_back(!room.lacks() ? room.capacity : wanted > least ? wanted : least);
  });
  return sizes;
}

/// Gives the lists their places in a block of zeros; returns its size in bytes, which is asked with null.
template <class Work>
std::size_t lay_out(Work& work, const RoomSizes& sizes, unsigned char* block) {
  constexpr std::size_t alignment = 16;
  std::size_t bytes = 0, number = 0;
  work.renew();
  work.for_rooms([&]<class T>(Room<T>& room) {
    static_assert(alignof(T) <= alignment);
    const int capacity = sizes[number++];
    room = {block ? reinterpret_cast<T*>(block + bytes) : nullptr, 0, capacity};
    bytes += (capacity * sizeof(T) + alignment - 1) / alignment * alignment;
  });
  return bytes;
}

/// A work space on the processor with its memory.
template <class Work>
class OwnedRooms {
 public:
  /// Searches in it, once more after each time that it had no room for all. It allocates nothing once it has
  /// seen the largest case.
  template <class Search>
  const Work& run(const Search& search) {
    while (!search(work_)) {
      const RoomSizes sizes = enlarged(work_);
      block_.assign((lay_out(work_, sizes, nullptr) + sizeof(Cell) - 1) / sizeof(Cell), {});
      lay_out(work_, sizes, reinterpret_cast<unsigned char*>(block_.data()));
    }
    return work_;
  }

 private:
  struct alignas(16) Cell {
    unsigned char bytes[16];
  };
  Work work_;
  std::vector<Cell> block_;
};

}  // namespace trammel
