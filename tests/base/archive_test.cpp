// What an archive saves it restores, and it tells where it is given something else.
#include "base/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <new>

namespace trammel::archive_test {
namespace {

enum class Colour { red, green };

struct Point {
  double x = 0, y = 0;
  void archive(Archive& a) { a(x, y); }
};

/// Integers that leave no byte between them.
struct Counts {
  long steps = 0, solves = 0;
};

/// Seven bytes of it belong to no member.
struct Padded {
  double value = 1;
  bool on = true;
  void archive(Archive& a) { a(value, on); }
};

struct Thing {
  int count = 0;
  double time = 0;
  bool on = false;
  Colour colour = Colour::red;
  std::string name;
  std::vector<double> values;
  std::vector<Point> points;
  std::vector<std::vector<unsigned char>> masks;
  std::vector<std::string> words;
  std::set<std::string> said;
  std::optional<int> maybe, none = 3;
  double fixed[3] = {};
  Counts plain;
  void archive(Archive& a) {
    a.section("thing");
    a(count, time, on, colour, name, values, points, masks, words, said, maybe, none, fixed);
    a.plain(plain);
  }
};

Thing some_thing() {
  Thing t;
  t.count = -7;
  t.time = std::nextafter(0.1, 1.0);
  t.on = true;
  t.colour = Colour::green;
  t.name = "zwölf";
  t.values = {-0.0, std::numeric_limits<double>::infinity(), 5e-324};
  t.points = {{1, 2}, {3, 4}};
  t.masks = {{}, {1, 0, 1}};
  t.words = {"", "a\nb"};
  t.said = {"b", "a"};
  t.maybe = 5;
  t.none.reset();
  t.fixed[2] = 9;
  t.plain = {5, 6};
  return t;
}

std::string saved(Thing thing) {
  Archive a;
  thing.archive(a);
  return a.bytes();
}

TEST(Archive, restores_every_bit) {
  Archive a(saved(some_thing()));
  Thing back;
  back.archive(a);
  EXPECT_TRUE(a.at_end());
  EXPECT_EQ(back.count, -7);
  EXPECT_EQ(back.time, std::nextafter(0.1, 1.0));
  EXPECT_TRUE(back.on);
  EXPECT_EQ(back.colour, Colour::green);
  EXPECT_EQ(back.name, "zwölf");
  ASSERT_EQ(back.values.size(), 3u);
  EXPECT_TRUE(std::signbit(back.values[0]));
  EXPECT_EQ(back.values[2], 5e-324);
  ASSERT_EQ(back.points.size(), 2u);
  EXPECT_EQ(back.points[1].y, 4);
  EXPECT_EQ(back.masks, (std::vector<std::vector<unsigned char>>{{}, {1, 0, 1}}));
  EXPECT_EQ(back.words, (std::vector<std::string>{"", "a\nb"}));
  EXPECT_EQ(back.said, (std::set<std::string>{"a", "b"}));
  EXPECT_EQ(back.maybe, 5);
  EXPECT_FALSE(back.none.has_value());
  EXPECT_EQ(back.fixed[2], 9);
  EXPECT_EQ(back.plain.solves, 6);
}

TEST(Archive, equal_values_have_equal_bytes) {
  std::string bytes[2];
  for (int k = 0; k < 2; ++k) {
    alignas(Padded) unsigned char memory[sizeof(Padded)];
    std::memset(memory, k == 0 ? 0x00 : 0xFF, sizeof memory);
    auto* value = new (memory) Padded;
    std::vector<Padded> list(3);
    std::memcpy(static_cast<void*>(list.data()), memory, sizeof memory);
    Archive a;
    a(*value, list);
    bytes[k] = a.bytes();
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST(Archive, every_cut_is_told) {
  const std::string bytes = saved(some_thing());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    Archive a(bytes.substr(0, n));
    Thing back;
    EXPECT_THROW(back.archive(a), Failure) << n;
  }
}

TEST(Archive, another_section_or_size_is_told) {
  Archive a;
  a.section("kinematics");
  std::vector<double> three(3);
  a(three);
  Archive other(a.bytes());
  EXPECT_THROW(other.section("statics"), Failure);
  Archive b(a.bytes());
  b.section("kinematics");
  std::vector<double> four(4);
  try {
    b.sized(four, "coordinates");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "the saved state has 3 coordinates where the model has 4");
  }
}

}  // namespace
}  // namespace trammel::archive_test
