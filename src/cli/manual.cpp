#include "cli/manual.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "base/text.h"
#include "session/version.h"

namespace trammel {

namespace {

/// The text with the characters escaped that roff would interpret.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    out += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
  }
  return out;
}

/// Lines that roff does not fill.
std::string block(const std::string& text) {
  const std::string_view lines = trim(text);
  return lines.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", plain(lines));
}

std::string entry(const CLI::Option& option) {
  const bool positional = option.get_positional();
  const std::string type = option.get_items_expected_max() == 0 || positional ? "" : option.get_type_name();
  const std::string name = option.get_name(positional, !positional);
  return fmt::format(".TP\n.B {}{}\n{}\n", plain(name), type.empty() ? "" : " \\fR" + plain(type),
                     plain(option.get_description()));
}

/// The section of a command, then those of its subcommands; `name`: as it is typed.
std::string section(const CLI::App& command, const std::string& name) {
  std::string arguments, entries;
  for (const CLI::Option* option : command.get_options({})) {
    if (option->get_positional())
      arguments += (option->get_required() ? " " : " [") + option->get_name(true) +
                   (option->get_required() ? "" : "]");
    entries += entry(*option);
  }
  std::string text =
      fmt::format(".SH TRAMMEL {}\n.B trammel {}\n{} [options]\n.PP\n{}.\n{}{}", upper(name), name,
                  plain(arguments), plain(command.get_description()), entries, block(command.get_footer()));
  for (const CLI::App* below : command.get_subcommands({}))
    text += section(*below, name + " " + below->get_name());
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH TRAMMEL 1 \"\" \"trammel {}\"\n.SH NAME\ntrammel \\- simulates constrained mechanical systems\n"
      ".SH SYNOPSIS\n.B trammel\n\\fIcommand\\fR [options]\n.SH DESCRIPTION\n{}\n",
      plain(program_version()), block(app.get_description()));
  for (const CLI::Option* option : app.get_options({})) text += entry(*option);
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({}))
    text += fmt::format(".TP\n.B {}\n{}\n", command->get_name(), plain(command->get_description()));
  for (const CLI::App* command : app.get_subcommands({})) text += section(*command, command->get_name());
  return text + ".SH EXIT CODES\n" + block(app.get_footer());
}

}  // namespace trammel
