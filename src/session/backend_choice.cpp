#include "session/backend_choice.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace trammel {
namespace {

std::string milliseconds(double seconds) {
  const double ms = 1e3 * seconds;
  return ms < 10 ? fmt::format("{:.2g} ms", ms) : fmt::format("{:.0f} ms", ms);
}

bool stepped(const TimedSide& side) {
  return side.refusal.empty() && !side.seconds.empty();
}

/// The steps that are compared: from the second to the last that all sides have, or the first alone.
struct ComparedSteps {
  std::size_t first = 0, count = 0;
  double mean(const std::vector<double>& seconds) const {
    const auto begin = seconds.begin() + static_cast<std::ptrdiff_t>(first);
    const double sum = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), 0.0);
    return sum / static_cast<double>(count);
  }
};

ComparedSteps compared(const std::vector<TimedSide>& sides) {
  std::size_t all = std::numeric_limits<std::size_t>::max();
  for (const TimedSide& side : sides)
    if (stepped(side)) all = std::min(all, side.seconds.size());
  return all == 1 ? ComparedSteps{0, 1} : ComparedSteps{1, all - 1};
}

std::string refusal_of(const TimedSide& side) {
  return fmt::format("{} cannot: {}", side.where,
                     side.refusal.empty() ? "there was no step to take" : side.refusal);
}

}  // namespace

std::string reason_for_processor(int unknowns, const std::string& solver, const std::string& element) {
  if (solver != "auto") return fmt::format("--linear-solver {} is one of the processor", solver);
  if (!element.empty()) return fmt::format("{} is not computed on a device", element);
  if (unknowns < least_unknowns)
    return fmt::format("{} unknowns are too few to try a GPU (below {})", unknowns, least_unknowns);
  return "";
}

std::string processor_sentence(const std::string& reason) {
  return fmt::format("Back end cpu: {}.", reason);
}

BackendChoice choose_backend(const std::vector<TimedSide>& sides) {
  const ComparedSteps steps = compared(sides);
  int least = -1;
  std::vector<double> mean(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (!stepped(sides[k])) continue;
    mean[k] = steps.mean(sides[k].seconds);
    if (least < 0 || mean[k] < mean[least]) least = static_cast<int>(k);
  }
  std::string others;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (static_cast<int>(k) == least) continue;
    const TimedSide& side = sides[k];
    others += (others.empty() ? "" : ", ") +
              (stepped(side) ? fmt::format("{} {}", side.where, milliseconds(mean[k])) : refusal_of(side));
  }
  if (least < 0) return {0, processor_sentence(fmt::format("no steps could be timed ({})", others))};
  const std::string what = steps.count > 1 ? fmt::format("mean of {} steps", steps.count) : "one step timed";
  return {least, fmt::format("Back end {}: {} per step{}{} ({}).", sides[least].where,
                             milliseconds(mean[least]), others.empty() ? "" : ", ", others, what)};
}

}  // namespace trammel
