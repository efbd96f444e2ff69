// What the program and a back end that was loaded at run time say to each other: plain C, one table of
// functions. A back end owns memory and runs kernels in order of launch on one queue per context; what the
// kernels compute is compiled into it from the same headers as the program (device_api/kernel.h).
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

/// Changes whenever this file does. A back end of another number is refused.
#define TRAMMEL_DEVICE_ABI 2
/// Name of the one function that a back end exports: const TrammelDeviceApi* trammel_device_api(void).
#define TRAMMEL_DEVICE_ENTRY "trammel_device_api"

struct TrammelDeviceInfo {
  char name[256];
  char driver[128]; /* versions of driver and runtime, for people */
  uint64_t memory;  /* bytes */
  double bandwidth; /* bytes per second that the memory is built for, 0: unknown */
  int architecture; /* 90: compute capability 9.0; 0: none */
  int multiprocessors;
  int shared_memory; /* bytes that one group of threads may ask for */
};

/// Every function that returns int gives 0 when all went well; then error() is not to be asked. Pointers
/// called `there` are the back end's memory, `here` the program's.
struct TrammelDeviceApi {
  int abi;
  const char* name; /* "cuda", "host" */
  /* What went wrong last in the calling thread, in the driver's own words. */
  const char* (*error)(void);
  int (*count)(int* devices);
  /* Without opening it. */
  int (*describe)(int device, TrammelDeviceInfo* info);
  int (*open)(int device, void** context);
  void (*close)(void* context);
  /* Bytes that nobody has taken. */
  int (*free_memory)(void* context, uint64_t* bytes);

  int (*allocate)(void* context, size_t bytes, void** there);
  void (*release)(void* context, void* there);
  /* Copies wait for what was launched before them and are done when the call returns. */
  int (*upload)(void* context, void* there, const void* here, size_t bytes);
  int (*download)(void* context, void* here, const void* there, size_t bytes);
  /* In order with the launches. */
  int (*copy)(void* context, void* there, const void* from_there, size_t bytes);
  int (*clear)(void* context, void* there, size_t bytes);

  /* Kernels by name; `size` is that of the kernel's struct and must agree. -1: there is none of that name,
     -2: it has another size. */
  int (*find_kernel)(const char* name, size_t size);
  /* Runs the kernel for items 0..items-1. `shared`: bytes of shared memory of one group. */
  int (*launch)(void* context, int kernel, const void* arguments, int items, size_t shared);
  /* Waits for all that was launched and tells what went wrong in it. */
  int (*synchronize)(void* context);

  /* What is launched between begin_graph and end_graph is kept as a graph, not run; run_graph runs it. */
  int (*begin_graph)(void* context);
  int (*end_graph)(void* context, void** graph);
  int (*run_graph)(void* context, void* graph);
  void (*release_graph)(void* context, void* graph);

  /* Seconds that the device took between the two calls, measured by its own clock. */
  int (*start_clock)(void* context);
  int (*read_clock)(void* context, double* seconds);

  /* Where libraries of the same maker have to work for their work to be in order with the launches: the
     number of the device and, of "cuda", its cudaStream_t; of "host", null. */
  int (*queue)(void* context, int* device, void** queue);
};

}  // extern "C"
