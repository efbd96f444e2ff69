#include "cli/run.h"

#include <string_view>

#include "session/signals.h"
#include "terminal/screen.h"
#include "trammel/trammel.h"

namespace trammel {

int job_command(int argc, char** argv, bool quiet) {
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
  listener.begin_variants = [](void* user, size_t n, size_t kept) { heard(user).begin_variants(n, kept); };
  listener.variants = [](void* user, size_t done, size_t failed, double under_way) {
    heard(user).variants(done, failed, under_way);
  };
  listener.end_variants = [](void* user) { heard(user).end_variants(); };
  const auto job = std::string_view(argv[1]) == "batch" ? trammel_batch : trammel_run;
  return job(argc, argv, &listener);
}

}  // namespace trammel
