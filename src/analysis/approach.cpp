#include "analysis/approach.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "analysis/over_data.h"
#include "integrate/fold_course.h"

namespace trammel {

namespace {

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

/// Whether data are those of a stop: flat over much of their abscissae, a tenth of what is steepest.
bool stiffens(const SplineTable& data) {
  constexpr double flat = 0.1, part = 0.4;  // half of a gap, and no less by rounding
  if (data.bounded) return false;
  std::vector<std::pair<double, double>> slopes;  // and their lengths
  double all = 0, steepest = 0, of_flat = 0;
  for (std::size_t k = 0; k + 1 < data.y.size(); ++k) {
    const std::size_t i = k % data.x.size();
    if (i + 1 == data.x.size()) continue;  // to the next row
    const double length = data.x[i + 1] - data.x[i], slope = std::abs(data.y[k + 1] - data.y[k]) / length;
    slopes.emplace_back(slope, length);
    all += length;
    steepest = std::max(steepest, slope);
  }
  for (const auto& [slope, length] : slopes)
    if (slope <= flat * steepest) of_flat += length;
  return steepest > 0 && of_flat >= part * all;
}

}  // namespace

Approach::Approach(const Model& model)
    : model_(model), switches_(model), has_groups_(!model.contact_groups.empty()) {
  for (const ContactElement& c : model.contacts) thickness_.push_back(thickness_of(c));
  turns_.resize(thickness_.size());
  told_.resize(thickness_.size());
  change_.resize(2 * (switches_.item.size() + thickness_.size()), Change::harmless);
  change_.resize(first_fold() + 4 * switches_.item.size(), Change::none);  // other measures of the same
  taken_.resize(switches_.item.size(), 1);
  for (std::size_t k = 0; k < switches_.item.size(); ++k)
    if (!switches_.item[k].is_corner) change_[k] = Change::none;
  for (std::vector<double>& g : g_) g.resize(change_.size());
  add_passages();
  first_stop_ = find_stop();
}

bool Approach::has_turning_data() const {
  return std::ranges::any_of(switches_.item, [&](const LawSwitch& s) {
    if (!s.is_spline()) return false;
    const SplineTable& data = model_.splines[s.spline];
    return first_turn(data, data.x.front(), data.x.back()) != data.x.back();
  });
}

std::string Approach::find_stop() const {
  for (const ContactElement& c : model_.contacts)
    if (c.name.active) return c.name.label();
  for (const ContactGroup& g : model_.contact_groups)
    if (g.name.active) return g.name.label();
  for (const SwitchedTape& of : switches_.tape) {
    const auto stops = [&](const LawSwitch& s) {
      if (s.is_spline()) return s.of_places && stiffens(model_.splines[s.spline]);
      return of.has_pulses && (s.of_places || (s.is_corner && s.end >= 0));
    };
    if (std::any_of(switches_.item.begin() + of.first, switches_.item.begin() + of.last, stops))
      return model_.tape_owner(of.tape);
  }
  // Beside a relay, an IF of anything but places, SI2 takes steps of no size; a bend may be no stop.
  const bool relay = std::ranges::any_of(switches_.item,
                                         [](const LawSwitch& s) { return s.written == s.x && !s.of_places; });
  return switches_.bend == Bend::as_stop && !relay ? model_.tape_owner(switches_.bent_tape) : "";
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
  calm_.assign(passages_.size() + switches_.tape.size(), calm_steps);
  split_ = {};
  lasting_step_ = 0;
  steps_ = 0;
  met_ = no_switch;
  after_step(t, false, found);
}

void Approach::after_step(double t, bool rejected, const LawChanges& found) {
  for (Change& c : change_)
    if (c == Change::ahead) c = rejected ? Change::matters : Change::harmless;
  split_.after_step(t, calm_.data());
  std::rotate(time_.begin(), time_.begin() + 1, time_.end());
  std::rotate(g_.begin(), g_.begin() + 1, g_.end());
  time_[2] = t;
  steps_ = std::min(steps_ + 1, 3);
  double passage = found.passage;
  for (const ContactOverlaps& c : found.contacts) passage = std::min(passage, c.passage);
  passage_ = t + passage;
  take(found, g_[2]);
  watch_touches();
}

/// What came before is where the parabola through g and both foreseen has been.
void Approach::foresee(double h, const std::array<LawChanges, 2>& found) {
  const std::vector<Passage> now = passages_;  // with the laws of the present
  const std::vector<unsigned char> taken = taken_;
  std::vector<double> soon(g_[2]), later(g_[2]);
  take(found[0], soon);
  take(found[1], later);
  passages_ = now;
  taken_ = taken;
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
    g[p.gap] = gap_of(switches_.item[k], v);
    store_fold(v, switches_.item[k], &g[first_fold() + 4 * k]);
    taken_[k] = v.taken;
    if (p.turn < 0) continue;
    take_law(v, p.law);
    g[p.turn] = turn_of(v, p.law);
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

ThinnestContact thinnest_contact(const Model& model) {
  ThinnestContact out;
  const auto note = [&](const auto& contact) {
    if (!contact.name.active) return;
    if (const double t = thickness_of(contact); t < out.thickness) out = {contact.name.label(), t};
  };
  for (const ContactElement& c : model.contacts) note(c);
  for (const ContactGroup& g : model.contact_groups) note(g);
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
  constexpr double nearest = 1e-3, nearest_pulse = 1e-6;  // a pulse that is passed leaves nothing behind
  lasting_step_ = std::max(h, lasting_step_ / 2);
  double end = passage_;
  if (ends == Ends::passages) return end;
  if (ends == Ends::all) end = std::min(end, next_change(now + near_part * lasting_step_, latest));
  const double of_stops = now + (ends == Ends::all ? nearest : near_part) * lasting_step_,
               of_pulses = now + (ends == Ends::all ? nearest_pulse : near_pulse) * lasting_step_;
  end = std::min(end, next_turn_of_data(of_pulses, std::min(end, latest)));
  return std::min(end, between_changes(of_stops, of_pulses, std::min(end, latest)));
}

double Approach::next_change(double soonest, double latest) {
  const int before = met_;
  double first = HUGE_VAL;
  met_ = no_switch;
  if (steps_ < 3) return first;
  for (int k = 0; k < static_cast<int>(change_.size()); ++k) {
    if (k == before || change_[k] == Change::none || !acts(k)) continue;
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

double Approach::between_changes(double of_stops, double of_pulses, double latest) {
  split_.at = HUGE_VAL;
  if (steps_ < 3) return split_.at;
  const int passages = static_cast<int>(passages_.size());
  return split_.find(static_cast<int>(calm_.size()), calm_.data(), [&](int k) {
    if (k >= passages)
      return between_functions(
          switches_.tape[k - passages], switches_.item.data(), [&](int n) { return course(n); },
          [&](int n) { return acts(n); }, time_[2], of_pulses, latest);
    const Passage& p = passages_[k];
    if (is_spline(p.gap) || !acts(k)) return HUGE_VAL;
    const bool has_turn = p.turn >= 0;
    const double middle = between_changes_of({course(p.gap), has_turn ? course(p.turn) : Course{}, has_turn},
                                             p.law, time_[2], has_turn ? of_stops : of_pulses, latest);
    if (!is_switch(k) || switches_.item[k].fold.of == Fold::none) return middle;
    FoldParts parts;
    for (int n = 0; n < 4; ++n) parts.part[n] = course(first_fold() + 4 * k + n);
    return std::min(middle, between_folds(switches_.item[k].fold.of, parts, time_[2], of_pulses, latest));
  });
}

double Approach::next_turn_of_data(double soonest, double latest) const {
  double first = HUGE_VAL;
  if (steps_ < 3) return first;
  for (int k = 0; k < static_cast<int>(switches_.item.size()); ++k) {
    if (!is_spline(k) || !acts(k)) continue;
    const Course x = course(k);
    const double h = latest - time_[2], turn = -x.slope / (2 * x.bend);
    const double to = x.at(turn > 0 && turn < h ? turn : h);
    const double end = first_turn(model_.splines[switches_.item[k].spline], x.g, to);
    const double t = end == to ? HUGE_VAL : time_[2] + x.first_at(end, soonest - time_[2]);
    if (t < latest) first = std::min(first, t);
  }
  return first;
}

Course Approach::course(int k) const {
  return course_through(time_.data(), g_[0][k], g_[1][k], g_[2][k]);
}

FirstCourses Approach::courses() const {
  FirstCourses out{switches_, steps_, time_, {}, {}, {}, {}, {}};
  const std::size_t n = switches_.item.size();
  const auto part = [](const std::vector<double>& g, std::size_t first, std::size_t count) {
    return std::vector<double>(g.begin() + first, g.begin() + first + count);
  };
  for (std::size_t k = 0; k < 3; ++k) {
    out.gap[k] = part(g_[k], 0, n);
    out.turn[k] = part(g_[k], n, n);
    out.fold[k] = part(g_[k], first_fold(), 4 * n);
  }
  out.found.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    out.found[k].taken = taken_[k] != 0;
    out.law.push_back(passages_[k].law);
  }
  return out;
}

}  // namespace trammel
