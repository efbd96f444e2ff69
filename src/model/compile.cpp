#include "model/compile.h"

#include <cmath>

#include "base/text.h"
#include "model/compiler.h"
#include "model/units.h"

namespace trammel {

/// What expressions may ask of the model under construction.
class ModelResolver : public Resolver {
 public:
  explicit ModelResolver(Compiler& compiler) : c_(compiler) {}

  int marker(int id) override {
    if (const auto m = c_.marker_.find(id); m != c_.marker_.end()) return m->second;
    if (const auto m = c_.local_.find(id); m != c_.local_.end() && m->second.floating)
      fail(ExitCode::unsupported, "marker {} is floating; measures of floating markers are not supported yet",
           id);
    fail(ExitCode::input, "marker {} does not exist", id);
  }
  int spline(int id) override {
    if (const auto s = c_.spline_of_.find(id); s != c_.spline_of_.end()) return s->second;
    fail(ExitCode::input, "SPLINE/{} does not exist", id);
  }
  bool spline_is_surface(int index) override { return c_.model_.splines[index].z.size() > 1; }
  int angle_counter(Measure measure, int i, int j) override {
    const int axis = measure == Measure::ax ? 0 : measure == Measure::ay ? 1 : 2;
    const auto [at, added] = c_.angle_of_.try_emplace({axis, i, j}, c_.model_.angles);
    if (added) c_.model_.tape_angles.push_back({c_.model_.angles++, axis, i, j});
    return at->second;
  }
  int delay_buffer(int, const Tape& value) override {
    const int tape = static_cast<int>(c_.model_.tapes.size());
    c_.model_.tapes.push_back(value);
    c_.model_.tape_name.push_back("DELAY");
    c_.model_.tape_in_equations.push_back(0);
    c_.model_.delays.push_back(tape);
    return static_cast<int>(c_.model_.delays.size()) - 1;
  }
  std::optional<TapeValue> system_function(const SystemCall& call, TapeBuilder& builder) override;

 private:
  TapeValue scalar_read(const SystemCall& call, TapeBuilder& builder,
                        const std::unordered_map<int, int>& table, std::string_view statement, bool rate);
  TapeValue element_force(const SystemCall& call, TapeBuilder& builder, const std::string& statement);
  TapeValue net_force(const SystemCall& call, TapeBuilder& builder);
  using Wrench = std::array<Register, 6>;
  Wrench wrench_on(const Compiler::ForceEnds& end, bool on_j, TapeBuilder& builder);
  TapeValue component(const Wrench& w, int component, int rm, TapeBuilder& builder);

  Compiler& c_;
};

namespace {

struct ForceFunction {
  std::string_view function, statement;
};
constexpr ForceFunction force_functions[] = {
    {"JOINT", "JOINT"},   {"JPRIM", "JPRIM"},   {"MOTION", "MOTION"},
    {"SFORCE", "SFORCE"}, {"VFORCE", "VFORCE"}, {"VTORQ", "VTORQUE"},
    {"GFORCE", "GFORCE"}, {"BUSH", "BUSHING"},  {"SPDP", "SPRINGDAMPER"},
};

/// Component number of JOINT(id, jflag, comp, rm): 1 FM 2 FX 3 FY 4 FZ 5 TM 6 TX 7 TY 8 TZ.
constexpr std::string_view net_names[8] = {"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"};

}  // namespace

std::optional<TapeValue> ModelResolver::system_function(const SystemCall& call, TapeBuilder& builder) {
  if (call.name == "VARVAL") return scalar_read(call, builder, c_.scalar_of_variable_, "VARIABLE", false);
  if (call.name == "DIF") return scalar_read(call, builder, c_.scalar_of_diff_, "DIFF", false);
  if (call.name == "DIF1") return scalar_read(call, builder, c_.scalar_of_diff_, "DIFF", true);
  for (const ForceFunction& f : force_functions)
    if (call.name == f.function) return element_force(call, builder, std::string(f.statement));
  for (std::string_view name : net_names)
    if (call.name == name) return net_force(call, builder);
  if (call.name == "FXYZ" || call.name == "TXYZ") return net_force(call, builder);
  return std::nullopt;
}

TapeValue ModelResolver::scalar_read(const SystemCall& call, TapeBuilder& builder,
                                     const std::unordered_map<int, int>& table, std::string_view statement,
                                     bool rate) {
  const int id = call.integer(0);
  const auto at = table.find(id);
  if (at == table.end()) fail(ExitCode::input, "{}/{} does not exist", statement, id);
  return TapeValue::scalar(rate ? builder.rate(at->second) : builder.state(at->second));
}

/// The wrench on I of an element in global axes, or on J: −F, −T − (r_I − r_J) × F (0 for action-only).
ModelResolver::Wrench ModelResolver::wrench_on(const Compiler::ForceEnds& end, bool on_j,
                                               TapeBuilder& builder) {
  Wrench w;
  const int base =
      c_.requests_ ? c_.model_.scalar_count() + 12 * end.wrench : c_.force_output(end.wrench, end.name);
  for (int k = 0; k < 6; ++k) w[k] = builder.state(base + k);
  if (!on_j) return w;
  if (end.action_only) {
    w.fill(builder.constant(0));
    return w;
  }
  Register arm[3] = {builder.constant(0), builder.constant(0), builder.constant(0)};
  if (!end.floating_j) {  // a floating J stands on I
    const int i = marker(end.I), j = marker(end.J);
    const Measure d[3] = {Measure::dx, Measure::dy, Measure::dz};
    for (int k = 0; k < 3; ++k) arm[k] = builder.measure(d[k], i, j);
  }
  Wrench r;
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const Register moment = builder.sub(builder.mul(arm[a], w[b]), builder.mul(arm[b], w[a]));
    r[k] = builder.neg(w[k]);
    r[3 + k] = builder.sub(builder.neg(w[3 + k]), moment);
  }
  return r;
}

/// Component 1..8 of a wrench in the axes of marker rm (index; 0 global).
TapeValue ModelResolver::component(const Wrench& w, int component, int rm, TapeBuilder& builder) {
  const int half = component > 4 ? 3 : 0, axis = (component - 1) % 4 - 1;
  const auto term = [&](int k, Register factor) { return builder.mul(factor, w[half + k]); };
  if (axis < 0) {
    const Register sum =
        builder.add(builder.add(term(0, w[half]), term(1, w[half + 1])), term(2, w[half + 2]));
    return TapeValue::scalar(builder.sqrt(sum));
  }
  if (rm == 0) return TapeValue::scalar(w[half + axis]);
  const Measure unit[3] = {Measure::uvx, Measure::uvy, Measure::uvz};
  Register sum = builder.constant(0);
  for (int k = 0; k < 3; ++k) sum = builder.add(sum, term(k, builder.measure(unit[axis], rm, 0, 0, 0, k)));
  return TapeValue::scalar(sum);
}

TapeValue ModelResolver::element_force(const SystemCall& call, TapeBuilder& builder,
                                       const std::string& statement) {
  const int id = call.integer(0), side = call.integer(1), number = call.integer(2), rm = call.integer(3, 0);
  const Compiler::ForceEnds* end = nullptr;
  for (const Compiler::ForceEnds& e : c_.ends_)
    if (e.name.type == statement && e.name.id == id) end = &e;
  if (!end) fail(ExitCode::input, "{}/{} does not exist", statement, id);
  if (number < 1 || number > 8)
    fail(ExitCode::input, "component {} of {}/{}: 1 FM, 2 FX, 3 FY, 4 FZ, 5 TM, 6 TX, 7 TY, 8 TZ", number,
         statement, id);
  if (side != 0 && side != 1)
    fail(ExitCode::input, "the second argument is 0 (on I) or 1 (on J), not {}", side);
  return component(wrench_on(*end, side == 1, builder), number, rm == 0 ? 0 : marker(rm), builder);
}

/// FX(i, j, k) …: net wrench at marker i from elements between i and j; j = 0: from everything at i.
TapeValue ModelResolver::net_force(const SystemCall& call, TapeBuilder& builder) {
  const int i = call.integer(0), j = call.integer(1, 0), rm = call.integer(2, 0);
  marker(i);
  Wrench sum;
  sum.fill(builder.constant(0));
  for (const Compiler::ForceEnds& e : c_.ends_) {
    const bool on_i = e.I == i && (j == 0 || e.J == j || e.one_sided),
               on_j = e.J == i && (j == 0 || e.I == j);
    if (!on_i && !on_j) continue;
    const Wrench w = wrench_on(e, on_j && !on_i, builder);
    for (int k = 0; k < 6; ++k) sum[k] = builder.add(sum[k], w[k]);
  }
  const int axes = rm == 0 ? 0 : marker(rm);
  const auto number = [&](int c) { return component(sum, c, axes, builder).r[0]; };
  if (call.name == "FXYZ") return {true, {number(2), number(3), number(4)}};
  if (call.name == "TXYZ") return {true, {number(6), number(7), number(8)}};
  int c = 1;
  while (net_names[c - 1] != call.name) ++c;
  return component(sum, c, axes, builder);
}

ElementName Compiler::name_of(const Statement& s) const {
  return {std::string(s.spec->keyword), s.id, s.view_name, s.where};
}

int Compiler::marker_index(const Statement& s, std::string_view argument, int fallback) const {
  const auto id = s.id_of(argument);
  if (!id || *id == 0) return fallback;
  const auto at = marker_.find(*id);
  return at == marker_.end() ? fallback : at->second;
}

int Compiler::compile_tape(const Statement& s, const Argument& a, ResultKind kind, bool in_equations) {
  return compile_text(s, a.text, std::string(a.field->name), a.where, kind, in_equations);
}

int Compiler::compile_text(const Statement& s, const std::string& text, const std::string& what,
                           const Location& where, ResultKind kind, bool in_equations) {
  ModelResolver resolver(*this);
  try {
    Tape tape = compile_expression(text, resolver, kind);
    model_.tapes.push_back(std::move(tape));
    model_.tape_name.push_back(s.label() + " " + what);
    model_.tape_in_equations.push_back(in_equations);
    return static_cast<int>(model_.tapes.size()) - 1;
  } catch (const Failure& failure) {
    Diagnostic d{Severity::error, where, fmt::format("{}: {}: {}", s.label(), what, failure.what()),
                 failure.code()};
    diagnostics_.add(std::move(d));
    return -1;
  }
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
    model_.scalars.push_back(x);
  }
  return first;
}

/// Lists, before any expression is compiled, which wrench element each force statement will be and which
/// markers it joins: the tables are filled in the same order.
void Compiler::list_force_ends() {
  const auto list = [&](std::initializer_list<std::string_view> keywords, bool constraint) {
    for (const Statement& s : description_.statements) {
      bool mine = false;
      for (std::string_view k : keywords) mine = mine || s.spec->keyword == k;
      if (!mine) continue;
      ForceEnds e;
      e.wrench = static_cast<int>(force_output_.size());
      e.name = name_of(s);
      e.constraint = constraint;
      e.I = s.id_of("I").value_or(0);
      e.J = s.id_of("J").value_or(s.id_of("JFLOAT").value_or(0));
      e.floating_j = s.has("JFLOAT");
      e.action_only = s.has("ACTIONONLY");
      e.one_sided = s.spec->keyword == "GCON" || e.action_only;
      if (const auto joint = s.spec->keyword == "MOTION" ? s.id_of("JOINT") : std::nullopt)
        if (const Statement* j = description_.find("JOINT", *joint)) {
          e.I = j->id_of("I").value_or(0);
          e.J = j->id_of("J").value_or(0);
        }
      ends_.push_back(e);
      force_output_.push_back(-1);
      if (s.spec->keyword == "JOINT")  // rows of IC, ICTRAN, ICROT are elements of their own
        for (std::string_view ic : {"IC", "ICTRAN", "ICROT"})
          if (s.has(ic)) force_output_.push_back(-1);
    }
  };
  list({"JOINT", "JPRIM"}, true);
  list({"MOTION"}, true);
  list({"GCON"}, true);
  list({"SPRINGDAMPER", "BUSHING"}, false);
  list({"SFORCE", "VFORCE", "VTORQUE", "GFORCE"}, false);
}

Model Compiler::run() {
  model_.title = description_.title;
  const Units units = read_units(description_.find("UNITS"));
  model_.ucf = units.ucf;
  model_.units = units;
  if (const Statement* g = description_.find("ACCGRAV"))
    model_.gravity = {g->real("IGRAV", 0), g->real("JGRAV", 0), g->real("KGRAV", 0)};
  compile_bodies();
  compile_markers();
  finish_bodies();
  list_force_ends();
  compile_splines();
  compile_scalars();
  compile_joints();
  compile_motions();
  compile_general_constraints();
  compile_law_forces();
  compile_expression_forces();
  compile_scalar_tapes();
  const auto add = [&](WrenchSource source, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) model_.wrench_elements.push_back({source, static_cast<int>(k)});
  };
  add(WrenchSource::row_element, model_.row_elements.size());
  add(WrenchSource::general_constraint, model_.general_constraints.size());
  add(WrenchSource::law_force, model_.law_forces.size());
  add(WrenchSource::expression_force, model_.expression_forces.size());
  if (!diagnostics_.has_errors() && model_.wrench_elements.size() != force_output_.size())
    fail(ExitCode::internal, "force table: {} elements, {} expected", model_.wrench_elements.size(),
         force_output_.size());
  force_output_.resize(model_.wrench_elements.size(), -1);
  compile_requests();
  model_.force_output = force_output_;
  return std::move(model_);
}

Model compile(const Description& description, Diagnostics& diagnostics) {
  return Compiler(description, diagnostics).run();
}

}  // namespace trammel
