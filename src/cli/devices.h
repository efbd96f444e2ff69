// `trammel devices`: what there is to compute with.
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
/// Prints the processor, and every back end with its devices or the reason why it has none. Exit code 0: a
/// list without a GPU is a list, too.
int devices_command(const DevicesOptions& options);

}  // namespace trammel
