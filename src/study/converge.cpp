#include "study/converge.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "integrate/methods/list.h"

namespace trammel {

namespace {

constexpr double tighter = 0.1;      // factor of ERROR from one run to the next
constexpr double more_work = 1.02;   // growth of the number of steps that shows that ERROR limits them
constexpr double finer_steps = 0.5;  // factor of HMAX, for accelerations
constexpr int finer_runs = 3;
constexpr double all_different = 0.05;  // of scale: difference of positions of two runs that have parted
constexpr double worth_it = 0.5;  // largest ratio of a difference to the one before that counts as progress

class Study {
 public:
  Study(const ConvergeOptions& options, const Listener& listener,
        const std::function<void(const ConvergeRow&)>& told)
      : options_(options), listener_(listener), told_(told) {}

  ConvergeReport take() {
    report_.deck = step_settings(options_.run);
    report_.rows.reserve(most_rows);
    if (!add(tuning_)) {
      fails();
      return std::move(report_);
    }
    const bool found = tighten() || refine_steps();
    if (!interrupted()) judge(found);
    if (found)
      cross_check();
    else if (report_.verdict != Convergence::motion_diverges)
      try_other();
    if (interrupted()) fails();
    return std::move(report_);
  }

 private:
  static constexpr std::size_t most_rows = 1000;  // references to rows stay valid

  std::vector<ConvergeRow>& rows() { return report_.rows; }
  bool time_left() const { return begun_.seconds() < options_.seconds; }
  /// Whether a signal has stopped the last run.
  bool interrupted() const { return !report_.rows.empty() && report_.rows.back().trial.code >= 128; }
  bool left() const { return static_cast<int>(report_.rows.size()) < options_.most_runs && time_left(); }

  /// Runs with these settings and compares with the row `before`; null: with none. False where the run fails.
  bool add(const IntegratorTuning& tuning, const ConvergeRow* before = nullptr) {
    ConvergeRow row;
    const StepSettings& deck = report_.deck;
    row.settings =
        tuning.method.empty() ? deck.integrator : tuning.method + (tuning.stabilized ? " SI2" : "");
    row.error = (tuning.error > 0 ? tuning.error : deck.error) * tuning.error_factor;
    row.hmax = tuning.no_hmax ? 0 : deck.hmax * tuning.step_factor;
    row.interpolate = tuning.interpolate;
    row.cross_check = !tuning.method.empty();
    row.trial = run_trial(folder_.options_of_next(options_.run), tuning, listener_);
    const bool ended = row.trial.code == 0;
    if (ended && before) row.change = compare(before->trial, row.trial);
    rows().push_back(std::move(row));
    told_(rows().back());
    return ended;
  }
  Agreement compare(const Trial& a, const Trial& b) const {
    return agreement(a.results, b.results, options_.channels, options_.tolerance);
  }

  /// Whether the last two runs agree.
  bool agree() const {
    const ConvergeRow& last = report_.rows.back();
    return last.change && last.change->within(options_.tolerance);
  }
  bool took_more_steps() const {
    const auto& r = report_.rows;
    return static_cast<double>(r.back().trial.steps) >
           more_work * static_cast<double>(r[r.size() - 2].trial.steps);
  }

  /// Steps 2 to 5 of the procedure: tightens ERROR, or fixed steps, until results stop changing.
  bool tighten() {
    while (left()) {
      IntegratorTuning next = tuning_;
      if (report_.deck.fixed)
        next.step_factor *= 0.5;
      else
        next.error_factor *= tighter;
      if (!report_.deck.fixed && report_.deck.error * next.error_factor < least_error) return false;
      if (!add(next, &rows().back())) return false;
      if (!agree()) {
        tuning_ = next;
        if (stalled()) return false;
        continue;
      }
      if (report_.deck.fixed || took_more_steps() || tuning_.no_hmax) {
        if (!report_.deck.fixed && !took_more_steps())
          report_.remarks.push_back(
              "a smaller ERROR does not mean more steps here, although nothing else limits "
              "them: the results do not depend on it");
        return true;
      }
      report_.remarks.push_back(fmt::format(
          "a tenth of ERROR = {:.3g} took no more steps: outputs or HMAX limit them, so that this comparison "
          "proves nothing; INTERPOLATE=ON without HMAX shows what ERROR does",
          report_.deck.error * tuning_.error_factor));
      tuning_.interpolate = tuning_.no_hmax = true;
      if (!left() || !add(tuning_)) return false;
    }
    return false;
  }

  /// Step 7, for accelerations and forces where positions and velocities have converged: smaller HMAX at the
  /// ERROR at which they have.
  bool refine_steps() {
    if (report_.deck.fixed || interrupted()) return false;
    const auto settled = [&](const ConvergeRow& row) {
      return row.change && row.change->of[0].worst <= options_.tolerance &&
             row.change->of[1].worst <= options_.tolerance;
    };
    const auto fine = std::find_if(rows().begin(), rows().end(), settled);
    if (fine == rows().end()) return false;
    const Trial trial = (fine - 1)->trial;
    tuning_ = trial.tuning;
    tuning_.no_hmax = false;
    tuning_.interpolate = true;
    const double mean_step = trial.time / static_cast<double>(std::max(trial.steps, 1LL));
    tuning_.step_factor = std::min(1.0, mean_step / report_.deck.hmax);
    const ConvergeRow* before = nullptr;
    for (int k = 0; k <= finer_runs && left(); ++k) {
      tuning_.step_factor *= finer_steps;
      if (!add(tuning_, before)) return false;
      if (before && agree() && took_more_steps()) {
        tuning_.step_factor /= finer_steps;
        return true;
      }
      before = &rows().back();
    }
    return false;
  }

  /// Tries the default integrator where the deck's does not converge.
  void try_other() {
    if (report_.deck.integrator.ends_with("SI2") || interrupted()) return;
    const IntegratorOptions options = default_integrator();
    IntegratorTuning other;
    other.method = options.method;
    other.stabilized = options.stabilized;
    other.error = options.error;
    const ConvergeRow* before = nullptr;
    for (; other.error >= least_error && time_left(); other.error *= tighter) {
      if (!add(other, before)) return;
      if (before && agree()) {
        report_.verdict = Convergence::other_integrator;
        report_.advice = integrator_statement(report_.deck, before->trial.tuning);
        return;
      }
      if (before && stalled()) return;
      before = &rows().back();
    }
  }

  /// Step 8: all integrators must converge to the same solution. The same ERROR may be less accurate with one
  /// than with another.
  void cross_check() {
    constexpr int attempts = 3;
    constexpr double much_tighter = 0.01;
    const ConvergeRow own = rows().back();
    IntegratorTuning other = own.trial.tuning;
    const bool stabilized = report_.deck.integrator.ends_with("SI2");
    other.method = stabilized ? "RADAU" : "GSTIFF";
    other.stabilized = !stabilized;
    if (report_.deck.fixed) {
      other.step_factor = 1;
      other.error = default_integrator().error;
    }
    for (int k = 0; k < attempts && time_left(); ++k) {
      if (!add(other, &own)) {
        report_.remarks.push_back(fmt::format("the cross-check by {} ended with code {}: {}",
                                              rows().back().settings, rows().back().trial.code,
                                              rows().back().trial.failure));
        return;
      }
      if (agree()) return note_cheaper(own);
      other.error_factor *= much_tighter;
      if (report_.deck.error * other.error_factor < least_error) break;
    }
    report_.verdict = Convergence::integrators_differ;
    report_.code = static_cast<int>(ExitCode::comparison);
  }

  /// Notes a cross-check that came to the same results with far fewer steps.
  void note_cheaper(const ConvergeRow& own) {
    constexpr int times = 3;
    const ConvergeRow& other = rows().back();
    if (other.trial.steps * times < own.trial.steps)
      report_.remarks.push_back(fmt::format("{} takes {} steps to the same result, {} takes {}",
                                            other.settings, other.trial.steps, own.settings,
                                            own.trial.steps));
  }

  void fails() {
    report_.verdict = Convergence::runs_fail;
    report_.code = rows().back().trial.code;
    report_.remarks.push_back(rows().back().trial.failure);
  }

  void judge(bool found) {
    if (found) {
      report_.verdict = Convergence::converged;
      report_.advice = integrator_statement(report_.deck, tuning_);
      return;
    }
    report_.code = static_cast<int>(ExitCode::comparison);
    if (rows().back().trial.code != 0)
      report_.remarks.push_back(fmt::format("{} at ERROR = {:.3g} ended with code {}: {}",
                                            rows().back().settings, rows().back().error,
                                            rows().back().trial.code, rows().back().trial.failure));
    std::vector<double> onsets;  // onsets of the comparisons, in their order
    double share = 0;
    for (const ConvergeRow& row : rows())
      if (row.change && row.change->onset != no_time) {
        onsets.push_back(row.change->onset);
        share = row.change->share_after;
      }
    if (onsets.empty()) return;
    constexpr double most_times = 0.5;
    report_.until = onsets.back();
    report_.gained = onsets.size() > 1 ? (onsets.back() - onsets.front()) / double(onsets.size() - 1) : 0;
    const bool positions = last_change().of[0].worst <= options_.tolerance;
    report_.verdict = shrinks()                        ? Convergence::not_yet
                      : share <= most_times            ? Convergence::places
                      : positions                      ? Convergence::rates_do_not
                      : parted() && report_.gained > 0 ? Convergence::motion_diverges
                                                       : Convergence::not_yet;
    report_.advice = integrator_statement(report_.deck, tuning_);
  }

  const Agreement& last_change() const {
    return *std::find_if(report_.rows.rbegin(), report_.rows.rend(), [](const ConvergeRow& row) {
              return row.change.has_value();
            })->change;
  }
  /// The largest differences of the comparisons, in their order.
  std::vector<double> differences() const {
    std::vector<double> worst;
    for (const ConvergeRow& row : report_.rows)
      if (row.change) worst.push_back(row.change->worst());
    return worst;
  }
  /// Whether the last tightening made the difference smaller.
  bool shrinks() const {
    const std::vector<double> worst = differences();
    return worst.size() < 2 || worst.back() < worth_it * worst[worst.size() - 2];
  }
  /// Whether positions are so far apart that tightening changes when they part, not whether.
  bool parted() const { return last_change().of[0].worst > all_different; }
  /// Whether several tightenings in a row made no difference smaller.
  bool stalled() const {
    constexpr std::size_t patience = 3;
    const std::vector<double> worst = differences();
    if (worst.size() <= patience || !parted()) return false;
    for (std::size_t k = worst.size() - patience; k < worst.size(); ++k)
      if (worst[k] < worth_it * worst[k - 1]) return false;
    return true;
  }

  const ConvergeOptions& options_;
  const Listener& listener_;
  const std::function<void(const ConvergeRow&)>& told_;
  TrialFolder folder_;
  IntegratorTuning tuning_;  ///< changes of the run that the next one refines
  ConvergeReport report_;
  const Stopwatch begun_;
};

}  // namespace

ConvergeReport converge(const ConvergeOptions& options, const Listener& listener,
                        const std::function<void(const ConvergeRow&)>& told) {
  if (!(options.tolerance > 0) || !(options.tolerance < 1))
    fail(ExitCode::usage, "--tolerance {}: a part of a channel's scale, above 0 and below 1",
         options.tolerance);
  if (options.most_runs < 2 || options.most_runs > 100)
    fail(ExitCode::usage, "--runs {}: 2 to 100 are compared", options.most_runs);
  return Study(options, listener, told).take();
}

}  // namespace trammel
