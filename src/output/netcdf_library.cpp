#include "output/netcdf_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace trammel {
namespace {

constexpr const char* mend =
    "install it, name its file in the environment variable TRAMMEL_NETCDF, or choose other result files, "
    "such as "
    "--formats csv";

std::vector<std::string> places() {
  const char* given = std::getenv("TRAMMEL_NETCDF");
  if (given && *given != '\0') return {given};
  return {TRAMMEL_NETCDF_SONAME, TRAMMEL_NETCDF_FOLDER "/" TRAMMEL_NETCDF_SONAME};
}

/// Functions are bound when they are first called, as in a linked library: nearly all of what comes along
/// never is.
void* open_library(std::string& file) {
  std::string reason;
  for (const std::string& place : places()) {
    file = place;
    if (void* library = dlopen(place.c_str(), RTLD_LAZY | RTLD_LOCAL)) return library;
    if (reason.empty())
      reason = dlerror();  // that of the first place: the second is a folder of the builder's
  }
  fail(ExitCode::io, "the netCDF library, which .nc files need, cannot be loaded: {}; {}", reason, mend);
}

NetcdfLibrary load() {
  std::string file;
  void* library = open_library(file);
  const auto function = [&](const char* name) {
    void* found = dlsym(library, name);
    if (!found) {
      dlclose(library);
      fail(ExitCode::io, "{} is no netCDF library that this program can use: it has no {}; {}", file, name,
           mend);
    }
    return found;
  };
  NetcdfLibrary out;
#define TRAMMEL_NETCDF_SET(name) out.name = reinterpret_cast<decltype(out.name)>(function(#name));
  TRAMMEL_NETCDF_FUNCTIONS(TRAMMEL_NETCDF_SET)
#undef TRAMMEL_NETCDF_SET
  return out;
}

}  // namespace

const NetcdfLibrary& netcdf() {
  static const NetcdfLibrary library = load();  // stays loaded
  return library;
}

}  // namespace trammel
