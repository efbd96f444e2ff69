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

}  // namespace trammel::test
