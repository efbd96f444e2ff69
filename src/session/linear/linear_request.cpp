#include "session/linear/linear_request.h"

#include <cctype>
#include <set>

#include "base/text.h"

namespace trammel {

namespace {

int scalar_of_variable(const Model& model, int id, const std::string& group) {
  for (std::size_t k = 0; k < model.scalars.size(); ++k)
    if (model.scalars[k].name.id == id && model.scalars[k].name.type == "VARIABLE")
      return static_cast<int>(k);
  fail(ExitCode::input, "LINEAR: the model has no VARIABLE/{}, which {} names", id, group);
}

std::vector<int> group(const Statement& linear, std::string_view keyword, const Description& description,
                       const Model& model) {
  std::vector<int> out;
  const auto id = linear.id_of(keyword);
  const Statement* s = id ? description.find(keyword, *id) : nullptr;
  if (!s) return out;
  for (const double variable : s->find("VARIABLES")->numbers)
    out.push_back(scalar_of_variable(model, static_cast<int>(variable), s->label()));
  return out;
}

/// Whether an expression reads VARVAL(id).
bool reads(const std::string& expression, int id) {
  std::string plain;
  for (const char c : expression)
    if (!std::isspace(static_cast<unsigned char>(c))) plain += c;
  return upper(plain).find(fmt::format("VARVAL({})", id)) != std::string::npos;
}

/// Fails where a MOTION or GCON reads the input, directly or through VARIABLEs: both contain the expressions
/// of VARIABLEs, and do not see inputs.
void refuse_moving_input(const Description& description, int id, const std::string& input,
                         std::set<int>& seen) {
  if (!seen.insert(id).second) return;
  for (const Statement& s : description.statements)
    for (const Argument& a : s.arguments) {
      if (a.field->kind != FieldKind::expression || !reads(a.text, id)) continue;
      if (s.spec->keyword == "VARIABLE") refuse_moving_input(description, s.id, input, seen);
      if (s.spec->keyword == "MOTION" || s.spec->keyword == "GCON")
        fail(ExitCode::unsupported,
             "LINEAR: the input {} moves {} directly, so that its derivatives would be inputs: let it act "
             "through a DIFF, or on a force",
             input, s.label());
    }
}

}  // namespace

LinearizationOptions linear_request(const Statement& linear, const Description& description,
                                    const Model& model) {
  LinearizationOptions out;
  out.measures = group(linear, "PSTATE", description, model);
  out.inputs = group(linear, "PINPUT", description, model);
  for (const int input : out.inputs) {
    std::set<int> seen;
    const ElementName& name = model.scalars[input].name;
    refuse_moving_input(description, name.id, name.label(), seen);
  }
  out.outputs = group(linear, "POUTPUT", description, model);
  out.no_damping = linear.has("NODAMPIN");
  out.matrices = linear.has("STATEMAT");
  out.modes = linear.integer("MODES", 0);
  out.frequency = linear.real("NEAR");
  if (const auto id = linear.id_of("RM")) {
    for (std::size_t m = 0; m < model.markers.size(); ++m)
      if (model.markers[m].id == *id) out.RM = static_cast<int>(m);
    if (out.RM < 0) fail(ExitCode::input, "LINEAR: the model has no MARKER/{}, which RM names", *id);
  }
  return out;
}

}  // namespace trammel
