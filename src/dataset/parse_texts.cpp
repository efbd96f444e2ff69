// Values of arguments that are expressions or texts.
#include <algorithm>

#include "base/text.h"
#include "dataset/names.h"
#include "dataset/statement_parser.h"

namespace trammel {

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

/// A comma inside an expression: its end, a separator of operands, or a mere continuation.
StatementParser::Step StatementParser::comma_in(const Field& field, std::string& text,
                                                const std::string& open) {
  const std::span<const Field> fields = out_.spec->fields;
  const std::size_t after = scan_.at + 1;
  const bool continues = scan_.peek() == comma_continuation;
  if (open.empty() && argument_starts(scan_.text, after, fields, Evidence::equals_sign)) return Step::end;
  if (continues) {
    // A parenthesis was forgotten: the next line is an argument all the same.
    if (!open.empty() && argument_starts(scan_.text, after, fields, Evidence::known_name)) return Step::end;
    if (!open.empty() && joins_operands(text, after)) text += ',';
    if (!text.empty() && text.back() != ' ') text += ' ';
    return Step::go_on;
  }
  if (!open.empty()) {
    text += ',';
    return Step::go_on;
  }
  Scanner rest{scan_.text, after};
  rest.skip_blanks();
  if (rest.done() || is_comma(rest.peek())) return Step::go_on;
  mistake(scan_.at,
          "{}: a comma outside parentheses, before {}; an expression ends at \\ or at the name of the next "
          "argument",
          field.name, shown(rest.value()));
  return Step::fail;
}

/// Older decks close a component with a slash: F2=.../F3=...
bool StatementParser::slash_closes(const Field& field) const {
  if (field.name == "FUNCTION") return false;
  Scanner name{scan_.text, scan_.at + 1};
  name.skip_blanks();
  const std::string_view word = name.word();
  name.skip_blanks();
  return !word.empty() && name.peek() == '=';
}

void StatementParser::expression(const Field& field, Argument& argument) {
  const std::size_t begin = scan_.at;
  std::string& text = argument.text;
  std::string open;  // closing marks that are due
  Step step = Step::go_on;
  for (; !scan_.done(); ++scan_.at) {
    const char c = scan_.peek();
    if (c == '\\') break;
    if (is_blank_mark(c)) {
      if (!text.empty() && text.back() != ' ') text += ' ';
      continue;
    }
    if (is_comma(c)) {
      step = comma_in(field, text, open);
      if (step != Step::go_on) break;
      continue;
    }
    if (c == '/' && open.empty() && slash_closes(field)) {
      ++scan_.at;
      break;
    }
    if (c == '(' || c == '[') open += c == '(' ? ')' : ']';
    if (c == ')' || c == ']') {
      if (open.empty() || open.back() != c) {
        mistake(scan_.at, "{}: {} without its opening mark", field.name, shown(std::string_view(&c, 1)));
        step = Step::fail;
        break;
      }
      open.pop_back();
    }
    text += c;
  }
  if (step == Step::fail) {
    scan_.skip_to_next_argument();
    return;
  }
  const bool slash_ends = field.name != "FUNCTION";
  while (!text.empty() && (text.back() == ' ' || (slash_ends && text.back() == '/'))) text.pop_back();
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
    std::replace(text.begin(), text.end(), comma_continuation, ',');
    std::replace(text.begin(), text.end(), ampersand_continuation, ' ');
    scan_.at = end + 1;
    scan_.skip_blanks();
    if (!scan_.done() && !is_comma(scan_.peek()) && scan_.peek() != '\\') {
      Scanner rest = scan_;
      mistake(scan_.at, "{}: a comma is missing before {}", field.name, shown(rest.value()));
      scan_.skip_to_next_argument();
    }
    return text;
  }
  const bool in_list = field.max_count > 1;  // which a backslash ends; in a single text it may be of a path
  for (; !scan_.done() && scan_.peek() != ',' && !(in_list && scan_.peek() == '\\'); ++scan_.at) {
    if (scan_.peek() == comma_continuation) {
      // A long file name goes on in the next line; anything else begins the next value.
      if (in_list || text.empty()) break;
      if (argument_starts(scan_.text, scan_.at + 1, out_.spec->fields, Evidence::equals_sign)) break;
    } else if (scan_.peek() != ampersand_continuation) {
      text += scan_.peek();
    }
  }
  return std::string(trim(text));
}

namespace {

/// Whether an argument of this name, with its equals sign, stands in the text behind a comma or backslash.
bool has_later(Scanner scan, std::string_view name) {
  for (; !scan.done(); ++scan.at) {
    if (!is_comma(scan.peek()) && scan.peek() != '\\') continue;
    Scanner ahead{scan.text, scan.at + 1};
    ahead.skip_blanks();
    const bool same = equal_ignoring_case(ahead.word(), name);
    ahead.skip_blanks();
    if (same && ahead.peek() == '=') return true;
  }
  return false;
}

}  // namespace

/// Whether a word in a list of texts stays one of them though it is the name of a flag: CUNITS=length,force.
/// The flags DISPLACEMENT, VELOCITY, ACCELERATION and FORCE of a REQUEST belong to its marker I, and there is
/// one of them.
bool StatementParser::stays_in_list(const Field& field, Scanner ahead) const {
  if (field.name != "CUNITS" && field.name != "CNAMES" && field.name != "CLABELS") return false;
  const Lookup found = find_field(out_.spec->fields, ahead.word());
  ahead.skip_blanks();
  if (ahead.peek() == '=' || found.index < 0) return false;
  if (out_.spec->fields[static_cast<std::size_t>(found.index)].kind != FieldKind::flag) return false;
  return !out_.chosen("kind").empty() || !(out_.has("I") || has_later(ahead, "I"));
}

void StatementParser::text_list(const Field& field, Argument& argument) {
  const std::size_t begin = scan_.at;
  if (field.max_count == 1) {
    argument.text = one_text(field);
    if (argument.text.empty() && sound_) mistake(begin, "{} needs a text", field.name);
    return;
  }
  std::size_t surplus = 0;
  const auto note_surplus = [&] {
    if (surplus > 0)
      diagnostics_.note({*file_, raw_.line_of(begin)}, "{}: {} takes at most {} texts; {} more {} left out",
                        out_.label(), field.name, field.max_count, surplus, surplus == 1 ? "is" : "are");
  };
  for (;;) {
    argument.words.push_back(one_text(field));
    if (field.surplus && static_cast<int>(argument.words.size()) > field.max_count) {
      argument.words.pop_back();
      ++surplus;
    }
    if (static_cast<int>(argument.words.size()) > field.max_count) {
      mistake(begin, "{} takes at most {} texts, and there are more", field.name, field.max_count);
      scan_.skip_to_next_argument();
      return;
    }
    if (!is_comma(scan_.peek())) return note_surplus();
    const Scanner ahead = scan_.behind_comma();
    if (ahead.done()) return note_surplus();
    if (argument_starts(ahead.text, ahead.at, out_.spec->fields, Evidence::equals_sign) &&
        !(static_cast<int>(argument.words.size()) < field.max_count && stays_in_list(field, ahead)))
      return note_surplus();
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
    if (c == ampersand_continuation) argument.text += ' ';
    if (c != ampersand_continuation && c != comma_continuation) argument.text += c;
  }
  argument.text = trim(argument.text);
  if (argument.text.empty() && field.min_count > 0) mistake(begin, "{} needs a text", field.name);
}

}  // namespace trammel
