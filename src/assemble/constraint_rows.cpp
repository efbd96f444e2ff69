// Φq by rows: what the analysis of redundant constraints works on.
#include "assemble/assembler.h"

namespace trammel {

ConstraintRows Assembler::jacobian_rows() const {
  ConstraintRows j;
  j.columns = model_.coordinates;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    for (int k = 0; k < model_.bodies[b].count; ++k) j.body.push_back(static_cast<int>(b));
  const auto add = [&](int marker, const Vec3d& f, const Vec3d& t) {
    const int b = model_.markers[marker].body;
    if (b < 0) return;
    const Body& body = model_.bodies[b];
    const Vec3d e = transpose_times(kinematics_.body(b).H, t + cross(kinematics_.arm(marker), f));
    // A row has one block per body, however many of its markers it reads.
    std::size_t at = j.row_start.back();
    while (at < j.column.size() && j.column[at] != body.first) ++at;
    if (at == j.column.size())
      for (int k = 0; k < body.count; ++k) {
        j.column.push_back(body.first + k);
        j.value.push_back(0.0);
      }
    for (int k = 0; k < body.count; ++k) j.value[at + k] += k < 3 ? f[k] : e[k - 3];
  };
  const auto finish_row = [&](int group) {
    j.row_start.push_back(static_cast<int>(j.column.size()));
    j.group.push_back(group);
  };
  int group = 0;
  for (std::size_t n = 0; n < model_.row_elements.size(); ++n, ++group) {
    const RowElement& e = model_.row_elements[n];
    for (int r = 0; r < e.rows; ++r) {
      const RowGradient<double>& g = row_gradients_[row_start_[n] + r];
      add(e.I, g.fi, g.ti);
      add(e.J, g.fj, g.tj);
      finish_row(group);
    }
  }
  for (std::size_t n = 0; n < model_.general_constraints.size(); ++n, ++group) {
    const GeneralConstraint& g = model_.general_constraints[n];
    const Tape& tape = model_.tapes[g.tape];
    for (std::size_t m = 0; m < tape.markers.size(); ++m) {
      const double* d = &constraint_gradients_[n].marker[18 * m + (g.pfaffian ? 6 : 0)];
      add(tape.markers[m].marker, {d[0], d[1], d[2]}, {d[3], d[4], d[5]});
    }
    finish_row(group);
  }
  return j;
}

}  // namespace trammel
