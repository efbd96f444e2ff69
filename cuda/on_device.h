// Functions of the tables in device_api/ that work on one device: whatever thread calls them, and whatever
// device is current there, theirs is made current first.
#pragma once

#include <type_traits>

#include <cuda_runtime.h>

#include "errors.h"

namespace trammel {

template <auto function>
struct OnDevice;

/// The object has the number of its `device`. What returns nothing gives something back, and does so also
/// where the device has failed.
template <class Result, class Object, class... Arguments, Result (*function)(Object&, Arguments...)>
struct OnDevice<function> {
  static Result call(void* object, Arguments... arguments) {
    Object& o = *static_cast<Object*>(object);
    const int status = checked(cudaSetDevice(o.device));
    if constexpr (std::is_void_v<Result>)
      function(o, arguments...);
    else
      return status || function(o, arguments...);
  }
};

/// The entry of a table for `function`, which takes the object where the table has void*: without it the
/// function does not fit into the table.
template <auto function>
inline constexpr auto on_device = &OnDevice<function>::call;

}  // namespace trammel
