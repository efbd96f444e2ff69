// Starts the built program as a user would, in a folder of its own, and looks at all that it leaves.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace trammel_test {

namespace fs = std::filesystem;

/// An empty folder that is removed at the end of the test.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path(const std::string& name = "") const { return path_ / name; }
  /// Writes a text file there, subfolders made.
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const { return fs::exists(path_ / name); }
  nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(read(name)); }
  /// Values of a channel of a native file there.
  std::vector<double> channel(const std::string& file, const std::string& name) const;
  /// Names of everything in it, sorted, one blank between.
  std::string list() const;

 private:
  fs::path path_;
};

struct Launch {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  ///< "NAME=value", added
  std::size_t file_size_limit = 0;       ///< bytes; 0: none
  bool terminal = false;                 ///< standard output is a pseudo-terminal
  std::string standard_output;           ///< a path instead of a pipe, such as /dev/full
  std::size_t memory_limit = 0;          ///< bytes of address space; 0: none
};

struct Outcome {
  int code = -1;   ///< exit code; −1 when ended by a signal
  int signal = 0;  ///< that ended it
  std::string out, err;
};

/// A started program.
class Process {
 public:
  Process(const Folder& folder, const Launch& launch);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  void send(int signal) const;
  /// Reads its output until it ends.
  Outcome wait();

 private:
  pid_t child_ = -1;
  int out_ = -1, err_ = -1;
};

/// Starts the program with these arguments in the folder and waits for it.
Outcome run(const Folder& folder, const std::vector<std::string>& arguments);
Outcome run(const Folder& folder, const Launch& launch);

/// Waits (at most 20 s) until the condition holds; false when it does not.
template <class Condition>
bool wait_until(Condition condition);
bool wait_step(int k);

template <class Condition>
bool wait_until(Condition condition) {
  for (int k = 0; wait_step(k); ++k)
    if (condition()) return true;
  return false;
}

/// Models of this source tree, and real files (empty without TRAMMEL_SAMPLES).
fs::path model(const std::string& name);
std::vector<fs::path> samples(const std::string& extension);

/// A body of 2 kg that a force of 1 N pulls along X and gravity along −Z (10 m/s²): x = t²/4, z = −5 t².
/// HHT integrates constant accelerations exactly, so results hold to rounding. `more`: further statements.
std::string falling_body(const std::string& more = "");
/// Two bars and ground joined by revolute joints on parallel axes, closed: a four-bar linkage with three
/// redundant equations.
std::string four_bar();

}  // namespace trammel_test
