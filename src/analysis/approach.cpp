#include "analysis/approach.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace trammel {

namespace {

constexpr int calm_steps = 3;  // by then other values make the parabolas

/// The sum of the radii of balls inside a shape of I and one of J, least of all pairs.
double thickness_of(const ContactElement& c) {
  double least[2] = {HUGE_VAL, HUGE_VAL};
  for (const PlacedShape& s : c.of_I) least[0] = std::min(least[0], s.inner);
  for (const PlacedShape& s : c.of_J) least[1] = std::min(least[1], s.inner);
  return least[0] + least[1];
}

double thickness_of(const ContactGroup& g) {
  double least[2] = {HUGE_VAL, HUGE_VAL};
  for (const ContactGroup::Member& m : g.shapes) {
    if (m.of_I) least[0] = std::min(least[0], m.placed.inner);
    if (m.of_J) least[1] = std::min(least[1], m.placed.inner);
  }
  return least[0] + least[1];
}

}  // namespace

Approach::Approach(const Model& model)
    : model_(model), switches_(model), has_groups_(!model.contact_groups.empty()) {
  for (const ContactElement& c : model.contacts) thickness_.push_back(thickness_of(c));
  turns_.resize(thickness_.size());
  told_.resize(thickness_.size());
  change_.resize(2 * (switches_.item.size() + thickness_.size()), Change::harmless);
  for (std::vector<double>& g : g_) g.resize(change_.size());
  add_passages();
}

LawChanges Approach::values() const {
  LawChanges out;
  out.switches.resize(switches_.item.size());
  out.contacts.resize(thickness_.size());
  return out;
}

void Approach::add_passages() {
  const int switches = static_cast<int>(switches_.item.size()),
            contacts = static_cast<int>(thickness_.size());
  for (int k = 0; k < switches; ++k)
    passages_.push_back({k, switches_.item[k].is_stop() ? switches + k : -1, {}});
  for (int k = 0; k < contacts; ++k)
    passages_.push_back({2 * switches + k, 2 * switches + contacts + k, model_.contacts[k].law});
}

void Approach::begin(double t, const LawChanges& found) {
  calm_.assign(passages_.size(), calm_steps);
  between_ = HUGE_VAL;
  lasting_step_ = 0;
  steps_ = 0;
  met_ = no_switch;
  after_step(t, false, found);
}

void Approach::after_step(double t, bool rejected, const LawChanges& found) {
  for (Change& c : change_)
    if (c == Change::ahead) c = rejected ? Change::matters : Change::harmless;
  if (std::isfinite(between_) && t < between_) calm_[split_] = calm_steps;
  between_ = HUGE_VAL;
  std::rotate(time_.begin(), time_.begin() + 1, time_.end());
  std::rotate(g_.begin(), g_.begin() + 1, g_.end());
  time_[2] = t;
  steps_ = std::min(steps_ + 1, 3);
  passage_ = t + found.passage;
  take(found, g_[2]);
  watch_touches();
}

/// What came before is where the parabola through g and both foreseen has been.
void Approach::foresee(double h, const std::array<LawChanges, 2>& found) {
  const std::vector<Passage> now = passages_;  // with the laws of the present
  std::vector<double> soon(g_[2]), later(g_[2]);
  take(found[0], soon);
  take(found[1], later);
  passages_ = now;
  for (std::size_t k = 0; k < change_.size(); ++k) {
    g_[1][k] = 3 * g_[2][k] - 3 * soon[k] + later[k];
    g_[0][k] = 6 * g_[2][k] - 8 * soon[k] + 3 * later[k];
  }
  time_ = {time_[2] - 2 * h, time_[2] - h, time_[2]};
  steps_ = 3;
}

void Approach::take(const LawChanges& found, std::vector<double>& g) {
  for (std::size_t k = 0; k < found.switches.size(); ++k) {
    const SwitchValues& v = found.switches[k];
    Passage& p = passages_[k];
    g[p.gap] = v.gap;
    if (p.turn < 0) continue;
    p.law.stiffness = v.stiffness;
    p.law.exponent = v.exponent;
    p.law.damping = v.damping;
    p.law.full_depth = v.full_depth;
    g[p.turn] = v.gap < 0 ? normal_turn(p.law, -v.gap, v.closing) : NAN;
  }
  for (std::size_t k = 0; k < found.contacts.size(); ++k) {
    const Passage& p = passages_[found.switches.size() + k];
    g[p.gap] = -found.contacts[k].depth;
    g[p.turn] = found.contacts[k].turn;
  }
}

void Approach::watch_touches() {
  if (steps_ < 2) return;
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const std::size_t at = 2 * switches_.item.size() + k;
    turns_[k] = turns_[k] << 1 | ((g_[2][at] < 0) != (g_[1][at] < 0));
  }
}

Approach::Thinnest Approach::thinnest() const {
  Thinnest out;
  const auto note = [&](const ElementName& name, double thickness) {
    if (name.active && thickness < out.thickness) out = {name.label(), thickness};
  };
  for (std::size_t k = 0; k < thickness_.size(); ++k) note(model_.contacts[k].name, thickness_[k]);
  for (const ContactGroup& g : model_.contact_groups) note(g.name, thickness_of(g));
  return out;
}

std::vector<std::string> Approach::chattering() {
  constexpr int most = 20;  // of 32 steps; a bounce takes several to come and several to go
  std::vector<std::string> names;
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    if (told_[k] || std::popcount(turns_[k]) < most) continue;
    told_[k] = 1;
    names.push_back(model_.contacts[k].name.label());
  }
  return names;
}

/// What is nearer than a part of the step is passed. The step is that which is to come or, while steps grow
/// again by two after a short one, that which they had: else a gap and its force, which vanish together,
/// would each end steps ever nearer to that. Steps of second order, the shorter they are, the more of their
/// accelerations is rounding.
double Approach::end_of_step(double now, double h, double latest, Ends ends) {
  constexpr double near = 0.1, nearest = 1e-3;
  lasting_step_ = std::max(h, lasting_step_ / 2);
  double end = next_passage(latest);
  if (ends == Ends::passages) return end;
  if (ends == Ends::all) end = std::min(end, next_change(now + near * lasting_step_, latest));
  const double soonest = now + (ends == Ends::all ? nearest : near) * lasting_step_;
  return std::min(end, between_changes(soonest, std::min(end, latest)));
}

double Approach::next_change(double soonest, double latest) {
  const int before = met_;
  double first = HUGE_VAL;
  met_ = no_switch;
  if (steps_ < 3) return first;
  for (int k = 0; k < static_cast<int>(change_.size()); ++k) {
    if (k == before) continue;
    const double t = time_[2] + course(k).first_at(0, soonest - time_[2]);
    if (!(t < std::min(first, latest))) continue;
    if (change_[k] != Change::matters) {
      change_[k] = Change::ahead;
      continue;
    }
    first = t;
    met_ = k;
  }
  return first;
}

double Approach::between_changes(double soonest, double latest) {
  between_ = HUGE_VAL;
  if (steps_ < 3) return between_;
  for (int k = 0; k < static_cast<int>(passages_.size()); ++k) {
    const double t = between_changes_of(passages_[k], soonest, latest);
    if (!std::isfinite(t))
      calm_[k] = std::min(calm_[k] + 1, calm_steps);
    else if (calm_[k] < calm_steps)
      calm_[k] = 0;
    else if (t < between_)
      between_ = t, split_ = k;
  }
  if (std::isfinite(between_)) calm_[split_] = 0;
  return between_;
}

/// In the middle of the first two changes up to `latest`, the first of which may have been just before the
/// step; infinite: there are none, or the present is between them.
double Approach::between_changes_of(const Passage& p, double soonest, double latest) const {
  constexpr double just_before = 0.1, ends_there = 1 + 1e-6;  // of the step
  const double h = latest - time_[2];
  double first = HUGE_VAL, second = HUGE_VAL;
  const auto note = [&](double u) {
    if (!(u > -just_before * h && u < second)) return;
    second = std::max(u, first);
    first = std::min(u, first);
  };
  const Course gap = course(p.gap);
  for (const double u : gap.when(0)) note(u);
  const double end = gap.first_at(0, 0);
  if (p.turn >= 0 && gap.g < 0 && end <= ends_there * h) {
    for (const double u : course(p.turn).when(0))
      if (u <= 0) note(u);
    note(turns_back(p, gap, end));
  }
  const double middle = time_[2] + (first + second) / 2;
  return second <= ends_there * h && middle > soonest ? middle : HUGE_VAL;
}

/// When a touch pushes again that damping holds from pushing now, before the gap opens at `end`: by
/// bisection, on the course of the gap. Infinite: it does not.
double Approach::turns_back(const Passage& p, const Course& gap, double end) const {
  constexpr double almost = 0.999;
  constexpr int halvings = 20;
  const auto pushes = [&](double u) { return normal_turn(p.law, -gap.at(u), -gap.rate(u)) > 0; };
  if (p.law.poisson || !(g_[2][p.turn] < 0) || !pushes(almost * end)) return HUGE_VAL;
  double low = 0, high = almost * end;
  for (int k = 0; k < halvings; ++k) {
    const double middle = (low + high) / 2;
    (pushes(middle) ? high : low) = middle;
  }
  return high;
}

double Approach::next_passage(double latest) const {
  constexpr double quarter = 0.25;
  const double h = latest - time_[2];
  double first = passage_;
  if (steps_ < 3) return first;
  for (std::size_t k = 0; k < thickness_.size(); ++k) {
    const double depth = quarter * thickness_[k];
    const Course c = course(static_cast<int>(2 * switches_.item.size() + k));
    if (!(c.g > -depth) || !std::isfinite(depth)) continue;
    const double turn = c.bend > 0 ? std::clamp(-c.slope / (2 * c.bend), 0.0, h) : h;
    if (std::min(c.at(h), c.at(turn)) > -2 * depth) continue;
    first = std::min(first, time_[2] + c.first_at(-depth, 0));
  }
  return first;
}

Approach::Course Approach::course(int k) const {
  const double g = g_[2][k], h = time_[2] - time_[1];
  const double older = (g_[1][k] - g_[0][k]) / (time_[1] - time_[0]), newer = (g - g_[1][k]) / h;
  const double bend = (newer - older) / (time_[2] - time_[0]);
  return {g, newer + bend * h, bend};
}

/// The times u of that value; not finite, or not numbers, where there are none.
std::array<double, 2> Approach::Course::when(double value) const {
  const double above = g - value, square = slope * slope - 4 * bend * above;
  const double q = -0.5 * (slope + std::copysign(std::sqrt(square), slope));
  return {q / bend, above / q};
}

/// The first u beyond `soonest` with that value; infinite: there is none.
double Approach::Course::first_at(double value, double soonest) const {
  double first = HUGE_VAL;
  for (const double u : when(value))
    if (u > soonest) first = std::min(first, u);
  return first;
}

}  // namespace trammel
