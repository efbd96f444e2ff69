// The C interface: whole jobs.
#include "trammel/trammel.h"

#include <cstddef>
#include <cstring>
#include <functional>
#include <mutex>

#include <fmt/format.h>

#include "api/deck_options.h"
#include "api/guarded.h"
#include "session/batch.h"
#include "study/accuracy.h"

namespace trammel {

namespace {

/// The options of a command from the words of a command line; `add` adds the command to CLI11. Throws
/// Failure(usage).
template <class Options>
Options options_of(const std::string& command, CLI::App* (*add)(CLI::App&, Options&, bool&), int count,
                   const char* const* words) {
  place(words, "the words");
  std::vector<std::string> line;
  for (int k = 0; k < count; ++k) line.emplace_back(&place(words[k], "a word of the command line"));
  if (line.size() < 2 || line[1] != command)
    fail(ExitCode::usage, "the words must be a program's name, {}, and what belongs to it", command);
  CLI::App app("", "trammel");
  Options options;
  bool quiet = false;
  app.require_subcommand(1);
  add(app, options, quiet);
  try {
    app.parse(std::vector<std::string>(line.rbegin(), line.rend() - 1));
  } catch (const CLI::ParseError& error) {
    fail(ExitCode::usage, "{}", error.what());
  }
  options.command_line = fmt::format("{}", fmt::join(line, " "));
  return options;
}

/// The caller's listener, with null for members that the caller's header does not have.
trammel_listener checked(const trammel_listener* given) {
  trammel_listener listener{};
  if (!given) return listener;
  if (given->size != sizeof listener && given->size != offsetof(trammel_listener, begin_variants))
    fail(ExitCode::usage, "trammel_listener: size is {} where {} is expected", given->size, sizeof listener);
  std::memcpy(&listener, given, given->size);
  return listener;
}

/// A listener that calls the C functions; `text` receives the last error.
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
  listener.begin_variants = [&c](std::size_t n, std::size_t kept) {
    call(c.begin_variants, c.user, n, kept);
  };
  listener.variants = [&c](std::size_t done, std::size_t failed, double under_way) {
    call(c.variants, c.user, done, failed, under_way);
  };
  listener.end_variants = [&c] { call(c.end_variants, c.user); };
  return listener;
}

/// Held during a job: netCDF serves one thread at a time.
std::mutex one_job;

/// Reads the options, does the job, and returns its exit code. Failures are told to the listener.
template <class Options>
int do_job(const trammel_listener* given, const std::function<Options()>& read,
           int (*job)(const Options&, Listener)) {
  trammel_listener listener{};
  try {
    listener = checked(given);
    Options options = read();
    if (listener.stop) options.stop = [&listener] { return listener.stop(listener.user) != 0; };
    const std::lock_guard lock(one_job);
    return job(options, listener_of(listener, failure_of_thread()));
  } catch (...) {
    const int status = told_to(failure_of_thread());
    call(listener.error, listener.user, failure_of_thread().c_str());
    return status;
  }
}

}  // namespace

}  // namespace trammel

int trammel_run(int count, const char* const* words, const trammel_listener* listener) {
  using namespace trammel;
  return do_job<RunOptions>(
      listener, [&] { return options_of("run", add_run, count, words); },
      [](const RunOptions& options, Listener told) {
        return options.accuracy != 0 ? run_to_accuracy(options, told) : run_job(options, std::move(told));
      });
}

int trammel_batch(int count, const char* const* words, const trammel_listener* listener) {
  using namespace trammel;
  return do_job<BatchOptions>(
      listener, [&] { return options_of("batch", add_batch, count, words); }, run_batch);
}
