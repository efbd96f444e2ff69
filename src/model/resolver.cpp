#include "model/resolver.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "dataset/registry.h"
#include "expression/parse.h"

namespace trammel {

int ModelResolver::marker(int id) {
  if (const int m = c_.marker_at(id, -1); m >= 0) return m;
  if (const auto* m = c_.local_.find(id); m && m->floating)
    fail(ExitCode::unsupported, "marker {} is floating; measures of floating markers are not supported yet",
         id);
  c_.not_there("MARKER", id);
}

int ModelResolver::spline(int id) {
  if (const auto s = c_.spline_of_.find(id); s != c_.spline_of_.end()) return s->second;
  c_.not_there("SPLINE", id);
}

int ModelResolver::angle_counter(Measure measure, int i, int j) {
  const int axis = measure == Measure::ax ? 0 : measure == Measure::ay ? 1 : 2;
  const auto [at, added] = c_.angle_of_.try_emplace({axis, i, j}, c_.model_.angles);
  if (added) c_.model_.tape_angles.push_back({c_.model_.angles++, axis, i, j});
  return at->second;
}

int ModelResolver::delay_buffer(int, const Tape& value, double longest, const Tape* lag) {
  const auto add = [this](const Tape& tape) {
    c_.model_.tapes.push_back(tape);
    c_.model_.tape_name.push_back("DELAY");
    c_.model_.tape_in_equations.push_back(0);
    return static_cast<int>(c_.model_.tapes.size()) - 1;
  };
  const int tape = add(value);
  c_.model_.delays.push_back({tape, longest, lag ? add(*lag) : -1});
  return static_cast<int>(c_.model_.delays.size()) - 1;
}

namespace {

/// Component number of JOINT(id, jflag, comp, rm): 1 FM 2 FX 3 FY 4 FZ 5 TM 6 TX 7 TY 8 TZ.
constexpr std::string_view net_names[8] = {"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"};

}  // namespace

std::optional<TapeValue> ModelResolver::system_function(const SystemCall& call, TapeBuilder& builder) {
  if (call.name == "VARVAL") return variable(call.integer(0), builder);
  if (call.name == "DIF") return scalar_read(call.integer(0), builder, c_.scalar_of_diff_, "DIFF", false);
  if (call.name == "DIF1") return scalar_read(call.integer(0), builder, c_.scalar_of_diff_, "DIFF", true);
  if (call.name == "ARYVAL") return array_entry(call.integer(0), call.integer(1), builder);
  if (call.name == "PINVAL") return group_entry("PINPUT", call.integer(0), call.integer(1), builder);
  if (call.name == "POUVAL") return group_entry("POUTPUT", call.integer(0), call.integer(1), builder);
  if (call.name == "CURVE") return curve_coordinate(call, builder);
  if (call.name == "Q" || call.name == "QDOT" || call.name == "QDDOT") return modal_coordinate(call, builder);
  if (call.name == "SENVAL") return sensor_value(call.integer(0), builder);
  std::optional<TapeValue> value;
  MultiPointStatements::for_each([&](auto force) {
    if (call.name == force.spec.force_function) value = multi_point_force(call, builder, force.spec.keyword);
  });
  if (value) return value;
  for (const StatementSpec& spec : dataset_statements())
    if (call.name == spec.force_function && spec.support == Support::works)
      return element_force(call, builder, spec.keyword);
  for (std::string_view name : net_names)
    if (call.name == name) return net_force(call, builder);
  if (call.name == "FXYZ" || call.name == "TXYZ") return net_force(call, builder);
  return std::nullopt;
}

TapeValue ModelResolver::scalar_read(int id, TapeBuilder& builder, const std::unordered_map<int, int>& table,
                                     std::string_view statement, bool rate) {
  const auto at = table.find(id);
  if (at == table.end()) c_.not_there(statement, id);
  const Scalar& s = c_.model_.scalars[at->second];
  if (!s.name.active) return TapeValue::scalar(builder.constant(0));
  if (rate && s.kind == ScalarKind::algebraic)
    fail(ExitCode::unsupported,
         "{} is an algebraic state, as its FUNCTION does not read DIF1({}), and has no rate that could be "
         "read,",
         s.name.label(), id);
  return TapeValue::scalar(rate ? builder.rate(at->second) : builder.state(at->second));
}

TapeValue ModelResolver::variable(int id, TapeBuilder& builder) {
  const auto at = c_.scalar_of_variable_.find(id);
  if (at == c_.scalar_of_variable_.end()) c_.not_there("VARIABLE", id);
  const Statement* s = c_.constraints_ ? c_.statements_.find("VARIABLE", id) : nullptr;
  return s ? taken_in(*s, builder) : TapeValue::scalar(builder.state(at->second));
}

/// What SENSOR/id evaluated last; 0 for one that evaluates nothing.
TapeValue ModelResolver::sensor_value(int id, TapeBuilder& builder) {
  if (!c_.statements_.find("SENSOR", id)) c_.not_there("SENSOR", id);
  const auto at = c_.scalar_of_sensor_.find(id);
  return TapeValue::scalar(at == c_.scalar_of_sensor_.end() ? builder.constant(0)
                                                            : builder.state(at->second));
}

namespace {
constexpr std::string_view cannot_read = "a constraint cannot read it";
}

/// The expression of a VARIABLE, taken into the expression under construction.
TapeValue ModelResolver::taken_in(const Statement& s, TapeBuilder& builder) {
  if (std::count(c_.taken_in_.begin(), c_.taken_in_.end(), s.id) > 0)
    fail(ExitCode::input, "VARIABLE/{} depends on itself; {}", s.id, cannot_read);
  constexpr int most = 10000;  // VARIABLEs that read others twice each grow without bound
  if (++c_.taken_in_count_ > most)
    fail(ExitCode::unsupported, "the VARIABLEs that it reads unfold to more than {} expressions; {}", most,
         cannot_read);
  if (!c_.is_active(s)) return TapeValue::scalar(builder.constant(0));
  c_.taken_in_.push_back(s.id);
  const bool held = builder.hold_column(true);
  const Register time = builder.substitute_time(-1);
  try {
    const ExpressionTree tree = parse_expression(s.text("FUNCTION"));
    const TapeValue value = lower_expression(tree, *this, builder);
    if (value.vector) throw ExpressionError(1, "the expression must be a scalar, but is a vector");
    builder.substitute_time(time);
    builder.hold_column(held);
    c_.taken_in_.pop_back();
    return value;
  } catch (const ExpressionError& error) {
    if (error.reason().ends_with(cannot_read)) fail(error.code(), "{}", error.reason());
    c_.follows_ = true;  // the VARIABLE has an error of its own
    fail(error.code(), "VARIABLE/{}: {}", s.id, error.what());
  }
}

TapeValue ModelResolver::array_entry(int id, int k, TapeBuilder& builder) {
  const auto at = c_.arrays_.find(id);
  if (at == c_.arrays_.end()) c_.not_there("ARRAY", id);
  const ArrayData& a = at->second;
  if (k < 1 || k > a.size) fail(ExitCode::input, "ARRAY/{} has entries 1 to {}, not {}", id, a.size, k);
  if (a.kind == ArrayKind::numbers) return TapeValue::scalar(builder.constant(a.numbers[k - 1]));
  if (a.kind == ArrayKind::inputs) return variable(a.variables[k - 1], builder);
  if (a.system < 0) {
    c_.follows_ = c_.has_system(id);
    fail(ExitCode::input, "ARRAY/{} belongs to no LSE, STRUCTURE, TFSISO or GSE", id);
  }
  if (a.kind == ArrayKind::outputs && c_.constraints_) {
    const PlacedSystem& system = c_.systems_[a.system];
    return TapeValue::scalar(c_.system_row(system, system.rows.output[k - 1], *this, builder));
  }
  if (!c_.systems_[a.system].name.active) return TapeValue::scalar(builder.constant(0));
  return TapeValue::scalar(builder.state(a.first_scalar + k - 1));
}

/// Entry k of a PINPUT or POUTPUT.
TapeValue ModelResolver::group_entry(std::string_view statement, int id, int k, TapeBuilder& builder) {
  const Statement* s = c_.statements_.find(statement, id);
  const Argument* list = s ? s->find("VARIABLES") : nullptr;
  if (!list) c_.not_there(statement, id);
  const int size = static_cast<int>(list->numbers.size());
  if (k < 1 || k > size) fail(ExitCode::input, "{}/{} has entries 1 to {}, not {}", statement, id, size, k);
  return variable(static_cast<int>(list->numbers[k - 1]), builder);
}

/// Q, QDOT, QDDOT(id, mode): an unknown of its own, the modal coordinate in units of the file.
TapeValue ModelResolver::modal_coordinate(const SystemCall& call, TapeBuilder& builder) {
  const int id = call.integer(0), mode = call.integer(1);
  const auto at = c_.flexible_.find(id);
  if (at == c_.flexible_.end()) c_.not_there("FLEX_BODY", id);
  const FlexibleBody& f = c_.model_.flexible_bodies[at->second];
  const auto found = std::find(f.mode_id.begin(), f.mode_id.end(), mode);
  if (found == f.mode_id.end()) fail(ExitCode::input, "mode {} of FLEX_BODY/{} takes no part", mode, id);
  const auto j = static_cast<int>(found - f.mode_id.begin());
  const int order = call.name == "Q" ? 0 : call.name == "QDOT" ? 1 : 2;
  const int scalar = c_.modal_output(f, j, order);
  return TapeValue::scalar(builder.mul(builder.constant(1 / f.size[j]), builder.state(scalar)));
}

/// CURVE(alpha, iord, comp, id): each coordinate is a spline over alpha.
TapeValue ModelResolver::curve_coordinate(const SystemCall& call, TapeBuilder& builder) {
  const int order = call.integer(1), number = call.integer(2), id = call.integer(3);
  const auto at = c_.curve_of_.find(id);
  if (at == c_.curve_of_.end()) c_.not_there("CURVE", id);
  if (order < 0 || order > 2)
    fail(ExitCode::input, "the order of CURVE's derivative is 0, 1 or 2, not {}", order);
  if (number < 1 || number > 3)
    fail(ExitCode::input, "CURVE has components 1, 2, 3 (x, y, z), not {}", number);
  const auto [known, fresh] =
      c_.curve_spline_.try_emplace({id, number}, static_cast<int>(c_.model_.splines.size()));
  if (fresh) c_.model_.splines.push_back(coordinate_spline(c_.model_.curves[at->second], number - 1));
  return TapeValue::scalar(
      builder.spline(Op::cubspl, call.arguments[0], builder.constant(0), known->second, order));
}

/// Force elements by their statements and by their markers: numbers in Compiler::ends_, ascending.
class Compiler::EndsIndex {
 public:
  explicit EndsIndex(const std::vector<ForceEnds>& ends) : size_(ends.size()) {
    for (int k = 0; k < static_cast<int>(ends.size()); ++k) {
      const ForceEnds& e = ends[k];
      of_statement_.emplace_back(e.statement->spec->keyword, e.statement->id, k);
      between_.emplace_back(e.I, e.J, k);
      between_.emplace_back(e.J, e.I, k);
      if (e.one_sided) one_sided_.emplace_back(e.I, k);
    }
    std::sort(of_statement_.begin(), of_statement_.end());
    std::sort(between_.begin(), between_.end());
    std::sort(one_sided_.begin(), one_sided_.end());
  }
  /// How many elements it knows.
  std::size_t size() const { return size_; }
  std::vector<int> of_statement(std::string_view keyword, int id) const {
    std::vector<int> found;
    append(of_statement_, {keyword, id, 0}, {keyword, id, last}, found);
    return found;
  }
  /// Those that act on a marker.
  std::vector<int> at(int marker) const {
    std::vector<int> found;
    append(between_, {marker, INT_MIN, 0}, {marker, last, last}, found);
    return once(std::move(found));
  }
  /// Those that act on marker i and are between it and j, or reported on i alone.
  std::vector<int> between(int i, int j) const {
    std::vector<int> found;
    append(between_, {i, j, 0}, {i, j, last}, found);
    append(one_sided_, {i, 0}, {i, last}, found);
    return once(std::move(found));
  }

 private:
  static constexpr int last = INT_MAX;
  /// The numbers of the entries from `begin` to `end`.
  template <class Entry>
  static void append(const std::vector<Entry>& entries, const Entry& begin, const Entry& end,
                     std::vector<int>& numbers) {
    for (auto at = std::lower_bound(entries.begin(), entries.end(), begin);
         at != entries.end() && !(end < *at); ++at)
      numbers.push_back(std::get<std::tuple_size_v<Entry> - 1>(*at));
  }
  static std::vector<int> once(std::vector<int> numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }

  std::size_t size_;
  std::vector<std::tuple<std::string_view, int, int>> of_statement_;  ///< keyword, id, number
  std::vector<std::tuple<int, int, int>> between_;  ///< a marker, the other one, number; twice an element
  std::vector<std::tuple<int, int>> one_sided_;     ///< marker I, number
};

const Compiler::EndsIndex& ModelResolver::ends_index() {
  if (!c_.ends_index_ || c_.ends_index_->size() != c_.ends_.size())
    c_.ends_index_ = std::make_shared<const Compiler::EndsIndex>(c_.ends_);
  return *c_.ends_index_;
}

/// The wrench on I of an element in global axes, or on J: −F, −T − (r_I − r_J) × F (0 for action-only).
ModelResolver::Wrench ModelResolver::wrench_on(const Compiler::ForceEnds& end, bool on_j,
                                               TapeBuilder& builder) {
  Wrench w;
  const int base = c_.requests_ ? Compiler::first_wrench_number + 12 * end.wrench
                                : c_.force_output(end.wrench, c_.name_of(*end.statement));
  for (int k = 0; k < 6; ++k) w[k] = builder.state(base + k);
  if (end.floating_i)
    for (int k = 3; k < 6; ++k) w[k] = builder.constant(0);
  if (!on_j) return w;
  if (end.action_only) {
    w.fill(builder.constant(0));
    return w;
  }
  Register arm[3] = {builder.constant(0), builder.constant(0), builder.constant(0)};
  if (!end.floating_j) {  // a floating J is where I is
    const int i = end.table_I >= 0 ? end.table_I : marker(end.I);
    const int j = end.table_J >= 0 ? end.table_J : marker(end.J);
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
                                       std::string_view statement) {
  const int id = call.integer(0), side = call.integer(1), number = call.integer(2), rm = call.integer(3, 0);
  const Compiler::ForceEnds* end = nullptr;
  if (const std::vector<int> found = ends_index().of_statement(statement, id); !found.empty())
    end = &c_.ends_[found.back()];
  if (const Statement* s = c_.statements_.find(statement, id); !end && s && statement == "CONTACT")
    fail(ExitCode::input, "CONTACT/{} is of more than two bodies; it has no single force", id);
  if (!end) c_.not_there(statement, id);
  if (statement == "FRICTION" && number > 8) return friction_measure(id, number, builder);
  if (number < 1 || number > 8)
    fail(ExitCode::input, "component {} of {}/{}: 1 FM, 2 FX, 3 FY, 4 FZ, 5 TM, 6 TX, 7 TY, 8 TZ", number,
         statement, id);
  if (side != 0 && side != 1)
    fail(ExitCode::input, "the second argument is 0 (on I) or 1 (on J), not {}", side);
  return component(wrench_on(*end, side == 1, builder), number, rm == 0 ? 0 : marker(rm), builder);
}

/// NFORCE(id, marker, comp, rm) and functions like it: what all its pairs make on one of its markers.
TapeValue ModelResolver::multi_point_force(const SystemCall& call, TapeBuilder& builder,
                                           std::string_view statement) {
  const int id = call.integer(0), at = call.integer(1), number = call.integer(2), rm = call.integer(3, 0);
  if (number < 1 || number > 8)
    fail(ExitCode::input, "component {} of {}/{}: 1 FM, 2 FX, 3 FY, 4 FZ, 5 TM, 6 TX, 7 TY, 8 TZ", number,
         statement, id);
  Wrench sum;
  sum.fill(builder.constant(0));
  bool acts = false;
  const std::vector<int> pairs = ends_index().of_statement(statement, id);
  for (const int pair : pairs) {
    const Compiler::ForceEnds& e = c_.ends_[pair];
    if (e.I != at && e.J != at) continue;
    acts = true;
    const Wrench w = wrench_on(e, e.I != at, builder);
    for (int k = 0; k < 6; ++k) sum[k] = builder.add(sum[k], w[k]);
  }
  if (pairs.empty()) c_.not_there(statement, id);
  if (!acts) fail(ExitCode::input, "marker {} is none of {}/{}", at, statement, id);
  return component(sum, number, rm == 0 ? 0 : marker(rm), builder);
}

/// FX(i, j, k) …: net wrench at marker i from elements between i and j; j = 0: from everything at i.
TapeValue ModelResolver::net_force(const SystemCall& call, TapeBuilder& builder) {
  const int i = call.integer(0), j = call.integer(1, 0), rm = call.integer(2, 0);
  marker(i);
  Wrench sum;
  sum.fill(builder.constant(0));
  for (const int end : j == 0 ? ends_index().at(i) : ends_index().between(i, j)) {
    const Compiler::ForceEnds& e = c_.ends_[end];
    const bool on_i = e.I == i && (j == 0 || e.J == j || e.one_sided);
    const Wrench w = wrench_on(e, !on_i, builder);
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

}  // namespace trammel
