#include "session/checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "session/saved_file.h"

namespace trammel {

std::string checksum_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return fmt::format("{:016x}", checksum(std::string{std::istreambuf_iterator<char>(file), {}}));
}

void add_checksums(RunIdentity& list, const std::vector<std::string>& files, const std::string& deck) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::canonical(deck, error).parent_path();
  std::map<std::string, std::string> sums;
  for (const std::string& file : files)
    if (const std::string sum = checksum_of_file(file); !sum.empty())
      sums[fs::canonical(file, error).lexically_relative(folder).string()] = "checksum " + sum;
  list.insert(list.end(), sums.begin(), sums.end());
}

void require_same(const RunIdentity& saved, const RunIdentity& now) {
  const auto told = [](const std::string& value) { return value.empty() ? "not given" : value; };
  const auto value_in = [](const RunIdentity& list, const std::string& name) -> std::string {
    for (const auto& [key, value] : list)
      if (key == name) return value;
    return {};
  };
  const auto differ = [&](const std::string& name) {
    fail(ExitCode::usage,
         "--resume: {} is another than when the run was saved (then: {}; now: {}). Give the same again, or "
         "leave "
         "--resume out to begin anew",
         name, told(value_in(saved, name)), told(value_in(now, name)));
  };
  for (const RunIdentity* list : {&saved, &now})
    for (const auto& [name, value] : *list)
      if (value_in(saved, name) != value_in(now, name)) differ(name);
}

bool Checkpoint::due(bool now) {
  if (!wanted()) return false;
  if (now) return !std::exchange(now_done_, true);
  return since_last_.seconds() >= seconds_;
}

void Checkpoint::write(const std::string& prefix, const std::string& bytes) {
  write_saved(path(prefix), bytes);
  since_last_ = {};
  written_ = true;
}

std::optional<std::string> Checkpoint::read(const std::string& prefix) {
  std::error_code error;
  if (!std::filesystem::exists(path(prefix), error)) return std::nullopt;
  return read_saved(path(prefix));
}

void Checkpoint::remove(const std::string& prefix) {
  std::error_code error;  // ignored: a file that does not exist need not be removed
  std::filesystem::remove(path(prefix), error);
  std::filesystem::remove(unfinished_path(path(prefix)), error);
}

}  // namespace trammel
