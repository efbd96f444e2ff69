#include "study/accuracy.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "study/agreement.h"
#include "study/trial_runs.h"

namespace trammel {

namespace {

namespace fs = std::filesystem;

constexpr double first_error = 3e-3;  // ERROR of the first run, relative to the accuracy
// Largest factor of ERROR from one run to the next: the error of the next run must be small beside that of
// the run before, which their difference is to show, and errors of methods that choose their order do not
// follow ERROR closely.
constexpr double least_gain = 0.01;
constexpr double most_gain = 1e-4;   // smallest factor, however large the last difference was
constexpr double margin = 0.3;       // aimed-at difference, relative to the accuracy
constexpr int most_quarterings = 5;  // largest number of quarterings of fixed steps

class AccurateRun {
 public:
  AccurateRun(const RunOptions& options, const Listener& listener)
      : options_(options), listener_(listener), deck_(step_settings(options)) {
    tuning_.step_factor = 1;
    if (!deck_.fixed) tuning_.error = std::max(first_error * wanted(), least_error);
  }

  int execute() {
    Trial coarse = first_run();
    if (coarse.code != 0 && take_default_after(coarse)) coarse = first_run();
    if (coarse.code != 0) return pass_on(coarse);
    double factor = least_gain;
    for (int runs = 1;; ++runs) {
      refine(factor);
      const Trial fine = run_in_place(runs > 1);
      if (fine.code != 0) {
        if (!take_default_after(fine)) return pass_on(fine);
        factor = 1;
        continue;
      }
      const Agreement found = agreement(coarse.results, fine.results, options_.accuracy_channels, wanted());
      write_differences(coarse.results, fine.results, errors_file());
      // The first run of another integrator may err more than the last run of the deck's own.
      const bool refines = coarse.tuning.method == fine.tuning.method;
      if (refines && found.within(wanted())) return tell(found, runs + 1);
      factor = refines ? std::clamp(margin * wanted() / found.worst(), most_gain, least_gain) : least_gain;
      if (at_its_end(runs, factor)) {
        if (!take_default(fmt::format("does not reach accuracy {:g}", wanted()))) return give_up(found);
        factor = 1;
      }
      say_next(found);
      coarse = fine;
      coarse.results = folder_.path() + "/coarse.nc";
      fs::copy_file(fine.results, coarse.results, fs::copy_options::overwrite_existing);
    }
  }

 private:
  double wanted() const { return options_.accuracy; }
  std::string errors_file() const { return deck_.prefix + ".error.nc"; }

  /// Whether tightening can do no more.
  bool at_its_end(int runs, double factor) const {
    if (is_fixed()) return runs >= most_quarterings;
    return is_last_method() ? tuning_.error <= least_error : tuning_.error * factor < least_error;
  }

  /// Whether steps of one size are taken.
  bool is_fixed() const { return deck_.fixed && tuning_.method.empty(); }
  /// Whether the default integrator computes: no other takes its place.
  bool is_last_method() const { return !tuning_.method.empty() || deck_.integrator == "GSTIFF SI2"; }

  /// Takes the default integrator in place of the deck's, which does what `why` says. False where that has
  /// been tried.
  bool take_default(const std::string& why) {
    const IntegratorOptions options = default_integrator();
    if (is_last_method()) return false;
    tuning_ = {};
    tuning_.method = options.method;
    tuning_.stabilized = options.stabilized;
    tuning_.error = std::max(first_error * least_gain * wanted(), least_error);
    call(listener_.say, fmt::format("{} {}; GSTIFF SI2 takes its place.", deck_.integrator, why));
    return true;
  }

  /// The same after a run that its steps have ended, and not what it was given.
  bool take_default_after(const Trial& failed) {
    if (failed.code != static_cast<int>(ExitCode::solver) || is_last_method()) return false;
    call(listener_.say, failed.failure);
    return take_default("does not come to its end");
  }

  void refine(double factor) {
    if (!is_fixed()) tuning_.error = std::max(tuning_.error * factor, least_error);
    // Methods of fixed steps may be of first order: with a quarter of the step the error is at most a third
    // of the difference.
    tuning_.step_factor *= is_fixed() ? 0.25 : 0.5;
  }

  /// The first run, with an ERROR small enough that it comes to its end.
  Trial first_run() {
    constexpr int attempts = 3;
    Trial trial;
    for (int k = 0; k < attempts; ++k) {
      trial = run_trial(folder_.options_of_next(options_), tuning_, listener_);
      if (trial.code != static_cast<int>(ExitCode::solver) || is_fixed()) break;
      refine(least_gain);
    }
    return trial;
  }

  Trial run_in_place(bool again) {
    RunOptions run = options_;
    run.prefix = fs::path(deck_.prefix).filename().string();
    run.directory = fs::path(deck_.prefix).parent_path().string();
    run.keeps_earlier = !again;
    return run_trial(run, tuning_, listener_);
  }

  std::string settings() const { return integrator_statement(deck_, tuning_); }

  /// Tells a text to the listener, and appends it to the message file, which the run has closed.
  void say(const std::string& text) const {
    call(listener_.say, text);
    std::ofstream(deck_.prefix + ".msg", std::ios::app) << "\n" << text << "\n";
  }

  std::string difference_text(const Agreement& found) const {
    const KindAgreement& worst = found.furthest();
    return fmt::format("{} differs most from the run before, by {:.3g} at t = {:.6g}: {:.2g} of its scale",
                       worst.channel, worst.difference, worst.time, worst.worst);
  }

  void say_next(const Agreement& found) const {
    call(listener_.say, fmt::format("{}. Another run, with smaller steps.", difference_text(found)));
  }

  int tell(const Agreement& found, int runs) const {
    say(fmt::format("Accuracy {:g} is reached with {} ({} runs): {}. The differences are in {}.", wanted(),
                    settings(), runs, difference_text(found), errors_file()));
    return 0;
  }

  int give_up(const Agreement& found) const {
    const std::string text = fmt::format(
        "Accuracy {:g} is not reached with {}: {}; the two agree up to t = {:.6g}. `trammel converge` tells "
        "whether the motion is chaotic or jumps.",
        wanted(), settings(), difference_text(found), found.onset);
    call(listener_.error, text);
    std::ofstream(deck_.prefix + ".msg", std::ios::app) << "\n" << text << "\n";
    return static_cast<int>(ExitCode::solver);
  }

  int pass_on(const Trial& failed) const {
    call(listener_.error, failed.failure);
    return failed.code;
  }

  const RunOptions& options_;
  const Listener& listener_;
  TrialFolder folder_;
  StepSettings deck_;
  IntegratorTuning tuning_;
};

void check(const RunOptions& o) {
  if (!(o.accuracy < 1) || !(o.accuracy >= least_error))
    fail(ExitCode::usage, "--accuracy {}: a part of each channel's scale, below 1, such as 1e-4", o.accuracy);
  const bool native = o.formats.empty() || std::count(o.formats.begin(), o.formats.end(), "nc") > 0;
  const char* other = o.dry_run                                 ? "--dry-run"
                      : o.resume || o.checkpoint_seconds > 0    ? "--checkpoint"
                      : o.single_precision && o.accuracy < 1e-5 ? "--single"
                      : !native                                 ? "--formats without nc"
                                                                : nullptr;
  if (other)
    fail(ExitCode::usage, "--accuracy compares the .nc files of several runs: {} is not for it", other);
}

}  // namespace

int run_to_accuracy(const RunOptions& options, const Listener& listener) {
  check(options);
  return AccurateRun(options, listener).execute();
}

}  // namespace trammel
