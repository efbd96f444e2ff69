// REQUESTs: every component becomes a tape.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "model/compiler.h"

namespace trammel {

namespace {

struct RequestKind {
  std::string_view flag;
  int type;
  std::string_view name[8];
  std::string_view text[8];  ///< {i} {j} {rm} stand for marker ids
};

constexpr RequestKind kinds[] = {
    {"DISPLACEMENT",
     1,
     {"MAG", "X", "Y", "Z", "AMAG", "PSI", "THETA", "PHI"},
     {"DM({i},{j})", "DX({i},{j},{rm})", "DY({i},{j},{rm})", "DZ({i},{j},{rm})", "0", "PSI({i},{j})",
      "THETA({i},{j})", "PHI({i},{j})"}},
    {"VELOCITY",
     2,
     {"VM", "VX", "VY", "VZ", "WM", "WX", "WY", "WZ"},
     {"VM({i},{j})", "VX({i},{j},{rm})", "VY({i},{j},{rm})", "VZ({i},{j},{rm})", "WM({i},{j})",
      "WX({i},{j},{rm})", "WY({i},{j},{rm})", "WZ({i},{j},{rm})"}},
    {"ACCELERATION",
     3,
     {"ACCM", "ACCX", "ACCY", "ACCZ", "WDTM", "WDTX", "WDTY", "WDTZ"},
     {"ACCM({i},{j})", "ACCX({i},{j},{rm})", "ACCY({i},{j},{rm})", "ACCZ({i},{j},{rm})", "WDTM({i},{j})",
      "WDTX({i},{j},{rm})", "WDTY({i},{j},{rm})", "WDTZ({i},{j},{rm})"}},
    {"FORCE",
     4,
     {"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"},
     {"FM({i},{j})", "FX({i},{j},{rm})", "FY({i},{j},{rm})", "FZ({i},{j},{rm})", "TM({i},{j})",
      "TX({i},{j},{rm})", "TY({i},{j},{rm})", "TZ({i},{j},{rm})"}},
};

std::string with_markers(std::string_view pattern, int i, int j, int rm) {
  return fmt::format(fmt::runtime(pattern), fmt::arg("i", i), fmt::arg("j", j), fmt::arg("rm", rm));
}

}  // namespace

/// A word of CUNITS in lower case; "" after a warning if results know no such quantity.
std::string Compiler::request_unit(const Statement& s, const Location& where, const std::string& word) {
  static constexpr std::string_view known[] = {
      "length", "angle",  "velocity", "angular_velocity", "acceleration", "angular_acceleration",
      "force",  "torque", "time",     "no_units"};
  const std::string unit = lower(trim(word));
  if (unit.empty() || std::find(std::begin(known), std::end(known), unit) != std::end(known)) return unit;
  diagnostics_.warning(where,
                       "{}: CUNITS: '{}' is no quantity of result files; the component is shown without unit",
                       s.label(), trim(word));
  return {};
}

namespace {

/// A component whose name another one has: files that name their columns could not be read again.
void refuse_names_given_twice(const Statement& s, const Request& r, Diagnostics& diagnostics) {
  std::map<std::string_view, std::size_t> first;
  for (std::size_t k = 0; k < r.component_names.size(); ++k) {
    const auto [at, fresh] = first.try_emplace(r.component_names[k], k);
    if (fresh) continue;
    diagnostics.error(s.find("CNAMES")->where,
                      "{}: CNAMES: components {} and {} are both called '{}'; give each a name of its own",
                      s.label(), r.slot[at->second], r.slot[k], r.component_names[k]);
    return;
  }
}

}  // namespace

void Compiler::compile_requests() {
  requests_ = true;
  compile_shown_frictions();
  for (const Statement& s : statements_.all("REQUEST")) {
    Request r;
    r.name = name_of(s);
    r.comment = s.text("COMMENT");
    const int i = s.id_of("I").value_or(0), j = s.id_of("J").value_or(0), rm = s.id_of("RM").value_or(0);
    for (const RequestKind& kind : kinds) {
      if (!s.has(kind.flag)) continue;
      r.type = kind.type;
      r.marker_i = i;
      r.marker_j = j;
      for (int k = 0; k < 8; ++k) {
        r.component_names.emplace_back(kind.name[k]);
        r.tape.push_back(compile_text(s, with_markers(kind.text[k], i, j, rm), std::string(kind.name[k]),
                                      s.where, ResultKind::scalar, false));
      }
    }
    if (const Argument* variables = s.find("VARIABLES"))
      for (std::size_t k = 0; k < variables->numbers.size(); ++k) {
        r.component_names.push_back(fmt::format("F{}", k + 1));
        r.tape.push_back(compile_text(s, fmt::format("VARVAL({})", static_cast<int>(variables->numbers[k])),
                                      "VARIABLES", variables->where, ResultKind::scalar, false));
      }
    if (const Argument* user = s.find("FUNCTION")) {
      r.tape = user_tapes(s, *user, false);
      for (std::size_t k = 1; k <= r.tape.size(); ++k) r.component_names.push_back(fmt::format("F{}", k));
    }
    if (r.tape.empty())
      for (int k = 1; k <= 8; ++k) {
        const Argument* a = s.find(fmt::format("F{}", k));
        r.component_names.push_back(fmt::format("F{}", k));
        r.tape.push_back(a ? compile_tape(s, *a, ResultKind::scalar, false) : -1);
      }
    if (const Argument* names = s.find("CNAMES"))
      for (std::size_t k = 0; k < names->words.size() && k < r.component_names.size(); ++k)
        r.component_names[k] = names->words[k];
    r.units.resize(r.tape.size());
    if (const Argument* units = s.find("CUNITS"))
      for (std::size_t k = 0; k < units->words.size() && k < r.units.size(); ++k)
        r.units[k] = request_unit(s, units->where, units->words[k]);
    if (s.has("RESULTS_NAME")) r.name.view_name = s.text("RESULTS_NAME");
    for (std::size_t k = 0; k < r.tape.size(); ++k) r.slot.push_back(static_cast<int>(k) + 1);
    for (std::size_t k = r.component_names.size(); k-- > 0;)  // an empty name deletes the component
      if (trim(r.component_names[k]).empty()) {
        r.component_names.erase(r.component_names.begin() + static_cast<long>(k));
        r.tape.erase(r.tape.begin() + static_cast<long>(k));
        r.slot.erase(r.slot.begin() + static_cast<long>(k));
        r.units.erase(r.units.begin() + static_cast<long>(k));
      }
    if (s.has("CNAMES")) refuse_names_given_twice(s, r, diagnostics_);
    model_.requests.push_back(r);
  }
  requests_ = false;
}

}  // namespace trammel
