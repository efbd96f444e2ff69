#include "assemble/kinematics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assemble/body_kinematics.h"
#include "assemble/time_derivatives.h"
#include "base/buckets.h"

namespace trammel {

namespace {

BodyPlace place_of(const Body& body, int b) {
  BodyPlace place{body};
  const double inertia = (body.inertia(0, 0) + body.inertia(1, 1) + body.inertia(2, 2)) / 2;
  const bool weighs = body.mass > 0;
  place.mass = weighs ? body.mass : inertia;
  place.height = body.height;
  place.frame = b;
  place.gyration = weighs ? std::sqrt(inertia / body.mass) : inertia > 0 ? 1 : 0;
  place.weighing_end = weighs ? body.angles() : body.first;
  return place;
}

BodyPlace place_of(const FlexibleBody& f, const Body& frame) {
  BodyPlace place{BodyBlock{f.first, static_cast<short>(f.modes), 0}};
  place.mass = frame.mass;
  place.quasi_static = f.modes - f.dynamic;
  place.frame = f.body;
  place.weighing_end = place.moving_end();
  return place;
}

}  // namespace

MarkerSelection select_markers(const Model& model, const std::vector<int>& level) {
  auto of_body = in_buckets<WantedMarker>(static_cast<int>(model.bodies.size()), [&](auto put) {
    for (std::size_t m = 0; m < level.size(); ++m)
      if (const int body = model.markers[m].body; level[m] >= 0 && body >= 0)
        put(body, WantedMarker{static_cast<int>(m), level[m]});
  });
  return {std::move(of_body.start), std::move(of_body.item)};
}

Kinematics::Kinematics(const Model& model, Parallel parallel)
    : model_(model),
      parallel_(parallel),
      all_(select_markers(model, std::vector<int>(model.markers.size(), 3))),
      bodies_(model.bodies.size()),
      cos_theta_(model.bodies.size() + model.flexible_bodies.size()),
      variations_(model.bodies.size()),
      markers_(model.markers.size()),
      nodes_(model.nodes.size()),
      node_spins_(model.nodes.size()),
      mode_shapes_(model.node_shapes.size() / 6),
      mode_variations_(model.node_shapes.size() / 6),
      arms_(model.markers.size()) {
  for (const FlexibleBody& f : model.flexible_bodies) flexible_.push_back(f);
  modal_.q.resize(model.modal_coordinates);
  modal_.v.resize(model.modal_coordinates);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = model.bodies[b];
    places_.push_back(place_of(body, static_cast<int>(b)));
    bodies_[b].A = model.initial.bodies[b].orientation;  // A of a point mass never changes
    const Mat3d& plane = body.plane;
    if (body.planar()) bodies_[b].H = Mat3d::from_columns(plane.column(2), plane.column(0), plane.column(1));
  }
  for (const FlexibleBody& f : model.flexible_bodies) places_.push_back(place_of(f, model.bodies[f.body]));
  for (std::size_t m = 0; m < markers_.size(); ++m) {
    const Marker& marker = model.markers[m];
    if (marker.body >= 0) continue;
    markers_[m].r = marker.s;  // ground: global position and axes, at rest
    markers_[m].A = marker.A;
  }
}

StateView view_of(const State& state) {
  return {state.q.data(),    state.v.data(),     state.a.data(),     state.lambda.data(), state.s.data(),
          state.sdot.data(), state.basis.data(), state.angle.data(), state.offset.data()};
}

AssemblyView Kinematics::view() {
  AssemblyView w{};
  w.table.bodies = bodies();
  w.table.place = places_.data();
  w.table.marker = model_.markers.data();
  w.table.nodes = static_cast<int>(nodes_.size());
  w.table.flexible = flexible_.data();
  w.table.node = model_.nodes.data();
  w.table.node_shape = model_.node_shapes.data();
  w.array.body = bodies_.data();
  w.array.cos_theta = cos_theta_.data();
  w.array.variation = variations_.data();
  w.array.marker = markers_.data();
  w.array.node = nodes_.data();
  w.array.node_spin = node_spins_.data();
  w.array.mode_shape = mode_shapes_.data();
  w.array.mode_variation = mode_variations_.data();
  w.array.arm = arms_.data();
  return w;
}

void Kinematics::update(const State& state) {
  const EvaluationPoint point{};
  AssemblyView now = view();
  now.state = view_of(state);
  now.point = &point;
  update(now);
}

void Kinematics::update(const AssemblyView& view, const MarkerSelection& selection) {
  if (!modal_.q.empty()) {
    const int first = model_.first_modal(), last = model_.coordinates;
    modal_.q.assign(view.state.q + first, view.state.q + last);
    modal_.v.assign(view.state.v + first, view.state.v + last);
  }
  parallel_(bodies(), 192, [&](int begin, int end, int) {
    for (int b = begin; b < end; b += bodies_at_once)
      update_bodies(view, selection, b, std::min(b + bodies_at_once, end));
  });
}

/// Bodies [begin, end), at most bodies_at_once, with the sines and cosines of all their angles at once.
void Kinematics::update_bodies(const AssemblyView& view, const MarkerSelection& selection, int begin,
                               int end) {
  static_assert(3 * bodies_at_once % angles_at_once == 0);
  double angle[3 * bodies_at_once], sine[3 * bodies_at_once], cosine[3 * bodies_at_once];
  int angles = 0;
  for (int b = begin; b < end; ++b) {
    const BodyPlace& place = places_[b];
    for (int k = 0; k < place.rotations; ++k) angle[angles++] = view.state.q[place.angles() + k];
  }
  while (angles % angles_at_once != 0) angle[angles++] = 0;
  sines_and_cosines(angle, angles, sine, cosine);
  angles = 0;
  for (int b = begin; b < end; ++b) {
    SineCosine of[3];
    for (int k = 0; k < places_[b].rotations; ++k, ++angles) of[k] = {sine[angles], cosine[angles]};
    update_body_and_markers(view, selection.start.data(), selection.markers.data(), b, of);
  }
}

void Kinematics::update_variations(const AssemblyView& view) {
  parallel_(bodies(), 256, [&](int begin, int end, int) {
    for (int b = begin; b < end; ++b) update_variation(view, b);
  });
  parallel_(view.table.nodes, 4, [&](int begin, int end, int) {
    for (int n = begin; n < end; ++n) update_node_variation(view, n);
  });
}

ModeShape Kinematics::modal_change(int m, const double* change) const {
  ModeShape sum;
  if (model_.markers[m].node < 0) return sum;
  const NodePlace& place = model_.nodes[model_.markers[m].node];
  const FlexibleBody& f = model_.flexible_bodies[place.flexible];
  for (int j = 0; j < f.modes; ++j) {
    const ModeShape& shape = mode_shapes_[place.shape + j];
    const double by = change[f.first - model_.first_modal() + j];
    sum.r += by * shape.r;
    sum.turn += by * shape.turn;
  }
  return sum;
}

MarkerKinematics<Kinematics::Jet> Kinematics::jet(int m) const {
  return marker_jet(markers_[m]);
}

}  // namespace trammel
