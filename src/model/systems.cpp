// Scalar equations: VARIABLE, DIFF, linear systems.
#include "element/system_statements.h"
#include "model/resolver.h"

namespace trammel {

/// The ARRAYs and MATRIXes that a statement of a linear system names, as SystemStatements read them.
class Compiler::SystemValues {
 public:
  SystemValues(Compiler& compiler, const Statement& s)
      : c_(compiler),
        s_(s),
        x(c_.array_of(s, "X", ArrayKind::states)),
        y(c_.array_of(s, "Y", ArrayKind::outputs)),
        u(c_.array_of(s, "U", ArrayKind::inputs)) {
    good = (x || !s.has("X")) && (y || !s.has("Y")) && (u || !s.has("U"));
  }

  int states(int n) { return size_of(x, n); }
  int outputs(int n) { return size_of(y, n); }
  int inputs() const { return u ? u->size : 0; }
  int rows(std::string_view argument) const {
    const MatrixData* m = c_.find_matrix(s_, argument);
    return m ? m->rows : 0;
  }
  std::vector<LinearTerms> matrix(std::string_view argument, int rows, int columns, const std::string& why) {
    std::vector<LinearTerms> terms(rows);
    const MatrixData* m = c_.matrix_of(s_, argument, rows, columns, why);
    good = good && (m || !s_.has(argument));
    for (int r = 0; m && r < rows; ++r)
      for (int k = 0; k < columns; ++k)
        if ((*m)(r, k) != 0) terms[r].emplace_back(k, (*m)(r, k));
    return terms;
  }
  std::vector<double> array(std::string_view argument, int size, const std::string& why) {
    const ArrayData* a = c_.array_of(s_, argument, ArrayKind::numbers);
    good = good && (a || !s_.has(argument));
    if (!a || a->size == size) return a ? a->numbers : std::vector<double>();
    c_.diagnostics_.error(s_.find(argument)->where, "{}: {}=ARRAY/{} has {} numbers; it must have {}, {}",
                          s_.label(), argument, *s_.id_of(argument), a->size, size, why);
    return {};
  }
  void size_must_be(std::string_view argument, int size, int wanted, std::string_view why) {
    if (size == wanted || !s_.has(argument)) return;
    good = false;
    c_.diagnostics_.error(s_.find(argument)->where, "{}: {}=ARRAY/{} has {} entries; it must have {}, {}",
                          s_.label(), argument, *s_.id_of(argument), size, wanted, why);
  }
  LinearSystem none() {
    good = false;
    return {};
  }

 private:
  /// An X or Y without SIZE has as many entries as the system that names it.
  static int size_of(ArrayData* a, int n) {
    if (a && a->size == 0) a->size = n;
    return a ? a->size : 0;
  }

  Compiler& c_;
  const Statement& s_;

 public:
  ArrayData *x, *y;
  const ArrayData* u;
  bool good = false;  ///< no mistake so far
};

/// Reserves the unknowns of VARIABLE, DIFF and linear systems, so that expressions may refer forward; the
/// tapes follow.
void Compiler::compile_scalars() {
  std::vector<std::string_view> keywords = keywords_of(SystemStatements());
  keywords.insert(keywords.end(), {"VARIABLE", "DIFF"});
  for (const Statement& s : statements_.all(keywords)) {
    SystemStatements::for_each([&]<class System>(System) {
      if (System::spec.keyword != s.spec->keyword) return;
      SystemValues arrays(*this, s);
      if (!arrays.good) return;
      LinearSystem rows = System::read(s, arrays);
      if (arrays.good) add_system(s, std::move(rows), arrays);
    });
    const bool variable = s.spec->keyword == "VARIABLE";
    if (!variable && s.spec->keyword != "DIFF") continue;
    const int index = model_.scalar_count();
    (variable ? scalar_of_variable_ : scalar_of_diff_)[s.id] = index;
    Scalar x;
    x.name = name_of(s);
    x.kind = variable                             ? ScalarKind::variable
             : s.has("IMPLICIT") && x.name.active ? ScalarKind::implicit
                                                  : ScalarKind::differential;
    x.static_hold = s.has("STATIC_HOLD");
    InitialScalar initial;
    if (const Argument* ic = s.find("IC")) {
      initial.value = ic->numbers[0];
      initial.given = true;
      if (ic->numbers.size() > 1) initial.rate = ic->numbers[1];
    }
    add_scalar(x, initial);
    pending_scalars_.emplace_back(index, &s);
  }
  note_idle_arrays();
}

/// Reports ARRAYs of states and outputs that no system fills: nothing can be read from them.
void Compiler::note_idle_arrays() {
  for (const Statement& s : statements_.all("ARRAY")) {
    if (s.has("SIZE")) continue;
    const ArrayData& a = arrays_.at(s.id);
    if ((a.kind == ArrayKind::states || a.kind == ArrayKind::outputs) && a.system < 0)
      diagnostics_.note(s.where,
                        "{}: belongs to no LSE, STRUCTURE, TFSISO or GSE, and has no SIZE and no entries",
                        s.label());
  }
}

/// An IMPLICIT equation whose rate no equation reads is solved for the state itself, as an algebraic unknown.
void Compiler::find_algebraic_states() {
  std::vector<char> rate_is_read(model_.scalars.size());
  for (const Tape& tape : model_.tapes)
    for (int k : tape.rates) rate_is_read[k] = 1;
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    if (model_.scalars[k].kind == ScalarKind::implicit && !rate_is_read[k])
      model_.scalars[k].kind = ScalarKind::algebraic;
}

void Compiler::compile_scalar_tapes() {
  for (const auto& [index, s] : pending_scalars_)
    if (const Argument* a = s->find("FUNCTION")) {
      const bool active = model_.scalars[index].name.active;
      const int tape = active ? compile_tape(*s, *a, ResultKind::scalar, true)
                              : compile_text(*s, "0", "FUNCTION", a->where, ResultKind::scalar, true);
      model_.scalars[index].tape = tape;
    }
  ModelResolver resolver(*this);
  for (const PlacedSystem& system : systems_) {
    if (system.rows.by_code && system.name.active) {
      compile_user_system(system);
      continue;
    }
    const auto add = [&](const LinearRow& row, int scalar, const std::string& text) {
      TapeBuilder builder;
      const Register value = system_row(system, row, resolver, builder);
      Scalar& x = model_.scalars[scalar];
      x.tape = static_cast<int>(model_.tapes.size());
      model_.tapes.push_back(builder.finish(TapeValue::scalar(value), text));
      model_.tape_name.push_back(x.name.label() + " " + x.part);
      model_.tape_in_equations.push_back(1);
    };
    for (std::size_t k = 0; k < system.rows.rate.size(); ++k)
      add(system.rows.rate[k], system.first_state + static_cast<int>(k),
          fmt::format("row {} of {}", k + 1,
                      system.rows.rate[k].balance ? "M q'' + C q' + K q - B u" : "A x + B u"));
    for (std::size_t k = 0; k < system.rows.output.size(); ++k)
      add(system.rows.output[k], system.first_output + static_cast<int>(k),
          fmt::format("row {} of C x + D u", k + 1));
  }
  find_algebraic_states();
}

/// Σ c x + Σ d u + Σ m x' of a row: one linear sum, as far as the inputs are unknowns (in constraints they
/// are the expressions of VARIABLEs).
Register Compiler::system_row(const PlacedSystem& system, const LinearRow& row, ModelResolver& resolver,
                              TapeBuilder& builder) {
  std::vector<LinearTerm> terms;
  terms.reserve(row.states.size() + row.inputs.size());
  for (const auto& [k, c] : row.states) terms.push_back({c, system.first_state + k});
  Register expressions = builder.constant(0);
  for (const auto& [k, d] : row.inputs) {
    const Register u = resolver.variable(system.inputs[k], builder).r[0];
    if (builder.is_state(u))
      terms.push_back({d, builder.state_index(u)});
    else
      expressions = builder.add(expressions, builder.mul(builder.constant(d), u));
  }
  Register sum = builder.add(builder.linear(terms), expressions);
  for (const auto& [k, m] : row.rates)
    sum = builder.add(sum, builder.mul(builder.constant(m), builder.rate(system.first_state + k)));
  return sum;
}

namespace {

/// How an ARRAY of a kind is written.
std::string_view form_of(ArrayKind kind) {
  switch (kind) {
    case ArrayKind::numbers:
      return "NUMBERS=...";
    case ArrayKind::states:
      return "X, SIZE=...";
    case ArrayKind::outputs:
      return "Y, SIZE=...";
    case ArrayKind::inputs:
      return "U, VARIABLES=...";
  }
  return "";
}

}  // namespace

bool Compiler::has_system(int array) const {
  for (const Statement& s : statements_.all(keywords_of(SystemStatements())))
    if (s.id_of("X") == array || s.id_of("Y") == array) return true;
  return false;
}

ArrayData* Compiler::array_of(const Statement& s, std::string_view argument, ArrayKind kind) {
  const auto id = s.id_of(argument);
  const auto at = id ? arrays_.find(*id) : arrays_.end();
  if (at == arrays_.end()) return nullptr;
  ArrayData& a = at->second;
  if (a.kind != kind) {
    diagnostics_.error(s.find(argument)->where, "{}: {}=ARRAY/{} is of another kind; it must be ARRAY/{}, {}",
                       s.label(), argument, *id, *id, form_of(kind));
    return nullptr;
  }
  if (a.system >= 0) {
    diagnostics_.error(s.find(argument)->where,
                       "{}: {}=ARRAY/{} belongs to {} already; each element needs its own", s.label(),
                       argument, *id, systems_[a.system].name.label());
    return nullptr;
  }
  return &a;
}

const MatrixData* Compiler::find_matrix(const Statement& s, std::string_view argument) const {
  const auto id = s.id_of(argument);
  const auto at = id ? matrices_.find(*id) : matrices_.end();
  return at == matrices_.end() || at->second.values.empty() ? nullptr : &at->second;
}

const MatrixData* Compiler::matrix_of(const Statement& s, std::string_view argument, int rows, int columns,
                                      const std::string& why) {
  const MatrixData* m = find_matrix(s, argument);
  if (!m || (m->rows == rows && m->columns == columns)) return m;
  diagnostics_.error(s.find(argument)->where, "{}: {}=MATRIX/{} is {} x {}; it must be {} x {}, {}",
                     s.label(), argument, *s.id_of(argument), m->rows, m->columns, rows, columns, why);
  return nullptr;
}

void Compiler::add_system(const Statement& s, LinearSystem rows, const SystemValues& arrays) {
  PlacedSystem system;
  system.name = name_of(s);
  if (arrays.u) system.inputs = arrays.u->variables;
  if (!system.name.active)  // states rest, outputs are 0
    for (auto* list : {&rows.rate, &rows.output})
      for (LinearRow& row : *list) row = {};
  const auto add = [&](ScalarKind kind, const std::string& part, double initial) {
    Scalar v;
    v.name = system.name;
    v.part = part;
    v.kind = kind;
    v.static_hold = s.has("STATIC_HOLD") && kind != ScalarKind::variable;  // states are held, not outputs
    add_scalar(v, {initial});
  };
  system.statement = &s;
  system.first_state = model_.scalar_count();
  if (arrays.x) {
    arrays.x->system = static_cast<int>(systems_.size());
    arrays.x->first_scalar = system.first_state;
  }
  for (std::size_t k = 0; k < rows.rate.size(); ++k)
    add(rows.rate[k].balance ? ScalarKind::implicit : ScalarKind::differential, fmt::format("X{}", k + 1),
        rows.initial.empty() ? 0.0 : rows.initial[k]);
  system.first_output = model_.scalar_count();
  if (arrays.y) {
    arrays.y->system = static_cast<int>(systems_.size());
    arrays.y->first_scalar = system.first_output;
    for (std::size_t k = 0; k < rows.output.size(); ++k)
      add(ScalarKind::variable, fmt::format("Y{}", k + 1), 0.0);
  }
  system.rows = std::move(rows);
  systems_.push_back(std::move(system));
}

}  // namespace trammel
