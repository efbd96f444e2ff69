// Joints, primitives, motions and general constraints.
#include "model/compiler.h"

namespace trammel {

namespace {

struct DrivenCoordinate {
  std::string_view name;
  ConstraintRow row;
};

constexpr DrivenCoordinate driven[] = {
    {"X", {RowKind::separation, 0, 0}},
    {"Y", {RowKind::separation, 0, 1}},
    {"Z", {RowKind::separation, 0, 2}},
    {"B1", {RowKind::b1}},
    {"B2", {RowKind::b2}},
    {"B3", {RowKind::b3}},
};

constexpr NamedRow slide{{RowKind::separation, 0, 2}, "DZ"};
constexpr NamedRow turn{{RowKind::angle_z}, "AZ"};

/// Calls take(argument, row) for each of IC, ICTRAN, ICROT that a JOINT has: where its freedom begins.
template <class Take>
void for_initial_values(const Statement& joint, Take take) {
  const struct {
    std::string_view argument;
    const NamedRow& row;
  } given[] = {
      {"IC", joint.has("REVOLUTE") ? turn : slide},
      {"ICTRAN", slide},
      {"ICROT", turn},
  };
  for (const auto& g : given)
    if (const Argument* a = joint.find(g.argument)) take(*a, g.row);
}

}  // namespace

/// Orientation of a marker in ground as the deck gives it.
Mat3d Compiler::given_axes(int marker) const {
  const Marker& m = model_.markers[marker];
  return m.body < 0 ? m.A : model_.initial.bodies[m.body].orientation * m.A;
}

/// Leaves the rows that parts of one plane need, numbers them, gives angle rows their counters, and enters
/// the element in the tables.
int Compiler::add_rows(ConstraintElement element) {
  keep_planar_rows(element);
  element.first_row = model_.multipliers;
  model_.multipliers += element.rows;
  for (int k = 0; k < element.rows; ++k) {
    if (row_has_angle(element.row[k]) && element.row[k].kind != RowKind::b2)
      element.angle[k] = model_.angles++;
    if (element.row[k].kind == RowKind::screw || element.row[k].kind == RowKind::rack) {
      // Measured from the assembled configuration: the row does not hold while that is being found.
      element.offset[k] = model_.offsets++;
      element.phases[k] = phase_all & ~phase_position;
    }
  }
  model_.constraint_elements.push_back(std::move(element));
  return static_cast<int>(model_.constraint_elements.size()) - 1;
}

void Compiler::compile_joints() {
  const StatementList joints = statements_.all({"JOINT", "JPRIM"});
  model_.constraint_elements.reserve(joints.size());
  for (const Statement& s : joints) {
    const JointType* type = find_joint_type(s.spec->keyword, s.chosen("type"));
    if (!type) {
      diagnostics_.unsupported(s.where, "{}: type {} is not supported yet", s.label(), s.chosen("type"));
      continue;
    }
    ConstraintElement e;
    e.name = name_of(s);
    e.I = marker_index(s, "I");
    e.J = marker_index(s, "J");
    e.rows = type->rows;
    for (int k = 0; k < type->rows; ++k) {
      e.row[k] = type->row[k].row;
      e.row_name[k] = type->row[k].name;
      if (e.row[k].kind == RowKind::screw) e.row[k].parameter = s.real("PITCH", 0);
      if (e.row[k].kind == RowKind::constant_velocity)
        e.row[k].parameter = dot(given_axes(e.I).column(2), given_axes(e.J).column(2)) < 0 ? 1 : 0;
      if (e.row[k].kind == RowKind::rack) e.row[k].parameter = 0.5 * s.real("PD", 0);
    }
    const int I = e.I, J = e.J;
    const int index = add_rows(std::move(e));
    if (type->freedoms && plane_of(I, J) && model_.constraint_elements[index].rows == 3)
      diagnostics_.error(s.where,
                         "{}: is {}, and its axis lies so that it holds parts fast in their plane; turn z of "
                         "I={} and J={} normal to the plane, or along it where the joint slides",
                         s.label(), s.chosen("type"), model_.markers[I].id, model_.markers[J].id);
    add_joint_initial_values(s, model_.constraint_elements[index]);
  }
}

/// IC, ICTRAN, ICROT: the joint's own coordinate and its rate. The rows hold in assembly, exactly, and in no
/// other phase.
void Compiler::add_joint_initial_values(const Statement& s, const ConstraintElement& joint) {
  const int I = joint.I, J = joint.J;
  for_initial_values(s, [&](const Argument& a, const NamedRow& row) {
    ConstraintElement e;
    e.name = name_of(s);
    e.I = I;
    e.J = J;
    e.rows = 1;
    e.row[0] = row.row;
    e.row_name[0] = row.name;
    e.target_rate[0] = a.numbers[0];  // the velocity comes first
    e.phases[0] = phase_given_velocity;
    if (a.numbers.size() > 1) {
      e.target[0] = a.numbers[1];
      e.phases[0] |= phase_given_position;
    }
    e.initial_only = true;
    add_rows(e);
  });
}

/// Which coordinate a MOTION drives; false after reporting an error.
bool Compiler::motion_coordinate(const Statement& s, ConstraintElement& e) {
  e.rows = 1;
  if (const auto joint = s.id_of("JOINT")) {
    const Statement* j = statements_.find("JOINT", *joint);
    if (!j) return false;
    const std::string_view type = j->chosen("type");
    const JointType* known = find_joint_type("JOINT", type);
    const bool rotation = s.has("ROTATION"), translation = s.has("TRANSLATION");
    const bool turns = known && known->turns(), slides = known && known->slides();
    if (!turns && !slides) {
      diagnostics_.error(s.where,
                         "{}: JOINT/{} is {}; a motion drives REVOLUTE, TRANSLATIONAL or CYLINDRICAL joints, "
                         "or markers by I=, J= and X, Y, Z, B1, B2, B3",
                         s.label(), *joint, type);
      return false;
    }
    if (turns && slides && rotation == translation) {
      diagnostics_.error(s.where, "{}: JOINT/{} is {}; say ROTATION or TRANSLATION", s.label(), *joint, type);
      return false;
    }
    if ((rotation && !turns) || (translation && !slides)) {
      diagnostics_.error(s.where, "{}: JOINT/{} is {} and has no {}", s.label(), *joint, type,
                         rotation ? "ROTATION" : "TRANSLATION");
      return false;
    }
    const NamedRow& row = turns && !translation ? turn : slide;
    e.row[0] = row.row;
    e.row_name[0] = row.name;
    e.I = marker_index(*j, "I");
    e.J = marker_index(*j, "J");
    for_initial_values(*j, [&](const Argument&, const NamedRow& given) {
      if (given.row.kind == row.row.kind)
        diagnostics_.error(
            s.where, "{}: JOINT/{} has an initial value on the same freedom; drop its IC, ICTRAN or ICROT",
            s.label(), *joint);
    });
    return true;
  }
  e.I = marker_index(s, "I");
  e.J = marker_index(s, "J");
  for (const DrivenCoordinate& d : driven)
    if (s.has(d.name)) {
      e.row[0] = d.row;
      e.row_name[0] = d.name;
      return true;
    }
  diagnostics_.error(s.where, "{}: name JOINT=, or I=, J= and one of X, Y, Z, B1, B2, B3", s.label());
  return false;
}

void Compiler::compile_motions() {
  for (const Statement& s : statements_.all("MOTION")) {
    ConstraintElement e;
    e.name = name_of(s);
    e.motion = true;
    if (!motion_coordinate(s, e)) continue;
    const Argument* f = s.find("FUNCTION");
    if (!f) continue;
    e.tape = compile_tape(s, *f, ResultKind::scalar, true);
    if (e.tape < 0) continue;
    // The states of a motion that is not in force rest.
    const auto scalar_tape = [&] {
      return e.name.active ? e.tape : compile_text(s, "0", "FUNCTION", f->where, ResultKind::scalar, true);
    };
    e.level = s.has("ACCELERATION") ? 2 : s.has("VELOCITY") ? 1 : 0;
    if (e.level > 0) {
      e.has_icdisp = s.has("ICDISP");
      e.icdisp = s.real("ICDISP", 0);
      e.icvel = s.real("ICVEL", 0);
      const bool displacement = e.has_icdisp, velocity = e.level == 1 || s.has("ICVEL");
      e.phases[0] = phase_acceleration | phase_dynamics | phase_static |
                    (displacement ? phase_position : 0u) | (velocity ? phase_velocity : 0u);
      e.scalar = model_.scalar_count();
      for (int k = 0; k < e.level; ++k) {
        Scalar x;
        x.name = e.name;
        x.kind = k + 1 < e.level && e.name.active ? ScalarKind::motion_rate : ScalarKind::differential;
        if (x.kind == ScalarKind::differential) x.tape = scalar_tape();
        add_scalar(x, {k == 0 ? s.real("ICDISP", 0) : s.real("ICVEL", 0)});
      }
    } else if (!model_.tapes[e.tape]
                    .only_time()) {  // the value of FUNCTION, which reads states, is an unknown
      e.scalar = model_.scalar_count();
      Scalar x;
      x.name = e.name;
      x.kind = ScalarKind::variable;
      x.tape = scalar_tape();
      add_scalar(x);
    }
    add_rows(e);
  }
}

void Compiler::compile_general_constraints() {
  for (const Statement& s : statements_.all("GCON")) {
    const Argument* f = s.find("FUNCTION");
    if (!f) continue;
    GeneralConstraint g;
    g.name = name_of(s);
    constraints_ = true;
    g.tape = compile_tape(s, *f, ResultKind::scalar, true);
    constraints_ = false;
    taken_in_.clear();
    taken_in_count_ = 0;
    if (g.tape < 0) continue;
    const Tape& tape = model_.tapes[g.tape];
    if (tape.max_level() > 2 || !tape.rates.empty())
      diagnostics_.error(
          f->where,
          "{}: a constraint may read positions and velocities, not accelerations or rates of states",
          s.label());
    for (int index : tape.states)
      if (model_.scalars[index].kind == ScalarKind::force_output)
        diagnostics_.error(f->where, "{}: a constraint may not read forces", s.label());
      else if (model_.scalars[index].kind == ScalarKind::modal_output)
        diagnostics_.error(
            f->where, "{}: a constraint may not read modal coordinates; hold a marker at a node", s.label());
    g.pfaffian = tape.max_level() == 2;
    if (g.pfaffian) g.phases = phase_all & ~(phase_position | phase_static);
    g.reporting_marker = marker_index(s, "I", 0);
    g.row = model_.multipliers++;
    model_.general_constraints.push_back(g);
  }
}

/// Warns where a general constraint reads states whose rates are not known before accelerations and forces
/// are: its own rate needs them.
void Compiler::warn_of_unknown_rates() {
  const std::vector<char> known = model_.explicit_scalars();
  for (const GeneralConstraint& g : model_.general_constraints)
    for (int index : model_.tapes[g.tape].states)
      if (!known[index])
        diagnostics_.warning(
            g.name.where,
            "{}: reads {}, whose rate depends on forces or accelerations or is given implicitly; initial "
            "velocities take it as the guess in IC, so the first output may not satisfy the rate of this "
            "equation",
            g.name.label(), model_.scalars[index].name.label());
}

}  // namespace trammel
