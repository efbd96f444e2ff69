// `--backend auto` in a run: asks the machine, and decides for every model that is simulated.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/simulation.h"
#include "app/backend_choice.h"
#include "app/calibration_cache.h"

namespace trammel {

/// A device that is opened when it is needed.
struct LazyDevice {
  const TrammelDeviceApi* api = nullptr;
  int number = 0;
  TrammelDeviceInfo info{};
  std::shared_ptr<Device> device = nullptr;

  std::string where() const { return fmt::format("{}:{} ({})", api->name, number, info.name); }
  /// Throws Failure(backend).
  const std::shared_ptr<Device>& open() {
    if (!device) device = std::make_shared<Device>(*api, number);
    return device;
  }
};

/// The devices of back ends that can be used, of several of one name and driver the first; to `reasons` why
/// others cannot, in the words of the loader or the driver.
std::vector<LazyDevice> usable_devices(const std::vector<std::string>& backends, std::string& reasons);

/// Constants of this machine: from the cache, else measured and kept there. What there is to say about it
/// (cannot be read, cannot be written) goes to `note`.
class MachineConstants {
 public:
  using Note = std::function<void(const std::string&)>;
  explicit MachineConstants(Note note = {});
  const ProcessorConstants& processor();
  const DeviceConstants& of(LazyDevice& device);
  const DeviceConstants& of(Device& device);
  /// Measures anew whatever there is in the cache.
  void renew_processor();
  void renew(LazyDevice& device);
  /// Why what was measured is not in the cache; "" if it is.
  const std::string& not_kept() const { return not_kept_; }

 private:
  const DeviceConstants& find(const std::string& key, const std::function<Device&()>& open);
  void measure(const std::string& key, Device& device);
  void keep(const std::string& what, double seconds);
  Note note_;
  CalibrationCache cache_;
  std::string not_kept_;
};

/// Decides where the steps of a simulation are computed, before its first one. Devices are looked for, and
/// constants measured, when a model asks for it; both are kept for the models that changes make of it.
class BackendChooser {
 public:
  /// Back ends to consider; notes about the measurement.
  BackendChooser(std::vector<std::string> backends, MachineConstants::Note note);
  struct Decision {
    std::string backend;   ///< "cpu", "cuda:0"
    std::string sentence;  ///< what and why
  };
  /// Decides, and if it is to be a device moves the simulation there.
  Decision choose(Simulation& simulation, const ComputeSettings& compute);

 private:
  BackendChoice predict_all(Simulation& simulation, const ComputeSettings& compute);

  std::vector<std::string> backends_;
  MachineConstants::Note note_;
  bool looked_ = false;
  std::vector<LazyDevice> devices_;
  std::string no_device_;  ///< why there is none
  std::unique_ptr<MachineConstants> constants_;
};

}  // namespace trammel
