#include "model/user_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/text.h"
#include "dataset/commands.h"

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

/// Sfosub of SFOSUB.
std::string c_name(const std::string& subroutine) {
  return subroutine.substr(0, 1) + lower(subroutine.substr(1));
}

/// As ADAMS tells the interfaces apart: a name in both cases is C's, others are Fortran's. Without a name
/// that of the subroutine. The names that were looked for, where there is none.
std::string take_function(const Library& library, const std::string& name, const std::string& subroutine,
                          UserCode& out) {
  std::vector<std::string> tried;
  const auto symbol = [&](const std::string& asked) {
    tried.push_back(asked);
    return dlsym(library.handle, asked.c_str());
  };
  const std::string c = name.empty() ? c_name(subroutine) : has_both_cases(name) ? name : "";
  if (!c.empty()) out.c = symbol(c);
  if (!out.c && (name.empty() || c.empty())) {
    const std::string fortran = name.empty() ? lower(subroutine) : name;
    for (const std::string& asked : {lower(fortran) + "_", lower(fortran), upper(fortran)})
      if ((out.fortran = symbol(asked))) break;
  }
  out.name = fmt::format("{}: {}", library.path, tried.back());
  return out.c || out.fortran ? "" : fmt::format("{}", fmt::join(tried, ", "));
}

}  // namespace

std::string load_user_code(const std::string& folder, const std::string& routine,
                           const std::string& subroutine, UserCode& out) {
  const std::size_t colon = routine.find(':');
  const std::size_t behind = routine.find_first_not_of(':', colon);
  std::string name(trim(routine.substr(0, colon)));
  if (lower(name).ends_with(".dll")) name.resize(name.size() - 4);  // as the deck names it on Windows
  const std::string function(behind == std::string::npos ? "" : trim(routine.substr(behind)));
  const Library library = open_library(folder, name);
  if (!library.failure.empty()) return library.failure;
  const std::string tried = take_function(library, function, subroutine, out);
  if (tried.empty()) return {};
  return fmt::format(
      "{} has no function {}; a name in both cases ({}) is called as C, one in a single case as Fortran",
      library.path, tried, c_name(subroutine));
}

}  // namespace trammel
