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
  RunOptions run;                     ///< the deck and how it is run; its result files are not written
  std::vector<std::string> channels;  ///< patterns as for select_channels(); none: all
  double tolerance = 1e-3;            ///< part of a channel's scale (study/agreement.h)
  int most_runs = 10;
  double seconds = 3600;  ///< of wall time, after which no run begins
};

/// A run, and how far the next one that refines it is from it.
struct ConvergeRow {
  std::string settings;  ///< "GSTIFF SI2"
  double error = 0, hmax = 0;
  bool interpolate = false, cross_check = false;
  Trial trial;
  /// Against the row before, of which this one is a refinement; of cross-checks, against the row ahead of
  /// them.
  std::optional<Agreement> change;
};

enum class Convergence {
  converged,
  motion_diverges,     ///< small differences grow: chaos, or an instability
  places,              ///< all but some times, as at jumps
  rates_do_not,        ///< positions converge, what follows from them does not
  not_yet,             ///< differences shrink, but the runs or the time were used up
  integrators_differ,  ///< each agrees with itself, but not with the other
  other_integrator,    ///< the deck's does not converge, the one advised does
  runs_fail,           ///< the first one, or a signal came
};

struct ConvergeReport {
  StepSettings deck;
  std::vector<ConvergeRow> rows;
  Convergence verdict = Convergence::not_yet;
  std::string advice;      ///< the statement recommended; "": none can be
  double until = no_time;  ///< the results agree up to here
  double gained = 0;       ///< time by which `until` moves with each tightening
  std::vector<std::string> remarks;
  int code = 0;  ///< exit code: 0 converged, 9 not; of a run that fails otherwise
};

/// `told` hears each row as it is complete. Failures as run_job() and, for wrong options, usage.
ConvergeReport converge(const ConvergeOptions& options, const Listener& listener,
                        const std::function<void(const ConvergeRow&)>& told);

/// Draws the differences over ERROR (or the step, where that is fixed), a curve for each kind of channels:
/// .svg or .png by its name. False: there is nothing to draw. Failures as plot_channels().
bool draw_convergence(const ConvergeReport& report, double tolerance, const std::string& output);

}  // namespace trammel
