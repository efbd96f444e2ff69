#include "session/model_changes.h"

#include <algorithm>
#include <cmath>

#include "dataset/names.h"
#include "model/compile.h"

namespace trammel {

void note_renewal(const Statement& change, Renewed& renewed) {
  using Keys = std::set<Renewed::Key> Renewed::*;
  constexpr std::pair<std::string_view, Keys> begins_anew[] = {
      {"QG", &Renewed::positions},  {"REULER", &Renewed::positions}, {"ZG", &Renewed::positions},
      {"XG", &Renewed::positions},  {"EXACT", &Renewed::positions},  {"VX", &Renewed::velocities},
      {"VY", &Renewed::velocities}, {"VZ", &Renewed::velocities},    {"WX", &Renewed::velocities},
      {"WY", &Renewed::velocities}, {"WZ", &Renewed::velocities},    {"VM", &Renewed::velocities},
      {"WM", &Renewed::velocities}, {"IC", &Renewed::states},        {"ICDISP", &Renewed::states},
      {"ICVEL", &Renewed::states},  {"DMODE", &Renewed::modes},      {"VMODE", &Renewed::modal_rates},
      {"MEXACT", &Renewed::modes},
  };
  for (const auto& [name, keys] : begins_anew)
    if (change.has(name)) (renewed.*keys).insert({std::string(change.spec->keyword), change.id});
}

namespace {

/// A REQUEST statement with this id that measures what the INFO asks for.
Statement request_for(const Statement& info, int id) {
  Statement request;
  request.spec = dataset_statement("REQUEST");
  request.id = id;
  request.where = info.where;
  for (const Argument& a : info.arguments)
    for (const Field& field : request.spec->fields)
      if (field.name == a.field->name) {
        request.arguments.push_back(a);
        request.arguments.back().field = &field;
      }
  return request;
}

}  // namespace

std::string measured(const Description& description, const Statement& info, const State& state) {
  Description with = description;
  int id = 1;
  for (const Statement& s : with.statements)
    if (s.spec->keyword == "REQUEST") id = std::max(id, s.id + 1);
  with.statements.push_back(request_for(info, id));
  Diagnostics diagnostics;
  const Model model = compile(with, diagnostics);
  diagnostics.stop_on_errors();
  Assembler assembler(model);
  assembler.evaluate(state, in_dynamics);
  const Request& request = model.requests.back();
  std::string markers = fmt::format("I={}", request.marker_i);
  for (std::string_view name : {"J", "RM"})
    if (const auto marker = info.id_of(name)) markers += fmt::format(", {}={}", name, *marker);
  std::string text = fmt::format("INFO/{}, {} at time {:.9g}:", info.chosen("type"), markers, state.t);
  for (int k : {1, 2, 3, 5, 6, 7}) {
    double value[3] = {0, 0, 0};
    assembler.tapes().values(request.tape[k], assembler.reads(), value);
    text += fmt::format("\n  {:<5} = {:.10g}", request.component_names[k], value[0]);
  }
  return text;
}

}  // namespace trammel
