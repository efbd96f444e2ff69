#include "model/compile.h"

#include <array>
#include <cmath>
#include <span>

#include "base/text.h"
#include "dataset/permissive.h"
#include "element/coupling_statements.h"
#include "model/joint_friction.h"
#include "model/resolver.h"
#include "model/units.h"

namespace trammel {

ElementName Compiler::name_of(const Statement& s) const {
  return {std::string(s.spec->keyword), s.id, s.view_name, s.where, is_active(s)};
}

int Compiler::marker_index(const Statement& s, std::string_view argument, int fallback) const {
  return marker_at(s.id_of(argument).value_or(0), fallback);
}

int Compiler::marker_at(int id, int fallback) const {
  const LocalMarker* marker = local_.find(id);
  return marker && marker->index >= 0 ? marker->index : fallback;
}

int Compiler::compile_tape(const Statement& s, const Argument& a, ResultKind kind, bool in_equations) {
  if (a.field->user_call && is_user_call(a.text)) return user_tapes(s, a, in_equations).front();
  return compile_text(s, a.text, std::string(a.field->name), a.where, kind, in_equations);
}

int Compiler::compile_text(const Statement& s, const std::string& text, const std::string& what,
                           const Location& where, ResultKind kind, bool in_equations) {
  ModelResolver resolver(*this);
  return compile_with(resolver, s, text, what, where, kind, in_equations);
}

int Compiler::add_tape(Tape tape, const Statement& s, std::string_view what, bool in_equations) {
  model_.tapes.push_back(std::move(tape));
  model_.tape_name.push_back(fmt::format("{} {}", s.label(), what));
  model_.tape_in_equations.push_back(in_equations);
  return static_cast<int>(model_.tapes.size()) - 1;
}

int Compiler::report_no_tape(Diagnostic error) {
  if (follows_)
    following_.push_back(std::move(error));
  else
    diagnostics_.add(std::move(error));
  return -1;
}

int Compiler::compile_with(Resolver& resolver, const Statement& s, const std::string& text,
                           const std::string& what, const Location& where, ResultKind kind,
                           bool in_equations) {
  follows_ = false;
  try {
    return add_tape(compile_expression(text, resolver, kind), s, what, in_equations);
  } catch (const Failure& failure) {
    return report_no_tape(
        {Severity::error, where, fmt::format("{}: {}: {}", s.label(), what, failure.what()), failure.code()});
  }
}

void Compiler::not_there(std::string_view statement, int id) {
  // Where further errors are dropped, mistakes that follow from others need not be looked for.
  const bool absent = !diagnostics_.full() && description_.find_absent(statement, id) != nullptr;
  follows_ = absent || (!diagnostics_.full() && statements_.find(statement, id) != nullptr);
  const std::string label =
      statement == "MARKER" ? fmt::format("marker {}", id) : fmt::format("{}/{}", statement, id);
  fail(ExitCode::input, "{} {}", label,
       !follows_ ? "does not exist"
       : absent  ? "is left out"
                 : "is wrong itself");
}

int Compiler::force_output(int wrench_element, const ElementName& name) {
  int& first = force_output_[wrench_element];
  if (first >= 0) return first;
  first = model_.scalar_count();
  for (int k = 0; k < 6; ++k) {
    Scalar x;
    x.name = name;
    x.kind = ScalarKind::force_output;
    x.element = wrench_element;
    x.component = k;
    add_scalar(x);
  }
  return first;
}

const std::vector<Compiler::ConstraintKind>& Compiler::constraint_kinds() {
  static const std::vector<ConstraintKind> kinds = {
      {{"JOINT", "JPRIM"}, &Compiler::compile_joints},
      {{"MOTION"}, &Compiler::compile_motions},
      {{"PTCV", "CVCV"}, &Compiler::compile_curve_constraints},
      {{"GCON"}, &Compiler::compile_general_constraints},
      {keywords_of(CouplingStatements()), &Compiler::compile_couplings, false},
  };
  return kinds;
}

/// Lists, before any expression is compiled, which wrench element each force statement will be and which
/// markers it joins: the tables are filled in the same order.
void Compiler::list_force_ends() {
  const auto list = [&](std::span<const std::string_view> keywords, bool constraint, bool has_ends) {
    for (const Statement& s : statements_.all(keywords)) {
      ForceEnds e;
      e.wrench = static_cast<int>(force_output_.size());
      e.statement = &s;
      e.constraint = constraint;
      e.I = s.id_of("I").value_or(s.id_of("IFLOAT").value_or(0));
      e.floating_i = s.has("IFLOAT");
      e.J = s.id_of("J").value_or(s.id_of("JFLOAT").value_or(0));
      e.floating_j = s.has("JFLOAT");
      e.action_only = s.has("ACTIONONLY");
      e.one_sided = s.spec->keyword == "GCON";
      if (s.spec->keyword == "MFORCE") e.I = e.J = -1;  // no marker is its own
      const bool in_joint = s.spec->keyword == "MOTION" || s.spec->keyword == "FRICTION";
      if (const auto joint = in_joint ? s.id_of("JOINT") : std::nullopt)
        if (const Statement* j = statements_.find("JOINT", *joint)) {
          e.I = j->id_of("I").value_or(0);
          e.J = j->id_of("J").value_or(0);
        }
      if (has_ends) ends_.push_back(e);
      force_output_.push_back(-1);
      if (s.spec->keyword == "JOINT")  // rows of IC, ICTRAN, ICROT are elements of their own
        for (std::string_view ic : {"IC", "ICTRAN", "ICROT"})
          if (s.has(ic)) force_output_.push_back(-1);
      if (s.spec->keyword == "PTCV" && (s.has("DISP") || s.has("VEL"))) force_output_.push_back(-1);
    }
  };
  for (const ConstraintKind& kind : constraint_kinds()) list(kind.keywords, true, kind.has_ends);
  list(keywords_of(ForceStatements()), false, true);
  list(expression_force_keywords, false, true);
  list(std::array<std::string_view, 1>{"FRICTION"}, false, true);
  for (const Statement& s : statements_.all(keywords_of(MultiPointStatements())))
    MultiPointStatements::for_each([&]<class Force>(Force) {
      if (Force::spec.keyword != s.spec->keyword) return;
      Force::pairs(s, [&](int I, int J) {
        ForceEnds e;
        e.wrench = static_cast<int>(force_output_.size());
        e.statement = &s;
        e.I = I, e.J = J;
        ends_.push_back(e);
        force_output_.push_back(-1);
      });
    });
  list_contact_ends();
}

void Compiler::list_contact_ends() {
  for (const Statement& s : statements_.all("CONTACT")) {
    if (is_contact_group(s)) continue;
    ForceEnds e;
    e.wrench = static_cast<int>(force_output_.size());
    e.statement = &s;
    e.I = e.J = -1;
    e.table_I = contact_marker(s, "IGEOM");
    e.table_J = contact_marker(s, "JGEOM");
    ends_.push_back(e);
    force_output_.push_back(-1);
  }
}

/// What requests and sensors read of the wrench table follows the scalars, of which theirs are the last.
void Compiler::number_wrenches() {
  for (Tape& tape : model_.tapes)
    for (int& state : tape.states)
      if (state >= first_wrench_number) state += model_.scalar_count() - first_wrench_number;
}

Model Compiler::run() {
  model_.title = description_.title;
  const Statement* given = statements_.find("UNITS");
  if (!given && !description_.find_absent("UNITS"))
    diagnostics_.warning(
        {description_.file, 0},
        "no UNITS: all numbers are taken to be in consistent units, force = mass length/time^2; "
        "name them by UNITS/FORCE=..., MASS=..., LENGTH=..., TIME=...");
  const Units units = read_units(given);
  model_.ucf = units.ucf;
  model_.units = units;
  if (const Statement* g = statements_.find("ACCGRAV"))
    model_.gravity = {g->real("IGRAV", 0), g->real("JGRAV", 0), g->real("KGRAV", 0)};
  compile_splines();  // CRATIO may read them
  compile_bodies();
  compile_flexible_bodies();
  compile_markers();
  finish_bodies();
  list_force_ends();
  compile_arrays();
  compile_matrices();
  compile_curves();
  compile_scalars();
  reserve_sensor_values();
  reserve_friction_states();
  reserve_contact_states();
  for (const ConstraintKind& kind : constraint_kinds()) (this->*kind.compile)();
  compile_connectors();
  compile_expression_forces();
  compile_frictions();
  compile_multi_point_forces();
  compile_contacts();
  compile_scalar_tapes();
  warn_of_unknown_rates();
  check_motion_functions();
  std::size_t pairs = 0;
  model_.for_wrench_tables([&](const auto& table) {
    for (const auto& e : table) pairs += e.pairs();
  });
  if (!diagnostics_.has_errors() && pairs != force_output_.size())
    fail(ExitCode::internal, "force table: {} elements, {} expected", pairs, force_output_.size());
  force_output_.resize(pairs, -1);
  note_idle_routines();
  compile_requests();
  compile_sensors();
  number_wrenches();
  if (!diagnostics_.has_errors())
    for (const Diagnostic& d : following_) diagnostics_.add(d);
  leave_out_inactive();
  mark_shown_expressions();
  model_.force_output = force_output_;
  return std::move(model_);
}

std::set<CountedAngle> counted_angles(const Model& model) {
  std::set<CountedAngle> out;
  for (const AngleCounter& c : model.tape_angles)
    out.insert({c.axis, model.markers[c.I].id, model.markers[c.J].id});
  return out;
}

Model compile(const Description& description, Diagnostics& diagnostics,
              const std::set<CountedAngle>& counted) {
  const std::optional<Description> with_friction = with_joint_frictions(description, diagnostics);
  Model model = Compiler(with_friction ? *with_friction : description, diagnostics).run();
  const std::set<CountedAngle> own = counted_angles(model);
  const auto place = [&](int id) { return std::ranges::find(model.markers, id, &Marker::id); };
  for (const CountedAngle& angle : counted) {
    const auto [axis, i, j] = angle;
    const auto I = place(i), J = place(j);
    if (own.contains(angle) || I == model.markers.end() || J == model.markers.end()) continue;
    model.tape_angles.push_back({model.angles++, axis, static_cast<int>(I - model.markers.begin()),
                                 static_cast<int>(J - model.markers.begin())});
  }
  return model;
}

}  // namespace trammel
