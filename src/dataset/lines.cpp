#include "dataset/lines.h"

#include <algorithm>

#include "base/text.h"

namespace trammel {

namespace {

bool is_valid_utf8(std::string_view s) {
  for (std::size_t k = 0; k < s.size();) {
    const auto c = static_cast<unsigned char>(s[k]);
    const std::size_t more = c < 0x80                     ? 0
                             : (c >> 5) == 6 && c >= 0xC2 ? 1
                             : (c >> 4) == 14             ? 2
                             : (c >> 3) == 30             ? 3
                                                          : 9;
    if (more == 9 || k + more >= s.size() + (more == 0 ? 1 : 0)) return false;
    unsigned code = more == 0 ? c : c & (0x3Fu >> more);
    for (std::size_t n = 1; n <= more; ++n) {
      const auto d = static_cast<unsigned char>(s[k + n]);
      if ((d >> 6) != 2) return false;
      code = code << 6 | (d & 0x3F);
    }
    // Overlong forms, surrogates and numbers above U+10FFFF are no characters.
    if ((more == 2 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) ||
        (more == 3 && (code < 0x10000 || code > 0x10FFFF)))
      return false;
    k += more + 1;
  }
  return true;
}

/// Whether nothing needs to be done. A block at a time, which the compiler takes in few instructions.
bool is_clean(std::string_view bytes) {
  constexpr std::size_t block = 4096;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(block, bytes.size()))) {
    unsigned char other = 0;
    for (const char c : bytes.substr(0, block)) {
      const auto u = static_cast<unsigned char>(c);
      const bool printable = static_cast<unsigned char>(u - 0x20) < 0x5F;
      other |= static_cast<unsigned char>(!(printable | (u == '\n') | (u == '\t')));
    }
    if (other != 0) return false;
  }
  return true;
}

bool is_blank(std::string_view text) {
  return trim(text).empty();
}

std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// First character that is no blank, or 0.
char first_mark(std::string_view text) {
  text = trim(text);
  return text.empty() ? '\0' : text.front();
}

}  // namespace

int RawStatement::line_of(std::size_t offset) const {
  const auto after = std::upper_bound(line_at.begin(), line_at.end(), offset,
                                      [](std::size_t at, const auto& entry) { return at < entry.first; });
  return after == line_at.begin() ? line : std::prev(after)->second;
}

std::string clean_text(std::string text) {
  if (is_clean(text)) return text;
  std::string_view bytes = text;
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.remove_prefix(3);
  const bool latin = !is_valid_utf8(bytes);
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    const auto c = static_cast<unsigned char>(bytes[k]);
    if (c == '\r') {
      // A carriage return alone ends a line as well.
      if (k + 1 >= bytes.size() || bytes[k + 1] != '\n') out += '\n';
    } else if (c == '\n' || c == '\t') {
      out += static_cast<char>(c);
    } else if (c < 0x20 || c == 0x7F) {
      out += ' ';
    } else if (c >= 0x80 && latin) {
      out += static_cast<char>(0xC0 | c >> 6);
      out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

void StatementLines::note_view_name(std::string_view comment) {
  constexpr std::string_view key = "adams_view_name='";
  const std::size_t at = comment.find(key);
  if (at == std::string_view::npos) return;
  comment.remove_prefix(at + key.size());
  const std::size_t quote = comment.find('\'');
  if (quote != std::string_view::npos) pending_name_ = comment.substr(0, quote);
}

bool StatementLines::fetch(Line& line) {
  if (has_held_) {
    line = held_;
    has_held_ = false;
    return true;
  }
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line.whole = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
  line.number = line_++;
  const std::size_t comment = line.whole.find('!');
  line.code = line.whole.substr(0, comment);
  if (comment != std::string_view::npos) note_view_name(line.whole.substr(comment));
  return true;
}

void StatementLines::append(RawStatement& statement, std::string_view piece, int number, bool first) {
  piece = without_trailing_blanks(piece);
  if (!first) {
    std::size_t keep = statement.text.size();
    while (keep > 0 && (statement.text[keep - 1] == ' ' || statement.text[keep - 1] == '\t')) --keep;
    statement.text.resize(keep);
    const bool comma = first_mark(piece) == ',';
    statement.text += comma ? comma_continuation : ampersand_continuation;
    if (comma) piece.remove_prefix(piece.find(',') + 1);
  }
  statement.line_at.emplace_back(statement.text.size(), number);
  statement.text += piece;
}

bool StatementLines::next(RawStatement& statement) {
  // As `statement = {}`, but for the memory of its texts.
  for (std::string* text : {&statement.text, &statement.view_name, &statement.echo}) text->clear();
  statement.line = 0;
  statement.line_at.clear();
  Line line;
  bool open = false;       // a statement has begun
  bool ampersand = false;  // the line before asked for the next one
  while (fetch(line)) {
    if (is_blank(line.code)) continue;
    const bool goes_on = open && (ampersand || first_mark(line.code) == ',');
    if (open && !goes_on) {
      held_ = line;
      has_held_ = true;
      return true;
    }
    const std::size_t semicolon = line.code.find(';');
    std::string_view piece = line.code.substr(0, semicolon);
    const std::string_view trimmed = without_trailing_blanks(piece);
    ampersand = semicolon == std::string_view::npos && !trimmed.empty() && trimmed.back() == '&';
    if (ampersand) piece = trimmed.substr(0, trimmed.size() - 1);
    if (!open) {
      if (is_blank(piece) && !ampersand) {  // nothing before a semicolon
        line.code.remove_prefix(semicolon == std::string_view::npos ? line.code.size() : semicolon + 1);
        held_ = line;
        has_held_ = semicolon != std::string_view::npos;
        continue;
      }
      statement.line = line.number;
      statement.view_name = std::move(pending_name_);
      pending_name_.clear();
    }
    if (open) statement.echo += '\n';
    statement.echo += line.whole;
    append(statement, piece, line.number, !open);
    open = true;
    if (semicolon != std::string_view::npos) {
      line.code.remove_prefix(semicolon + 1);
      if (!is_blank(line.code)) {
        held_ = line;
        has_held_ = true;
      }
      return true;
    }
  }
  return open;
}

}  // namespace trammel
