// The residual, and the constraints at each of their levels.
#include <algorithm>

#include "assemble/assembler.h"
#include "assemble/body_motion.h"
#include "assemble/lane.h"
#include "assemble/pools/list.h"

namespace trammel {

void Assembler::residual(const State& state, const Coefficients& c, std::span<double> r) const {
  require_evaluated(state, {.forces = true});
  const EvaluationPoint point{state.t, reads_.mode, c};
  const AssemblyView now = view(state, point);
  double* out = r.data();
  pools_->for_each([&]<class P>(PoolTag<P>, const auto& t) {
    if constexpr (P::has_residual)
      if (t.count > 0)
        parallel_(t.count, P::grain, [&](int begin, int end, int) {
          for (int i = begin; i < end; ++i) P::residual(now, t, i, out);
        });
  });
}

void Assembler::mass_times_acceleration(const State& state, std::span<double> out) const {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const BodyKinematics& k = kinematics_.body(static_cast<int>(b));
    const double* a = &state.a[body.first];
    const Mat3d J = k.A * body.inertia * transpose(k.A);
    const Vec3d turning = body.turns() ? J * rotation_of(body, k.H, a) : Vec3d{};
    double m[6];
    generalized_force(body, k.H, body.mass * k.a, turning, m);
    std::copy(m, m + body.count(), &out[body.first]);
  }
  const EvaluationPoint point{};
  const AssemblyView now = view(state, point);
  const std::vector<double> none(model_.modal_coordinates);
  const auto& flexible = pools_->tables().of<FlexibleBodies>();
  for (int i = 0; i < flexible.count; ++i) {
    const FlexiblePlace& place = flexible.item[i].place;
    const Body& body = model_.bodies[place.body];
    const BodyKinematics& k = kinematics_.body(place.body);
    const Vec3d turning = rotation_of(body, k.H, &state.a[body.first]);
    FlexibleBodies::mass_times_acceleration(
        now, flexible.item[i],
        {transpose_times(k.A, k.a), Vec3d{}, transpose_times(k.A, turning), state.q.data() + place.first,
         none.data(), state.a.data() + place.first},
        out.data());
  }
}

void Assembler::constraints(const State& state, ConstraintLevel level, std::span<double> rows) {
  require_evaluated(state, {.all_markers = level != ConstraintLevel::position});
  const int order = static_cast<int>(level);
  const EvaluationPoint point{state.t, reads_.mode, {}};
  const AssemblyView now = view(state, point);
  pools_->for_each([&]<class P>(PoolTag<P>, const auto& t) {
    if constexpr (P::has_rows)
      for (int i = 0; i < t.count; ++i) P::rates(now, t, i, order, *lanes_[0], rows.data());
  });
}

void Assembler::all_constraints(const State& state, std::span<double> rows) {
  const std::vector<unsigned char> saved = masked_;
  for (int k = 0; k < model_.multipliers; ++k) masked_[k] = !(row_phases_[k] & phase_);
  constraints(state, ConstraintLevel::position, rows);
  masked_ = saved;
}

}  // namespace trammel
