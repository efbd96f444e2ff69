// `trammel bench`: what this machine makes of the program.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace trammel {

struct BenchOptions {
  std::vector<std::string> cases;       ///< steps, linear, kernels; empty: those of the back end
  std::vector<int> sizes;               ///< unknowns, about; empty: 1000, 10000
  std::vector<std::string> topologies;  ///< empty: all
  std::string backend = "cpu";
  int device = 0;
  int repeats = 3;
  bool quick = false;
  bool roofline = false;
  double flop_rate = 0;  ///< Gflop/s, stated; 0: measured on the processor, none on a device
  std::string out;       ///< JSON file; "": none
};

/// Adds the command to the command line.
void add_bench(CLI::App& app, BenchOptions& options);
/// Measures, prints tables and writes the JSON file. Exit code 2 for options that do not exist or fit, 8
/// where there is no such device, 7 where the file cannot be written, else as failures.
int bench_command(const BenchOptions& options);

}  // namespace trammel
