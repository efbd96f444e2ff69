// Φq by rows: what the analysis of redundant constraints works on.
#include <algorithm>

#include "assemble/assembler.h"
#include "assemble/lane.h"
#include "assemble/pools/list.h"

namespace trammel {

ConstraintRows Assembler::jacobian_rows() const {
  ConstraintRows j;
  j.columns = model_.coordinates;
  j.body.reserve(model_.coordinates);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    j.body.insert(j.body.end(), model_.bodies[b].count(), static_cast<int>(b));
  for (const FlexibleBody& f : model_.flexible_bodies) j.body.insert(j.body.end(), f.modes, f.body);
  for (auto* list : {&j.row_start, &j.group}) list->reserve(1 + model_.multipliers);
  j.balanced.reserve(model_.multipliers);
  constexpr std::size_t of_two_bodies = 12;  // entries of a row
  j.column.reserve(of_two_bodies * model_.multipliers);
  j.value.reserve(of_two_bodies * model_.multipliers);
  const State none;  // gradients are those of the last evaluation
  const EvaluationPoint point{};
  const AssemblyView now = view(none, point);
  HostSink sink(HostSink::Mode::tangent, *lanes_[0]);
  const TangentWriter writer(now, sink);
  const auto add = [&](int marker, const Vec3d& f, const Vec3d& t) {
    if (model_.markers[marker].body < 0) return;
    // A row has one block per body, however many of its markers it reads. The columns of a marker differ from
    // each other, those of its body's frame come first: once one is new, all that follow are.
    const std::size_t begin = j.row_start.back(), end = j.column.size();
    std::size_t at = begin;
    writer.put_force_on(marker, f, t, all_axes, [&](int column, double x) {
      if (at < end && j.column[at] != column)
        at = std::find(j.column.begin() + begin, j.column.begin() + end, column) - j.column.begin();
      if (at < end) {
        j.value[at++] += x;
        return;
      }
      j.column.push_back(column);
      j.value.push_back(x);
    });
  };
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
