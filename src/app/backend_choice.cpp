#include "app/backend_choice.h"

#include <algorithm>

#include <fmt/format.h>

namespace trammel {
namespace {

/// Bytes pass while operations are done.
double seconds_of(const Work& work, double each_flop, double bandwidth) {
  return std::max(work.flops * each_flop, work.bytes() / bandwidth);
}

double vectors(const VectorWork& work, const DeviceConstants& m) {
  return static_cast<double>(work.launches) * m.launch + static_cast<double>(work.answers) * m.answer +
         work.bytes / m.bandwidth;
}

std::string milliseconds(double seconds) {
  const double ms = 1e3 * seconds;
  return ms < 10 ? fmt::format("{:.2g}", ms) : fmt::format("{:.0f}", ms);
}

}  // namespace

/// Loops are shared among the threads; of a factorization as much as the tree allows; a solution is not. The
/// seconds per operation are those in caches. What all parts together read and write, W, competes for the
/// last cache, C: W/(W + C) of the bytes come from memory.
PredictedStep predict(const ProcessorCounts& c, const ProcessorConstants& m) {
  const bool klu = c.solver == "klu";
  const double threads = c.threads, factors = 8 * c.factor_values;
  const double all = c.equations.bytes() + c.tangent.bytes() + factors + c.vectors.step.bytes;
  const double waiting = all / (all + m.cache) / m.bandwidth;  // seconds per byte
  const double factor =
      klu ? c.factor_values * m.klu_factor_value
          : c.factor_values * m.multifrontal_factor_value + c.factor_flops * m.multifrontal_factor_flop;
  PredictedStep out;
  out.equations = c.equations.flops * m.equation_flop / threads + c.equations.bytes() * waiting;
  out.solution = c.factor_values * (klu ? m.klu_solve_value : m.multifrontal_solve_value) + factors * waiting;
  out.tangent = c.tangent.flops * m.tangent_flop / threads + c.tangent.bytes() * waiting;
  out.factorization =
      factor / (klu ? 1 : std::clamp(c.parallel_factor, 1.0, threads)) + 2 * factors * waiting;
  out.vectors_iteration = c.vectors.iteration.bytes / m.bandwidth;
  out.vectors_jacobian = c.vectors.jacobian.bytes / m.bandwidth;
  out.vectors_step = c.vectors.step.bytes / m.bandwidth;
  return out;
}

/// Launches and levels one after the other, and the work of all of them at the device's rates.
PredictedStep predict(const DeviceCounts& c, const DeviceConstants& m) {
  const auto equations = [&](const Work& work, double each_launch, double each_flop) {
    return static_cast<double>(work.launches) * each_launch + seconds_of(work, each_flop, m.bandwidth);
  };
  const auto in_levels = [&](const Work& work, double each_level) {
    return static_cast<double>(work.launches) * m.graph_launch + work.levels * each_level;
  };
  PredictedStep out;
  out.equations = equations(c.equations, m.equation_launch, m.equation_flop);
  out.tangent = equations(c.tangent, m.tangent_launch, m.tangent_flop);
  out.factorization = in_levels(c.factor, m.factor_level) + seconds_of(c.factor, m.factor_flop, m.bandwidth);
  out.solution =
      in_levels(c.solve, m.solve_level) + c.solve.bytes() * std::max(m.solve_byte, 1 / m.bandwidth);
  out.vectors_iteration = vectors(c.vectors.iteration, m);
  out.vectors_jacobian = vectors(c.vectors.jacobian, m);
  out.vectors_step = vectors(c.vectors.step, m);
  return out;
}

std::string reason_for_processor(int unknowns, const std::string& solver, const std::string& element) {
  if (solver != "auto") return fmt::format("--linear-solver {} is one of the processor", solver);
  if (!element.empty()) return fmt::format("{} is not computed on a device", element);
  if (unknowns < least_unknowns)
    return fmt::format("{} unknowns are too few for a GPU to be faster (below {})", unknowns, least_unknowns);
  return "";
}

BackendChoice keep_processor(const std::string& reason) {
  return {-1, fmt::format("Back end cpu: {}.", reason)};
}

BackendChoice choose_backend(double processor_seconds, const std::vector<DeviceOffer>& offers) {
  BackendChoice choice;
  double least = processor_seconds;
  for (std::size_t k = 0; k < offers.size(); ++k)
    if (offers[k].refusal.empty() && !offers[k].at_least && offers[k].seconds < least) {
      least = offers[k].seconds;
      choice.device = static_cast<int>(k);
    }
  std::string others;
  for (std::size_t k = 0; k < offers.size(); ++k) {
    if (static_cast<int>(k) == choice.device) continue;
    const DeviceOffer& o = offers[k];
    others += o.refusal.empty() ? fmt::format(", {} {}{} ms", o.where, o.at_least ? "at least " : "",
                                              milliseconds(o.seconds))
                                : fmt::format(", {} {}", o.where, o.refusal);
  }
  const std::string cpu = milliseconds(processor_seconds);
  choice.sentence = choice.device < 0
                        ? fmt::format("Back end cpu: predicted {} ms per step{}.", cpu, others)
                        : fmt::format("Back end {}: predicted {} ms per step, cpu {} ms{}.",
                                      offers[choice.device].where, milliseconds(least), cpu, others);
  return choice;
}

}  // namespace trammel
