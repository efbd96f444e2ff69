#include "base/spelling.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/text.h"

namespace trammel {

int edit_distance(std::string_view a, std::string_view b) {
  const std::string from = upper(a), to = upper(b);
  // Rows i - 2, i - 1 and i of the table of distances between prefixes of the two words.
  std::vector<int> before(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[to.size()];
}

std::string_view nearest_name(std::span<const std::string_view> names, std::string_view word) {
  std::string_view best;
  if (word.size() < 2 || word.size() > 40) return best;
  int least = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  for (std::string_view name : names) {
    const int distance = edit_distance(word, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(std::span<const std::string_view> names, std::string_view word) {
  const std::string_view name = nearest_name(names, word);
  return name.empty() ? std::string{} : "; did you mean " + std::string(name) + "?";
}

}  // namespace trammel
