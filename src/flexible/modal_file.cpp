#include "flexible/modal_file.h"

#include <filesystem>

#include "base/text.h"
#include "flexible/fem_file.h"
#include "flexible/mtx_file.h"

namespace trammel {

ModalBody read_modal_body(const std::string& path, Diagnostics& diagnostics) {
  const std::string end = lower(std::filesystem::path(path).extension().string());
  if (end == ".mtx") return read_mtx(path);
  if (end == ".fem") return read_fem(path);
  for (const char* other : {".mtx", ".fem"}) {
    const std::string beside = std::filesystem::path(path).replace_extension(other).string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(beside, error)) continue;
    diagnostics.note({path, 0}, "is not read; its modes are taken from {}", beside);
    return read_modal_body(beside, diagnostics);
  }
  fail(ExitCode::unsupported,
       "{} cannot be read, and there is no .mtx or .fem of its name beside it. Make a .mtx: ADAMS writes one "
       "with the dataset (MATRICES), Altair's flexprep does by 'flexprep x.mnf x.h3d; flexprep x.h3d x.mtx'; "
       "or reduce the finite-element model by 'trammel flex reduce'",
       path);
}

}  // namespace trammel
