// The right to write the files of a name: one process at a time has it.
#pragma once

#include <string>

namespace trammel {

/// Held by a lock file that says which process has it, and that the operating system frees when that process
/// ends, however it ends. A lock file that a process of this machine has left behind is taken over; one of
/// another machine is respected, because nobody can tell from here whether its process is still there.
class Claim {
 public:
  /// `path`: of the lock file. `what`: for messages, such as "crane.*". Failure(io) where another process has
  /// the claim, and where a file of that name is no lock.
  Claim(const std::string& path, const std::string& what);
  ~Claim();  ///< releases the claim and removes the lock file
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  /// "process 4711 on node7 since 2024-05-17T22:52:01+02:00", which ended without releasing the claim; "":
  /// none.
  const std::string& left_by() const { return left_by_; }

 private:
  bool try_to_take(const std::string& what);

  std::string path_, left_by_;
  int descriptor_ = -1;
};

}  // namespace trammel
