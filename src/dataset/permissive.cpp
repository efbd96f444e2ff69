#include "dataset/permissive.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "dataset/contact_shapes.h"
#include "dataset/instead.h"
#include "dataset/parse.h"
#include "dataset/registry.h"
#include "dataset/scanner.h"

namespace trammel {

namespace {

using Key = std::pair<std::string_view, int>;

/// Functions that name a statement: which argument holds the id (from 0); -1: all name markers.
struct Naming {
  std::string_view function, keyword;
  int argument = 0;
};

constexpr Naming namings[] = {
    {"VARVAL", "VARIABLE", 0}, {"DIF", "DIFF", 0},       {"DIF1", "DIFF", 0},       {"ARYVAL", "ARRAY", 0},
    {"PINVAL", "PINPUT", 0},   {"POUVAL", "POUTPUT", 0}, {"SENVAL", "SENSOR", 0},   {"VTORQUE", "VTORQUE", 0},
    {"PTCV", "PTCV", 0},       {"CVCV", "CVCV", 0},      {"CONTACT", "CONTACT", 0}, {"AKISPL", "SPLINE", 2},
    {"CUBSPL", "SPLINE", 2},   {"INTERP", "SPLINE", 2},  {"INVPSD", "SPLINE", 1},   {"CURVE", "CURVE", 3},
    {"DX", "MARKER", -1},      {"DY", "MARKER", -1},     {"DZ", "MARKER", -1},      {"DM", "MARKER", -1},
    {"AX", "MARKER", -1},      {"AY", "MARKER", -1},     {"AZ", "MARKER", -1},      {"PSI", "MARKER", -1},
    {"THETA", "MARKER", -1},   {"PHI", "MARKER", -1},    {"YAW", "MARKER", -1},     {"PITCH", "MARKER", -1},
    {"ROLL", "MARKER", -1},    {"INCANG", "MARKER", -1}, {"VX", "MARKER", -1},      {"VY", "MARKER", -1},
    {"VZ", "MARKER", -1},      {"VM", "MARKER", -1},     {"VR", "MARKER", -1},      {"WX", "MARKER", -1},
    {"WY", "MARKER", -1},      {"WZ", "MARKER", -1},     {"WM", "MARKER", -1},      {"ACCX", "MARKER", -1},
    {"ACCY", "MARKER", -1},    {"ACCZ", "MARKER", -1},   {"ACCM", "MARKER", -1},    {"WDTX", "MARKER", -1},
    {"WDTY", "MARKER", -1},    {"WDTZ", "MARKER", -1},   {"WDTM", "MARKER", -1},    {"FX", "MARKER", -1},
    {"FY", "MARKER", -1},      {"FZ", "MARKER", -1},     {"FM", "MARKER", -1},      {"TX", "MARKER", -1},
    {"TY", "MARKER", -1},      {"TZ", "MARKER", -1},     {"TM", "MARKER", -1},
};

/// What a function's argument names; no keyword where it names nothing. Functions that read the force of an
/// element stand in the table of statements.
Naming naming_of(std::string_view function) {
  for (const Naming& n : namings)
    if (equal_ignoring_case(n.function, function)) return n;
  for (const StatementSpec& spec : dataset_statements())
    if (equal_ignoring_case(spec.force_function, function)) return {spec.force_function, spec.keyword, 0};
  return {};
}

/// Every statement that `statement` refers to.
std::vector<Key> references_of(const Statement& statement) {
  std::vector<Key> keys;
  for (const Argument& argument : statement.arguments) {
    if (!argument.field->refers.empty())
      for (double id : argument.numbers) keys.emplace_back(argument.field->refers, static_cast<int>(id));
    if (argument.field->kind == FieldKind::expression)
      for (const Key& key : named_in_expression(argument.text)) keys.push_back(key);
  }
  return keys;
}

Key key_of(const Statement& statement) {
  return {statement.spec->keyword, statement.id};
}

}  // namespace

bool is_user_call(std::string_view expression) {
  expression = trim(expression);
  return has_prefix_ignoring_case(expression, "USER") && trim(expression.substr(4)).starts_with('(');
}

const Absence* absent_mention(const Description& description, const Statement& statement) {
  if (description.absent.empty()) return nullptr;
  for (const auto& [keyword, id] : references_of(statement))
    if (const Absence* a = description.find_absent(keyword, id); a && !description.find(keyword, id))
      return a;
  return nullptr;
}

std::vector<std::pair<std::string_view, int>> named_in_expression(std::string_view expression) {
  std::vector<Key> found;
  struct Call {
    Naming naming;
    int argument;
  };
  std::vector<Call> calls;  // the functions that are open
  Scanner scan{expression};
  while (!scan.done()) {
    const char c = scan.peek();
    if (is_letter(c)) {
      const std::string_view word = scan.word();
      scan.skip_blanks();
      if (scan.peek() != '(') continue;
      calls.push_back({naming_of(word), 0});
      ++scan.at;
    } else if (c >= '0' && c <= '9') {
      const std::size_t begin = scan.at;
      while (!scan.done() && (is_word_mark(scan.peek()) || scan.peek() == '.')) ++scan.at;
      const Naming naming = calls.empty() ? Naming{} : calls.back().naming;
      if (naming.keyword.empty() || (naming.argument >= 0 && naming.argument != calls.back().argument))
        continue;
      const auto id = parse_integer(expression.substr(begin, scan.at - begin));
      if (id && *id > 0) found.emplace_back(naming.keyword, *id);
    } else {
      if (c == '(') calls.push_back({{}, 0});
      if (c == ')' && !calls.empty()) calls.pop_back();
      if (c == ',' && !calls.empty()) ++calls.back().argument;
      ++scan.at;
    }
  }
  return found;
}

namespace {

/// The part of an argument that the program cannot do: "ROUTINE", "FRICTION=ON"; "" when it can do it.
std::string unsupported_part(const Argument& argument) {
  const Field& field = *argument.field;
  if (!field.unsupported_choices.empty())
    for (std::string_view choice : split(field.unsupported_choices, '|'))
      for (const std::string& word : argument.words)
        if (!choice.empty() && word == choice) return fmt::format("{}={}", field.name, choice);
  return std::string(field.support == Support::unsupported ? field.name : "");
}

/// ": " and what to write in its place, where that is known.
std::string advice_on(std::string_view name) {
  const std::string_view advice = instead_of(name);
  return advice.empty() ? "" : fmt::format(": {}", advice);
}

/// Why an argument cannot run; "" when it can.
std::string unsupported_reason(const Argument& argument) {
  const Field& field = *argument.field;
  if (field.kind == FieldKind::expression && !field.user_call && is_user_call(argument.text))
    return fmt::format("{}=USER(...): user subroutines are not supported{}", field.name,
                       advice_on(field.name));
  const std::string part = unsupported_part(argument);
  if (part.empty()) return part;
  if (field.feature.empty()) return part + " is not supported" + advice_on(field.name);
  return fmt::format("{} ({}) is not supported{}", field.feature, part, advice_on(field.name));
}

}  // namespace

std::string unsupported_reason(const Statement& statement) {
  const std::string_view keyword = statement.spec->keyword;
  if (statement.spec->support == Support::unsupported)
    return fmt::format("{} is not supported{}", keyword, advice_on(keyword));
  for (const Argument& argument : statement.arguments)
    if (const std::string reason = unsupported_reason(argument); !reason.empty()) return reason;
  return {};
}

std::string unsupported_reason(const Description& description, const StatementIndex& statements,
                               const Statement& statement) {
  const std::string reason = unsupported_reason(statement);
  return reason.empty() ? unsupported_shapes(description, statements, statement) : reason;
}

namespace {

/// Why a statement or one of its arguments is accepted without effect; "" when that is not so.
std::string idle_reason(const Statement& statement) {
  if (statement.spec->support == Support::no_effect) return "accepted, without effect in this program";
  for (const Argument& argument : statement.arguments)
    if (argument.field->support == Support::no_effect)
      return fmt::format("{} is accepted, without effect in this program", argument.field->name);
  return {};
}

/// Messages of the same kind at their first place, with the count of the others.
class Tally {
 public:
  void add(const Statement& statement, const std::string& reason) {
    const auto [entry, fresh] = entries_.try_emplace({statement.spec->keyword, reason}, order_.size());
    if (fresh) order_.push_back({statement.where, statement.label(), reason, 0});
    ++order_[entry->second].count;
  }
  template <class Tell>
  void tell(Tell tell) const {
    for (const Entry& e : order_)
      tell(e.where, e.count == 1 ? fmt::format("{}: {}", e.label, e.reason)
                                 : fmt::format("{}: {} ({} such statements)", e.label, e.reason, e.count));
  }

 private:
  struct Entry {
    Location where;
    std::string label, reason;
    int count;
  };
  std::map<std::pair<std::string_view, std::string>, std::size_t> entries_;
  std::vector<Entry> order_;
};

}  // namespace

void report_unsupported(const Description& description, Diagnostics& diagnostics) {
  Tally unsupported, idle;
  const StatementIndex statements(description);
  for (const Statement& statement : description.statements) {
    if (const std::string reason = unsupported_reason(description, statements, statement); !reason.empty())
      unsupported.add(statement, reason);
    else if (const std::string note = idle_reason(statement); !note.empty())
      idle.add(statement, note);
  }
  unsupported.tell([&](const Location& where, const std::string& text) {
    diagnostics.unsupported(where, "{}; remove it or use --permissive", text);
  });
  idle.tell([&](const Location& where, const std::string& text) { diagnostics.note(where, "{}", text); });
}

void report_unsupported(const CommandFile& commands, Diagnostics& diagnostics) {
  for (const Command& command : commands.commands) {
    const Statement& statement = command.statement;
    if (const std::string reason = unsupported_reason(statement); !reason.empty()) {
      diagnostics.unsupported(command.where, "{}: {}", statement.label(), reason);
    } else if (const std::string note = idle_reason(statement); !note.empty()) {
      diagnostics.note(command.where, "{}: {}", statement.label(), note);
    }
  }
}

void DropReport::add(DroppedStatement statement) {
  const auto count = std::find_if(counts.begin(), counts.end(),
                                  [&](const auto& entry) { return entry.first == statement.keyword; });
  if (count != counts.end())
    count->second += statement.wrong ? 0 : 1;
  else if (!statement.wrong)
    counts.emplace_back(statement.keyword, 1);
  dropped.push_back(std::move(statement));
}

void DropReport::append(const DropReport& later) {
  for (const DroppedStatement& statement : later.dropped) add(statement);
  dependents.insert(dependents.end(), later.dependents.begin(), later.dependents.end());
}

namespace {

/// Why a statement is dropped, and the place that shows it.
struct Reason {
  std::string text;
  Location where;
  bool wrong = false;  ///< a mistake; else unsupported
};

/// Which statements depend on a statement that is dropped or absent.
class Dependence {
 public:
  explicit Dependence(const Description& description) {
    const std::vector<Statement>& statements = description.statements;
    for (std::size_t k = 0; k < statements.size(); ++k) at_.emplace(key_of(statements[k]), k);
    for (std::size_t k = 0; k < statements.size(); ++k) {
      for (const Key& key : references_of(statements[k])) referring_[key].push_back(k);
      for (std::string_view name : {"X", "Y"}) add_array(statements[k], name);
    }
  }
  /// Indices of those that depend on statement k; none where a statement before it has the same id.
  std::vector<std::size_t> on(const Statement& statement, std::size_t k) const {
    const Key key = key_of(statement);
    return at_.at(key) == k ? on(key) : std::vector<std::size_t>{};
  }
  /// Indices of those that depend on an absent statement, unless another statement has its keyword and id.
  /// Where the keyword is unknown: of all that name any statement with that id.
  std::vector<std::size_t> on(const Absence& absence) const {
    std::vector<std::size_t> all;
    if (!absence.keyword.empty()) {
      const Key key{absence.keyword, absence.id};
      return at_.contains(key) ? all : on(key);
    }
    for (const auto& [key, list] : referring_)
      if (key.second == absence.id && absence.id > 0 && !at_.contains(key))
        all.insert(all.end(), list.begin(), list.end());
    return all;
  }

 private:
  std::vector<std::size_t> on(const Key& key) const {
    const auto list = referring_.find(key);
    return list == referring_.end() ? std::vector<std::size_t>{} : list->second;
  }
  /// An ARRAY of states or outputs has its values from the system that names it so.
  void add_array(const Statement& system, std::string_view name) {
    const Argument* array = system.find(name);
    if (array == nullptr || array->field->refers != "ARRAY" || array->numbers.empty()) return;
    const auto found = at_.find({"ARRAY", static_cast<int>(array->numbers.front())});
    if (found != at_.end()) referring_[key_of(system)].push_back(found->second);
  }

  std::map<Key, std::size_t> at_;
  std::map<Key, std::vector<std::size_t>> referring_;
};

DropReport take_out(Description& description, const std::map<std::size_t, Reason>& wrong,
                    Dependents dependents) {
  DropReport report;
  if (wrong.empty() && description.absent.empty()) return report;
  const bool drop = dependents == Dependents::drop;
  const Dependence dependence(description);
  std::set<std::size_t> gone, seen;
  std::deque<std::size_t> open;
  const auto follow = [&](const std::vector<std::size_t>& list, const std::string& on) {
    for (std::size_t k : list) {
      if (!seen.insert(k).second) continue;
      const Statement& statement = description.statements[k];
      report.dependents.push_back({statement.label(), on, statement.where, drop});
      if (drop) gone.insert(k);
      open.push_back(k);
    }
  };
  for (const auto& [k, reason] : wrong) {
    const Statement& statement = description.statements[k];
    report.add(
        {std::string(statement.spec->keyword), statement.label(), reason.text, reason.where, reason.wrong});
    gone.insert(k);
    seen.insert(k);
    open.push_back(k);
  }
  for (const Absence& absence : description.absent)
    follow(dependence.on(absence),
           absence.label.empty() ? "what stands at " + to_string(absence.where) : absence.label);
  for (; !open.empty(); open.pop_front()) {
    const Statement& missing = description.statements[open.front()];
    follow(dependence.on(missing, open.front()), missing.label());
  }
  for (std::size_t k : gone) {
    const Statement& s = description.statements[k];
    description.absent.push_back({s.spec->keyword, s.id, s.label(), s.where});
  }
  std::size_t place = 0;
  std::erase_if(description.statements, [&](const Statement&) { return gone.contains(place++); });
  return report;
}

/// Which statement is on which line.
class Places {
 public:
  struct Entry {
    int line;
    std::string label;
    int statement = -1;  ///< index in Description::statements; -1: absent
  };

  explicit Places(const Description& description) : description_(description), file_(description.file) {
    for (std::size_t k = 0; k < description.statements.size(); ++k) {
      const Statement& s = description.statements[k];
      if (s.where.name() == file_) entries_.push_back({s.where.line, s.label(), static_cast<int>(k)});
    }
    for (const Absence& a : description.absent)
      if (a.where.file == file_) entries_.push_back({a.where.line, a.label});
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.line < b.line; });
  }
  /// The statement that an error is about: that on the error's line; where one statement ends and others
  /// begin on the line, the one whose label the error's text begins with.
  std::optional<Entry> about(const Diagnostic& error) const {
    if (error.where.line <= 0) return std::nullopt;
    if (error.where.file != file_) return changed_there(error);
    auto end = std::upper_bound(entries_.begin(), entries_.end(), error.where.line,
                                [](int line, const Entry& e) { return line < e.line; });
    if (end == entries_.begin()) return std::nullopt;
    const auto last = std::prev(end);
    for (auto at = end; at != entries_.begin();) {
      --at;
      if (is_named(at->label, error)) return *at;
      if (at->line < last->line) break;  // only the last statement above may reach into this line
    }
    return *last;
  }

 private:
  static bool is_named(const std::string& label, const Diagnostic& error) {
    return !label.empty() && error.text.starts_with(label + ":");
  }
  /// A statement of which a command of another file has changed an argument.
  std::optional<Entry> changed_there(const Diagnostic& error) const {
    for (std::size_t k = 0; k < description_.statements.size(); ++k) {
      const Statement& s = description_.statements[k];
      for (const Argument& a : s.arguments)
        if (a.where.line == error.where.line && a.where.name() == error.where.file &&
            is_named(s.label(), error))
          return Entry{error.where.line, s.label(), static_cast<int>(k)};
    }
    return std::nullopt;
  }

  const Description& description_;
  std::string file_;
  std::vector<Entry> entries_;
};

/// The text of an error without the label that it begins with.
std::string bare(const std::string& text, const std::string& label) {
  return !label.empty() && text.starts_with(label + ": ") ? text.substr(label.size() + 2) : text;
}

/// Takes out of a statement what it can do without: arguments of a feature that is not supported.
void drop_features(Statement& statement, DropReport& report) {
  DroppedStatement out;
  const auto left_out = [&](const Argument& argument) {
    if (argument.field->feature.empty() || unsupported_reason(argument).empty()) return false;
    const bool first = out.keyword.empty();
    if (first) out.where = argument.where;
    out.keyword = argument.field->feature;
    out.reason += fmt::format("{}{}", first ? "" : ", ", argument.field->name);
    return true;
  };
  std::vector<Argument> kept;
  for (const Argument& argument : statement.arguments)
    if (!left_out(argument)) kept.push_back(argument);
  if (out.keyword.empty()) return;
  statement.arguments = std::move(kept);
  out.label = fmt::format("{} of {}", out.keyword, statement.label());
  out.reason = fmt::format("not supported ({})", out.reason);
  report.dropped.push_back(std::move(out));
}

}  // namespace

DropReport drop_unsupported(Description& description, Dependents dependents) {
  DropReport report;
  std::map<std::size_t, Reason> wrong;
  const StatementIndex statements(description);
  for (std::size_t k = 0; k < description.statements.size(); ++k) {
    drop_features(description.statements[k], report);
    const Statement& statement = description.statements[k];
    if (const std::string reason = unsupported_reason(description, statements, statement); !reason.empty())
      wrong[k] = {reason, statement.where};
  }
  report.append(take_out(description, wrong, dependents));
  return report;
}

DropReport drop_wrong(Description& description, Diagnostics& found, Wrong which) {
  const Places places(description);
  std::map<std::size_t, Reason> wrong;
  Diagnostics rest;
  DropReport unread;  // statements that are absent already, as far as they name an element
  for (const Diagnostic& d : found.list()) {
    const auto entry = d.severity == Severity::error ? places.about(d) : std::nullopt;
    const Statement* s = entry && entry->statement >= 0 ? &description.statements[entry->statement] : nullptr;
    if (!entry || entry->label.empty() || (s && which == Wrong::elements && !s->spec->has_id)) {
      rest.add(d);
    } else if (s == nullptr) {
      unread.add({entry->label.substr(0, entry->label.find('/')), entry->label, d.text, d.where, true});
    } else {
      Reason& reason = wrong[static_cast<std::size_t>(entry->statement)];
      reason.text += (reason.text.empty() ? "" : "; ") + bare(d.text, entry->label);
      if (!reason.wrong) reason.where = d.where;
      reason.wrong = true;
    }
  }
  found = rest;
  DropReport report = take_out(description, wrong, Dependents::drop);
  unread.append(report);
  return unread;
}

}  // namespace trammel
