// The interface between the program and a back end loaded at run time: plain C, one table of functions. A
// back end owns memory and runs kernels in order of launch on one queue per context; the kernels are compiled
// into it from the program's headers (device_api/kernel.h).
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

/// Version of this file: changes with it. A back end of another version is refused.
#define TRAMMEL_DEVICE_ABI 4
/// Name of the only function that a back end exports: const TrammelDeviceApi* trammel_device_api(void).
#define TRAMMEL_DEVICE_ENTRY "trammel_device_api"

struct TrammelDeviceInfo {
  char name[256];
  char driver[128]; /* versions of driver and runtime, as text */
  uint64_t memory;  /* bytes */
  double bandwidth; /* nominal bandwidth of the memory, bytes per second; 0: unknown */
  int architecture; /* 90: compute capability 9.0; 0: none */
  int multiprocessors;
  int threads;       /* most threads of a multiprocessor at a time; 0: unknown */
  int shared_memory; /* largest shared memory of a group of threads, bytes */
  /* Why its graphs cannot have sections, as text; empty: they can. */
  char no_sections[128];
};

/// Functions that return int return 0 on success; error() is to be called only after another value. Pointers
/// named `there` are to the back end's memory, `here` to the program's.
struct TrammelDeviceApi {
  int abi;
  const char* name; /* "cuda", "host" */
  /* The driver's message about the last error in the calling thread. */
  const char* (*error)(void);
  int (*count)(int* devices);
  /* Does not open the device. */
  int (*describe)(int device, TrammelDeviceInfo* info);
  int (*open)(int device, void** context);
  void (*close)(void* context);
  /* Unused device memory. */
  int (*free_memory)(void* context, uint64_t* bytes);

  int (*allocate)(void* context, size_t bytes, void** there);
  void (*release)(void* context, void* there);
  /* Copies begin after all earlier launches. On return `here` may be used again: a download is complete
     then, an upload will be before anything that is launched later. */
  int (*upload)(void* context, void* there, const void* here, size_t bytes);
  int (*download)(void* context, void* here, const void* there, size_t bytes);
  /* Run in order with the launches. */
  int (*copy)(void* context, void* there, const void* from_there, size_t bytes);
  int (*clear)(void* context, void* there, size_t bytes);

  /* The number of a kernel by name; `size` is the size of its struct. -1: no kernel has that name, -2: its
     size differs. */
  int (*find_kernel)(const char* name, size_t size);
  /* Runs the kernel for items 0..items-1. `shared`: bytes of shared memory of one group. */
  int (*launch)(void* context, int kernel, const void* arguments, int items, size_t shared);
  /* Memory of its own that each thread of the kernel has on the device, besides registers. */
  int (*thread_memory)(void* context, int kernel, uint64_t* bytes);
  /* Waits for all launches and returns their errors. */
  int (*synchronize)(void* context);

  /* Launches between begin_graph and end_graph are recorded as a graph, which run_graph runs. */
  int (*begin_graph)(void* context);
  int (*end_graph)(void* context, void** graph);
  int (*run_graph)(void* context, void* graph);
  void (*release_graph)(void* context, void* graph);
  /* Launches between the two, while a graph is recorded, are a section of it. When the graph gets there it
     looks at the number `there`, which kernels before it may have written, and runs the section unless it is
     0; with `again` it looks again after the section, and so on until it is 0. Sections may have sections. */
  int (*begin_section)(void* context, const int* there, int again);
  int (*end_section)(void* context);

  /* Seconds between the two calls, measured by the device's clock. */
  int (*start_clock)(void* context);
  int (*read_clock)(void* context, double* seconds);

  /* The queue in which other libraries have to work to be in order with the launches: the number of the
     device and its cudaStream_t ("cuda") or null ("host"). */
  int (*queue)(void* context, int* device, void** queue);
};

}  // extern "C"
