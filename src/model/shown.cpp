// Which expressions nothing of the motion depends on: requests, and VARIABLEs that only these read.
#include "model/compiler.h"

namespace trammel {

/// Marks as only shown all tapes but those that the equations, sensors or DELAY buffers read, and those that
/// follow from them through VARIABLEs.
void Compiler::mark_shown_expressions() {
  const std::size_t tapes = model_.tapes.size();
  std::vector<char> shown(tapes), moves(tapes);
  for (const Request& r : model_.requests)
    for (int tape : r.tape)
      if (tape >= 0) shown[tape] = 1;
  model_.for_wrench_tables([&](const auto& table) {
    for (const auto& e : table) {
      e.for_shown([&](const ShownValue& value) {
        if (value.tape >= 0) shown[value.tape] = 1;
      });
      e.for_tapes([&](int tape) { shown[tape] = 0; });  // SCALE of MFORCE: the force itself
    }
  });
  for (const Scalar& s : model_.scalars)
    if (s.kind == ScalarKind::variable && s.name.type == "VARIABLE" && s.tape >= 0) shown[s.tape] = 1;
  std::vector<int> open;
  const auto reach = [&](int tape) {
    if (tape < 0 || moves[tape]) return;
    moves[tape] = 1;
    open.push_back(tape);
  };
  for (std::size_t k = 0; k < tapes; ++k)
    if (!shown[k]) reach(static_cast<int>(k));
  while (!open.empty()) {
    const Tape& tape = model_.tapes[open.back()];
    open.pop_back();
    for (int state : tape.states)
      if (state < model_.scalar_count()) reach(model_.scalars[state].tape);
  }
  for (std::size_t k = 0; k < tapes; ++k) model_.tapes[k].only_shown = !moves[k];
}

}  // namespace trammel
