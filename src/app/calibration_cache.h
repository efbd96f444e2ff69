// Where measured constants are kept between runs: one JSON file per user, entries by machine.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "app/calibration.h"

namespace trammel {

/// $XDG_CACHE_HOME/trammel/calibration.json, else ~/.cache/trammel/calibration.json; "" where neither
/// variable is set.
std::filesystem::path calibration_path();

/// "AMD EPYC 9654 96-Core Processor, avx512": whose constants they are.
std::string processor_key();
/// "cuda, NVIDIA H200, driver for CUDA 13.0, runtime 13.0".
std::string device_key(const std::string& backend, const TrammelDeviceInfo& info);

template <class Constants>
struct Calibrated {
  Constants constants;
  std::string date;  ///< ISO 8601, UTC
};

/// The constants of machines that this program (version of the file, revision of the sources) has measured;
/// other machines' entries stay.
class CalibrationCache {
 public:
  /// What the file holds. A file that is not there is an empty cache; one that cannot be read, or is of
  /// another program, is, too, and note() says so.
  explicit CalibrationCache(std::filesystem::path path = calibration_path());

  const std::filesystem::path& path() const { return path_; }
  const std::string& note() const { return note_; }
  /// nullptr: not measured.
  const Calibrated<ProcessorConstants>* processor() const { return find(processors_, processor_key()); }
  const Calibrated<DeviceConstants>* device(const std::string& key) const { return find(devices_, key); }
  void keep(const ProcessorConstants& constants);
  void keep(const std::string& key, const DeviceConstants& constants);
  /// Puts the file in place of the old one, at once; "" or why it could not.
  std::string write() const;

 private:
  template <class Constants>
  using Entries = std::map<std::string, Calibrated<Constants>>;
  template <class Constants>
  static const Calibrated<Constants>* find(const Entries<Constants>& entries, const std::string& key) {
    const auto found = entries.find(key);
    return found == entries.end() ? nullptr : &found->second;
  }
  void read();

  std::filesystem::path path_;
  std::string note_;
  Entries<ProcessorConstants> processors_;
  Entries<DeviceConstants> devices_;
};

}  // namespace trammel
