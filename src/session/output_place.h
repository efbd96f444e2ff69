// The files that a command writes: no other process writes them at the same time, no input is overwritten,
// and files of an earlier run are kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output/claim.h"
#include "session/job.h"

namespace trammel {

/// Every file that is read for a job: command files, dataset, files that statements name.
std::vector<std::string> input_files(const Job& job, const JobOptions& options);

/// Whether two names lead to one file, existing or not.
bool same_file(const std::string& a, const std::string& b);
/// The name that an earlier file is given.
inline std::string earlier_name(const std::string& path) {
  return path + ".1";
}

class OutputPlace {
 public:
  /// Claims prefix.*. Failure(io) where another process has claimed it. `inputs`: files that must not be
  /// overwritten.
  void take(const std::string& prefix, std::vector<std::string> inputs);
  /// Claims one file; a device or pipe needs no claim.
  void take_file(const std::string& path, std::vector<std::string> inputs);

  /// Call before a file is created: Failure(usage) where it is one of the inputs, by whatever name. An
  /// existing file that is not empty is renamed to earlier_name(path), in place of an older file of that
  /// name; Failure(io) where that fails. Returns the new name, or "".
  std::string make_room(const std::string& path) const;
  /// Failure(usage) where the file is one of the inputs.
  void refuse_input(const std::string& path) const;

  /// The process that ended without giving the claim back (Claim::left_by()); "": none.
  std::string left_by() const { return claim_ ? claim_->left_by() : std::string(); }
  /// Gives the claim back.
  void leave() { claim_.reset(); }

 private:
  std::vector<std::string> inputs_;
  std::unique_ptr<Claim> claim_;
};

}  // namespace trammel
