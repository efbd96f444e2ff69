#include "session/doctor/step_statistics.h"

#include <algorithm>
#include <cmath>

namespace trammel {

namespace {

constexpr int bins = TimeBins::count;
constexpr std::size_t most_collapses = 100;
constexpr int calm = 5;  ///< accepted steps in a row that end a trouble

StepCause cause_of(const ErrorPlace& place) {
  return {place.unknown, place.rotation};
}

}  // namespace

void StepStatistics::begin(const Model& model) {
  model_ = &model;
  turns_.assign(static_cast<std::size_t>(model.unknowns()), {});
  motion_.assign(turns_.size(), {});
  points_ = 0;
}

void StepStatistics::steps_begin(const StepsSeen& seen) {
  end_trouble();
  if (steps == 0) begin_time = end_time = seen.t;
  if (seen.anew) {
    ++starts;
    points_ = 0;
  }
  first_h_ = 0;
  corrector_failed_ = false;
}

void StepStatistics::iteration(const IterationSeen& seen) {
  constexpr double slow_rate = 0.3;
  constexpr int many = 4;  // iterations of one attempt
  if (seen.iteration == 1) {
    first_residual_ = {0, -1};
    for (std::size_t k = 0; k < seen.residual[0].size(); ++k)
      if (const double r = std::fabs(seen.residual[0][k]); r > first_residual_.value)
        first_residual_ = {r, static_cast<int>(k)};
  }
  if (seen.correction[0].empty()) return;
  ++iterations;
  new_jacobians += seen.new_jacobian;
  attempt_worst_ = seen.worst.index;
  if (seen.iteration < many && !(seen.rate > slow_rate)) return;
  ++slow_iterations;
  if (seen.worst.index >= 0) ++slow[seen.worst.index];
}

void StepStatistics::attempt(const AttemptSeen& seen) {
  if (seen.end == AttemptEnd::accepted)
    note_step(seen);
  else
    note_refusal(seen);
}

void StepStatistics::note_refusal(const AttemptSeen& seen) {
  if (first_h_ == 0) {
    first_h_ = seen.h;
    corrector_failed_ = false;
  }
  if (calm_ < 0) {
    trouble_ = {seen.t, seen.h, seen.h, {}, -1};
    trouble_residual_ = 0;
    settled_ = points_ >= calm && seen.order + 1 >= last_order_;
  }
  calm_ = 0;
  if (seen.h <= trouble_.to) {
    trouble_.t = seen.t;
    trouble_.to = seen.h;
  }
  if (first_residual_.value > trouble_residual_) {
    trouble_residual_ = first_residual_.value;
    trouble_.equation = first_residual_.index;
  }
  if (seen.end == AttemptEnd::error_too_large) {
    ++refused_error;
    trouble_.cause = cause_of(seen.largest);
    ++refusals[trouble_.cause];
  } else if (seen.end == AttemptEnd::not_converged || seen.end == AttemptEnd::singular) {
    ++refused_corrector;
    corrector_failed_ = corrector_failed_ || seen.steps.jacobian.fresh;
    if (attempt_worst_ >= 0) ++slow[attempt_worst_];
  } else {
    ++refused_other;
    corrector_failed_ = seen.end != AttemptEnd::leap;
  }
}

void StepStatistics::end_trouble() {
  constexpr double collapse = 0.05;  // takes at least two refusals, by any step rule
  if (calm_ >= 0 && settled_ && trouble_.to < collapse * trouble_.from) {
    ++collapse_count;
    if (collapses.size() < most_collapses) collapses.push_back(trouble_);
  }
  calm_ = -1;
}

StepLimit StepStatistics::limit_of(const AttemptSeen& seen) const {
  constexpr double cut = 1.25;      // a step shorter than suggested by this factor ends at an output
  constexpr double growing = 1e-3;  // of ERROR: steps could be twice as long by a formula of any order
  const StepRules& rules = seen.steps.rules;
  if (rules.fixed_step) return StepLimit::fixed;
  if (first_h_ > 0 && corrector_failed_) return StepLimit::corrector;
  if (first_h_ == 0 && rules.hmax > 0 && seen.suggested >= rules.hmax * (1 - 1e-6))
    return hmax_given ? StepLimit::hmax : StepLimit::output;
  if (first_h_ == 0 && seen.suggested > cut * seen.h) return StepLimit::output;
  return seen.error < growing ? StepLimit::growth : StepLimit::error;
}

void StepStatistics::note_step(const AttemptSeen& seen) {
  constexpr double least_error = 1e-12;
  const StepLimit limit = limit_of(seen);
  const int bin = bin_of(seen.t + seen.h);
  ++steps;
  ++limits[limit];
  log_error[limit] -= std::log(std::max(seen.error, least_error));
  order_sum += seen.order;
  hmin = seen.steps.rules.hmin;
  hmax = seen.steps.rules.hmax;
  if (smallest == 0 || seen.h < smallest) {
    smallest = seen.h;
    smallest_at = seen.t;
  }
  auto& [count, time] = by_size[std::ilogb(seen.h) + 1024];
  ++count;
  time += seen.h;
  steps_by_time_[bin] += 1;
  time_[bin] += seen.h;
  if (limit == StepLimit::error && seen.largest.unknown >= 0) {
    CauseTally& tally = by_error[cause_of(seen.largest)];
    ++tally.steps;
    tally.by_time[bin] += 1;
  }
  if (calm_ >= 0 && ++calm_ > 0) {
    if (seen.h <= trouble_.to) {
      trouble_.t = seen.t;
      trouble_.to = seen.h;
    }
    if (calm_ >= calm) end_trouble();
  }
  first_h_ = 0;
  corrector_failed_ = false;
  end_time = seen.t + seen.h;
  note_motion(seen, bin);
}

/// The bin of a time; doubles the width of the bins until the time lies in one.
int StepStatistics::bin_of(double t) {
  if (width_ == 0) width_ = std::max((t - begin_time) / bins, 1e-300);
  while (t - begin_time > bins * width_) {
    width_ *= 2;
    const auto join = [](auto& counts) {
      for (int k = 0; k < bins / 2; ++k) counts[k] = counts[2 * k] + counts[2 * k + 1];
      std::fill(counts.begin() + bins / 2, counts.end(), 0);
    };
    join(steps_by_time_);
    join(time_);
    for (auto& counts : turns_) join(counts);
    for (auto& [cause, tally] : by_error) join(tally.by_time);
  }
  return std::clamp(static_cast<int>((t - begin_time) / width_), 0, bins - 1);
}

/// Whether the value has a turning point: it has come back from its extreme by three times the roughness.
/// Rounding, which has large second differences, does not; a sinusoid with four steps between two turning
/// points does.
bool StepStatistics::turns_round(Motion& m, double now, double ratio) const {
  constexpr double threshold = 3, memory = 0.9;
  const double change = now - m.last;
  if (points_ >= 2) m.rough = memory * m.rough + (1 - memory) * std::fabs(change - ratio * m.change);
  m.travel += std::fabs(change);
  m.change = change;
  m.last = now;
  if (m.direction == 0) {
    m.direction = change > 0 ? 1 : change < 0 ? -1 : 0;
    m.extreme = now;
    return false;
  }
  if (m.direction * (now - m.extreme) >= 0) {
    m.extreme = now;
    return false;
  }
  if (m.direction * (m.extreme - now) <= threshold * m.rough || points_ < 2) return false;
  m.direction = -m.direction;
  m.extreme = now;
  return true;
}

void StepStatistics::note_motion(const AttemptSeen& seen, int bin) {
  const std::span<const double> now = seen.unknowns;
  const double ratio = last_h_ > 0 ? seen.h / last_h_ : 1;
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (points_ == 0)
      motion_[k] = {now[k], 0, now[k], 0, motion_[k].travel, 0};
    else
      turns_[k][bin] += turns_round(motion_[k], now[k], ratio);
  }
  last_h_ = seen.h;
  last_order_ = seen.order;
  ++points_;
}

/// A sinusoid has two turning points in a period.
Frequency StepStatistics::frequency_between(int unknown, const std::array<bool, bins>& where,
                                            unsigned least_turns) const {
  constexpr double well_resolved = 8;  // steps between two turning points; with fewer some may be missed
  unsigned turns = 0;
  double time = 0, taken = 0;
  for (int k = 0; k < bins; ++k) {
    if (!where[k]) continue;
    turns += turns_[unknown][k];
    time += time_[k];
    taken += steps_by_time_[k];
  }
  if (turns < least_turns) return {};
  return {turns / (2 * time), taken < well_resolved * turns};
}

Frequency StepStatistics::frequency_of(const StepCause& cause, const CauseTally& tally) const {
  constexpr unsigned least_turns = 6;
  std::array<bool, bins> where{};
  for (int k = 0; k < bins; ++k) where[k] = tally.by_time[k] > 0.5 * steps_by_time_[k];
  int unknown = cause.unknown;
  if (cause.rotation)  // the angle that moves most
    for (int k = 1; k < 3; ++k)
      if (motion_[cause.unknown + k].travel > motion_[unknown].travel) unknown = cause.unknown + k;
  return frequency_between(unknown, where, least_turns);
}

double StepStatistics::usual_frequency(const StepCause& besides) const {
  constexpr double moves = 1e-6;  // of the largest travel: less is rounding
  constexpr unsigned least_turns = 2;
  std::array<bool, bins> everywhere{};
  everywhere.fill(true);
  double farthest = 0;
  for (const Motion& m : motion_) farthest = std::max(farthest, m.travel);
  int first = besides.unknown, count = 1;
  for (const Body& b : model_->bodies)
    if (besides.unknown >= b.first && besides.unknown < b.first + b.count())
      first = b.first, count = b.count();
  std::vector<double> found;
  for (int k = 0; k < static_cast<int>(turns_.size()); ++k) {
    const bool follows_rate =
        k < model_->coordinates ||
        (k >= model_->first_scalar() && model_->scalars[k - model_->first_scalar()].differential());
    const bool of_cause = k >= first && k < first + count;
    if (!follows_rate || of_cause || motion_[k].travel < moves * farthest) continue;
    if (const double f = frequency_between(k, everywhere, least_turns).value; f > 0) found.push_back(f);
  }
  if (found.empty()) return 0;
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
  std::nth_element(found.begin(), middle, found.end());
  return *middle;
}

StepStatistics::Stretch StepStatistics::stretch_of(const CauseTally& tally) const {
  constexpr double left_out = 0.05;  // share of the cause's steps left out at either end
  double before = 0, all = 0, in_it = 0;
  int first = -1, last = 0;
  for (int k = 0; k < bins; ++k) {
    before += tally.by_time[k];
    if (first < 0 && before > left_out * double(tally.steps)) first = k;
    if (before - tally.by_time[k] < (1 - left_out) * double(tally.steps)) last = k;
  }
  for (int k = std::max(first, 0); k <= last; ++k) {
    all += steps_by_time_[k];
    in_it += tally.by_time[k];
  }
  const double begin = begin_time + std::max(first, 0) * width_;
  return {begin, std::min(begin_time + (last + 1) * width_, end_time), all > 0 ? in_it / all : 0};
}

}  // namespace trammel
