// `--backend auto` in a run: looks for devices, times the first steps on them and on the processor, and
// decides, for every model that is simulated.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session/backend_choice.h"
#include "session/step_timing.h"

namespace trammel {

/// A device that is opened when it is needed.
struct LazyDevice {
  const TrammelDeviceApi* api = nullptr;
  int number = 0;
  TrammelDeviceInfo info{};

  std::string where() const { return fmt::format("{}:{} ({})", api->name, number, info.name); }
  /// Throws Failure(backend).
  std::shared_ptr<Device> open() const { return std::make_shared<Device>(*api, number); }
};

/// The devices of back ends that can be used, of several of one name and driver the first; to `reasons` why
/// others cannot, in the words of the loader or the driver. None is opened.
std::vector<LazyDevice> usable_devices(const std::vector<std::string>& backends, std::string& reasons);

/// Decides where the steps of a simulation are computed, before its first one. Devices are looked for when a
/// model asks for it.
class BackendChooser {
 public:
  /// Back ends to consider, and who times.
  BackendChooser(std::vector<std::string> backends, StepTimer timer);
  /// Why the steps of the model stay on the processor, whatever they take; "" where they have to be timed.
  std::string reason_to_stay(const Model& model, const ComputeSettings& compute);

  struct Decision {
    std::string backend;   ///< "cpu", "cuda:0"
    std::string sentence;  ///< what and why
  };
  /// Times the steps that are due, and if it is to be a device moves the simulation there.
  Decision choose(const StepsDue& due);

 private:
  TimedSide timed(const StepsDue& due, const LazyDevice* device) const;

  std::vector<std::string> backends_;
  StepTimer timer_;
  bool looked_ = false;
  std::vector<LazyDevice> devices_;
  std::string no_device_;  ///< why there is none
};

}  // namespace trammel
