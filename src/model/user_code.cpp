// Normal forces of contacts by user code: NORMAL_FUNCTION=USER(...), NORMAL_ROUTINE=library::function.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "dataset/commands.h"
#include "dataset/contact_shapes.h"
#include "dataset/names.h"
#include "model/compiler.h"

namespace trammel {

namespace {

/// A library and how it was found, or what was looked for.
struct Library {
  void* handle = nullptr;
  std::string path;
  std::string failure;
};

/// Beside the deck, then where the loader looks. It stays loaded: what it has registered may act until the
/// end.
Library open_library(const std::string& folder, const std::string& name) {
  const bool plain = name.find('/') == std::string::npos;
  Library out;
  for (const std::string& asked : {name, plain ? "lib" + name : std::string()}) {
    if (asked.empty()) continue;
    const auto found = find_file(folder, asked, ".so");
    if (!found) continue;
    out.path = *found;
    out.handle = dlopen(std::filesystem::absolute(*found).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!out.handle) out.failure = fmt::format("{} cannot be loaded: {}", out.path, dlerror());
    return out;
  }
  const std::string file = name.ends_with(".so") ? name : name + ".so";
  if (plain)
    for (const std::string& asked : {file, "lib" + file}) {
      out.path = asked;
      if ((out.handle = dlopen(asked.c_str(), RTLD_NOW | RTLD_LOCAL))) return out;
    }
  const char* further = std::getenv("LD_LIBRARY_PATH");
  out.failure = fmt::format(
      "there is no {}{} beside the deck ({}){}", file, plain ? " or lib" + file : "",
      folder.empty() ? "." : folder,
      plain ? fmt::format(" nor where the loader looks (LD_LIBRARY_PATH={})", further ? further : "") : "");
  return out;
}

bool has_both_cases(const std::string& name) {
  const auto any = [&](int (*is)(int)) {
    return std::any_of(name.begin(), name.end(), [&](unsigned char c) { return is(c) != 0; });
  };
  return any(std::isupper) && any(std::islower);
}

/// As ADAMS tells the interfaces apart: a name in both cases is C's, others are Fortran's. Without a name
/// that of the subroutine. The names that were looked for, where there is none.
std::string take_function(const Library& library, const std::string& name, UserNormalForce& out) {
  std::vector<std::string> tried;
  const auto symbol = [&](const std::string& asked) {
    tried.push_back(asked);
    return dlsym(library.handle, asked.c_str());
  };
  const std::string c = name.empty() ? "Cnfsub" : has_both_cases(name) ? name : "";
  if (!c.empty())
    if (void* found = symbol(c)) out.c = reinterpret_cast<UserNormalForce::C*>(found);
  if (!out.c && (name.empty() || c.empty())) {
    const std::string fortran = name.empty() ? "cnfsub" : name;
    for (const std::string& asked : {lower(fortran) + "_", lower(fortran), upper(fortran)}) {
      void* found = symbol(asked);
      if (!found) continue;
      out.fortran = reinterpret_cast<UserNormalForce::Fortran*>(found);
      break;
    }
  }
  out.name = fmt::format("{}: {}", library.path, tried.back());
  return out.c || out.fortran ? "" : fmt::format("{}", fmt::join(tried, ", "));
}

}  // namespace

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
  const std::string text(routine->text);
  const std::size_t colons = text.find("::");
  std::string name(trim(text.substr(0, colons)));
  if (lower(name).ends_with(".dll")) name.resize(name.size() - 4);  // as the deck names it on Windows
  const std::string function(colons == std::string::npos ? "" : trim(text.substr(colons + 2)));
  const Library library = open_library(std::filesystem::path(description_.file).parent_path().string(), name);
  std::string failure = library.failure;
  if (failure.empty())
    if (const std::string tried = take_function(library, function, *code); !tried.empty())
      failure = fmt::format(
          "{} has no function {}; a name in both cases (Cnfsub) is called as C, one in a "
          "single case as Fortran",
          library.path, tried);
  if (!failure.empty()) {
    diagnostics_.error(routine->where, "{}: NORMAL_ROUTINE={}: {}", s.label(), text, failure);
    return nullptr;
  }
  model_.user_forces.push_back(code);
  return code.get();
}

}  // namespace trammel
