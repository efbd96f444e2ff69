// What `trammel bench` is asked for.
#pragma once

#include <string>
#include <vector>

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

}  // namespace trammel
