#include "app/watched.h"

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
};

constexpr Prefix prefixes[] = {
    {"final:", Watched::Take::last}, {"min:", Watched::Take::smallest}, {"max:", Watched::Take::largest}};

bool replaces(Watched::Take take, double value, double kept) {
  if (take == Watched::Take::last || std::isnan(value)) return true;
  return take == Watched::Take::smallest ? value < kept : value > kept;
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
      if (is_new) out.push_back({prefix->take, std::move(channel), header});
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

void Watch::record(double time, std::span<const double> values) {
  const bool first = values_.empty();
  values_.resize(watched_.size());
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    const double value = columns_[k] < 0 ? time : values[static_cast<std::size_t>(columns_[k])];
    if (first || replaces(watched_[k].take, value, values_[k])) values_[k] = value;
  }
}

}  // namespace trammel
