#include "expression/delay_buffer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {

void DelayBuffer::append(double time, double value) {
  if (!time_.empty() && time == time_.back()) {
    // An analysis that begins where one has ended has the same value, but for what its initial conditions
    // have corrected, or begins behind a jump: a part at rest that a motion takes along at once.
    constexpr double corrected = 1e-6;
    const std::size_t n = time_.size();
    const bool behind = n > 1 && time_[n - 2] == time;
    const double change = std::fabs(value - value_.back()),
                 size = std::max({1.0, std::fabs(value), std::fabs(value_.back())});
    if (!behind && change > corrected * size) {
      time_.push_back(time);
      value_.push_back(value);
    } else {
      value_.back() = value;
    }
    return;
  }
  // Of an analysis that begins anew behind a jump, with functions as they are after it.
  constexpr double beside = 1e-14;
  if (!time_.empty() && time > time_.back() && time - time_.back() <= beside * std::fabs(time) &&
      value != value_.back()) {
    time_.push_back(time);
    value_.push_back(value_.back());
    time_.push_back(time);
    value_.push_back(value);
    return;
  }
  if (!time_.empty() && !(time > time_.back()))
    fail(ExitCode::internal, "DELAY: a value for time {} follows the one for time {}", shortest(time),
         shortest(time_.back()));
  time_.push_back(time);
  value_.push_back(value);
}

void DelayBuffer::insert(double time, double value) {
  const auto at = std::upper_bound(time_.begin(), time_.end(), time);
  value_.insert(value_.begin() + (at - time_.begin()), value);
  time_.insert(at, time);
}

void DelayBuffer::jump_at(double time) {
  const auto at = std::lower_bound(time_.begin(), time_.end(), time) - time_.begin();
  value_.insert(value_.begin() + at, value_[at - 1]);
  time_.insert(time_.begin() + at, time);
}

void DelayBuffer::truncate_after(double time) {
  const auto keep = std::upper_bound(time_.begin(), time_.end(), time) - time_.begin();
  time_.resize(keep);
  value_.resize(keep);
}

void DelayBuffer::drop_before(double time) {
  const auto first_needed =
      std::upper_bound(time_.begin(), time_.end(), time) - time_.begin() - 1 - functions::delay_reach;
  if (2 * first_needed <= static_cast<std::ptrdiff_t>(time_.size())) return;
  time_.erase(time_.begin(), time_.begin() + first_needed);
  value_.erase(value_.begin(), value_.begin() + first_needed);
  forgets_ = true;
}

void DelayBuffer::accept(double time, double value, double longest) {
  // Output between steps needs times from as early as the step before this one.
  const double from = time_.empty() ? time : time_.back();
  append(time, value);
  drop_before(from - longest);
}

void DelayBuffer::clear() {
  time_.clear();
  value_.clear();
  forgets_ = false;
}

}  // namespace trammel
