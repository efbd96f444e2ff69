// The statements of a description by keyword and id, for those who look up many.
#pragma once

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dataset/description.h"

namespace trammel {

/// Where an id stands twice, the first statement counts. Valid as long as no statement is added to the
/// description, taken out of it or moved.
class StatementIndex {
 public:
  /// By ascending ids, each once.
  using IdTable = std::vector<std::pair<int, const Statement*>>;

  explicit StatementIndex(const Description& description) {
    const StatementSpec* spec = nullptr;
    IdTable* ids = nullptr;
    for (const Statement& statement : description.statements) {
      if (statement.spec != spec) ids = &tables_[(spec = statement.spec)->keyword];
      ids->emplace_back(statement.id, &statement);
    }
    const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    for (auto& [keyword, table] : tables_) {
      if (!std::is_sorted(table.begin(), table.end(), before))
        std::stable_sort(table.begin(), table.end(), before);
      const auto end = std::unique(table.begin(), table.end(), same);
      unique_ = unique_ && end == table.end();
      table.erase(end, table.end());
    }
  }
  const IdTable& table(std::string_view keyword) const {
    static const IdTable none;
    const auto found = tables_.find(keyword);
    return found == tables_.end() ? none : found->second;
  }
  /// The statement; nullptr: it does not exist.
  const Statement* find(std::string_view keyword, int id = 0) const {
    const IdTable& ids = table(keyword);
    if (ids.empty() || id < ids.front().first || id > ids.back().first) return nullptr;
    // Most ids are evenly spaced: where they are, this is the place.
    const double part =
        (double(id) - ids.front().first) / std::max(1.0, double(ids.back().first) - ids.front().first);
    const auto& guess = ids[static_cast<std::size_t>(part * static_cast<double>(ids.size() - 1) + 0.5)];
    if (guess.first == id) return guess.second;
    const auto found = not_before(ids, id);
    return found->first == id ? found->second : nullptr;
  }
  /// Whether each keyword has each id once.
  bool unique() const { return unique_; }
  /// The first entry of a table whose id is not below `id`.
  static IdTable::const_iterator not_before(const IdTable& ids, int id) {
    return std::lower_bound(ids.begin(), ids.end(), id,
                            [](const auto& entry, int wanted) { return entry.first < wanted; });
  }

 private:
  std::unordered_map<std::string_view, IdTable> tables_;
  bool unique_ = true;
};

}  // namespace trammel
