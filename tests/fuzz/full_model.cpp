// A finite-element model of CalculiX: model.inp, .dof, .sti and .mas in one text, cut at lines of %%. What is
// read is reduced.
#include "base/diagnostics.h"
#include "entry.h"
#include "flexible/full_files.h"
#include "flexible/reduction.h"

using namespace trammel;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    std::string text(fuzz::text_of(data, size)), inp;
    for (const char* name : {"model.inp", "model.dof", "model.sti", "model.mas"}) {
      const std::size_t cut = text.find("%%\n");
      const std::string path = fuzz::file_with(name, text.substr(0, cut));
      if (inp.empty()) inp = path;
      text = cut == text.npos ? "" : text.substr(cut + 3);
    }
    const InputMesh mesh = read_inp(inp);
    const FullModel model = read_calculix(inp, mesh);
    if (model.unknowns() > 100) return 0;
    ReductionOptions options;
    options.modes = 3;
    options.all_nodes = true;
    if (const auto set = mesh.set.find("ENDS"); set != mesh.set.end()) options.interface_nodes = set->second;
    const ModalBody body = reduce(model, options).body;
    for (const double f : body.frequency) fuzz::require(f >= 0, "a frequency that is negative or no number");
  } catch (const Failure& failure) {
    fuzz::require(failure.what()[0] != '\0', "an empty message");
    for (const char c : std::string_view(failure.what()))
      fuzz::require((c >= ' ' && c <= '~') || c == '\n', "a message that is not printable");
    fuzz::require(failure.code() == ExitCode::input || failure.code() == ExitCode::unsupported ||
                      failure.code() == ExitCode::solver || failure.code() == ExitCode::io,
                  failure.what());
  }
  return 0;
}
