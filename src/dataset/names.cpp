#include "dataset/names.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "base/text.h"
#include "dataset/registry.h"

namespace trammel {

namespace {

/// Looks `word` up among `count` entries. for_spellings(k, f): calls f with each spelling of entry k, its
/// name first. Exact matches win, then the one entry with a spelling of which the word is a prefix.
template <class ForSpellings>
Lookup look_up(std::size_t count, std::string_view word, ForSpellings for_spellings) {
  enum class Match { none, prefix, exact };
  const auto match = [&](std::size_t k) {
    Match best = Match::none;
    for_spellings(k, [&](std::string_view spelling) {
      if (has_prefix_ignoring_case(spelling, word))
        best = std::max(best, spelling.size() == word.size() ? Match::exact : Match::prefix);
    });
    return best;
  };
  Lookup found;
  int longer = 0;  // entries that begin with the word
  for (std::size_t k = 0; k < count; ++k) {
    const Match m = match(k);
    if (m == Match::exact) return {static_cast<int>(k), {}};
    if (m == Match::none || word.empty()) continue;
    found.index = static_cast<int>(k);
    ++longer;
  }
  if (longer < 2) return found;
  found.index = -1;
  for (std::size_t k = 0; k < count; ++k) {
    if (match(k) == Match::none) continue;
    std::string_view name;
    for_spellings(k, [&](std::string_view spelling) {
      if (name.empty()) name = spelling;
    });
    found.candidates.push_back(name);
  }
  return found;
}

}  // namespace

Lookup find_field(std::span<const Field> fields, std::string_view word) {
  return look_up(fields.size(), word, [&](std::size_t k, auto take) {
    take(fields[k].name);
    if (!fields[k].alias.empty()) for_parts(fields[k].alias, '|', take);
  });
}

Lookup find_statement(std::span<const StatementSpec> statements, std::string_view word) {
  return look_up(statements.size(), word, [&](std::size_t k, auto take) { take(statements[k].keyword); });
}

Lookup find_choice(std::string_view choices, std::string_view word) {
  const std::vector<std::string_view> words = split(choices, '|');
  return look_up(words.size(), word, [&](std::size_t k, auto take) { take(words[k]); });
}

std::string arguments_instead(const StatementSpec& spec, std::string_view word) {
  std::vector<std::string_view> names, supported;
  for (const Field& field : spec.fields) {
    names.push_back(field.name);
    if (field.support != Support::unsupported) supported.push_back(field.name);
  }
  const std::string near = did_you_mean(names, word);
  return fmt::format("{} {} has {}", near.empty() ? ";" : near, spec.keyword, fmt::join(supported, ", "));
}

std::string join_names(std::span<const std::string_view> names, std::string_view last) {
  std::string out;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) out += k + 1 == names.size() ? " " + std::string(last) + " " : std::string(", ");
    out += names[k];
  }
  return out;
}

std::string in_quotes(std::string_view word) {
  word = trim(word);
  std::string out = "'";
  for (char c : word) {
    if (out.size() > 40 && (static_cast<unsigned char>(c) >> 6) != 2) return out + "...'";
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "'";
}

const StatementSpec* dataset_statement(std::string_view keyword) {
  for (const StatementSpec& spec : dataset_statements())
    if (spec.keyword == keyword) return &spec;
  return nullptr;
}

}  // namespace trammel
