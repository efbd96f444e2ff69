// Keywords as people write them: abbreviations, other spellings, misspellings.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/spelling.h"
#include "language/field.h"

namespace trammel {

/// f(part) for each part of a text between separators.
template <class F>
void for_parts(std::string_view text, char separator, F f) {
  while (true) {
    const std::size_t at = text.find(separator);
    f(text.substr(0, at));
    if (at == std::string_view::npos) return;
    text.remove_prefix(at + 1);
  }
}

/// The outcome of looking a word up: index >= 0, or -1 with the candidates of an ambiguous word, or -1
/// without candidates for an unknown one.
struct Lookup {
  int index = -1;
  std::vector<std::string_view> candidates;
};

/// An argument name among the fields of a statement: the name or another spelling in full, else the one
/// field of which the word is an abbreviation.
Lookup find_field(std::span<const Field> fields, std::string_view word);
/// A statement keyword: in full, else the one of which the word is an abbreviation.
Lookup find_statement(std::span<const StatementSpec> statements, std::string_view word);
/// A keyword of a choice ("ON|OFF").
Lookup find_choice(std::string_view choices, std::string_view word);

/// "; did you mean REULER? PART has MASS, CM, ..." of a word that is no argument of the statement.
std::string arguments_instead(const StatementSpec& spec, std::string_view word);
/// "A, B or C"
std::string join_names(std::span<const std::string_view> names, std::string_view last = "or");
/// The word in quotation marks, for a message: at most 40 characters.
std::string in_quotes(std::string_view word);

/// All statements of the dataset: keyword in capitals to its table; nullptr if unknown.
const StatementSpec* dataset_statement(std::string_view keyword);

}  // namespace trammel
