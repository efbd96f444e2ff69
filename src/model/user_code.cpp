// User code of contacts (NORMAL_FUNCTION=USER(...), NORMAL_ROUTINE=library::function), and what all user code
// has in common.
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "dataset/contact_shapes.h"
#include "dataset/names.h"
#include "model/compiler.h"
#include "model/user_library.h"

namespace trammel {

std::string Compiler::folder_of_deck() const {
  return std::filesystem::path(description_.file).parent_path().string();
}

/// The numbers of USER(...).
std::vector<double> Compiler::user_constants(const Statement& s, const Argument& call) {
  std::vector<double> numbers;
  const std::string text(trim(call.text));
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (!has_prefix_ignoring_case(text, "USER") || open == std::string::npos || close != text.size() - 1 ||
      !trim(text.substr(4, open - 4)).empty()) {
    diagnostics_.error(call.where, "{}: {} takes USER(...) with numbers, not {}", s.label(), call.field->name,
                       in_quotes(text));
    return numbers;
  }
  const std::string inside = text.substr(open + 1, close - open - 1);
  if (trim(inside).empty()) return numbers;
  for (const std::string_view part : split(inside, ',')) {
    if (const auto number = parse_number(trim(part)))
      numbers.push_back(*number);
    else
      diagnostics_.error(call.where, "{}: {}=USER(...) takes numbers, and {} is none", s.label(),
                         call.field->name, in_quotes(std::string(trim(part))));
  }
  return numbers;
}

/// Shapes that IGEOM (side 0) or JGEOM (1) names, and their markers as placed_on() has them.
UserNormalForce::Side Compiler::user_side(const Statement& s, std::string_view argument, int side) const {
  UserNormalForce::Side out;
  const Argument* given = s.find(argument);
  for (double number : given ? given->numbers : std::vector<double>()) {
    const int id = static_cast<int>(number);
    const Statement* g = statements_.find("GRAPHICS", id);
    const std::string_view name = g ? shape_marker(*g) : "";
    if (name.empty()) continue;  // told where the shape is read
    const Marker& m = model_.markers[marker_index(*g, name)];
    out.graphics.push_back(id);
    out.flipped.push_back(is_hole(s, side, id));
    out.frame.push_back(m.node >= 0 ? Pose<double>{{}, Mat3d::identity()} : Pose<double>{m.s, m.A});
  }
  return out;
}

/// The code that a CONTACT names; null after an error.
const UserNormalForce* Compiler::user_normal_force(const Statement& s) {
  const Argument &call = *s.find("NORMAL_FUNCTION"), *routine = s.find("NORMAL_ROUTINE");
  if (!routine) return nullptr;  // told by the check of arguments that stand together
  auto code = std::make_shared<UserNormalForce>();
  code->id = s.id;
  code->least_rate = millimeter_per_second();
  code->constants = user_constants(s, call);
  code->I = user_side(s, "IGEOM", 0);
  code->J = user_side(s, "JGEOM", 1);
  UserCode loaded;
  const std::string text(routine->text), failure = load_user_code(folder_of_deck(), text, "CNFSUB", loaded);
  if (!failure.empty()) {
    diagnostics_.error(routine->where, "{}: NORMAL_ROUTINE={}: {}", s.label(), text, failure);
    return nullptr;
  }
  code->c = reinterpret_cast<UserNormalForce::C*>(loaded.c);
  code->fortran = reinterpret_cast<UserNormalForce::Fortran*>(loaded.fortran);
  code->name = loaded.name;
  model_.user_forces.push_back(code);
  return code.get();
}

}  // namespace trammel
