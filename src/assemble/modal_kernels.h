// What a device computes of flexible bodies: a thread per node, per mode of a node, per mode of a body, per
// entry of the block of its modes. The processor's loops over the same functions are in FlexibleBodies,
// ModalProducts and Kinematics.
#pragma once

#include <cmath>

#include "assemble/device_kernels.h"
#include "assemble/modal_rows.h"
#include "device_api/vector_kernels.h"

namespace trammel {

/// Mode `mode` of node DeviceModes::node[owner], or of flexible body `owner`.
struct ModeAt {
  int owner, mode;
};

/// Tables and room of all flexible bodies; only nodes that the equations read have places here.
struct DeviceModes {
  const WantedMarker *marker,
      *deep;        ///< markers at nodes, as deep as the equations read them; the same with accelerations
  const int* node;  ///< numbers of these nodes in the model
  /// modes of these nodes, and of all bodies
  const ModeAt *node_mode, *body_mode;
  const int* entry_start;      ///< per body: its first entry among the entries of all blocks of modes
  const int* gradient_start;   ///< nodes + 1: into `gradient`
  const int* gradient;         ///< numbers of the gradients at each node (AssemblyTables::gradient_of)
  double* gradient_sum;        ///< Σ W of modal_products.h, per node
  Mat3d* turning;              ///< G of modal_products.h, per node
  const int* body_node_start;  ///< bodies + 1: into `node`
  /// factors of the products (modal_rows.h): node_rows rows per node, one number per mode
  double *left, *right;
  const long* rows_start;  ///< per body: where its rows begin in `left` and `right`
  int nodes, node_modes, bodies, body_modes, entries, gradients;
};

/// Kinematics of markers at nodes, after that of their bodies.
struct UpdateNodes {
  static constexpr const char* name = "update_nodes";
  static constexpr bool is_large = true;
  AssemblyView w;
  const WantedMarker* wanted;
  TRAMMEL_HD void operator()(int i) const { update_node(w, wanted[i]); }
};

struct UpdateModeShapes {
  static constexpr const char* name = "update_mode_shapes";
  AssemblyView w;
  const int* node;
  const ModeAt* at;
  TRAMMEL_HD void operator()(int i) const { update_mode_shape(w, node[at[i].owner], at[i].mode); }
};

struct UpdateNodeSpins {
  static constexpr const char* name = "update_node_spins";
  static constexpr bool is_large = true;
  AssemblyView w;
  const int* node;
  TRAMMEL_HD void operator()(int i) const { update_node_spin(w, node[i]); }
};

struct UpdateModeVariations {
  static constexpr const char* name = "update_mode_variations";
  AssemblyView w;
  const int* node;
  const ModeAt* at;
  TRAMMEL_HD void operator()(int i) const { update_mode_variation(w, node[at[i].owner], at[i].mode); }
};

/// Terms of mode j of a body in the present state, kept in the table for the sums over the modes.
struct ModeNow {
  const FlexibleBodies::Item& f;
  const FlexibleBodies::Motion motion;
  const FlexibleBodies::OfMode& terms;
  TRAMMEL_HD ModeNow(const AssemblyView& w, const FlexibleBodies::Table& table, int body, int j)
      : f(table.item[body]),
        motion(FlexibleBodies::motion_of(w, f.place)),
        terms(table.modes_of(f)[j] = FlexibleBodies::of_mode(f, motion, j)) {}
};

/// Residuals of modal coordinates; keeps the terms of the modes, over which FrameResiduals sums.
struct ModalResiduals {
  static constexpr const char* name = "modal_residuals";
  static constexpr bool is_large = true;
  AssemblyView w;
  FlexibleBodies::Table table;
  const ModeAt* at;
  double* residual;
  TRAMMEL_HD void operator()(int i) const {
    const auto [body, j] = at[i];
    const ModeNow mode(w, table, body, j);
    residual[mode.f.place.first + j] =
        FlexibleBodies::residual_of_mode(w, mode.f, mode.motion, mode.terms, j);
  }
};

/// Adds what the modes give to the residuals of the frames, after the residuals of all bodies and modes.
struct FrameResiduals {
  static constexpr const char* name = "frame_residuals";
  static constexpr bool is_large = true;
  AssemblyView w;
  FlexibleBodies::Table table;
  double* residual;
  TRAMMEL_HD void operator()(int b) const {
    const FlexibleBodies::Item& f = table.item[b];
    FlexibleBodies::add_frame_residual(w, f, FlexibleBodies::motion_of(w, f.place), table.modes_of(f),
                                       residual);
  }
};

/// Σ W and G of a node, after all elements have added to its gradients.
struct SumNodeGradients {
  static constexpr const char* name = "sum_node_gradients";
  static constexpr bool is_large = true;
  AssemblyView w;
  DeviceModes modes;
  TRAMMEL_HD void operator()(int i) const {
    double* sum = modes.gradient_sum + static_cast<long>(i) * gradient_size;
    for (int e = 0; e < gradient_size; ++e) {
      sum[e] = 0;
      for (int k = modes.gradient_start[i]; k < modes.gradient_start[i + 1]; ++k)
        sum[e] += w.array.node_gradient[static_cast<long>(modes.gradient[k]) * gradient_size + e];
    }
    const int own = modes.node[i], body = w.table.flexible[w.table.node[own].flexible].body;
    Mat3d G{};
    FlexibleBodies::for_node_wrenches(w, body,
                                      [&](const ModeShape*, const Vec3d&, const Vec3d& moment, int node) {
                                        if (node == own) G += turning_of(w, body, node, moment);
                                      });
    modes.turning[i] = G;
  }
};

/// Column of one mode in the rows of one node.
struct FillNodeRows {
  static constexpr const char* name = "fill_node_rows";
  static constexpr bool is_large = true;
  AssemblyView w;
  DeviceModes modes;
  TRAMMEL_HD void operator()(int i) const {
    const auto [at, j] = modes.node_mode[i];
    const int node = modes.node[at], body = w.table.node[node].flexible;
    const long n = w.table.flexible[body].modes;
    const long first = modes.rows_start[body] + (at - modes.body_node_start[body]) * node_rows * n + j;
    double *left = modes.left + first, *right = modes.right + first;
    fill_gradient_rows(w, node, j, modes.gradient_sum + static_cast<long>(at) * gradient_size,
                       gradient_columns, left, right, n);
    fill_turning_rows(w, node, j, modes.turning[at], left + gradient_rows * n, right + gradient_rows * n, n);
  }
};

/// Takes the entries of the tangent of a flexible body, in the order of FlexibleBodies::tangent(): for each
/// mode those with the frame, then those with the modes; the block of the frame last.
struct ModalSink {
  double* slots;
  const int* place;
  TRAMMEL_HD ModalSink(const TangentPlaces& out, int item, long entry)
      : slots(out.slots), place(out.place + out.start[item] + entry) {}
  TRAMMEL_HD static bool numbers() { return true; }
  TRAMMEL_HD void put(int, int, double value) { slots[*place++] = value; }
};
TRAMMEL_HD inline long entries_of_mode(const FlexibleBodies::Item& f) {
  return FlexibleBodies::entries_with_frame + f.place.modes;
}

/// Entries between a mode and the frame of its body.
struct ModalTangents {
  static constexpr const char* name = "modal_tangents";
  static constexpr bool is_large = true;
  AssemblyView w;
  FlexibleBodies::Table table;
  const ModeAt* at;
  TangentPlaces out;
  TRAMMEL_HD void operator()(int i) const {
    const auto [body, j] = at[i];
    const ModeNow mode(w, table, body, j);
    ModalSink sink(out, table.first_item + body, j * entries_of_mode(mode.f));
    TangentWriter<ModalSink> writer(w, sink);
    FlexibleBodies::put_with_frame(writer, mode.f, mode.motion, mode.terms,
                                   FlexibleBodies::variation_of(w, mode.f.place), j);
  }
};

/// The blocks of the frames.
struct FrameTangents {
  static constexpr const char* name = "frame_tangents";
  static constexpr bool is_large = true;
  AssemblyView w;
  FlexibleBodies::Table table;
  TangentPlaces out;
  TRAMMEL_HD void operator()(int b) const {
    const FlexibleBodies::Item& f = table.item[b];
    const FlexibleBodies::Motion m = FlexibleBodies::motion_of(w, f.place);
    ModalSink sink(out, table.first_item + b, f.place.modes * entries_of_mode(f));
    TangentWriter<ModalSink> writer(w, sink);
    FlexibleBodies::put_frame(writer, f, m, FlexibleBodies::sums_of(f, m, table.modes_of(f)),
                              FlexibleBodies::variation_of(w, f.place));
  }
};

/// ∂r_j/∂q_k of every pair of modes of a body: that of the body itself, and −Σ left_j right_k over the rows
/// of its nodes, summed by fused operations as in the processor's dense kernels.
struct ModalEntries {
  static constexpr const char* name = "modal_entries";
  AssemblyView w;
  FlexibleBodies::Table table;
  DeviceModes modes;
  TangentPlaces out;
  TRAMMEL_HD int body_of(int entry) const {
    int first = 0, last = modes.bodies;  // the last body that begins at or before the entry
    while (last - first > 1) {
      const int middle = (first + last) / 2;
      (modes.entry_start[middle] <= entry ? first : last) = middle;
    }
    return first;
  }
  TRAMMEL_HD void operator()(int i) const {
    const int body = body_of(i), entry = i - modes.entry_start[body];
    const FlexibleBodies::Item& f = table.item[body];
    const int n = f.place.modes, j = entry / n, k = entry % n;
    const int rows = (modes.body_node_start[body + 1] - modes.body_node_start[body]) * node_rows;
    const double *left = modes.left + modes.rows_start[body] + j,
                 *right = modes.right + modes.rows_start[body] + k;
    double block = 0;
    for (long r = 0; r < rows; ++r) block = std::fma(-right[r * n], left[r * n], block);
    const double value =
        FlexibleBodies::modal_entry(w, f, FlexibleBodies::motion_of(w, f.place), j, k) + block;
    ModalSink sink(out, table.first_item + body,
                   j * entries_of_mode(f) + FlexibleBodies::entries_with_frame + k);
    sink.put(f.place.first + j, f.place.first + k, value);
  }
};

/// The launches of a model with flexible bodies, beside those of DeviceAssembly.
template <class Run>
TRAMMEL_HD void update_modes(const AssemblyView& w, const DeviceModes& modes, const WantedMarker* wanted,
                             Run&& run) {
  run(UpdateNodes{w, wanted}, modes.nodes);
  run(UpdateModeShapes{w, modes.node, modes.node_mode}, modes.node_modes);
}
template <class Run>
TRAMMEL_HD void modal_residual(const AssemblyView& w, const DeviceModes& modes,
                               const FlexibleBodies::Table& table, double* residual, Run&& run) {
  run(ModalResiduals{w, table, modes.body_mode, residual}, modes.body_modes);
  run(FrameResiduals{w, table, residual}, modes.bodies);
}
/// Launches before elements write the tangent.
template <class Run>
TRAMMEL_HD void vary_modes(const AssemblyView& w, const DeviceModes& modes, Run&& run) {
  run(UpdateNodeSpins{w, modes.node}, modes.nodes);
  run(UpdateModeVariations{w, modes.node, modes.node_mode}, modes.node_modes);
  run(FillValues{w.array.node_gradient, 0}, modes.gradients * gradient_size);
}
/// Launches after elements have written the tangent.
template <class Run>
TRAMMEL_HD void modal_tangent(const AssemblyView& w, const DeviceModes& modes,
                              const FlexibleBodies::Table& table, const TangentPlaces& out, Run&& run) {
  run(SumNodeGradients{w, modes}, modes.nodes);
  run(FillNodeRows{w, modes}, modes.node_modes);
  run(ModalTangents{w, table, modes.body_mode, out}, modes.body_modes);
  run(FrameTangents{w, table, out}, modes.bodies);
  run(ModalEntries{w, table, modes, out}, modes.entries);
}

}  // namespace trammel
