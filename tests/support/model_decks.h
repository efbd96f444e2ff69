// Decks of models/, as text.
#pragma once

#include <string>

#include "dataset/reader.h"

namespace trammel::test {

inline std::string model_deck(const std::string& path) {
  return read_text_file(TRAMMEL_SOURCE_DIR "/models/" + path);
}

/// NAME/NAME.adm with its FLEX_BODY's modes where they are, and further arguments of it.
inline std::string flexible_deck(const std::string& name, const std::string& more = "") {
  std::string deck = model_deck(name + "/" + name + ".adm");
  const std::string before = "MNF_FILE = ";
  const std::size_t at = deck.find(before) + before.size();
  return deck.insert(deck.find(".mtx", at) + 4, more).insert(at, TRAMMEL_SOURCE_DIR "/models/" + name + "/");
}

}  // namespace trammel::test
