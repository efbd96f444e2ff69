#include "session/watched.h"

#include <algorithm>
#include <cmath>

#include "analysis/result_channels.h"
#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {

namespace {

struct Prefix {
  std::string_view text;
  Watched::Take take;
  bool time_of = false;
};

using Take = Watched::Take;
constexpr Prefix prefixes[] = {{"final:", Take::last},
                               {"min:", Take::smallest},
                               {"max:", Take::largest},
                               {"absmax:", Take::largest_magnitude},
                               {"rms:", Take::rms},
                               {"tmin:", Take::smallest, true},
                               {"tmax:", Take::largest, true},
                               {"tabsmax:", Take::largest_magnitude, true}};

/// Whether a value replaces the one kept. NaN does, and stays.
bool replaces(Take take, double value, double kept) {
  if (take == Take::last || (std::isnan(value) && !std::isnan(kept))) return true;
  return take == Take::smallest ? value < kept : value > kept;
}

}  // namespace

std::vector<Watched> watched_channels(const Channels& channels, const std::string& path,
                                      const std::vector<std::string>& names) {
  std::vector<Watched> out;
  for (const std::string& text : names) {
    const Prefix* prefix = prefixes;
    std::string name = text;
    for (const Prefix& p : prefixes)
      if (has_prefix_ignoring_case(text, p.text)) {
        prefix = &p;
        name = text.substr(p.text.size());
      }
    std::vector<ChannelRef> found;
    if (equal_ignoring_case(trim(name), "TIME"))
      found = {find_channel(channels, path, "TIME")};
    else
      found = select_channels(channels, path, {name});
    for (ChannelRef& channel : found) {
      const std::string header = std::string(prefix->text) + channel.name;
      const bool is_new =
          std::none_of(out.begin(), out.end(), [&](const Watched& w) { return w.header == header; });
      if (is_new) out.push_back({prefix->take, prefix->time_of, std::move(channel), header});
    }
  }
  return out;
}

Watch::Watch(const std::vector<Watched>& watched, const Channels& found_in, const Channels& channels)
    : watched_(watched) {
  const std::vector<int> places = watched.empty() ? std::vector<int>() : match_channels(found_in, channels);
  for (const Watched& w : watched) {
    const bool time = w.channel.column < 0;
    columns_.push_back(time ? -1 : places[static_cast<std::size_t>(w.channel.column)]);
    if (!time && columns_.back() < 0)
      fail(ExitCode::usage, "--channels: {} does not exist there", w.channel.name);
  }
}

void Watch::add(Take take, double time, double value, Sum& sum) const {
  const double x = take == Take::largest_magnitude ? std::abs(value) : value;
  if (values_.empty()) {
    sum = {x, time, x, 0, 0};
    if (take == Take::rms) sum.value = std::abs(x);
  } else if (take == Take::rms) {
    const double step = time - last_time_;
    sum.square_time += step * (x * x + sum.last * sum.last) / 2;
    sum.duration += step;
    sum.value = sum.duration > 0 ? std::sqrt(sum.square_time / sum.duration) : std::abs(x);
  } else if (replaces(take, x, sum.value)) {
    sum.value = x;
    sum.time = time;
  }
  sum.last = x;
}

void Watch::record(double time, std::span<const double> values) {
  sums_.resize(watched_.size());
  for (std::size_t k = 0; k < watched_.size(); ++k)
    add(watched_[k].take, time, columns_[k] < 0 ? time : values[static_cast<std::size_t>(columns_[k])],
        sums_[k]);
  values_.resize(watched_.size());
  for (std::size_t k = 0; k < watched_.size(); ++k)
    values_[k] = watched_[k].time_of ? sums_[k].time : sums_[k].value;
  last_time_ = time;
}

}  // namespace trammel
