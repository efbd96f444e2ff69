// The origin of a run, stored in every result file: model, program, machine, user.
#pragma once

#include <string>

namespace trammel {

/// Plain text, as printed; empty: unknown.
struct RunInfo {
  std::string title;  ///< first line of the dataset
  std::string program = "Trammel";
  std::string version;       ///< "0.1.0"
  std::string build;         ///< compiler, revision
  std::string command_line;  ///< as the user gave it
  std::string input_file;    ///< the dataset
  std::string integrator;    ///< "HHT I3"
  std::string backend;       ///< "cpu", "cuda:0"
  std::string host, system, system_release, user, directory;
  std::string local_time;  ///< start of the run, "2024-05-17 22:52:01"
  std::string time_zone;   ///< "+02:00"
  int process_id = 0;
};

/// Fills host, system, user, directory, local_time, time_zone and process_id from this process.
void describe_process(RunInfo& info);

/// The present time as ISO 8601 with the offset from UTC: "2024-05-17T22:52:01+02:00".
std::string iso_time_now();

}  // namespace trammel
