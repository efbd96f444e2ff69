// Variants of `trammel batch` side by side on a device.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/thread_pool.h"
#include "device_api/device.h"
#include "session/variant_run.h"

namespace trammel {

/// Variants that the processor has computed in place of the device: per reason the first variant and their
/// number.
struct HandedBack {
  struct Entry {
    std::size_t first = 0, count = 0;
  };
  std::map<std::string, Entry> reasons;
  void add(const std::string& reason, std::size_t variant);
};

/// Runs all variants of the setting: threads of the pool prepare them and take their records, the device
/// takes their steps. A variant that the device cannot compute, or gives up for reasons of its own, is
/// computed by the processor from the beginning. `take(k, result)` receives each result once, from any
/// thread; `under_way(variants)` receives now and then the finished part of the variants under way, in
/// variants.
HandedBack run_on_device(const BatchSetting& setting, Device& device, const std::string& where,
                         ThreadPool& pool, const std::function<void(std::size_t, VariantResult)>& take,
                         const std::function<void(double)>& under_way);

}  // namespace trammel
