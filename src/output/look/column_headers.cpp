#include "output/look/column_headers.h"

#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {

bool is_column(const ResultReader& file, const ChannelRef& channel) {
  if (channel.entity < 0) return false;
  const Entity& owner = file.channels().entities[static_cast<std::size_t>(channel.entity)];
  return owner.type == "COLUMN" && !owner.view_name.empty();
}

const std::string& own_name(const ResultReader& file, const ChannelRef& channel) {
  return is_column(file, channel) ? channel.label : channel.name;
}

std::optional<ChannelRef> channel_of_header(const ResultReader& file, const std::string& header) {
  for (const ChannelRef& ref : file.list())
    if (is_column(file, ref) && equal_ignoring_case(ref.label, header)) return ref;
  try {
    const ChannelRef found = file.find(header);
    // A column with another header is another one, even if this header is like "COLUMN_1".
    if (found.column >= 0 && !is_column(file, found)) return found;
  } catch (const Failure&) {  // the file has no such channel, or several
  }
  return std::nullopt;
}

}  // namespace trammel
