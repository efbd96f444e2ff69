// Tables of flexible bodies on a device.
#pragma once

#include <span>

#include "assemble/modal_kernels.h"
#include "assemble/modal_products.h"
#include "device_api/arena.h"

namespace trammel {

struct Model;

/// `markers`: those at nodes that the equations read. Throws Failure(unsupported) where a body has more modes
/// than launches have items.
DeviceModes copy_modes(DeviceArena& arena, const Model& model, const ModalProducts& products,
                       std::span<const WantedMarker> markers);

/// What evaluations write of nodes and modes.
void make_modal_arrays(DeviceArena& arena, const Model& model, const ModalProducts& products,
                       AssemblyArrays& arrays);

/// Of markers by bodies those at nodes, or the others; of the others also where each body's begin.
struct MarkersByPlace {
  std::vector<int> start;
  std::vector<WantedMarker> on_bodies, at_nodes;
};
MarkersByPlace by_place(const Model& model, const std::vector<int>& start,
                        const std::vector<WantedMarker>& markers);
/// The same with accelerations.
std::vector<WantedMarker> deepened(std::vector<WantedMarker> markers);

}  // namespace trammel
