#include "app/signals.h"

#include <atomic>
#include <iterator>

namespace trammel {

namespace {

std::atomic<int> caught_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);  // what a signal handler may touch

struct Handled {
  int signal;
  void (*handler)(int);
};

extern "C" void trammel_on_signal(int signal) {
  if (caught_signal != 0) {  // raised again, it comes back when this handler returns, and ends the process
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  caught_signal = signal;
}

// A log that is closed (run | head) or a file at its size limit must not lose the results.
const Handled handled[] = {
    {SIGINT, trammel_on_signal}, {SIGTERM, trammel_on_signal}, {SIGPIPE, SIG_IGN}, {SIGXFSZ, SIG_IGN}};

}  // namespace

SignalGuard::SignalGuard() {
  caught_signal = 0;
  static_assert(std::size(handled) == 4);
  for (std::size_t k = 0; k < std::size(handled); ++k) {
    struct sigaction action {};
    action.sa_handler = handled[k].handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(handled[k].signal, &action, &before_[k]);
  }
}

SignalGuard::~SignalGuard() {
  for (std::size_t k = 0; k < std::size(handled); ++k) sigaction(handled[k].signal, &before_[k], nullptr);
}

int SignalGuard::caught() {
  return caught_signal;
}

}  // namespace trammel
