#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "dataset/commands.h"
#include "dataset/names.h"
#include "dataset/scanner.h"

namespace trammel {

namespace fs = std::filesystem;

namespace {

/// `path` with each component that does not exist replaced by the entry that differs in case only.
std::optional<fs::path> find_ignoring_case(const fs::path& path) {
  std::error_code error;
  fs::path found;
  for (const fs::path& part : path) {
    const fs::path exact = found.empty() ? part : found / part;
    if (fs::exists(exact, error)) {
      found = exact;
      continue;
    }
    std::string best;  // the first in order of names, so that the answer does not depend on the disk
    fs::directory_iterator entry(found.empty() ? fs::path(".") : found, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (equal_ignoring_case(name, part.string()) && (best.empty() || name < best)) best = name;
    }
    if (best.empty()) return std::nullopt;
    found /= best;
  }
  if (!fs::is_regular_file(found, error)) return std::nullopt;
  return found;
}

/// C:\dir\name or \\host\dir\name: a place on a machine with other names of folders.
bool is_windows_place(std::string_view name) {
  const bool drive =
      name.size() > 2 && is_letter(name[0]) && name[1] == ':' && (name[2] == '\\' || name[2] == '/');
  return drive || name.starts_with("\\\\");
}

}  // namespace

std::optional<std::string> find_file(const std::string& folder, std::string_view name,
                                     std::string_view default_extension) {
  std::string plain(trim(name));
  std::replace(plain.begin(), plain.end(), '\\', '/');
  if (plain.empty() || plain.size() > 4000 || plain.find('\0') != std::string::npos) return std::nullopt;
  const fs::path asked = fs::path(folder) / plain;  // an absolute name replaces the folder
  std::vector<fs::path> candidates;
  const bool complete = equal_ignoring_case(asked.extension().string(), default_extension);
  if (complete) candidates = {asked};
  if (!complete) candidates = {fs::path(asked.string() + std::string(default_extension)), asked};
  std::error_code refused;  // why a candidate could not be looked at
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    if (fs::is_regular_file(fs::status(candidate, error))) return candidate.string();
    const bool absent =
        !error || error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    if (!absent) refused = error;
  }
  for (const fs::path& candidate : candidates)
    if (const auto found = find_ignoring_case(candidate)) return found->string();
  if (is_windows_place(trim(name)))
    return find_file(folder, plain.substr(plain.find_last_of('/') + 1), default_extension);
  if (refused) fail(ExitCode::io, "cannot look at {}: {}", in_quotes(plain), refused.message());
  return std::nullopt;
}

}  // namespace trammel
