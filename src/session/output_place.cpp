#include "session/output_place.h"

#include <cerrno>
#include <filesystem>

#include "output/stream_file.h"

namespace trammel {

namespace fs = std::filesystem;

std::vector<std::string> input_files(const Job& job, const JobOptions& options) {
  std::vector<std::string> files = {options.file, job.file, job.commands.model};
  files.insert(files.end(), job.commands.files.begin(), job.commands.files.end());
  for (const Statement& s : job.description.statements)
    if (s.has("FILE"))
      files.push_back((fs::path(job.commands.model).parent_path() / s.text("FILE")).string());
  return files;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const auto whole = [&](const std::string& path) { return fs::weakly_canonical(fs::absolute(path), error); };
  return whole(a) == whole(b);
}

void OutputPlace::take(const std::string& prefix, std::vector<std::string> inputs) {
  inputs_ = std::move(inputs);
  refuse_input(prefix + ".lock");
  claim_ = std::make_unique<Claim>(prefix + ".lock", prefix + ".*");
}

void OutputPlace::take_file(const std::string& path, std::vector<std::string> inputs) {
  inputs_ = std::move(inputs);
  std::error_code error;
  const fs::file_status kind = fs::status(path, error);
  if (fs::exists(kind) && !fs::is_regular_file(kind)) return;
  claim_ = std::make_unique<Claim>(path + ".lock", path);
}

void OutputPlace::refuse_input(const std::string& path) const {
  for (const std::string& input : inputs_) {
    std::error_code error;  // ignored: a file that does not exist is no input
    if (!fs::equivalent(path, input, error)) continue;
    const std::string other = path == input ? "" : fmt::format(" (as {})", input);
    fail(ExitCode::usage, "{} is read{} and must not be overwritten; choose another -o (or --log-json)", path,
         other);
  }
}

std::string OutputPlace::make_room(const std::string& path) const {
  refuse_input(path);
  std::error_code error;
  const fs::path file = fs::canonical(path, error);  // the target of links
  if (error || !fs::is_regular_file(file, error) || fs::file_size(file, error) == 0 || error) return "";
  const std::string kept = earlier_name(file.string());
  refuse_input(kept);
  fs::rename(file, kept, error);
  if (error) throw Failure(ExitCode::io, io_error_text("keep the earlier file as", kept, error.value()));
  return earlier_name(path);
}

}  // namespace trammel
