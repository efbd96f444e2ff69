#include "analysis/statics/state_corrections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trammel {

namespace {

constexpr double least_size = 1e-8;          // in the state's own unit
constexpr double little = 0.01;              // of what answers a correction
constexpr double rounding_of_rates = 1e-10;  // beside the terms of a rate
constexpr double rounding = 1e-4;            // of ERROR: that of what a state follows, in its own unit

}  // namespace

StateCorrections::StateCorrections(const Model& model, RestEquations& equations, const State& begin,
                                   bool waits)
    : model_(model), equations_(equations), waits_(waits), size_(begin.s), any_value_(begin.s.size(), 0) {
  for (double& s : size_) s = std::abs(s);
  std::fill(equations_.whole_rates().begin(), equations_.whole_rates().end(), 0);
}

bool StateCorrections::take(const State& state, std::span<const double> r, std::span<const double> d,
                            bool least) {
  before_ = which_ >= 0 ? part_ : INFINITY;
  made_before_ = std::exchange(made_, 0.0);
  part_ = largest_ = 0;
  which_ = unmoved_ = -1;
  by_rate_ = 0;
  taken_ = true;
  double fastest = 0;
  for (int k = 0; k < model_.scalar_count(); ++k) {
    if (!model_.scalars[k].differential()) continue;
    const double left = std::abs(r[model_.first_scalar() + k]), correction = d[model_.first_scalar() + k];
    const double by_rate = left > 0 ? std::abs(equations_.diagonal_of_rates()[k] * correction) / left : 0;
    if (std::abs(by_rate - 1) < 1e-3 && left > fastest) fastest = left, unmoved_ = k;
    const bool rests = left <= rounding_of_rates * equations_.terms_of_states()[k];
    any_value_[k] = any_value_[k] || (least && !rests && std::abs(by_rate - 1) < 0.5);
    const unsigned char whole = any_value_[k] || (least && rests);
    if (least && std::exchange(equations_.whole_rates()[k], whole) < whole) taken_ = false;
    if (rests || any_value_[k]) continue;
    size_[k] = std::max({least_size, size_[k], std::abs(state.s[k]), std::abs(state.s[k] + correction)});
    if (correction == 0) continue;
    const double to_go = std::abs(correction) / std::max(least_part_of_rates, 1 - by_rate);
    largest_ = std::max(largest_, to_go);
    if (to_go > part_ * size_[k])
      part_ = to_go / size_[k], made_ = std::abs(correction) / size_[k], which_ = k, by_rate_ = by_rate;
  }
  repeated_ = by_rate_ < little ? repeated_ + 1 : 0;
  return taken_;
}

bool StateCorrections::at_rest(double error) const {
  if (!waits_) return true;
  constexpr int enough = 5;
  const bool small = part_ < error && part_ - made_ < little * error;
  return taken_ && (small || (repeated_ >= enough && largest_ < rounding * error));
}

double StateCorrections::next_part_of_rates(double now, double leap, double error) const {
  if (!waits_) return now;
  constexpr double good = 0.5, bad = 0.25;
  const bool small = part_ < error || largest_ < rounding * error || by_rate_ > 0.999;
  const double shorter = before_ - part_;
  if (!small && shorter < bad * made_before_) return std::min(1.0, 10 * now);
  if (by_rate_ < little || (!small && shorter < good * made_before_)) return now;
  return std::max(least_part_of_rates, std::min(leap, 0.1 * now));
}

std::string StateCorrections::words() const {
  if (which_ < 0) return "";
  return fmt::format(", the way of {} to go {:.4g} of its size",
                     model_.unknown_name(model_.first_scalar() + which_), part_);
}

std::string StateCorrections::unmoved(const Imbalance& left) const {
  if (unmoved_ < 0 || left.equation != model_.first_scalar() + unmoved_) return "";
  return fmt::format(
      " {} does not come to rest: its rate stays whatever value it takes, as of an integral of what does not "
      "vanish. STATIC_HOLD keeps its value in statics.",
      model_.equation_name(left.equation));
}

}  // namespace trammel
