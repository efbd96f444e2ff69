// `trammel devices`: the processors and devices of the machine.
#pragma once

namespace CLI {
class App;
}

namespace trammel {

struct DevicesOptions {
  bool json = false;
};

/// Adds the command to the command line.
void add_devices(CLI::App& app, DevicesOptions& options);
/// Prints the processor, and every back end with its devices or the reason why it has none. Exit code 0, also
/// without a GPU.
int devices_command(const DevicesOptions& options);

}  // namespace trammel
