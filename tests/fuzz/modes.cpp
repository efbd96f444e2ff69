// A file of the modes of a flexible body: reader and check; what is right is written and read back.
#include "entry.h"
#include "flexible/fem_file.h"
#include "flexible/modal_check.h"
#include "flexible/modal_file.h"
#include "flexible/mtx_file.h"

using namespace trammel;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  try {
    const std::string path = fuzz::file_with(FUZZ_FILE, fuzz::text_of(data, size));
    const ModalBody body = read_modal_body(path, diagnostics);
    check_modal_body(body, diagnostics);
    if (diagnostics.has_errors()) return 0;
    rigid_modes(body);
    const ModalBody again = read_mtx(fuzz::file_with("again.mtx", write_mtx(body)));
    fuzz::require(again.modes == body.modes && again.node_id == body.node_id, "another body is read back");
  } catch (const Failure& failure) {
    fuzz::require(failure.what()[0] != '\0', "an empty message");
    for (const char c : std::string_view(failure.what()))
      fuzz::require(c >= ' ' && c <= '~', "a message that is not printable");
    fuzz::require(failure.code() == ExitCode::input || failure.code() == ExitCode::unsupported,
                  failure.what());
  }
  return 0;
}
