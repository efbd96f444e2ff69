#include "cli/command_line.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iostream>

#include <fmt/format.h>

#include "base/spelling.h"
#include "base/text.h"
#include "cli/completion.h"
#include "cli/init.h"
#include "cli/manual.h"
#include "cli/program.h"
#include "cli/reference.h"
#include "output/stream_file.h"
#include "terminal/print.h"
#include "trammel/trammel.h"

namespace trammel {

namespace {

void add_init(CLI::App& app, CommandLine& line) {
  auto* init = app.add_subcommand("init", "a first deck: a commented four-bar linkage that runs at once");
  init->add_option("name", line.init_name, "of the new files NAME.adm and NAME.acf; none is overwritten")
      ->capture_default_str();
  init->footer(
      "Examples:\n  trammel init\n  trammel init press    then: trammel run press.acf\n\n"
      "docs/tutorial.md goes on from there.");
}

void add_reference(CLI::App& app, CommandLine& line) {
  auto* reference =
      app.add_subcommand("reference", "all statements, commands and functions, or one, as Markdown");
  reference
      ->add_option("word", line.reference_word,
                   "a statement, command or function, or the beginning of one's name")
      ->type_name("WORD");
  reference->footer(
      "Without a word it is docs/statements.md.\n\nExamples:\n"
      "  trammel reference joint\n  trammel reference STEP\n  trammel reference | less\n");
}

void add_completion(CLI::App& app, CommandLine& line) {
  auto* completion =
      app.add_subcommand("completion", "a script that completes commands and options in a shell");
  completion->add_option("shell", line.shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  completion->footer(
      "Examples:\n  trammel completion bash > ~/.local/share/bash-completion/completions/trammel\n"
      "  source <(trammel completion zsh)");
}

void add_manual(CLI::App& app, CommandLine&) {
  app.add_subcommand("man", "the manual page, as man and groff read it")
      ->footer("Examples:\n  trammel man > trammel.1\n  trammel man | man -l -");
}

int print(const std::string& text) {
  print_line(stdout, trim(text));
  return 0;
}

/// The parsed command line.
struct Called {
  const CLI::App& app;
  const CommandLine& line;
  int argc;
  char** argv;
};

struct NamedCommand {
  const char* name;
  void (*add)(CLI::App& app, CommandLine& line);  ///< with its options
  int (*execute)(const Called& called);
  bool tells_of_all = false;  ///< needs all commands with their options
};

int job(const Called& c) {
  return job_command(c.argc, c.argv, c.line.quiet);
}

/// In the order of --help.
constexpr NamedCommand commands[] = {
    {"run", add_run, job},
    {"converge", add_converge, [](const Called& c) { return converge_command(c.line.converge); }},
    {"linear", add_linear, [](const Called& c) { return linear_command(c.line.linear); }},
    {"check", add_check, [](const Called& c) { return check_command(c.line.check); }},
    {"info", add_info, [](const Called& c) { return info_command(c.line.info); }},
    {"batch", add_batch, job},
    {"doctor", add_doctor, [](const Called& c) { return doctor_command(c.line.doctor); }},
    {"plot", add_plot, [](const Called& c) { return plot_command(c.line.plot); }},
    {"compare", add_compare, [](const Called& c) { return compare_command(c.line.compare); }},
    {"convert", add_convert, [](const Called& c) { return convert_command(c.line.convert); }},
    {"flex", [](CLI::App& app, CommandLine& line) { add_flex(app, line.flex); },
     [](const Called& c) {
       const CLI::App& flex = *c.app.get_subcommands().front();
       return flex_command(c.line.flex, flex.get_subcommands().front()->get_name());
     }},
    {"stress", [](CLI::App& app, CommandLine& line) { add_stress(app, line.stress); },
     [](const Called& c) { return stress_command(c.line.stress); }},
    {"devices", [](CLI::App& app, CommandLine& line) { add_devices(app, line.devices); },
     [](const Called& c) { return devices_command(c.line.devices); }},
    {"bench", [](CLI::App& app, CommandLine& line) { add_bench(app, line.bench); },
     [](const Called& c) { return bench_command(c.line.bench); }},
    {"init", add_init, [](const Called& c) { return init_command(c.line.init_name); }},
    {"reference", add_reference, [](const Called& c) { return reference_command(c.line.reference_word); }},
    {"completion", add_completion,
     [](const Called& c) { return print(completion_script(c.app, c.line.shell)); }, true},
    {"man", add_manual, [](const Called& c) { return print(manual_page(c.app)); }, true}};

/// Null where a word is no command.
const NamedCommand* command_of(std::string_view word) {
  const auto* found = std::find_if(std::begin(commands), std::end(commands),
                                   [&](const NamedCommand& command) { return word == command.name; });
  return found == std::end(commands) ? nullptr : found;
}

/// Adds the command that is called, as the options of all take longer than a small run, or all commands where
/// none is called or it needs them.
void add_commands(CLI::App& app, CommandLine& line, const NamedCommand* called) {
  app.set_version_flag("--version", fmt::format("trammel {} ({})", trammel_version(), trammel_build()));
  app.require_subcommand(1);
  app.footer(std::string("trammel COMMAND --help explains a command, with examples.\n") + exit_codes);
  for (const NamedCommand& command : commands)
    if (!called || called->tells_of_all || called == &command) command.add(app, line);
}

/// Tells that the first word is no command, with the command that a file needs. False where it is a command.
bool unknown_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-' || command_of(argv[1])) return false;
  const std::string word = argv[1];
  std::vector<std::string_view> names;
  for (const NamedCommand& command : commands) names.push_back(command.name);
  const std::string end = word.size() > 4 ? lower(word.substr(word.size() - 4)) : "";
  const bool deck = end == ".acf" || end == ".adm";
  print_line(stderr,
             fmt::format("unknown command \"{}\"{}{}", word,
                         deck ? "; did you mean: trammel run " + word + "?" : did_you_mean(names, word),
                         deck ? "" : fmt::format("; commands are {}", fmt::join(names, ", "))));
  return true;
}

/// Advice about an option that the command does not have: the nearest option, and how to list all.
std::string instead_of_options(const CLI::App& command, int argc, char** argv) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options({}))
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  const std::vector<std::string_view> known(options.begin(), options.end());
  std::string text;
  for (int k = 2; k < argc; ++k) {
    const std::string word = std::string(argv[k]).substr(0, std::string_view(argv[k]).find('='));
    if (!word.starts_with("--") || std::find(options.begin(), options.end(), word) != options.end()) continue;
    text += fmt::format("trammel {}: unknown option {}{}; it has {}\n", command.get_name(), word,
                        did_you_mean(known, word), fmt::join(options, ", "));
  }
  return text;
}

/// Tells an error or help of the option parser; returns the exit code.
int told(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const auto given = app.get_subcommands();
  if (error.get_exit_code() != 0 && !given.empty()) {
    const auto below = given.front()->get_subcommands();
    const std::string text = instead_of_options(below.empty() ? *given.front() : *below.front(), argc, argv);
    if (!text.empty()) {
      print_line(stderr, trim(text));
      return static_cast<int>(ExitCode::usage);
    }
  }
  return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::usage);
}

/// The exit code; 7 where output that the command is there to print was lost. (The results of run and batch
/// are files.)
int with_output(int code, bool prints_results) {
  std::cout.flush();  // writes the texts of the option parser
  const int error = std::cout ? lost_output() : ENOSPC;
  const bool judged =
      code == static_cast<int>(ExitCode::ok) || code == static_cast<int>(ExitCode::comparison);
  if (error == 0 || !prints_results || !judged) return code;
  print_line(stderr, io_error_text("write", "standard output", error));
  return static_cast<int>(ExitCode::io);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{
      "Trammel simulates constrained mechanical systems from ADAMS datasets (.adm) and command files "
      "(.acf).\n"
      "Try: trammel init first; trammel run first.acf",
      "trammel"};
  if (unknown_command(argc, argv)) return static_cast<int>(ExitCode::usage);
  CommandLine line;
  add_commands(app, line, argc > 1 ? command_of(argv[1]) : nullptr);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return with_output(told(app, error, argc, argv), true);
  }
  // A file at its size limit is an error of the write, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const NamedCommand& command = *command_of(app.get_subcommands().front()->get_name());
    const bool writes_files = command.execute == job && !line.run.dry_run;
    return with_output(command.execute({app, line, argc, argv}), !writes_files);
  } catch (...) {
    return exit_code_of_failure();
  }
}

}  // namespace trammel
