// Motions whose FUNCTION reads states: what their derivatives in time depend on.
#include <array>
#include <map>

#include "model/compiler.h"

namespace trammel {

namespace {

/// The deepest that a quantity depends on besides time and the values of states, and through which element.
enum class Depth { states, positions, velocities, unknown };
struct Dependence {
  Depth depth = Depth::states;
  std::string through;
};

constexpr std::string_view depth_names[] = {"states", "positions", "velocities", "accelerations or forces"};

/// Finds the dependence of expressions and states differentiated in time.
class Dependences {
 public:
  explicit Dependences(const Model& model) : model_(model) {}

  /// Dependence of the derivative in time, of order `order`, of a tape.
  Dependence of_tape(int tape_index, int order) {
    const Tape& tape = model_.tapes[tape_index];
    Dependence most;
    const auto consider = [&](const Dependence& d) {
      if (d.depth > most.depth) most = d;
    };
    if (!tape.delays.empty()) return {Depth::unknown, "DELAY"};
    for (const TapeMarker& m : tape.markers)  // each derivative leads one level deeper
      consider({static_cast<Depth>(std::min(m.level + order, static_cast<int>(Depth::unknown))), ""});
    for (int state : tape.states) consider(of_state(state, order));
    for (int state : tape.rates) consider(of_state(state, order + 1));
    return most;
  }

 private:
  /// Dependence of the derivative in time, of order `order`, of a scalar.
  Dependence of_state(int index, int order) {
    if (index >= model_.scalar_count()) return {Depth::unknown, "a force"};
    const Scalar& s = model_.scalars[index];
    const std::string label = s.name.label();
    if (has_rate(s.kind) && order == 0) return {};
    if (s.kind == ScalarKind::differential && s.tape < 0) return {};  // constant between events
    const bool known = s.tape >= 0 && (s.kind == ScalarKind::variable || s.kind == ScalarKind::differential);
    if (!known) return {Depth::unknown, label};
    const auto [at, fresh] = found_.try_emplace({index, order}, Dependence{Depth::unknown, label});
    if (!fresh) return at->second;  // a scalar under way depends on itself
    Dependence d = of_tape(s.tape, s.kind == ScalarKind::variable ? order : order - 1);
    if (d.through.empty()) d.through = label;
    return found_[{index, order}] = d;
  }

  const Model& model_;
  std::map<std::pair<int, int>, Dependence> found_;
};

/// What the value and the derivatives of a FUNCTION may depend on, by level: initial velocities are found
/// with positions known, accelerations and forces with velocities.
constexpr int most_orders = 3;
struct LevelRule {
  int orders;
  Depth allowed[most_orders];
  std::string_view what, instead;
};
constexpr LevelRule level_rules[3] = {
    {3,
     {Depth::states, Depth::positions, Depth::velocities},
     "a displacement",
     "give VELOCITY or ACCELERATION and its derivative, or use a GCON"},
    {2,
     {Depth::positions, Depth::velocities},
     "a velocity",
     "give ACCELERATION and its derivative, or use a force"},
    {1, {Depth::velocities}, "an acceleration", "use a force"},
};
constexpr std::string_view order_names[most_orders] = {"FUNCTION", "the rate of FUNCTION",
                                                       "the second derivative of FUNCTION"};

}  // namespace

void Compiler::check_motion_functions() {
  Dependences dependences(model_);
  for (const ConstraintElement& e : model_.constraint_elements) {
    if (!e.motion || model_.tapes[e.tape].only_time()) continue;
    const LevelRule& rule = level_rules[e.level];
    for (int order = 0; order < rule.orders; ++order) {
      const Dependence d = dependences.of_tape(e.tape, order);
      if (d.depth <= rule.allowed[order]) continue;
      const Statement* s = statements_.find("MOTION", e.name.id);
      const Argument* f = s ? s->find("FUNCTION") : nullptr;
      diagnostics_.unsupported(
          f ? f->where : e.name.where,
          "{}: {} depends on {}{}{}, which is not supported: they are not known when {} is needed; {}",
          e.name.label(), order_names[order], depth_names[static_cast<int>(d.depth)],
          d.through.empty() ? "" : " through ", d.through, rule.what, rule.instead);
      break;
    }
  }
}

}  // namespace trammel
