#include "app/calibration_cache.h"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/bench_machine.h"
#include "app/version.h"
#include "base/diagnostics.h"
#include "linear/dense_kernels.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Changes whenever a constant changes its meaning.
constexpr int format_version = 1;

template <class Constants>
Json to_json(const std::map<std::string, Calibrated<Constants>>& entries) {
  Json out = Json::object();
  for (const auto& [key, entry] : entries) {
    Json& one = out[key];
    one["date"] = entry.date;
    for (const auto& field : fields_of(entry.constants)) one[field.key] = entry.constants.*field.value;
  }
  return out;
}

/// Throws nlohmann's exceptions for what is missing or no number, Failure for what cannot be a time.
template <class Constants>
void from_json(const Json& list, std::map<std::string, Calibrated<Constants>>& entries) {
  for (const auto& [key, one] : list.items()) {
    Calibrated<Constants> entry;
    entry.date = one.at("date").template get<std::string>();
    for (const auto& field : fields_of(entry.constants)) {
      const double value = one.at(field.key).template get<double>();
      if (!(value >= 0) || !std::isfinite(value)) fail(ExitCode::io, "{} of {} is {}", field.key, key, value);
      entry.constants.*field.value = value;
    }
    if (!(entry.constants.bandwidth > 0)) fail(ExitCode::io, "the bandwidth of {} is 0", key);
    entries[key] = entry;
  }
}

}  // namespace

fs::path calibration_path() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return fs::path(cache) / "trammel" / "calibration.json";
  const char* home = std::getenv("HOME");
  if (home && *home) return fs::path(home) / ".cache" / "trammel" / "calibration.json";
  return {};
}

std::string processor_key() {
  return bench::describe_machine()["cpu"].get<std::string>() + ", " + dense_kernels().name;
}

std::string device_key(const std::string& backend, const TrammelDeviceInfo& info) {
  return fmt::format("{}, {}, {}", backend, info.name, info.driver);
}

CalibrationCache::CalibrationCache(fs::path path) : path_(std::move(path)) {
  try {
    read();
  } catch (const std::exception& error) {
    processors_.clear();
    devices_.clear();
    note_ = fmt::format("{} cannot be understood and is written anew: {}", path_.string(), error.what());
  }
}

void CalibrationCache::read() {
  std::error_code error;
  if (path_.empty() || !fs::exists(path_, error)) return;
  std::ifstream file(path_);
  if (!file) fail(ExitCode::io, "it cannot be read");
  const Json json = Json::parse(file);
  if (json.at("format") != format_version || json.at("build") != program_build()) {
    note_ = fmt::format("{} is of another build of the program and is written anew.", path_.string());
    return;
  }
  from_json(json.at("processors"), processors_);
  from_json(json.at("devices"), devices_);
}

void CalibrationCache::keep(const ProcessorConstants& constants) {
  processors_[processor_key()] = {constants, bench::utc_now()};
}

void CalibrationCache::keep(const std::string& key, const DeviceConstants& constants) {
  devices_[key] = {constants, bench::utc_now()};
}

std::string CalibrationCache::write() const {
  if (path_.empty()) return "neither XDG_CACHE_HOME nor HOME is set";
  std::error_code error;
  fs::create_directories(path_.parent_path(), error);
  if (error) return fmt::format("{}: {}", path_.parent_path().string(), error.message());
  const Json json{{"format", format_version},
                  {"build", program_build()},
                  {"processors", to_json(processors_)},
                  {"devices", to_json(devices_)}};
  const fs::path temporary =
      path_.string() + fmt::format(".{}", getpid());  // runs may begin at the same time
  std::ofstream file(temporary);
  file << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  if (!file.flush()) {
    fs::remove(temporary, error);
    return fmt::format("{} cannot be written", temporary.string());
  }
  fs::rename(temporary, path_, error);
  if (!error) return "";
  const std::string reason = fmt::format("{}: {}", path_.string(), error.message());
  fs::remove(temporary, error);
  return reason;
}

}  // namespace trammel
