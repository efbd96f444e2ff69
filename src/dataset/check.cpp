#include "dataset/check.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/text.h"
#include "dataset/names.h"

namespace trammel {

namespace {

/// "0.5" or "-1/3"
double constant(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto above = parse_number(text.substr(0, slash));
  const auto below =
      slash == std::string_view::npos ? std::optional<double>(1) : parse_number(text.substr(slash + 1));
  if (!above || !below) throw std::logic_error("unreadable range in a field table: " + std::string(text));
  return *above / *below;
}

std::string_view base_of(std::string_view group) {
  return group.substr(0, group.find(':'));
}

/// Whether two groups (possibly several, blanks between) exclude each other.
bool exclude(std::string_view groups_a, std::string_view groups_b) {
  if (groups_a.empty() || groups_b.empty()) return false;
  bool found = false;
  for_parts(groups_a, ' ', [&](std::string_view a) {
    for_parts(groups_b, ' ', [&](std::string_view b) {
      found |= base_of(a) == base_of(b) && (a != b || a.find(':') == std::string_view::npos);
    });
  });
  return found;
}

void check_ranges(const Statement& statement, Diagnostics& diagnostics) {
  for (const Argument& argument : statement.arguments) {
    const Field& field = *argument.field;
    const bool ids = field.kind == FieldKind::id || field.kind == FieldKind::ids;
    const std::string_view range = field.check;
    const bool any_id = ids && range.empty();  // which is above zero
    if ((range.empty() && !ids) || field.kind == FieldKind::logicals) continue;
    for (double value : argument.numbers) {
      if (any_id ? value > 0 : fulfils(range, value)) continue;
      if (ids) {
        diagnostics.error(argument.where, "{}: {}={} is no id; ids are positive integers", statement.label(),
                          field.name, value);
      } else {
        diagnostics.error(argument.where, "{}: {}={} is out of range; it must be {}", statement.label(),
                          field.name, value, range);
      }
      break;
    }
  }
}

/// False when two arguments exclude each other: what else they miss is then beside the point.
bool check_exclusion(const Statement& statement, Diagnostics& diagnostics) {
  const auto& arguments = statement.arguments;
  for (std::size_t later = 1; later < arguments.size(); ++later) {
    if (arguments[later].field->group.empty()) continue;
    for (std::size_t k = 0; k < later; ++k) {
      if (arguments[k].field == arguments[later].field) continue;
      if (!exclude(arguments[k].field->group, arguments[later].field->group)) continue;
      diagnostics.error(arguments[later].where, "{}: {} and {} exclude each other; give one of them",
                        statement.label(), arguments[k].field->name, arguments[later].field->name);
      return false;
    }
  }
  return true;
}

bool group_stands(const Statement& statement, std::string_view groups) {
  bool stands = false;
  for_parts(groups, ' ',
            [&](std::string_view group) { stands = stands || !statement.chosen(base_of(group)).empty(); });
  return stands;
}

std::string members(const StatementSpec& spec, std::string_view groups) {
  std::string names;
  const std::string_view base = base_of(split(groups, ' ').front());
  for (const Field& field : spec.fields)
    for (std::string_view group : split(field.group, ' '))
      if (base_of(group) == base) names += (names.empty() ? "" : ", ") + std::string(field.name);
  return names;
}

void check_presence(const Statement& statement, Diagnostics& diagnostics) {
  for (const Field& field : statement.spec->fields) {
    if (!field.required || statement.has(field.name)) continue;
    if (field.group.empty()) {
      diagnostics.error(statement.where, "{}: {} is missing; {}", statement.label(), field.name, field.help);
    } else if (!group_stands(statement, field.group)) {
      diagnostics.error(statement.where, "{}: one of {} must be given", statement.label(),
                        members(*statement.spec, field.group));
    }
  }
  for (const Argument& argument : statement.arguments) {
    std::string missing;
    if (has_needed(statement, *argument.field, &missing)) continue;
    diagnostics.error(argument.where, "{}: {} needs {} beside it", statement.label(), argument.field->name,
                      missing);
    return;  // one message where UNITS has one of its four arguments
  }
}

}  // namespace

bool fulfils(std::string_view check, double value) {
  if (check.empty()) return true;
  if (check.starts_with(">=")) return value >= constant(check.substr(2));
  if (check.starts_with(">")) return value > constant(check.substr(1));
  if (check.starts_with("in [") && check.ends_with("]")) {
    const std::vector<std::string_view> bounds = split(check.substr(4, check.size() - 5), ',');
    if (bounds.size() == 2) return value >= constant(bounds[0]) && value <= constant(bounds[1]);
  }
  throw std::logic_error("unreadable range in a field table: " + std::string(check));
}

bool has_needed(const Statement& statement, const Field& field, std::string* missing) {
  if (field.needs.empty()) return true;
  for (std::string_view one : split(field.needs, ' ')) {
    const std::vector<std::string_view> names = split(one, '|');
    if (std::any_of(names.begin(), names.end(), [&](std::string_view name) { return statement.has(name); }))
      continue;
    if (missing) *missing = join_names(names, "or");
    return false;
  }
  return true;
}

void check_statement(const Statement& statement, bool whole, Diagnostics& diagnostics) {
  check_ranges(statement, diagnostics);
  if (!check_exclusion(statement, diagnostics) || !whole) return;
  check_presence(statement, diagnostics);
  check_rules(statement, diagnostics);
}

}  // namespace trammel
