// Misspelt words: the nearest valid name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trammel {

/// Number of insertions, deletions, substitutions and swaps of neighbours between two words, case ignored.
int edit_distance(std::string_view a, std::string_view b);
/// The nearest of the names to a misspelt word, or "" when none is near (edit distance above a third of its
/// length).
std::string_view nearest_name(std::span<const std::string_view> names, std::string_view word);
/// "; did you mean REULER?" or "".
std::string did_you_mean(std::span<const std::string_view> names, std::string_view word);

}  // namespace trammel
