#include "cli/command_line.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iostream>

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

void add_guides(CLI::App& app, CommandLine& line) {
  auto* init = app.add_subcommand("init", "a first deck: a commented four-bar linkage that runs at once");
  init->add_option("name", line.init_name, "of the new files NAME.adm and NAME.acf; none is overwritten")
      ->capture_default_str();
  init->footer(
      "Examples:\n  trammel init\n  trammel init press    then: trammel run press.acf\n\n"
      "docs/tutorial.md goes on from there.");
  auto* reference =
      app.add_subcommand("reference", "all statements, commands and functions, or one, as Markdown");
  reference
      ->add_option("word", line.reference_word,
                   "a statement, command or function, or the beginning of one's name")
      ->type_name("WORD");
  reference->footer(
      "Without a word it is docs/statements.md.\n\nExamples:\n"
      "  trammel reference joint\n  trammel reference STEP\n  trammel reference | less\n");
  app.add_subcommand("completion", "a script that completes commands and options in a shell")
      ->add_option("shell", line.shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  app.get_subcommand("completion")
      ->footer(
          "Examples:\n  trammel completion bash > ~/.local/share/bash-completion/completions/trammel\n"
          "  source <(trammel completion zsh)");
  app.add_subcommand("man", "the manual page, as man and groff read it")
      ->footer("Examples:\n  trammel man > trammel.1\n  trammel man | man -l -");
}

void add_commands(CLI::App& app, CommandLine& line) {
  app.set_version_flag("--version", fmt::format("trammel {} ({})", trammel_version(), trammel_build()));
  app.require_subcommand(1);
  app.footer(std::string("trammel COMMAND --help explains a command, with examples.\n") + exit_codes);
  add_deck_commands(app, line);
  add_result_commands(app, line);
  add_flex(app, line.flex);
  add_stress(app, line.stress);
  add_devices(app, line.devices);
  add_bench(app, line.bench);
  add_guides(app, line);
}

int print(const std::string& text) {
  print_line(stdout, trim(text));
  return 0;
}

int dispatch(const CLI::App& app, const CommandLine& line, int argc, char** argv) {
  const std::string command = app.get_subcommands().front()->get_name();
  if (command == "run" || command == "batch") return job_command(argc, argv, line.quiet);
  if (command == "check") return check_command(line.check);
  if (command == "doctor") return doctor_command(line.doctor);
  if (command == "linear") return linear_command(line.linear);
  if (command == "converge") return converge_command(line.converge);
  if (command == "info") return info_command(line.info);
  if (command == "plot") return plot_command(line.plot);
  if (command == "compare") return compare_command(line.compare);
  if (command == "convert") return convert_command(line.convert);
  if (command == "flex")
    return flex_command(line.flex, app.get_subcommands().front()->get_subcommands().front()->get_name());
  if (command == "stress") return stress_command(line.stress);
  if (command == "devices") return devices_command(line.devices);
  if (command == "bench") return bench_command(line.bench);
  if (command == "init") return init_command(line.init_name);
  if (command == "reference") return reference_command(line.reference_word);
  if (command == "completion") return print(completion_script(app, line.shell));
  return print(manual_page(app));
}

/// Tells that the first word is no command, with the command that a file needs. False where it is a command.
bool unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::string word = argv[1];
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return false;
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string end = word.size() > 4 ? lower(word.substr(word.size() - 4)) : "";
  const bool deck = end == ".acf" || end == ".adm";
  print_line(stderr,
             fmt::format("unknown command \"{}\"{}{}", word,
                         deck ? "; did you mean: trammel run " + word + "?" : did_you_mean(known, word),
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
  CommandLine line;
  add_commands(app, line);
  if (unknown_command(app, argc, argv)) return static_cast<int>(ExitCode::usage);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return with_output(told(app, error, argc, argv), true);
  }
  // A file at its size limit is an error of the write, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const bool writes_files = app.got_subcommand("batch") || (app.got_subcommand("run") && !line.run.dry_run);
    return with_output(dispatch(app, line, argc, argv), !writes_files);
  } catch (...) {
    return exit_code_of_failure();
  }
}

}  // namespace trammel
