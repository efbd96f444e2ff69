#include "dataset/writer.h"

#include <cmath>

#include "base/text.h"

namespace trammel {

namespace {

constexpr std::size_t widest_line = 78;

/// Values with commas between, folded onto lines that begin with a comma in column 1.
std::string folded(const std::vector<std::string>& values, std::size_t column) {
  std::string out;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool fold = k > 0 && column + values[k].size() + 2 > widest_line;
    if (k > 0) out += fold ? "\n, " : ", ";
    column = fold ? 2 + values[k].size() : column + values[k].size() + 2;
    out += values[k];
  }
  return out;
}

std::string number(const Field& field, double value) {
  if (field.kind == FieldKind::logicals) return value != 0 ? "T" : "F";
  return shortest(value);
}

/// A text as it reads back: in quotation marks where it would end early or begin with such a mark.
std::string one_text(const std::string& text) {
  const bool bare = !text.empty() && text.find(',') == std::string::npos && text[0] != '"' &&
                    text[0] != '\'' && trim(text).size() == text.size();
  if (bare) return text;
  return text.find('"') == std::string::npos ? '"' + text + '"' : '\'' + text + '\'';
}

/// One of several texts: always in quotation marks, as a bare one may be taken for an argument's name.
std::string listed_text(const std::string& text) {
  return text.find('"') == std::string::npos ? '"' + text + '"' : '\'' + text + '\'';
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t k = 0; k < parts.size(); ++k) out += (k > 0 ? std::string(separator) : "") + parts[k];
  return out;
}

std::string value_text(const Argument& argument, std::size_t column, bool last) {
  const Field& field = *argument.field;
  std::vector<std::string> parts;
  switch (field.kind) {
    case FieldKind::flag:
      return {};
    case FieldKind::integer:
    case FieldKind::real:
    case FieldKind::id:
    case FieldKind::ids:
      for (double value : argument.numbers) parts.push_back(number(field, value));
      return folded(parts, column);
    case FieldKind::logicals:
      for (double value : argument.numbers) parts.push_back(number(field, value));
      return joined(parts, ":");
    case FieldKind::choice:
    case FieldKind::choices:
      return joined(argument.words, ":");
    case FieldKind::expression:
      return argument.text + (last ? "" : "\\");
    case FieldKind::text:
      if (field.max_count == 1) return one_text(argument.text);
      for (const std::string& word : argument.words) parts.push_back(listed_text(word));
      return folded(parts, column);
    case FieldKind::long_text:
      return argument.text;
  }
  return {};
}

/// Arguments kept unread: their lines as they were, each behind its comma.
std::string raw_lines(const std::string& text) {
  std::string out;
  for (std::string_view line : split(text, '\n'))
    out += (out.empty() ? ", " : ",") + std::string(line) + "\n";
  return out;
}

}  // namespace

std::string write_statement(const Statement& statement) {
  std::string out;
  if (!statement.view_name.empty()) out += "! adams_view_name='" + statement.view_name + "'\n";
  out += statement.spec->keyword;
  const bool bare = !statement.spec->has_id && statement.spec->fields.empty() && statement.arguments.empty();
  if (!bare) out += "/";
  if (statement.spec->has_id) out += std::to_string(statement.id);
  out += "\n";
  for (std::size_t k = 0; k < statement.arguments.size(); ++k) {
    const Argument& argument = statement.arguments[k];
    if (argument.field->name.empty()) {
      out += raw_lines(argument.text);
      continue;
    }
    std::string line = ", " + std::string(argument.field->name);
    if (argument.field->kind != FieldKind::flag &&
        !(argument.field->may_be_bare() && argument.numbers.empty())) {
      line += " = ";
      line += value_text(argument, line.size(), k + 1 == statement.arguments.size());
    }
    out += line + "\n";
  }
  return out;
}

std::string write_dataset(const Description& description) {
  std::string out = description.title + "\n";
  for (const Statement& statement : description.statements) out += write_statement(statement);
  return out + "END\n";
}

}  // namespace trammel
