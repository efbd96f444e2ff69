#include "expression/parse.h"

#include <cctype>
#include <charconv>
#include <numbers>

#include "base/text.h"

namespace trammel {

namespace {

/// Shortens a message in which a name or number may be as long as the expression: its head and its end.
std::string abridged(const std::string& text) {
  constexpr std::size_t longest = 300, tail = 60;
  if (text.size() <= longest) return text;
  return text.substr(0, longest - tail) + " ... " + text.substr(text.size() - tail);
}

}  // namespace

ExpressionError::ExpressionError(int column, const std::string& text, ExitCode code, const std::string& hint)
    : Failure(code, fmt::format("{} at column {}{}", abridged(text), column,
                                hint.empty() ? "" : " (" + hint + ")")),
      column_(column),
      reason_(abridged(text)) {}

namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_name(char c) {
  return is_name_start(c) || is_digit(c);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ExpressionTree parse() {
    if (text_.size() > max_expression_length)
      fail(1, fmt::format("expression longer than {} characters", max_expression_length));
    if (peek() == '\0' && at_end()) fail(1, "the expression is empty");
    tree_.root = expression();
    if (!at_end()) unexpected("an operator or the end");
    return std::move(tree_);
  }

 private:
  [[noreturn]] void fail(int column, const std::string& text, const std::string& hint = {}) const {
    throw ExpressionError(column, text, ExitCode::input, hint);
  }
  [[noreturn]] void unexpected(std::string_view wanted) const {
    if (at_ >= text_.size())
      fail(column(), fmt::format("the expression ends where {} should follow,", wanted));
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    const std::string shown = std::isprint(c) ? fmt::format("\"{}\"", text_[at_]) : fmt::format("byte {}", c);
    fail(column(), fmt::format("{} where {} should stand,", shown, wanted));
  }

  int column() const { return static_cast<int>(at_) + 1; }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  /// Next character that is not blank, without consuming it; 0 at the end.
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool at_end() {
    skip_blanks();
    return at_ >= text_.size();
  }
  bool accept(char c) {
    if (peek() != c || at_end()) return false;
    ++at_;
    return true;
  }
  void expect(char c, std::string_view wanted) {
    if (!accept(c)) unexpected(wanted);
  }
  /// Consumes `**`, blanks between the two allowed.
  bool accept_power() {
    if (peek() != '*') return false;
    const std::size_t start = at_++;
    if (accept('*')) return true;
    at_ = start;
    return false;
  }
  /// Whether the next character is a `*` that does not begin `**`.
  bool times_follows() {
    if (peek() != '*') return false;
    const std::size_t start = at_;
    const bool power = accept_power();
    at_ = start;
    return !power;
  }

  int add(Node node) {
    tree_.nodes.push_back(std::move(node));
    return static_cast<int>(tree_.nodes.size()) - 1;
  }
  int add_binary(char op, int where, int left, int right) {
    return add({NodeKind::binary, where, 0, {}, op, {left, right}});
  }

  /// Counts the depth of recursion.
  struct Level {
    explicit Level(Parser& p) : parser(p) {
      if (++parser.depth_ > max_expression_depth)
        parser.fail(parser.column(), fmt::format("nested deeper than {} levels", max_expression_depth));
    }
    ~Level() { --parser.depth_; }
    Parser& parser;
  };

  int expression() {
    int left = term();
    while (peek() == '+' || peek() == '-') {
      const int where = column();
      const char op = text_[at_++];
      left = add_binary(op, where, left, term());
    }
    return left;
  }

  int term() {
    int left = unary();
    while (times_follows() || peek() == '/' || peek() == '%') {
      const int where = column();
      const char op = text_[at_++];
      left = add_binary(op, where, left, unary());
    }
    return left;
  }

  int unary() {
    const Level level(*this);
    peek();
    const int where = column();
    if (accept('+')) return unary();
    if (accept('-')) return add({NodeKind::negate, where, 0, {}, 0, {unary()}});
    return power();
  }

  int power() {
    const int base = primary();
    peek();
    const int where = column();
    if (!accept_power()) return base;
    return add_binary('^', where, base, unary());
  }

  int primary() {
    const char c = peek();
    if (is_digit(c) || c == '.') return number();
    if (is_name_start(c)) return name();
    const int where = column();
    if (accept('(')) {
      const int inside = expression();
      expect(')', "\")\"");
      return inside;
    }
    if (accept('[')) {
      Node vector{NodeKind::vector, where, 0, {}, 0, {}};
      for (int k = 0; k < 3; ++k) {
        vector.child.push_back(expression());
        expect(k < 2 ? ',' : ']', k < 2 ? "\",\" (a vector is [a, b, c])" : "\"]\" (a vector is [a, b, c])");
      }
      return add(std::move(vector));
    }
    unexpected("a number, a name or \"(\"");
  }

  int number() {
    const int where = column();
    std::string digits;
    bool any = false;
    const auto take_digits = [&] {
      while (at_ < text_.size() && is_digit(text_[at_])) {
        digits += text_[at_++];
        any = true;
      }
    };
    take_digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      digits += text_[at_++];
      take_digits();
    }
    if (!any) fail(where, "\".\" is no number");
    bool degrees = take_exponent(digits);
    if (!degrees && at_ < text_.size() && (text_[at_] == 'd' || text_[at_] == 'D')) {  // 1E2D
      degrees = true;
      ++at_;
    }
    if (at_ < text_.size() && (is_name(text_[at_]) || text_[at_] == '.'))
      fail(where, fmt::format("\"{}{}\" is no number", digits, text_[at_]));
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range && digits.find('-') != std::string::npos)
      value = 0;  // underflow
    else if (error != std::errc() || end != digits.data() + digits.size())
      fail(where, fmt::format("the number {} cannot be represented", digits));
    return add({NodeKind::number, where, degrees ? value * (std::numbers::pi / 180.0) : value, {}, 0, {}});
  }

  /// Consumes E or D with sign and digits. Returns true for a D that means degrees.
  bool take_exponent(std::string& digits) {
    if (at_ >= text_.size()) return false;
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at_])));
    if (letter != 'E' && letter != 'D') return false;
    std::size_t k = at_ + 1;
    const bool sign = k < text_.size() && (text_[k] == '+' || text_[k] == '-');
    if (sign) ++k;
    if (k >= text_.size() || !is_digit(text_[k]) || (letter == 'D' && sign && begins_a_term(digits, k))) {
      if (letter == 'D') ++at_;
      return letter == 'D';
    }
    digits += 'e';
    if (text_[at_ + 1] == '-') digits += '-';
    while (k < text_.size() && is_digit(text_[k])) digits += text_[k++];
    at_ = k;
    return false;
  }

  /// Whether the digits at k, behind a D and a sign, begin a term of a sum of degrees (30D-1.5*TIME), and are
  /// no exponent: a point or a letter follows them. Those of an exponent begin with 0 (1.5D-03, as Fortran
  /// writes it). All others can be read both ways: refused.
  bool begins_a_term(const std::string& digits, std::size_t k) const {
    std::size_t end = k;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end < text_.size() && (is_name(text_[end]) || text_[end] == '.')) return true;
    if (text_[k] == '0' && end > k + 1) return false;
    const std::string_view rest = text_.substr(at_ + 1, end - at_ - 1);
    fail(column(), fmt::format("\"{}D{}\" can be read as degrees and a sum, and as an exponent: write "
                               "\"{}D {} {}\" or \"{}E{}\"",
                               digits, rest, digits, rest[0], rest.substr(1), digits, rest));
  }

  int name() {
    const int where = column();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    const std::string word = upper(text_.substr(start, at_ - start));
    if (!accept('(')) return add({NodeKind::name, where, 0, word, 0, {}});
    if (word == "IF") return sign_if(where);
    Node call{NodeKind::call, where, 0, word, 0, {}};
    if (!accept(')')) {
      do call.child.push_back(expression());
      while (accept(','));
      expect(')', "\",\" or \")\"");
    }
    return add(std::move(call));
  }

  int sign_if(int where) {
    Node node{NodeKind::sign_if, where, 0, "IF", 0, {}};
    constexpr char after[] = {':', ',', ',', ')'};
    constexpr std::string_view wanted[] = {"\":\" of IF(e: a, b, c)", "\",\" of IF(e: a, b, c)",
                                           "\",\" of IF(e: a, b, c)", "\")\" of IF(e: a, b, c)"};
    for (int k = 0; k < 4; ++k) {
      node.child.push_back(expression());
      expect(after[k], wanted[k]);
    }
    return add(std::move(node));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  ExpressionTree tree_;
};

}  // namespace

ExpressionTree parse_expression(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace trammel
