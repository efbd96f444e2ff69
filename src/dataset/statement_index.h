// The statements of a description by keyword and id, for those who look up many.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dataset/description.h"

namespace trammel {

/// Asks the memory for the arguments of a statement that is soon to be read: of a large deck they are in no
/// cache, and to wait for them takes longer than to look at them.
inline void ask_for_arguments(const Statement& statement) {
#ifdef __GNUC__
  for (const Argument& argument : statement.arguments) __builtin_prefetch(&argument);
#endif
}
constexpr std::ptrdiff_t statements_ahead = 4;  ///< of the one that is read, those asked for

/// Some of the statements of a description, in file order.
class StatementList {
 public:
  class Iterator {
   public:
    Iterator(const Statement* const* at, const Statement* const* end) : at_(at), end_(end) {}
    const Statement& operator*() const {
      if (end_ - at_ > statements_ahead) ask_for_arguments(*at_[statements_ahead]);
      return **at_;
    }
    Iterator& operator++() { return ++at_, *this; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Statement *const *at_, *const *end_;
  };
  Iterator begin() const { return Iterator(list_.data(), list_.data() + list_.size()); }
  Iterator end() const { return Iterator(list_.data() + list_.size(), list_.data() + list_.size()); }
  std::size_t size() const { return list_.size(); }

 private:
  friend class StatementIndex;
  std::vector<const Statement*> list_;
};

/// Where an id stands twice, the first statement counts. Valid as long as no statement is added to the
/// description, taken out of it or moved.
class StatementIndex {
 public:
  /// By ascending ids, each once.
  using IdTable = std::vector<std::pair<int, const Statement*>>;

  explicit StatementIndex(const Description& description) {
    Kind* kind = nullptr;
    for (const Statement& statement : description.statements) {
      if (!kind || statement.spec->keyword.data() != kind->keyword.data())
        kind = &kind_of(statement.spec->keyword);
      kind->all.list_.push_back(&statement);
      kind->by_id.emplace_back(statement.id, &statement);
    }
    for (Kind& k : kinds_) sort(k.by_id);
  }
  const IdTable& table(std::string_view keyword) const {
    static const IdTable none;
    const Kind* kind = find_kind(keyword);
    return kind ? kind->by_id : none;
  }
  /// The statement; nullptr: it does not exist.
  const Statement* find(std::string_view keyword, int id = 0) const {
    const IdTable& ids = table(keyword);
    const std::size_t at = place(ids, id);
    return at < ids.size() ? ids[at].second : nullptr;
  }
  /// All statements of a keyword, those that repeat an id as well.
  const StatementList& all(std::string_view keyword) const {
    static const StatementList none;
    const Kind* kind = find_kind(keyword);
    return kind ? kind->all : none;
  }
  StatementList all(std::span<const std::string_view> keywords) const {
    StatementList merged;
    for (std::string_view keyword : keywords) {
      const auto& more = all(keyword).list_;
      const auto middle = static_cast<std::ptrdiff_t>(merged.size());
      merged.list_.insert(merged.list_.end(), more.begin(), more.end());
      if (middle == 0 || more.empty()) continue;
      std::inplace_merge(merged.list_.begin(), merged.list_.begin() + middle, merged.list_.end());
    }
    return merged;
  }
  StatementList all(std::initializer_list<std::string_view> keywords) const {
    return all(std::span(keywords.begin(), keywords.size()));
  }
  /// Whether each keyword has each id once.
  bool unique() const { return unique_; }
  /// The first entry of a table whose id is not below `id`.
  static IdTable::const_iterator not_before(const IdTable& ids, int id) {
    return std::lower_bound(ids.begin(), ids.end(), id, below);
  }
  /// Where a table has an id; beyond its end: nowhere.
  static std::size_t place(const IdTable& ids, int id) {
    if (ids.empty() || id < ids.front().first || id > ids.back().first) return ids.size();
    // Most ids are about evenly spaced: the search begins where they then would be, and widens.
    const double part =
        (double(id) - ids.front().first) / std::max(1.0, double(ids.back().first) - ids.front().first);
    auto low = static_cast<std::size_t>(part * static_cast<double>(ids.size() - 1) + 0.5), high = low;
    for (std::size_t step = 1; ids[high].first < id; step *= 2)
      low = high, high = std::min(high + step, ids.size() - 1);
    for (std::size_t step = 1; ids[low].first > id; step *= 2) high = low, low -= std::min(low, step);
    const auto begin = ids.begin();
    const auto found = std::lower_bound(begin + static_cast<std::ptrdiff_t>(low),
                                        begin + static_cast<std::ptrdiff_t>(high), id, below);
    return found->first == id ? static_cast<std::size_t>(found - begin) : ids.size();
  }

 private:
  struct Kind {
    std::string_view keyword;
    StatementList all;
    IdTable by_id;
  };

  static bool below(const IdTable::value_type& entry, int id) { return entry.first < id; }
  void sort(IdTable& table) {
    const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (!std::is_sorted(table.begin(), table.end(), before))
      std::stable_sort(table.begin(), table.end(), before);
    const auto end = std::unique(table.begin(), table.end(), same);
    unique_ = unique_ && end == table.end();
    table.erase(end, table.end());
  }
  const Kind* find_kind(std::string_view keyword) const {
    for (const Kind& kind : kinds_)  // a deck has some ten
      if (kind.keyword == keyword) return &kind;
    return nullptr;
  }
  Kind& kind_of(std::string_view keyword) {
    for (Kind& kind : kinds_)
      if (kind.keyword == keyword) return kind;
    kinds_.push_back({keyword, {}, {}});
    return kinds_.back();
  }

  std::vector<Kind> kinds_;
  bool unique_ = true;
};

/// What is kept for each id of a keyword, in the order of its table.
template <class Data>
class ByStatement {
 public:
  explicit ByStatement(const StatementIndex::IdTable& ids) : ids_(ids), data_(ids.size()) {}
  /// nullptr: the deck has no such statement.
  Data* find(int id) {
    const std::size_t at = StatementIndex::place(ids_, id);
    return at < data_.size() ? &data_[at] : nullptr;
  }
  const Data* find(int id) const { return const_cast<ByStatement*>(this)->find(id); }
  /// Of a statement that the deck does not have, which is reported elsewhere: as one without arguments.
  Data& operator[](int id) {
    Data* found = find(id);
    return found ? *found : (none_ = Data());
  }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }

 private:
  const StatementIndex::IdTable& ids_;
  std::vector<Data> data_;
  Data none_;
};

}  // namespace trammel
