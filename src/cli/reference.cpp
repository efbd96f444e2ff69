#include "cli/reference.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/text.h"
#include "dataset/names.h"
#include "dataset/registry.h"
#include "expression/builtins.h"
#include "terminal/print.h"

namespace trammel {

namespace {

/// A chapter and its first statement: the list of statements is in the order of the chapters.
struct Chapter {
  std::string_view first, title;
};

constexpr Chapter chapters[] = {
    {"UNITS", "Units and gravity"},
    {"PART", "Bodies and markers"},
    {"JOINT", "Constraints"},
    {"SFORCE", "Forces"},
    {"GRAPHICS", "Shapes"},
    {"VARIABLE", "Variables and equations"},
    {"ARRAY", "Data"},
    {"SENSOR", "Sensors and output"},
    {"IC", "Settings of analyses"},
    {"LIST", "Reading of the dataset"},
};

constexpr std::string_view introduction =
    "# Statements, commands, functions\n\n"
    "Printed by `trammel reference` from the tables that the reader works with; do not edit.\n\n"
    "**Spelling.** Case does not matter. Keywords may be abbreviated to any beginning that no other keyword\n"
    "shares; the shortest one stands behind the name. A line that begins with a comma continues the "
    "statement\n"
    "above. `\\` ends an expression or list, as the next argument's name does. `!` begins a comment. Angles "
    "are in\n"
    "radians; a number with D behind it is in degrees (`30D`). In expressions `1.5D3` and `1.5D-03` have an\n"
    "exponent; `30D-1`, which could be either, is refused.\n\n"
    "**Value.** What stands behind `NAME=`; nothing: a flag, which stands alone. `MARKER` is the id of a "
    "marker; `n` numbers "
    "are\n"
    "separated by commas. *Text, to the next argument* ends with the statement, or at a comma or `\\` "
    "before\n"
    "the name of another argument, in full or in three letters at least: of one with a value and its `=`, or "
    "of\n"
    "a flag with nothing behind it. So `COMMENT=see F3=3, F4=5` gives F4, and `COMMENT=position, velocity` "
    "the\n"
    "flag VELOCITY; `COMMENT=position and velocity` is all text.\n\n"
    "**Alternatives** exclude each other; arguments between two bars go together.\n\n"
    "**State.** Nothing: it works. *kept*: stored, and cannot change an answer. *no effect*: accepted with "
    "a\n"
    "notice. **refused**: stops the run with exit code 4, or is left out with `--permissive`. `USER(...)` in "
    "place\n"
    "of an expression is taken where its row says so, and refused elsewhere.\n\n";

std::string_view state_of(Support support) {
  switch (support) {
    case Support::works:
      return "";
    case Support::kept:
      return "*kept*";
    case Support::no_effect:
      return "*no effect*";
    case Support::unsupported:
      return "**refused**";
  }
  return "";
}

std::string code(std::string_view text) {
  return fmt::format("`{}`", text);
}

/// The shortest beginning of `word` with which `find` finds entry `index`; the whole word where none does.
template <class Find>
std::string_view shortest_prefix(std::string_view word, int index, Find find) {
  for (std::size_t n = 1; n < word.size(); ++n)
    if (find(word.substr(0, n)).index == index) return word.substr(0, n);
  return word;
}

std::string names_of(std::string_view list) {
  std::string out;
  for (std::string_view name : split(list, '|')) out += (out.empty() ? "" : ", ") + code(name);
  return out;
}

std::string count_of(const Field& f, std::string_view one, std::string_view several) {
  constexpr int without_end = 1000;  // longer lists have no bound of their own
  if (f.max_count == 1) return std::string(one);
  if (f.max_count >= without_end)
    return f.min_count > 1 ? fmt::format("{} or more {}", f.min_count, several) : fmt::format("{}", several);
  if (f.min_count == f.max_count) return fmt::format("{} {}", f.max_count, several);
  return fmt::format("{} to {} {}", f.min_count, f.max_count, several);
}

/// `alone`: the statement has no other argument.
std::string value_of(const Field& f, bool alone) {
  std::string text;
  switch (f.kind) {
    case FieldKind::flag:
      return "";
    case FieldKind::integer:
      text = count_of(f, "integer", "integers");
      break;
    case FieldKind::real:
      text = count_of(f, "number", "numbers");
      break;
    case FieldKind::id:
      return std::string(f.refers);
    case FieldKind::ids:
      return count_of(f, f.refers, std::string(f.refers) + "s");
    case FieldKind::choice:
      return "one of " + names_of(f.choices);
    case FieldKind::choices:
      return "with colons between, of " + names_of(f.choices);
    case FieldKind::logicals:
      return "`T:F:...`";
    case FieldKind::expression:
      text = "expression";
      break;
    case FieldKind::text:
      text = count_of(f, "text", "texts");
      break;
    case FieldKind::long_text:
      return alone ? "text, to the end of the statement" : "text, to the next argument";
  }
  if (f.check.starts_with("in [")) return text + ' ' + code(f.check.substr(3));
  if (!f.check.empty()) text += fmt::format(" `{}`", f.check);
  return text;
}

std::string note_of(const Field& f) {
  std::string text(f.help);
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (f.user_call && !text.starts_with("USER"))
    add("or USER(r1, ...): by [user code](user_subroutines.md), with these numbers");
  if (!f.needs.empty()) {
    const std::vector<std::string_view> names = split(f.needs, ' ');
    std::string list;
    for (std::string_view one : names) {
      std::string either;
      for (std::string_view name : split(one, '|')) either += (either.empty() ? "" : " or ") + code(name);
      list += (list.empty() ? "" : ", ") + either;
    }
    add("needs " + list);
  }
  if (f.repeats) add("may stand more than once");
  if (f.kind == FieldKind::long_text && f.min_count == 0) add("may be empty");
  if (f.surplus) add("more are left out with a notice");
  if (!f.unsupported_choices.empty()) add(names_of(f.unsupported_choices) + " refused");
  return text;
}

/// Name, abbreviation and other spellings of argument k.
std::string spellings_of(const StatementSpec& spec, std::size_t k) {
  const Field& f = spec.fields[k];
  const std::string_view abbreviation = shortest_prefix(
      f.name, static_cast<int>(k), [&](std::string_view word) { return find_field(spec.fields, word); });
  std::string others = abbreviation != f.name ? code(abbreviation) : "";
  if (!f.alias.empty())
    for (std::string_view other : split(f.alias, '|'))
      if (!f.name.starts_with(other)) others += (others.empty() ? "" : ", ") + code(other);
  return others.empty() ? code(f.name) : fmt::format("`{}` ({})", f.name, others);
}

constexpr std::size_t columns = 6;
constexpr std::string_view heads[columns] = {"argument", "value", "default", "unit", "meaning", "state"};

/// The table of arguments, without the columns that would be empty.
std::string argument_table(const StatementSpec& spec) {
  std::vector<std::array<std::string, columns>> rows;
  for (std::size_t k = 0; k < spec.fields.size(); ++k) {
    const Field& f = spec.fields[k];
    std::string standard = f.default_value.empty() ? "" : code(f.default_value);
    if (f.required && f.group.empty()) standard = "required";
    rows.push_back({spellings_of(spec, k), value_of(f, spec.fields.size() == 1), standard,
                    std::string(f.unit), note_of(f), std::string(state_of(f.support))});
  }
  std::string head = "|", line = "|", body;
  std::array<bool, columns> shown;
  for (std::size_t c = 0; c < columns; ++c) {
    shown[c] = std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return !row[c].empty(); });
    if (!shown[c]) continue;
    head += fmt::format(" {} |", heads[c]);
    line += "---|";
  }
  for (const auto& row : rows) {
    body += '|';
    for (std::size_t c = 0; c < columns; ++c)
      if (shown[c]) body += row[c].empty() ? " |" : fmt::format(" {} |", row[c]);
    body += '\n';
  }
  return fmt::format("{}\n{}\n{}\n", head, line, body);
}

/// The alternatives of a statement: for each group the sets of arguments that exclude each other.
std::string alternatives(const StatementSpec& spec) {
  std::vector<std::string_view> order;  // of groups
  std::map<std::string_view, std::vector<std::pair<std::string_view, std::string>>> sets;
  std::map<std::string_view, bool> required;
  for (const Field& f : spec.fields) {
    if (f.group.empty()) continue;
    bool first = true;
    for (std::string_view group : split(f.group, ' ')) {
      const std::size_t colon = group.find(':');
      const std::string_view base = group.substr(0, colon);
      const std::string_view variant = colon == std::string_view::npos ? f.name : group.substr(colon + 1);
      if (!sets.contains(base)) order.push_back(base);
      auto& members = sets[base];
      const auto at =
          std::find_if(members.begin(), members.end(), [&](auto& m) { return m.first == variant; });
      if (at == members.end())
        members.emplace_back(variant, code(f.name));
      else
        at->second += ' ' + code(f.name);
      if (f.required && first) required[base] = true;
      first = false;
    }
  }
  std::string text;
  for (std::string_view base : order) {
    const auto& members = sets[base];
    if (members.size() < 2 && !required[base]) continue;
    std::string line;
    for (const auto& [variant, names] : members) line += (line.empty() ? "" : " | ") + names;
    text +=
        fmt::format("- Alternatives, {}: {}\n", required[base] ? "one must be given" : "at most one", line);
  }
  return text.empty() ? text : text + '\n';
}

std::string section(const StatementSpec& spec, std::string_view abbreviation, bool command) {
  std::string text = fmt::format("### {}\n\n{}", spec.keyword, spec.help);
  if (spec.support != Support::works) text += fmt::format(" State: {}.", state_of(spec.support));
  text += "\n\n    ";
  text += spec.keyword;
  if (spec.has_id) text += "/id";
  if (!spec.fields.empty()) text += spec.has_id ? ", ..." : "/ ...";
  if (abbreviation != spec.keyword) text += fmt::format("        abbreviation {}", abbreviation);
  text += '\n';
  if (!spec.equation.empty()) text += fmt::format("\n    {}\n", spec.equation);
  text += '\n';
  if (!spec.force_function.empty() && spec.support == Support::works)
    text += fmt::format("Function that reads its force: `{}`.\n\n", spec.force_function);
  if (spec.fields.empty()) {
    if (spec.support != Support::works && !command) text += "Arguments are kept as they stand, unread.\n\n";
    return text;
  }
  return text + argument_table(spec) + alternatives(spec);
}

std::string anchor(std::string_view title) {
  return '#' + lower(title);
}

std::string overview_row(const StatementSpec& spec) {
  return fmt::format("| [{}]({}) | {} | {} |\n", spec.keyword, anchor(spec.keyword), spec.help,
                     state_of(spec.support));
}

constexpr std::string_view overview_head = "| | | state |\n|---|---|---|\n";

std::string function_section(const Builtin& row) {
  std::string text = fmt::format("### {}\n\n    {}\n\n{}\n", row.name, row.signature, row.formula);
  if (!row.help.empty()) text += fmt::format("\n{}\n", row.help);
  return row.supported ? text : text + "\nState: **refused**.\n";
}

std::string statement_section(std::span<const StatementSpec> list, std::size_t k, bool command) {
  return section(list[k],
                 shortest_prefix(list[k].keyword, static_cast<int>(k),
                                 [&](std::string_view word) { return find_statement(list, word); }),
                 command);
}

/// Whether the dataset has a statement of the same name as the command.
bool in_dataset(const StatementSpec& command) {
  return dataset_statement(command.keyword) != nullptr;
}

}  // namespace

std::string statement_reference() {
  std::string overview = "## Overview\n\n", body;
  const std::span<const StatementSpec> all = dataset_statements();
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const Chapter& chapter : chapters) {
      if (chapter.first != all[k].keyword) continue;
      overview += fmt::format("{}**{}**\n\n{}", k == 0 ? "" : "\n", chapter.title, overview_head);
      body += fmt::format("## {}\n\n", chapter.title);
    }
    overview += overview_row(all[k]);
    body += statement_section(all, k, false);
  }
  const std::span<const StatementSpec> commands = command_statements();
  overview += fmt::format("\n**Commands** (`.acf`)\n\n{}", overview_head);
  body +=
      "## Commands\n\nOf a command file. Those that are statements as well (INTEGRATOR, IC, OUTPUT ...) take "
      "the same\n"
      "arguments, and change only those that they name.\n\n";
  for (std::size_t k = 0; k < commands.size(); ++k) {
    overview += overview_row(commands[k]);
    if (in_dataset(commands[k])) continue;
    body += statement_section(commands, k, true);
  }
  overview += "\n[Functions](#functions) of expressions stand at the end.\n\n";
  return std::string(introduction) + overview + body + "## Functions\n\n" + function_reference();
}

namespace {

/// A statement, command or function that a word may mean.
struct Entry {
  std::string_view name;
  const char* kind;
  std::function<std::string()> text;
};

std::vector<Entry> all_entries() {
  std::vector<Entry> out;
  const std::span<const StatementSpec> statements = dataset_statements(), commands = command_statements();
  for (std::size_t k = 0; k < statements.size(); ++k)
    out.push_back(
        {statements[k].keyword, "statement", [=] { return statement_section(statements, k, false); }});
  for (std::size_t k = 0; k < commands.size(); ++k)
    if (!in_dataset(commands[k]))
      out.push_back({commands[k].keyword, "command", [=] { return statement_section(commands, k, true); }});
  for (const Builtin& row : builtins())
    out.push_back({row.name, "function", [&row] { return function_section(row); }});
  return out;
}

/// The entries whose name is the word, else those whose names begin with it.
std::vector<Entry> entries_for(const std::vector<Entry>& all, std::string_view word) {
  std::vector<Entry> exact, beginning;
  for (const Entry& e : all) {
    if (equal_ignoring_case(e.name, word)) exact.push_back(e);
    if (has_prefix_ignoring_case(e.name, word)) beginning.push_back(e);
  }
  return exact.empty() ? beginning : exact;
}

std::string one_entry(std::string_view word) {
  const std::vector<Entry> all = all_entries(), found = entries_for(all, word);
  std::vector<std::string_view> names;
  for (const Entry& e : found.empty() ? all : found) names.push_back(e.name);
  if (found.empty())
    fail(ExitCode::usage, "no statement, command or function is called {}{}; trammel reference lists all",
         in_quotes(word), did_you_mean(names, word));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.size() > 1) fail(ExitCode::usage, "{} can mean {}", in_quotes(word), join_names(names));
  std::string text;
  for (const Entry& e : found) text += e.text();
  return text;
}

}  // namespace

int reference_command(const std::string& word) {
  return guarded_command([&] {
    print_line(stdout, trim(word.empty() ? statement_reference() : one_entry(trim(word))));
    return 0;
  });
}

}  // namespace trammel
