// The C interface: whole jobs.
#include "trammel/trammel.h"

#include <csignal>
#include <mutex>

#include "api/deck_options.h"
#include "api/guarded.h"

namespace trammel {

namespace {

/// The options of `trammel run` from the words of a command line. Throws Failure(usage).
RunOptions options_of(int count, const char* const* words) {
  std::vector<std::string> line;
  for (int k = 0; k < count; ++k) line.emplace_back(&place(words[k], "a word of the command line"));
  if (line.size() < 2 || line[1] != "run")
    fail(ExitCode::usage, "the words must be a program's name, run, and what belongs to it");
  CLI::App app("", "trammel");
  RunOptions options;
  bool quiet = false;
  app.require_subcommand(1);
  add_run(app, options, quiet);
  try {
    app.parse(std::vector<std::string>(line.rbegin(), line.rend() - 1));
  } catch (const CLI::ParseError& error) {
    fail(ExitCode::usage, "{}", error.what());
  }
  options.command_line = fmt::format("{}", fmt::join(line, " "));
  return options;
}

/// `text`: where the last error goes.
Listener listener_of(const trammel_listener& c, std::string& text) {
  Listener listener;
  listener.say = [&c](const std::string& said) { call(c.say, c.user, said.c_str()); };
  listener.error = [&c, &text](const std::string& error) {
    text = error;
    call(c.error, c.user, error.c_str());
  };
  listener.begin_steps = [&c](double begin, double end) { call(c.begin_steps, c.user, begin, end); };
  listener.step = [&c](double t, double h, long long steps) { call(c.step, c.user, t, h, steps); };
  listener.end_steps = [&c](double t, double h, long long steps) { call(c.end_steps, c.user, t, h, steps); };
  return listener;
}

/// netCDF serves one thread at a time.
std::mutex one_job;

}  // namespace

}  // namespace trammel

int trammel_run(int count, const char* const* words, const trammel_listener* given) {
  using namespace trammel;
  trammel_listener listener{};
  try {
    if (given && given->size != sizeof listener)
      fail(ExitCode::usage, "trammel_listener: size is {} where {} is expected", given->size,
           sizeof listener);
    if (given) listener = *given;
    place(words, "the words");
    RunOptions options = options_of(count, words);
    if (listener.stop) options.stop = [&listener] { return listener.stop(listener.user) != 0; };
    const std::lock_guard lock(one_job);
    return run_job(options, listener_of(listener, failure_of_thread()));
  } catch (...) {
    const int status = told_to(failure_of_thread());
    call(listener.error, listener.user, failure_of_thread().c_str());
    return status;
  }
}
