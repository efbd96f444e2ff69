// Whether results have converged: runs of one deck with ever tighter settings of its integrator, until chosen
// results stop changing, and another integrator as a cross-check. Source: the procedure of the ADAMS/Solver
// primer, section 8.4.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study/agreement.h"
#include "study/trial_runs.h"

namespace trammel {

struct ConvergeOptions {
  RunOptions run;                     ///< the deck and its options; no result files of it are written
  std::vector<std::string> channels;  ///< patterns as for select_channels(); none: all
  double tolerance = 1e-3;            ///< part of a channel's scale (study/agreement.h)
  int most_runs = 10;
  double seconds = 3600;  ///< wall time after which no run begins
};

/// A run, and its difference from an earlier one.
struct ConvergeRow {
  std::string settings;  ///< "GSTIFF SI2"
  double error = 0, hmax = 0;
  bool interpolate = false, cross_check = false;
  Trial trial;
  /// Difference from the row that this one refines, the row before; of cross-checks from the row before all
  /// of them.
  std::optional<Agreement> change;
};

enum class Convergence {
  converged,
  motion_diverges,     ///< small differences grow: chaos, or an instability
  places,              ///< results agree at most times, but not at some, as at jumps
  rates_do_not,        ///< positions converge, velocities, accelerations or forces do not
  not_yet,             ///< differences shrink, but the number of runs or the time is used up
  integrators_differ,  ///< two integrators converge to different results
  other_integrator,    ///< the deck's integrator does not converge, the default one does
  runs_fail,           ///< the first run fails, or a signal stops the runs
};

struct ConvergeReport {
  StepSettings deck;
  std::vector<ConvergeRow> rows;
  Convergence verdict = Convergence::not_yet;
  std::string advice;      ///< recommended INTEGRATOR statement; "": none
  double until = no_time;  ///< model time up to which results agree
  double gained = 0;       ///< mean growth of `until` with each tightening [time]
  std::vector<std::string> remarks;
  int code = 0;  ///< exit code: 0: converged; 9: not; else that of a failed run
};

/// `told` receives each row when it is complete. Throws Failure as run_job(), and usage for wrong options.
ConvergeReport converge(const ConvergeOptions& options, const Listener& listener,
                        const std::function<void(const ConvergeRow&)>& told);

/// Draws the differences over ERROR (over the step where it is fixed), one curve for each kind of channels,
/// as .svg or .png by the name of `output`. False: there is nothing to draw. Throws Failure as
/// plot_channels().
bool draw_convergence(const ConvergeReport& report, double tolerance, const std::string& output);

}  // namespace trammel
