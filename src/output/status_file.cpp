#include "output/status_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "output/number_text.h"
#include "output/run_info.h"

namespace trammel {
namespace {

/// Number of this job at the batch system, "" outside of one.
std::string batch_job_id() {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"})
    if (const char* value = std::getenv(name)) return value;
  return "";
}

std::string array_task_id() {
  for (const char* name : {"SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "LSB_JOBINDEX", "SGE_TASK_ID"})
    if (const char* value = std::getenv(name)) return value;
  return "";
}

[[noreturn]] void fail_and_remove(const char* action, const std::string& path, const std::string& temporary,
                                  int descriptor) {
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  ::unlink(temporary.c_str());
  throw Failure(ExitCode::io, io_error_text(action, path, error));
}

/// Puts `text` in place of the file at once: readers see the old content or the new one.
void replace_file(const std::string& path, const std::string& text) {
  const std::filesystem::file_status kind = std::filesystem::status(path);
  if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind))
    fail(ExitCode::io, "cannot replace {}: it is not a regular file", path);
  const std::string temporary = path + ".tmp";
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw Failure(ExitCode::io, io_error_text("create", temporary, errno));
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_and_remove("write", path, temporary, descriptor);
    at += static_cast<std::size_t>(written);
  }
  if (::fsync(descriptor) != 0) fail_and_remove("write", path, temporary, descriptor);
  if (::close(descriptor) != 0) fail_and_remove("write", path, temporary, -1);
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail_and_remove("replace", path, temporary, -1);
}

}  // namespace

double progress_of(const RunStatus& status) {
  const double whole = status.end - status.start;
  if (!(whole > 0)) return 0.0;
  return std::clamp((status.t - status.start) / whole, 0.0, 1.0);
}

void add_process(nlohmann::ordered_json& json, const std::string& started) {
  RunInfo process;
  describe_process(process);
  json["pid"] = process.process_id;
  json["host"] = process.host;
  json["job_id"] = batch_job_id();
  json["array_task_id"] = array_task_id();
  json["started"] = started;
  json["updated"] = iso_time_now();
}

void write_account(const std::string& path, const nlohmann::ordered_json& json) {
  // Numbers that JSON cannot hold (NaN) become null; bytes that are no UTF-8 are replaced.
  replace_file(path, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void write_status(const std::string& path, const RunStatus& status, const std::string& started) {
  nlohmann::ordered_json json;
  json["state"] = status.state;
  json["exit_code"] = status.exit_code ? nlohmann::ordered_json(*status.exit_code) : nlohmann::ordered_json();
  json["progress"] = progress_of(status);
  json["t"] = status.t;
  json["end"] = status.end;
  json["step_size"] = status.step_size;
  json["steps"] = status.steps;
  json["backend"] = status.backend;
  json["backend_choice"] = as_utf8(status.backend_choice);
  json["linear_solver"] = status.linear_solver;
  json["message"] = as_utf8(status.message);
  add_process(json, started);
  json["version"] = status.program_version;
  json["command_line"] = as_utf8(status.command_line);
  json["input_file"] = as_utf8(status.input_file);
  json["files"] = nlohmann::ordered_json::array();
  for (const StatusFileEntry& file : status.files)
    json["files"].push_back({{"path", as_utf8(file.path)}, {"bytes", file.bytes}});
  write_account(path, json);
}

StatusFile::StatusFile(std::string path, double interval_seconds)
    : path_(std::move(path)), started_(iso_time_now()), clock_(interval_seconds) {}

void StatusFile::update(const RunStatus& status, bool now) {
  if (written_ && !now && !clock_.due()) return;
  write_status(path_, status, started_);
  written_ = true;
  clock_.reset();
}

}  // namespace trammel
