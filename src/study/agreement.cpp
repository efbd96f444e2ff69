#include "study/agreement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "base/diagnostics.h"
#include "math/rotation.h"
#include "output/look/common_times.h"
#include "output/output_set.h"

namespace trammel {

namespace {

constexpr double full_turn = 2 * std::numbers::pi;

enum Kind { position, velocity, acceleration, force, other };

Kind kind_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::length:
    case Quantity::angle:
      return position;
    case Quantity::velocity:
    case Quantity::angular_velocity:
      return velocity;
    case Quantity::acceleration:
    case Quantity::angular_acceleration:
      return acceleration;
    case Quantity::force:
    case Quantity::torque:
      return force;
    default:
      return other;
  }
}

/// A channel, or the three channels of an orientation.
struct Item {
  std::string name;
  Quantity quantity = Quantity::none;
  int entity = 0, column = 0;
  bool rotation = false;
  double scale = 0;
};

bool begins_orientation(const Entity& e, std::size_t c) {
  return c + 2 < e.components.size() && e.components[c].quantity == Quantity::angle &&
         e.components[c].name == "PSI" && e.components[c + 1].name == "THETA" &&
         e.components[c + 2].name == "PHI";
}

std::vector<Item> items_of(const ResultReader& file, const std::vector<std::string>& patterns) {
  std::set<int> wanted;
  for (const ChannelRef& ref : select_channels(file.channels(), file.path(), patterns))
    wanted.insert(ref.column);
  std::vector<Item> items;
  int column = 0, entity = 0;
  for (const Entity& e : file.channels().entities) {
    for (std::size_t c = 0; c < e.components.size();) {
      const bool rotation = begins_orientation(e, c);
      const int width = rotation ? 3 : 1;
      const auto first = wanted.lower_bound(column);
      if (first != wanted.end() && *first < column + width)
        items.push_back({rotation ? e.name() + " orientation" : e.name() + "." + e.components[c].name,
                         e.components[c].quantity, entity, column, rotation});
      column += width;
      c += static_cast<std::size_t>(width);
    }
    ++entity;
  }
  return items;
}

using Record = std::vector<double>;

/// The angle between two orientations [rad], accurate also where it is small, without acos near 1; a, b: PSI,
/// THETA, PHI.
double rotation_between(const double* a, const double* b) {
  const Mat3d x = rotation_313(Vec3d{a[0], a[1], a[2]}), y = rotation_313(Vec3d{b[0], b[1], b[2]});
  double squares = 0;  // |A − B|² = 8 sin²(angle/2)
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) squares += (x(r, c) - y(r, c)) * (x(r, c) - y(r, c));
  return 2 * std::asin(std::min(1.0, std::sqrt(squares / 8)));
}

double difference_of(const Item& item, const Record& a, const Record& b) {
  const std::size_t c = static_cast<std::size_t>(item.column);
  const double d = item.rotation                      ? rotation_between(&a[c], &b[c])
                   : a[c] == b[c]                     ? 0.0
                   : item.quantity == Quantity::angle ? std::abs(std::remainder(a[c] - b[c], full_turn))
                                                      : std::abs(a[c] - b[c]);
  return std::isnan(d) ? no_time : d;
}

/// The quantity that corresponds to this one by a lever, in both directions: velocity to angular velocity,
/// torque to force.
Quantity by_lever(Quantity quantity) {
  constexpr std::pair<Quantity, Quantity> pairs[] = {{Quantity::angle, Quantity::length},
                                                     {Quantity::angular_velocity, Quantity::velocity},
                                                     {Quantity::angular_acceleration, Quantity::acceleration},
                                                     {Quantity::force, Quantity::torque}};
  for (const auto& [one, other] : pairs) {
    if (quantity == one) return other;
    if (quantity == other) return one;
  }
  return quantity;
}

/// The value of the quantity that a lever of this length makes of `of_other`, a value of by_lever(quantity).
double through_lever(Quantity quantity, double of_other, double length) {
  const bool angular = quantity == Quantity::angle || quantity == Quantity::angular_velocity ||
                       quantity == Quantity::angular_acceleration || quantity == Quantity::force;
  return angular ? of_other / length : of_other * length;
}

/// Least scale of a quantity, from the model's length L and the time T of the run: values below it are
/// rounding.
double least_scale(Quantity quantity, double length, double time) {
  constexpr double part = 1e-6, of_forces = 1e-9;
  switch (quantity) {
    case Quantity::length:
      return part * length;
    case Quantity::angle:
      return part;
    case Quantity::velocity:
      return part * length / time;
    case Quantity::angular_velocity:
      return part / time;
    case Quantity::acceleration:
      return part * length / (time * time);
    case Quantity::angular_acceleration:
      return part / (time * time);
    default:
      return of_forces;
  }
}

/// Fills item.scale from the records of the file.
void measure_scales(const ResultReader& file, std::vector<Item>& items) {
  constexpr double least_part = 1e-3;
  std::map<std::pair<int, Quantity>, double> of_vector;
  std::map<Quantity, double> largest;
  double length = 0;
  Record first, now(file.width());
  for (std::size_t r = 0; r < file.records(); ++r) {
    if (file.kinds()[r] == StepKind::model_input) continue;
    file.record(r, now);
    if (first.empty()) first = now;
    for (const Item& item : items) {
      const double value = now[static_cast<std::size_t>(item.column)];
      const bool by_way = kind_of(item.quantity) == position;
      const double size = by_way ? difference_of(item, first, now) : std::abs(value);
      if (item.quantity == Quantity::length) length = std::max(length, std::abs(value));
      if (!std::isfinite(size)) continue;
      double &vector = of_vector[{item.entity, item.quantity}], &all = largest[item.quantity];
      vector = std::max(vector, size);
      if (item.quantity != Quantity::none) all = std::max(all, size);
    }
  }
  if (length == 0) length = file.channels().units.length_per_meter;  // all bodies turn about one point
  const double time = file.records() > 0 ? file.times().back() - file.times().front() : 0;
  for (Item& item : items) {
    const Quantity other = by_lever(item.quantity);
    const double of_other = other == item.quantity ? 0 : through_lever(item.quantity, largest[other], length);
    item.scale = std::max({of_vector[{item.entity, item.quantity}], least_part * largest[item.quantity],
                           least_part * of_other, least_scale(item.quantity, length, time > 0 ? time : 1)});
  }
}

/// Calls action(row, values of a, values of b, base) at every common time: that of record `row` of `base`,
/// the file with fewer records.
template <class Action>
void for_each_time(const ResultReader& a, const ResultReader& b, Action action) {
  if (a.width() != b.width()) fail(ExitCode::internal, "{} and {} are not of one model", a.path(), b.path());
  std::vector<std::string> notices;
  const CommonTimes common = common_times(a, b, {}, {}, notices);
  const ResultReader &base = common.base_is_a ? a : b, &rest = common.base_is_a ? b : a;
  RecordCache of_base(base), of_rest(rest);
  Record between(b.width());
  for (const RecordPair& pair : common.pairs) {
    const Record &here = of_base.get(pair.base), &first = of_rest.get(pair.other),
                 &next = of_rest.get(pair.next);
    const Record* there = &first;
    if (pair.weight != 0) {
      for (std::size_t c = 0; c < between.size(); ++c)
        between[c] = first[c] + pair.weight * (next[c] - first[c]);
      there = &between;
    }
    action(pair.base, common.base_is_a ? here : *there, common.base_is_a ? *there : here, base);
  }
}

}  // namespace

double Agreement::worst() const {
  return furthest().worst;
}

const KindAgreement& Agreement::furthest() const {
  return *std::max_element(of.begin(), of.end(),
                           [](const auto& x, const auto& y) { return x.worst < y.worst; });
}

Agreement agreement(const std::string& a, const std::string& b, const std::vector<std::string>& channels,
                    double tolerance) {
  const ResultReader first(a), second(b);
  std::vector<Item> items = items_of(second, channels);
  measure_scales(second, items);
  Agreement out;
  for (const Item& item : items)
    if (KindAgreement& kind = out.of[static_cast<std::size_t>(kind_of(item.quantity))]; kind.channel.empty())
      kind.channel = item.name;
  std::size_t after = 0, over = 0;
  for_each_time(first, second,
                [&](std::size_t row, const Record& x, const Record& y, const ResultReader& base) {
                  bool exceeds = false;
                  const double t = base.times()[row];
                  for (const Item& item : items) {
                    const double d = difference_of(item, x, y), relative = d / item.scale;
                    KindAgreement& kind = out.of[static_cast<std::size_t>(kind_of(item.quantity))];
                    if (relative > kind.worst) kind = {item.name, relative, d, t};
                    exceeds = exceeds || relative > tolerance;
                  }
                  if (exceeds && out.onset == no_time) out.onset = t;
                  after += out.onset != no_time;
                  over += exceeds;
                });
  if (after > 0) out.share_after = static_cast<double>(over) / static_cast<double>(after);
  return out;
}

void write_differences(const std::string& a, const std::string& b, const std::string& out) {
  const ResultReader first(a), second(b);
  std::vector<char> angle;
  for (const Entity& e : second.channels().entities)
    for (const Component& c : e.components) angle.push_back(c.quantity == Quantity::angle);
  OutputSet file;
  file.open_file(second.channels(), second.info(), out, Format::native);
  Record difference(second.width());
  for_each_time(
      first, second, [&](std::size_t row, const Record& x, const Record& y, const ResultReader& base) {
        for (std::size_t c = 0; c < difference.size(); ++c)
          difference[c] =
              x[c] == y[c] ? 0.0 : std::abs(angle[c] ? std::remainder(x[c] - y[c], full_turn) : x[c] - y[c]);
        file.record(base.times()[row], base.kinds()[row], difference);
      });
  file.close();
}

}  // namespace trammel
