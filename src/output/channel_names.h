// Finding channels of a result file by the names that users type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"

namespace trammel {

/// One channel: a component of an entity in a result file.
struct ChannelRef {
  int entity = -1;  ///< index in Channels::entities, -1: time
  int component = 0;
  int column = -1;    ///< index in a record's values, -1: time
  std::string name;   ///< "PART/2.X"
  std::string label;  ///< "boom.X" if the entity has a view name, else `name`
  std::string unit;   ///< "meter"; "": no unit
};

/// Every channel but the time, in the order of a record's values.
std::vector<ChannelRef> list_channels(const Channels& channels);

/// The channel called "PART/2.X", "PART_2.X", "boom.X", ".model.boom.X" or "TIME", case ignored; the type may
/// be shortened ("REQ/1.X") and the component omitted where there is only one ("VARIABLE/3"). Failure(usage),
/// naming `path`, if no channel or several have the name; suggests near names.
ChannelRef find_channel(const Channels& channels, const std::string& path, std::string_view name);

/// The channels that the patterns match, in file order, without repetition. A pattern is a channel
/// ("PART/2.X"), an entity with all its channels ("PART/2", "boom"), or has * (any text) and ? (any
/// character) in a name or label: "PART/*.X", "REQUEST/*". No patterns: every channel. Failure(usage) for a
/// pattern without a match.
std::vector<ChannelRef> select_channels(const Channels& channels, const std::string& path,
                                        const std::vector<std::string>& patterns);

/// Channels with only the components `chosen`, in their order; entities without any are removed.
Channels reduced(const Channels& channels, const std::vector<ChannelRef>& chosen);

/// At most `most` of the names, separated by commas, and their total number.
std::string joined_names(const std::vector<std::string>& names, std::size_t most);

}  // namespace trammel
