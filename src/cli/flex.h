// Command flex: flexible bodies from finite elements, and their files.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace trammel {

struct FlexReduceCommand {
  std::string inp, out;
  std::string stiffness, mass;                ///< files of *MATRIX GENERATE; else CalculiX's beside the .inp
  std::vector<std::string> interface, nodes;  ///< node ids and names of sets
  std::vector<std::string> rigid, averaged;   ///< ID=nodes and sets, commas between
  std::vector<std::string> attachment;
  std::vector<std::string> load_cases;  ///< files
  std::string units;                    ///< mass, length, time, force
  int modes = 20, inertia = 12, threads = 0;
  double to_frequency = 0;
  bool all_nodes = false, quiet = false;
};

struct FlexCommand {
  FlexReduceCommand reduce;
  std::string file;                           ///< of info and check
  std::string in, out;                        ///< of convert
  std::vector<std::string> modes, modes_off;  ///< of convert: numbers and ranges of them
};

/// Adds the command to the command line.
void add_flex(CLI::App& app, FlexCommand& command);
/// `which`: reduce, info, check or convert.
int flex_command(const FlexCommand& command, const std::string& which);

}  // namespace trammel
