#include "assemble/device_modes.h"

#include <limits>

#include "base/diagnostics.h"
#include "model/model.h"

namespace trammel {

MarkersByPlace by_place(const Model& model, const std::vector<int>& start,
                        const std::vector<WantedMarker>& markers) {
  MarkersByPlace out;
  for (std::size_t b = 0; b + 1 < start.size(); ++b) {
    out.start.push_back(static_cast<int>(out.on_bodies.size()));
    for (int k = start[b]; k < start[b + 1]; ++k)
      (model.markers[markers[k].marker].node < 0 ? out.on_bodies : out.at_nodes).push_back(markers[k]);
  }
  out.start.push_back(static_cast<int>(out.on_bodies.size()));
  return out;
}

std::vector<WantedMarker> deepened(std::vector<WantedMarker> markers) {
  for (WantedMarker& m : markers) m.level = 3;
  return markers;
}

void make_modal_arrays(DeviceArena& arena, const Model& model, const ModalProducts& products,
                       AssemblyArrays& arrays) {
  const std::size_t nodes = model.nodes.size(), modes = model.node_shapes.size() / 6;
  // What is not read as deep as this is a factor of gradients that are zero.
  arrays.node = arena.filled(std::vector<NodeMotion>(nodes));
  arrays.node_spin = arena.room<SpinDerivatives>(nodes);
  arrays.mode_shape = arena.room<ModeShape>(modes);
  arrays.mode_variation = arena.room<ModeVariation>(modes);
  arrays.node_gradient = arena.room<double>(static_cast<std::size_t>(products.gradients()) * gradient_size);
  arrays.modal_block = nullptr;
}

namespace {

/// The lists that DeviceModes points to.
class ModalLists {
 public:
  ModalLists(const Model& model, const ModalProducts& products, std::span<const WantedMarker> markers) {
    std::vector<unsigned char> read(model.nodes.size());
    for (const WantedMarker& m : markers) read[model.markers[m.marker].node] = 1;
    for (const FlexibleBody& f : model.flexible_bodies) {
      begin_body(f);
      for (const int own : f.nodes)
        if (read[own]) add_node(own, f.modes, products);
    }
    gradient_start.push_back(static_cast<int>(gradient.size()));
    body_node_start.push_back(static_cast<int>(node.size()));
    if (entries > std::numeric_limits<int>::max())
      fail(ExitCode::unsupported,
           "{} entries between modes of flexible bodies are too many for a device: run with --backend cpu",
           entries);
  }

  std::vector<int> node, entry_start, gradient_start, gradient, body_node_start;
  std::vector<ModeAt> node_mode, body_mode;
  std::vector<long> rows_start;
  long entries = 0, rows = 0;

 private:
  void begin_body(const FlexibleBody& f) {
    const int body = static_cast<int>(entry_start.size());
    entry_start.push_back(static_cast<int>(entries));
    body_node_start.push_back(static_cast<int>(node.size()));
    rows_start.push_back(rows);
    entries += static_cast<long>(f.modes) * f.modes;
    for (int j = 0; j < f.modes; ++j) body_mode.push_back({body, j});
  }
  void add_node(int own, int modes, const ModalProducts& products) {
    const int at = static_cast<int>(node.size());
    node.push_back(own);
    for (int j = 0; j < modes; ++j) node_mode.push_back({at, j});
    gradient_start.push_back(static_cast<int>(gradient.size()));
    for (const int k : products.gradients_at(own)) gradient.push_back(k);
    rows += static_cast<long>(node_rows) * modes;
  }
};

}  // namespace

DeviceModes copy_modes(DeviceArena& arena, const Model& model, const ModalProducts& products,
                       std::span<const WantedMarker> markers) {
  const ModalLists lists(model, products, markers);
  const std::vector<WantedMarker> here(markers.begin(), markers.end());
  const std::size_t nodes = lists.node.size();
  return {.marker = arena.copy(here),
          .deep = arena.copy(deepened(here)),
          .node = arena.copy(lists.node),
          .node_mode = arena.copy(lists.node_mode),
          .body_mode = arena.copy(lists.body_mode),
          .entry_start = arena.copy(lists.entry_start),
          .gradient_start = arena.copy(lists.gradient_start),
          .gradient = arena.copy(lists.gradient),
          .gradient_sum = arena.room<double>(nodes * gradient_size),
          .turning = arena.room<Mat3d>(nodes),
          .body_node_start = arena.copy(lists.body_node_start),
          .left = arena.room<double>(lists.rows),
          .right = arena.room<double>(lists.rows),
          .rows_start = arena.copy(lists.rows_start),
          .nodes = static_cast<int>(nodes),
          .node_modes = static_cast<int>(lists.node_mode.size()),
          .bodies = static_cast<int>(model.flexible_bodies.size()),
          .body_modes = static_cast<int>(lists.body_mode.size()),
          .entries = static_cast<int>(lists.entries),
          .gradients = products.gradients()};
}

}  // namespace trammel
