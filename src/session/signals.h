// Signals during a run: the first that asks it to stop lets it finish its step, the second ends the process.
#pragma once

#include <csignal>
#include <string>

namespace trammel {

/// While a guard exists, SIGINT, SIGTERM, SIGHUP (unless ignored before, as by nohup), SIGXCPU and SIGUSR1
/// are noted, and SIGPIPE and SIGXFSZ become errors of the write that caused them. The destructor restores
/// the handlers before. SIGXCPU, which the system repeats every second, never counts as the second signal,
/// nor does the same signal within half a second: timeout(1) sends its signal to the process and to its
/// group.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  /// The first of these signals that has come while one exists; 0: none.
  static int caught();

 private:
  static constexpr int handled = 7;
  struct sigaction before_[handled];
};

/// The name of a signal, "SIGTERM" for 15.
std::string signal_name(int signal);

}  // namespace trammel
