// Command flex: flexible bodies from finite elements, and their files.
#pragma once

#include <string>
#include <vector>

#include "cli/flex_cut.h"

namespace CLI {
class App;
}

namespace trammel {

struct FlexReduceCommand {
  std::string inp, out;
  std::string stiffness, mass;                ///< files of *MATRIX GENERATE; "": CalculiX's beside the .inp
  std::vector<std::string> interface, nodes;  ///< node ids and names of sets
  std::vector<std::string> rigid, averaged, surface;  ///< "ID=nodes and sets", separated by commas
  std::vector<std::string> attachment;
  std::vector<std::string> load_cases;  ///< paths of files of load cases
  std::string units;                    ///< names of the units of mass, length, time, force
  int modes = 20, inertia = 12, threads = 0;
  double to_frequency = 0;
  bool all_nodes = false, fields = false, quiet = false;
};

struct FlexCommand {
  FlexReduceCommand reduce;
  FlexCutCommand cut;
  std::string file;                           ///< input of info and check
  std::string in, out;                        ///< files of convert
  std::vector<std::string> modes, modes_off;  ///< of convert: numbers of modes and ranges
};

/// Options of `trammel stress`: displacements and stresses of a flexible body in a result.
struct StressCommand {
  std::string results, fields, body;
  std::string by = "mises", times;
  std::string spots;               ///< file of the table; "": none
  std::string series;              ///< file of nodes over time; "": none
  std::string vtu;                 ///< prefix; "": none
  std::string picture, view;       ///< file; "tilt,turn"
  std::vector<std::string> nodes;  ///< nodes of the series; none: the hot spots
  double radius = -1;              ///< of a hot spot [length]; below 0: a fiftieth of the body's size
  int top = 20, every = 1, threads = 0;
  bool body_axes = false, strain = false, quiet = false;
};

/// Adds the command to the command line.
void add_stress(CLI::App& app, StressCommand& command);
int stress_command(const StressCommand& command);

/// Adds the command to the command line.
void add_flex(CLI::App& app, FlexCommand& command);
/// `which`: reduce, cut, info, check or convert.
int flex_command(const FlexCommand& command, const std::string& which);

}  // namespace trammel
