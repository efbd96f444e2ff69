// Scalar equations: VARIABLE, DIFF, LSE, STRUCTURE, TFSISO.
#include "model/resolver.h"

namespace trammel {

/// Reserves the unknowns of VARIABLE, DIFF, LSE, STRUCTURE and TFSISO, so that expressions may refer forward;
/// the tapes follow.
void Compiler::compile_scalars() {
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword == "LSE") compile_lse(s);
    if (s.spec->keyword == "STRUCTURE") compile_structure(s);
    if (s.spec->keyword == "TFSISO") compile_tfsiso(s);
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
      if (ic->numbers.size() > 1) initial.rate = ic->numbers[1];
    }
    if (s.has("DYNAMIC_HOLD"))
      diagnostics_.unsupported(s.where, "{}: DYNAMIC_HOLD is not supported yet", s.label());
    add_scalar(x, initial);
    pending_scalars_.emplace_back(index, &s);
  }
  note_idle_arrays();
}

/// States and outputs of no system: nothing can be read from them.
void Compiler::note_idle_arrays() {
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword != "ARRAY" || s.has("SIZE")) continue;
    const ArrayData& a = arrays_.at(s.id);
    if ((a.kind == ArrayKind::states || a.kind == ArrayKind::outputs) && a.system < 0)
      diagnostics_.note(s.where, "{}: belongs to no LSE, STRUCTURE or TFSISO, and has no SIZE and no entries",
                        s.label());
  }
}

/// An IMPLICIT equation whose rate no equation reads holds the state itself: it is solved for that.
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
  for (const LinearSystem& system : systems_) {
    const auto add = [&](const LinearSystem::Row& row, int scalar, const std::string& text) {
      TapeBuilder builder;
      const Register value = system_row(system, row, resolver, builder);
      Scalar& x = model_.scalars[scalar];
      x.tape = static_cast<int>(model_.tapes.size());
      model_.tapes.push_back(builder.finish(TapeValue::scalar(value), text));
      model_.tape_name.push_back(x.name.label() + " " + x.part);
      model_.tape_in_equations.push_back(1);
    };
    for (std::size_t k = 0; k < system.rate.size(); ++k)
      add(system.rate[k], system.first_state + static_cast<int>(k),
          fmt::format("row {} of {}", k + 1,
                      system.rate[k].balance ? "M q'' + C q' + K q - B u" : "A x + B u"));
    for (std::size_t k = 0; k < system.output.size(); ++k)
      add(system.output[k], system.first_output + static_cast<int>(k),
          fmt::format("row {} of C x + D u", k + 1));
  }
  find_algebraic_states();
}

/// Σ c x + Σ d u + Σ m x' of a row: one linear sum, as far as the inputs are unknowns (in constraints they
/// are the expressions of VARIABLEs).
Register Compiler::system_row(const LinearSystem& system, const LinearSystem::Row& row,
                              ModelResolver& resolver, TapeBuilder& builder) {
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

/// Row r of a matrix (none: zeros) without its zeros.
std::vector<std::pair<int, double>> nonzeros(const MatrixData* m, int r) {
  std::vector<std::pair<int, double>> row;
  if (m) row.reserve(m->columns);
  for (int k = 0; m && k < m->columns; ++k)
    if ((*m)(r, k) != 0) row.emplace_back(k, (*m)(r, k));
  row.shrink_to_fit();
  return row;
}

}  // namespace

bool Compiler::has_system(int array) const {
  for (const Statement& s : description_.statements) {
    const std::string_view keyword = s.spec->keyword;
    if (keyword != "LSE" && keyword != "STRUCTURE" && keyword != "TFSISO") continue;
    if (s.id_of("X") == array || s.id_of("Y") == array) return true;
  }
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

namespace {

/// An X or Y without SIZE has as many entries as the system that names it.
void take_size(ArrayData* a, int entries) {
  if (a && a->size == 0) a->size = entries;
}
int rows_of(const MatrixData* m) {
  return m ? m->rows : 0;
}

}  // namespace

void Compiler::compile_lse(const Statement& s) {
  ArrayData *x = array_of(s, "X", ArrayKind::states), *y = array_of(s, "Y", ArrayKind::outputs);
  const ArrayData *u = array_of(s, "U", ArrayKind::inputs), *ic = array_of(s, "IC", ArrayKind::numbers);
  if (!x || (s.has("Y") && !y) || (s.has("U") && !u) || (s.has("IC") && !ic)) return;
  take_size(x, rows_of(find_matrix(s, "A")));
  take_size(y, rows_of(find_matrix(s, s.has("C") ? "C" : "D")));
  const int n = x->size, m = u ? u->size : 0, p = y ? y->size : 0;
  std::string why = fmt::format("as X has {}", n);
  if (u) why += fmt::format(", U {}", m);
  if (y) why += fmt::format(", Y {}", p);
  if (ic && ic->size != n)
    diagnostics_.error(s.find("IC")->where, "{}: IC=ARRAY/{} has {} numbers; it must have {}, as X has",
                       s.label(), *s.id_of("IC"), ic->size, n);
  const MatrixData *a = matrix_of(s, "A", n, n, why), *b = matrix_of(s, "B", n, m, why),
                   *c = matrix_of(s, "C", p, n, why), *d = matrix_of(s, "D", p, m, why);
  if ((s.has("A") && !a) || (s.has("B") && !b) || (s.has("C") && !c) || (s.has("D") && !d)) return;
  LinearSystem system;
  if (u) system.inputs = u->variables;
  system.rate.resize(n);
  system.output.resize(p);
  for (int r = 0; r < n; ++r) system.rate[r] = {nonzeros(a, r), nonzeros(b, r)};
  for (int r = 0; r < p; ++r) system.output[r] = {nonzeros(c, r), nonzeros(d, r)};
  add_system(s, std::move(system), *x, y, ic && ic->size == n ? ic : nullptr);
}

void Compiler::compile_structure(const Statement& s) {
  ArrayData* x = array_of(s, "X", ArrayKind::states);
  const ArrayData *u = array_of(s, "U", ArrayKind::inputs), *ic = array_of(s, "IC", ArrayKind::numbers);
  const MatrixData* masses = find_matrix(s, "M");
  if (!x || !masses || (s.has("U") && !u) || (s.has("IC") && !ic)) return;
  take_size(x, 2 * masses->rows);
  const int n = x->size / 2, inputs = u ? u->size : 0;
  std::string why = fmt::format("as X has {}, q and q'", x->size);
  if (u) why += fmt::format(", U {}", inputs);
  if (ic && ic->size != 2 * n)
    diagnostics_.error(s.find("IC")->where, "{}: IC=ARRAY/{} has {} numbers; it must have {}, as X has",
                       s.label(), *s.id_of("IC"), ic->size, 2 * n);
  const MatrixData *m = matrix_of(s, "M", n, n, why), *c = matrix_of(s, "C", n, n, why),
                   *k = matrix_of(s, "K", n, n, why), *b = matrix_of(s, "B", n, inputs, why);
  if (!m || (s.has("C") && !c) || (s.has("K") && !k) || (s.has("B") && !b)) return;
  LinearSystem system;
  if (u) system.inputs = u->variables;
  system.rate.resize(2 * n);
  for (int r = 0; r < n; ++r) {
    system.rate[r].states.emplace_back(n + r, 1.0);
    LinearSystem::Row& row = system.rate[n + r];
    row.balance = true;
    row.states = nonzeros(k, r);
    for (const auto& [j, value] : nonzeros(c, r)) row.states.emplace_back(n + j, value);
    for (const auto& [j, value] : nonzeros(b, r)) row.inputs.emplace_back(j, -value);
    for (const auto& [j, value] : nonzeros(m, r)) row.rates.emplace_back(n + j, value);
  }
  add_system(s, std::move(system), *x, nullptr, ic && ic->size == 2 * n ? ic : nullptr);
}

/// Controller form: x₁' = x₂, …, xₙ' = (u − Σ a_k x_{k+1})/aₙ,  y = Σ (b_k − bₙ a_k/aₙ) x_{k+1} + bₙ/aₙ u.
void Compiler::compile_tfsiso(const Statement& s) {
  ArrayData *x = array_of(s, "X", ArrayKind::states), *y = array_of(s, "Y", ArrayKind::outputs);
  const ArrayData* u = array_of(s, "U", ArrayKind::inputs);
  const Argument *numerator = s.find("NUMERATOR"), *denominator = s.find("DENOMINATOR");
  if (!x || !y || !u || !numerator || !denominator) return;
  const std::vector<double>& a = denominator->numbers;
  const int n = static_cast<int>(a.size()) - 1;
  take_size(x, n);
  take_size(y, 1);
  const auto size = [&](std::string_view argument, int found, int wanted, std::string_view why) {
    if (found == wanted) return true;
    diagnostics_.error(s.find(argument)->where, "{}: {}=ARRAY/{} has {} entries; it must have {}, {}",
                       s.label(), argument, *s.id_of(argument), found, wanted, why);
    return false;
  };
  bool good = size("X", x->size, n, "the degree of DENOMINATOR");
  good = size("U", u->size, 1, "the one input") && good;  // an error for every mistake
  good = size("Y", y->size, 1, "the one output") && good;
  if (!good || a.back() == 0) return;
  std::vector<double> b = numerator->numbers;
  b.resize(a.size());
  LinearSystem system;
  system.inputs = u->variables;
  system.rate.resize(n);
  system.output.resize(1);
  for (int k = 0; k + 1 < n; ++k) system.rate[k].states.emplace_back(k + 1, 1.0);
  for (int k = 0; k < n; ++k) {
    if (a[k] != 0) system.rate[n - 1].states.emplace_back(k, -a[k] / a[n]);
    const double c = b[k] - b[n] * a[k] / a[n];
    if (c != 0) system.output[0].states.emplace_back(k, c);
  }
  system.rate[n - 1].inputs.emplace_back(0, 1 / a[n]);
  if (b[n] != 0) system.output[0].inputs.emplace_back(0, b[n] / a[n]);
  add_system(s, std::move(system), *x, y, nullptr);
}

/// Unknowns of a system: its states, then its outputs.
void Compiler::add_system(const Statement& s, LinearSystem system, ArrayData& x, ArrayData* y,
                          const ArrayData* ic) {
  system.name = name_of(s);
  if (!system.name.active)  // states rest, outputs are 0
    for (auto* rows : {&system.rate, &system.output})
      for (LinearSystem::Row& row : *rows) row = {};
  const auto add = [&](ScalarKind kind, const std::string& part, double initial) {
    Scalar v;
    v.name = system.name;
    v.part = part;
    v.kind = kind;
    v.static_hold = s.has("STATIC_HOLD");
    add_scalar(v, {initial});
  };
  x.system = static_cast<int>(systems_.size());
  x.first_scalar = system.first_state = model_.scalar_count();
  for (int k = 0; k < x.size; ++k)
    add(system.rate[k].balance ? ScalarKind::implicit : ScalarKind::differential, fmt::format("X{}", k + 1),
        ic ? ic->numbers[k] : 0.0);
  system.first_output = model_.scalar_count();
  if (y) {
    y->system = x.system;
    y->first_scalar = system.first_output;
    for (int k = 0; k < y->size; ++k) add(ScalarKind::variable, fmt::format("Y{}", k + 1), 0.0);
  }
  systems_.push_back(std::move(system));
}

}  // namespace trammel
