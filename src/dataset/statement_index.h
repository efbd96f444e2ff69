// The statements of a description by keyword and id, for those who look up many.
#pragma once

#include <map>
#include <string_view>
#include <unordered_map>

#include "dataset/description.h"

namespace trammel {

/// Where an id stands twice, the first statement counts. Valid as long as no statement is added to the
/// description, taken out of it or moved.
class StatementIndex {
 public:
  using IdTable = std::map<int, const Statement*>;

  explicit StatementIndex(const Description& description) {
    for (const Statement& statement : description.statements) {
      IdTable& ids = tables_[statement.spec->keyword];
      ids.emplace_hint(ids.end(), statement.id, &statement);
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
    const auto found = ids.find(id);
    return found == ids.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, IdTable> tables_;
};

}  // namespace trammel
