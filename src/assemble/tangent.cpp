// The order in which the tangent is written, the sparsity pattern that this gives, and sums of entries.
#include <algorithm>
#include <numeric>

#include "assemble/kinematics_items.h"
#include "assemble/tangent_writer.h"

namespace trammel {

void HostSink::record(int row, int column) {
  recorded.emplace_back(column, row);
}

int TangentWriter::items(const Model& model) {
  return static_cast<int>(model.bodies.size() + model.row_elements.size() + model.general_constraints.size() +
                          model.law_forces.size() + model.expression_forces.size() +
                          model.nodal_forces.size() + model.scalars.size());
}

void TangentWriter::run(int begin, int end, const BodyWeights* weights) {
  int first = 0;
  const auto each = [&](std::size_t size, auto&& write) {
    const int count = static_cast<int>(size);
    for (int i = std::max(begin - first, 0); i < std::min(end - first, count); ++i) write(i);
    first += count;
  };
  each(model_.bodies.size(), [&](int b) { weights ? weighted_body(b, (*weights)[b]) : body(b); });
  each(model_.row_elements.size(), [&](int n) { row_element(n); });
  const int general = static_cast<int>(model_.row_elements.size());  // first wrench element of each table
  each(model_.general_constraints.size(), [&](int n) { general_constraint(n, general + n); });
  each(model_.law_forces.size(), [&](int n) { law_force(n); });
  each(model_.expression_forces.size(), [&](int n) { expression_force(n); });
  const int nodal = w_.table.expression_wrench + static_cast<int>(model_.expression_forces.size());
  each(model_.nodal_forces.size(),
       [&](int n) { nodal_force(model_.nodal_forces[n], nodal + model_.nodal_forces[n].first_pair); });
  each(model_.scalars.size(), [&](int k) { scalar(k); });
}

/// W in (x, ε): [1 0; 0 Hᵀ] W [1 0; 0 H].
void TangentWriter::weighted_body(int b, const std::array<double, 36>& w) {
  double T[6][6] = {}, m[6][6] = {};
  for (int k = 0; k < 3; ++k) T[k][k] = 1;
  if (body_at(b).turns())
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) T[3 + r][3 + k] = w_.array.body[b].H(r, k);
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < 6; ++k)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) m[r][k] += T[i][r] * w[6 * i + j] * T[j][k];
  put_body(b, m);
}

void Assembler::build_pattern() {
  const State state(model_);
  const EvaluationPoint point{0, static_cast<int>(AnalysisMode::dynamics), {}};
  const AssemblyView now = view(state, point);
  TangentWriter recorder(*this, now, TangentWriter::Mode::record);
  const int items = TangentWriter::items(model_);
  item_start_.reserve(items + 1);
  for (int i = 0; i < items; ++i) {
    item_start_.push_back(static_cast<int>(recorder.sink.recorded.size()));
    recorder.run(i, i + 1);
  }
  item_start_.push_back(static_cast<int>(recorder.sink.recorded.size()));
  build_places(recorder.sink.recorded);
  build_graph();
}

/// The pattern, and the place of each entry: that of a value of the matrix, or a slot of a sum.
void Assembler::build_places(const std::vector<std::pair<int, int>>& entries) {
  std::vector<int> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return entries[a] < entries[b]; });
  const int n = model_.unknowns();
  pattern_.n = n;
  pattern_.column_start.assign(n + 1, 0);
  pattern_.row.clear();
  std::vector<int> value_start;  // first of the entries that make a value, in `order`
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto& entry = entries[order[k]];
    if (k > 0 && entry == entries[order[k - 1]]) continue;
    pattern_.row.push_back(entry.second);
    ++pattern_.column_start[entry.first + 1];
    value_start.push_back(static_cast<int>(k));
  }
  value_start.push_back(static_cast<int>(order.size()));
  std::partial_sum(pattern_.column_start.begin(), pattern_.column_start.end(), pattern_.column_start.begin());
  place_.resize(entries.size());
  int next = pattern_.nonzeros();
  for (int value = 0; value < pattern_.nonzeros(); ++value) {
    const int first = value_start[value], last = value_start[value + 1];
    if (last == first + 1) {
      place_[order[first]] = value;
      continue;
    }
    shared_.push_back({value, next, next + last - first});
    for (int k = first; k < last; ++k) place_[order[k]] = next++;
  }
  slots_.resize(next);
}

/// Bodies, constraint elements, scalars; edges where they share a block.
void Assembler::build_graph() {
  const int n = model_.unknowns();
  std::vector<int> vertex(n);
  const auto add = [&](VertexKind kind, int first, int count) {
    std::fill_n(vertex.begin() + first, count, static_cast<int>(graph_.vertices.size()));
    graph_.vertices.push_back({kind, first, count});
  };
  for (const Body& b : model_.bodies) add(VertexKind::body, b.first, b.count);
  for (const RowElement& e : model_.row_elements)
    add(VertexKind::constraint, model_.coordinates + e.first_row, e.rows);
  for (const GeneralConstraint& g : model_.general_constraints)
    add(VertexKind::constraint, model_.coordinates + g.row, 1);
  for (int k = 0; k < model_.scalar_count(); ++k) add(VertexKind::scalar, model_.first_scalar() + k, 1);
  for (int column = 0; column < n; ++column)
    for (int k = pattern_.column_start[column]; k < pattern_.column_start[column + 1]; ++k) {
      const int a = vertex[column], b = vertex[pattern_.row[k]];
      if (a != b) graph_.edges.emplace_back(std::min(a, b), std::max(a, b));
    }
  std::sort(graph_.edges.begin(), graph_.edges.end());
  graph_.edges.erase(std::unique(graph_.edges.begin(), graph_.edges.end()), graph_.edges.end());
}

/// Values that one entry makes stand in their place; the others are sums of their slots, in the order in
/// which elements stand in the tables.
void Assembler::gather_values(std::span<double> values) const {
  parallel_(pattern_.nonzeros(), 16384, [&](int begin, int end, int) {
    std::copy(slots_.begin() + begin, slots_.begin() + end, values.begin() + begin);
  });
  parallel_(static_cast<int>(shared_.size()), 2048, [&](int begin, int end, int) {
    for (int i = begin; i < end; ++i) {
      const SharedValue& v = shared_[i];
      double sum = slots_[v.first];
      for (int k = v.first + 1; k < v.last; ++k) sum += slots_[k];
      values[v.value] = sum;
    }
  });
}

void Assembler::tangent(const State& state, const Coefficients& c, std::span<double> values) {
  require_evaluated(state, {.forces = true});
  const EvaluationPoint point{state.t, reads_.mode, c};
  const AssemblyView now = view(state, point);
  kinematics_.update_variations(now);
  parallel_(TangentWriter::items(model_), 64, [&](int begin, int end, int lane) {
    TangentWriter writer(*this, now, TangentWriter::Mode::tangent, lane);
    writer.sink.slots = slots_.data();
    writer.sink.place = place_.data() + item_start_[begin];
    writer.run(begin, end);
  });
  gather_values(values);
}

void Assembler::weighted_matrix(const State& state, const BodyWeights& weights, std::span<double> values) {
  require_evaluated(state, {});
  const EvaluationPoint point{state.t, reads_.mode, {.a = 0, .rate = 1}};
  const AssemblyView now = view(state, point);
  TangentWriter writer(*this, now, TangentWriter::Mode::weights);
  writer.sink.slots = slots_.data();
  writer.sink.place = place_.data();
  writer.run(0, TangentWriter::items(model_), &weights);
  gather_values(values);
}

}  // namespace trammel
