// CLI11 options of the commands on decks: all of `trammel run`, and those that other commands share with it.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "session/batch_options.h"
#include "session/run.h"

namespace trammel {

/// Makes an option take one value each time it is given, so that it does not swallow the file after it.
inline CLI::Option* one_each(CLI::Option* option) {
  return option->allow_extra_args(false);
}

/// The deck, --set, --strict, --permissive.
void add_job_options(CLI::App* command, JobOptions& job);
/// --formats, --single, --every.
void add_file_options(CLI::App* command, std::vector<std::string>& formats, bool& single_precision,
                      int& every);
/// --end, --dtout, --steps, -o, -C.
void add_time_options(CLI::App* command, TimeOptions& times, std::string& prefix, std::string& directory);
void add_linear_solver(CLI::App* command, std::string& name, const std::string& on_device = {});
void add_redundant(CLI::App* command, bool& share_reactions);
/// The commands run and batch.
CLI::App* add_run(CLI::App& app, RunOptions& run, bool& quiet);
CLI::App* add_batch(CLI::App& app, BatchOptions& batch, bool& quiet);

}  // namespace trammel
