// Datasets (.adm): text -> Description.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "dataset/description.h"

namespace trammel {

/// Reads a dataset. Every mistake goes to `diagnostics` as file:line: STATEMENT/id: what is wrong; the
/// description holds what could be understood. Statements and arguments that are recognised but not
/// supported are no mistakes here: report_unsupported() or drop_unsupported() deal with them.
/// Throws Failure (io) when the file cannot be read.
Description read_dataset(const std::string& path, Diagnostics& diagnostics);

/// The same from text; `file_name` stands in messages.
Description parse_dataset(std::string text, std::string file_name, Diagnostics& diagnostics);

/// A redefinition ("PART/2, MASS=3.5"): keyword, id and the arguments that change. Throws Failure (input)
/// with all mistakes; the message names `origin` (the option it came from).
Statement parse_redefinition(std::string_view text, const std::string& origin);

/// The whole of a file. Throws Failure: io when it cannot be read, input when it is larger than 1 GiB.
std::string read_text_file(const std::string& path);

}  // namespace trammel
