#include "analysis/resolved_turns.h"

#include <algorithm>
#include <utility>

#include "analysis/spin.h"
#include "analysis/what_decides.h"
#include "expression/measures.h"
#include "expression/ops.h"

namespace trammel {

namespace {

Vec3d unit_vector(int axis) {
  Vec3d e;
  e[axis] = 1;
  return e;
}

}  // namespace

/// Collects what functions and shapes read.
class ResolvedTurns::Readings {
 public:
  explicit Readings(const Model& model) : model_(model) {}

  /// A difference of two markers reads their places, unless it is one of angular velocities, and the axis of
  /// its component; other angles and ORIENT read whole poses.
  void leaf(const Tape& tape, const Leaf& leaf) {
    using functions::Difference;
    const Measure m = leaf.measure;
    if (m == Measure::time || m == Measure::mode || m == Measure::rate || m == Measure::state) return;
    const auto marker = [&](int k) { return tape.markers[leaf.marker[k]].marker; };
    const auto places = [&](int n) {
      for (int k = 0; k < n; ++k) add({marker(k), What::place, {}});
    };
    const functions::VectorMeasure vector = functions::vector_measure(m);
    if (vector.difference != Difference::none) {
      const bool of_places = vector.difference != Difference::angular_velocity &&
                             vector.difference != Difference::angular_acceleration;
      if (of_places) places(2);
      if (vector.component < functions::magnitude)
        add({marker(2), What::axis, unit_vector(vector.component)});
    } else if (m == Measure::incang) {
      places(3);
    } else if (m >= Measure::uvx && m <= Measure::uvz) {
      add({marker(0), What::axis, unit_vector(static_cast<int>(m) - static_cast<int>(Measure::uvx))});
      add({marker(1), What::axis, unit_vector(leaf.component)});
    } else {
      for (const int k : {0, 1}) add({marker(k), What::whole, {}});
    }
  }
  void shape(const PlacedShape& s, int marker) {
    if (norm(s.r) > 0 || model_.markers[marker].node >= 0) add({marker, What::place, s.r});
    switch (s.shape.kind) {
      case ShapeKind::ball:
        return;
      case ShapeKind::frustum:
      case ShapeKind::torus:
      case ShapeKind::half_space:
        return add({marker, What::axis, s.A * unit_vector(2)});
      default:
        return add({marker, What::whole, {}});
    }
  }
  std::vector<Moved> take() {
    std::ranges::sort(moved_, {}, &Moved::key);
    const auto again = std::ranges::unique(moved_, {}, &Moved::key);
    moved_.erase(again.begin(), again.end());
    return std::move(moved_);
  }

 private:
  void add(const Moved& moved) {
    if (model_.markers[moved.marker].body >= 0) moved_.push_back(moved);
  }

  const Model& model_;
  std::vector<Moved> moved_;
};

ResolvedTurns::ResolvedTurns(const Model& model) : model_(model) {
  Readings readings(model);
  const auto read = read_to_decide(model, [](int, int) { return true; });
  for (std::size_t k = 0; k < read.size(); ++k)
    for (std::size_t r = 0; r < read[k].size(); ++r) {
      const Instruction& i = model.tapes[k].code[r];
      if (read[k][r] && static_cast<Op>(i.op) == Op::leaf)
        readings.leaf(model.tapes[k], model.tapes[k].leaves[i.a]);
    }
  for (const ContactElement& c : model.contacts) {
    if (!c.name.active) continue;
    for (const PlacedShape& s : c.of_I) readings.shape(s, c.I);
    for (const PlacedShape& s : c.of_J) readings.shape(s, c.J);
  }
  for (const ContactGroup& g : model.contact_groups)
    for (const ContactGroup::Member& m : g.shapes) readings.shape(m.placed, m.marker);
  moved_ = readings.take();
}

double ResolvedTurns::longest_step(const Kinematics& now, double error) const {
  double longest = HUGE_VAL;
  for (const Moved& m : moved_) longest = std::min(longest, longest_step(now, m, error));
  return longest;
}

double ResolvedTurns::longest_step(const Kinematics& now, const Moved& m, double error) const {
  const Spin spin = spin_of(model_, now, m.marker);
  if (m.what == What::whole) return time_of_turn(norm(spin.w), norm(spin.alpha), largest_turn);
  Vec3d r = now.marker(m.marker).A * m.at;
  if (m.what == What::place) r = now.arm(m.marker) + r;
  const double length = norm(r);
  if (m.what == What::place && !(length > error)) return HUGE_VAL;
  return time_of_turn(norm(cross(spin.w, r)) / length, norm(cross(spin.alpha, r)) / length, largest_turn);
}

}  // namespace trammel
