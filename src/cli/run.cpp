#include "cli/run.h"

#include "session/batch.h"
#include "session/signals.h"
#include "terminal/print.h"
#include "terminal/screen.h"
#include "trammel/trammel.h"

namespace trammel {

int run_command(int argc, char** argv, bool quiet) {
  const SignalGuard signals;
  Screen screen(quiet);
  Listener hears = screen.listener();
  static constexpr auto heard = [](void* user) -> const Listener& { return *static_cast<Listener*>(user); };
  trammel_listener listener{};
  listener.size = sizeof listener;
  listener.user = &hears;
  listener.say = [](void* user, const char* text) { heard(user).say(text); };
  listener.error = [](void* user, const char* text) { heard(user).error(text); };
  listener.begin_steps = [](void* user, double begin, double end) { heard(user).begin_steps(begin, end); };
  listener.step = [](void* user, double t, double h, long long steps) { heard(user).step(t, h, steps); };
  listener.end_steps = [](void* user, double t, double h, long long n) { heard(user).end_steps(t, h, n); };
  return trammel_run(argc, argv, &listener);
}

int batch_command(const BatchOptions& options, bool quiet) {
  return guarded_command([&] {
    const SignalGuard signals;
    Screen screen(quiet);
    return run_batch(options, screen.listener());
  });
}

}  // namespace trammel
