#include "app/backend_choice_run.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "app/backend_choice_counts.h"
#include "assemble/device_assembler.h"
#include "backend/load.h"

namespace trammel {

MachineConstants::MachineConstants(Note note) : note_(note ? std::move(note) : [](const std::string&) {}) {
  if (!cache_.note().empty()) note_(cache_.note());
}

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void MachineConstants::keep(const std::string& what, double seconds) {
  not_kept_ = cache_.write();
  note_(not_kept_.empty()
            ? fmt::format("{} was measured in {:.1f} s, for this and later runs ({}).", what, seconds,
                          cache_.path().string())
            : fmt::format("{} was measured in {:.1f} s, for this run alone: {}.", what, seconds, not_kept_));
}

void MachineConstants::renew_processor() {
  const auto begin = std::chrono::steady_clock::now();
  cache_.keep(measure_processor());
  keep("The processor", seconds_since(begin));
}

void MachineConstants::measure(const std::string& key, Device& device) {
  const auto begin = std::chrono::steady_clock::now();
  cache_.keep(key, measure_device(device));
  keep(device.info().name, seconds_since(begin));
}

const ProcessorConstants& MachineConstants::processor() {
  if (!cache_.processor()) renew_processor();
  return cache_.processor()->constants;
}

const DeviceConstants& MachineConstants::find(const std::string& key, const std::function<Device&()>& open) {
  if (!cache_.device(key)) measure(key, open());
  return cache_.device(key)->constants;
}

const DeviceConstants& MachineConstants::of(LazyDevice& device) {
  return find(device_key(device.api->name, device.info), [&]() -> Device& { return *device.open(); });
}

const DeviceConstants& MachineConstants::of(Device& device) {
  return find(device_key(device.backend(), device.info()), [&]() -> Device& { return device; });
}

void MachineConstants::renew(LazyDevice& device) {
  measure(device_key(device.api->name, device.info), *device.open());
}

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
        else if (seen.insert(device_key(name, device.info)).second)
          devices.push_back(std::move(device));
      }
    } catch (const Failure& failure) {
      refuse(failure.what());
    }
  }
  return devices;
}

BackendChooser::BackendChooser(std::vector<std::string> backends, MachineConstants::Note note)
    : backends_(std::move(backends)), note_(std::move(note)) {}

BackendChoice BackendChooser::predict_all(Simulation& simulation, const ComputeSettings& compute) {
  if (!constants_) constants_ = std::make_unique<MachineConstants>(note_);
  const Assembler& assembler = simulation.assembler();
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const ProcessorCounts here = count_on_processor(simulation.model(), assembler, simulation.system(),
                                                  std::min(compute.threads, cores));
  const StepRhythm rhythm;
  const double seconds = predict(here, constants_->processor()).of(rhythm);
  std::vector<DeviceOffer> offers;
  for (LazyDevice& device : devices_) {
    DeviceOffer offer;
    offer.where = device.where();
    try {
      const DeviceConstants& there = constants_->of(device);
      const EquationCounts equations{here.equations, here.tangent};
      offer.seconds = predict(count_least_on_device(equations, here.vectors), there).of(rhythm);
      offer.at_least = offer.seconds > seconds;
      if (!offer.at_least)
        offer.seconds = predict(count_on_device(equations, here.vectors, assembler,
                                                static_cast<std::size_t>(device.info.shared_memory)),
                                there)
                            .of(rhythm);
    } catch (const Failure& failure) {
      offer.refusal = fmt::format("cannot: {}", failure.what());
    }
    offers.push_back(std::move(offer));
  }
  return choose_backend(seconds, offers);
}

BackendChooser::Decision BackendChooser::choose(Simulation& simulation, const ComputeSettings& compute) {
  const Model& model = simulation.model();
  const std::string reason =
      reason_for_processor(model.unknowns(), compute.linear_solver, DeviceAssembler::refusal(model));
  const auto stay = [](const BackendChoice& choice) { return Decision{"cpu", choice.sentence}; };
  if (!reason.empty()) return stay(keep_processor(reason));
  if (!std::exchange(looked_, true)) devices_ = usable_devices(backends_, no_device_);
  if (devices_.empty()) return stay(keep_processor("no usable GPU (" + no_device_ + ")"));
  BackendChoice choice;
  try {
    choice = predict_all(simulation, compute);
    if (choice.device < 0) return stay(choice);
    simulation.compute_on(devices_[choice.device].open());
  } catch (const Failure& failure) {
    if (failure.code() == ExitCode::internal) throw;
    const std::string what = choice.device < 0 ? "this machine cannot be measured"
                                               : devices_[choice.device].where() + " cannot take the model";
    return stay(keep_processor(fmt::format("{}: {}", what, failure.what())));
  }
  const LazyDevice& chosen = devices_[choice.device];
  return {fmt::format("{}:{}", chosen.api->name, chosen.number), choice.sentence};
}

}  // namespace trammel
