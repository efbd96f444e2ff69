// FRICTION: a force in the axes of a joint, by an expression that is built here and reads the joint's
// reaction.
#include "element/friction.h"
#include "expression/parse.h"
#include "expression/tape_term.h"
#include "model/resolver.h"

namespace trammel {

namespace {

/// All about a FRICTION that expressions may read. Results that nothing reads leave the tape.
struct FrictionTerms {
  std::vector<TapeTerm> slip, multiple, rate;  ///< v, c and ż, each by components of slip
  std::vector<TapeTerm> force;                 ///< on I, one by component of slip: force or torque
  TapeTerm speed, mu, regime;  ///< |v| and |μ|, of one component with their signs; 0 sticks, 2 slides
};

/// The law of FORMULATION=ORIGINAL.
StickSlip stick_slip_of(const Statement& s) {
  return {s.real("STICTION_TRANSITION_VELOCITY"), s.real("TRANSITION_VELOCITY_COEFFICIENT"),
          s.word("EFFECT") == "STICTION" ? 0.0 : s.real("MU_DYNAMIC", 0) / s.real("MU_STATIC", 0),
          s.real("MAX_STICTION_DEFORMATION")};
}

/// The law of FORMULATION=LUGRE.
Bristles bristles_of(const Statement& s) {
  const double mu = s.real("MU_STATIC", 0);
  return {s.real("BRISTLE_STIFFNESS", mu / s.real("MAX_STICTION_DEFORMATION")),
          s.real("BRISTLE_DAMPING", 0),
          s.real("VISCOUS_DAMPING", 0),
          mu,
          s.real("MU_DYNAMIC", 0),
          s.real("STRIBECK_VELOCITY", s.real("STICTION_TRANSITION_VELOCITY")),
          s.real("DECAY_EXPONENT", 2)};
}

/// The deflection at which the surfaces let go.
double greatest_deflection(const PlacedFriction& f) {
  return f.bristles ? bristles_of(*f.statement).deflection() : f.statement->real("MAX_STICTION_DEFORMATION");
}

class FrictionBuilder {
 public:
  FrictionBuilder(const PlacedFriction& f, ModelResolver& resolver, TapeBuilder& builder,
                  double start_overlap)
      : f_(f), s_(*f.statement), resolver_(resolver), builder_(builder), start_(start_overlap) {}

  FrictionTerms build() {
    FrictionTerms t;
    t.slip = slip();
    const int n = static_cast<int>(t.slip.size());
    std::vector<TapeTerm> z;
    for (int k = 0; k < n; ++k)
      z.push_back(f_.states > 0 ? TapeTerm{&builder_, builder_.state(f_.first_state + k)} : number(0));
    if (f_.bristles)
      bristles(t, z);
    else
      stick_slip(t, z);
    const TapeTerm square = times(t.multiple.data(), t.multiple.data(), n),
                   speed = times(t.slip.data(), t.slip.data(), n);
    t.speed = n == 1 ? t.slip[0] : root(speed);
    t.mu = s_.real("MU_STATIC", 0) * (n == 1 ? t.multiple[0] : root(square));
    const double stick = s_.real("STICTION_TRANSITION_VELOCITY");
    const double slide = stick * s_.real("TRANSITION_VELOCITY_COEFFICIENT");
    t.regime = where_negative(
        speed - number(stick * stick), [&] { return number(0); },
        [&] {
          return where_negative(
              speed - number(slide * slide), [&] { return number(1); }, [&] { return number(2); });
        });
    forces(t);
    if (s_.has("INACTIVE")) {
      const TapeTerm mode{&builder_, builder_.mode()};  // 5 statics, 6 quasi-statics
      for (auto* list : {&t.force, &t.multiple})
        for (TapeTerm& x : *list)
          x = where_negative(
              abs(mode - 5.5) - 1.0, [&] { return number(0); }, [&] { return x; });
      t.mu = where_negative(
          abs(mode - 5.5) - 1.0, [&] { return number(0); }, [&] { return t.mu; });
    }
    return t;
  }

 private:
  TapeTerm number(double value) const { return {&builder_, builder_.constant(value)}; }
  /// An expression of the joint's markers: {i}, {j}, {rm} (whose axes), {id} of the joint, {axis}.
  TapeTerm measure(std::string_view pattern, char axis = 'Z') {
    const int i = *f_.joint->id_of("I"), j = *f_.joint->id_of("J");
    const std::string text =
        fmt::format(fmt::runtime(pattern), fmt::arg("i", i), fmt::arg("j", j), fmt::arg("id", f_.joint->id),
                    fmt::arg("rm", f_.row->of_I ? i : j), fmt::arg("axis", axis));
    return {&builder_, lower_expression(parse_expression(text), resolver_, builder_).r[0]};
  }
  /// Component 'X'..'Z' of the joint's reaction on I, in the axes of the slip.
  TapeTerm reaction(bool torque, char axis) {
    return measure(fmt::format("JOINT({{id}},0,{},{{rm}})", (torque ? 6 : 2) + (axis - 'X')));
  }
  /// Its magnitude normal to an axis.
  TapeTerm across(bool torque, char axis) {
    TapeTerm parts[2];
    int n = 0;
    for (char a : {'X', 'Y', 'Z'})
      if (a != axis) parts[n++] = reaction(torque, a);
    return root(times(parts, parts, 2));
  }
  bool takes(std::string_view input) const {
    const Argument* inputs = s_.find("INPUTS");
    if (!inputs) return true;
    for (const std::string& word : inputs->words)
      if (word == input || word == "ALL") return true;
    return false;
  }
  TapeTerm sum(const TapeTerm& a, bool with, double factor, auto part) {
    return with ? a + factor * part() : a;
  }

  std::vector<TapeTerm> slip() {
    const double pin = s_.real("PIN_RADIUS"), ball = s_.real("BALL_RADIUS");
    switch (f_.row->surface) {
      case FrictionSurface::pin:
        return {pin * measure("W{axis}({i},{j},{rm})", f_.row->axis)};
      case FrictionSurface::slide:
        return {measure("VZ({i},{j},{j})")};
      case FrictionSurface::cylinder:
        return {measure("VZ({i},{j},{j})"), pin * measure("WZ({i},{j},{j})")};
      case FrictionSurface::ball:
        break;
    }
    return {ball * measure("WX({i},{j},{j})"), ball * measure("WY({i},{j},{j})"),
            ball * measure("WZ({i},{j},{j})")};
  }

  void stick_slip(FrictionTerms& t, const std::vector<TapeTerm>& z) {
    const StickSlip law = stick_slip_of(s_);
    const int n = static_cast<int>(z.size());
    std::vector<TapeTerm> u, d;  // v/V, z/Δ
    for (int k = 0; k < n; ++k) {
      u.push_back(t.slip[k] / law.velocity);
      d.push_back(z[k] / law.deformation);
    }
    const TapeTerm p = times(d.data(), d.data(), n);
    const auto parts = law.parts(times(u.data(), u.data(), n), p);
    const TapeTerm held = law.hold(times(t.slip.data(), d.data(), n), p);
    for (int k = 0; k < n; ++k) {
      t.multiple.push_back(parts.a * u[k] + parts.b * d[k]);
      t.rate.push_back(t.slip[k] - held * d[k]);
    }
  }

  void bristles(FrictionTerms& t, const std::vector<TapeTerm>& z) {
    const Bristles law = bristles_of(s_);
    const double mu = law.mu_static;
    const TapeTerm h = law.release(times(t.slip.data(), t.slip.data(), static_cast<int>(z.size())));
    for (std::size_t k = 0; k < z.size(); ++k) {
      t.rate.push_back(t.slip[k] - h * z[k]);
      t.multiple.push_back((law.stiffness / mu) * z[k] + (law.damping / mu) * t.rate[k] +
                           (law.viscous / mu) * t.slip[k]);
    }
  }

  /// Normal force of the surfaces, or its moment, from what the joint bears.
  TapeTerm load() {
    const bool force = takes("REACTION_FORCE"), bending = takes("BENDING_MOMENT");
    const char axis = f_.row->axis;
    TapeTerm n = number(0);
    switch (f_.row->surface) {
      case FrictionSurface::pin:
        n = sum(n, force, s_.real("FRICTION_ARM"), [&] { return abs(reaction(false, axis)); });
        n = sum(n, force, s_.real("PIN_RADIUS"), [&] { return across(false, axis); });
        return sum(n, bending, s_.real("PIN_RADIUS") / s_.real("BENDING_REACTION_ARM"),
                   [&] { return across(true, axis); });
      case FrictionSurface::slide:
        n = sum(n, takes("TORSIONAL_MOMENT"), 1 / s_.real("REACTION_ARM"),
                [&] { return abs(reaction(true, axis)); });
        [[fallthrough]];
      case FrictionSurface::cylinder:
        n = sum(n, force, 1, [&] { return across(false, axis); });
        return sum(n, bending, 1, [&] { return across(true, axis) / overlap(); });
      case FrictionSurface::ball:
        break;
    }
    return sum(n, force, s_.real("BALL_RADIUS"), [&] {
      const TapeTerm f[3] = {reaction(false, 'X'), reaction(false, 'Y'), reaction(false, 'Z')};
      return root(times(f, f, 3));
    });
  }

  /// Of sliding parts, a thousandth of the initial one at least.
  TapeTerm overlap() {
    const double x = s_.real("INITIAL_OVERLAP");
    const std::string_view delta = s_.word("OVERLAP_DELTA");
    if (delta.empty() || delta == "CONSTANT") return number(x);
    const double sign = delta == "INCREASE" ? 1 : -1;
    const TapeTerm now = (x - sign * start_) + sign * measure("DZ({i},{j},{j})");
    return now.apply(Op::max, {now.r, builder_.constant(1e-3 * x)});
  }

  void forces(FrictionTerms& t) {
    const FrictionSurface surface = f_.row->surface;
    const TapeTerm bearing = s_.real("MU_STATIC", 0) * load();
    const double share = takes("PRELOAD") ? 1 : 0;
    const double force = share * s_.real("FRICTION_FORCE_PRELOAD"),
                 torque = share * s_.real("FRICTION_TORQUE_PRELOAD");
    const auto bounded = [&](std::vector<TapeTerm> x, std::string_view bound) {
      const Argument* most = s_.find(bound);
      if (!most) return x;
      const double limit = most->numbers[0];
      const TapeTerm size = root(times(x.data(), x.data(), static_cast<int>(x.size())));
      for (TapeTerm& part : x) {
        const TapeTerm given = part;
        part = where_negative(
            size - limit, [&] { return given; }, [&] { return limit * given / size; });
      }
      return x;
    };
    const auto parts = [&](int first, int last, const TapeTerm& limit, std::string_view bound) {
      std::vector<TapeTerm> x;
      for (int k = first; k < last; ++k) x.push_back(-(limit * t.multiple[k]));
      for (const TapeTerm& part : bounded(x, bound)) t.force.push_back(part);
    };
    const int n = static_cast<int>(t.slip.size());
    const bool slides = surface == FrictionSurface::slide || surface == FrictionSurface::cylinder;
    if (slides) parts(0, 1, force + bearing, "MAX_FRICTION_FORCE");
    if (surface == FrictionSurface::cylinder)
      parts(1, 2, torque + s_.real("PIN_RADIUS") * bearing, "MAX_FRICTION_TORQUE");
    if (!slides) parts(0, n, torque + bearing, "MAX_FRICTION_TORQUE");
  }

  const PlacedFriction& f_;
  const Statement& s_;
  ModelResolver& resolver_;
  TapeBuilder& builder_;
  double start_;  ///< displacement along z of J as the deck places the parts
};

/// Arguments of single kinds of surfaces; others have no use for them.
struct SurfaceArgument {
  std::string_view name;
  bool pin, slide, cylinder, ball;
};
constexpr SurfaceArgument surface_arguments[] = {
    {"PIN_RADIUS", true, false, true, false},
    {"FRICTION_ARM", true, false, false, false},
    {"BENDING_REACTION_ARM", true, false, false, false},
    {"BALL_RADIUS", false, false, false, true},
    {"REACTION_ARM", false, true, false, false},
    {"INITIAL_OVERLAP", false, true, true, false},
    {"OVERLAP_DELTA", false, true, true, false},
    {"FRICTION_FORCE_PRELOAD", false, true, true, false},
    {"FRICTION_TORQUE_PRELOAD", true, false, true, true},
    {"MAX_FRICTION_FORCE", false, true, true, false},
    {"MAX_FRICTION_TORQUE", true, false, true, true},
};
constexpr std::string_view lugre_arguments[] = {"BRISTLE_STIFFNESS", "BRISTLE_DAMPING", "VISCOUS_DAMPING",
                                                "STRIBECK_VELOCITY", "DECAY_EXPONENT"};

bool has_use(const SurfaceArgument& a, FrictionSurface surface) {
  const bool uses[] = {a.pin, a.slide, a.cylinder, a.ball};
  return uses[static_cast<int>(surface)];
}

}  // namespace

/// The row of a joint and yoke; nullptr, after an error, where it has no friction.
const FrictionJoint* Compiler::friction_row(const Statement& s, const Statement& joint) {
  const std::string_view type = joint.chosen("type"), yoke = s.chosen("yoke");
  const Location& where = s.find("JOINT")->where;
  bool known = false, has_yokes = false;
  for (const FrictionJoint& row : friction_joints) {
    if (row.type != type) continue;
    if (row.yoke == yoke) return &row;
    known = true;
    has_yokes = has_yokes || !row.yoke.empty();
  }
  if (!known && type == "SCREW")
    diagnostics_.error(
        where,
        "{}: {} is SCREW, for which ADAMS has no FRICTION either; give its thread's friction "
        "as an SFORCE about and one along its axis, which read JOINT({},0,4,{}) (docs/theory.md, "
        "4a)",
        s.label(), joint.label(), joint.id, *joint.id_of("J"));
  else if (!known)
    diagnostics_.error(
        where,
        "{}: {} is {}, which has no friction; it may be in REVOLUTE, TRANSLATIONAL, CYLINDRICAL, "
        "SPHERICAL, HOOKE and UNIVERSAL joints",
        s.label(), joint.label(), type);
  else if (has_yokes)
    diagnostics_.error(where,
                       "{}: {} is {}; say I_YOKE or J_YOKE, the body whose bearing of the cross it is in",
                       s.label(), joint.label(), type);
  else
    diagnostics_.error(s.find(yoke)->where, "{}: {} is {} and has no yokes; drop {}", s.label(),
                       joint.label(), type, yoke);
  return nullptr;
}

void Compiler::hold_to_deflection(Scalar& z, double greatest) {
  if (greatest > 0 && greatest < 1) z.unit = greatest;
}

void Compiler::note_idle_friction_arguments(const PlacedFriction& f) {
  const Statement& s = *f.statement;
  const auto warn = [&](std::string_view name, std::string_view why) {
    if (const Argument* a = s.find(name))
      diagnostics_.warning(a->where, "{}: {} has no effect {}", s.label(), name, why);
  };
  for (const SurfaceArgument& a : surface_arguments)
    if (!has_use(a, f.row->surface)) warn(a.name, fmt::format("in a {} joint", f.row->type));
  if (f.bristles) {
    for (std::string_view name : {"EFFECT", "TRANSITION_VELOCITY_COEFFICIENT"}) warn(name, "with LUGRE");
    if (s.has("STRIBECK_VELOCITY"))  // but for the regime in the results
      warn("STICTION_TRANSITION_VELOCITY", "on the force beside STRIBECK_VELOCITY");
    if (s.has("BRISTLE_STIFFNESS")) warn("MAX_STICTION_DEFORMATION", "beside BRISTLE_STIFFNESS");
  } else {
    for (std::string_view name : lugre_arguments) warn(name, "without FORMULATION=LUGRE");
  }
}

/// Reads every FRICTION and reserves its states, so that expressions may refer forward.
void Compiler::reserve_friction_states() {
  std::map<std::pair<int, std::string_view>, const Statement*> taken;
  for (const Statement& s : statements_.all("FRICTION")) {
    const auto id = s.id_of("JOINT");
    const Statement* joint = id ? statements_.find("JOINT", *id) : nullptr;
    if (!joint || !joint->id_of("I") || !joint->id_of("J")) continue;
    const double most = s.real("MU_STATIC", 0);
    if (const Argument* a = s.find("MU_DYNAMIC"); a && a->numbers[0] > most)
      diagnostics_.error(a->where, "{}: MU_DYNAMIC={} is above MU_STATIC={}", s.label(), a->numbers[0], most);
    PlacedFriction f{&s, joint, friction_row(s, *joint)};
    if (!f.row) continue;
    if (const auto [at, fresh] = taken.try_emplace({*id, f.row->yoke}, &s); !fresh)
      diagnostics_.error(s.where, "{}: {} has {} already; a joint, or a yoke of one, has one friction",
                         s.label(), joint->label(), at->second->label());
    f.bristles = s.word("FORMULATION") == "LUGRE";
    note_idle_friction_arguments(f);
    f.states = !f.bristles && s.word("EFFECT") == "SLIDING" ? 0 : slip_components(f.row->surface);
    f.first_state = model_.scalar_count();
    for (int k = 0; k < f.states; ++k) {
      Scalar z;
      z.name = name_of(s);
      z.part =
          fmt::format("{}{}", f.bristles ? "BRISTLE" : "CREEP", f.states > 1 ? std::to_string(k + 1) : "");
      z.kind = ScalarKind::differential;
      z.static_hold = true;
      hold_to_deflection(z, greatest_deflection(f));
      add_scalar(z);
    }
    frictions_.push_back(f);
  }
}

/// Calls finish(terms, builder) for the terms of a FRICTION in a tape of its own; index of the tape.
template <class Finish>
int Compiler::friction_tape(const PlacedFriction& f, std::string_view what, bool in_equations,
                            Finish finish) {
  ModelResolver resolver(*this);
  TapeBuilder builder;
  const TapeValue value = finish(FrictionBuilder(f, resolver, builder, friction_start(f)).build(), builder);
  model_.tapes.push_back(builder.finish(value, std::string(what)));
  model_.tape_name.push_back(f.statement->label() + " " + std::string(what));
  model_.tape_in_equations.push_back(in_equations);
  return static_cast<int>(model_.tapes.size()) - 1;
}

namespace {
TapeValue first_three(const std::vector<TapeTerm>& x, TapeBuilder& builder) {
  if (x.size() == 1) return TapeValue::scalar(x[0].r);
  TapeValue value{true, {x[0].r, x[1].r, x.size() > 2 ? x[2].r : builder.constant(0)}};
  return value;
}
}  // namespace

double Compiler::friction_start(const PlacedFriction& f) const {
  const Pose<double> I = given_pose(marker_index(*f.joint, "I")), J = given_pose(marker_index(*f.joint, "J"));
  return dot(I.r - J.r, J.A.column(2));
}

void Compiler::compile_frictions() {
  for (PlacedFriction& f : frictions_) {
    ExpressionForce e;
    e.name = name_of(*f.statement);
    e.law = {AppliedKind::vector, false};
    e.I = marker_index(*f.joint, "I");
    e.J = marker_index(*f.joint, "J");
    e.RM = f.row->of_I ? e.I : e.J;
    for (std::size_t k = 0; k < model_.constraint_elements.size(); ++k) {
      const ConstraintElement& joint = model_.constraint_elements[k];
      if (joint.name.type == "JOINT" && joint.name.id == f.joint->id && !joint.initial_only)
        e.joint = static_cast<int>(k);
    }
    const int tape = friction_tape(
        f, "force", true, [](const FrictionTerms& t, TapeBuilder& b) { return first_three(t.force, b); });
    const int first = f.row->surface == FrictionSurface::ball  ? 3
                      : f.row->surface == FrictionSurface::pin ? 3 + f.row->axis - 'X'
                                                               : 2;
    for (int k = 0; k < slip_components(f.row->surface); ++k) {
      const int component = first + (f.row->surface == FrictionSurface::cylinder ? 3 : 1) * k;
      e.components[component] = tape;
      e.result[component] = k;
    }
    const bool active = e.name.active;
    const int rate =
        f.states == 0 ? -1 : friction_tape(f, "rate", true, [&](const FrictionTerms& t, TapeBuilder& b) {
          return active ? first_three(t.rate, b)
                        : first_three(std::vector<TapeTerm>(f.states, TapeTerm{&b, b.constant(0)}), b);
        });
    for (int k = 0; k < f.states; ++k) {
      model_.scalars[f.first_state + k].tape = rate;
      model_.scalars[f.first_state + k].result = k;
      e.values.push_back({model_.scalars[f.first_state + k].part, false, -1, 0, f.first_state + k});
    }
    if (!f.bristles && stick_slip_of(*f.statement).sliding < 1) {
      const StickSlip law = stick_slip_of(*f.statement);
      e.falls_beyond = law.velocity;
      e.falls_until = law.coefficient * law.velocity;
    }
    f.force = static_cast<int>(model_.expression_forces.size());
    model_.expression_forces.push_back(e);
  }
}

/// What results show of a FRICTION beside its force; while forces are read from the table of wrenches.
void Compiler::compile_shown_frictions() {
  constexpr std::string_view names[3] = {"MU", "VELOCITY", "REGIME"};
  for (const PlacedFriction& f : frictions_) {
    const int tape = friction_tape(f, "results", false, [](const FrictionTerms& t, TapeBuilder&) {
      return TapeValue{true, {t.mu.r, t.speed.r, t.regime.r}};
    });
    ExpressionForce& e = model_.expression_forces[f.force];
    for (int k = 0; k < 3; ++k)
      e.values.insert(e.values.begin() + k, {std::string(names[k]), k == 1, e.name.active ? tape : -1, k});
  }
}

/// FRICTION(id, jflag, comp, rm) beyond the wrench: 9 coefficient, 10 slip velocity, 11 regime, 12 on:
/// states.
TapeValue ModelResolver::friction_measure(int id, int number, TapeBuilder& builder) {
  for (const PlacedFriction& f : c_.frictions_) {
    if (f.statement->id != id) continue;
    if (!c_.is_active(*f.statement)) return TapeValue::scalar(builder.constant(0));
    if (number > 11 && number < 12 + f.states)
      return TapeValue::scalar(builder.state(f.first_state + number - 12));
    if (number > 11) break;
    const FrictionTerms t = FrictionBuilder(f, *this, builder, c_.friction_start(f)).build();
    const TapeTerm* terms[] = {&t.mu, &t.speed, &t.regime};
    return TapeValue::scalar(terms[number - 9]->r);
  }
  fail(ExitCode::input,
       "component {} of FRICTION/{}: 1 FM, 2 FX, 3 FY, 4 FZ, 5 TM, 6 TX, 7 TY, 8 TZ, 9 coefficient, 10 slip "
       "velocity, 11 regime, from 12 on creep or bristle deflection",
       number, id);
}

}  // namespace trammel
