#include "session/debug_words.h"

#include <utility>

namespace trammel {

namespace {

constexpr std::pair<std::string_view, bool DebugWords::*> words_of_debug[] = {
    {"EPRINT", &DebugWords::eprint},  {"RHSDUMP", &DebugWords::rhsdump},   {"JMDUMP", &DebugWords::jmdump},
    {"DOF", &DebugWords::dof},        {"TOPOLOGY", &DebugWords::topology}, {"VERBOSE", &DebugWords::verbose},
    {"REQDUMP", &DebugWords::reqdump}};

}  // namespace

DebugWords debug_words(const Description& description) {
  DebugWords words;
  for (const Statement* statement : description.all("DEBUG"))
    for (const Argument& a : statement->arguments)
      for (const auto& [name, word] : words_of_debug)
        if (a.field->name.ends_with(name)) words.*word = a.field->name == name;
  return words;
}

}  // namespace trammel
