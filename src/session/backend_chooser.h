// `--backend auto` in a run: looks for devices, times the first steps on each and on the processor, and
// decides where to compute, for every model that is simulated.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session/backend_choice.h"
#include "session/step_timing.h"

namespace trammel {

/// A device that has been found, and is opened when it is needed.
struct LazyDevice {
  const TrammelDeviceApi* api = nullptr;
  int number = 0;
  TrammelDeviceInfo info{};

  std::string where() const { return fmt::format("{}:{} ({})", api->name, number, info.name); }
  /// Throws Failure(backend).
  std::shared_ptr<Device> open() const { return std::make_shared<Device>(*api, number); }
};

/// The usable devices of the back ends, of several with one name and driver the first. Adds to `reasons` why
/// others cannot be used, in the words of the loader or the driver. Opens none.
std::vector<LazyDevice> usable_devices(const std::vector<std::string>& backends, std::string& reasons);

/// Decides where the steps of a simulation are computed, before its first step. Devices are looked for when a
/// model may use one.
class BackendChooser {
 public:
  /// `backends`: names of the back ends to consider; `timer`: measures steps.
  BackendChooser(std::vector<std::string> backends, StepTimer timer);
  /// Why the steps of the model stay on the processor, without timing; "" where they have to be timed.
  std::string reason_to_stay(const Model& model, const ComputeSettings& compute);

  struct Decision {
    std::string backend;   ///< "cpu", "cuda:0"
    std::string sentence;  ///< the choice and its reason
  };
  /// Times the steps that are due, and moves the simulation to the device if one is chosen.
  Decision choose(const StepsDue& due);

 private:
  TimedSide timed(const StepsDue& due, const LazyDevice* device) const;

  std::vector<std::string> backends_;
  StepTimer timer_;
  bool looked_ = false;
  std::vector<LazyDevice> devices_;
  std::string no_device_;  ///< why there is no device
};

}  // namespace trammel
