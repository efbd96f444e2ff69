// A dataset: reader, checks, writer, compiler. What reads without a mistake reads back the same when written.
// What is left of a deck without its mistakes compiles, or is refused in words.
#include "dataset/lines.h"
#include "dataset/permissive.h"
#include "dataset/reader.h"
#include "dataset/writer.h"
#include "entry.h"
#include "model/compile.h"

using namespace trammel;

namespace {

/// Compiles what is left without mistakes and what is not supported.
void compile_the_rest(Description& deck, Diagnostics diagnostics) {
  drop_wrong(deck, diagnostics, Wrong::all);
  drop_unsupported(deck, Dependents::drop);
  try {
    compile(deck, diagnostics);
  } catch (const Failure& failure) {
    fuzz::require(failure.code() != ExitCode::internal, failure.what());
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  Description deck = parse_dataset(std::string(fuzz::text_of(data, size)), "d.adm", diagnostics);
  for (const Diagnostic& d : diagnostics.list()) {
    fuzz::require(!d.text.empty(), "an empty message");
    fuzz::require(clean_text(d.text) == d.text, "a message that is no printable UTF-8");
  }
  const std::string written = write_dataset(deck);
  if (!diagnostics.has_errors()) {
    Diagnostics again;
    const Description copy = parse_dataset(written, "d.adm", again);
    fuzz::require(!again.has_errors(), "what was written does not read back");
    fuzz::require(write_dataset(copy) == written, "what was written reads back as something else");
  }
  compile_the_rest(deck, diagnostics);
  return 0;
}
