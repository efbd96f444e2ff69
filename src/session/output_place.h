// Where a command writes: no other process writes there meanwhile, no input is replaced, and what an earlier
// run left there is kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output/claim.h"
#include "session/job.h"

namespace trammel {

/// Every file that was read for a job: command files, dataset, files that statements name.
std::vector<std::string> input_files(const Job& job, const JobOptions& options);

/// Whether two names lead to one file, be it there or not.
bool same_file(const std::string& a, const std::string& b);
/// What an earlier file is renamed to.
inline std::string earlier_name(const std::string& path) {
  return path + ".1";
}

class OutputPlace {
 public:
  /// Takes prefix.*: Failure(io) where another process has it.
  void take(const std::string& prefix, std::vector<std::string> inputs);
  /// The same with one file, by its whole name; a device or pipe is nobody's.
  void take_file(const std::string& path, std::vector<std::string> inputs);

  /// Before a file is created: Failure(usage) where it is one of the inputs, by whatever name. A file that is
  /// there already and not empty is renamed to earlier_name(path), in place of an older one of that name:
  /// Failure(io) where that cannot be. Returns its new name, or "".
  std::string make_room(const std::string& path) const;
  /// The first part of that.
  void refuse_input(const std::string& path) const;

  /// See Claim.
  std::string left_by() const { return claim_ ? claim_->left_by() : std::string(); }
  /// Gives it back.
  void leave() { claim_.reset(); }

 private:
  std::vector<std::string> inputs_;
  std::unique_ptr<Claim> claim_;
};

}  // namespace trammel
