#include "dataset/reader.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "dataset/check.h"
#include "dataset/lines.h"
#include "dataset/names.h"
#include "dataset/parse.h"
#include "dataset/registry.h"
#include "dataset/scanner.h"

namespace trammel {

namespace {

constexpr std::uintmax_t largest_file = 1ull << 30;  ///< bytes

const Field* field_of(const StatementSpec& spec, std::string_view name) {
  for (const Field& field : spec.fields)
    if (field.name == name) return &field;
  return nullptr;
}

/// A statement whose keyword or id could not be read, with the id behind its first slash if there is one.
Absence unread(const RawStatement& raw, const std::string& file) {
  Absence out{{}, 0, {}, {file, raw.line}};
  Scanner scan{raw.text};
  scan.skip_blanks();
  const std::string_view word = scan.word();
  scan.skip_blanks();
  const std::size_t slash = raw.text.find('/');
  if (slash == std::string::npos) return out;
  std::string_view digits = trim(std::string_view(raw.text).substr(slash + 1));
  digits = digits.substr(0, digits.find_first_not_of("0123456789"));
  out.id = parse_integer(digits).value_or(0);
  if (scan.at == slash && !word.empty() && out.id > 0) out.label = fmt::format("{}/{}", upper(word), out.id);
  return out;
}

/// How many statements a dataset has, about: lines that are no comment and continue none above.
std::size_t likely_statements(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    const char first = at + 1 < text.size() ? text[at + 1] : '!';
    count += first != ',' && first != '!' && first != ' ' && first != '\n';
  }
  return count;
}

/// Whether a title reads like a statement: a deck without a title line loses its first statement.
bool reads_like_a_statement(const std::string& title) {
  StatementLines lines(title, 1);
  RawStatement raw;
  Statement statement;
  Diagnostics ignored;
  bool sound = false;
  return lines.next(raw) && raw.text.find('/') != std::string::npos &&
         parse_statement(raw, std::make_shared<const std::string>(), dataset_statements(), ignored, statement,
                         sound) &&
         (statement.spec->has_id || sound);
}

/// Older decks leave PART out: a marker then belongs to the PART above it.
void add_owner(Statement& marker, int part_above) {
  if (marker.spec->keyword != "MARKER" || part_above == 0 || !marker.chosen("owner").empty()) return;
  Argument owner;
  owner.field = field_of(*marker.spec, "PART");
  owner.where = marker.where;
  owner.numbers = {static_cast<double>(part_above)};
  marker.arguments.insert(marker.arguments.begin(), std::move(owner));
}

/// Moves a statement behind others, where it has room for its arguments and no more; the room that it had
/// stays for the next to be read.
void keep(Statement& statement, std::vector<Statement>& statements) {
  std::vector<Argument> room = std::move(statement.arguments);
  statements.push_back(std::move(statement));
  statements.back().arguments.assign(std::make_move_iterator(room.begin()),
                                     std::make_move_iterator(room.end()));
  statement.arguments = std::move(room);
}

}  // namespace

std::string read_text_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::path file(path);
  const std::filesystem::file_status kind = std::filesystem::status(file, error);
  if (kind.type() == std::filesystem::file_type::not_found)
    fail(ExitCode::io, "{}: the file does not exist", path);
  if (error) fail(ExitCode::io, "{}: {}", path, error.message());
  if (!std::filesystem::is_regular_file(kind)) fail(ExitCode::io, "{}: is no file", path);
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (!error && size > largest_file)
    fail(ExitCode::input, "{}: {} bytes are more than the 1 GiB that a text file may have", path, size);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(ExitCode::io, "{}: the file cannot be read: {}", path, std::strerror(errno));
  std::string text(error ? 0 : static_cast<std::size_t>(size), '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(text.size())))
    fail(ExitCode::io, "{}: the file cannot be read", path);
  return text;
}

Description read_dataset(const std::string& path, Diagnostics& diagnostics) {
  return parse_dataset(read_text_file(path), path, diagnostics);
}

Description parse_dataset(std::string bytes, std::string file_name, Diagnostics& diagnostics) {
  const std::string text = clean_text(std::move(bytes));
  Description description;
  description.file = std::move(file_name);
  const std::size_t title_end = text.find('\n');
  description.title = text.substr(0, title_end);
  StatementLines lines(
      title_end == std::string::npos ? std::string_view{} : std::string_view(text).substr(title_end + 1), 2);
  if (reads_like_a_statement(description.title))
    diagnostics.warning(
        {description.file, 1},
        "line 1 is the title, and reads like a statement: {} has no effect; put a title above",
        in_quotes(description.title));
  int part_above = 0;
  RawStatement raw;
  Statement statement;
  const auto file = std::make_shared<const std::string>(description.file);
  description.statements.reserve(likely_statements(text) + 64);  // and what commands will add
  while (lines.next(raw)) {
    if (equal_ignoring_case(leading_word(raw.text), "END")) {
      note_unread(lines, description.file, "END", {description.file, raw.line}, diagnostics);
      break;
    }
    bool sound = false;
    if (parse_statement(raw, file, dataset_statements(), diagnostics, statement, sound)) {
      if (statement.spec->keyword == "PART") part_above = statement.id;
      if (sound) add_owner(statement, part_above);
      if (sound) check_statement(statement, true, diagnostics);
      if (!sound && statement.spec->keyword == "PART")  // a PART that was read in part may be the ground
        description.absent.push_back({"PART", statement.id, statement.label(), {}});
      keep(statement, description.statements);
    } else {
      description.absent.push_back(unread(raw, description.file));
    }
    if (diagnostics.full()) {
      diagnostics.error({description.file, raw.line}, "reading stops");
      return description;
    }
  }
  if (description.statements.empty() && !diagnostics.has_errors()) {
    diagnostics.error({description.file, 0}, "no statement stands below its first line; is it a dataset?");
    return description;
  }
  check_description(description, diagnostics);
  return description;
}

Statement parse_redefinition(std::string_view text, const std::string& origin) {
  Diagnostics diagnostics;
  const std::string clean = clean_text(std::string(text));
  StatementLines lines(clean, 1);
  RawStatement raw;
  Statement statement;
  if (!lines.next(raw))
    fail(ExitCode::input, "{}: nothing is given; write STATEMENT/id, ARGUMENT=value", origin);
  const std::string excess = [&] {
    RawStatement second;
    return lines.next(second) ? second.text : std::string{};
  }();
  if (!excess.empty()) fail(ExitCode::input, "{}: one statement at a time, found also '{}'", origin, excess);
  bool sound = false;
  parse_statement(raw, std::make_shared<const std::string>(origin), dataset_statements(), diagnostics,
                  statement, sound);
  if (sound) check_statement(statement, false, diagnostics);
  if (diagnostics.has_errors()) {
    std::string all;  // without line numbers: an option has none
    for (const Diagnostic& d : diagnostics.list())
      all += fmt::format("{}{}: {}", all.empty() ? "" : "\n", origin, d.text);
    throw Failure(diagnostics.exit_code(), all);
  }
  return statement;
}

}  // namespace trammel
