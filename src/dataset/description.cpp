#include "dataset/description.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/text.h"
#include "dataset/names.h"

namespace trammel {

namespace {

/// Whether two names are one. Most that are not differ in length or first letter, which costs no call.
bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || (a[0] == b[0] && a == b));
}

}  // namespace

const Argument* Statement::find(std::string_view name) const {
  for (const Argument& argument : arguments)
    if (argument.field != nullptr && same_name(argument.field->name, name)) return &argument;
  return nullptr;
}

double Statement::real(std::string_view name, double fallback) const {
  const Argument* argument = find(name);
  return argument == nullptr || argument->numbers.empty() ? fallback : argument->numbers.front();
}

double Statement::real(std::string_view name) const {
  const auto field = std::find_if(spec->fields.begin(), spec->fields.end(),
                                  [&](const Field& candidate) { return candidate.name == name; });
  const std::optional<double> standard =
      field == spec->fields.end() ? std::nullopt : parse_number(field->default_value);
  if (!standard) fail(ExitCode::internal, "{} has no number as its default: {}", spec->keyword, name);
  return real(name, *standard);
}

int Statement::integer(std::string_view name, int fallback) const {
  const Argument* argument = find(name);
  return argument == nullptr || argument->numbers.empty() ? fallback
                                                          : static_cast<int>(argument->numbers.front());
}

std::optional<int> Statement::id_of(std::string_view name) const {
  const Argument* argument = find(name);
  if (argument == nullptr || argument->numbers.empty()) return std::nullopt;
  return static_cast<int>(argument->numbers.front());
}

std::string_view Statement::word(std::string_view name) const {
  const Argument* argument = find(name);
  return argument == nullptr || argument->words.empty() ? std::string_view{}
                                                        : std::string_view(argument->words.front());
}

std::string_view Statement::text(std::string_view name) const {
  const Argument* argument = find(name);
  return argument == nullptr ? std::string_view{} : std::string_view(argument->text);
}

std::string_view Statement::chosen(std::string_view group) const {
  for (const Argument& argument : arguments) {
    if (argument.field == nullptr || argument.field->group.empty()) continue;
    bool stands = false;
    for_parts(argument.field->group, ' ',
              [&](std::string_view member) { stands |= member.substr(0, member.find(':')) == group; });
    if (stands) return argument.field->name;
  }
  return {};
}

std::string Statement::label() const {
  if (spec == nullptr) return {};
  std::string out(spec->keyword);
  if (spec->has_id) out += fmt::format("/{}", id);
  if (!view_name.empty()) out += fmt::format(" ({})", view_name);
  return out;
}

const Statement* Description::find(std::string_view keyword, int id) const {
  for (const Statement& statement : statements)
    if (statement.spec->keyword == keyword && statement.id == id) return &statement;
  return nullptr;
}

const Absence* Description::find_absent(std::string_view keyword, int id) const {
  for (const Absence& a : absent)
    if (a.id == id && (a.keyword == keyword || a.keyword.empty())) return &a;
  return nullptr;
}

std::vector<const Statement*> Description::all(std::string_view keyword) const {
  std::vector<const Statement*> found;
  for (const Statement& statement : statements)
    if (statement.spec->keyword == keyword) found.push_back(&statement);
  return found;
}

namespace {

/// Whether giving `fresh` anew puts an end to `old`: the same argument, or another choice of its group.
bool displaces(const Field& fresh, const Field& old) {
  if (fresh.name == old.name) return true;
  if (fresh.group.empty() || old.group.empty()) return false;
  for (std::string_view a : split(fresh.group, ' '))
    for (std::string_view b : split(old.group, ' ')) {
      const bool same_group = a.substr(0, a.find(':')) == b.substr(0, b.find(':'));
      const bool same_variant = a.find(':') != std::string_view::npos && a == b;
      if (same_group && !same_variant) return true;
    }
  return false;
}

}  // namespace

void Description::redefine(Statement statement) {
  const auto old = std::find_if(statements.begin(), statements.end(), [&](const Statement& other) {
    return other.spec->keyword == statement.spec->keyword && other.id == statement.id;
  });
  if (old == statements.end()) {
    statements.push_back(std::move(statement));
    return;
  }
  std::erase_if(old->arguments, [&](const Argument& argument) {
    return std::any_of(statement.arguments.begin(), statement.arguments.end(), [&](const Argument& fresh) {
      return fresh.field != nullptr && argument.field != nullptr && displaces(*fresh.field, *argument.field);
    });
  });
  for (Argument& argument : statement.arguments) old->arguments.push_back(std::move(argument));
  if (!statement.view_name.empty()) old->view_name = std::move(statement.view_name);
}

}  // namespace trammel
