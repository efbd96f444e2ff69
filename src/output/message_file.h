// The .msg file: the log of a run in the layout of ADAMS/Solver C++, which job monitors parse.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "output/run_info.h"
#include "output/stream_file.h"

namespace trammel {

/// One row of the step table.
struct StepRow {
  double time = 0;            ///< model time
  double step_size = 0;       ///< model time
  long long evaluations = 0;  ///< residual evaluations since the start of the simulation
  long long steps = 0;        ///< accepted steps since the start of the simulation
  int order = 1;              ///< of the integrator
  double elapsed = 0;         ///< s of wall time since the start of the program
};

/// A constraint equation omitted as redundant, e.g. {"Zi.Xj", "model.JOINT_2"}.
struct RedundantEquation {
  std::string equation, owner;
};

/// The header of a step table. Empty or negative members are omitted.
struct SimulationHeader {
  std::string_view title = "Dynamic Simulation";  ///< or "Static Solution" ...
  bool finds_state = false;                       ///< it is a solution at one time
  std::string integrator = "HHT";                 ///< "HHT", "GSTIFF", "NEWMARK" ...; "" for kinematics
  std::string formulation = "I3";                 ///< "I3", "SI2", "I1"
  int index = 3;                                  ///< index of the equations
  std::string corrector = "original";
  double error = -1;  ///< integration error tolerance
};

/// A line of a settings or statistics list: name and formatted value.
struct NamedValue {
  std::string name, value;
};

/// A number in the format of lists: "   1.000000e-05", "5e-05", "0.008727".
std::string list_scientific(double value);
std::string list_shortest(double value);
std::string list_fixed(double value);

/// Every function appends text and hands it to the operating system at once, so that monitors see it and
/// nothing is lost when the process dies. Errors: Failure(io) naming the file.
class MessageFile {
 public:
  /// Sets a function that receives all text written to the file from now on, e.g. to print it on a terminal.
  void set_echo(std::function<void(std::string_view)> echo) { echo_ = std::move(echo); }

  void open(const std::string& path, const RunInfo& info);
  /// Continues the file at `position`; bytes beyond it are cut off.
  void open(const std::string& path, const FilePosition& position) { file_.open(path, position); }
  /// ` command: SIMULATE/DYNAMIC, END=1`, one line per line of the command.
  void command(std::string_view text);
  void model_title(std::string_view title);
  /// A paragraph of free text, each line indented by two blanks.
  void note(std::string_view text);
  /// Lines as they are.
  void table(std::string_view lines) { put(lines); }
  /// `---- START: WARNING ----` and `---- START: ERROR ----` blocks.
  void warning(std::string_view text);
  void error(std::string_view text);

  void begin_simulation(const SimulationHeader& header);
  /// Kinematic degrees of freedom, and the redundant equations at `time`, if any.
  void degrees_of_freedom(int count, double time, const std::vector<RedundantEquation>& redundant);
  /// Formulation, integrator, error tolerance and header of the step table.
  void begin_steps(const SimulationHeader& header);
  void step(const StepRow& row);
  void end_simulation(const SimulationHeader& header = {});

  /// `Current INTEGRATOR settings are:` and one line per setting.
  void settings(std::string_view statement, const std::vector<NamedValue>& list);
  /// Statistics of SHOW STATE=SIM.
  void statistics(const std::vector<NamedValue>& list);

  /// `Finished -----` and the times, s; then closes the file.
  void finish(double elapsed, double cpu);
  void flush() { file_.flush(); }
  FilePosition position() { return file_.position(); }
  void close() { file_.close(); }

  bool is_open() const { return file_.is_open(); }
  const std::string& path() const { return file_.path(); }
  std::uint64_t size() const { return file_.size(); }

 private:
  void put(std::string_view text);
  void block(const char* kind, std::string_view text);

  StreamFile file_;
  std::function<void(std::string_view)> echo_;
};

}  // namespace trammel
