#include "cli/devices.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "backends/load.h"
#include "base/diagnostics.h"
#include "bench_tool/machine.h"
#include "device_api/device.h"
#include "linear/host/dense_kernels.h"
#include "terminal/print.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* explanation =
    "cpu is the processor, on which everything runs; its architecture is the instruction set of its dense\n"
    "kernels, that of a GPU its compute capability; shared is memory that a group of threads may ask for.\n"
    "Other back ends are libraries that are loaded when they are asked for (TRAMMEL_PLUGINS names folders to "
    "look "
    "in).\n"
    "host runs the kernels of devices on the processor, for tests. Where one has no device, the reason "
    "stands\n"
    "in its place.\n\n"
    "Examples:\n"
    "  trammel devices\n"
    "  trammel devices --json | python3 -m json.tool\n"
    "  trammel bench --backend cuda --device 0      what a device is worth\n\n"
    "Exit codes: 0 a list was printed, whatever is in it; 2 wrong command line.";

/// Memory [bytes] that is available to programs (MemAvailable); 0: not known.
std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (std::uint64_t kib = 0; word == "MemAvailable:" && file >> kib) return 1024 * kib;
  return 0;
}

Json processor() {
  const Json machine = bench::describe_machine();
  return {{"number", 0},
          {"name", machine["cpu"]},
          {"cores", std::max(1u, std::thread::hardware_concurrency())},
          {"instructions", dense_kernels().name},
          {"memory_bytes", static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                               static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))},
          {"free_bytes", available_memory()}};
}

Json describe(int number, const Device& device) {
  const TrammelDeviceInfo& info = device.info();
  Json out{{"number", number},
           {"name", info.name},
           {"architecture", info.architecture},
           {"multiprocessors", info.multiprocessors},
           {"memory_bytes", info.memory},
           {"free_bytes", device.free_memory()},
           {"built_for_bytes_per_second", info.bandwidth},
           {"shared_memory_bytes", info.shared_memory},
           {"driver", info.driver}};
  if (!device.has_sections()) out["program_decides_because"] = info.no_sections;
  return out;
}

/// A back end with its devices, and the reason where it, or one of them, cannot be used.
Json list(const std::string& name) {
  Json out{{"name", name}, {"devices", Json::array()}};
  try {
    const TrammelDeviceApi& api = load_backend(name);
    int devices = 0;
    if (api.count(&devices) != 0)
      out["reason"] = api.error();
    else if (devices == 0)
      out["reason"] = "its driver finds no device";
    for (int k = 0; k < devices; ++k) {
      try {
        out["devices"].push_back(describe(k, Device(api, k)));
      } catch (const Failure& failure) {
        out["devices"].push_back({{"number", k}, {"reason", failure.what()}});
      }
    }
  } catch (const Failure& failure) {
    out["reason"] = failure.what();
  }
  return out;
}

std::string size_text(std::uint64_t bytes) {
  if (bytes == 0) return "-";
  return bytes < (1u << 30) ? fmt::format("{:.0f} KiB", static_cast<double>(bytes) / 1024)
                            : fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1u << 30));
}

std::string architecture_text(const Json& device) {
  if (device.contains("instructions")) return device["instructions"];
  const int number = device["architecture"];
  return number > 0 ? fmt::format("{}.{}", number / 10, number % 10) : "-";
}

std::vector<std::string> row(const std::string& backend, const Json& device) {
  const bool cpu = device.contains("cores");
  const std::string name = device["name"];
  return {backend,
          std::to_string(device["number"].get<int>()),
          cpu ? fmt::format("{}, {} cores", name, device["cores"].get<unsigned>()) : name,
          architecture_text(device),
          size_text(device["memory_bytes"]),
          size_text(device["free_bytes"]),
          cpu ? "-" : size_text(device["shared_memory_bytes"]),
          cpu ? "-" : device["driver"].get<std::string>()};
}

void print(const Json& backends) {
  std::vector<std::vector<std::string>> rows{
      {"back end", "no", "name", "architecture", "memory", "free", "shared", "driver"}};
  std::string reasons;
  for (const Json& backend : backends) {
    const std::string name = backend["name"];
    if (backend.contains("reason"))
      reasons += fmt::format("{}: not available: {}\n", name, backend["reason"].get<std::string>());
    for (const Json& device : backend["devices"])
      if (device.contains("reason"))
        reasons += fmt::format("{} {}: not available: {}\n", name, device["number"].get<int>(),
                               device["reason"].get<std::string>());
      else {
        rows.push_back(row(name, device));
        if (device.contains("program_decides_because"))
          reasons +=
              fmt::format("{} {}: the program makes each decision in a step: {}\n", name,
                          device["number"].get<int>(), device["program_decides_because"].get<std::string>());
      }
  }
  std::vector<std::size_t> width(rows[0].size());
  for (const auto& r : rows)
    for (std::size_t k = 0; k < r.size(); ++k) width[k] = std::max(width[k], r[k].size());
  std::string text;
  for (const auto& r : rows) {
    for (std::size_t k = 0; k + 1 < r.size(); ++k) text += fmt::format("{:<{}}  ", r[k], width[k]);
    text += r.back() + "\n";
  }
  text += reasons;
  text.pop_back();
  print_line(stdout, text);
}

}  // namespace

void add_devices(CLI::App& app, DevicesOptions& options) {
  auto* command = app.add_subcommand("devices", "processor, back ends and devices that there are");
  command->footer(explanation);
  command->add_flag("--json", options.json, "as JSON on standard output");
}

int devices_command(const DevicesOptions& options) {
  return guarded_command([&] {
    Json backends{{{"name", "cpu"}, {"devices", {processor()}}}};
    for (const std::string& name : backend_names()) backends.push_back(list(name));
    if (options.json) {
      print_line(stdout, Json{{"backends", backends}}.dump(2));
      return 0;
    }
    print(backends);
    return 0;
  });
}

}  // namespace trammel
