// The order in which the tangent is written, the couplings that this gives, and sums of entries.
#include <algorithm>

#include "assemble/assembler.h"
#include "assemble/lane.h"
#include "assemble/pools/list.h"

namespace trammel {

void HostSink::record(int row, int column) {
  recorded.emplace_back(column, row);
}

namespace {

/// Writes elements [begin, end) of all pools, numbered in their order; `start`: first entry of each. A
/// deactivated force writes nothing, so that its slots stay 0; the multipliers of a deactivated constraint
/// are masked.
template <class Writer>
void write_elements(const Pools& pools, Writer& writer, int begin, int end, const int* start) {
  const int* place = writer.sink.place;
  pools.for_each([&]<class P>(PoolTag<P>, const auto& t) {
    const int last = std::min(end - t.first_item, t.count);
    for (int i = std::max(begin - t.first_item, 0); i < last; ++i) {
      if (start) {
        if (!P::has_rows && !t.in_force(i)) continue;
        writer.sink.place = place + start[t.first_item + i];
      }
      P::tangent(writer, t, i);
    }
  });
}

/// W in the unknowns of a body: Tᵀ W T with (δx, δθ) = T δq.
template <class Writer>
void write_weights(Writer& writer, int b, const std::array<double, 36>& w) {
  double m[6][6] = {};
  const BodyBlock& body = writer.body_at(b);
  const Mat3d& H = writer.w.array.body[b].H;
  if (body.planar()) [[unlikely]] {
    double T[6][6] = {};
    for (int k = 0; k < body.translations; ++k)
      for (int r = 0; r < 3; ++r) T[r][k] = H(r, 1 + k);
    for (int r = 0; r < 3; ++r) T[3 + r][body.translations] = H(r, 0);
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k < 6; ++k)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) m[r][k] += T[i][r] * w[6 * i + j] * T[j][k];
    return Bodies::put(writer, b, m);
  }
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) {
      m[r][k] = w[6 * r + k];
      for (int j = 0; j < 3; ++j) {
        m[r][3 + k] += w[6 * r + 3 + j] * H(j, k);
        m[3 + k][r] += H(j, k) * w[6 * (3 + j) + r];
        for (int i = 0; i < 3; ++i) m[3 + r][3 + k] += H(j, r) * w[6 * (3 + j) + 3 + i] * H(i, k);
      }
    }
  Bodies::put(writer, b, m);
}

}  // namespace

/// The entries are recorded by the code that writes the tangent.
Couplings Assembler::couplings() {
  Couplings out;
  out.unknowns = model_.unknowns();
  const State state(model_);
  const EvaluationPoint point{0, static_cast<int>(AnalysisMode::dynamics), {}};
  const AssemblyView now = view(state, point);
  HostSink sink(HostSink::Mode::record, *lanes_[0]);
  TangentWriter writer(now, sink);
  out.item_start.reserve(pools_->items() + 1);
  for (int i = 0; i < pools_->items(); ++i) {
    out.item_start.push_back(static_cast<int>(sink.recorded.size()));
    write_elements(*pools_, writer, i, i + 1, nullptr);
  }
  out.item_start.push_back(static_cast<int>(sink.recorded.size()));
  out.entries = std::move(sink.recorded);
  for (const Body& b : model_.bodies)
    out.vertices.push_back({VertexKind::body, b.first, b.count(), b.translations});
  for (const FlexibleBody& f : model_.flexible_bodies)
    if (f.modes > 0) out.vertices.push_back({VertexKind::body, f.first, f.modes, GraphVertex::neither});
  pools_->for_each([&]<class P>(PoolTag<P>, const auto&) {
    if constexpr (P::has_rows)
      for (const auto& e : P::elements(model_)) {
        int first = 0, count = 0;
        P::rows(e, [&](int row, unsigned) { first = count++ == 0 ? row : first; });
        out.vertices.push_back({VertexKind::constraint, model_.coordinates + first, count});
      }
  });
  for (int k = 0; k < model_.scalar_count(); ++k)
    out.vertices.push_back({VertexKind::scalar, model_.first_scalar() + k, 1});
  return out;
}

/// Matrix values that one entry makes are in their slots already; the others are sums of slots, in the order
/// in which elements stand in the tables.
std::span<const double> Assembler::gathered_values() {
  constexpr int grain = 6144;
  parallel_(static_cast<int>(structure_->shared().size()), grain, [&](int begin, int end, int) {
    for (int i = begin; i < end; ++i) {
      const SharedValue& v = structure_->shared()[i];
      double sum = slots_[v.first];
      for (int k = v.first + 1; k < v.last; ++k) sum += slots_[k];
      slots_[v.value] = sum;
    }
  });
  return {slots_.data(), static_cast<std::size_t>(pattern().nonzeros())};
}

void Assembler::tangent(const State& state, const Coefficients& c, std::span<double> values) {
  std::ranges::copy(tangent(state, c), values.begin());
}

std::span<const double> Assembler::tangent(const State& state, const Coefficients& c) {
  require_evaluated(state, {.forces = true});
  const EvaluationPoint point{state.t, reads_.mode, c};
  const AssemblyView now = view(state, point);
  kinematics_.update_variations(now);
  modal_products_.clear();
  const auto write = [&](int begin, int end, int lane) {
    HostSink sink(HostSink::Mode::tangent, *lanes_[lane]);
    sink.slots = slots_.data();
    sink.place = structure_->place().data();
    TangentWriter writer(now, sink);
    write_elements(*pools_, writer, begin, end, structure_->item_start().data());
  };
  // Flexible bodies after all elements, whose gradients at nodes enter their blocks.
  const auto& flexible = pools_->tables().of<FlexibleBodies>();
  const int first = flexible.first_item, last = first + flexible.count;
  constexpr int grain = 128;
  parallel_(pools_->items(), grain, [&](int begin, int end, int lane) {
    if (first == last) return write(begin, end, lane);
    write(begin, std::min(end, first), lane);
    write(std::max(begin, last), end, lane);
  });
  modal_products_.multiply(now, parallel_);
  parallel_(flexible.count, 1,
            [&](int begin, int end, int lane) { write(first + begin, first + end, lane); });
  return gathered_values();
}

void Assembler::weighted_matrix(const State& state, const BodyWeights& weights, std::span<double> values) {
  require_evaluated(state, {});
  const EvaluationPoint point{state.t, reads_.mode, {.a = 0, .rate = 1}};
  const AssemblyView now = view(state, point);
  HostSink sink(HostSink::Mode::weights, *lanes_[0]);
  sink.slots = slots_.data();
  sink.place = structure_->place().data();
  TangentWriter writer(now, sink);
  const int bodies = static_cast<int>(model_.bodies.size());
  for (int b = 0; b < bodies; ++b) write_weights(writer, b, weights[b]);
  // Flexible bodies: the tangent by accelerations alone is the mass matrix.
  const auto& flexible = pools_->tables().of<FlexibleBodies>();
  const bool with_mass = weights.of_flexible_bodies != 0;
  const EvaluationPoint of_mass{state.t, reads_.mode, {.a = weights.of_flexible_bodies}};
  const AssemblyView there = view(state, of_mass);
  if (with_mass) kinematics_.update_variations(there);
  HostSink mass_sink(with_mass ? HostSink::Mode::tangent : HostSink::Mode::weights, *lanes_[0]);
  mass_sink.slots = sink.slots;
  mass_sink.place = sink.place;
  TangentWriter mass_writer(there, mass_sink);
  for (int i = 0; i < flexible.count; ++i)
    FlexibleBodies::weights(mass_writer, flexible, i, weights.modes.data() - model_.first_modal());
  sink.place = structure_->place().data();
  write_elements(*pools_, writer, bodies + flexible.count, pools_->items(), structure_->item_start().data());
  std::ranges::copy(gathered_values(), values.begin());
}

}  // namespace trammel
