// Φq by rows: what the analysis of redundant constraints works on.
#include "assemble/assembler.h"
#include "assemble/body_motion.h"
#include "assemble/pools/list.h"

namespace trammel {

ConstraintRows Assembler::jacobian_rows() const {
  ConstraintRows j;
  j.columns = model_.coordinates;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    for (int k = 0; k < model_.bodies[b].count(); ++k) j.body.push_back(static_cast<int>(b));
  const auto add = [&](int marker, const Vec3d& f, const Vec3d& t) {
    const int b = model_.markers[marker].body;
    if (b < 0) return;
    const Body& body = model_.bodies[b];
    double x[6];
    generalized_force(body, kinematics_.body(b).H, f, t + cross(kinematics_.arm(marker), f), x);
    // A row has one block per body, however many of its markers it reads.
    std::size_t at = j.row_start.back();
    while (at < j.column.size() && j.column[at] != body.first) ++at;
    if (at == j.column.size())
      for (int k = 0; k < body.count(); ++k) {
        j.column.push_back(body.first + k);
        j.value.push_back(0.0);
      }
    for (int k = 0; k < body.count(); ++k) j.value[at + k] += x[k];
  };
  const State state(model_);
  const EvaluationPoint point{};
  const AssemblyView now = view(state, point);
  int group = 0;
  const auto finish = [&] {
    j.row_start.push_back(static_cast<int>(j.column.size()));
    j.group.push_back(group);
    j.balanced.push_back(group < static_cast<int>(model_.constraint_elements.size()));
  };
  pools_->for_each([&]<class P>(PoolTag<P>, const auto& t) {
    if constexpr (P::has_rows)
      for (int i = 0; i < t.count; ++i, ++group) P::gradients(now, t, i, add, finish);
  });
  return j;
}

}  // namespace trammel
