// The command line: all commands with their options. --help, shell completion and the manual page are
// generated from it.
#pragma once

#include <CLI/CLI.hpp>

#include "bench_tool/bench.h"
#include "cli/check.h"
#include "cli/compare.h"
#include "cli/converge.h"
#include "cli/convert.h"
#include "cli/devices.h"
#include "cli/doctor.h"
#include "cli/flex.h"
#include "cli/linear.h"
#include "cli/plot.h"
#include "cli/run.h"
#include "session/batch_options.h"
#include "session/run.h"

namespace trammel {

/// The values of the options of every command.
struct CommandLine {
  RunOptions run;
  BatchOptions batch;
  bool quiet = false;  ///< --quiet of run and batch
  CheckOptions check;
  DoctorCommand doctor;
  ConvergeCommand converge;
  LinearCommand linear;
  InfoOptions info;
  CompareCommand compare;
  ConvertCommand convert;
  PlotCommand plot;
  FlexCommand flex;
  StressCommand stress;
  DevicesOptions devices;
  BenchOptions bench;
  std::string init_name = "first";
  std::string reference_word;  ///< word of `reference`; "": everything
  std::string shell;           ///< shell of `completion`
};

/// Text at the end of a help page.
inline constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 defect of the program; 2 wrong command line; 3 mistake in the deck; 4 something\n"
    "not supported yet; 5 no solution (results up to there are kept); 7 file or disk; 8 no such\n"
    "device, or none that can be used; 9 results differ (compare, converge); 128+n stopped by\n"
    "signal n: SIGINT 130, SIGTERM 143, SIGHUP 129, SIGXCPU 152, SIGUSR1 138 (results are kept).";

// Each adds its command with options and help.
void add_run(CLI::App& app, CommandLine& line);
void add_converge(CLI::App& app, CommandLine& line);
void add_linear(CLI::App& app, CommandLine& line);
void add_check(CLI::App& app, CommandLine& line);
void add_info(CLI::App& app, CommandLine& line);
void add_batch(CLI::App& app, CommandLine& line);
void add_doctor(CLI::App& app, CommandLine& line);
void add_plot(CLI::App& app, CommandLine& line);
void add_compare(CLI::App& app, CommandLine& line);
void add_convert(CLI::App& app, CommandLine& line);

}  // namespace trammel
