// Decks of models/, as text.
#pragma once

#include <string>

#include "dataset/reader.h"

namespace trammel::test {

struct ModelDecks {
  std::string folder;  ///< of the models, with a slash at its end

  std::string deck(const std::string& path) const { return read_text_file(folder + path); }

  /// NAME/NAME.adm with its FLEX_BODY's modes where they are, and further arguments of it.
  std::string flexible(const std::string& name, const std::string& more = "") const {
    std::string text = deck(name + "/" + name + ".adm");
    const std::string before = "MNF_FILE = ";
    const std::size_t at = text.find(before) + before.size();
    return text.insert(text.find(".mtx", at) + 4, more).insert(at, folder + name + "/");
  }
};

/// The deck without the statements of a keyword.
inline std::string without(const std::string& deck, const std::string& keyword) {
  std::string out, line;
  bool inside = false;
  for (std::size_t at = 0; at < deck.size(); at += line.size() + 1) {
    line = deck.substr(at, deck.find('\n', at) - at);
    inside = line.starts_with(keyword + "/") || (inside && line.starts_with(","));
    if (!inside) out += line + "\n";
  }
  return out;
}
/// The deck with another INTEGRATOR.
inline std::string with_integrator(const std::string& deck, const std::string& integrator) {
  const std::string rest = without(deck, "INTEGRATOR");
  return rest.substr(0, rest.rfind("\nEND\n") + 1) + "INTEGRATOR/" + integrator + "\nEND\n";
}

}  // namespace trammel::test
