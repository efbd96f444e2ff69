// The command line.
#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <iostream>

#include <fmt/format.h>

#include "app/batch.h"
#include "app/bench.h"
#include "app/check.h"
#include "app/compare.h"
#include "app/convert.h"
#include "app/devices.h"
#include "app/plot.h"
#include "app/reference.h"
#include "app/result_options.h"
#include "app/run.h"
#include "app/run_log.h"
#include "app/version.h"
#include "base/text.h"
#include "output/stream_file.h"

namespace {

using namespace trammel;

constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 defect of the program; 2 wrong command line; 3 mistake in the deck; 4 something\n"
    "not supported yet; 5 no solution (results up to there are kept); 7 file or disk; 8 no such\n"
    "device, or none that can be used; 9 results differ (compare); 128+n stopped by\n"
    "signal n: SIGINT 130, SIGTERM 143, SIGHUP 129, SIGXCPU 152, SIGUSR1 138 (results are kept).";

constexpr const char* run_examples =
    "Writes <prefix>.msg (account of the run), .nc (all channels; draw them with trammel plot), "
    ".status.json,\n"
    "and what the deck asks for: .req with OUTPUT/REQSAVE, .gra with GRSAVE, .out with PRINT, .res with "
    "RESULTS/XRF.\n"
    "They go to the present folder, or where -o and -C say.\n\n"
    "Examples:\n"
    "  trammel run model.acf\n"
    "  trammel run model.adm --end 2 --dtout 0.01 -C results\n"
    "  trammel run model.acf --set 'PART/2, MASS=3.5' --set 'ACCGRAV/JGRAV=-1.62' -o moon\n"
    "  trammel run model.acf --formats nc,csv --every 10 --single    small .nc, all steps in .csv\n"
    "  trammel run model.acf --log-json run.jsonl                    events for a monitor\n"
    "  trammel run model.acf --dry-run            read, assemble, write nothing\n"
    "  trammel run old_deck.acf --permissive      leave out what is not supported yet, and list it\n\n";

constexpr const char* batch_examples =
    "The table is a CSV file. Its first line names what varies, each an argument of a statement; a line per\n"
    "variant follows. A column \"name\" names the variants, else they are 1, 2, 3 ... An empty cell leaves\n"
    "what the deck says; a cell with commas stands in quotation marks:\n"
    "  name,PART/2.MASS,PART/2.VX,SFORCE/1.FUNCTION\n"
    "  light,0.5,,20*SIN(5*TIME)\n"
    "  heavy,2.5,0.1,\"STEP(TIME,0,0,1,20)\"\n"
    "Every variant runs as `trammel run` would with these --set options. Writes <prefix>.csv: a line per\n"
    "variant with its status, counts and the chosen channels, in the deck's units. Without -o the prefix\n"
    "is the deck's and the table's name, model_table.\n\n"
    "Examples:\n"
    "  trammel batch model.acf --variants table.csv --channels PART/2.X max:PART/2.VX min:JOINT/1.FZ\n"
    "  trammel batch model.acf --variants table.csv -j 4 -C results --full     .nc and .msg of each variant\n"
    "  trammel batch model.adm --variants table.csv --end 2 --set 'ACCGRAV/KGRAV=-1.62' -o moon\n\n"
    "Exit codes: 0 all done; 5 some variants failed (the table says which and why); 2 wrong command line;\n"
    "3 mistake in the deck or table; 4 something not supported yet; 7 file or disk; 128+n stopped by\n"
    "signal n, as run (the table is complete: what was done, and what was interrupted).";

constexpr const char* check_examples =
    "Reads everything, resolves every reference, plans every command and assembles the mechanism; writes no\n"
    "files. The exit code is that with which `trammel run` would end before its first step.\n\n"
    "Examples:\n"
    "  trammel check model.acf\n"
    "  trammel check model.adm --json | python3 -m json.tool\n"
    "  trammel check model.acf --formats nc,res --every 10    how large the files would be\n"
    "  trammel check old_deck.acf --permissive    a list of all that would be left out\n\n";

constexpr const char* info_examples =
    "Reads leniently: what is not supported is counted and marked.\n\n"
    "Examples:\n"
    "  trammel info model.adm\n"
    "  trammel info model.nc      records and channels of a result file (.nc, .res, .req, .csv)\n\n";

constexpr const char* compare_examples =
    "Reads native files (.nc), .res in XRF form, .req and .csv, in any combination. Channels are paired by "
    "name\n"
    "(REQUESTs by the place of the component, so that CNAMES do not matter). A channel is within tolerance "
    "when\n"
    "|a - b| <= atol + rtol * scale at all times; NaN never is. The scale is the largest |a| of the channel "
    "and\n"
    "its companions (X, Y and Z of a part; FX, FY and FZ of a joint), at least 1e-6 of the largest |a| of "
    "that\n"
    "unit. Where the times differ,\n"
    "the file with more records is interpolated linearly at the times of the other, and a note says so.\n"
    "What only one file has is listed and counts as a difference, except with --common.\n\n"
    "Examples:\n"
    "  trammel compare new.nc reference.nc\n"
    "  trammel compare crane.nc crane.req --common               only the requests\n"
    "  trammel compare a.nc b.nc --channels 'PART/*.X' boom.VX --times 0.5:2 --rtol 1e-4\n"
    "  trammel compare crane.nc rig.csv --map PART/2.X=front_travel --common --atol 0.5\n\n"
    "Exit codes: 0 within tolerance; 9 not; 2 wrong command line, or nothing in common; 3 a file that cannot "
    "be\n"
    "understood; 7 a file that cannot be read.";

constexpr const char* convert_examples =
    "IN is a native file (.nc), .res in XRF form, .req or .csv; its content says which. The end of OUT's "
    "name says\n"
    "what is written: .nc .res .req .csv, or .gra (positions of parts) and .out (tables of requests).\n"
    "Of a file that was cut (a killed run, a full disk) the complete records are taken, with a note.\n\n"
    "Examples:\n"
    "  trammel convert crane.res crane.nc\n"
    "  trammel convert crane.nc crane.csv --channels PART/2 'REQUEST/*' --times 0.5:2\n"
    "  trammel convert crane.nc small.nc --every 10 --single    tenth part of the records, float32\n"
    "  trammel convert crane.nc crane.req                       the requests\n"
    "  trammel convert rig.csv rig.nc                           columns become channels COLUMN/n, by "
    "name\n\n";

constexpr const char* plot_examples =
    "Reads .nc, .res, .req and .csv. One panel for each unit, all over the same x axis; --panel adds panels "
    "of your\n"
    "own. Names as `trammel info FILE` lists them: PART/2.X, boom.VX (name in ADAMS View), REQUEST/1.F2; "
    "REQ/1.F2 for\n"
    "short. Needs gnuplot, no display.\n\n"
    "Examples:\n"
    "  trammel plot model.nc PART/2.X PART/2.Y -o path.png\n"
    "  trammel plot model.nc PART/2.Y -x PART/2.X -o orbit.svg --title 'Path of the coupler'\n"
    "  trammel plot new.nc boom.VX --overlay old.res --legend new old    two runs in one panel\n"
    "  trammel plot model.nc PART/2.X --overlay rig.csv --map PART/2.X=travel_front\n"
    "  trammel plot model.nc --panel PART/2.X,PART/3.X --panel JOINT/1.FX\n"
    "  trammel plot model.nc PART/2.ACCX --fft --times 0.5:4.5           amplitude over frequency\n"
    "  trammel plot model.nc PART/2.ACCX --fft --window flattop --log-y  amplitudes to 0.12 %\n\n"
    "--fft: amplitudes of the channel without its mean; a sine shows its amplitude. Between two lines of "
    "the\n"
    "spectrum it is lower: by up to 15 % with the Hann window, 0.12 % with flattop (wider lines), 36 % with "
    "none.\n";

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
  BatchOptions batch;
  CheckOptions check;
  JobOptions info;
  CompareCommand compare;
  ConvertCommand convert;
  PlotCommand plot;
  DevicesOptions devices;
  BenchOptions bench;
};

void add_file_options(CLI::App* command, std::vector<std::string>& formats, bool& single_precision,
                      int& every) {
  one_each(command->add_option("--formats", formats, "result files: nc,req,res,csv,gra,out or none"))
      ->delimiter(',')
      ->type_name("LIST");
  command->add_flag("--single", single_precision,
                    "values of the .nc file as float32 (7 digits, half the size)");
  command
      ->add_option("--every", every,
                   "every n-th record of a simulation into the .nc file, first and last always")
      ->type_name("N");
}

/// How long, and where to.
void add_time_options(CLI::App* command, TimeOptions& times, std::string& prefix, std::string& directory) {
  command->add_option("--end", times.end, "end time (with a command file: of its last SIMULATE)")
      ->type_name("TIME");
  auto* dtout = command->add_option("--dtout", times.dtout, "output step")->type_name("TIME");
  command->add_option("--steps", times.steps, "number of output steps (default 100)")
      ->type_name("N")
      ->excludes(dtout);
  command->add_option("-o,--output", prefix, "prefix of the output files")->type_name("PREFIX");
  command->add_option("-C,--directory", directory, "folder for the output files (made if absent)")
      ->type_name("DIR");
}

void add_linear_solver(CLI::App* command, std::string& name, const std::string& on_device = {}) {
  command
      ->add_option("--linear-solver", name,
                   "klu, multifrontal, or auto: by what the order of elimination costs" + on_device)
      ->type_name("NAME");
}

void add_run(CLI::App& app, RunOptions& run) {
  auto* command = app.add_subcommand("run", "run a command file or a dataset");
  command->footer(std::string(run_examples) + exit_codes);
  add_job_options(command, run.job);
  add_time_options(command, run.times, run.prefix, run.directory);
  add_file_options(command, run.formats, run.single_precision, run.every);
  command
      ->add_option("-j,--threads", run.compute.threads,
                   "threads for large models (above some hundred parts); the same results with any number")
      ->type_name("N");
  add_linear_solver(command, run.compute.linear_solver,
                    "; with --backend cuda: device (its own, auto), or a library's: cusolver_rf, cudss");
  command
      ->add_option(
          "--backend", run.backend,
          "where steps are computed: auto, where a step is predicted to take least; cpu; cuda, a GPU; "
          "host, the GPU's code on the processor, for tests (trammel devices lists them)")
      ->check(CLI::IsMember({"auto", "cpu", "cuda", "host"}))
      ->capture_default_str();
  command->add_option("--device", run.device, "which device of the back end")->type_name("N");
  command->add_flag("--stats", run.stats, "tell at the end where the time went");
  command->add_option("--log-json", run.log_json, "account of the run as JSON, one event a line")
      ->type_name("FILE");
  command->add_flag("--quiet", run.quiet, "print nothing but errors");
  command->add_flag("--dry-run", run.dry_run, "read, compile, find initial conditions; write nothing");
}

void add_batch(CLI::App& app, BatchOptions& batch) {
  auto* command = app.add_subcommand("batch", "many variants of one model, from a table into a table");
  command->footer(batch_examples);
  add_job_options(command, batch.job);
  command->add_option("--variants", batch.variants, "CSV table of the variants")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--channels", batch.channels,
                   "columns of results: PART/2.X (at the end), min:PART/2.X, max:'PART/*.X' ...")
      ->type_name("CHANNEL ...");
  add_time_options(command, batch.times, batch.prefix, batch.directory);
  command->add_flag("--full", batch.full, "<prefix>_<name>.nc and .msg of every variant");
  command->add_flag("--single", batch.single_precision, "with --full: values as float32");
  command->add_option("--every", batch.every, "with --full: every n-th record, first and last always")
      ->type_name("N");
  command
      ->add_option("-j,--threads", batch.threads,
                   "variants at the same time (default: one per processor); the same results with any number")
      ->type_name("N");
  add_linear_solver(command, batch.linear_solver);
  command
      ->add_option(
          "--backend", batch.backend,
          "where steps are computed: cpu, cuda (a GPU, each group of threads a variant), host (for tests)")
      ->capture_default_str();
  command->add_option("--device", batch.device, "which device of the back end")->type_name("N");
  command->add_flag("--quiet", batch.quiet, "print nothing but errors");
}

void add_others(CLI::App& app, CommandLine& line) {
  auto* check =
      app.add_subcommand("check", "what is wrong with a deck; degrees of freedom, redundant equations");
  check->footer(std::string(check_examples) + exit_codes);
  add_job_options(check, line.check.job);
  add_file_options(check, line.check.formats, line.check.single_precision, line.check.every);
  check->add_flag("--json", line.check.json, "as JSON on standard output");

  auto* info = app.add_subcommand("info", "title, units, statements and result channels");
  info->footer(std::string(info_examples) + exit_codes);
  add_job_options(info, line.info);
}

void add_plot(CLI::App& app, PlotCommand& plot) {
  PlotOptions& options = plot.options;
  auto* command = app.add_subcommand("plot", "draw result channels (PNG or SVG), or their spectra");
  command->footer(plot_examples);
  command->add_option("file", plot.file, "result file (.nc, .res, .req, .csv)")->required();
  command->add_option("channels", plot.channels, "PART/2.X REQUEST/1.F2 boom.VX ...");
  command->add_option("-o,--output", options.output, "picture, .png or .svg")->capture_default_str();
  command->add_option("-x", options.x_channel, "channel of the x axis")->capture_default_str();
  one_each(command->add_option("--overlay", options.overlays, "a second result file, dashed; repeatable"))
      ->type_name("FILE");
  one_each(command->add_option("--map", plot.map, "a channel that the overlay calls differently; repeatable"))
      ->type_name("NAME=NAME_THERE");
  one_each(command->add_option("--panel", options.panels, "a panel with these channels; repeatable"))
      ->type_name("CHANNEL,CHANNEL...");
  command
      ->add_option("--legend", options.legends, "names of the curves: all of the file, then of the overlays")
      ->type_name("TEXT ...");
  command->add_option("--times", plot.times, "window of time, ends included: 0.5:2, 0.5: or :2")
      ->type_name("FROM:TO");
  command->add_flag("--fft", options.fft, "amplitude spectra");
  command->add_option("--window", plot.window, "of --fft: none, hann, flattop")->capture_default_str();
  command->add_flag("--log-y", options.log_y, "logarithmic y axis");
  command->add_option("--title", options.title, "title (default: that of the model)");
  command->add_option("--width", options.width, "pixels")->capture_default_str();
  command->add_option("--height", options.height, "pixels (default: by the number of panels)");
}

void add_compare(CLI::App& app, CompareCommand& compare) {
  auto* command = app.add_subcommand("compare", "two result files against each other, with a tolerance");
  command->footer(compare_examples);
  command->add_option("a", compare.a, "result file, the reference of --rtol")->required();
  command->add_option("b", compare.b, "result file")->required();
  command->add_option("--rtol", compare.options.rtol, "part of the scale (default 1e-6, with a .req 1e-5)");
  command->add_option("--atol", compare.options.atol, "added to it, in the channel's unit (default 0)");
  command->add_flag("--pointwise", compare.options.pointwise, "limit atol + rtol * |a| at each time");
  command->add_flag("--wrap", compare.options.wrap, "angles modulo a full turn");
  command->add_flag("--common", compare.options.common, "what only one file has is no difference");
  command->add_option("--channels", compare.options.channels, "only these: PART/2 'PART/*.X' boom.VX ...")
      ->type_name("CHANNEL ...");
  one_each(command->add_option("--map", compare.map, "pair channels of different names; repeatable"))
      ->type_name("NAME_A=NAME_B");
  command->add_option("--times", compare.times, "window of time, ends included: 0.5:2, 0.5: or :2")
      ->type_name("FROM:TO");
  command->add_option("--worst", compare.worst, "rows of the table (0: all channels)")->capture_default_str();
}

void add_convert(CLI::App& app, ConvertCommand& convert) {
  auto* command = app.add_subcommand("convert", "a result file in another format, or a part of it");
  command->footer(std::string(convert_examples) + exit_codes);
  command->add_option("in", convert.in, "result file (.nc, .res, .req, .csv)")->required();
  command->add_option("out", convert.out, "new file (.nc, .res, .req, .csv, .gra, .out)")->required();
  command->add_option("--channels", convert.channels, "only these: PART/2 'PART/*.X' boom.VX ...")
      ->type_name("CHANNEL ...");
  command->add_option("--times", convert.times, "window of time, ends included: 0.5:2, 0.5: or :2")
      ->type_name("FROM:TO");
  command->add_option("--every", convert.every, "every n-th record, the first and the last always")
      ->type_name("N");
  command->add_flag("--single", convert.single_precision, "values of a .nc file as float32 (7 digits)");
  command->add_flag("--quiet", convert.quiet, "print nothing but errors");
}

int dispatch(const CLI::App& app, const CommandLine& line) {
  if (app.got_subcommand("run")) return run_command(line.run);
  if (app.got_subcommand("batch")) return batch_command(line.batch);
  if (app.got_subcommand("check")) return check_command(line.check);
  if (app.got_subcommand("info")) return info_command(line.info);
  if (app.got_subcommand("reference")) return reference_command();
  if (app.got_subcommand("compare")) return compare_command(line.compare);
  if (app.got_subcommand("convert")) return convert_command(line.convert);
  if (app.got_subcommand("devices")) return devices_command(line.devices);
  if (app.got_subcommand("bench")) return bench_command(line.bench);
  return plot_command(line.plot);
}

/// The exit code, or 7 where what the command is there to print was lost. The results of run and batch are
/// files.
int with_output(int code, bool prints_results) {
  std::cout.flush();  // texts of the option parser
  const int error = std::cout ? lost_output() : ENOSPC;
  const bool judged =
      code == static_cast<int>(ExitCode::ok) || code == static_cast<int>(ExitCode::comparison);
  if (error == 0 || !prints_results || !judged) return code;
  print_line(stderr, io_error_text("write", "standard output", error));
  return static_cast<int>(ExitCode::io);
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
  line.batch.command_line = line.run.command_line;
  add_run(app, line.run);
  add_others(app, line);
  add_plot(app, line.plot);
  add_compare(app, line.compare);
  add_convert(app, line.convert);
  add_batch(app, line.batch);
  add_devices(app, line.devices);
  add_bench(app, line.bench);
  app.add_subcommand("reference", "all statements, commands and functions, as Markdown")
      ->footer("It is docs/statements.md.\n\nExamples:\n  trammel reference | less\n");
  if (unknown_command(app, argc, argv)) return static_cast<int>(ExitCode::usage);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return with_output(app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::usage), true);
  }
  // A file at its size limit is an error of the write, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const bool writes_files = app.got_subcommand("batch") || (app.got_subcommand("run") && !line.run.dry_run);
    return with_output(dispatch(app, line), !writes_files);
  } catch (...) {
    return exit_code_of_failure();
  }
}
