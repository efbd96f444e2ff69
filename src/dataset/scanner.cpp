#include "dataset/scanner.h"

#include "dataset/names.h"

namespace trammel {

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_word_mark(char c) {
  return is_letter(c) || (c >= '0' && c <= '9');
}
bool is_blank_mark(char c) {
  return c == ' ' || c == '\t' || c == ampersand_continuation;
}
bool is_comma(char c) {
  return c == ',' || c == comma_continuation;
}

void Scanner::skip_blanks() {
  while (!done() && is_blank_mark(text[at])) ++at;
}

void Scanner::skip_separators() {
  while (!done() && (is_blank_mark(text[at]) || is_comma(text[at]) || text[at] == '\\')) ++at;
}

std::string_view Scanner::word() {
  const std::size_t begin = at;
  if (!is_letter(peek())) return {};
  while (!done() && is_word_mark(text[at])) ++at;
  return text.substr(begin, at - begin);
}

std::string_view Scanner::value() {
  const std::size_t begin = at;
  while (!done() && !is_comma(text[at]) && text[at] != '\\') ++at;
  std::size_t end = at;
  while (end > begin && is_blank_mark(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

Scanner Scanner::behind_comma() const {
  Scanner ahead{text, at + 1};
  ahead.skip_blanks();
  // A comma at a line's end and the one in column 1 of the next line are one separator.
  if (peek() == ',' && ahead.peek() == comma_continuation) {
    ++ahead.at;
    ahead.skip_blanks();
  }
  return ahead;
}

void Scanner::skip_to_next_argument() {
  int depth = 0;
  for (; !done(); ++at) {
    const char c = text[at];
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (c == '\\') return;
    if (is_comma(c) && depth == 0) {
      Scanner ahead{text, at + 1};
      ahead.skip_blanks();
      if (!ahead.word().empty()) return;
    }
  }
}

bool argument_starts(std::string_view text, std::size_t at, std::span<const Field> fields,
                     Evidence evidence) {
  Scanner ahead{text, at};
  ahead.skip_blanks();
  const std::string_view word = ahead.word();
  if (word.empty()) return false;
  ahead.skip_blanks();
  const bool equals = ahead.peek() == '=';
  if (equals && evidence == Evidence::equals_sign) return true;
  if (!equals && !ahead.done() && !is_comma(ahead.peek()) && ahead.peek() != '\\') return false;
  const Lookup found = find_field(fields, word);
  if (found.index < 0) return false;
  const Field& field = fields[static_cast<std::size_t>(found.index)];
  if (equals) return field.kind != FieldKind::flag && (word.size() >= 3 || word.size() == field.name.size());
  return field.kind == FieldKind::flag && (word.size() >= 3 || word.size() == field.name.size());
}

}  // namespace trammel
