// A file of a mesh in one of the formats: reader and check, of the whole and of a part.
#include "entry.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_read.h"

using namespace trammel;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  MeshElement a{"a"};
  for (MeshElement* element : {static_cast<MeshElement*>(nullptr), &a}) {
    Diagnostics diagnostics;
    try {
      TriangleMesh mesh =
          parse_mesh(fuzz::text_of(data, size), mesh_format(FUZZ_FILE), FUZZ_FILE, diagnostics, element);
      check_mesh(mesh, FUZZ_FILE, diagnostics);
    } catch (const Failure& failure) {
      fuzz::require(failure.what()[0] != '\0', "an empty message");
      for (const char c : std::string_view(failure.what()))
        fuzz::require(c >= ' ' && c <= '~', "a message that is not printable");
      fuzz::require(failure.code() == ExitCode::input, failure.what());
    }
  }
  return 0;
}
