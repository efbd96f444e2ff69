// NFORCE: wrenches on its pairs of markers and their tangent.
#include "element/nodal_force.h"

#include <algorithm>

#include "assemble/marker_duals.h"
#include "assemble/tangent_writer.h"

namespace trammel {

namespace {

NodalLaw law_of(const NodalForce& f) {
  return {f.count(), f.k.data(), f.c.data(), f.force.data(), f.length.data()};
}

}  // namespace

/// e and ė of all markers I of the force in J.
void Assembler::nodal_motion(const NodalForce& f, const double* angle, Lane& lane) const {
  lane.nodal_e.resize(6 * f.I.size());
  lane.nodal_rate.resize(6 * f.I.size());
  for (int i = 0; i < f.count(); ++i) {
    double ei[6], ri[6];
    relative_motion(kinematics_.marker(f.I[i]), kinematics_.marker(f.J), &angle[f.angle + 3 * i], ei, ri);
    for (int k = 0; k < 6; ++k) {
      lane.nodal_e[6 * i + k] = ei[k];
      lane.nodal_rate[6 * i + k] = ri[k];
    }
  }
}

/// Components on each I and their wrench pairs, 12 numbers each, one after the other.
void Assembler::nodal_wrenches(const NodalForce& f, const State& state, Lane& lane, double* out) const {
  nodal_motion(f, state.angle.data(), lane);
  for (int i = 0; i < f.count(); ++i) {
    double components[6];
    nodal_components(law_of(f), i, lane.nodal_e.data(), lane.nodal_rate.data(), components);
    store(balanced_wrench(components, kinematics_.marker(f.I[i]), kinematics_.marker(f.J)), out + 12 * i);
  }
}

/// Every pair by variations of every marker. A marker I_k moves e_k alone, J all of them; besides, the wrench
/// of pair i turns with J and has the arm from J to I_i.
void TangentWriter::nodal_force(const NodalForce& f, int element) {
  using D = Dual<double, 6>;
  const NodalLaw law = law_of(f);
  const int n = f.count();
  std::vector<double>& now = lane_.nodal_now;           // components on each I
  std::vector<NodalMotion>& moved = lane_.nodal_moved;  // of the markers I that a variation moves against J
  std::vector<double>& K =
      lane_.nodal_blocks;  // per pair 12 × 12: position and velocity of the moving marker
  now.resize(6 * f.I.size());
  moved.resize(f.I.size());
  K.assign(144 * f.I.size(), 0.0);
  if (numbers()) {
    as_.nodal_motion(f, w_.state.angle, lane_);
    for (int i = 0; i < n; ++i) {
      double components[6];
      nodal_components(law, i, lane_.nodal_e.data(), lane_.nodal_rate.data(), components);
      std::copy(components, components + 6, &now[6 * static_cast<std::size_t>(i)]);
    }
  }
  for (int moving = 0; moving <= n; ++moving) {
    const int first = moving == n ? 0 : moving, last = moving == n ? n : moving + 1;
    for (int level = 0; numbers() && level < 2; ++level) {
      MarkerKinematics<D> I, J;
      lift(w_.array.marker[f.J], J);
      if (moving == n) seed(w_.array.marker[f.J], level, J);
      const auto lift_I = [&](int i) {
        lift(w_.array.marker[f.I[i]], I);
        if (moving == i) seed(w_.array.marker[f.I[i]], level, I);
      };
      for (int k = first; k < last; ++k) {
        lift_I(k);
        relative_motion(I, J, &w_.state.angle[f.angle + 3 * k], moved[k].e, moved[k].rate);
      }
      for (int i = 0; i < n; ++i) {
        D components[6];
        for (int r = 0; r < 6; ++r) components[r] = D(now[6 * static_cast<std::size_t>(i) + r]);
        for (int k = first; k < last; ++k)
          add_nodal_variation(law, i, k, moved[k].e, moved[k].rate, components);
        lift_I(i);
        const WrenchPair<D> w = balanced_wrench(components, I, J);
        const Vec3<D>* part[4] = {&w.fi, &w.ti, &w.fj, &w.tj};
        double* block = &K[144 * static_cast<std::size_t>(i)];
        for (int p = 0; p < 4; ++p)
          for (int r = 0; r < 3; ++r)
            for (int d = 0; d < 6; ++d) block[12 * (3 * p + r) + 6 * level + d] = (*part[p])[r].d[d];
      }
    }
    for (int i = 0; i < n; ++i)
      body_columns(element + i, f.I[i], f.J, moving == n ? f.J : f.I[moving],
                   &K[144 * static_cast<std::size_t>(i)], 2, all_axes);
  }
}

}  // namespace trammel
