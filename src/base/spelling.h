// Words that are misspelt: the nearest of those that would have been right.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trammel {

/// Insertions, deletions, changes and swaps of neighbours that make one word the other, case ignored.
int edit_distance(std::string_view a, std::string_view b);
/// The nearest of the names to a misspelt word, or "" when none is near (edit distance of at most a third).
std::string_view nearest_name(std::span<const std::string_view> names, std::string_view word);
/// "; did you mean REULER?" or "".
std::string did_you_mean(std::span<const std::string_view> names, std::string_view word);

}  // namespace trammel
