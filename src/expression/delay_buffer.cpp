#include "expression/delay_buffer.h"

#include <algorithm>
#include <cstddef>

#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {

void DelayBuffer::append(double time, double value) {
  if (!time_.empty() && time == time_.back()) {
    value_.back() = value;
    return;
  }
  if (!time_.empty() && !(time > time_.back()))
    fail(ExitCode::internal, "DELAY: a value for time {} follows the one for time {}", shortest(time),
         shortest(time_.back()));
  time_.push_back(time);
  value_.push_back(value);
}

void DelayBuffer::truncate_after(double time) {
  const auto keep = std::upper_bound(time_.begin(), time_.end(), time) - time_.begin();
  time_.resize(keep);
  value_.resize(keep);
}

void DelayBuffer::drop_before(double time) {
  const auto first_needed = std::upper_bound(time_.begin(), time_.end(), time) - time_.begin() - 3;
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
