#include "dataset/commands.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "dataset/check.h"
#include "dataset/lines.h"
#include "dataset/names.h"
#include "dataset/parse.h"
#include "dataset/reader.h"
#include "dataset/registry.h"
#include "dataset/scanner.h"

namespace trammel {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t deepest_nesting = 16;
constexpr std::size_t most_commands = 100'000;
constexpr int most_files = 1000;

/// Whether a word may be a misspelt statement of the list.
bool resembles_one_of(std::span<const StatementSpec> specs, std::string_view word) {
  std::vector<std::string_view> names;
  for (const StatementSpec& spec : specs) names.push_back(spec.keyword);
  return !nearest_name(names, word).empty();
}

/// Commands and statements share abbreviations: a full name wins, then the commands.
std::span<const StatementSpec> list_for(std::string_view word) {
  const auto names_in_full = [&](std::span<const StatementSpec> specs) {
    return std::any_of(specs.begin(), specs.end(),
                       [&](const StatementSpec& spec) { return equal_ignoring_case(spec.keyword, word); });
  };
  if (names_in_full(command_statements())) return command_statements();
  if (names_in_full(dataset_statements())) return dataset_statements();
  const Lookup command = find_statement(command_statements(), word);
  if (command.index >= 0 || !command.candidates.empty()) return command_statements();
  const Lookup statement = find_statement(dataset_statements(), word);
  const bool known = statement.index >= 0 || !statement.candidates.empty();
  if (known) return dataset_statements();
  const bool misspelt =
      !resembles_one_of(command_statements(), word) && resembles_one_of(dataset_statements(), word);
  return misspelt ? dataset_statements() : command_statements();
}

std::string_view first_word(std::string_view text) {
  Scanner scan{text};
  scan.skip_blanks();
  return scan.word();
}

std::string folder_of(const std::string& path) {
  return fs::path(path).parent_path().string();
}

/// Reads one command file after the other; nested ones are read in place by a stack of open files.
class CommandReader {
 public:
  CommandReader(CommandFile& out, Diagnostics& diagnostics) : out_(out), diagnostics_(diagnostics) {}
  void read(const std::string& path);
  void read_text(const std::string& text, const std::string& origin);

 private:
  struct OpenFile {
    std::string path;
    std::string text;
    StatementLines lines;
  };

  void read_open_files();
  void open(const std::string& path);
  std::size_t names_above(const std::string& path, std::string_view text, int& line);
  void set_model(std::string_view name, const Location& where);
  bool add(const RawStatement& raw, const std::string& path);
  void file_command(const Statement& statement);
  void note_what_is_left(std::string_view keyword, const Location& end);

  /// A command that is carried out while it is read.
  struct Reading {
    std::string_view keyword;
    void (CommandReader::*carry_out)(const Statement& statement) = nullptr;
    bool ends = false;    ///< no command behind it is read
    bool is_kept = true;  ///< it stands among the commands
  };
  static const Reading readings[];
  static Reading reading_of(std::string_view keyword);

  CommandFile& out_;
  Diagnostics& diagnostics_;
  std::vector<std::unique_ptr<OpenFile>> stack_;
  bool has_model_ = false;
  int files_ = 0;
};

void CommandReader::read(const std::string& path) {
  open(path);
  read_open_files();
}

void CommandReader::read_text(const std::string& text, const std::string& origin) {
  auto file = std::make_unique<OpenFile>(OpenFile{origin, clean_text(text), {{}, 1}});
  file->lines = StatementLines(file->text, 1);
  stack_.push_back(std::move(file));
  read_open_files();
}

void CommandReader::read_open_files() {
  RawStatement raw;
  while (!stack_.empty()) {
    if (!stack_.back()->lines.next(raw)) {
      stack_.pop_back();
      continue;
    }
    if (out_.commands.size() >= most_commands) {
      diagnostics_.error({stack_.back()->path, raw.line}, "more than {} commands: reading stops",
                         most_commands);
      return;
    }
    const std::string file = stack_.back()->path;
    if (diagnostics_.full()) {
      diagnostics_.error({file, raw.line}, "reading stops");
      return;
    }
    if (!add(raw, file)) return;
  }
}

void CommandReader::open(const std::string& path) {
  auto file = std::make_unique<OpenFile>(OpenFile{path, clean_text(read_text_file(path)), {{}, 1}});
  int line = 1;
  const std::size_t begin = names_above(path, file->text, line);
  file->lines = StatementLines(std::string_view(file->text).substr(begin), line);
  stack_.push_back(std::move(file));
  out_.files.push_back(path);
  ++files_;
}

/// The answers above the commands: model, then output prefix. Returns the offset of the first command.
std::size_t CommandReader::names_above(const std::string& path, std::string_view text, int& line) {
  bool model_named = false;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view whole = text.substr(at, end - at);
    const std::string_view code = trim(whole.substr(0, whole.find('!')));
    if (!code.empty() && is_command(code)) return at;
    const bool blank = trim(whole).empty();
    const Location where{path, line};
    at = std::min(end + 1, text.size());
    ++line;
    if (blank && model_named) return at;  // the default prefix
    if (code.empty()) continue;
    if (model_named) {
      out_.output_prefix = code;
      return at;
    }
    set_model(code, where);
    model_named = true;
  }
  return at;
}

void CommandReader::set_model(std::string_view name, const Location& where) {
  if (has_model_) {
    diagnostics_.unsupported(where,
                             "a second model, {}: one model per run is supported; use one command file "
                             "for each",
                             in_quotes(name));
    return;
  }
  has_model_ = true;
  if (const auto found = find_file(folder_of(where.file), name, ".adm")) {
    out_.model = *found;
  } else {
    diagnostics_.error(where, "the model {} does not exist in {}; name a dataset (.adm) there",
                       in_quotes(name),
                       folder_of(where.file).empty() ? "this folder" : folder_of(where.file));
  }
}

void CommandReader::file_command(const Statement& statement) {
  if (statement.arguments.empty())
    diagnostics_.error(statement.where, "FILE: nothing is given; name MODEL or COMMAND");
  if (statement.has("OUTPUT_PREFIX")) out_.output_prefix = statement.text("OUTPUT_PREFIX");
  if (statement.has("MODEL")) set_model(statement.text("MODEL"), statement.find("MODEL")->where);
  const Argument* command = statement.find("COMMAND");
  if (command == nullptr) return;
  const auto found = find_file(folder_of(command->where.name()), command->text, ".acf");
  if (!found) {
    diagnostics_.error(command->where, "FILE: the command file {} does not exist", in_quotes(command->text));
    return;
  }
  std::error_code error;
  const bool open_already = std::any_of(stack_.begin(), stack_.end(), [&](const auto& file) {
    return fs::equivalent(file->path, *found, error);
  });
  if (open_already) {
    diagnostics_.error(command->where, "FILE: {} would run itself", in_quotes(command->text));
  } else if (stack_.size() >= deepest_nesting) {
    diagnostics_.error(command->where, "FILE: command files are nested more than {} deep", deepest_nesting);
  } else if (files_ >= most_files) {
    diagnostics_.error(command->where, "FILE: more than {} command files are run", most_files);
    stack_.clear();
  } else {
    open(*found);
  }
}

/// Reading ends, also that of the files that called this one.
void CommandReader::note_what_is_left(std::string_view keyword, const Location& end) {
  for (auto file = stack_.rbegin(); file != stack_.rend(); ++file)
    if (note_unread((*file)->lines, (*file)->path, keyword, end, diagnostics_)) return;
}

const CommandReader::Reading CommandReader::readings[] = {
    {.keyword = "FILE", .carry_out = &CommandReader::file_command},
    {.keyword = "STOP", .ends = true},
    {.keyword = "END", .ends = true, .is_kept = false},  // the end of a dataset
};

CommandReader::Reading CommandReader::reading_of(std::string_view keyword) {
  for (const Reading& reading : readings)
    if (reading.keyword == keyword) return reading;
  return {.keyword = keyword};
}

/// Adds one command; false when reading ends.
bool CommandReader::add(const RawStatement& raw, const std::string& path) {
  Command command;
  command.echo = raw.echo;
  command.where = {path, raw.line};
  const std::string_view word = first_word(raw.text);
  const std::span<const StatementSpec> known = list_for(word);
  command.redefinition = known.data() == dataset_statements().data();
  Statement& statement = command.statement;
  bool sound = false;
  if (!parse_statement(raw, std::make_shared<const std::string>(path), known, diagnostics_, statement, sound))
    return true;
  const std::string_view keyword = statement.spec->keyword;
  // Settings and redefinitions, which a dataset may give as well, name only what they change.
  const bool whole = dataset_statement(keyword) == nullptr;
  if (sound) check_statement(statement, whole, diagnostics_);
  const Reading reading = reading_of(keyword);
  if (reading.ends) note_what_is_left(keyword, command.where);
  const Statement copy = statement;
  if (reading.is_kept) out_.commands.push_back(std::move(command));
  if (sound && reading.carry_out) (this->*reading.carry_out)(copy);
  return !reading.ends;
}

}  // namespace

bool is_command(std::string_view line) {
  Scanner scan{line};
  scan.skip_blanks();
  const std::string_view word = scan.word();
  if (word.empty()) return false;
  const std::span<const StatementSpec> known = list_for(word);
  const Lookup found = find_statement(known, word);
  if (found.index < 0) return line.find('=') != std::string_view::npos && scan.peek() == '/';
  const StatementSpec& spec = known[static_cast<std::size_t>(found.index)];
  const bool in_full = word.size() == spec.keyword.size();
  scan.skip_blanks();
  if (scan.done()) return in_full && !spec.has_id && spec.fields.empty();
  if (scan.peek() != '/') return false;
  if (in_full || line.find('=') != std::string_view::npos) return true;
  // An abbreviation could be a folder's name: what follows must make sense.
  ++scan.at;
  scan.skip_blanks();
  if (spec.has_id) return scan.peek() >= '0' && scan.peek() <= '9';
  if (scan.done() || spec.fields.empty()) return true;
  const std::string_view argument = scan.word();
  const char after = scan.peek();
  return (after == '\0' || is_comma(after) || is_blank_mark(after)) &&
         find_field(spec.fields, argument).index >= 0;
}

void add_commands(CommandFile& to, const std::string& text, const std::string& origin,
                  Diagnostics& diagnostics) {
  std::erase_if(to.commands, [](const Command& c) { return c.statement.spec->keyword == "STOP"; });
  CommandReader(to, diagnostics).read_text(text, origin);
}

CommandFile read_commands(const std::string& path, Diagnostics& diagnostics) {
  CommandFile out;
  out.path = path;
  CommandReader reader(out, diagnostics);
  reader.read(path);
  if (!out.model.empty() && out.output_prefix.empty())
    out.output_prefix = fs::path(out.model).stem().string();
  const bool model_asked = !out.model.empty() || diagnostics.has_errors();
  if (!model_asked) diagnostics.error({path, 0}, "no model is named; begin with FILE/MODEL=name");
  return out;
}

}  // namespace trammel
