#include "backends/load.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "backends/host.h"
#include "backends/host_solver.h"
#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {
namespace {

/// The shared library that this function is in; "": it is in the program itself.
std::filesystem::path own_library() {
  Dl_info info{};
  void* entry = nullptr;
  if (!dladdr1(reinterpret_cast<const void*>(&own_library), &info, &entry, RTLD_DL_LINKMAP)) return {};
  std::error_code error;
  return std::filesystem::canonical(static_cast<const link_map*>(entry)->l_name, error);
}

std::vector<std::filesystem::path> plugin_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* given = std::getenv("TRAMMEL_PLUGINS"))
    for (const std::string_view folder : split(given, ':'))
      if (!folder.empty()) folders.emplace_back(folder);
  if (const auto library = own_library(); !library.empty()) {
    const auto folder = library.parent_path();  // lib, or one for each kind of machine in it
    folders.insert(folders.end(), {folder, folder / "trammel", folder.parent_path() / "trammel"});
  }
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    folders.push_back(program.parent_path());
    folders.push_back(program.parent_path().parent_path() / "lib" / "trammel");
  }
  return folders;
}

/// The table returned by the library's function `entry`; `kind` names the library's kind in messages.
template <class Api>
const Api& open_library(const std::filesystem::path& path, const char* entry, int abi, const char* kind) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(ExitCode::backend, "{} cannot be loaded: {}", path.string(), dlerror());
  const auto function = reinterpret_cast<const Api* (*)()>(dlsym(library, entry));
  const Api* api = function ? function() : nullptr;
  if (!api) fail(ExitCode::backend, "{} is no {}: it has no {}", path.string(), kind, entry);
  if (api->abi != abi)
    fail(ExitCode::backend,
         "{} speaks version {} of the interface, this program version {}: build both together", path.string(),
         api->abi, abi);
  return *api;
}

/// The first library of that name; `built` says, for the message, when it is built.
std::filesystem::path find_library(const std::string& what, const std::string& file, const char* built) {
  std::string looked;
  for (const auto& folder : plugin_folders()) {
    std::error_code error;
    if (std::filesystem::exists(folder / file, error)) return folder / file;
    looked += (looked.empty() ? "" : ", ") + folder.string();
  }
  fail(ExitCode::backend,
       "{}: {} is in none of {}; it is built {}, and TRAMMEL_PLUGINS names further folders", what, file,
       looked, built);
}

struct SolverLibrary {
  const char *name, *file, *built;
};
constexpr SolverLibrary solver_libraries[] = {
    {"cusolver_rf", "libtrammel_cusolver.so", "where a CUDA compiler and cuSOLVER are found"},
    {"cudss", "libtrammel_cudss.so",
     "where a CUDA compiler and cuDSS are found (TRAMMEL_CUDSS=ON says why not)"}};

}  // namespace

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names{"cuda", "host"};
  return names;
}

const TrammelDeviceApi& load_backend(const std::string& name) {
  if (name == "host") return host_device_api();
  if (name != "cuda") fail(ExitCode::usage, "there is no back end '{}'; there are cuda and host", name);
  const auto library = find_library("back end " + name, "libtrammel_" + name + ".so",
                                    "where a CUDA compiler is found (TRAMMEL_CUDA=ON says why not)");
  return open_library<TrammelDeviceApi>(library, TRAMMEL_DEVICE_ENTRY, TRAMMEL_DEVICE_ABI, "back end");
}

const std::vector<std::string>& device_solver_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const SolverLibrary& l : solver_libraries) list.emplace_back(l.name);
    return list;
  }();
  return names;
}

const TrammelSolverApi& load_solver(const std::string& backend, const std::string& name) {
  const auto* found = std::find_if(std::begin(solver_libraries), std::end(solver_libraries),
                                   [&](const SolverLibrary& l) { return l.name == name; });
  if (found == std::end(solver_libraries))
    fail(ExitCode::usage, "a device has no linear solver '{}'; there are {}", name,
         fmt::join(device_solver_names(), ", "));
  if (backend == "host") {
    if (name == host_solver_api().name) return host_solver_api();
    fail(ExitCode::backend, "linear solver {}: back end host has none in its place; it is for --backend cuda",
         name);
  }
  return open_library<TrammelSolverApi>(find_library("linear solver " + name, found->file, found->built),
                                        TRAMMEL_SOLVER_ENTRY, TRAMMEL_SOLVER_ABI, "linear solver");
}

}  // namespace trammel
