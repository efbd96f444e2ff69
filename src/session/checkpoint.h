// Checkpoints of a run: when they are due, where they are, and whether one fits the run that wants to go on.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/archive.h"

namespace trammel {

/// What must be the same for a run to go on: names and values, "--every" and "10", "model.adm" and the
/// checksum of its bytes.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// Checksum of a file's bytes as text; "" where it cannot be read.
std::string checksum_of_file(const std::string& path);
/// Adds the checksum of each file that is there, once, by its place relative to the folder of the deck:
/// however the files are called, and wherever the folder has gone.
void add_checksums(RunIdentity& list, const std::vector<std::string>& files, const std::string& deck);
/// Throws Failure(usage) that names the first difference.
void require_same(const RunIdentity& saved, const RunIdentity& now);

class Checkpoint {
 public:
  /// `seconds` of wall time between two; 0: none.
  explicit Checkpoint(double seconds) : seconds_(seconds) {}

  bool wanted() const { return seconds_ > 0; }
  /// Whether so much time has gone since the start or the last one, or `now`, once.
  bool due(bool now);
  /// Replaces the one before. Failure(io).
  void write(const std::string& prefix, const std::string& bytes);
  bool written() const { return written_; }

  static std::string path(const std::string& prefix) { return prefix + ".checkpoint"; }
  /// What was written last; nullopt: there is none. Throws as read_saved().
  static std::optional<std::string> read(const std::string& prefix);
  /// When it is of no more use; also what a killed process has written of the next one.
  static void remove(const std::string& prefix);

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_;
  Clock::time_point last_ = Clock::now();
  bool now_done_ = false, written_ = false;
};

}  // namespace trammel
