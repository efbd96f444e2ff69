// Signals during a run: the first SIGINT or SIGTERM asks it to stop, the second ends the process.
#pragma once

#include <csignal>

namespace trammel {

/// While it lives, SIGINT and SIGTERM are noted, and SIGPIPE and SIGXFSZ become errors of the write that
/// caused them. Restores what was before.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  /// SIGINT or SIGTERM once one has come, else 0.
  static int caught();

 private:
  struct sigaction before_[4];
};

}  // namespace trammel
