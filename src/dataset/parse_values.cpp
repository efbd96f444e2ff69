// Values of arguments that are numbers or keywords.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "dataset/names.h"
#include "dataset/statement_parser.h"

namespace trammel {

namespace {

bool is_length_or_angle(const Field& field) {
  return field.unit.find("or angle") != std::string_view::npos;
}

bool takes_degrees(const Field& field) {
  return field.unit.starts_with("angle") || is_length_or_angle(field);
}

/// Whether value `place` of an argument that is a length or an angle is a length, by what else the statement
/// says: LENGTH of FIELD has lengths, then angles; JOINT and MOTION say what moves.
bool is_length(const Statement& statement, const Field& field, std::size_t place) {
  if (field.name == "LENGTH") return place < 3;
  for (std::string_view name : {"TRANSLATIONAL", "TRANSLATION", "X", "Y", "Z"})
    if (statement.has(name)) return true;
  return false;
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

}  // namespace

bool StatementParser::number(const Field& field, std::string_view token, std::size_t offset,
                             Argument& argument) {
  std::string joined;  // a sign may stand apart from its digits
  std::string_view compact = token;
  if (std::any_of(token.begin(), token.end(), is_blank_mark)) {
    for (char c : token)
      if (!is_blank_mark(c) || (!joined.empty() && joined != "-" && joined != "+")) joined += c;
    compact = joined;
  }
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
  if (degrees && is_length_or_angle(field))
    degrees_.push_back({&field, argument.numbers.size(), std::string(token), offset});
  argument.numbers.push_back(*value);
  return true;
}

/// Degrees that turn out to be lengths when all arguments are known.
void StatementParser::refuse_degrees_of_lengths() {
  for (const Degrees& d : degrees_)
    if (is_length(out_, *d.field, d.place))
      mistake(d.offset, "{} is no angle here: {} cannot be in degrees", d.field->name, shown(d.token));
}

/// Whether the list goes on behind the comma at the cursor; if so, steps over the comma.
bool StatementParser::more_values(const Field& field, const Argument& argument) {
  if (!is_comma(scan_.peek())) return false;
  const Scanner ahead = scan_.behind_comma();
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
  if (const std::size_t found = std::max(argument.words.size(), argument.numbers.size());
      static_cast<int>(found) < field.min_count)
    mistake(begin, "{} takes {}{} values, found {}", field.name,
            field.min_count < field.max_count ? "at least " : "", field.min_count, found);
}

}  // namespace trammel
