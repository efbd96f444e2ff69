#include "backend/load.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "backend/host.h"
#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {
namespace {

std::vector<std::filesystem::path> plugin_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* given = std::getenv("TRAMMEL_PLUGINS"))
    for (const std::string_view folder : split(given, ':'))
      if (!folder.empty()) folders.emplace_back(folder);
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    folders.push_back(program.parent_path());
    folders.push_back(program.parent_path().parent_path() / "lib" / "trammel");
  }
  return folders;
}

const TrammelDeviceApi& open_library(const std::filesystem::path& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(ExitCode::backend, "{} cannot be loaded: {}", path.string(), dlerror());
  using Entry = const TrammelDeviceApi* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, TRAMMEL_DEVICE_ENTRY));
  const TrammelDeviceApi* api = entry ? entry() : nullptr;
  if (!api) fail(ExitCode::backend, "{} is no back end: it has no {}", path.string(), TRAMMEL_DEVICE_ENTRY);
  if (api->abi != TRAMMEL_DEVICE_ABI)
    fail(ExitCode::backend,
         "{} speaks version {} of the interface, this program version {}: build both together", path.string(),
         api->abi, TRAMMEL_DEVICE_ABI);
  return *api;
}

}  // namespace

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names{"cuda", "host"};
  return names;
}

const TrammelDeviceApi& load_backend(const std::string& name) {
  if (name == "host") return host_device_api();
  if (name != "cuda") fail(ExitCode::usage, "there is no back end '{}'; there are cuda and host", name);
  const std::string file = "libtrammel_" + name + ".so";
  std::string looked;
  for (const auto& folder : plugin_folders()) {
    std::error_code error;
    if (std::filesystem::exists(folder / file, error)) return open_library(folder / file);
    looked += (looked.empty() ? "" : ", ") + folder.string();
  }
  fail(ExitCode::backend,
       "back end {}: {} is in none of {}; it is built where a CUDA compiler is found (TRAMMEL_CUDA=ON says "
       "why "
       "not), and TRAMMEL_PLUGINS names further folders",
       name, file, looked);
}

}  // namespace trammel
