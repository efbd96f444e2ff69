// The exclusive right of one process to write the files of a name.
#pragma once

#include <string>

namespace trammel {

/// A claim is a lock file that names its process; the operating system unlocks it when that process ends,
/// however it ends. A lock file left behind by a process of this machine is taken over; one of another
/// machine is respected, since its process cannot be checked from here.
class Claim {
 public:
  /// `path`: the lock file. `what`: for messages, such as "crane.*". Failure(io) when another process holds
  /// the claim, or a file of that name is no lock file.
  Claim(const std::string& path, const std::string& what);
  ~Claim();  ///< releases the claim and removes the lock file
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  /// The process that ended without releasing the claim, as "process 4711 on node7 since
  /// 2024-05-17T22:52:01+02:00"; "": none.
  const std::string& left_by() const { return left_by_; }

 private:
  bool try_to_take(const std::string& what);

  std::string path_, left_by_;
  int descriptor_ = -1;
};

}  // namespace trammel
