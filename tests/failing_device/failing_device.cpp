// A back end "cuda" that fails on purpose: it is the back end host until the launch of which
// TRAMMEL_FAILING_LAUNCH says the number (of kernels and graphs, from the opening of the device on). From
// then on every call fails, as after a fault of a kernel on a GPU.
#include <cstdlib>

#include "backends/host.h"

namespace {

const TrammelDeviceApi& host = trammel::host_device_api();
long left = 0;  ///< launches until it fails; 0: it has failed

template <auto function>
struct Until;
template <class Function, Function TrammelDeviceApi::*function>
struct Until<function> {
  template <class... Arguments>
  static int call(Arguments... arguments) {
    return left > 0 ? (host.*function)(arguments...) : 1;
  }
  template <class... Arguments>
  static int launch(Arguments... arguments) {
    if (left > 0) --left;
    return call(arguments...);
  }
};

int open(int device, void** context) {
  const char* number = std::getenv("TRAMMEL_FAILING_LAUNCH");
  left = number ? std::atol(number) : 0;
  return host.open(device, context);
}

const char* error() {
  return left > 0 ? host.error() : "an illegal memory access was encountered (cudaErrorIllegalAddress)";
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const TrammelDeviceApi* trammel_device_api() {
  using Api = TrammelDeviceApi;
  static const Api api = [] {
    Api table = host;
    table.name = "cuda";
    table.error = error;
    table.open = open;
    table.free_memory = Until<&Api::free_memory>::call;
    table.allocate = Until<&Api::allocate>::call;
    table.upload = Until<&Api::upload>::call;
    table.download = Until<&Api::download>::call;
    table.copy = Until<&Api::copy>::call;
    table.clear = Until<&Api::clear>::call;
    table.launch = Until<&Api::launch>::launch;
    table.synchronize = Until<&Api::synchronize>::call;
    table.begin_graph = Until<&Api::begin_graph>::call;
    table.run_graph = Until<&Api::run_graph>::launch;
    table.start_clock = Until<&Api::start_clock>::call;
    table.read_clock = Until<&Api::read_clock>::call;
    return table;
  }();
  return &api;
}
