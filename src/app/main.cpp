// The command line.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "app/check.h"
#include "app/run.h"
#include "app/run_log.h"
#include "app/version.h"
#include "base/text.h"
#include "output/plot.h"

namespace {

using namespace trammel;

constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 defect of the program; 2 wrong command line; 3 mistake in the deck; 4 something\n"
    "not supported yet; 5 no solution (results up to there are kept); 7 file or disk; 130/143 stopped by\n"
    "SIGINT/SIGTERM (results are kept).";

constexpr const char* run_examples =
    "Writes <prefix>.msg (account of the run), .nc (all channels; draw them with trammel plot), "
    ".status.json,\n"
    "and what the deck asks for: .req with OUTPUT/REQSAVE, .res with RESULTS/XRF. They go to the present\n"
    "folder, or where -o and -C say.\n\n"
    "Examples:\n"
    "  trammel run model.acf\n"
    "  trammel run model.adm --end 2 --dtout 0.01 -C results\n"
    "  trammel run model.acf --set 'PART/2, MASS=3.5' --set 'ACCGRAV/JGRAV=-1.62' -o moon\n"
    "  trammel run model.acf --dry-run            read, assemble, write nothing\n"
    "  trammel run old_deck.acf --permissive      leave out what is not supported yet, and list it\n\n";

constexpr const char* check_examples =
    "Reads everything, resolves every reference, plans every command and assembles the mechanism; writes no\n"
    "files. The exit code is that with which `trammel run` would end before its first step.\n\n"
    "Examples:\n"
    "  trammel check model.acf\n"
    "  trammel check model.adm --json | python3 -m json.tool\n"
    "  trammel check old_deck.acf --permissive    a list of all that would be left out\n\n";

constexpr const char* info_examples =
    "Reads leniently: what is not supported is counted and marked.\n\n"
    "Examples:\n"
    "  trammel info model.adm\n"
    "  trammel info model.nc      records and channels of a result file\n\n";

constexpr const char* plot_examples =
    "One panel for each unit, all over the same x axis. Names as `trammel info` lists them: PART/2.X, "
    "boom.VX\n"
    "(name in ADAMS View), REQUEST/1.F2; REQ/1.F2 for short. Needs gnuplot.\n\n"
    "Examples:\n"
    "  trammel plot model.nc PART/2.X PART/2.Y -o path.png\n"
    "  trammel plot model.nc PART/2.Y -x PART/2.X -o orbit.svg --title 'Path of the coupler'\n";

/// An option that takes one value each time it is given: without this it would swallow the file behind it.
CLI::Option* one_each(CLI::Option* option) {
  return option->allow_extra_args(false);
}

void add_job_options(CLI::App* command, JobOptions& job) {
  command->add_option("file", job.file, "command file (.acf) or dataset (.adm)")->required();
  one_each(command->add_option("--set", job.sets,
                               "change the model: 'PART/2, MASS=3.5', in the dataset's syntax; repeatable"))
      ->type_name("STATEMENT");
  auto* strict =
      command->add_flag("--strict", job.strict, "stop at what is replaced or has no effect (exit code 4)");
  command->add_flag("--permissive", job.permissive, "go on without what is unsupported, and list it")
      ->excludes(strict);
}

struct CommandLine {
  RunOptions run;
  JobOptions check, info;
  bool json = false;
  std::string result;
  std::vector<std::string> channels;
  PlotOptions plot;
};

void add_run(CLI::App& app, RunOptions& run) {
  auto* command = app.add_subcommand("run", "run a command file or a dataset");
  command->footer(std::string(run_examples) + exit_codes);
  add_job_options(command, run.job);
  command->add_option("--end", run.end, "end time (with a command file: of its last SIMULATE)")
      ->type_name("TIME");
  auto* dtout = command->add_option("--dtout", run.dtout, "output step")->type_name("TIME");
  command->add_option("--steps", run.steps, "number of output steps (default 100)")
      ->type_name("N")
      ->excludes(dtout);
  command->add_option("-o,--output", run.prefix, "prefix of the output files")->type_name("PREFIX");
  command->add_option("-C,--directory", run.directory, "folder for the output files (made if absent)")
      ->type_name("DIR");
  one_each(command->add_option("--formats", run.formats, "result files: nc,req,res or none"))
      ->delimiter(',')
      ->type_name("LIST");
  command->add_flag("--quiet", run.quiet, "print nothing but errors");
  command->add_flag("--dry-run", run.dry_run, "read, compile, find initial conditions; write nothing");
}

void add_others(CLI::App& app, CommandLine& line) {
  auto* check =
      app.add_subcommand("check", "what is wrong with a deck; degrees of freedom, redundant equations");
  check->footer(std::string(check_examples) + exit_codes);
  add_job_options(check, line.check);
  check->add_flag("--json", line.json, "as JSON on standard output");

  auto* info = app.add_subcommand("info", "title, units, statements and result channels");
  info->footer(std::string(info_examples) + exit_codes);
  add_job_options(info, line.info);

  auto* plot = app.add_subcommand("plot", "draw result channels (PNG or SVG)");
  plot->footer(plot_examples);
  plot->add_option("file", line.result, "native result file (.nc)")->required();
  plot->add_option("channels", line.channels, "PART/2.X REQUEST/1.F2 boom.VX ...")->required();
  plot->add_option("-o,--output", line.plot.output, "picture, .png or .svg")->capture_default_str();
  plot->add_option("-x", line.plot.x_channel, "channel of the x axis")->capture_default_str();
  plot->add_option("--title", line.plot.title, "title (default: that of the model)");
  plot->add_option("--width", line.plot.width, "pixels")->capture_default_str();
  plot->add_option("--height", line.plot.height, "pixels (default: by the number of panels)");
}

int plot_command(const CommandLine& line) {
  try {
    plot_channels(line.result, line.channels, line.plot);
    print_line(stdout, line.plot.output);
    return 0;
  } catch (const Failure& failure) {
    print_line(stderr, failure.what());
    return static_cast<int>(failure.code());
  }
}

int dispatch(const CLI::App& app, const CommandLine& line) {
  if (app.got_subcommand("run")) return run_command(line.run);
  if (app.got_subcommand("check")) return check_command(line.check, line.json);
  if (app.got_subcommand("info")) return info_command(line.info);
  return plot_command(line);
}

/// A first word that is no command is told as such, and a file gets the command that it lacks.
bool unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::string word = argv[1];
  std::string known;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == word) return false;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  const std::string end = word.size() > 4 ? lower(word.substr(word.size() - 4)) : "";
  print_line(stderr, fmt::format("unknown command \"{}\"; {}", word,
                                 end == ".acf" || end == ".adm" ? "did you mean: trammel run " + word + "?"
                                                                : "commands are " + known));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Trammel simulates constrained mechanical systems from ADAMS datasets (.adm) and command files "
      "(.acf).\n"
      "Try: trammel run models/pendulum/pendulum.acf"};
  app.set_version_flag("--version", "trammel " + program_version() + " (" + program_build() + ")");
  app.require_subcommand(1);
  app.footer(std::string("trammel COMMAND --help explains a command, with examples.\n") + exit_codes);
  CommandLine line;
  for (int k = 0; k < argc; ++k) line.run.command_line += (k ? " " : "") + std::string(argv[k]);
  add_run(app, line.run);
  add_others(app, line);
  if (unknown_command(app, argc, argv)) return static_cast<int>(ExitCode::usage);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::usage);
  }
  try {
    return dispatch(app, line);
  } catch (const std::exception& error) {
    print_line(stderr, std::string("defect of the program: ") + error.what());
    return static_cast<int>(ExitCode::internal);
  }
}
