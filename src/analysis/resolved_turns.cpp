#include "analysis/resolved_turns.h"

#include <algorithm>
#include <utility>

#include "analysis/spin.h"
#include "expression/arguments.h"
#include "expression/measures.h"
#include "expression/ops.h"

namespace trammel {

namespace {

/// Whether a function of a smooth argument may be 0 but over a short part of it.
bool comes_and_goes(Op op) {
  switch (op) {
    case Op::branch:
    case Op::select:
    case Op::aint:
    case Op::anint:
    case Op::dim:
    case Op::max:
    case Op::min:
    case Op::mod:
    case Op::sign:
    case Op::step:
    case Op::step5:
    case Op::havsin:
    case Op::impact:
    case Op::bistop:
    case Op::akispl:
    case Op::cubspl:
    case Op::linspl:
      return true;
    default:
      return false;
  }
}

Vec3d unit_vector(int axis) {
  Vec3d e;
  e[axis] = 1;
  return e;
}

}  // namespace

/// Collects what functions and shapes read.
class ResolvedTurns::Readings {
 public:
  explicit Readings(const Model& model) : model_(model), read_(model.tapes.size()) {}

  /// What arguments read of those functions of a tape that come and go.
  void tape(int k) {
    const Tape& tape = model_.tapes[k];
    for (const Instruction& i : tape.code)
      if (comes_and_goes(static_cast<Op>(i.op)))
        for (const int r : sources(tape, i)) waiting_.emplace_back(k, r);
    while (!waiting_.empty()) {
      const auto [of, r] = waiting_.back();
      waiting_.pop_back();
      reach(of, r);
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

  static std::vector<int> sources(const Tape& tape, const Instruction& i) {
    const Op op = static_cast<Op>(i.op);
    if (op == Op::branch) return {i.a};
    std::vector<int> out;
    if (op == Op::select || is_function(op))
      for (int k = 0; k < i.n; ++k) out.push_back(argument_of(tape, i, k));
    return out;
  }

  /// Register r of tape k; what it depends on waits for its turn.
  void reach(int k, int r) {
    const Tape& tape = model_.tapes[k];
    std::vector<unsigned char>& read = read_[k];
    read.resize(tape.code.size());
    if (std::exchange(read[r], 1)) return;
    const Instruction& i = tape.code[r];
    for (const int source : sources(tape, i)) waiting_.emplace_back(k, source);
    if (static_cast<Op>(i.op) == Op::leaf) leaf(tape, tape.leaves[i.a]);
    if (static_cast<Op>(i.op) == Op::linear)
      for (int s = 0; s < i.b; ++s) state(tape.states[i.c + s]);
  }

  /// A VARIABLE is what it reads.
  void state(int k) {
    if (k >= model_.scalar_count()) return;  // a force
    const Scalar& s = model_.scalars[k];
    if (s.kind == ScalarKind::variable && s.tape >= 0)
      waiting_.emplace_back(s.tape, model_.tapes[s.tape].results[s.result]);
  }

  /// A difference of two markers reads their places, unless it is one of angular velocities, and the axis of
  /// its component; other angles and ORIENT read whole poses.
  void leaf(const Tape& tape, const Leaf& leaf) {
    using functions::Difference;
    const Measure m = leaf.measure;
    if (m == Measure::time || m == Measure::mode || m == Measure::rate) return;
    if (m == Measure::state) return state(tape.states[leaf.index]);
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

  const Model& model_;
  std::vector<std::vector<unsigned char>> read_;  ///< registers of tapes
  std::vector<std::pair<int, int>> waiting_;      ///< tapes and their registers that are still to be read
  std::vector<Moved> moved_;
};

ResolvedTurns::ResolvedTurns(const Model& model) : model_(model) {
  Readings readings(model);
  for (std::size_t k = 0; k < model.tapes.size(); ++k)
    if (model.tape_in_equations[k] && !model.tapes[k].only_shown) readings.tape(static_cast<int>(k));
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
