#include "dataset/changes.h"

#include <algorithm>

#include "base/text.h"
#include "dataset/check.h"
#include "dataset/names.h"
#include "dataset/rules.h"

namespace trammel {

namespace {

bool is_activity(const Statement& s) {
  return s.spec->keyword == "ACTIVATE" || s.spec->keyword == "DEACTIVATE";
}

Statement* find_statement_in(Description& description, std::string_view keyword, int id) {
  const auto at = std::find_if(description.statements.begin(), description.statements.end(),
                               [&](const Statement& s) { return s.spec->keyword == keyword && s.id == id; });
  return at == description.statements.end() ? nullptr : &*at;
}

/// Where a message about a redefined statement belongs: the command's own line, also where it speaks of what
/// the dataset said before.
Location place_in(const Statement& change, const Location& where) {
  for (const Argument& a : change.arguments)
    if (a.where.name() == where.file && a.where.line == where.line) return where;
  return change.where;
}

void redefine(Description& description, const Statement& change, Diagnostics& diagnostics) {
  if (!find_statement_in(description, change.spec->keyword, change.id)) {
    if (description.find_absent(change.spec->keyword, change.id)) return;
    // A new element would need all its arguments; what is meant is almost always a mistyped number.
    if (change.spec->has_id) {
      diagnostics.error(change.where, "{} does not exist in {}", change.label(), description.file);
      return;
    }
  }
  description.redefine(change);
  Statement& merged = *find_statement_in(description, change.spec->keyword, change.id);
  // Arguments that lack what they need since the choice is another, and then arguments that needed those.
  const auto idle = [&](const Argument& a) {
    return !has_needed(merged, *a.field) && !change.has(a.field->name);
  };
  while (std::erase_if(merged.arguments, idle) > 0) {
  }
  // The formulation of a former integrator.
  if (merged.spec->keyword == "INTEGRATOR" && rules::knows_only_index3(merged))
    std::erase_if(merged.arguments, [&](const Argument& a) {
      return (a.field->name == "SI2" || a.field->name == "SI1") && !change.has(a.field->name);
    });
  Diagnostics found;
  check_statement(merged, true, found);
  for (Diagnostic d : found.list()) {
    d.where = place_in(change, d.where);
    diagnostics.add(std::move(d));
  }
}

void set_activity(Description& description, const Statement& command, Diagnostics& diagnostics) {
  const bool active = command.spec->keyword == "ACTIVATE";
  const std::string_view keyword = command.chosen("type");
  const Argument* which = command.find("ID");
  if (which != nullptr) {
    for (double number : which->numbers) {
      const int id = static_cast<int>(number);
      if (Statement* s = find_statement_in(description, keyword, id))
        s->active = active;
      else if (!description.find_absent(keyword, id))
        diagnostics.error(which->where, "{}: {}/{} does not exist in {}", command.spec->keyword, keyword, id,
                          description.file);
    }
    return;
  }
  which = command.find("RANGE");
  if (which == nullptr || which->numbers.size() != 2) return;  // an error of the checks already
  const double first = which->numbers[0], last = which->numbers[1];
  int found = 0;
  for (Statement& s : description.statements) {
    if (s.spec->keyword != keyword || s.id < first || s.id > last) continue;
    s.active = active;
    ++found;
  }
  const bool absent =
      std::any_of(description.absent.begin(), description.absent.end(), [&](const Absence& a) {
        return (a.keyword == keyword || a.keyword.empty()) && a.id >= first && a.id <= last;
      });
  if (found == 0 && !absent)
    diagnostics.error(which->where, "{}: there is no {} with an id from {} to {} in {}",
                      command.spec->keyword, keyword, first, last, description.file);
}

}  // namespace

std::string missing_target(const Description& description, const Statement& change) {
  const bool activity = is_activity(change), element = activity || change.spec->has_id;
  const auto missing = [&](std::string_view keyword, int id) -> std::string {
    if (description.find(keyword, id)) return {};
    const std::string label = element ? fmt::format("{}/{}", keyword, id) : std::string(keyword);
    if (description.find_absent(keyword, id)) return label + " is left out";
    return element ? label + " does not exist" : "";
  };
  if (!activity) return missing(change.spec->keyword, change.id);
  if (const Argument* which = change.find("ID"))
    for (double id : which->numbers)
      if (std::string text = missing(change.chosen("type"), static_cast<int>(id)); !text.empty()) return text;
  return {};
}

void apply_change(Description& description, const Statement& change, Diagnostics& diagnostics) {
  if (is_activity(change))
    set_activity(description, change, diagnostics);
  else
    redefine(description, change, diagnostics);
}

}  // namespace trammel
