#include "dataset/parse.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/text.h"
#include "dataset/names.h"
#include "dataset/scanner.h"

namespace trammel {

namespace {

/// Text for people: joints shown as they were meant.
std::string shown(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == comma_joint) c = ',';
    if (c == plain_joint) c = ' ';
  }
  return in_quotes(out);
}

bool takes_degrees(const Field& field) {
  return field.unit.starts_with("angle") || field.unit.find("or angle") != std::string_view::npos;
}

/// Digits with an exponent that leaves the range of double: 1E999 is infinite, 1E-999 is zero.
std::optional<double> out_of_range_number(std::string_view token) {
  std::string digits;
  for (char c : token) {
    const bool exponent = c == 'd' || c == 'D' || c == 'e' || c == 'E';
    if (!exponent && !(c >= '0' && c <= '9') && c != '.' && c != '+' && c != '-') return std::nullopt;
    digits += exponent ? 'e' : c;
  }
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (digits.empty() || end != digits.c_str() + digits.size()) return std::nullopt;
  return value;
}

class StatementParser {
 public:
  StatementParser(const RawStatement& raw, const std::string& file, Diagnostics& diagnostics, Statement& out)
      : raw_(raw), file_(file), diagnostics_(diagnostics), out_(out), scan_{raw.text} {}

  bool head(std::span<const StatementSpec> known);
  void arguments();
  bool sound() const { return sound_; }

 private:
  template <class... Args>
  void mistake(std::size_t offset, fmt::format_string<Args...> format, Args&&... args) {
    sound_ = false;
    const std::string label = out_.label();
    diagnostics_.error({file_, raw_.line_of(offset)}, "{}{}{}", label, label.empty() ? "" : ": ",
                       fmt::format(format, std::forward<Args>(args)...));
  }

  bool identifier();
  void raw_arguments();
  void one_argument();
  const Field* field_named(std::string_view word, std::size_t offset);
  void value_of(const Field& field, Argument& argument);
  void number_list(const Field& field, Argument& argument);
  bool more_values(const Field& field, const Argument& argument);
  bool number(const Field& field, std::string_view token, std::size_t offset, Argument& argument);
  void keyword_list(const Field& field, Argument& argument);
  void expression(const Field& field, Argument& argument);
  void text_list(const Field& field, Argument& argument);
  std::string one_text(const Field& field);
  void long_text(const Field& field, Argument& argument);
  bool joins_operands(std::string_view before, std::size_t after) const;

  const RawStatement& raw_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  Statement& out_;
  Scanner scan_;
  bool sound_ = true;
};

bool StatementParser::head(std::span<const StatementSpec> known) {
  out_.where = {file_, raw_.line};
  scan_.skip_blanks();
  const std::size_t begin = scan_.at;
  const std::string_view word = scan_.word();
  scan_.skip_blanks();
  const bool slash = scan_.peek() == '/';
  if (word.empty() || (!slash && scan_.peek() == '=')) {
    mistake(begin, "{} begins no statement; a line that continues one has a comma in column 1",
            shown(raw_.text.substr(begin, 60)));
    return false;
  }
  const Lookup found = find_statement(known, word);
  if (found.index < 0) {
    if (!found.candidates.empty()) {
      mistake(begin, "statement {} is ambiguous: {}", shown(word), join_names(found.candidates));
      return false;
    }
    std::vector<std::string_view> names;
    for (const StatementSpec& spec : known) names.push_back(spec.keyword);
    mistake(begin, "unknown statement {}{}", shown(word), did_you_mean(names, word));
    return false;
  }
  const StatementSpec& spec = known[static_cast<std::size_t>(found.index)];
  if (slash) {
    ++scan_.at;
  } else if (spec.has_id || (!scan_.done() && !spec.fields.empty())) {  // but: SHOW STATE=SIM
    mistake(begin, "a slash is missing after {}", shown(word));
    return false;
  }
  out_.spec = &spec;
  if (!out_.spec->has_id) return true;
  return identifier();
}

bool StatementParser::identifier() {
  scan_.skip_blanks();
  const std::size_t begin = scan_.at;
  if (scan_.peek() == '-' || scan_.peek() == '+') ++scan_.at;
  while (!scan_.done() && scan_.peek() >= '0' && scan_.peek() <= '9') ++scan_.at;
  const std::string_view digits = scan_.text.substr(begin, scan_.at - begin);
  const std::string keyword(out_.spec->keyword);
  const StatementSpec* spec = std::exchange(out_.spec, nullptr);  // no label until the id is known
  const std::optional<int> id = parse_integer(digits);
  if (!id || *id <= 0) {
    const std::string_view found = digits.empty() ? scan_.value() : digits;
    mistake(begin, "{}/{}: the id must be a positive integer up to {}", keyword, found.substr(0, 40),
            std::numeric_limits<int>::max());
    return false;
  }
  out_.spec = spec;
  out_.id = *id;
  scan_.skip_blanks();
  if (!scan_.done() && !is_comma(scan_.peek())) {
    Scanner rest = scan_;
    mistake(scan_.at, "a comma is missing after the id, before {}", shown(rest.value()));
  }
  return true;
}

void StatementParser::arguments() {
  if (out_.spec->fields.empty()) {
    raw_arguments();
    return;
  }
  for (scan_.skip_separators(); !scan_.done(); scan_.skip_separators()) one_argument();
}

void StatementParser::raw_arguments() {
  scan_.skip_separators();
  Argument argument;
  argument.field = &raw_field();
  argument.where = {file_, raw_.line_of(scan_.at)};
  for (char c : scan_.text.substr(scan_.at))
    argument.text += c == comma_joint ? '\n' : c == plain_joint ? ' ' : c;
  while (!argument.text.empty() && (is_blank_mark(argument.text.back()) || argument.text.back() == '\n'))
    argument.text.pop_back();
  if (!argument.text.empty()) out_.arguments.push_back(std::move(argument));
}

const Field* StatementParser::field_named(std::string_view word, std::size_t offset) {
  static constexpr Field label{
      .name = "LABEL", .kind = FieldKind::text, .help = "name for people", .support = Support::kept};
  const Lookup found = find_field(out_.spec->fields, word);
  if (found.index >= 0) return &out_.spec->fields[static_cast<std::size_t>(found.index)];
  if (equal_ignoring_case(word, "LABEL")) return &label;
  if (!found.candidates.empty()) {
    mistake(offset, "argument {} is ambiguous: {}", shown(word), join_names(found.candidates));
    return nullptr;
  }
  std::vector<std::string_view> names;
  for (const Field& field : out_.spec->fields) names.push_back(field.name);
  mistake(offset, "unknown argument {}{}", shown(word), did_you_mean(names, word));
  return nullptr;
}

void StatementParser::one_argument() {
  const std::size_t begin = scan_.at;
  const std::string_view word = scan_.word();
  if (word.empty()) {
    mistake(begin, "the name of an argument is expected, found {}", shown(scan_.value()));
    scan_.skip_to_next_argument();
    return;
  }
  scan_.skip_blanks();
  const bool equals = scan_.peek() == '=';
  const Field* field = field_named(word, begin);
  if (field == nullptr) {
    scan_.skip_to_next_argument();
    return;
  }
  if (equals && field->kind == FieldKind::flag) {
    mistake(begin, "{} takes no value", field->name);
    scan_.skip_to_next_argument();
    return;
  }
  if (!equals && field->kind != FieldKind::flag) {
    mistake(begin, "{} needs a value: {}=...", field->name, field->name);
    scan_.skip_to_next_argument();
    return;
  }
  Argument argument;
  argument.field = field;
  argument.where = {file_, raw_.line_of(begin)};
  if (equals) {
    ++scan_.at;
    value_of(*field, argument);
  } else if (!scan_.done() && !is_comma(scan_.peek()) && scan_.peek() != '\\') {
    Scanner rest = scan_;
    mistake(scan_.at, "a comma is missing after {}, before {}", field->name, shown(rest.value()));
  }
  if (!field->repeats && out_.has(field->name)) {
    mistake(begin, "{} is given twice", field->name);
    return;
  }
  out_.arguments.push_back(std::move(argument));
}

void StatementParser::value_of(const Field& field, Argument& argument) {
  // A line may end behind the equals sign: the comma of the next line separates nothing.
  scan_.skip_blanks();
  if (scan_.peek() == comma_joint) ++scan_.at;
  scan_.skip_blanks();
  switch (field.kind) {
    case FieldKind::flag:
      break;
    case FieldKind::integer:
    case FieldKind::real:
    case FieldKind::id:
    case FieldKind::ids:
      number_list(field, argument);
      break;
    case FieldKind::choice:
    case FieldKind::choices:
    case FieldKind::logicals:
      keyword_list(field, argument);
      break;
    case FieldKind::expression:
      expression(field, argument);
      break;
    case FieldKind::text:
      text_list(field, argument);
      break;
    case FieldKind::long_text:
      long_text(field, argument);
      break;
  }
}

bool StatementParser::number(const Field& field, std::string_view token, std::size_t offset,
                             Argument& argument) {
  std::string compact;  // a sign may stand apart from its digits
  for (char c : token)
    if (!is_blank_mark(c) || (!compact.empty() && compact != "-" && compact != "+")) compact += c;
  if (compact.empty()) {
    mistake(offset, "a value is missing in {}", field.name);
    return false;
  }
  if (field.kind != FieldKind::real) {
    const std::optional<int> value = parse_integer(compact);
    if (!value) {
      mistake(offset, "{} takes {}, found {}", field.name,
              field.kind == FieldKind::integer ? "an integer" : "an id", shown(token));
      return false;
    }
    argument.numbers.push_back(*value);
    return true;
  }
  std::optional<double> value = parse_number(compact);
  const bool degrees = compact.back() == 'd' || compact.back() == 'D';
  if (!value) value = out_of_range_number(compact);
  if (!value) {
    mistake(offset, "{} takes a number, found {}", field.name, shown(token));
    return false;
  }
  if (!std::isfinite(*value)) {
    mistake(offset, "{} takes a finite number, found {}", field.name, shown(token));
    return false;
  }
  if (degrees && !takes_degrees(field)) {
    mistake(offset, "{} is no angle: {} cannot be in degrees", field.name, shown(token));
    return false;
  }
  argument.numbers.push_back(*value);
  return true;
}

/// Whether the list goes on behind the comma at the cursor; if so, steps over the comma.
bool StatementParser::more_values(const Field& field, const Argument& argument) {
  if (!is_comma(scan_.peek())) return false;
  Scanner ahead = scan_;
  const bool at_line_end = ahead.peek() == ',';
  ++ahead.at;
  ahead.skip_blanks();
  // A comma at a line's end and the one in column 1 of the next line are one separator.
  if (at_line_end && ahead.peek() == comma_joint) {
    ++ahead.at;
    ahead.skip_blanks();
  }
  if (ahead.done() || ahead.peek() == '\\') return false;
  if (is_letter(ahead.peek())) {
    // A word begins the next argument, unless it stands in the place of a number.
    if (static_cast<int>(argument.numbers.size()) >= field.min_count) return false;
    Scanner beyond = ahead;
    const std::string_view word = beyond.word();
    beyond.skip_blanks();
    if (beyond.peek() == '=' || find_field(out_.spec->fields, word).index >= 0) return false;
  }
  scan_ = ahead;
  return true;
}

void StatementParser::number_list(const Field& field, Argument& argument) {
  const std::size_t begin = scan_.at;
  bool good = true;
  do {
    const std::size_t offset = scan_.at;
    good = number(field, scan_.value(), offset, argument) && good;
  } while (static_cast<int>(argument.numbers.size()) <= field.max_count && more_values(field, argument));
  const int count = static_cast<int>(argument.numbers.size());
  if (!good || (count >= field.min_count && count <= field.max_count)) return;
  if (count > field.max_count) {
    mistake(begin, "{} takes {}{} value{}, and there are more", field.name,
            field.min_count < field.max_count ? "at most " : "", field.max_count,
            field.max_count == 1 ? "" : "s");
    scan_.skip_to_next_argument();
  } else {
    mistake(begin, "{} takes {}{} values, found {}", field.name,
            field.min_count < field.max_count ? "at least " : "", field.min_count, count);
  }
}

void StatementParser::keyword_list(const Field& field, Argument& argument) {
  const std::size_t begin = scan_.at;
  const std::string_view all = scan_.value();
  const std::string_view choices = field.kind == FieldKind::logicals ? "TRUE|FALSE" : field.choices;
  for (std::string_view part : split(all, ':')) {
    part = trim(part);
    const Lookup found = find_choice(choices, part);
    if (found.index < 0) {
      if (found.candidates.empty()) {
        const std::vector<std::string_view> names = split(choices, '|');
        mistake(begin, "{} cannot be {}; it is {}", field.name, shown(part), join_names(names));
      } else {
        mistake(begin, "{}: {} is ambiguous: {}", field.name, shown(part), join_names(found.candidates));
      }
      return;
    }
    if (field.kind == FieldKind::logicals) {
      argument.numbers.push_back(found.index == 0 ? 1 : 0);
    } else {
      argument.words.emplace_back(split(choices, '|')[static_cast<std::size_t>(found.index)]);
    }
    if (static_cast<int>(std::max(argument.words.size(), argument.numbers.size())) > field.max_count) {
      mistake(begin, "{} takes at most {} value{}, and there are more", field.name, field.max_count,
              field.max_count == 1 ? "" : "s");
      return;
    }
  }
}

/// Inside parentheses: whether a line's leading comma separates two operands (and is no mere continuation).
bool StatementParser::joins_operands(std::string_view before, std::size_t after) const {
  while (!before.empty() && is_blank_mark(before.back())) before.remove_suffix(1);
  Scanner next{scan_.text, after};
  next.skip_blanks();
  if (before.empty() || next.done()) return false;
  const auto operand = [](char c) { return is_word_mark(c) || c == '.'; };
  const char last = before.back(), first = next.peek();
  return (operand(last) || last == ')' || last == ']') && (operand(first) || first == '(' || first == '[');
}

void StatementParser::expression(const Field& field, Argument& argument) {
  const std::size_t begin = scan_.at;
  std::string& text = argument.text;
  std::string open;  // closing marks that are due
  const auto put_blank = [&] {
    if (!text.empty() && text.back() != ' ') text += ' ';
  };
  for (; !scan_.done(); ++scan_.at) {
    const char c = scan_.peek();
    if (c == '\\') break;
    if (is_blank_mark(c)) {
      put_blank();
    } else if (is_comma(c)) {
      const std::span<const Field> fields = out_.spec->fields;
      if (open.empty() && argument_starts(scan_.text, scan_.at + 1, fields, Evidence::equals_sign)) break;
      if (c == comma_joint) {
        if (!open.empty() && argument_starts(scan_.text, scan_.at + 1, fields, Evidence::known_name)) break;
        if (!open.empty() && joins_operands(text, scan_.at + 1)) text += ',';
        put_blank();
      } else if (open.empty()) {
        Scanner rest{scan_.text, scan_.at + 1};
        rest.skip_blanks();
        if (rest.done() || is_comma(rest.peek())) continue;
        mistake(scan_.at,
                "{}: a comma outside parentheses, before {}; an expression ends at \\ or at the "
                "name of the next argument",
                field.name, shown(rest.value()));
        scan_.skip_to_next_argument();
        return;
      } else {
        text += ',';
      }
    } else if (c == '/' && open.empty() &&
               argument_starts(scan_.text, scan_.at + 1, out_.spec->fields, Evidence::equals_sign)) {
      Scanner name{scan_.text, scan_.at + 1};  // older decks close a component with a slash: F2=.../F3=...
      name.skip_blanks();
      name.word();
      name.skip_blanks();
      if (name.peek() == '=') {
        ++scan_.at;
        break;
      }
      text += c;
    } else {
      if (c == '(') open += ')';
      if (c == '[') open += ']';
      if (c == ')' || c == ']') {
        if (open.empty() || open.back() != c) {
          mistake(scan_.at, "{}: {} without its opening mark", field.name, shown(std::string_view(&c, 1)));
          scan_.skip_to_next_argument();
          return;
        }
        open.pop_back();
      }
      text += c;
    }
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '/')) text.pop_back();
  if (!open.empty()) mistake(begin, "{}: {} is missing", field.name, open.back() == ')' ? "a )" : "a ]");
  if (text.empty()) mistake(begin, "{}: the expression is empty", field.name);
}

std::string StatementParser::one_text(const Field& field) {
  scan_.skip_blanks();
  std::string text;
  const char quote = scan_.peek();
  if (quote == '"' || quote == '\'') {
    const std::size_t end = scan_.text.find(quote, scan_.at + 1);
    if (end == std::string_view::npos) {
      mistake(scan_.at, "{}: the quotation mark is not closed", field.name);
      scan_.at = scan_.text.size();
      return text;
    }
    text = scan_.text.substr(scan_.at + 1, end - scan_.at - 1);
    std::replace(text.begin(), text.end(), comma_joint, ',');
    std::replace(text.begin(), text.end(), plain_joint, ' ');
    scan_.at = end + 1;
    scan_.skip_blanks();
    if (!scan_.done() && !is_comma(scan_.peek()) && scan_.peek() != '\\') {
      Scanner rest = scan_;
      mistake(scan_.at, "{}: a comma is missing before {}", field.name, shown(rest.value()));
      scan_.skip_to_next_argument();
    }
    return text;
  }
  for (; !scan_.done() && scan_.peek() != ','; ++scan_.at) {
    if (scan_.peek() == comma_joint) {
      // A long file name goes on in the next line; anything else begins the next value.
      if (field.max_count > 1 || text.empty()) break;
      if (argument_starts(scan_.text, scan_.at + 1, out_.spec->fields, Evidence::equals_sign)) break;
    } else if (scan_.peek() != plain_joint) {
      text += scan_.peek();
    }
  }
  return std::string(trim(text));
}

void StatementParser::text_list(const Field& field, Argument& argument) {
  const std::size_t begin = scan_.at;
  if (field.max_count == 1) {
    argument.text = one_text(field);
    if (argument.text.empty() && sound_) mistake(begin, "{} needs a text", field.name);
    return;
  }
  for (;;) {
    argument.words.push_back(one_text(field));
    if (static_cast<int>(argument.words.size()) > field.max_count) {
      mistake(begin, "{} takes at most {} texts, and there are more", field.name, field.max_count);
      scan_.skip_to_next_argument();
      return;
    }
    if (!is_comma(scan_.peek())) return;
    const bool at_line_end = scan_.peek() == ',';
    Scanner ahead{scan_.text, scan_.at + 1};
    ahead.skip_blanks();
    if (at_line_end && ahead.peek() == comma_joint) {
      ++ahead.at;
      ahead.skip_blanks();
    }
    if (ahead.done() || argument_starts(ahead.text, ahead.at, out_.spec->fields, Evidence::equals_sign))
      return;
    scan_ = ahead;
  }
}

void StatementParser::long_text(const Field& field, Argument& argument) {
  const bool alone = out_.spec->fields.size() == 1;
  const std::size_t begin = scan_.at;
  for (; !scan_.done(); ++scan_.at) {
    const char c = scan_.peek();
    if (!alone && (is_comma(c) || c == '\\') &&
        argument_starts(scan_.text, scan_.at + 1, out_.spec->fields, Evidence::known_name))
      break;
    if (c == plain_joint) argument.text += ' ';
    if (c != plain_joint && c != comma_joint) argument.text += c;
  }
  argument.text = trim(argument.text);
  if (argument.text.empty()) mistake(begin, "{} needs a text", field.name);
}

}  // namespace

const Field& raw_field() {
  static constexpr Field field{.name = "", .kind = FieldKind::long_text, .help = "arguments, unread"};
  return field;
}

std::string_view leading_word(std::string_view text) {
  Scanner scan{text};
  scan.skip_blanks();
  const std::string_view word = scan.word();
  scan.skip_blanks();
  return scan.done() ? word : std::string_view{};
}

bool parse_statement(const RawStatement& raw, const std::string& file, std::span<const StatementSpec> known,
                     Diagnostics& diagnostics, Statement& statement, bool& sound) {
  statement = {};
  StatementParser parser(raw, file, diagnostics, statement);
  sound = false;
  if (!parser.head(known)) return false;
  statement.view_name = raw.view_name;
  parser.arguments();
  sound = parser.sound();
  return true;
}

}  // namespace trammel
