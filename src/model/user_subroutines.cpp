// FUNCTION=USER(...), ROUTINE=library::function of forces, VARIABLE, DIFF, REQUEST and SENSOR.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "dataset/permissive.h"
#include "expression/parse.h"
#include "model/resolver.h"
#include "model/units.h"
#include "model/user_subroutine.h"
#include "model/user_utilities.h"

namespace trammel {

namespace {

// What the C interface is given of a statement, laid out as the header slv_c_utils.h of ADAMS has it.
struct OfStatement {
  int id, count;
  const double* constants;
};
struct OfSforce {
  OfStatement head;
  int I, J, action_only;
  const char* type;
};
struct OfVforce {  // VTORQUE, too
  OfStatement head;
  int I, floating_J, RM;
};
struct OfGforce {
  OfStatement head;
  int I, RM, floating_J;
};
struct OfVariable {
  OfStatement head;
  double start;
};
struct OfDiff {
  OfStatement head;
  int static_hold, implicit;
  double start, start_rate;
};
struct OfRequest {
  OfStatement head;
  const char *comment, *titles[8];
  std::string kept;
};
struct OfSensor {
  OfStatement head;
  double value, error;
  char logic[2];
};

/// Number k of an argument, or its default.
double given_number(const Statement& s, std::string_view argument, double otherwise = 0, std::size_t k = 0) {
  const Argument* a = s.find(argument);
  return a && k < a->numbers.size() ? a->numbers[k] : otherwise;
}
int given_id(const Statement& s, std::string_view argument) {
  return s.id_of(argument).value_or(0);
}

/// Of VFORCE and VTORQUE.
std::shared_ptr<void> of_vector(const Statement& s, const OfStatement& head) {
  return std::make_shared<OfVforce>(
      OfVforce{head, given_id(s, "I"), given_id(s, "JFLOAT"), given_id(s, "RM")});
}

/// A user subroutine that a statement may call.
struct UserKind {
  std::string_view keyword;
  const char* subroutine;
  int results;
  bool told_of_differences;  ///< has the argument dflag
  std::shared_ptr<void> (*statement)(const Statement& s, const OfStatement& head);
};

const UserKind user_kinds[] = {
    {"SFORCE", "SFOSUB", 1, true,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       return std::make_shared<OfSforce>(OfSforce{head, given_id(s, "I"), given_id(s, "J"),
                                                  s.has("ACTIONONLY"),
                                                  s.has("ROTATION") ? "ROTATION" : "TRANSLATION"});
     }},
    {"VFORCE", "VFOSUB", 3, true, of_vector},
    {"VTORQUE", "VTOSUB", 3, true, of_vector},
    {"GFORCE", "GFOSUB", 6, true,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       return std::make_shared<OfGforce>(
           OfGforce{head, given_id(s, "I"), given_id(s, "RM"), given_id(s, "JFLOAT")});
     }},
    {"VARIABLE", "VARSUB", 1, true,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       return std::make_shared<OfVariable>(OfVariable{head, given_number(s, "IC")});
     }},
    {"DIFF", "DIFSUB", 1, true,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       return std::make_shared<OfDiff>(OfDiff{head, s.has("STATIC_HOLD"), s.has("IMPLICIT"),
                                              given_number(s, "IC"), given_number(s, "IC", 0, 1)});
     }},
    {"REQUEST", "REQSUB", 8, false,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       auto out = std::make_shared<OfRequest>(OfRequest{head, nullptr, {}, std::string(s.text("COMMENT"))});
       out->comment = out->kept.c_str();
       for (const char*& title : out->titles) title = "";
       return out;
     }},
    {"SENSOR", "SENSUB", 1, false,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       const char* logic = s.has("GE") ? "GE" : s.has("LE") ? "LE" : "EQ";
       return std::make_shared<OfSensor>(
           OfSensor{head, given_number(s, "VALUE"), given_number(s, "ERROR", 1e-3), {logic[0], logic[1]}});
     }},
};

const UserKind* user_kind_of(const Statement& s) {
  for (const UserKind& kind : user_kinds)
    if (kind.keyword == s.spec->keyword) return &kind;
  return nullptr;
}

const MeasureArray measure_arrays[] = {
    {"DISP", {"DX", "DY", "DZ", "PSI", "THETA", "PHI"}},
    {"TDISP", {"DX", "DY", "DZ"}},
    {"RDISP", {"PSI", "THETA", "PHI"}},
    {"VEL", {"VX", "VY", "VZ", "WX", "WY", "WZ"}},
    {"TVEL", {"VX", "VY", "VZ"}},
    {"RVEL", {"WX", "WY", "WZ"}},
    {"ACC", {"ACCX", "ACCY", "ACCZ", "WDTX", "WDTY", "WDTZ"}},
    {"TACC", {"ACCX", "ACCY", "ACCZ"}},
    {"RACC", {"WDTX", "WDTY", "WDTZ"}},
    {"FORCE", {"FX", "FY", "FZ", "TX", "TY", "TZ"}},
    {"TFORCE", {"FX", "FY", "FZ"}},
    {"RFORCE", {"TX", "TY", "TZ"}},
};

/// A function of expressions with as many of these ids as it takes: DISP(i, j, k) has PSI(i, j).
std::string call_text(std::string_view function, std::vector<int> ids) {
  const Builtin* row = find_builtin(function);
  if (row && static_cast<int>(ids.size()) > row->max_arguments) ids.resize(row->max_arguments);
  return ids.empty() ? std::string(function) : fmt::format("{}({})", function, fmt::join(ids, ", "));
}

/// The measures that were asked for, as expressions.
std::vector<std::string> texts_of(const AskedMeasure& m) {
  std::vector<std::string> out;
  if (m.name == "ARRAY") {
    for (int k = 1; k <= m.count; ++k) out.push_back(fmt::format("ARYVAL({}, {})", m.ids.front(), k));
  } else if (const MeasureArray* array = find_measure_array(m.name)) {
    for (const std::string_view function : array->functions) out.push_back(call_text(function, m.ids));
  } else {
    out.push_back(call_text(m.name, m.ids));
  }
  return out;
}

/// Below which size of a measure differences are not in proportion to it: a millimetre of lengths, and so of
/// their rates, else a thousandth.
double least_size(const std::string& expression, double millimetre) {
  const std::string_view name = std::string_view(expression).substr(0, expression.find('('));
  for (const std::string_view length :
       {"DX", "DY", "DZ", "DM", "VX", "VY", "VZ", "VM", "VR", "ACCX", "ACCY", "ACCZ", "ACCM"})
    if (name == length) return millimetre;
  return 1e-3;
}

}  // namespace

const MeasureArray* find_measure_array(std::string_view name) {
  for (const MeasureArray& array : measure_arrays)
    if (array.name == name) return &array;
  return nullptr;
}

std::shared_ptr<const UserData> Compiler::user_data() {
  if (user_data_) return user_data_;
  auto data = std::make_shared<UserData>();
  for (const auto& [id, array] : arrays_) {
    data->array_sizes[id] = array.size;
    if (array.kind == ArrayKind::numbers) data->arrays[id] = array.numbers;
  }
  for (const auto& [id, index] : spline_of_) data->splines[id] = model_.splines[index];
  return user_data_ = data;
}

/// Tapes of the results of FUNCTION=USER(...): one for each three of a vector, else one for each; −1 after an
/// error.
std::vector<int> Compiler::user_tapes(const Statement& s, const Argument& call, bool in_equations) {
  const UserKind& kind = *user_kind_of(s);
  const int size = kind.results % 3 == 0 ? 3 : 1;
  std::vector<int> tapes(kind.results / size, -1);
  const Argument* routine = s.find("ROUTINE");
  if (!routine) {
    diagnostics_.error(call.where,
                       "{}: FUNCTION=USER(...) needs ROUTINE=library::function, the file of its code and its "
                       "name there",
                       s.label());
    return tapes;
  }
  UserCode loaded;
  std::vector<double> constants = user_constants(s, call);
  std::string failure = make_user_utilities_visible();
  if (failure.empty()) failure = load_user_code(folder_of_deck(), routine->text, kind.subroutine, loaded);
  if (failure.empty()) {
    auto code = std::make_shared<UserSubroutine>(loaded, kind.results, kind.told_of_differences, s.id,
                                                 std::move(constants), user_data());
    const std::vector<double>& kept = code->constants();
    code->set_statement(kind.statement(s, {s.id, static_cast<int>(kept.size()), kept.data()}));
    failure = code->declare();
    if (failure.empty()) {
      std::vector<double> least;
      for (const AskedMeasure& m : code->asked())
        for (const std::string& text : texts_of(m))
          least.push_back(least_size(text, millimeter_per_second()));
      least.push_back(1e-3);  // of TIME
      code->set_arguments(std::move(least));
      model_.user_functions.push_back(code);
      for (std::size_t k = 0; k < tapes.size(); ++k)
        tapes[k] = user_tape(*code, static_cast<int>(k) * size, size, s, call, in_equations);
    }
  }
  if (!failure.empty())
    diagnostics_.error(routine->where, "{}: ROUTINE={}: {}", s.label(), routine->text, failure);
  return tapes;
}

/// ROUTINE beside an expression.
void Compiler::note_idle_routines() {
  for (const UserKind& kind : user_kinds)
    for (const Statement& s : statements_.all(kind.keyword)) {
      const Argument *routine = s.find("ROUTINE"), *function = s.find("FUNCTION");
      if (routine && function && !is_user_call(function->text))
        diagnostics_.warning(routine->where, "{}: ROUTINE has no effect, as FUNCTION is an expression",
                             s.label());
    }
}

/// The tape of `results` results from `first` on.
int Compiler::user_tape(const UserSubroutine& code, int first, int results, const Statement& s,
                        const Argument& call, bool in_equations) {
  follows_ = false;
  std::string asked;  // the measure that is compiled
  try {
    ModelResolver resolver(*this);
    TapeBuilder builder;
    std::vector<Register> arguments;
    for (const AskedMeasure& m : code.asked())
      for (const std::string& text : texts_of(m)) {
        asked = text;
        const TapeValue value = lower_expression(parse_expression(text), resolver, builder);
        if (value.vector) fail(ExitCode::input, "it is a vector");
        arguments.push_back(value.r[0]);
      }
    TapeValue value;
    value.vector = results == 3;
    for (int k = 0; k < results; ++k) value.r[k] = builder.user(code, first + k, arguments);
    return add_tape(builder.finish(value, std::string(trim(call.text))), s, call.field->name, in_equations);
  } catch (const Failure& failure) {
    return report_no_tape(
        {Severity::error, call.where,
         fmt::format("{}: {} asks for {}: {}", s.label(), code.name(), asked, failure.what()),
         failure.code()});
  }
}

}  // namespace trammel
