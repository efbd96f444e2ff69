#include "analysis/counted_turns.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/spin.h"
#include "math/rotation_vector.h"

namespace trammel {

namespace {

/// The rotation of a marker from one state to another, as a vector, at most half a turn.
Vec3d turn_of(const Kinematics& from, const Kinematics& to, int m) {
  return rotation_vector_of(to.marker(m).A * transpose(from.marker(m).A));
}

}  // namespace

CountedTurns::CountedTurns(const Model& model) : model_(model) {
  for (const AngleCounter& c : model.tape_angles) counters_.push_back({c.slot, {c.I, c.J}});
  for (const ConstraintElement& e : model.constraint_elements) {
    if (e.initial_only || e.curves >= 0) continue;
    for (int k = 0; k < e.rows; ++k)
      if (e.angle[k] >= 0) counters_.push_back({e.angle[k], {e.I, e.J}});
  }
  for (const Connector& f : model.connectors)
    if (f.angle >= 0) counters_.push_back({f.angle, {f.I, f.J}});
  for (const MultiPointForce& f : model.multi_point_forces)
    for (int pair = 0; f.angles > 0 && pair < f.pairs(); ++pair)
      counters_.push_back({f.angle + pair * (f.angles / f.pairs()), {f.I[pair], f.J[pair]}});
  std::sort(counters_.begin(), counters_.end());
  for (const auto& counter : counters_) pairs_.push_back(counter.second);
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

double CountedTurns::longest_step(const Kinematics& now, const Pair& pair) const {
  const Spin i = spin_of(model_, now, pair.first), j = spin_of(model_, now, pair.second);
  return time_of_turn(norm(i.w - j.w), norm(i.alpha - j.alpha), longest_turn);
}

double CountedTurns::longest_step(const Kinematics& now) const {
  double longest = HUGE_VAL;
  for (const Pair& pair : pairs_) longest = std::min(longest, longest_step(now, pair));
  return longest;
}

double CountedTurns::speed(const Kinematics& now, const Pair& pair) const {
  return norm(spin_of(model_, now, pair.first).w - spin_of(model_, now, pair.second).w);
}

void CountedTurns::speeds(const Kinematics& now, std::vector<double>& out) const {
  out.clear();
  for (const Pair& pair : pairs_) out.push_back(speed(now, pair));
}

double CountedTurns::turned(const std::vector<double>& before, const Kinematics& after, double h) const {
  double most = 0;
  for (std::size_t k = 0; k < before.size(); ++k)
    most = std::max(most, 0.5 * h * (before[k] + speed(after, pairs_[k])));
  return most;
}

double CountedTurns::longest_step(const Kinematics& then, const Kinematics& now, double h) const {
  double largest = 0;
  for (const auto& [I, J] : pairs_)
    largest = std::max(largest, norm(turn_of(then, now, I) - turn_of(then, now, J)));
  return largest > 0 ? longest_turn / largest * h : HUGE_VAL;
}

std::string CountedTurns::fastest(const Kinematics& now) const {
  const auto sooner = [&](const Pair& a, const Pair& b) {
    return longest_step(now, a) < longest_step(now, b);
  };
  return names(*std::min_element(pairs_.begin(), pairs_.end(), sooner));
}

std::string CountedTurns::turned_far(const Kinematics& from, const Kinematics& to) const {
  for (const Pair& pair : pairs_)
    for (const int m : {pair.first, pair.second})
      if (norm(turn_of(from, to, m)) > largest_turn) return names(pair);
  return {};
}

std::string CountedTurns::wound(const std::vector<double>& from, const std::vector<double>& to) const {
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (!(std::fabs(to[k] - from[k]) > std::numbers::pi)) continue;
    const auto after = [](int slot, const std::pair<int, Pair>& counter) { return slot < counter.first; };
    const auto next = std::upper_bound(counters_.begin(), counters_.end(), static_cast<int>(k), after);
    if (next != counters_.begin()) return names(std::prev(next)->second);
  }
  return {};
}

std::string CountedTurns::names(const Pair& pair) const {
  return fmt::format("MARKER/{} and MARKER/{}", model_.markers[pair.first].id,
                     model_.markers[pair.second].id);
}

}  // namespace trammel
