#include "session/signals.h"

#include <atomic>
#include <ctime>
#include <iterator>

#include <fmt/format.h>

namespace trammel {

namespace {

std::atomic<int> caught_signal{0};
std::atomic<long long> caught_at{0};                   ///< [ms]
static_assert(std::atomic<int>::is_always_lock_free);  // signal handlers may use lock-free atomics only
static_assert(std::atomic<long long>::is_always_lock_free);

/// Time of a clock that nobody sets [ms]; a signal handler may ask for it.
long long milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000LL * now.tv_sec + now.tv_nsec / 1'000'000;
}

/// Whether a signal says once more what the first one said.
bool repeats_the_first(int signal) {
  constexpr int at_once = 500;  // ms
  return signal == SIGXCPU || (signal == caught_signal && milliseconds() - caught_at < at_once);
}

extern "C" void trammel_on_signal(int signal) {
  if (caught_signal != 0) {
    if (repeats_the_first(signal)) return;
    // the signal, raised again, arrives when this handler returns, and ends the process
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  caught_at = milliseconds();
  caught_signal = signal;
}

struct Handled {
  int signal;
  const char* name;
  void (*handler)(int);
};

// A closed pipe (run | head) or a file at its size limit must not lose the results.
const Handled handled_signals[] = {{SIGINT, "SIGINT", trammel_on_signal},
                                   {SIGTERM, "SIGTERM", trammel_on_signal},
                                   {SIGHUP, "SIGHUP", trammel_on_signal},
                                   {SIGXCPU, "SIGXCPU", trammel_on_signal},
                                   {SIGUSR1, "SIGUSR1", trammel_on_signal},
                                   {SIGPIPE, "SIGPIPE", SIG_IGN},
                                   {SIGXFSZ, "SIGXFSZ", SIG_IGN}};

}  // namespace

SignalGuard::SignalGuard() {
  caught_signal = 0;
  static_assert(std::size(handled_signals) == handled);
  for (int k = 0; k < handled; ++k) {
    struct sigaction action {};
    action.sa_handler = handled_signals[k].handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(handled_signals[k].signal, &action, &before_[k]);
    const bool no_hangup = handled_signals[k].signal == SIGHUP && before_[k].sa_handler == SIG_IGN;  // nohup
    if (no_hangup) sigaction(handled_signals[k].signal, &before_[k], nullptr);
  }
}

SignalGuard::~SignalGuard() {
  caught_signal = 0;
  for (int k = 0; k < handled; ++k) sigaction(handled_signals[k].signal, &before_[k], nullptr);
}

std::string signal_name(int signal) {
  for (const Handled& entry : handled_signals)
    if (entry.signal == signal) return entry.name;
  return fmt::format("signal {}", signal);
}

int SignalGuard::caught() {
  return caught_signal;
}

}  // namespace trammel
