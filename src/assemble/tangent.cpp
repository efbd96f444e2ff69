// The tangent of bodies, the order in which all is written, and the sparsity pattern that this gives.
#include <algorithm>
#include <numeric>

#include "assemble/tangent_writer.h"

namespace trammel {

namespace {

/// M ṽ: its rows are those of M × v.
Mat3d times_skew(const Mat3d& m, const Vec3d& v) {
  return transpose(Mat3d::from_columns(cross(m.row(0), v), cross(m.row(1), v), cross(m.row(2), v)));
}
/// ṽ M: its columns are v × those of M.
Mat3d skew_times(const Vec3d& v, const Mat3d& m) {
  return Mat3d::from_columns(cross(v, m.column(0)), cross(v, m.column(1)), cross(v, m.column(2)));
}

}  // namespace

void TangentWriter::record(int row, int column) {
  recorded.emplace_back(column, row);
}

int TangentWriter::items(const Model& model) {
  return static_cast<int>(model.bodies.size() + model.row_elements.size() + model.general_constraints.size() +
                          model.law_forces.size() + model.expression_forces.size() +
                          model.nodal_forces.size() + model.scalars.size());
}

void TangentWriter::run(int begin, int end, double* slots, const int* place, const BodyWeights* weights) {
  slots_ = slots;
  place_ = place;
  int first = 0;
  const auto each = [&](std::size_t size, auto&& write) {
    const int count = static_cast<int>(size);
    for (int i = std::max(begin - first, 0); i < std::min(end - first, count); ++i) write(i);
    first += count;
  };
  each(model_.bodies.size(), [&](int b) { body(b, weights); });
  int element = 0;  // index of a table's first in Model::wrench_elements
  each(model_.row_elements.size(), [&](int n) { row_element(n, n); });
  element += static_cast<int>(model_.row_elements.size());
  each(model_.general_constraints.size(), [&](int n) { general_constraint(n, element + n); });
  element += static_cast<int>(model_.general_constraints.size());
  each(model_.law_forces.size(), [&](int n) { law_force(model_.law_forces[n], element + n); });
  element += static_cast<int>(model_.law_forces.size());
  each(model_.expression_forces.size(),
       [&](int n) { expression_force(model_.expression_forces[n], element + n); });
  element += static_cast<int>(model_.expression_forces.size());
  each(model_.nodal_forces.size(),
       [&](int n) { nodal_force(model_.nodal_forces[n], element + model_.nodal_forces[n].first_pair); });
  each(model_.scalars.size(), [&](int k) { scalar(k); });
}

void TangentWriter::body(int b, const BodyWeights* weights) {
  const Assembler::BodyInertia& body = as_.body_inertia_[b];
  double m[6][6] = {};
  if (mode_ == Mode::weights)
    body_weights(b, (*weights)[b], m);
  else if (numbers())
    inertia(b, m);
  for (int r = 0; r < body.unknowns(); ++r)
    for (int k = 0; k < body.unknowns(); ++k)
      if (body.coupled || r == k || (r >= 3 && k >= 3)) put(body.first + r, body.first + k, m[r][k]);
}

/// W in (x, ε): [1 0; 0 Hᵀ] W [1 0; 0 H].
void TangentWriter::body_weights(int b, const std::array<double, 36>& w, double (&m)[6][6]) const {
  const Body& body = model_.bodies[b];
  double T[6][6] = {};
  for (int k = 0; k < 3; ++k) T[k][k] = 1;
  if (!body.point_mass)
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) T[3 + r][3 + k] = kin_.body(b).H(r, k);
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < 6; ++k)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) m[r][k] += T[i][r] * w[6 * i + j] * T[j][k];
}

/// Inertia and the geometric terms of everything that acts on the body:
///   δ(Hᵀ n) = Hᵀ δn + ∂(Hᵀ n)/∂ε δε,   n = Jα + ω × Jω − T,   δT ∋ (Σ F̃ s̃) δθ
void TangentWriter::inertia(int b, double (&m)[6][6]) const {
  const Assembler::BodyInertia& body = as_.body_inertia_[b];
  for (int k = 0; k < 3; ++k) m[k][k] = c_.a * body.mass;
  if (body.point_mass) return;
  const BodyKinematics& k = kin_.body(b);
  const BodyVariation& d = kin_.variation(b);
  const Mat3d J = k.A * body.inertia * transpose(k.A);
  const Vec3d Ja = J * k.alpha, Jw = J * k.w;
  //   ∂n/∂θ = J α̃ − (Jα)~ + ω̃ (J ω̃ − (Jω)~) − Σ F̃ s̃,   ∂n/∂ω = ω̃ J − (Jω)~,   ∂n/∂α = J
  const Mat3d skew_Jw = skew(Jw);
  const Mat3d K_theta =
      times_skew(J, k.alpha) - skew(Ja) + skew_times(k.w, times_skew(J, k.w) - skew_Jw) - as_.arms_of_body(b);
  const Mat3d K_omega = skew_times(k.w, J) - skew_Jw;
  const Vec3d n = Ja + cross(k.w, Jw) - as_.body_moment_[b];
  // Variations of ψ and θ turn the axes h1, h2 of H: ∂(Hᵀn)/∂ε has h0×h1·n and h0×h2·n in the column of
  // ψ, h1×h2·n in that of θ.
  const Vec3d h0 = k.H.column(0), h1 = k.H.column(1), h2 = k.H.column(2);
  Mat3d block = transpose_times(k.H, K_theta * d.P + K_omega * d.V + J * d.Q);
  block(1, 0) += c_.c * dot(cross(h0, h1), n);
  block(2, 0) += c_.c * dot(cross(h0, h2), n);
  block(2, 1) += c_.c * dot(cross(h1, h2), n);
  for (int r = 0; r < 3; ++r)
    for (int col = 0; col < 3; ++col) m[3 + r][3 + col] = block(r, col);
}

void Assembler::build_pattern() {
  State state(model_);
  TangentWriter recorder(*this, state, {}, TangentWriter::Mode::record);
  const int items = TangentWriter::items(model_);
  item_start_.reserve(items + 1);
  for (int i = 0; i < items; ++i) {
    item_start_.push_back(static_cast<int>(recorder.recorded.size()));
    recorder.run(i, i + 1, nullptr, nullptr);
  }
  const auto& entries = recorder.recorded;
  item_start_.push_back(static_cast<int>(entries.size()));
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

  // Graph: bodies, constraint elements, scalars; edges where they share a block.
  std::vector<int> vertex(n);
  const auto add = [&](VertexKind kind, int first, int count) {
    std::fill_n(vertex.begin() + first, count, static_cast<int>(graph_.vertices.size()));
    graph_.vertices.push_back({kind, first, count});
  };
  for (const Body& b : model_.bodies) add(VertexKind::body, b.first, b.unknowns());
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
  kinematics_.update_variations(state, c);
  parallel_(TangentWriter::items(model_), 64, [&](int begin, int end, int lane) {
    TangentWriter writer(*this, state, c, TangentWriter::Mode::tangent, lane);
    writer.run(begin, end, slots_.data(), place_.data() + item_start_[begin]);
  });
  gather_values(values);
}

void Assembler::weighted_matrix(const State& state, const BodyWeights& weights, std::span<double> values) {
  TangentWriter writer(*this, state, {0, 0, 0, 0, 1}, TangentWriter::Mode::weights);
  writer.run(0, TangentWriter::items(model_), slots_.data(), place_.data(), &weights);
  gather_values(values);
}

}  // namespace trammel
