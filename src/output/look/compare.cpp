#include "output/look/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/look/column_headers.h"
#include "output/look/common_times.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

void check_options(const CompareOptions& o) {
  const auto check = [](const char* name, double value) {
    if (!(value >= 0.0) || !std::isfinite(value))
      fail(ExitCode::usage, "{} = {}: a tolerance is a finite number, 0 or more", name, value);
  };
  check("--atol", o.atol);
  check("--rtol", o.rtol.value_or(0.0));
  if (o.from && o.to && *o.from > *o.to)
    fail(ExitCode::usage, "the window of time ends ({}) before it begins ({})", *o.to, *o.from);
}

// ---- channels

struct Match {
  ChannelRef a, b;
  bool angle = false;
};

int slot_of(const ResultReader& file, const ChannelRef& ref) {
  const Entity& e = file.channels().entities[static_cast<std::size_t>(ref.entity)];
  return e.type == "REQUEST" ? e.components[static_cast<std::size_t>(ref.component)].slot : 0;
}

/// "REQUEST/1 slot 2": the slot of a request's component, whatever its name.
std::string slot_name(const ResultReader& file, const ChannelRef& ref) {
  const int slot = slot_of(file, ref);
  if (slot == 0) return "";
  return file.channels().entities[static_cast<std::size_t>(ref.entity)].name() + " " + std::to_string(slot);
}

bool is_angle(const ResultReader& file, const ChannelRef& ref) {
  const Entity& e = file.channels().entities[static_cast<std::size_t>(ref.entity)];
  return e.components[static_cast<std::size_t>(ref.component)].quantity == Quantity::angle;
}

class Matcher {
 public:
  Matcher(const ResultReader& a, const ResultReader& b, const CompareOptions& options)
      : a_(a), b_(b), left_a_(chosen(a, b, options)), left_b_(chosen(b, a, options)) {
    for (const auto& [name_a, name_b] : options.map) add_pair(name_a, name_b);
    // Rules in order of reliability; each is applied to the channels left by those before.
    by(slot_name);  // before names: CNAMES may call the component of F2 "F3"
    by([](const ResultReader& f, const ChannelRef& r) { return is_column(f, r) ? std::string() : r.name; });
    by([](const ResultReader&, const ChannelRef& r) { return r.label; });
    by_column_name();
  }

  std::vector<Match> matches;
  std::vector<std::string> only_a() const { return names(a_, left_a_); }
  std::vector<std::string> only_b() const { return names(b_, left_b_); }

 private:
  using List = std::vector<ChannelRef>;

  /// The channels of `file` that the patterns match; every pattern must match in one of the files.
  static List chosen(const ResultReader& file, const ResultReader& other, const CompareOptions& options) {
    if (options.channels.empty()) return file.list();
    List out;
    std::set<int> taken;
    for (const std::string& pattern : options.channels) {
      List some;
      try {
        some = select_channels(file.channels(), file.path(), {pattern});
      } catch (const Failure&) {
        select_channels(other.channels(), other.path(), {pattern});
      }
      for (ChannelRef& ref : some)
        if (taken.insert(ref.column).second) out.push_back(std::move(ref));
    }
    return out;
  }

  static std::vector<std::string> names(const ResultReader& file, const List& list) {
    std::vector<std::string> out;
    for (const ChannelRef& ref : list)
      out.push_back(ref.label == own_name(file, ref) ? ref.label : ref.name + " (" + ref.label + ")");
    return out;
  }

  void add(const ChannelRef& a, const ChannelRef& b) { matches.push_back({a, b, is_angle(a_, a)}); }

  static void remove(List& list, int column) {
    std::erase_if(list, [column](const ChannelRef& ref) { return ref.column == column; });
  }

  void add_pair(const std::string& name_a, const std::string& name_b) {
    const ChannelRef a = a_.find(name_a), b = b_.find(name_b);
    if (a.column < 0 || b.column < 0)
      fail(ExitCode::usage, "--map {}={}: TIME is no channel", name_a, name_b);
    add(a, b);
    remove(left_a_, a.column);
    remove(left_b_, b.column);
  }

  template <class Key>
  void by(Key key) {
    std::map<std::string, const ChannelRef*> of_b;
    for (const ChannelRef& ref : left_b_)
      if (const std::string name = upper(key(b_, ref)); !name.empty())
        if (!of_b.emplace(name, &ref).second) of_b[name] = nullptr;  // name not unique: no pair
    std::set<int> used_a, used_b;
    for (const ChannelRef& ref : left_a_) {
      const auto found = of_b.find(upper(key(a_, ref)));
      if (found == of_b.end() || found->second == nullptr) continue;
      if (!used_b.insert(found->second->column).second) continue;
      add(ref, *found->second);
      used_a.insert(ref.column);
    }
    std::erase_if(left_a_, [&](const ChannelRef& r) { return used_a.count(r.column) > 0; });
    std::erase_if(left_b_, [&](const ChannelRef& r) { return used_b.count(r.column) > 0; });
  }

  /// Matches columns of tables named like a channel on the command line, as "boom.X".
  void by_column_name() {
    const auto pass = [&](const ResultReader& table, List& columns, const ResultReader& other, List& left,
                          bool table_is_a) {
      const List candidates = columns;
      for (const ChannelRef& column : candidates) {
        if (!is_column(table, column)) continue;
        const std::optional<ChannelRef> found = channel_of_header(other, column.label);
        const bool free = found && std::any_of(left.begin(), left.end(), [&](const ChannelRef& r) {
                            return r.column == found->column;
                          });
        if (!free) continue;
        table_is_a ? add(column, *found) : add(*found, column);
        remove(columns, column.column);
        remove(left, found->column);
      }
    };
    pass(a_, left_a_, b_, left_b_, true);
    pass(b_, left_b_, a_, left_a_, false);
  }

  const ResultReader &a_, &b_;
  List left_a_, left_b_;
};

// ---- values

double interpolated(double first, double second, double weight, bool wrapped) {
  if (weight == 0.0) return first;
  const double step = wrapped ? std::remainder(second - first, full_turn) : second - first;
  return first + weight * step;
}

/// Calls action(channel, time, a, b) for all channels at all times, time by time.
template <class Action>
void for_each_value(const ResultReader& a, const ResultReader& b, const CommonTimes& grid,
                    const std::vector<Match>& matches, bool wrap, Action action) {
  const ResultReader &base = grid.base_is_a ? a : b, &other = grid.base_is_a ? b : a;
  RecordCache base_records(base), other_records(other);
  for (const RecordPair& pair : grid.pairs) {
    const std::vector<double>&x = base_records.get(pair.base), &first = other_records.get(pair.other),
          &second = other_records.get(pair.next);
    for (std::size_t k = 0; k < matches.size(); ++k) {
      const ChannelRef &mine = grid.base_is_a ? matches[k].a : matches[k].b,
                       &theirs = grid.base_is_a ? matches[k].b : matches[k].a;
      const double at_base = x[static_cast<std::size_t>(mine.column)];
      const std::size_t c = static_cast<std::size_t>(theirs.column);
      const double at_other = interpolated(first[c], second[c], pair.weight, wrap && matches[k].angle);
      action(k, base.times()[pair.base], grid.base_is_a ? at_base : at_other,
             grid.base_is_a ? at_other : at_base);
    }
  }
}

/// `gaps`: NaN says that there is nothing.
double distance(double a, double b, bool wrapped, bool gaps) {
  if (a == b || (gaps && std::isnan(a) && std::isnan(b))) return 0.0;  // also infinities of one sign
  return std::abs(wrapped ? std::remainder(a - b, full_turn) : a - b);
}

/// Ratio of a difference to its limit; NaN and infinity rank first.
double excess(const ChannelDifference& d) {
  if (!std::isfinite(d.difference)) return infinity;
  if (d.difference == 0.0) return 0.0;
  return d.limit > 0.0 ? d.difference / d.limit : std::numeric_limits<double>::max();
}

/// By excess; if that does not decide (limits of 0), by the difference.
bool is_worse(const ChannelDifference& x, const ChannelDifference& y) {
  const double ex = excess(x), ey = excess(y);
  return ex > ey || (ex == ey && x.difference > y.difference);
}

/// The largest |a| of every channel of `a` at the times compared; numbers that are not finite do not count.
std::vector<double> peaks(const ResultReader& a, const std::vector<ChannelRef>& channels,
                          const CommonTimes& grid, bool wrap) {
  std::vector<double> peak(channels.size(), 0.0);
  RecordCache records(a);
  for (const RecordPair& pair : grid.pairs) {
    const std::vector<double>&first = records.get(grid.base_is_a ? pair.base : pair.other),
          &second = records.get(grid.base_is_a ? pair.base : pair.next);
    const double weight = grid.base_is_a ? 0.0 : pair.weight;
    for (std::size_t c = 0; c < peak.size(); ++c) {
      const bool wrapped = wrap && weight != 0.0 && is_angle(a, channels[c]);
      const double value = interpolated(first[c], second[c], weight, wrapped);
      if (std::isfinite(value)) peak[c] = std::max(peak[c], std::abs(value));
    }
  }
  return peak;
}

/// The scale of each channel, multiplied by rtol: the largest |a| among the components of its vector (same
/// entity and unit), because the error of a small component is relative to the whole vector; at least `noise`
/// times the largest |a| of that unit in the file, where sums of large numbers have only rounding left.
/// Channels without unit: their own largest |a|. All channels of the file count, compared or not.
std::vector<double> scales(const ResultReader& a, const CommonTimes& grid, const std::vector<Match>& matches,
                           const CompareOptions& options) {
  constexpr double noise = 1e-6;  // with the usual rtol of 1e-6: 1e-12, some 1e4 roundings
  const std::vector<ChannelRef> channels = a.list();
  const std::vector<double> peak = peaks(a, channels, grid, options.wrap);
  std::map<std::pair<int, std::string>, double> of_vector;
  std::map<std::string, double> of_unit;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const ChannelRef& ref = channels[c];
    double &vector = of_vector[{ref.entity, ref.unit}], &unit = of_unit[ref.unit];
    vector = std::max(vector, peak[c]);
    unit = std::max(unit, peak[c]);
  }
  std::vector<double> scale;
  for (const Match& m : matches)
    scale.push_back(m.a.unit.empty()
                        ? peak[static_cast<std::size_t>(m.a.column)]
                        : std::max(of_vector[{m.a.entity, m.a.unit}], noise * of_unit[m.a.unit]));
  return scale;
}

void find_worst(const ResultReader& a, const ResultReader& b, const CommonTimes& grid,
                const std::vector<Match>& matches, const CompareOptions& options, Comparison& out) {
  std::vector<double> scale(matches.size(), 0.0);
  if (!options.pointwise) scale = scales(a, grid, matches, options);
  for (const Match& m : matches) out.channels.push_back({own_name(a, m.a), m.a.unit});
  const bool gaps = a.has_gaps() && b.has_gaps();
  std::vector<char> seen(matches.size(), 0);
  for_each_value(a, b, grid, matches, options.wrap, [&](std::size_t k, double t, double va, double vb) {
    ChannelDifference& worst = out.channels[k];
    ChannelDifference now = worst;
    now.time = t;
    now.a = va;
    now.b = vb;
    now.difference = distance(va, vb, options.wrap && matches[k].angle, gaps);
    now.limit = options.atol + out.rtol * (options.pointwise ? std::abs(va) : scale[k]);
    if (!(now.difference <= now.limit) || std::isinf(now.difference)) ++now.over;
    // of equal ones the first; if all values are equal, the first time
    if (!seen[k] || is_worse(now, worst)) worst = now;
    worst.over = now.over;
    seen[k] = 1;
  });
}

}  // namespace

double default_rtol(const ResultReader& a, const ResultReader& b) {
  return a.six_digits() || b.six_digits() ? 1e-5 : 1e-6;
}

Comparison compare_results(const ResultReader& a, const ResultReader& b, const CompareOptions& options) {
  check_options(options);
  Comparison out;
  out.rtol = options.rtol.value_or(default_rtol(a, b));
  Matcher matcher(a, b, options);
  out.only_a = matcher.only_a();
  out.only_b = matcher.only_b();
  if (matcher.matches.empty())
    fail(ExitCode::usage, "{} and {} have no channel in common; a has {}; b has {}; --map A=B pairs names",
         a.path(), b.path(), joined_names(out.only_a, 4), joined_names(out.only_b, 4));
  const CommonTimes grid = common_times(a, b, options.from, options.to, out.notices);
  if (grid.pairs.empty())
    fail(ExitCode::usage, "{} and {} have no time in common{}: {:.9g} to {:.9g} and {:.9g} to {:.9g}",
         a.path(), b.path(), options.from || options.to ? " in the window" : "", a.times().front(),
         a.times().back(), b.times().front(), b.times().back());
  out.times = grid.pairs.size();
  out.interpolated = grid.interpolated;
  out.uncovered_a = grid.uncovered_a;
  out.uncovered_b = grid.uncovered_b;
  if (grid.interpolated > 0)
    out.notices.push_back(fmt::format(
        "the times differ: {} is interpolated linearly between its records at {} of {} times of {}",
        grid.base_is_a ? "b" : "a", grid.interpolated, grid.pairs.size(), grid.base_is_a ? "a" : "b"));
  const std::string conflict = unit_conflict(a.channels().units, b.channels().units);
  if (!conflict.empty())
    out.notices.push_back(fmt::format("the units differ ({}): numbers are compared as they are", conflict));
  find_worst(a, b, grid, matcher.matches, options, out);
  std::stable_sort(out.channels.begin(), out.channels.end(), is_worse);
  for (const ChannelDifference& d : out.channels) out.over += d.over > 0;
  const bool same_extent =
      out.only_a.empty() && out.only_b.empty() && out.uncovered_a == 0 && out.uncovered_b == 0;
  out.within = out.over == 0 && conflict.empty() && (options.common || same_extent);
  return out;
}

}  // namespace trammel
