#include "output/status_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "output/number_text.h"
#include "output/run_info.h"

namespace trammel {
namespace {

/// The job's number in the batch system, "" if there is none.
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

/// Space for additions at the end of a run: a message and the list of files.
constexpr std::size_t reserve_bytes = 8192;

/// Replaces the old file atomically; on a full disk, overwrites it in the space it occupies.
void put_account(const std::string& path, const std::string& text, Durable durable) {
  try {
    replace_file(path, text, reserve_bytes, durable);
  } catch (const Failure&) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) throw;
    overwrite_file(path, text);
  }
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

void write_account(const std::string& path, const nlohmann::ordered_json& json, Durable durable) {
  // Numbers that JSON cannot represent (NaN) become null; invalid UTF-8 is replaced.
  put_account(path, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
              durable);
}

void write_status(const std::string& path, const RunStatus& status, const std::string& started) {
  nlohmann::ordered_json json;
  json["state"] = status.state;
  json["exit_code"] = status.exit_code ? nlohmann::ordered_json(*status.exit_code) : nlohmann::ordered_json();
  const bool running = status.state == "running";
  json["phase"] = running ? nlohmann::ordered_json(status.phase) : nlohmann::ordered_json();
  json["progress"] = progress_of(status);
  json["seconds_left"] = running && status.seconds_left >= 0 ? nlohmann::ordered_json(status.seconds_left)
                                                             : nlohmann::ordered_json();
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
  write_account(path, json, running ? Durable::no : Durable::yes);
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
