#include "analysis/what_decides.h"

#include <utility>

#include "expression/arguments.h"
#include "expression/ops.h"

namespace trammel {

namespace {

/// Whether a function of a smooth argument may be 0 but over a short part of it.
bool comes_and_goes(Op op) {
  switch (op) {
    case Op::branch:
    case Op::select:
    case Op::aint:
    case Op::anint:
    case Op::dim:
    case Op::max:
    case Op::min:
    case Op::mod:
    case Op::sign:
    case Op::step:
    case Op::step5:
    case Op::havsin:
    case Op::impact:
    case Op::bistop:
    case Op::akispl:
    case Op::cubspl:
    case Op::linspl:
      return true;
    default:
      return false;
  }
}

/// Reads tapes from what decides back to the leaves.
class Readings {
 public:
  explicit Readings(const Model& model) : model_(model), read_(model.tapes.size()) {}

  void from(int tape, const Instruction& i) {
    for (const int r : sources(model_.tapes[tape], i)) waiting_.emplace_back(tape, r);
    while (!waiting_.empty()) {
      const auto [of, r] = waiting_.back();
      waiting_.pop_back();
      reach(of, r);
    }
  }
  std::vector<std::vector<unsigned char>> take() { return std::move(read_); }

 private:
  static std::vector<int> sources(const Tape& tape, const Instruction& i) {
    const Op op = static_cast<Op>(i.op);
    if (op == Op::branch) return {i.a};
    std::vector<int> out;
    if (op == Op::select || is_function(op))
      for (int k = 0; k < i.n; ++k) out.push_back(argument_of(tape, i, k));
    return out;
  }

  /// Register r of tape k; what it depends on waits for its turn.
  void reach(int k, int r) {
    const Tape& tape = model_.tapes[k];
    std::vector<unsigned char>& read = read_[k];
    read.resize(tape.code.size());
    if (std::exchange(read[r], 1)) return;
    const Instruction& i = tape.code[r];
    for (const int source : sources(tape, i)) waiting_.emplace_back(k, source);
    if (static_cast<Op>(i.op) == Op::leaf && tape.leaves[i.a].measure == Measure::state)
      state(tape.states[tape.leaves[i.a].index]);
    if (static_cast<Op>(i.op) == Op::linear)
      for (int s = 0; s < i.b; ++s) state(tape.states[i.c + s]);
  }

  /// A VARIABLE is what it reads.
  void state(int k) {
    if (k >= model_.scalar_count()) return;  // a force
    const Scalar& s = model_.scalars[k];
    if (s.kind == ScalarKind::variable && s.tape >= 0)
      waiting_.emplace_back(s.tape, model_.tapes[s.tape].results[s.result]);
  }

  const Model& model_;
  std::vector<std::vector<unsigned char>> read_;
  std::vector<std::pair<int, int>> waiting_;  ///< tapes and their registers that are still to be read
};

}  // namespace

std::vector<std::vector<unsigned char>> read_to_decide(const Model& model,
                                                       const std::function<bool(int, int)>& counts) {
  Readings readings(model);
  for (int k = 0; k < static_cast<int>(model.tapes.size()); ++k) {
    const Tape& tape = model.tapes[k];
    if (!model.tape_in_equations[k] || tape.only_shown) continue;
    for (int r = 0; r < static_cast<int>(tape.code.size()); ++r)
      if (comes_and_goes(static_cast<Op>(tape.code[r].op)) && counts(k, r)) readings.from(k, tape.code[r]);
  }
  return readings.take();
}

}  // namespace trammel
