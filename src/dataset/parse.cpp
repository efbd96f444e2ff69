#include "dataset/parse.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.h"
#include "dataset/instead.h"
#include "dataset/names.h"
#include "dataset/statement_parser.h"

namespace trammel {

namespace {

/// Text as if on one line: the marks where physical lines join are replaced by what they stand for.
std::string without_joints(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == comma_continuation) c = ',';
    if (c == ampersand_continuation) c = ' ';
  }
  return out;
}

}  // namespace

std::string shown(std::string_view text) {
  return in_quotes(without_joints(text));
}

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
    const std::string_view advice = instead_of(word);
    mistake(begin, "unknown statement {}{}", shown(word),
            advice.empty() ? did_you_mean(names, word) : fmt::format(": {}", advice));
    return false;
  }
  const StatementSpec& spec = known[static_cast<std::size_t>(found.index)];
  if (slash) {
    ++scan_.at;
  } else if (spec.has_id || (!scan_.done() && !spec.fields.empty() && spec.keyword != "SHOW")) {
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
  const std::string_view keyword = out_.spec->keyword;
  const StatementSpec* spec = std::exchange(out_.spec, nullptr);  // no label until the id is known
  const std::optional<int> id = parse_integer(digits);
  if (!id || *id <= 0) {
    std::string_view found = digits.empty() ? scan_.value() : digits;
    std::size_t cut = std::min<std::size_t>(found.size(), 40);  // not inside a character
    while (cut > 0 && cut < found.size() && (static_cast<unsigned char>(found[cut]) >> 6) == 2) --cut;
    found = found.substr(0, cut);
    mistake(begin, "{}/{}: the id must be a positive integer up to {}", keyword, without_joints(found),
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
  refuse_degrees_of_lengths();
}

void StatementParser::raw_arguments() {
  scan_.skip_separators();
  Argument argument;
  argument.field = &raw_field();
  argument.where = {file_, raw_.line_of(scan_.at)};
  for (char c : scan_.text.substr(scan_.at))
    argument.text += c == comma_continuation ? '\n' : c == ampersand_continuation ? ' ' : c;
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
  if (out_.spec->open) return &raw_field();
  if (!found.candidates.empty()) {
    mistake(offset, "argument {} is ambiguous: {}", shown(word), join_names(found.candidates));
    return nullptr;
  }
  mistake(offset, "unknown argument {}{}", shown(word), arguments_instead(*out_.spec, word));
  return nullptr;
}

/// Whether another flag of the statement stands behind the '=' here; moves to it if so.
bool StatementParser::value_is_a_flag() {
  Scanner ahead = scan_;
  ++ahead.at;
  ahead.skip_blanks();
  const std::size_t begin = ahead.at;
  const Lookup found = find_field(out_.spec->fields, ahead.word());
  if (found.index < 0) return false;
  const bool flag = out_.spec->fields[static_cast<std::size_t>(found.index)].kind == FieldKind::flag;
  if (flag) scan_.at = begin;
  return flag;
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
  if (field == &raw_field()) {  // an argument of a picture, kept as it is written
    scan_.skip_to_next_argument();
    Argument& kept = out_.arguments.emplace_back();
    kept.field = field;
    kept.where = {file_, raw_.line_of(begin)};
    kept.text = without_joints(scan_.text.substr(begin, scan_.at - begin));
    return;
  }
  if (equals && field->kind == FieldKind::flag && value_is_a_flag()) {  // FULL=RORDER: FULL, RORDER
    Argument& flag = out_.arguments.emplace_back();
    flag.field = field;
    flag.where = {file_, raw_.line_of(begin)};
    one_argument();
    return;
  }
  if (equals && field->kind == FieldKind::flag) {
    mistake(begin, "{} takes no value", field->name);
    scan_.skip_to_next_argument();
    return;
  }
  const bool may_be_bare = field->kind == FieldKind::flag || field->may_be_bare();
  if (!equals && !may_be_bare) {
    mistake(begin, "{} needs a value: {}=...", field->name, field->name);
    scan_.skip_to_next_argument();
    return;
  }
  const bool twice = !field->repeats && out_.has(field->name);
  Argument& argument = out_.arguments.emplace_back();
  argument.field = field;
  argument.where = {file_, raw_.line_of(begin)};
  if (equals) {
    ++scan_.at;
    value_of(*field, argument);
  } else if (!scan_.done() && !is_comma(scan_.peek()) && scan_.peek() != '\\') {
    Scanner rest = scan_;
    mistake(scan_.at, "a comma is missing after {}, before {}", field->name, shown(rest.value()));
  }
  if (!twice) return;
  mistake(begin, "{} is given twice", field->name);
  out_.arguments.pop_back();
}

void StatementParser::value_of(const Field& field, Argument& argument) {
  // A line may end behind the equals sign: the comma of the next line separates nothing.
  scan_.skip_blanks();
  if (scan_.peek() == comma_continuation) ++scan_.at;
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

bool note_unread(StatementLines& lines, const std::string& file, std::string_view word, const Location& end,
                 Diagnostics& diagnostics) {
  RawStatement rest;
  while (lines.next(rest)) {
    if (equal_ignoring_case(leading_word(rest.text), word)) continue;
    diagnostics.warning({file, rest.line},
                        "{} stands behind {} ({}) and is not read, nor is what follows it; remove it, or put "
                        "{} at the end",
                        shown(rest.text), word, to_string(end), word);
    return true;
  }
  return false;
}

bool parse_statement(const RawStatement& raw, const SharedName& file, std::span<const StatementSpec> known,
                     Diagnostics& diagnostics, Statement& statement, bool& sound) {
  std::vector<Argument> room = std::move(statement.arguments);
  room.clear();
  statement = {};
  statement.arguments = std::move(room);
  StatementParser parser(raw, file, diagnostics, statement);
  sound = false;
  if (!parser.head(known)) return false;
  statement.view_name = raw.view_name;
  parser.arguments();
  sound = parser.sound();
  return true;
}

}  // namespace trammel
