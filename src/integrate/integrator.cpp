#include "integrate/integrator.h"

#include <algorithm>
#include <cmath>

#include "integrate/newton.h"

namespace trammel {

StepCounters& StepCounters::operator+=(const StepCounters& c) {
  steps += c.steps;
  rejected_error += c.rejected_error;
  rejected_corrector += c.rejected_corrector;
  evaluations += c.evaluations;
  iterations += c.iterations;
  jacobians += c.jacobians;
  rebases += c.rebases;
  rounding += c.rounding;
  partitions += c.partitions;
  stiff += c.stiff;
  return *this;
}

/// Parses PATTERN: "T:F:F" is repeated from the start when exhausted.
JacobianPattern pattern_of(const IntegratorOptions& options) {
  const std::string& text = options.pattern;
  JacobianPattern pattern;
  pattern.length = static_cast<int>(text.size() + 1) / 2;
  if (pattern.length > static_cast<int>(most_pattern_entries))
    fail(ExitCode::internal, "PATTERN has {} entries", pattern.length);
  for (int k = 0; k < pattern.length; ++k)
    if (text[2 * k] == 'T') pattern.entries |= 1ull << k;
  pattern.adaptive = text != "F:F";
  return pattern;
}

StepRules rules_of(const IntegratorOptions& options) {
  StepRules r;
  r.error = options.error;
  r.adaptivity = options.adaptivity;
  r.hmin = options.hmin;
  r.hmax = options.hmax;
  r.hinit = options.hinit;
  r.maxit = options.maxit;
  r.predictor_order = options.predictor_order;
  r.modified_corrector = options.modified_corrector;
  r.fixed_step = options.fixed_step();
  r.forces_may_stiffen = options.forces_may_stiffen;
  r.acceleration_tolerance = 1e-3 * std::cbrt(r.error);
  r.algebraic_tolerance = 0.01 * std::cbrt(r.error * r.error);
  return r;
}

StepState begin_steps(const Model& model, const IntegratorOptions& options) {
  StepState data;
  data.rules = rules_of(options);
  data.jacobian.pattern = pattern_of(options);
  data.n = {model.coordinates, model.multipliers, model.scalar_count(),
            static_cast<int>(model.bodies.size() + model.flexible_bodies.size()), 0};
  for (const Scalar& s : model.scalars) data.n.differential += s.differential();
  data.n.has_delays = !model.delays.empty();
  data.n.counts_turns = model.angles > 0;
  for (const Marker& m : model.markers) data.rounding.size = std::max(data.rounding.size, norm(m.s));
  return data;
}

std::string why_given_up(const Model& model, const StepState& d, StepEnd end) {
  switch (end) {
    case StepEnd::no_advance:
      return fmt::format(
          "the time cannot go on from {:.9g}: a step of {:.3g}, which ERROR, HMAX or the corrector ask for, "
          "is less than the distance {:.3g} of the numbers there. Simulate a shorter time, or look for what "
          "is so fast: a high spin, a very stiff element.",
          d.motion.begin_t, d.failure.h, std::nextafter(d.motion.begin_t, INFINITY) - d.motion.begin_t);
    case StepEnd::singular:
      if (d.failure.report.status == SolveStatus::not_finite)
        return fmt::format("at time {:.9g} {}", d.motion.begin_t + d.failure.h,
                           why_unsolved(model, d.failure.report));
      return fmt::format(
          "the system matrix is singular at time {:.9g}: equation {}, variable {}, relative pivot {:.3g}",
          d.motion.begin_t + d.failure.h, model.equation_name(d.failure.report.row),
          model.unknown_name(d.failure.report.column), d.failure.report.pivot);
    default:
      break;
  }
  const CorrectorRecord& r = d.corrector.record;
  if (r.equation < 0 && d.control.error_ratio > 1)
    return fmt::format(
        "the error of a step from time {:.9g} exceeds ERROR, down to the step {:.3g} below HMIN = {:.3g}. "
        "Look "
        "for a function that grows beyond all bounds or jumps there, or loosen ERROR.",
        d.motion.t, d.failure.h, d.rules.hmin);
  std::string text =
      fmt::format("the corrector cannot go on from time {:.9g}: step {:.3g} is below HMIN = {:.3g}.",
                  d.motion.t, d.failure.h, d.rules.hmin);
  if (r.equation >= 0)
    text += fmt::format(" Largest residual {:.3g} in {}; largest correction {:.3g} in {} (iteration {}).",
                        r.residual, model.equation_name(r.equation), r.correction,
                        model.unknown_name(r.unknown), r.iteration);
  return text + " Look for a discontinuity or a singular position there, or loosen ERROR.";
}

std::vector<Fact> facts_given_up(const Model& model, const StepState& d, StepEnd end) {
  const CorrectorRecord& r = d.corrector.record;
  const SolveReport& report = d.failure.report;
  std::vector<Fact> facts{{"step", d.failure.h}};
  if (end == StepEnd::singular)
    facts.insert(facts.end(), {{"equation", model.equation_name(report.row)},
                               {"variable", model.unknown_name(report.column)},
                               {"pivot", report.pivot}});
  else if (r.equation >= 0)
    facts.insert(facts.end(), {{"equation", model.equation_name(r.equation)},
                               {"residual", r.residual},
                               {"variable", model.unknown_name(r.unknown)},
                               {"correction", r.correction},
                               {"iteration", static_cast<double>(r.iteration)}});
  return facts;
}

}  // namespace trammel
