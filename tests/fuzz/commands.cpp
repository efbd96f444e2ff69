// A command file. The files that it names do not exist, but for itself: "commands.acf".
#include "dataset/commands.h"
#include "dataset/lines.h"
#include "dataset/permissive.h"
#include "entry.h"

using namespace trammel;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::file_with("commands.acf", fuzz::text_of(data, size));
  Diagnostics diagnostics;
  const CommandFile file = read_commands(path, diagnostics);
  report_unsupported(file, diagnostics);
  for (const Diagnostic& d : diagnostics.list()) {
    fuzz::require(!d.text.empty(), "an empty message");
    fuzz::require(clean_text(d.text) == d.text, "a message that is no printable UTF-8");
  }
  fuzz::require(!file.model.empty() || diagnostics.has_errors(), "no model and no word about it");
  return 0;
}
