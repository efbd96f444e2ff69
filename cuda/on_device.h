// Functions of the tables in device_api/ that work on one device: whatever thread calls them, and whatever
// device is current there, theirs is made current first.
#pragma once

#include <cuda_runtime.h>

#include "errors.h"

namespace trammel {

template <auto function>
struct OnDevice;

/// The object has the number of its `device`.
template <class Object, class... Arguments, int (*function)(Object&, Arguments...)>
struct OnDevice<function> {
  static int call(void* object, Arguments... arguments) {
    Object& o = *static_cast<Object*>(object);
    return checked(cudaSetDevice(o.device)) || function(o, arguments...);
  }
};

/// What gives something back does so also where the device has failed.
template <class Object, class... Arguments, void (*function)(Object&, Arguments...)>
struct OnDevice<function> {
  static void call(void* object, Arguments... arguments) {
    Object& o = *static_cast<Object*>(object);
    checked(cudaSetDevice(o.device));
    function(o, arguments...);
  }
};

/// The entry of a table for `function`, which takes the object where the table has void*: without it the
/// function does not fit into the table.
template <auto function>
inline constexpr auto on_device = &OnDevice<function>::call;

}  // namespace trammel
