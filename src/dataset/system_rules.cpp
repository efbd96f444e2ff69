// Rules of ARRAY and MATRIX that no table expresses.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "dataset/rules.h"

namespace trammel::rules {

namespace {

void count_must_be(const Statement& s, const Argument& list, int wanted, std::string_view reason,
                   Diagnostics& diagnostics) {
  if (static_cast<int>(list.numbers.size()) != wanted)
    diagnostics.error(list.where, "{}: {} has {} values; it must have {}, {}", s.label(), list.field->name,
                      list.numbers.size(), wanted, reason);
}

constexpr double most_entries = 1e7;  ///< of a matrix, zeros included: it is held in full
constexpr int most_states = 100'000;  ///< of an array

/// Whether a statement has an argument; else an error with what it is for.
bool needed(const Statement& s, std::string_view name, std::string_view reason, Diagnostics& diagnostics) {
  if (s.has(name)) return true;
  diagnostics.error(s.where, "{}: {} is missing; {}", s.label(), name, reason);
  return false;
}

bool symmetric(const Numbers& values, int n) {
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < r; ++c)
      if (values[static_cast<std::size_t>(r) * n + c] != values[static_cast<std::size_t>(c) * n + r])
        return false;
  return true;
}

void full_matrix(const Statement& s, Diagnostics& diagnostics) {
  for (std::string_view name : {"ROWS", "COLUMNS", "VALUES"})
    if (!needed(s, name, "FULL takes ROWS, COLUMNS and VALUES", diagnostics)) return;
  const int rows = s.integer("ROWS", 0), columns = s.integer("COLUMNS", 0);
  if (rows < 1 || columns < 1) return;  // an error of the field table already
  const Argument& values = *s.find("VALUES");
  if (static_cast<double>(values.numbers.size()) != static_cast<double>(rows) * columns) {
    diagnostics.error(values.where, "{}: VALUES has {} values; {} x {} takes {}", s.label(),
                      values.numbers.size(), rows, columns, static_cast<double>(rows) * columns);
    return;
  }
  const bool any_order = rows == 1 || columns == 1 || (rows == columns && symmetric(values.numbers, rows));
  if (!s.has("RORDER") && !s.has("CORDER") && !any_order)
    diagnostics.error(s.where,
                      "{}: RORDER or CORDER is missing; say whether VALUES go row by row or column by column",
                      s.label());
}

void sparse_matrix(const Statement& s, Diagnostics& diagnostics) {
  for (std::string_view name : {"I", "J", "VALUES"})
    if (!needed(s, name, "SPARSE takes I, J and VALUES", diagnostics)) return;
  const Argument &i = *s.find("I"), &j = *s.find("J"), &values = *s.find("VALUES");
  double rows = s.real("ROWS", 0), columns = s.real("COLUMNS", 0);
  for (double row : i.numbers) rows = std::max(rows, row);
  for (double column : j.numbers) columns = std::max(columns, column);
  if (rows * columns > most_entries) {
    diagnostics.error(s.where, "{}: {} x {} entries are more than the 10 million that a matrix may have",
                      s.label(), rows, columns);
    return;
  }
  const int count = static_cast<int>(values.numbers.size());
  count_must_be(s, i, count, "one for each of VALUES", diagnostics);
  count_must_be(s, j, count, "one for each of VALUES", diagnostics);
  if (i.numbers.size() != j.numbers.size()) return;
  std::set<std::pair<double, double>> places;
  for (std::size_t k = 0; k < i.numbers.size(); ++k) {
    if (!places.emplace(i.numbers[k], j.numbers[k]).second) {
      diagnostics.error(i.where, "{}: row {}, column {} is given twice", s.label(), i.numbers[k],
                        j.numbers[k]);
      return;
    }
    if (i.numbers[k] <= s.real("ROWS", i.numbers[k]) && j.numbers[k] <= s.real("COLUMNS", j.numbers[k]))
      continue;
    diagnostics.error(i.where, "{}: row {}, column {} is outside ROWS={}, COLUMNS={}", s.label(),
                      i.numbers[k], j.numbers[k], s.real("ROWS", 0), s.real("COLUMNS", 0));
    return;
  }
}

}  // namespace

void matrix(const Statement& s, Diagnostics& diagnostics) {
  if (s.has("FILE")) {
    for (std::string_view name : {"ROWS", "COLUMNS", "VALUES"})
      if (const Argument* a = s.find(name))
        diagnostics.error(a->where, "{}: FILE and {} exclude each other; give one of them", s.label(), name);
  } else if (s.has("FULL")) {
    full_matrix(s, diagnostics);
  } else if (s.has("SPARSE")) {
    sparse_matrix(s, diagnostics);
  } else if (s.has("RORDER") || s.has("CORDER") || s.has("NAME")) {
    diagnostics.error(s.where, "{}: FULL, SPARSE or FILE is missing; say how the values are given",
                      s.label());
  }
}

void array(const Statement& s, Diagnostics& diagnostics) {
  const std::string_view kind = s.chosen("kind");
  if (kind == "X" || kind == "Y") {
    if (s.integer("SIZE", 0) > most_states)
      diagnostics.error(s.find("SIZE")->where, "{}: SIZE={} is more than the {} entries that {} may have",
                        s.label(), s.integer("SIZE", 0), most_states, kind);
    for (std::string_view name : {"NUMBERS", "VARIABLES"})
      if (const Argument* a = s.find(name))
        diagnostics.error(a->where, "{}: {} takes only SIZE; its values come from the element that names it",
                          s.label(), kind);
    return;
  }
  const bool inputs = kind == "U";
  const std::string_view list = inputs ? "VARIABLES" : "NUMBERS";
  if (const Argument* other = s.find(inputs ? "NUMBERS" : "VARIABLES"))
    diagnostics.error(other->where, "{}: {} takes {}, not {}", s.label(),
                      inputs ? "U" : "an array of numbers", list, other->field->name);
  else if (needed(s, list, inputs ? "name the variables whose values are the entries" : "give the values",
                  diagnostics) &&
           s.has("SIZE"))
    count_must_be(s, *s.find(list), s.integer("SIZE", 0), "as SIZE says", diagnostics);
}

}  // namespace trammel::rules
