#include "session/variants.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "dataset/lines.h"
#include "dataset/names.h"
#include "dataset/reader.h"
#include "dataset/registry.h"
#include "output/csv_text.h"
#include "output/read/text_input.h"

namespace trammel {

namespace {

constexpr std::size_t longest_name = 100;

std::string place(const std::string& path, int line, int column, const std::string& header) {
  return fmt::format("{}:{}, column {}{}", path, line, column, header.empty() ? "" : " (" + header + ")");
}

const StatementSpec* spec_named(std::string_view word, std::string& mistake) {
  const Lookup found = find_statement(dataset_statements(), word);
  if (found.index >= 0) return &dataset_statements()[static_cast<std::size_t>(found.index)];
  if (!found.candidates.empty()) {
    mistake = fmt::format("statement {} is ambiguous: {}", in_quotes(word), join_names(found.candidates));
    return nullptr;
  }
  std::vector<std::string_view> names{"NAME"};
  for (const StatementSpec& spec : dataset_statements()) names.push_back(spec.keyword);
  mistake = fmt::format("unknown statement {}{}; a header is STATEMENT/id.ARGUMENT, such as PART/2.MASS",
                        in_quotes(word), did_you_mean(names, word));
  return nullptr;
}

const Field* field_named(const StatementSpec& spec, std::string_view word, std::string& mistake) {
  if (spec.fields.empty()) {
    mistake = fmt::format("arguments of {} are not read, so none can be varied", spec.keyword);
    return nullptr;
  }
  const Lookup found = find_field(spec.fields, word);
  if (found.index < 0 && !found.candidates.empty()) {
    mistake = fmt::format("argument {} is ambiguous: {}", in_quotes(word), join_names(found.candidates));
    return nullptr;
  }
  if (found.index < 0) {
    mistake = fmt::format("unknown argument {}{}", in_quotes(word), arguments_instead(spec, word));
    return nullptr;
  }
  const Field& field = spec.fields[static_cast<std::size_t>(found.index)];
  if (field.kind != FieldKind::flag) return &field;
  mistake = fmt::format("{} takes no value, so there is nothing to vary", field.name);
  return nullptr;
}

/// The argument that a header names; none, and `mistake`, where it names none.
std::optional<VariedArgument> argument_named(std::string_view header, const Description& description,
                                             std::string& mistake) {
  constexpr std::string_view marks = ",.:";
  const std::size_t slash = header.find('/');
  const std::size_t keyword_end = std::min(slash, header.find_first_of(marks));
  const StatementSpec* spec = spec_named(trim(header.substr(0, keyword_end)), mistake);
  if (!spec) return std::nullopt;
  std::string_view rest = keyword_end == std::string_view::npos ? "" : header.substr(keyword_end + 1);
  VariedArgument out;
  out.name = out.statement = out.keyword = std::string(spec->keyword);
  if (spec->has_id) {
    const std::size_t end = rest.find_first_of(marks);
    const auto id = slash == keyword_end ? parse_integer(trim(rest.substr(0, end))) : std::nullopt;
    if (!id || *id <= 0) {
      mistake = fmt::format("{} needs an id, such as {}/2.ARGUMENT", spec->keyword, spec->keyword);
      return std::nullopt;
    }
    out.id = *id;
    out.name = fmt::format("{}/{}", spec->keyword, *id);
    out.statement = out.name + ",";
    if (!description.find(spec->keyword, *id)) {
      mistake = fmt::format("{} does not exist in {}", out.name, description.file);
      return std::nullopt;
    }
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  } else {
    out.statement += "/";
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" ,.:")));
  }
  if (trim(rest).empty()) {
    mistake = fmt::format("the argument is missing; write {}.ARGUMENT, or \"{},ARGUMENT\" in quotation marks",
                          out.name, out.name);
    return std::nullopt;
  }
  const Field* field = field_named(*spec, trim(rest), mistake);
  if (!field) return std::nullopt;
  out.field = std::string(field->name);
  out.name += "." + out.field;
  out.statement += fmt::format("{}{}=", spec->has_id ? " " : "", field->name);
  return out;
}

/// The mistake in the name of a variant, which is part of file names; "": none.
std::string mistake_in_name(const std::string& name) {
  if (name.empty()) return "the name is missing";
  if (name.size() > longest_name)
    return fmt::format("the name has {} characters; {} are possible", name.size(), longest_name);
  for (const char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("._+-").find(c) == std::string::npos)
      return fmt::format(
          "the name {} has other characters than letters, digits and . _ + -, and files are named by it",
          in_quotes(name));
  return {};
}

class TableReader {
 public:
  TableReader(const std::string& path, const Description& description, Diagnostics& diagnostics)
      : lines_(path), description_(description), diagnostics_(diagnostics) {
    table_.path = path;
  }

  VariantTable read() {
    std::string_view raw;
    while (!diagnostics_.full() && lines_.next(raw)) {
      const std::string line = clean_text(std::string(raw));
      if (trim(line).empty()) continue;
      const bool first = headers_.empty();
      if (first) separator_ = csv_separator(line);
      const bool whole = split_csv(line, separator_, fields_);
      for (std::string& field : fields_) field = trim(field);
      if (!whole)
        mistake(0, "a quotation mark without its fellow on the same line");
      else if (first)
        read_headers();
      else
        read_variant();
      if (first && headers_.empty()) return std::move(table_);
    }
    if (headers_.empty())
      diagnostics_.error({table_.path, 0}, "the file is empty; its first line names what is varied");
    else if (names_.empty() && !diagnostics_.has_errors())
      diagnostics_.error({table_.path, 0}, "no variant stands below the line of headers");
    return std::move(table_);
  }

 private:
  void mistake(int column, const std::string& text) {
    const std::string where = column == 0 ? lines_.place()
                                          : place(table_.path, lines_.line(), column,
                                                  headers_[static_cast<std::size_t>(column) - 1]);
    diagnostics_.error({}, "{}: {}", where, text);
  }

  void read_headers() {
    headers_ = fields_;
    table_.header_line = lines_.line();
    std::map<std::string, int> columns;
    for (int column = 1; column <= static_cast<int>(headers_.size()); ++column) {
      const std::string& header = headers_[static_cast<std::size_t>(column) - 1];
      if (header.empty()) {
        mistake(column, "the header is missing; name an argument, or delete the column");
        continue;
      }
      if (header.front() == '#') {
        note_columns_.push_back(column);
        table_.notes.push_back(header);
        continue;
      }
      const bool names = equal_ignoring_case(header, "name");
      std::string wrong;
      std::optional<VariedArgument> argument;
      if (!names) argument = argument_named(header, description_, wrong);
      if (!names && !argument) {
        mistake(column, wrong);
        continue;
      }
      const auto [same, is_new] = columns.try_emplace(names ? "name" : argument->name, column);
      if (!is_new) {
        mistake(column, fmt::format("column {} is the same", same->second));
        continue;
      }
      if (names) {
        name_column_ = column;
        continue;
      }
      argument->column = column;
      table_.arguments.push_back(std::move(*argument));
    }
  }

  void read_variant() {
    if (fields_.size() != headers_.size()) {
      mistake(0, fmt::format("{} cell{}, and {} header{}; a cell that holds \"{}\" stands in quotation marks",
                             fields_.size(), fields_.size() == 1 ? "" : "s", headers_.size(),
                             headers_.size() == 1 ? "" : "s",
                             separator_ == '\t' ? "TAB" : std::string(1, separator_)));
      return;
    }
    Variant variant;
    variant.line = lines_.line();
    variant.name = name_column_ > 0 ? fields_[static_cast<std::size_t>(name_column_) - 1]
                                    : std::to_string(names_.size() + 1);
    std::string wrong = mistake_in_name(variant.name);
    // Some file systems do not distinguish capital and small letters.
    const auto [same, is_new] = names_.try_emplace(
        wrong.empty() ? lower(variant.name) : fmt::format(" {}", variant.line), variant.line);
    if (!is_new)
      wrong = fmt::format("the name {} stands in line {} already", in_quotes(variant.name), same->second);
    if (!wrong.empty()) mistake(name_column_, wrong);
    for (const VariedArgument& argument : table_.arguments)
      variant.values.push_back(fields_[static_cast<std::size_t>(argument.column) - 1]);
    for (const int column : note_columns_)
      variant.notes.push_back(fields_[static_cast<std::size_t>(column) - 1]);
    table_.variants.push_back(std::move(variant));
  }

  LineReader lines_;
  const Description& description_;
  Diagnostics& diagnostics_;
  VariantTable table_;
  char separator_ = ',';
  int name_column_ = 0;
  std::vector<int> note_columns_;
  std::vector<std::string> headers_, fields_;
  std::map<std::string, int> names_;  ///< lines of the names, in small letters
};

Edit edit_of(const VariantTable& table, const Variant& variant, std::size_t k) {
  const VariedArgument& argument = table.arguments[k];
  return {argument.statement + variant.values[k],
          place(table.path, variant.line, argument.column, argument.name),
          fmt::format("{}:{}", table.path, variant.line)};
}

/// The mistake in a value, as far as its argument alone shows; "": none.
std::string mistake_in(const Edit& edit, const std::string& value, ExitCode& code) {
  code = ExitCode::input;
  if (value.find('!') != std::string::npos)
    return edit.origin +
           ": an exclamation mark begins a comment, and what stands behind it would be lost; take it out";
  try {
    const Statement change = parse_redefinition(edit.text, edit.origin);
    if (change.arguments.size() == 1) return {};
    return fmt::format(
        "{}: the cell holds more than a value, it also gives {}; make that a column of its own", edit.origin,
        change.arguments[1].field->name);
  } catch (const Failure& failure) {
    code = failure.code();
    return failure.what();
  }
}

}  // namespace

VariantTable read_variants(const std::string& path, const Description& description,
                           Diagnostics& diagnostics) {
  return TableReader(path, description, diagnostics).read();
}

void check_commands(const VariantTable& table, const CommandFile& commands, Diagnostics& diagnostics) {
  for (const Command& c : commands.commands) {
    const Statement& s = c.statement;
    if (s.spec->keyword == "SIMULATE") return;
    for (const VariedArgument& a : table.arguments)
      if (s.spec->keyword == a.keyword && s.id == a.id && s.has(a.field))
        diagnostics.error({}, "{}: the command in {} gives it too, and has the last word; take it out there",
                          place(table.path, table.header_line, a.column, a.name), to_string(c.where));
  }
}

std::vector<Edit> edits_of(const VariantTable& table, const Variant& variant) {
  std::vector<Edit> edits;
  for (std::size_t k = 0; k < table.arguments.size(); ++k)
    if (!variant.values[k].empty()) edits.push_back(edit_of(table, variant, k));
  return edits;
}

void check_values(const VariantTable& table, const Variant& variant, Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < table.arguments.size(); ++k) {
    if (variant.values[k].empty()) continue;
    ExitCode code;
    const std::string text = mistake_in(edit_of(table, variant, k), variant.values[k], code);
    if (!text.empty()) diagnostics.add({Severity::error, {}, text, code});
  }
}

bool leave_out_wrong(const VariantTable& table, const Diagnostics& mistakes, Variant& variant) {
  bool any = false;
  for (std::size_t k = 0; k < table.arguments.size(); ++k) {
    const std::string origin = edit_of(table, variant, k).origin;
    for (const Diagnostic& d : mistakes.list())
      if (!variant.values[k].empty() && d.text.starts_with(origin)) {
        variant.values[k].clear();
        any = true;
      }
  }
  return any;
}

}  // namespace trammel
