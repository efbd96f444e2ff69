// Files by a small buffer: units that fit it, and longer ones that go past it.
#include "output/stream_file.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "support.h"

namespace trammel::test::stream_file_test {
namespace {

class Streams : public OutputTest {
 protected:
  static constexpr std::size_t capacity = 64;
  static constexpr int units = 40;
  /// Of 1 to 199 bytes, shorter and longer than the buffer by turns.
  static std::string unit(int k) { return std::string(1 + k * 67 % 199, static_cast<char>('a' + k % 26)); }
  static std::string tail(int k) { return "<" + std::string(k % 5, '/') + std::to_string(k) + ">"; }
  /// What the file is when k units and their tail are in it.
  static std::string first(int k) {
    std::string text;
    for (int i = 0; i < k; ++i) text += unit(i);
    return text + tail(k - 1);
  }
  /// The exit code.
  static int write_units(const std::string& path) {
    StreamFile stream;
    try {
      stream.open(path, capacity);
      for (int k = 0; k < units; ++k) {
        stream.set_tail(tail(k));
        stream.write(unit(k));
      }
      stream.close();
    } catch (const Failure& failure) {
      return static_cast<int>(failure.code());
    }
    return 0;
  }

  /// Files of every size limit: `write` ends with the exit code of a full disk, and what it leaves ends after
  /// a whole unit with its tail.
  template <class Write>
  void expect_whole_units(const Write& write) {
    const int whole = static_cast<int>(first(units).size());
    for (int limit = 0; limit < whole; limit += 13) {
      std::filesystem::remove(file("a"));
      ASSERT_EQ(with_file_limit(limit, write), 7) << limit;
      int most = 0;  // units that fit with their tail
      for (int k = 1; k <= units; ++k)
        if (static_cast<int>(first(k).size()) <= limit) most = k;
      if (most == 0) {
        EXPECT_FALSE(std::filesystem::exists(file("a"))) << limit;
        continue;
      }
      EXPECT_EQ(read_text(file("a")), first(most)) << limit;
    }
  }
};

TEST_F(Streams, long_units_and_short_ones_follow_each_other) {
  StreamFile stream;
  stream.open(file("a"), capacity);
  for (int k = 0; k < units; ++k) {
    stream.set_tail(tail(k));
    stream.write(unit(k));
    EXPECT_EQ(stream.size() + tail(k).size(), first(k + 1).size());
    // A unit that is longer than the buffer is in the file at once, with its tail.
    if (k % 3 == 0) stream.flush();
    if (k % 3 == 0 || unit(k).size() >= capacity) {
      EXPECT_EQ(read_text(file("a")), first(k + 1)) << k;
    }
  }
  stream.close();
  EXPECT_EQ(read_text(file("a")), first(units));
}

/// Units in parts of up to 17 bytes: the file is the same, also where it cannot go on.
TEST_F(Streams, units_in_parts_are_as_whole_as_others) {
  const auto write_parts = [&] {
    StreamFile stream;
    try {
      stream.open(file("a"), capacity);
      for (int k = 0; k < units; ++k) {
        stream.set_tail(tail(k));
        const std::string text = unit(k);
        for (std::size_t at = 0; at < text.size(); at += 17)
          stream.add(std::string_view(text).substr(at, 17));
        stream.end_unit();
        // Of a unit that is longer than the buffer no part is left back.
        if (text.size() > 2 * capacity && read_text(file("a")) != first(k + 1)) return 1;
      }
      stream.close();
    } catch (const Failure& failure) {
      return static_cast<int>(failure.code());
    }
    return 0;
  };
  ASSERT_EQ(write_parts(), 0);
  EXPECT_EQ(read_text(file("a")), first(units));
  expect_whole_units(write_parts);
}

TEST_F(Streams, that_cannot_go_on_end_after_a_whole_unit_with_its_tail) {
  expect_whole_units([&] { return write_units(file("a")); });
}

}  // namespace
}  // namespace trammel::test::stream_file_test
