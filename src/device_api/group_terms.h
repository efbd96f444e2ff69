// Terms that a group of threads computes side by side and joins to the bits of one thread that takes them in
// order: sums in that order, maxima by a tree of neighbours.
//
// Template arguments tell a device's compiler how much to write out: `at_once` terms of a thread are computed
// before the first of them is joined, where terms only read, and `passes` is how often the body of a loop
// that joins is repeated.
#pragma once

#include <type_traits>

#include "base/unroll.h"
#include "device_api/copies.h"
#include "device_api/kernel.h"
#include "device_api/vector_kernels.h"

namespace trammel {

/// Whether the group is a thread of the processor, which joins values where they lie.
template <class Group>
inline constexpr bool is_alone = std::is_same_v<Group, SerialGroup>;

/// Whether values are maxima, and threads of the group can read those of each other without memory.
template <class Group, class Value>
inline constexpr bool joins_in_registers = requires(const Group& group, const Value& v) {
  Value::is_largest;
  group.down(v, 1);
};

/// x_0 … x_{n−1} joined in order.
template <int passes, class Value>
TRAMMEL_HD Value joined_in_order(const Value* x, int n) {
  Value sum = Value::none();
  TRAMMEL_UNROLLED(passes)
  for (int i = 0; i < n; ++i) sum = join(sum, x[i]);
  return sum;
}

/// Of the largest of term(i), begin <= i < begin + n, the part of a thread: neighbours, as many as others
/// have.
template <int at_once, class Group, class Term>
TRAMMEL_HD typename Term::Value largest_of_own(const Group& group, const Term& term, int begin, int n) {
  using Value = typename Term::Value;
  const int each = (n + group.size() - 1) / group.size(), first = group.rank() * each;
  const int end = first + each < n ? first + each : n;
  Value mine = Value::none();
  TRAMMEL_ROLLED
  for (int i = first; i < end; i += at_once) {
    Value next[at_once];
    TRAMMEL_UNROLLED(at_once)
    for (int k = 0; k < at_once; ++k) next[k] = term(begin + (i + k < end ? i + k : end - 1));
    TRAMMEL_UNROLLED(at_once)
    for (int k = 0; k < at_once; ++k) mine = join(mine, next[k]);
  }
  return mine;
}

/// The largest of what the threads have, for the first of them. `scratch`: shared memory for a value of each
/// thread, for groups that need it.
template <int passes, class Group, class Value>
TRAMMEL_HD Value largest_of_threads(const Group& group, Value mine, [[maybe_unused]] void* scratch) {
  if constexpr (joins_in_registers<Group, Value>) {
    TRAMMEL_UNROLLED(passes)
    for (int by = 1; by < group.size(); by *= 2) mine = join(mine, group.down(mine, by));
  } else {
    Value* const of = static_cast<Value*>(scratch);
    const int rank = group.rank();
    of[rank] = mine;
    for (int by = 1; by < group.size(); by *= 2) {
      group.sync();
      if ((rank & (2 * by - 1)) == 0 && rank + by < group.size()) of[rank] = mine = join(mine, of[rank + by]);
    }
  }
  return mine;
}

/// *out = term(i), begin <= i < begin + n, joined; n is at most a chunk. `scratch`: shared memory for n
/// values. The first thread writes, and the group does not wait for it.
template <int at_once, int passes, class Group, class Term>
TRAMMEL_HD void join_chunk(const Group& group, const Term& term, int begin, int n, void* scratch,
                           typename Term::Value* out) {
  using Value = typename Term::Value;
  if constexpr (joins_in_registers<Group, Value>) {
    const Value mine =
        largest_of_threads<passes>(group, largest_of_own<at_once>(group, term, begin, n), nullptr);
    if (group.rank() == 0) *out = mine;
  } else {
    Value* const terms = static_cast<Value*>(scratch);
    TRAMMEL_ROLLED
    for (int first = group.rank(); first < n; first += at_once * group.size()) {
      Value next[at_once];
      TRAMMEL_UNROLLED(at_once)
      for (int k = 0; k < at_once; ++k) {
        const int i = first + k * group.size();
        next[k] = term(begin + (i < n ? i : n - 1));
      }
      TRAMMEL_UNROLLED(at_once)
      for (int k = 0; k < at_once; ++k)
        if (const int i = first + k * group.size(); i < n) terms[i] = next[k];
    }
    group.sync();
    if (group.rank() == 0) *out = joined_in_order<passes>(terms, n);
  }
}

/// Values that a group sums at a time (TileSum): a chunk of chunks.
inline constexpr int reduction_tile = reduction_chunk * reduction_chunk;
TRAMMEL_HD constexpr int reduction_tiles(int n) {
  return (n + reduction_tile - 1) / reduction_tile;
}

/// The sum of n values, at most a tile, each of which is `width` doubles: of chunks, and of their sums. Each
/// number is added up by one thread, in order.
template <int width>
class TileSum {
  static constexpr int rows = reduction_chunk / width;  ///< chunks that are in shared memory at a time
  static constexpr int row = reduction_chunk * width;   ///< doubles of a chunk
  static constexpr int pitch = row + width;             ///< such that threads read from different banks

 public:
  /// Shared memory of the group, bytes.
  static constexpr std::size_t memory = (row + rows * pitch) * sizeof(double);

  /// The first threads write, and the group does not wait for them.
  template <class Group>
  TRAMMEL_HD static void join(const Group& group, const double* x, int n, double* out) {
    double* const sums = static_cast<double*>(group.shared());
    const int chunks = reduction_chunks(n);
    for (int first = 0; first < chunks; first += rows) {
      const double* from = x + first * row;
      const int here = chunks - first < rows ? chunks - first : rows, left = n - first * reduction_chunk;
      const int values = left < rows * reduction_chunk ? left : rows * reduction_chunk;
      int step = row;
      if constexpr (!is_alone<Group>) {
        double* const staged = sums + row;
        stage(group, from, values * width, staged);
        from = staged;
        step = pitch;
      }
      for (int k = group.rank(); k < here * width; k += group.size()) {
        const int c = k / width, terms = values - c * reduction_chunk;
        sums[first * width + k] =
            in_order(from + c * step + k % width, terms < reduction_chunk ? terms : reduction_chunk);
      }
      group.sync();
    }
    for (int k = group.rank(); k < width; k += group.size()) out[k] = in_order(sums + k, chunks);
  }

 private:
  /// Copies `size` doubles, chunk by chunk, of which none waits for another.
  template <class Group>
  TRAMMEL_HD static void stage(const Group& group, const double* from, int size, double* to) {
    TRAMMEL_UNROLLED(4)
    for (int i = group.rank(); i < size; i += group.size()) {
      double* const there = to + i + i / row * width;
      start_copy(group, there, from + i);
    }
    finish_copies(group);
    group.sync();
  }
  TRAMMEL_HD static double in_order(const double* x, int n) {
    double sum = 0;
    TRAMMEL_UNROLLED(8)
    for (int i = 0; i < n; ++i) sum += x[i * width];
    return sum;
  }
};

}  // namespace trammel
