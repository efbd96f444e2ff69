#include "session/backend_chooser.h"

#include <new>
#include <set>
#include <utility>

#include "assemble/device_assembler.h"
#include "backends/load.h"
#include "integrate/methods/list.h"

namespace trammel {

std::vector<LazyDevice> usable_devices(const std::vector<std::string>& backends, std::string& reasons) {
  std::vector<LazyDevice> devices;
  std::set<std::string> seen;
  const auto refuse = [&](const std::string& reason) { reasons += (reasons.empty() ? "" : "; ") + reason; };
  for (const std::string& name : backends) {
    try {
      const TrammelDeviceApi& api = load_backend(name);
      int count = 0;
      if (api.count(&count) != 0)
        refuse(fmt::format("{}: {}", name, api.error()));
      else if (count == 0)
        refuse(fmt::format("{}: its driver finds no device", name));
      for (int k = 0; k < count; ++k) {
        LazyDevice device{&api, k};
        if (api.describe(k, &device.info) != 0)
          refuse(fmt::format("{} {}: {}", name, k, api.error()));
        else if (seen.insert(fmt::format("{}, {}, {}", name, device.info.name, device.info.driver)).second)
          devices.push_back(device);
      }
    } catch (const Failure& failure) {
      refuse(failure.what());
    }
  }
  return devices;
}

BackendChooser::BackendChooser(std::vector<std::string> backends, StepTimer timer)
    : backends_(std::move(backends)), timer_(std::move(timer)) {}

std::string BackendChooser::reason_to_stay(const Model& model, const ComputeSettings& compute) {
  const std::string reason =
      reason_for_processor(model.unknowns(), compute.linear_solver, DeviceAssembler::refusal(model));
  if (!reason.empty()) return reason;
  if (!std::exchange(looked_, true)) devices_ = usable_devices(backends_, no_device_);
  return devices_.empty() ? "no usable GPU (" + no_device_ + ")" : "";
}

/// Times one side; null: the processor. A device is released afterwards.
TimedSide BackendChooser::timed(const StepsDue& due, const LazyDevice* device) const {
  TimedSide side{device ? device->where() : "cpu"};
  try {
    side.seconds = timer_(due, device ? device->open() : nullptr);
  } catch (const Failure& failure) {
    if (failure.code() == ExitCode::internal) throw;
    side.refusal = failure.what();
  } catch (const std::bad_alloc&) {
    side.refusal = "not enough memory to try";
  }
  return side;
}

BackendChooser::Decision BackendChooser::choose(const StepsDue& due) {
  const IntegratorOptions& options = due.stage.settings.integrator;
  if (method_of(options).on_processor)
    return {"cpu", processor_sentence(options.method + " is computed on the processor")};
  std::vector<TimedSide> sides{timed(due, nullptr)};
  for (const LazyDevice& device : devices_) sides.push_back(timed(due, &device));
  const BackendChoice choice = choose_backend(sides);
  if (choice.side == 0) return {"cpu", choice.sentence};
  const LazyDevice& chosen = devices_[choice.side - 1];
  try {
    due.session.compute_on(chosen.open());
  } catch (const Failure& failure) {
    if (failure.code() == ExitCode::internal) throw;
    return {"cpu",
            processor_sentence(fmt::format("{} cannot take the model: {}", chosen.where(), failure.what()))};
  }
  return {fmt::format("{}:{}", chosen.api->name, chosen.number), choice.sentence};
}

}  // namespace trammel
