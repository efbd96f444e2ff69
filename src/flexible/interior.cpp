#include "flexible/interior.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"

namespace trammel {

struct Interior::Term {
  int row;
  double value;
};

Interior::Interior(const FullModel& model, const Boundary& boundary, double shift,
                   std::shared_ptr<ThreadPool> pool)
    : model_(model), boundary_(boundary) {
  number();
  penalties();
  assemble(shift);
  if (pattern_.n == 0) return;  // the interface is all of the model
  if (pattern_.nonzeros() == 0)
    fail(ExitCode::input, "{}: nothing but the interface has stiffness", model_.source);
  build_graph();
  system_.use(std::move(pool));
  system_.analyze(pattern_, graph_);
  const SolveReport report = system_.set_matrix(value_.data(), true);
  if (!report.ok())
    fail(ExitCode::input,
         "{}: the interface does not hold the model: {} is free to move. Add nodes to the interface, or look "
         "for parts that hang together by nothing",
         model_.source, place_of(report));
  x_.resize(pattern_.n);
  value_ = std::vector<double>();  // `= {}` keeps the memory
  pattern_ = {};
}

std::string Interior::place_of(const SolveReport& report) const {
  if (report.column < 0 || report.column >= size()) return "a mean of nodes";
  const int u = unknown_[report.column];
  return fmt::format("direction {} of node {}", model_.direction[u] + 1, model_.node_id[model_.node_of(u)]);
}

void Interior::number() {
  inside_.assign(model_.unknowns(), -1);
  for (int u = 0; u < model_.unknowns(); ++u)
    if (!boundary_.held[u]) {
      inside_[u] = size();
      unknown_.push_back(u);
    }
  member_.assign(unknown_.size(), {-1, 0});
  for (std::size_t s = 0; s < boundary_.means.size(); ++s)
    for (std::size_t k = 0; k < boundary_.means[s].node.size(); ++k)
      for (int d = 0; d < 3; ++d)
        member_[inside_[model_.unknown(boundary_.means[s].node[k], d)]] = {static_cast<int>(s),
                                                                           static_cast<int>(k)};
}

/// ρ of a row b of means, so that ρ b bᵀ is as large as the stiffness of its nodes.
void Interior::penalties() {
  for (const MeanMotion& mean : boundary_.means) {
    double stiffest = 0;
    for (const int p : mean.node)
      for (int u = model_.first[p]; u < model_.first[p + 1]; ++u)
        for (int k = model_.pattern.column_start[u]; k < model_.pattern.column_start[u + 1]; ++k)
          if (model_.pattern.row[k] == u) stiffest = std::max(stiffest, std::abs(model_.stiffness[k]));
    for (int i = 0; i < 6; ++i) {
      double size = 0;
      for (const auto& w : mean.weight) size += dot(w[i], w[i]);
      penalty_.push_back(stiffest / size);
    }
  }
}

/// Terms BᵀρB and B of the column of one unknown.
void Interior::add_means(int j, std::vector<Term>& column) const {
  const auto [s, place] = member_[j];
  if (s < 0) return;
  const MeanMotion& mean = boundary_.means[s];
  const int d = model_.direction[unknown_[j]];
  if (d > 2) return;
  const auto& own = mean.weight[place];
  for (std::size_t k = 0; k < mean.node.size(); ++k)
    for (int e = 0; e < 3; ++e) {
      double sum = 0;
      for (int i = 0; i < 6; ++i) sum += penalty_[6 * s + i] * mean.weight[k][i][e] * own[i][d];
      column.push_back({inside_[model_.unknown(mean.node[k], e)], sum});
    }
  for (int i = 0; i < 6; ++i) column.push_back({size() + 6 * s + i, own[i][d]});
}

void Interior::assemble(double shift) {
  const SparsePattern& all = model_.pattern;
  pattern_.n = size() + boundary_.rows();
  pattern_.column_start.assign(1, 0);
  const auto add = [&](std::vector<Term>& column) {
    std::sort(column.begin(), column.end(), [](const Term& a, const Term& b) { return a.row < b.row; });
    for (const Term& t : column) {
      if (pattern_.nonzeros() > pattern_.column_start.back() && pattern_.row.back() == t.row) {
        value_.back() += t.value;
      } else {
        pattern_.row.push_back(t.row);
        value_.push_back(t.value);
      }
    }
    pattern_.column_start.push_back(pattern_.nonzeros());
  };
  std::vector<Term> column;
  for (int j = 0; j < size(); ++j) {
    column.clear();
    const int u = unknown_[j];
    for (int k = all.column_start[u]; k < all.column_start[u + 1]; ++k)
      if (const int i = inside_[all.row[k]]; i >= 0)
        column.push_back({i, model_.stiffness[k] - shift * model_.mass[k]});
    add_means(j, column);
    add(column);
  }
  for (int r = 0; r < boundary_.rows(); ++r) {
    column.assign(1, {size() + r, 0.0});
    const MeanMotion& mean = boundary_.means[r / 6];
    for (std::size_t k = 0; k < mean.node.size(); ++k)
      for (int d = 0; d < 3; ++d)
        column.push_back({inside_[model_.unknown(mean.node[k], d)], mean.weight[k][r % 6][d]});
    add(column);
  }
}

/// Edges of the graph: between nodes that elements connect, and between means and their nodes.
void Interior::build_graph() {
  std::vector<int> vertex(model_.nodes(), -1), of_unknown(pattern_.n);
  for (int j = 0; j < size();) {
    const int p = model_.node_of(unknown_[j]);
    GraphVertex v{VertexKind::body, j, 0, 0};
    for (; j < size() && unknown_[j] < model_.first[p + 1]; ++j, ++v.count) {
      of_unknown[j] = static_cast<int>(graph_.vertices.size());
      v.translations += model_.direction[unknown_[j]] < 3;
    }
    vertex[p] = static_cast<int>(graph_.vertices.size());
    graph_.vertices.push_back(v);
  }
  for (int r = 0; r < boundary_.rows(); ++r) {
    of_unknown[size() + r] = static_cast<int>(graph_.vertices.size()) - (r % 6 != 0);
    if (r % 6 == 0) graph_.vertices.push_back({VertexKind::constraint, size() + r, 6, 0});
  }
  std::vector<int> seen(graph_.vertices.size(), -1);
  for (int c = 0; c < pattern_.n; ++c)
    for (int k = pattern_.column_start[c]; k < pattern_.column_start[c + 1]; ++k) {
      const int a = of_unknown[c], b = of_unknown[pattern_.row[k]];
      if (b <= a || seen[b] == a) continue;
      seen[b] = a;
      graph_.edges.emplace_back(a, b);
    }
}

void Interior::answer() {
  if (x_.empty()) return;
  const SolveReport report = system_.solve(x_.data(), x_.data());
  if (!report.ok())
    fail(ExitCode::solver, "{}: no accurate static solution was found (backward error {:.2g})", model_.source,
         report.backward_error);
}

std::vector<double> Interior::constraint_mode(int motion) {
  const InterfaceMotion& m = boundary_.motions[motion];
  const SparsePattern& all = model_.pattern;
  std::fill(x_.begin(), x_.end(), 0.0);
  for (const auto& [u, moved] : m.moved)
    for (int k = all.column_start[u]; k < all.column_start[u + 1]; ++k)
      if (const int i = inside_[all.row[k]]; i >= 0) x_[i] -= model_.stiffness[k] * moved;
  if (m.row >= 0) {
    x_[size() + m.row] = 1;
    const MeanMotion& mean = boundary_.means[m.row / 6];
    for (std::size_t k = 0; k < mean.node.size(); ++k)
      for (int d = 0; d < 3; ++d)
        x_[inside_[model_.unknown(mean.node[k], d)]] += penalty_[m.row] * mean.weight[k][m.row % 6][d];
  }
  answer();
  std::vector<double> out = spread(x_.data());
  for (const auto& [u, moved] : m.moved) out[u] = moved;
  return out;
}

void Interior::solve(const double* x, double* y) {
  std::copy_n(x, size(), x_.begin());
  std::fill(x_.begin() + size(), x_.end(), 0.0);
  answer();
  std::copy_n(x_.begin(), size(), y);
}

void Interior::mass_times(const double* x, double* y) const {
  const SparsePattern& all = model_.pattern;
  for (int j = 0; j < size(); ++j) {
    double sum = 0;
    const int u = unknown_[j];
    for (int k = all.column_start[u]; k < all.column_start[u + 1]; ++k)
      if (const int i = inside_[all.row[k]]; i >= 0) sum += model_.mass[k] * x[i];
    y[j] = sum;
  }
}

std::vector<double> Interior::spread(const double* x) const {
  std::vector<double> out(model_.unknowns());
  for (int j = 0; j < size(); ++j) out[unknown_[j]] = x[j];
  return out;
}

}  // namespace trammel
