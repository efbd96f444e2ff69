#include "output/run_info.h"

#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace trammel {
namespace {

std::tm local_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  return parts;
}

std::string format_time(const std::tm& parts, const char* format) {
  char buffer[64];
  const std::size_t length = std::strftime(buffer, sizeof buffer, format, &parts);
  return std::string(buffer, length);
}

/// "+0200" of strftime to "+02:00".
std::string zone_of(const std::tm& parts) {
  std::string zone = format_time(parts, "%z");
  if (zone.size() == 5) zone.insert(3, ":");
  return zone;
}

/// Asked once: where users are listed on a network, an answer takes a while.
const std::string& user_name() {
  static const std::string name = []() -> std::string {
    if (const passwd* entry = getpwuid(geteuid())) return entry->pw_name;
    if (const char* user = std::getenv("USER")) return user;
    return std::to_string(geteuid());
  }();
  return name;
}

}  // namespace

void describe_process(RunInfo& info) {
  utsname names{};
  if (uname(&names) == 0) {
    info.host = names.nodename;
    info.system = names.sysname;
    info.system_release = names.release;
  }
  info.user = user_name();
  std::error_code error;
  info.directory = std::filesystem::current_path(error).string();
  const std::tm now = local_now();
  info.local_time = format_time(now, "%Y-%m-%d %H:%M:%S");
  info.time_zone = zone_of(now);
  info.process_id = static_cast<int>(getpid());
}

std::string iso_time_now() {
  const std::tm now = local_now();
  return format_time(now, "%Y-%m-%dT%H:%M:%S") + zone_of(now);
}

}  // namespace trammel
