// Checkpoints of a run: when they are due, their files, and whether one fits the run that is to continue.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/clock.h"

namespace trammel {

/// Names and values that must be the same for a run to continue: "--every" and "10", "model.adm" and the
/// checksum of its bytes.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// Checksum of a file's bytes as text; "" where it cannot be read.
std::string checksum_of_file(const std::string& path);
/// Adds the checksum of each existing file, once, under its path relative to the folder of `deck`: so names
/// of the files, and the place of that folder, do not matter.
void add_checksums(RunIdentity& list, const std::vector<std::string>& files, const std::string& deck);
/// Throws Failure(usage) that names the first difference.
void require_same(const RunIdentity& saved, const RunIdentity& now);

class Checkpoint {
 public:
  /// `seconds`: wall time between two checkpoints; 0: none are written.
  explicit Checkpoint(double seconds) : seconds_(seconds) {}

  bool wanted() const { return seconds_ > 0; }
  /// Whether that time has passed since the start or the last checkpoint; or, once, where `now` is true.
  bool due(bool now);
  /// Writes a checkpoint in place of the last one. Throws Failure(io).
  void write(const std::string& prefix, const std::string& bytes);
  bool written() const { return written_; }

  static std::string path(const std::string& prefix) { return prefix + ".checkpoint"; }
  /// The bytes of the last checkpoint; nullopt: there is none. Throws as read_saved().
  static std::optional<std::string> read(const std::string& prefix);
  /// Removes the checkpoint, and the unfinished file that a killed process may have left.
  static void remove(const std::string& prefix);

 private:
  double seconds_;
  Stopwatch since_last_;
  bool now_done_ = false, written_ = false;
};

}  // namespace trammel
