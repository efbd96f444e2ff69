#include "cli/converge.h"

#include <nlohmann/json.hpp>

#include "output/look/gnuplot.h"
#include "session/signals.h"
#include "terminal/print.h"
#include "terminal/screen.h"

namespace trammel {

namespace {

constexpr const char* head =
    "  integrator    ERROR     HMAX      steps  seconds    positions velocities accelerat.     forces     "
    "others";

std::string change_text(const ConvergeRow& row, int kind) {
  if (!row.change || row.change->of[kind].channel.empty()) return "-";
  return fmt::format("{:.1e}", row.change->of[kind].worst);
}

void print_row(const ConvergeRow& row) {
  std::string text = fmt::format(
      "{} {:<12} {:>6.0e} {:>8} {:>10} {:>8.3g}   ", row.cross_check ? 'x' : ' ', row.settings, row.error,
      row.hmax > 0 ? fmt::format("{:.2g}", row.hmax) : "none", row.trial.steps, row.trial.seconds);
  if (row.trial.code != 0) {
    text += fmt::format(" ended with code {}", row.trial.code);
  } else {
    for (int kind = 0; kind < channel_kinds; ++kind) text += fmt::format(" {:>10}", change_text(row, kind));
  }
  print_line(stdout, text);
}

std::string verdict_text(const ConvergeReport& r, double tolerance) {
  switch (r.verdict) {
    case Convergence::converged:
      return fmt::format("Converged: within {:g} of its scale, each channel is as {} gives it.", tolerance,
                         r.advice);
    case Convergence::motion_diverges: {
      std::string text = fmt::format(
          "Chaotic from t = {:.6g}: up to there the last two runs agree, from there on they part, and a "
          "smaller ERROR does not mend it",
          r.until);
      if (r.gained > 0)
        text += fmt::format(" (each tightening gains {:.3g} of time: differences grow as exp({:.3g} t))",
                            r.gained, 2.302585092994046 / r.gained);
      return text + fmt::format(". Up to there {} is enough.", r.advice);
    }
    case Convergence::places:
      return fmt::format(
          "Not converged at single times, the first at t = {:.6g}: a jump (of a reaction, of an "
          "acceleration) "
          "that one run has an output before and the other behind. Elsewhere the runs agree; smooth what "
          "jumps, "
          "or choose --channels without it.",
          r.until);
    case Convergence::rates_do_not:
      return fmt::format(
          "Not converged: positions are within {:g}, what follows from them (velocities, "
          "accelerations, forces) is not and does not get better. Try INTEGRATOR/GSTIFF, SI2.",
          tolerance);
    case Convergence::not_yet:
      return fmt::format(
          "Not converged to {:g}: the runs were too few, or their ERROR too large: give more --runs or "
          "--seconds, or a smaller ERROR to begin with.",
          tolerance);
    case Convergence::integrators_differ:
      return fmt::format(
          "Not converged to {:g}: {} agrees with itself, but another integrator gives something else. What "
          "jumps "
          "(forces, motions, contact) may be at cause: trammel check names it.",
          tolerance, r.deck.integrator);
    case Convergence::other_integrator:
      return fmt::format("{} does not converge to {:g} in all channels; {} does.", r.deck.integrator,
                         tolerance, r.advice);
    case Convergence::runs_fail:
      return "Not converged: a run did not come to its end.";
  }
  return "";
}

nlohmann::json json_of(const ConvergeReport& report, double tolerance) {
  nlohmann::json rows = nlohmann::json::array();
  for (const ConvergeRow& row : report.rows) {
    nlohmann::json changes = nlohmann::json::object();
    if (row.change)
      for (int kind = 0; kind < channel_kinds; ++kind)
        if (const KindAgreement& k = row.change->of[kind]; !k.channel.empty())
          changes[channel_kind_names[kind]] = {
              {"channel", k.channel}, {"relative", k.worst}, {"difference", k.difference}, {"time", k.time}};
    rows.push_back({{"integrator", row.settings},
                    {"error", row.error},
                    {"hmax", row.hmax},
                    {"interpolate", row.interpolate},
                    {"cross_check", row.cross_check},
                    {"steps", row.trial.steps},
                    {"seconds", row.trial.seconds},
                    {"code", row.trial.code},
                    {"change", changes}});
  }
  constexpr const char* verdicts[] = {"converged",        "chaotic",    "single times",
                                      "rates do not",     "not yet",    "integrators differ",
                                      "other integrator", "a run fails"};
  nlohmann::json out = {{"tolerance", tolerance},
                        {"verdict", verdicts[static_cast<int>(report.verdict)]},
                        {"recommended", report.advice},
                        {"runs", rows},
                        {"remarks", report.remarks}};
  if (report.until != no_time) out["agree_until"] = report.until;
  return out;
}

/// Draws the figure, or tells why there is none.
void draw(const ConvergeReport& report, const ConvergeCommand& command) {
  const bool asked = !command.figure.empty();
  if (!asked && find_gnuplot().empty()) {
    print_line(stderr, "No figure: gnuplot is not on the PATH (Debian: gnuplot-nox).");
    return;
  }
  const std::string path = asked ? command.figure : report.deck.prefix + ".converge.svg";
  if (draw_convergence(report, command.options.tolerance, path) && !command.json) print_line(stdout, path);
}

int converge_and_tell(const ConvergeCommand& command) {
  const SignalGuard signals;
  Screen screen(command.json);
  const Listener listener = screen.listener();
  const double tolerance = command.options.tolerance;
  bool begun = false;
  const auto told = [&](const ConvergeRow& row) {
    if (command.json) return;
    if (!begun)
      print_line(stdout, fmt::format("Differences from the run before (x: of another integrator, from the "
                                     "last one above), as a part of scale:\n{}",
                                     head));
    begun = true;
    print_row(row);
  };
  const ConvergeReport report = converge(command.options, listener, told);
  if (command.json) {
    print_line(stdout, json_of(report, tolerance).dump(2));
  } else {
    for (const ConvergeRow& row : report.rows)
      if (row.change && &row == &report.rows.back())
        for (int kind = 0; kind < channel_kinds; ++kind)
          if (const KindAgreement& k = row.change->of[kind]; !k.channel.empty())
            print_line(stdout, fmt::format("  {}: {} by {:.3g} at t = {:.6g}", channel_kind_names[kind],
                                           k.channel, k.difference, k.time));
    for (const std::string& remark : report.remarks) print_line(stdout, "Note: " + remark + ".");
    print_line(stdout, verdict_text(report, tolerance));
  }
  draw(report, command);
  return report.code;
}

}  // namespace

int converge_command(const ConvergeCommand& command) {
  return guarded_command([&] { return converge_and_tell(command); });
}

}  // namespace trammel
