// Friction as arguments of a JOINT, as older datasets give it: becomes a FRICTION. What of it is ours is said
// in docs/theory.md, 4a.
#include "model/joint_friction.h"

#include <algorithm>

#include "language/friction.h"

namespace trammel {

namespace {

/// An argument of a JOINT, and the joints whose friction has use for it.
struct JointArgument {
  std::string_view name;
  bool revolute, translational;
};
constexpr JointArgument arguments_of_joint[] = {
    {"MU_STAT_ROT", true, false},   {"MU_DYN_ROT", true, false},
    {"MU_STAT_TRANS", false, true}, {"MU_DYN_TRANS", false, true},
    {"MAX_FRIC_ROT", true, false},  {"MAX_FRIC_TRANS", false, true},
    {"DELTA_V", true, true},        {"PRELOAD_AXIAL", true, false},
    {"INNER_RADIUS", true, false},  {"MAXIMUM_DEFORMATION", true, true},
    {"OUTER_RADIUS", true, false},  {"PRELOAD_RADIAL", true, false},
    {"PRELOAD_X", false, true},     {"PRELOAD_Y", false, true},
    {"HEIGHT", false, true},        {"WIDTH", false, true}};

const Field& friction_field(std::string_view name) {
  return *std::find_if(std::begin(statements::friction_fields), std::end(statements::friction_fields),
                       [&](const Field& f) { return f.name == name; });
}

bool has_friction(const Statement& joint) {
  const std::string_view word = joint.word("FRICTION");
  return joint.spec->keyword == "JOINT" && (word == "ON" || word == "PRELOAD_ONLY");
}

class JointFriction {
 public:
  JointFriction(const Statement& joint, int id, Diagnostics& diagnostics)
      : joint_(joint), diagnostics_(diagnostics) {
    friction_.spec = &statements::friction;
    friction_.id = id;
    friction_.where = joint.where;
  }

  /// Nothing after an error.
  std::optional<Statement> make() {
    const std::string_view type = joint_.chosen("type");
    const bool pin = type == "REVOLUTE";
    if (!pin && type != "TRANSLATIONAL") {
      error(
          "{}: FRICTION={} is for REVOLUTE and TRANSLATIONAL joints, and it is {}; give it a FRICTION "
          "statement",
          joint_.label(), joint_.word("FRICTION"), type);
      return std::nullopt;
    }
    number("JOINT", joint_.id);
    const double mu = above_zero(pin ? "MU_STAT_ROT" : "MU_STAT_TRANS");
    number("MU_STATIC", mu);
    number("MU_DYNAMIC", required(pin ? "MU_DYN_ROT" : "MU_DYN_TRANS"));
    if (joint_.has("DELTA_V")) number("STICTION_TRANSITION_VELOCITY", above_zero("DELTA_V"));
    if (joint_.has("MAXIMUM_DEFORMATION"))
      number("MAX_STICTION_DEFORMATION", above_zero("MAXIMUM_DEFORMATION"));
    inputs_ = {"PRELOAD"};
    if (joint_.word("FRICTION") == "ON") inputs_.push_back("REACTION_FORCE");
    if (pin)
      bearing(mu);
    else
      slide(mu);
    friction_.arguments.push_back({&friction_field("INPUTS"), joint_.where, {}, inputs_, {}});
    return complete_ ? std::optional(friction_) : std::nullopt;
  }

 private:
  /// A pin in a hole that ends in a face: R_n (|F_a| + P_a) + R_p (|F_r| + P_r), R_n the middle of the face.
  void bearing(double mu) {
    const double inner = above_zero("INNER_RADIUS"), outer = joint_.real("OUTER_RADIUS", inner);
    if (outer < inner)
      error("{}: OUTER_RADIUS={:.6g} is below INNER_RADIUS={:.6g}", joint_.label(), outer, inner);
    const double arm = (inner + outer) / 2;
    number("PIN_RADIUS", inner);
    number("FRICTION_ARM", arm);
    number("FRICTION_TORQUE_PRELOAD",
           mu * (arm * joint_.real("PRELOAD_AXIAL", 0) + inner * joint_.real("PRELOAD_RADIAL", 0)));
    if (joint_.has("MAX_FRIC_ROT")) number("MAX_FRICTION_TORQUE", above_zero("MAX_FRIC_ROT"));
  }
  /// A slide between faces: |F| + |T_a|/R + P_x + P_y, R the longer side of its section.
  void slide(double mu) {
    number("FRICTION_FORCE_PRELOAD",
           mu * (std::abs(joint_.real("PRELOAD_X", 0)) + std::abs(joint_.real("PRELOAD_Y", 0))));
    if (joint_.has("MAX_FRIC_TRANS")) number("MAX_FRICTION_FORCE", above_zero("MAX_FRIC_TRANS"));
    const double arm = std::max(joint_.real("HEIGHT", 0), joint_.real("WIDTH", 0));
    if (!(arm > 0) || joint_.word("FRICTION") != "ON") return;
    number("REACTION_ARM", arm);
    inputs_.push_back("TORSIONAL_MOMENT");
  }

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error(joint_.find("FRICTION")->where, format, std::forward<Args>(args)...);
    complete_ = false;
  }
  double required(std::string_view name) {
    if (!joint_.has(name))
      error("{}: {} is missing, which FRICTION={} needs", joint_.label(), name, joint_.word("FRICTION"));
    return joint_.real(name, 1);
  }
  /// Where friction is OFF they may be 0.
  double above_zero(std::string_view name) {
    const double value = required(name);
    if (!(value > 0))
      error("{}: {}={:.6g} must be above 0 with FRICTION={}", joint_.label(), name, value,
            joint_.word("FRICTION"));
    return value;
  }
  void number(std::string_view name, double value) {
    friction_.arguments.push_back({&friction_field(name), joint_.where, {value}, {}, {}});
  }

  const Statement& joint_;
  Diagnostics& diagnostics_;
  Statement friction_;
  std::vector<std::string> inputs_;
  bool complete_ = true;
};

/// Of arguments beside which FRICTION does not stand.
void note_idle(const Statement& joint, Diagnostics& diagnostics) {
  for (const JointArgument& argument : arguments_of_joint)
    if (const Argument* a = joint.find(argument.name)) {
      diagnostics.warning(a->where, "{}: {} has no effect without FRICTION=ON", joint.label(), argument.name);
      return;
    }
}

/// Of arguments for which the friction of its kind has no use.
void note_other_arguments(const Statement& joint, Diagnostics& diagnostics) {
  const std::string_view type = joint.chosen("type");
  for (const JointArgument& argument : arguments_of_joint)
    if (const Argument* a = joint.find(argument.name);
        a != nullptr && !(type == "REVOLUTE" ? argument.revolute : argument.translational))
      diagnostics.warning(a->where, "{}: {} has no effect in a {} joint", joint.label(), argument.name, type);
}

}  // namespace

std::optional<Description> with_joint_frictions(const Description& description, Diagnostics& diagnostics) {
  int id = 0;
  for (const Statement& s : description.statements)
    if (s.spec->keyword == "FRICTION") id = std::max(id, s.id);
  std::vector<Statement> made;
  for (const Statement& s : description.statements) {
    if (s.spec->keyword != "JOINT") continue;
    if (!has_friction(s)) {
      if (s.word("FRICTION").empty()) note_idle(s, diagnostics);
      continue;
    }
    if (auto friction = JointFriction(s, ++id, diagnostics).make()) {
      note_other_arguments(s, diagnostics);
      diagnostics.note(s.where, "{}: results have its friction as FRICTION/{}", s.label(), id);
      made.push_back(std::move(*friction));
    }
  }
  if (made.empty()) return std::nullopt;
  Description whole = description;
  whole.statements.insert(whole.statements.end(), made.begin(), made.end());
  return whole;
}

void leave_out_wrong_frictions(Description& description, Diagnostics& diagnostics) {
  for (Statement& s : description.statements) {
    if (!has_friction(s)) continue;
    Diagnostics found;
    if (JointFriction(s, 0, found).make()) continue;
    std::string reasons;
    for (const Diagnostic& d : found.list())
      reasons += (reasons.empty() ? "" : "; ") + d.text.substr(s.label().size() + 2);
    for (Argument& a : s.arguments)
      if (a.field->name == "FRICTION") {
        a.words = {"OFF"};
        diagnostics.warning(a.where, "{}: its friction is left out: {}", s.label(), reasons);
      }
  }
}

}  // namespace trammel
