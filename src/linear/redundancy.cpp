#include "linear/redundancy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/buckets.h"
#include "base/diagnostics.h"
#include "linear/bridges.h"
#include "linear/ordering.h"

namespace trammel {
namespace {

void check(const ConstraintRows& rows) {
  const int m = rows.rows();
  const auto fits = [](const auto& v, int n) { return static_cast<int>(v.size()) == n; };
  const int nonzeros = static_cast<int>(rows.column.size());
  const bool sizes = rows.row_start.size() >= 1 && rows.row_start[0] == 0 && rows.row_start[m] == nonzeros &&
                     fits(rows.group, m) && (rows.body.empty() || fits(rows.body, rows.columns)) &&
                     (rows.priority.empty() || fits(rows.priority, m)) &&
                     (rows.balanced.empty() || fits(rows.balanced, m)) &&
                     (rows.weight.empty() || fits(rows.weight, rows.columns));
  if (!sizes)
    fail(ExitCode::internal, "constraint rows: sizes of {} rows, {} columns disagree", m, rows.columns);
  for (int j : rows.column) {
    if (j < 0 || j >= rows.columns)
      fail(ExitCode::internal, "constraint rows: column {} of {}", j, rows.columns);
  }
  for (double w : rows.weight) {
    if (!(w > 0) || !std::isfinite(w))
      fail(ExitCode::internal, "constraint rows: weight {} is not positive", w);
  }
}

/// Labels that treat columns as coordinates of one body if the same groups have entries in them.
std::vector<int> columns_alike(const ConstraintRows& rows) {
  std::vector<std::vector<int>> groups(rows.columns);
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k)
      groups[rows.column[k]].push_back(rows.group[i]);
  }
  std::map<std::vector<int>, int> classes;
  std::vector<int> body(rows.columns);
  for (int j = 0; j < rows.columns; ++j) {
    std::sort(groups[j].begin(), groups[j].end());
    groups[j].erase(std::unique(groups[j].begin(), groups[j].end()), groups[j].end());
    body[j] = classes.try_emplace(groups[j], static_cast<int>(classes.size())).first->second;
  }
  return body;
}

/// Renumbers the distinct values of `label` from 0 in ascending order.
std::vector<int> renumber(const std::vector<int>& label, int& count) {
  if (std::is_sorted(label.begin(), label.end())) {
    std::vector<int> number(label.size(), 0);
    for (size_t k = 1; k < label.size(); ++k) number[k] = number[k - 1] + (label[k] != label[k - 1]);
    count = label.empty() ? 0 : number.back() + 1;
    return number;
  }
  std::vector<int> values(label);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  count = static_cast<int>(values.size());
  std::vector<int> number(label.size());
  for (size_t k = 0; k < label.size(); ++k) {
    number[k] = static_cast<int>(std::lower_bound(values.begin(), values.end(), label[k]) - values.begin());
  }
  return number;
}

}  // namespace

/// The graph for the ordering: one vertex per body and per group; unknowns numbered vertex by vertex.
void ConstraintFactorization::make_graph() {
  int bodies = 0, groups = 0;
  rows_.body = renumber(rows_.body.empty() ? columns_alike(rows_) : rows_.body, bodies);
  const std::vector<int> group = renumber(rows_.group, groups);
  const int n = rows_.columns, m = rows_.rows();
  auto members = in_buckets<int>(bodies + groups, [&](auto put) {
    for (int j = 0; j < n; ++j) put(rows_.body[j], j);
    for (int i = 0; i < m; ++i) put(bodies + group[i], n + i);
  });
  if (!rows_.priority.empty()) {
    for (int g = bodies; g < bodies + groups; ++g) {
      std::stable_sort(members.item.begin() + members.start[g], members.item.begin() + members.start[g + 1],
                       [&](int a, int b) { return rows_.priority[a - n] > rows_.priority[b - n]; });
    }
  }
  graph_ = {};
  graph_.vertices.reserve(bodies + groups);
  for (int v = 0; v < bodies + groups; ++v) {
    const VertexKind kind = v < bodies ? VertexKind::body : VertexKind::constraint;
    graph_.vertices.push_back({kind, members.start[v], members.start[v + 1] - members.start[v]});
  }
  unknown_ = std::move(members.item);
  std::vector<int> beside(bodies, -1);  // last group found to act on this body
  for (int v = bodies; v < bodies + groups; ++v) {
    const GraphVertex& own = graph_.vertices[v];
    for (int u = own.first; u < own.first + own.count; ++u) {
      const int i = unknown_[u] - n;
      for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
        const int body = rows_.body[rows_.column[k]];
        if (std::exchange(beside[body], v) != v) graph_.edges.emplace_back(v, body);
      }
    }
  }
}

void ConstraintFactorization::analyze(ConstraintRows rows) {
  check(rows);
  rows_ = std::move(rows);
  rows_.value = std::vector<double>();
  threshold_ = -1;
  make_graph();
  bridge_ = pairs_on_bridges(rows_);
  rows_of_bridge_.clear();
  for (int i = 0; i < rows_.rows(); ++i) {
    if (bridge_[i] < 0) continue;
    if (bridge_[i] >= static_cast<int>(rows_of_bridge_.size())) rows_of_bridge_.resize(bridge_[i] + 1);
    rows_of_bridge_[bridge_[i]].push_back(i);
  }
  EliminationOrder order = order_unknowns(graph_, true);
  strict_ = true;
  if (order.flops > dear_strict_order) {
    EliminationOrder sparing = order_unknowns(graph_, false);
    if (sparing.flops < 0.25 * order.flops) {
      order = std::move(sparing);
      strict_ = order.strict;
    }
  }
  use_order(order.unknowns);
}

void ConstraintFactorization::use_order(const std::vector<int>& order) {
  const int n = rows_.columns, size = n + rows_.rows();
  place_.assign(size, 0);
  at_.assign(size, 0);
  diagonal_.assign(size, 0.0);
  for (int k = 0; k < size; ++k) {
    at_[k] = unknown_[order[k]];
    place_[at_[k]] = k;
    diagonal_[k] = at_[k] < n ? 1.0 : 0.0;
  }
  auto upper = in_buckets<UpperTriangle::Entry>(size, [&](auto put) {
    for (int i = 0; i < rows_.rows(); ++i) {
      for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
        const int a = place_[n + i], b = place_[rows_.column[k]];
        put(std::max(a, b), UpperTriangle::Entry{std::min(a, b), k});
      }
    }
  });
  ldl_.analyze({size, std::move(upper.start), std::move(upper.item)});
  work_.assign(size, 0.0);
  threshold_ = -1;
}

/// Default W^-1/2: entries near one in rows of unit norm. A column far smaller than the others of its body
/// holds rounding or a vanishing lever arm and is not scaled up to one.
void ConstraintFactorization::choose_columns(const std::vector<double>& value) {
  const int n = rows_.columns;
  std::vector<double> largest(n, 0.0);
  for (int i = 0; i < rows_.rows(); ++i) {
    double norm = 0;
    for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) norm += value[k] * value[k];
    if (norm == 0) continue;
    norm = std::sqrt(norm);
    for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
      double& l = largest[rows_.column[k]];
      l = std::max(l, std::fabs(value[k]) / norm);
    }
  }
  for (const GraphVertex& v : graph_.vertices) {
    if (v.kind != VertexKind::body) continue;
    std::vector<double> sizes;
    for (int u = v.first; u < v.first + v.count; ++u) sizes.push_back(largest[unknown_[u]]);
    std::nth_element(sizes.begin(), sizes.begin() + v.count / 2, sizes.end());
    const double floor = std::max(1e-2 * sizes[v.count / 2], 1e-8);
    for (int u = v.first; u < v.first + v.count; ++u) {
      column_factor_[unknown_[u]] = 1 / std::max(largest[unknown_[u]], floor);
    }
  }
}

/// Scales the rows. False where that leaves all of them as they are: for the values of before.
bool ConstraintFactorization::scale(const std::vector<double>& value) {
  const int n = rows_.columns, m = rows_.rows();
  if (value.size() != rows_.column.size()) {
    fail(ExitCode::internal, "constraint rows: {} values for {} nonzeros", value.size(), rows_.column.size());
  }
  column_factor_.assign(n, 1.0);
  row_factor_.resize(m);
  scaled_.resize(value.size());
  if (rows_.weight.empty()) {
    choose_columns(value);
  } else {
    for (int j = 0; j < n; ++j) column_factor_[j] = 1 / std::sqrt(rows_.weight[j]);
  }
  bool changed = false;
  for (int i = 0; i < m; ++i) {
    double norm = 0;
    for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
      const double entry = value[k] * column_factor_[rows_.column[k]];
      norm += entry * entry;
    }
    if (!std::isfinite(norm)) {
      threshold_ = -1;
      fail(ExitCode::solver, "the derivative of constraint row {} is not finite", i);
    }
    row_factor_[i] = norm == 0 ? 1.0 : 1 / std::sqrt(norm);
    for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
      const double entry = value[k] * column_factor_[rows_.column[k]] * row_factor_[i];
      changed = changed || entry != scaled_[k];
      scaled_[k] = entry;
    }
  }
  return changed;
}

/// Whether sin^2 is within its rounding. The computed pivot is exact for rows perturbed by u (relative): with
/// z = (c, -1) its error is about z^T (u S) z <= u (1 + sum |c|)^2, S having a unit diagonal.
bool ConstraintFactorization::hidden_by_rounding(int place, double sine2) {
  constexpr double kSuspicious = 1e-5;  // a larger sin^2 would need a sum above 1e5
  if (sine2 > kSuspicious) return false;
  double sum = 1;
  for (const int p : ldl_.combination(place, scaled_, work_)) {
    if (at_[p] >= rows_.columns) sum += std::fabs(work_[p]);
  }
  return sine2 < 16 * 0x1p-53 * sum * sum;
}

/// Whether a row of a bridge is independent of the rows between the same bodies that are eliminated before
/// it, and its pivot more than rounding: by orthogonalization of these few rows.
bool ConstraintFactorization::holds_alone(int row, double sine2, double threshold) const {
  constexpr double rounding = 1e-14;
  if (bridge_[row] < 0 || sine2 <= rounding) return false;
  std::vector<std::map<int, double>> basis;
  const auto component = [](const std::map<int, double>& a, const std::map<int, double>& b) {
    double sum = 0;
    for (const auto& [column, value] : a)
      if (const auto other = b.find(column); other != b.end()) sum += value * other->second;
    return sum;
  };
  const auto rest_of = [&](int i) {
    std::map<int, double> rest;
    for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) rest[rows_.column[k]] = scaled_[k];
    for (const auto& unit : basis) {
      const double c = component(rest, unit);
      for (const auto& [column, value] : unit) rest[column] -= c * value;
    }
    return rest;
  };
  const int n = rows_.columns;
  for (const int i : rows_of_bridge_[bridge_[row]]) {
    if (place_[n + i] >= place_[n + row]) continue;
    std::map<int, double> rest = rest_of(i);
    const double size = std::sqrt(component(rest, rest));
    if (size * size <= threshold) continue;
    for (auto& [column, value] : rest) value /= size;
    basis.push_back(std::move(rest));
  }
  const std::map<int, double> rest = rest_of(row);
  return component(rest, rest) > threshold;
}

void ConstraintFactorization::eliminate(double threshold) {
  const int n = rows_.columns;
  smallest_kept_ = 1;
  largest_dropped_ = 0;
  dropped_.clear();
  ldl_.factor(diagonal_, scaled_, [&](int k, const UpLookingLdl::PivotValue& pivot) {
    if (at_[k] < n) return true;
    // -pivot = B - C: B from the bodies (the squared norm of the row), C <= B from the rows before;
    // formed_from = B + C.
    const double from_bodies = 0.5 * (pivot.formed_from - pivot.value);
    const double sine2 = from_bodies > 0 ? std::max(0.0, -pivot.value / from_bodies) : 0.0;
    if ((sine2 > threshold && !hidden_by_rounding(k, sine2)) || holds_alone(at_[k] - n, sine2, threshold)) {
      smallest_kept_ = std::min(smallest_kept_, sine2);
      return true;
    }
    largest_dropped_ = std::max(largest_dropped_, sine2);
    dropped_.push_back(at_[k] - n);
    return false;
  });
  std::sort(dropped_.begin(), dropped_.end());
  threshold_ = threshold;
  rank_ = rows_.rows() - static_cast<int>(dropped_.size());
}

void ConstraintFactorization::factor(const std::vector<double>& value, double threshold) {
  if (!scale(value) && threshold == threshold_) return;  // it would find the same again
  eliminate(threshold);
  if (!strict_ && !dropped_.empty() && !dropped_rows_follow()) {
    strict_ = true;
    use_order(order_unknowns(graph_, true).unknowns);
    eliminate(threshold);
  }
}

/// x <- [ I  Phi^T ; Phi  0 ]^-1 x on the kept rows (scaled), indexed like place_; one step of refinement.
void ConstraintFactorization::solve_augmented(std::vector<double>& x) {
  const int n = rows_.columns, m = rows_.rows(), size = n + m;
  rhs_ = x;
  permuted_.resize(size);
  std::fill(x.begin(), x.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double>& r = residual_;
    r = rhs_;
    for (int j = 0; j < n; ++j) r[j] -= x[j];
    for (int i = 0; i < m; ++i) {
      for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
        r[rows_.column[k]] -= scaled_[k] * x[n + i];
        r[n + i] -= scaled_[k] * x[rows_.column[k]];
      }
    }
    for (int k = 0; k < size; ++k) permuted_[k] = r[at_[k]];
    ldl_.solve(permuted_);
    for (int k = 0; k < size; ++k) x[at_[k]] += permuted_[k];
  }
}

bool ConstraintFactorization::dropped_rows_follow() {
  const int n = rows_.columns;
  // Pseudo-random motion, the same at every call.
  unsigned state = 12345;
  std::fill(work_.begin(), work_.end(), 0.0);
  for (int j = 0; j < n; ++j) {
    state = state * 1664525u + 1013904223u;
    work_[j] = state / 4294967296.0 - 0.5;
  }
  solve_augmented(work_);
  double largest = 0;
  for (int j = 0; j < n; ++j) largest = std::max(largest, std::fabs(work_[j]));
  for (int i : dropped_) {
    double sum = 0, size = 0;
    for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
      const double term = scaled_[k] * work_[rows_.column[k]];
      sum += term;
      size += std::fabs(term);
    }
    if (size > 1e-8 * largest && std::fabs(sum) > 1e-3 * size) return false;
  }
  return true;
}

std::vector<RowCoefficient> ConstraintFactorization::dependence(int row) {
  const int n = rows_.columns;
  if (!std::binary_search(dropped_.begin(), dropped_.end(), row)) {
    fail(ExitCode::internal, "constraint row {} was not dropped", row);
  }
  std::vector<RowCoefficient> list;
  for (const int p : ldl_.combination(place_[n + row], scaled_, work_)) {
    if (at_[p] >= n && std::fabs(work_[p]) > 1e-6) list.push_back({at_[p] - n, work_[p]});
  }
  std::sort(list.begin(), list.end(), [&](const RowCoefficient& a, const RowCoefficient& b) {
    const double size_a = std::fabs(a.coefficient), size_b = std::fabs(b.coefficient);
    return size_a > size_b || (size_a == size_b && place_[n + a.row] < place_[n + b.row]);
  });
  for (RowCoefficient& c : list) c.coefficient *= row_factor_[c.row] / row_factor_[row];
  return list;
}

std::vector<int> ConstraintFactorization::contradicting_groups(int row) {
  std::vector<int> groups;
  for (const RowCoefficient& c : dependence(row)) groups.push_back(rows_.group[c.row]);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::erase(groups, rows_.group[row]);
  groups.insert(groups.begin(), rows_.group[row]);
  return groups;
}

LeastNormResult ConstraintFactorization::solve_least_norm(const std::vector<double>& rhs,
                                                          std::vector<double>& d,
                                                          std::vector<double>* multiplier) {
  const int n = rows_.columns, m = rows_.rows();
  if (static_cast<int>(rhs.size()) != m) {
    fail(ExitCode::internal, "least-norm solve: {} right-hand sides for {} rows", rhs.size(), m);
  }
  // Scaled: [ I  Psi^T ; Psi  0 ] (e, mu) = (0, R rhs), Psi = R Phi C, d = C e, multiplier = R mu.
  std::fill_n(work_.begin(), n, 0.0);
  for (int i = 0; i < m; ++i) work_[n + i] = row_factor_[i] * rhs[i];
  solve_augmented(work_);
  d.resize(n);
  for (int j = 0; j < n; ++j) d[j] = column_factor_[j] * work_[j];
  if (multiplier) {
    multiplier->resize(m);
    for (int i = 0; i < m; ++i) (*multiplier)[i] = row_factor_[i] * work_[n + i];
  }
  LeastNormResult result;
  size_t next_dropped = 0;
  for (int i = 0; i < m; ++i) {
    double r = row_factor_[i] * rhs[i];
    for (int k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k)
      r -= scaled_[k] * work_[rows_.column[k]];
    r = std::fabs(r);
    if (next_dropped < dropped_.size() && dropped_[next_dropped] == i) {
      ++next_dropped;
      if (result.worst_dropped < 0 || r > result.dropped) result.dropped = r, result.worst_dropped = i;
    } else {
      result.kept = std::max(result.kept, r);
    }
  }
  return result;
}

}  // namespace trammel
