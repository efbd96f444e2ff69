#include "cli/completion.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include <fmt/ranges.h>

#include "dataset/registry.h"
#include "expression/builtins.h"

namespace trammel {

namespace {

constexpr const char* beginning =
    "_trammel() {\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= values=\n"
    "  case ${COMP_WORDS[1]} in\n";

constexpr const char* ending =
    "  esac\n"
    "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
    "    COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
    "  elif [[ $word == -* ]]; then\n"
    "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
    "  elif [ -n \"$values\" ]; then\n"
    "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
    "  else\n"
    "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
    "  fi\n"
    "}\n"
    "complete -o filenames -F _trammel trammel\n";

/// The words that an option accepts, separated by blanks; "" where it accepts any.
std::string values_of(const CLI::Option& option) {
  std::string text = option.get_type_name();  // "TEXT:{bash,zsh}"
  const std::size_t begin = text.find('{'), end = text.find('}', begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  text = text.substr(begin + 1, end - begin - 1);
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

std::string statement_words() {
  std::vector<std::string_view> words;
  for (const StatementSpec& spec : dataset_statements()) words.push_back(spec.keyword);
  for (const StatementSpec& spec : command_statements()) words.push_back(spec.keyword);
  for (const Builtin& row : builtins()) words.push_back(row.name);
  return fmt::format("{}", fmt::join(words, " "));
}

/// Adds the options of a command, and a branch with the words of each option that accepts certain words only.
void add_options(const CLI::App& command, std::string& options, std::string& branches) {
  for (const CLI::Option* option : command.get_options({})) {
    std::string names;
    for (const std::string& name : option->get_snames()) names += (names.empty() ? "-" : "|-") + name;
    for (const std::string& name : option->get_lnames()) names += (names.empty() ? "--" : "|--") + name;
    for (const char c : names.empty() ? names : " " + names) options += c == '|' ? ' ' : c;
    const std::string values =
        command.get_name() == "reference" && names.empty() ? statement_words() : values_of(*option);
    if (!values.empty())
      branches +=
          fmt::format("      case $before in {}) values='{}' ;; esac\n", names.empty() ? "*" : names, values);
  }
}

/// The branch of a command with its subcommands, which complete like options.
std::string branch_of(const CLI::App& command) {
  std::string options, branches, below;
  add_options(command, options, branches);
  for (const CLI::App* c : command.get_subcommands({})) {
    add_options(*c, options, branches);
    below += " " + c->get_name();
  }
  if (!below.empty())
    branches += fmt::format("      [ \"$COMP_CWORD\" -eq 2 ] && values='{}'\n", below.substr(1));
  return fmt::format("    {})\n      options='{}'\n{}      ;;\n", command.get_name(),
                     options.substr(options.find_first_not_of(' ')), branches);
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  std::vector<std::string> names;
  std::string branches;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    branches += branch_of(*command);
  }
  const std::string commands = fmt::format("  local commands='{} --help --version'\n", fmt::join(names, " "));
  std::string script = beginning;
  script.insert(script.find("  case"), commands);
  return (shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "") + script + branches + ending;
}

}  // namespace trammel
