// The command line.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "app/check.h"
#include "app/run.h"
#include "app/version.h"
#include "output/plot.h"

namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 done; 2 wrong command line; 3 mistake in the deck; 4 something not supported yet;\n"
    "5 no solution (results up to there are kept); 7 disk; 130/143 stopped by SIGINT/SIGTERM.";

void add_job_options(CLI::App* command, trammel::JobOptions& job) {
  command->add_option("file", job.file, "command file (.acf) or dataset (.adm)")->required();
  command->add_option("--set", job.sets,
                      "change the model: one redefinition, e.g. --set 'PART/2,MASS=3.5' (repeatable)");
  command->add_flag("--strict", job.strict, "stop at anything that is replaced or has no effect");
  command->add_flag("--permissive", job.permissive, "go on without what is unsupported, and list it");
}

}  // namespace

int main(int argc, char** argv) {
  using namespace trammel;
  CLI::App app{"Trammel: simulates constrained mechanical systems from ADAMS datasets.\n"
               "Try: trammel run models/pendulum/pendulum.acf"};
  app.set_version_flag("--version", "trammel " + program_version() + " (" + program_build() + ")");
  app.require_subcommand(1);
  app.footer(exit_codes);

  RunOptions run;
  for (int k = 0; k < argc; ++k) run.command_line += (k ? " " : "") + std::string(argv[k]);
  double end = 0, dtout = 0;
  int steps = 0;
  auto* run_app = app.add_subcommand("run", "run a command file or a dataset");
  run_app->footer(std::string("Writes <prefix>.msg, .nc (plot it with trammel plot), .status.json, and what the deck asks for\n"
                              "(.req with OUTPUT/REQSAVE, .res with RESULTS/XRF).\n\n"
                              "  trammel run model.acf\n"
                              "  trammel run model.adm --end 2 --dtout 0.01 -C results\n"
                              "  trammel run model.acf --set 'PART/2,MASS=3.5' -o heavy\n\n") + exit_codes);
  add_job_options(run_app, run.job);
  auto* end_option = run_app->add_option("--end", end, "end time (with a command file: of its last SIMULATE)");
  auto* dtout_option = run_app->add_option("--dtout", dtout, "output step")->check(CLI::PositiveNumber);
  auto* steps_option = run_app->add_option("--steps", steps, "number of output steps")->check(CLI::PositiveNumber);
  run_app->add_option("-o,--output", run.prefix, "prefix of the output files");
  run_app->add_option("-C,--directory", run.directory, "folder for the output files (made if absent)");
  run_app->add_option("--formats", run.formats, "result files: nc, req, res, none")->delimiter(',');
  run_app->add_flag("--quiet", run.quiet, "print nothing but errors");
  run_app->add_flag("--dry-run", run.dry_run, "read, compile, find initial conditions; write nothing");

  JobOptions check;
  bool json = false;
  auto* check_app = app.add_subcommand("check", "read a deck and say what is wrong, its degrees of freedom, redundant equations");
  add_job_options(check_app, check);
  check_app->add_flag("--json", json, "as JSON");

  JobOptions info;
  auto* info_app = app.add_subcommand("info", "title, units, statements and result channels of a deck");
  add_job_options(info_app, info);

  std::string result;
  std::vector<std::string> channels;
  PlotOptions plot;
  auto* plot_app = app.add_subcommand("plot", "draw result channels (PNG or SVG, by gnuplot)");
  plot_app->footer("  trammel plot pendulum.nc PART/2.X PART/2.Y -o pendulum.png\n  trammel info model.adm lists the channels.");
  plot_app->add_option("file", result, "native result file (.nc)")->required();
  plot_app->add_option("channels", channels, "PART/2.X REQUEST/1.F2 boom.VX ...")->required();
  plot_app->add_option("-o,--output", plot.output, "picture, .png or .svg")->capture_default_str();
  plot_app->add_option("-x", plot.x_channel, "channel of the x axis")->capture_default_str();
  plot_app->add_option("--title", plot.title, "title");
  plot_app->add_option("--width", plot.width, "pixels")->capture_default_str();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : static_cast<int>(ExitCode::usage);
  }
  if (*run_app) {
    if (*end_option) run.end = end;
    if (*dtout_option) run.dtout = dtout;
    if (*steps_option) run.steps = steps;
    return run_command(run);
  }
  if (*check_app) return check_command(check, json);
  if (*info_app) return info_command(info);
  try {
    plot_channels(result, channels, plot);
    fmt::print("{}\n", plot.output);
    return 0;
  } catch (const Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.code());
  }
}
