// Rules on MOTION: splines, ramps and states in its FUNCTION.
#include <algorithm>

#include "advice/rules.h"

namespace trammel::advice {

namespace {

/// f(motion, expression, node) for all calls in what an active MOTION reads, its own FUNCTION first.
template <class F>
void for_motion_calls(const Subject& s, bool at_once, F f) {
  for (const Statement& motion : s.deck.statements) {
    if (motion.spec->keyword != "MOTION" || !motion.active) continue;
    for (const Statement* read : s.expressions.reached_from(motion, at_once))
      for (const DeckExpression* e : s.expressions.of(*read))
        for (int k = 0; k < static_cast<int>(e->tree.nodes.size()); ++k)
          if (e->lives(k) && !e->range[k].point() && (*e)[k].kind == NodeKind::call) f(motion, *e, k);
  }
}

bool gives_displacement(const Statement& motion) {
  const std::string_view level = motion.chosen("level");
  return level.empty() || level == "DISPLACEMENT";
}

bool is_one_of(const Node& node, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), node.name) != names.end();
}

std::string through(const Statement& motion, const DeckExpression& e) {
  return e.owner == &motion ? "" : fmt::format(" of {}", e.label());
}

}  // namespace

void motion_spline(const Subject& s, Findings& f) {
  for_motion_calls(s, true, [&](const Statement& motion, const DeckExpression& e, int k) {
    if (gives_displacement(motion) && is_one_of(e[k], {"CUBSPL", "CURVE"}))
      f.add(motion.where, "{}: its displacement follows {}{}", motion.label(), e.place(k),
            through(motion, e));
  });
}

void motion_akima(const Subject& s, Findings& f) {
  for_motion_calls(s, true, [&](const Statement& motion, const DeckExpression& e, int k) {
    if (is_one_of(e[k], {"AKISPL"}))
      f.add(motion.where, "{}: follows {}{}", motion.label(), e.place(k), through(motion, e));
  });
}

void motion_ramp(const Subject& s, Findings& f) {
  for_motion_calls(s, true, [&](const Statement& motion, const DeckExpression& e, int k) {
    if (gives_displacement(motion) && is_one_of(e[k], {"STEP", "HAVSIN"}))
      f.add(motion.where, "{}: its displacement follows {}{}", motion.label(), e.place(k),
            through(motion, e));
  });
}

void motion_state(const Subject& s, Findings& f) {
  const Statement* told = nullptr;  // each MOTION once
  for_motion_calls(s, false, [&](const Statement& motion, const DeckExpression& e, int k) {
    if (told == &motion || !reads_motion(e[k])) return;
    told = &motion;
    f.add(motion.where, "{}: reads {}{}", motion.label(), e.place(k), through(motion, e));
  });
}

}  // namespace trammel::advice
