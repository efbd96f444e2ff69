// How channels of a result file are found by the names a user types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"

namespace trammel {

/// A component of an entity of a result file.
struct ChannelRef {
  int entity = -1;  ///< index in Channels::entities, -1: time
  int component = 0;
  int column = -1;    ///< index into the values of a record, -1: time
  std::string name;   ///< "PART/2.X"
  std::string label;  ///< "boom.X" where the entity has a view name, else as name
  std::string unit;   ///< "meter", "" without unit
};

/// Every channel in the order of the values of a record, time not included.
std::vector<ChannelRef> list_channels(const Channels& channels);

/// "PART/2.X", "PART_2.X", "boom.X", ".model.boom.X" or "TIME", case ignored; the type may be
/// shortened ("REQ/1.X") and the component left out where there is only one ("VARIABLE/3").
/// Failure(usage), naming `path`, where nothing or more than one channel has the name; suggests near names.
ChannelRef find_channel(const Channels& channels, const std::string& path, std::string_view name);

/// The channels that the patterns name, in the order of the file, each once. A pattern is a channel
/// ("PART/2.X"), an entity with all its channels ("PART/2", "boom"), or has * (any text) and ? (any
/// character) in a name or label: "PART/*.X", "REQUEST/*". No patterns: every channel.
/// Failure(usage) for a pattern that names nothing.
std::vector<ChannelRef> select_channels(const Channels& channels, const std::string& path,
                                        const std::vector<std::string>& patterns);

/// The entities that are left when only `chosen` channels are kept, in their order.
Channels reduced(const Channels& channels, const std::vector<ChannelRef>& chosen);

/// At most `most` of the names, comma between, and how many there are in all.
std::string joined_names(const std::vector<std::string>& names, std::size_t most);

}  // namespace trammel
