#include "flexible/full_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/diagnostics.h"

namespace trammel {

int FullModel::unknown(int node, int wanted) const {
  for (int u = first[node]; u < first[node + 1]; ++u)
    if (direction[u] == wanted) return u;
  return -1;
}

int FullModel::node_of(int unknown) const {
  return static_cast<int>(std::upper_bound(first.begin(), first.end(), unknown) - first.begin()) - 1;
}

int FullModel::node(int id) const {
  const auto at = std::lower_bound(node_id.begin(), node_id.end(), id);
  return at != node_id.end() && *at == id ? static_cast<int>(at - node_id.begin()) : -1;
}

namespace {

/// Compressed columns of both triangles.
struct Columns {
  std::vector<int> start, row;
  std::vector<double> value;
};

/// Sorts a column; entries that stand twice count once. Returns the number that is left.
int tidy(const FullModel& model, int column, int* row, double* value, int count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return row[a] < row[b]; });
  std::vector<int> rows;
  std::vector<double> values;
  for (const int k : order) {
    if (rows.empty() || rows.back() != row[k]) {
      rows.push_back(row[k]);
      values.push_back(value[k]);
    } else if (std::abs(values.back() - value[k]) > 1e-6 * std::abs(value[k])) {
      const int a = model.node_of(row[k]), b = model.node_of(column);
      fail(
          ExitCode::input,
          "{}: the entry of nodes {} and {}, directions {} and {}, stands twice, with {:.9g} and {:.9g}: the "
          "matrix is not symmetric",
          model.source, model.node_id[a], model.node_id[b], model.direction[row[k]] + 1,
          model.direction[column] + 1, values.back(), value[k]);
    }
  }
  std::copy(rows.begin(), rows.end(), row);
  std::copy(values.begin(), values.end(), value);
  return static_cast<int>(rows.size());
}

Columns columns_of(const FullModel& model, std::vector<MatrixEntry> entries) {
  const int n = model.unknowns();
  Columns out;
  std::vector<long> count(static_cast<std::size_t>(n) + 1);
  for (const MatrixEntry& e : entries) {
    ++count[e.column + 1];
    if (e.row != e.column) ++count[e.row + 1];
  }
  std::partial_sum(count.begin(), count.end(), count.begin());
  if (count[n] > 0x7fffffff)
    fail(ExitCode::unsupported, "{}: a matrix of more than 2^31 entries is not supported", model.source);
  out.start.assign(count.begin(), count.end());
  out.row.resize(static_cast<std::size_t>(count[n]));
  out.value.resize(out.row.size());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  const auto put = [&](int row, int column, double value) {
    out.row[next[column]] = row;
    out.value[next[column]++] = value;
  };
  for (const MatrixEntry& e : entries) {
    put(e.row, e.column, e.value);
    if (e.row != e.column) put(e.column, e.row, e.value);
  }
  std::vector<MatrixEntry>().swap(entries);
  int at = 0;
  for (int c = 0; c < n; ++c) {
    const int begin = out.start[c], end = out.start[c + 1];
    const int left = tidy(model, c, &out.row[begin], &out.value[begin], end - begin);
    std::copy_n(&out.row[begin], left, &out.row[at]);
    std::copy_n(&out.value[begin], left, &out.value[at]);
    out.start[c] = at;
    at += left;
  }
  out.start[n] = at;
  out.row.resize(at);
  out.value.resize(at);
  return out;
}

}  // namespace

void set_matrices(FullModel& model, std::vector<MatrixEntry> stiffness, std::vector<MatrixEntry> mass) {
  for (const auto& [list, name] : {std::pair{&stiffness, "stiffness"}, std::pair{&mass, "mass"}})
    if (list->empty())
      fail(ExitCode::input,
           "{}: its matrix of {} has no entries; its file was cut off, or the step that writes it failed",
           model.source, name);
  const Columns k = columns_of(model, std::move(stiffness)), m = columns_of(model, std::move(mass));
  SparsePattern& pattern = model.pattern;
  pattern.n = model.unknowns();
  pattern.column_start.assign(1, 0);
  pattern.row.reserve(std::max(k.row.size(), m.row.size()));
  for (int c = 0; c < pattern.n; ++c) {
    int a = k.start[c], b = m.start[c];
    while (a < k.start[c + 1] || b < m.start[c + 1]) {
      const int row_a = a < k.start[c + 1] ? k.row[a] : pattern.n;
      const int row_b = b < m.start[c + 1] ? m.row[b] : pattern.n;
      const int row = std::min(row_a, row_b);
      pattern.row.push_back(row);
      model.stiffness.push_back(row_a == row ? k.value[a++] : 0.0);
      model.mass.push_back(row_b == row ? m.value[b++] : 0.0);
    }
    pattern.column_start.push_back(pattern.nonzeros());
  }
}

void multiply(const SparsePattern& pattern, const std::vector<double>& values, const double* x, double* y) {
  for (int c = 0; c < pattern.n; ++c) {
    double sum = 0;
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k)
      sum += values[k] * x[pattern.row[k]];
    y[c] = sum;
  }
}

std::vector<double> rigid_motion(const FullModel& model, int motion, const Vec3d& about) {
  std::vector<double> u(model.unknowns());
  Vec3d axis{};
  axis[motion % 3] = 1;
  for (int p = 0; p < model.nodes(); ++p) {
    const Vec3d shift = motion < 3 ? axis : cross(axis, model.position[p] - about);
    for (int k = model.first[p]; k < model.first[p + 1]; ++k) {
      const int d = model.direction[k];
      u[k] = d < 3 ? shift[d] : motion < 3 ? 0.0 : axis[d - 3];
    }
  }
  return u;
}

void require_free(const FullModel& model) {
  constexpr double digits = 1e-6;  // of numbers in files
  Vec3d centre{};
  for (const Vec3d& s : model.position) centre += (1.0 / model.nodes()) * s;
  std::vector<double> force(model.unknowns()), size(model.unknowns()), magnitude(model.stiffness);
  for (double& k : magnitude) k = std::abs(k);
  for (int motion = 0; motion < 6; ++motion) {
    std::vector<double> u = rigid_motion(model, motion, centre);
    multiply(model.pattern, model.stiffness, u.data(), force.data());
    for (double& x : u) x = std::abs(x);
    multiply(model.pattern, magnitude, u.data(), size.data());
    const double largest = *std::max_element(size.begin(), size.end());
    for (int k = 0; k < model.unknowns(); ++k)
      if (std::abs(force[k]) > digits * largest)
        fail(ExitCode::input,
             "{}: {} {} by one is resisted by a force of {:.3g} in direction {} of node {}: a flexible body "
             "is "
             "free. Take supports (*BOUNDARY, springs to ground) out of the finite-element model",
             model.source, motion < 3 ? "moving along" : "turning about", "xyz"[motion % 3], force[k],
             model.direction[k] + 1, model.node_id[model.node_of(k)]);
  }
}

}  // namespace trammel
