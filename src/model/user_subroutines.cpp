// FUNCTION=USER(...), ROUTINE=library::function of forces, motions, VARIABLE, DIFF, GSE, REQUEST and SENSOR.
#include <algorithm>
#include <array>
#include <functional>

#include "base/text.h"
#include "dataset/permissive.h"
#include "expression/parse.h"
#include "model/resolver.h"
#include "model/units.h"
#include "model/user_subroutine.h"
#include "model/user_utilities.h"

namespace trammel {

// What the C interface is given of a statement, laid out as the header slv_c_utils.h of ADAMS has it.
struct OfStatement {
  int id, count;
  const double* constants;
};

namespace {

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
struct OfMotion {
  OfStatement head;
  int joint;
  const char* type;
  int I, J;
  char which[2];
  const char* level;
};
struct OfGse {
  OfStatement head;
  int inputs, outputs, U, Y, states, X, IC, static_hold, implicit, statics_only, discrete, XD, ICD;
  double sample_offset;
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
  UserForm form;
  std::shared_ptr<void> (*statement)(const Statement& s, const OfStatement& head);
};

const UserKind user_kinds[] = {
    {"SFORCE", "SFOSUB", 1, UserForm::differences,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       return std::make_shared<OfSforce>(OfSforce{head, given_id(s, "I"), given_id(s, "J"),
                                                  s.has("ACTIONONLY"),
                                                  s.has("ROTATION") ? "ROTATION" : "TRANSLATION"});
     }},
    {"VFORCE", "VFOSUB", 3, UserForm::differences, of_vector},
    {"VTORQUE", "VTOSUB", 3, UserForm::differences, of_vector},
    {"GFORCE", "GFOSUB", 6, UserForm::differences,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       return std::make_shared<OfGforce>(
           OfGforce{head, given_id(s, "I"), given_id(s, "RM"), given_id(s, "JFLOAT")});
     }},
    {"VARIABLE", "VARSUB", 1, UserForm::differences,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       return std::make_shared<OfVariable>(OfVariable{head, given_number(s, "IC")});
     }},
    {"DIFF", "DIFSUB", 1, UserForm::differences,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       return std::make_shared<OfDiff>(OfDiff{head, s.has("STATIC_HOLD"), s.has("IMPLICIT"),
                                              given_number(s, "IC"), given_number(s, "IC", 0, 1)});
     }},
    {"REQUEST", "REQSUB", 8, UserForm::plain,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       auto out = std::make_shared<OfRequest>(OfRequest{head, nullptr, {}, std::string(s.text("COMMENT"))});
       out->comment = out->kept.c_str();
       for (const char*& title : out->titles) title = "";
       return out;
     }},
    {"SENSOR", "SENSUB", 1, UserForm::plain,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       const char* logic = s.has("GE") ? "GE" : s.has("LE") ? "LE" : "EQ";
       return std::make_shared<OfSensor>(
           OfSensor{head, given_number(s, "VALUE"), given_number(s, "ERROR", 1e-3), {logic[0], logic[1]}});
     }},
    {"MOTION", "MOTSUB", 1, UserForm::derivatives,
     [](const Statement& s, const OfStatement& head) -> std::shared_ptr<void> {
       OfMotion out{head,
                    given_id(s, "JOINT"),
                    s.has("ROTATION") ? "ROTATION" : "TRANSLATION",
                    given_id(s, "I"),
                    given_id(s, "J"),
                    {' ', ' '},
                    "DISPLACEMENT"};
       for (const char* which : {"X", "Y", "Z", "B1", "B2", "B3"})
         if (s.has(which)) out.which[0] = which[0], out.which[1] = which[1] ? which[1] : ' ';
       for (const char* level : {"VELOCITY", "ACCELERATION"})
         if (s.has(level)) out.level = level;
       return std::make_shared<OfMotion>(out);
     }},
};

/// Of a GSE, whose results are as many as its states or outputs.
std::shared_ptr<void> of_gse(const Statement& s, const OfStatement& head, const UserSystem& system) {
  return std::make_shared<OfGse>(OfGse{head, system.inputs, system.outputs, system.u, given_id(s, "Y"),
                                       system.states, system.x, given_id(s, "IC"), s.has("STATIC_HOLD"), 0, 0,
                                       0, 0, 0, 0.0});
}

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

/// Loads code of FUNCTION=USER(...) and asks what it depends on; null after an error. `statement`: makes what
/// the C interface is given, from its first three entries.
std::shared_ptr<UserSubroutine> Compiler::user_code(
    const Statement& s, const Argument& call, const std::string& routine, const std::string& subroutine,
    int results, UserForm form, const UserSystem& system,
    const std::function<std::shared_ptr<void>(const OfStatement&)>& statement) {
  UserCode loaded;
  std::vector<double> constants = user_constants(s, call);
  std::string failure = make_user_utilities_visible();
  if (failure.empty()) failure = load_user_code(folder_of_deck(), routine, subroutine, loaded);
  std::shared_ptr<UserSubroutine> code;
  if (failure.empty()) {
    code = std::make_shared<UserSubroutine>(loaded, results, form, s.id, std::move(constants), user_data());
    const std::vector<double>& kept = code->constants();
    code->set_statement(statement({s.id, static_cast<int>(kept.size()), kept.data()}));
    code->set_system(system);
    failure = code->declare();
  }
  if (!failure.empty()) {
    diagnostics_.error(s.find("ROUTINE")->where, "{}: ROUTINE={}: {}", s.label(), routine, failure);
    return nullptr;
  }
  std::vector<double> least;
  for (const AskedMeasure& m : code->asked())
    for (const std::string& text : texts_of(m)) least.push_back(least_size(text, millimeter_per_second()));
  least.push_back(1e-3);  // of TIME
  code->set_arguments(std::move(least));
  model_.user_functions.push_back(code);
  return code;
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
  const auto statement = [&](const OfStatement& head) { return kind.statement(s, head); };
  if (const auto code =
          user_code(s, call, routine->text, kind.subroutine, kind.results, kind.form, {}, statement))
    for (std::size_t k = 0; k < tapes.size(); ++k)
      tapes[k] = user_tape(*code, static_cast<int>(k) * size, size, s, call, in_equations);
  return tapes;
}

/// Tapes of the states and outputs of a GSE, from ROUTINE=rates, updates, outputs, samples. Where there is no
/// third one outputs are those of Gse_output in the library of the first.
void Compiler::compile_user_system(const PlacedSystem& system) {
  const Statement& s = *system.statement;
  const Argument &call = *s.find("FUNCTION"), &routine = *s.find("ROUTINE");
  if (!is_user_call(call.text)) {
    diagnostics_.error(call.where, "{}: FUNCTION must be USER(...): its equations are those of code",
                       s.label());
    return;
  }
  for (const std::size_t place : {1, 3})
    if (place < routine.words.size() && !routine.words[place].empty())
      diagnostics_.note(routine.where, "{}: ROUTINE: {} is not called, as it is of discrete states",
                        s.label(), routine.words[place]);
  const UserSystem own{given_id(s, "X"), given_id(s, "U"), static_cast<int>(system.rows.rate.size()),
                       static_cast<int>(system.inputs.size()), static_cast<int>(system.rows.output.size())};
  const auto statement = [&](const OfStatement& head) { return of_gse(s, head, own); };
  const std::string rates = routine.words.front(),
                    outputs = routine.words.size() > 2 && !routine.words[2].empty()
                                  ? routine.words[2]
                                  : rates.substr(0, rates.find(':'));
  const auto compile = [&](const std::string& name, const char* subroutine, int first, int count) {
    if (count == 0) return;
    const auto code = user_code(s, call, name, subroutine, count, UserForm::counted, own, statement);
    for (int k = 0; code && k < count; ++k)
      model_.scalars[first + k].tape = user_tape(*code, k, 1, s, call, true);
  };
  compile(rates, "GSE_DERIV", system.first_state, own.states);
  compile(outputs, "GSE_OUTPUT", system.first_output, own.outputs);
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
