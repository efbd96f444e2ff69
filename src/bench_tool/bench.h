// `trammel bench`: what this machine makes of the program.
#pragma once

#include "bench_tool/options.h"

namespace CLI {
class App;
}

namespace trammel {

/// Adds the command to the command line.
void add_bench(CLI::App& app, BenchOptions& options);
/// Measures, prints tables and writes the JSON file. Exit code 2 for options that do not exist or fit, 8
/// where there is no such device, 7 where the file cannot be written, else as failures.
int bench_command(const BenchOptions& options);

}  // namespace trammel
