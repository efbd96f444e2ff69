// Variants of `trammel batch` side by side on a device.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/thread_pool.h"
#include "device_api/device.h"
#include "session/variant_run.h"

namespace trammel {

/// Variants that the processor has computed instead, by reasons.
struct HandedBack {
  struct Entry {
    std::size_t first = 0, count = 0;
  };
  std::map<std::string, Entry> reasons;
  void add(const std::string& reason, std::size_t variant);
};

/// Runs all variants of the setting: threads of the pool prepare them and take their records, the device does
/// their steps. What the device does not compute, or gives up for reasons of its own, the processor does from
/// the beginning. `take(k, result)` gets each result once, from any thread; `under_way(variants)` hears now
/// and then how much of those that have begun is done.
HandedBack run_on_device(const BatchSetting& setting, Device& device, const std::string& where,
                         ThreadPool& pool, const std::function<void(std::size_t, VariantResult)>& take,
                         const std::function<void(double)>& under_way);

}  // namespace trammel
