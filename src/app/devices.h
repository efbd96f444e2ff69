// `trammel devices`: what there is to compute with.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace trammel {

struct DevicesOptions {
  bool json = false;
  bool calibrate = false;                          ///< measure what predictions of --backend auto need
  std::vector<std::string> auto_backends{"cuda"};  ///< whose devices are measured
};

/// Adds the command to the command line.
void add_devices(CLI::App& app, DevicesOptions& options);
/// With `calibrate` first measures the processor and the devices, and keeps and prints the constants. Prints
/// the processor, and every back end with its devices or the reason why it has none. Exit code 0: a list
/// without a GPU is a list, too. Constants that cannot be kept are a Failure(io).
int devices_command(const DevicesOptions& options);

}  // namespace trammel
