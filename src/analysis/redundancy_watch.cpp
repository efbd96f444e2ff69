#include "analysis/redundancy_watch.h"

#include <algorithm>

namespace trammel {

bool RedundancyWatch::look_ahead(State& state, double h) {
  const std::size_t redundant = report_.redundant.size();
  if (redundant == 0 || redundant > InitialConditions::most_looked_at) return false;
  constexpr double apart = 0.1;  // radians, or mean arms
  moved_ += h * initial_.rate_of_change(state);
  if (moved_ < apart) return false;
  moved_ = 0;
  State ahead = state;
  ahead.t += h;
  for (int i = 0; i < model_.coordinates; ++i) ahead.q[i] += h * (state.v[i] + 0.5 * h * state.a[i]);
  constexpr double weak = 2, growth = 1.5;  // rows weak already stay: there may be no others
  if (!(weakness_ > 0)) weakness_ = initial_.choice_weakness(state);
  const double there = initial_.choice_weakness(ahead);
  const bool weaker = there > weak && there > growth * weakness_;
  const bool better_chosen = weaker && initial_.choose_strong_rows(ahead);
  weakness_ = better_chosen ? initial_.choice_weakness(ahead) : weaker ? there : std::min(weakness_, there);
  if (!better_chosen) return false;
  state.dropped = ahead.dropped;
  for (int r = 0; r < model_.multipliers; ++r)
    if (state.dropped[r]) state.lambda[r] = 0;
  tell_exchange(state);
  return true;
}

bool RedundancyWatch::exchange(State& state) {
  if (report_.redundant.empty() || exchange_time_ == state.t) return false;
  exchange_time_ = state.t;
  if (!initial_.exchange_dropped_rows(state)) return false;
  weakness_ = 0;
  tell_exchange(state);
  return true;
}

/// Warns once for every set of dropped equations.
void RedundancyWatch::tell_exchange(const State& state) {
  const bool known = std::count(announced_.begin(), announced_.end(), state.dropped) > 0;
  if (known || !warn_) return;
  announced_.push_back(state.dropped);
  std::string names;
  for (int r = 0; r < model_.multipliers; ++r)
    if (state.dropped[r]) names += (names.empty() ? "" : ", ") + model_.equation_name(model_.coordinates + r);
  warn_(fmt::format(
      "At time {:.9g} equations that are needed were about to vanish; redundant ones take their place. "
      "From there on the redundant equations are: {}.",
      state.t, names));
}

bool RedundancyWatch::renew(State& state) {
  if (report_.redundant.empty() || initial_.redundant_rows_hold(state)) return false;
  const std::vector<unsigned char> before = state.dropped;
  initial_.recheck_redundancy(state);
  if (state.dropped == before) return false;
  weakness_ = 0;
  if (warn_)
    warn_(
        fmt::format("At time {:.9g} a redundant equation was no longer satisfied; other equations are "
                    "dropped from there on.",
                    state.t));
  return true;
}

}  // namespace trammel
