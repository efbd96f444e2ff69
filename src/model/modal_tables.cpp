#include "model/modal_tables.h"

#include <cmath>

#include "base/diagnostics.h"

namespace trammel {

namespace {

Symmetric minus_twice_symmetric(double factor, const Mat3d& a, const Mat3d& b) {
  const Mat3d s = -factor * (a + b);
  return {{s(0, 0), s(1, 1), s(2, 2), 0.5 * (s(0, 1) + s(1, 0)), 0.5 * (s(0, 2) + s(2, 0)),
           0.5 * (s(1, 2) + s(2, 1))}};
}

}  // namespace

ModalTables modal_tables(const ModalBody& body, const ModalChoice& choice) {
  const Invariants& in = body.invariants;
  const int n = static_cast<int>(choice.modes.size()), all = body.modes;
  const double mass = choice.mass / choice.ucf, first = mass * choice.length, second = first * choice.length;
  ModalTables f;
  f.modes = f.dynamic = n;
  f.moment = first * in.first;
  for (const int j : choice.modes) {
    const double modal = in.I6[static_cast<std::size_t>(j) * all + j];
    if (!(modal > 0))
      fail(ExitCode::input, "{}: the modal mass of mode {} is {:.6g}, not positive", body.source,
           body.mode_id[j], modal);
    f.mode_id.push_back(body.mode_id[j]);
    f.frequency.push_back(body.frequency[j]);
    f.size.push_back(choice.length * std::sqrt(modal / in.mass));
  }
  // Shapes are lengths per length: φ length/size, so I3 first/size, I4 and I8 second/size, I5, I6 and I9
  // second/size².
  const auto used = [&](int k) { return choice.invariants[k] && in.has[k]; };
  for (int j = 0; j < n; ++j) {
    const int mode = choice.modes[j];
    const double one = 1 / f.size[j];
    if (used(3)) f.momentum.push_back(first * one * in.I3[mode]);
    if (used(4)) f.spin.push_back(second * one * in.I4[mode]);
    if (used(8))
      f.inertia1.push_back(minus_twice_symmetric(second * one, in.I8[mode], transpose(in.I8[mode])));
    if (!body.preload.empty()) f.preload.push_back(choice.energy * one * body.preload[mode]);
    for (int k = 0; k < n; ++k) {
      const std::size_t pair = static_cast<std::size_t>(mode) * all + choice.modes[k];
      const std::size_t mirrored = static_cast<std::size_t>(choice.modes[k]) * all + mode;
      const double both = one / f.size[k];
      f.mass.push_back(0.5 * second * both * (in.I6[pair] + in.I6[mirrored]));
      f.stiffness.push_back(0.5 * choice.energy * both * (body.stiffness[pair] + body.stiffness[mirrored]));
      if (used(5)) f.spin_by_q.push_back(0.5 * second * both * (in.I5[pair] - in.I5[mirrored]));
      if (used(9)) f.inertia2.push_back(minus_twice_symmetric(second * both, in.I9[pair], in.I9[mirrored]));
    }
  }
  f.damping.resize(static_cast<std::size_t>(n) * n);
  return f;
}

void append_shapes(const ModalBody& body, const ModalChoice& choice, const ModalTables& tables, int node,
                   std::vector<double>& shapes) {
  for (int j = 0; j < tables.modes; ++j) {
    const std::size_t at = static_cast<std::size_t>(node) * body.modes + choice.modes[j];
    const Vec3d u = (choice.length / tables.size[j]) * body.translation[at];
    const Vec3d turn = body.rotation.empty() ? Vec3d{} : (1 / tables.size[j]) * body.rotation[at];
    for (const Vec3d& v : {u, turn})
      for (int i = 0; i < 3; ++i) shapes.push_back(v[i]);
  }
}

}  // namespace trammel
