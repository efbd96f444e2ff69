// Columns of plain tables, which files have in common by their headers.
#pragma once

#include <optional>
#include <string>

#include "output/read/result_reader.h"

namespace trammel {

/// Whether the channel is a column of a plain table: the number in COLUMN/n is its place in that table, and
/// its name is the header, which is its label.
bool is_column(const ResultReader& file, const ChannelRef& channel);

/// The name under which the channel is shown and looked for in other files: "PART/2.X", of a column its
/// header.
const std::string& own_name(const ResultReader& file, const ChannelRef& channel);

/// The column of `file` with this header, case ignored, else the channel that the header names on the command
/// line, as "boom.X".
std::optional<ChannelRef> channel_of_header(const ResultReader& file, const std::string& header);

}  // namespace trammel
