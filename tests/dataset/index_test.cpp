// The lists in which statements and numbers are kept: against plain searches and std::vector.
#include <gtest/gtest.h>

#include <random>

#include "dataset/statement_index.h"
#include "support.h"

namespace trammel::index_test {
namespace {

/// The first statement of that keyword and id, found one by one.
const Statement* searched(const Description& deck, std::string_view keyword, int id) {
  for (const Statement& s : deck.statements)
    if (s.spec->keyword == keyword && s.id == id) return &s;
  return nullptr;
}

/// Markers and variables by turns, with ids as `next` gives them.
template <class Next>
Description deck_of(int count, Next next) {
  std::string body = "PART/1,GROUND\n";
  for (int k = 0; k < count; ++k) {
    body += "MARKER/" + std::to_string(next(k)) + ",PART=1\n";
    if (k % 3 == 0) body += "VARIABLE/" + std::to_string(next(k)) + ",IC=1\n";
  }
  Diagnostics diagnostics;  // ids that stand twice are told
  return parse_dataset("title\n" + body, "d.adm", diagnostics);
}

void expect_as_searched(const Description& deck, int last) {
  const StatementIndex index(deck);
  for (std::string_view keyword : {"MARKER", "VARIABLE", "PART", "JOINT"}) {
    for (int id = -1; id <= last + 1; ++id)
      ASSERT_EQ(index.find(keyword, id), searched(deck, keyword, id)) << keyword << "/" << id;
    std::vector<const Statement*> all;
    for (const Statement& s : index.all(keyword)) all.push_back(&s);
    EXPECT_EQ(all, deck.all(keyword));
  }
}

TEST(StatementIndex, FindsWhatASearchFinds) {
  std::mt19937 random(7);
  expect_as_searched(deck_of(60, [](int k) { return k + 1; }), 60);
  expect_as_searched(deck_of(60, [](int k) { return 10 * (k / 3 + 1) + k % 3; }), 220);
  expect_as_searched(deck_of(9, [](int k) { return 1 << k; }), 300);
  expect_as_searched(deck_of(9, [](int k) { return 301 - (1 << k); }), 310);
  for (int run = 0; run < 20; ++run)  // ids in any order, some twice
    expect_as_searched(deck_of(40, [&](int) { return static_cast<int>(random() % 90) + 1; }), 90);
  const Description two = read_good("PART/1,GROUND\nMARKER/1,PART=1\nMARKER/2147483647,PART=1");
  EXPECT_EQ(StatementIndex(two).find("MARKER", 2147483647), &two.statements[2]);
  EXPECT_EQ(StatementIndex(two).find("MARKER", 1073741824), nullptr);
}

TEST(StatementIndex, MergesKeywordsInFileOrder) {
  const Description deck = deck_of(20, [](int k) { return 100 - k; });
  std::vector<const Statement*> merged, expected;
  for (const Statement& s : StatementIndex(deck).all({"VARIABLE", "JOINT", "PART", "MARKER"}))
    merged.push_back(&s);
  for (const Statement& s : deck.statements) expected.push_back(&s);
  EXPECT_EQ(merged, expected);
}

TEST(ByStatement, HasAPlaceForEachIdAndAnEmptyOneForOthers) {
  const Description deck = deck_of(20, [](int k) { return 3 * k + 5; });
  const StatementIndex index(deck);
  ByStatement<int> data(index.table("MARKER"));
  for (int k = 0; k < 20; ++k) data[3 * k + 5] = k + 1;
  for (int k = 0; k < 20; ++k) EXPECT_EQ(*data.find(3 * k + 5), k + 1);
  EXPECT_EQ(data.find(6), nullptr);
  data[6] = 8;
  EXPECT_EQ(data[7], 0);
  EXPECT_EQ(data[5], 1);
}

TEST(Numbers, AreWhatAVectorIs) {
  std::mt19937 random(3);
  Numbers list;
  std::vector<double> expected;
  for (int step = 0; step < 3000; ++step) {
    const auto action = random() % 6;
    if (action < 3) {
      list.push_back(step), expected.push_back(step);
    } else if (action == 3) {
      const Numbers copy = list;
      Numbers moved = std::move(list);
      EXPECT_TRUE(list.empty());
      list = random() % 2 == 0 ? copy : std::move(moved);
    } else if (action == 4 && random() % 4 == 0) {
      list = {1, 2}, expected = {1, 2};
    } else if (action == 5 && random() % 4 == 0) {
      list = Numbers(), expected.clear();
    }
    ASSERT_EQ(list.size(), expected.size());
    ASSERT_TRUE(list == expected);
    if (!expected.empty()) {
      ASSERT_EQ(list.front(), expected.front());
      ASSERT_EQ(list.back(), expected.back());
    }
    ASSERT_EQ(std::vector<double>(list), expected);
  }
}

}  // namespace
}  // namespace trammel::index_test
