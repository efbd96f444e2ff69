#include "linear/inertia.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/diagnostics.h"

namespace trammel {

namespace {

constexpr double part_of_column = 0.1;  // that a pivot must have
constexpr double most_work = 5e9;       // operations, some 15 s
constexpr double rounding = 4e-16;      // of scaled entries: what is below is zero

/// A symmetric matrix under elimination: rows without their diagonal, of unknowns that are left.
class Elimination {
 public:
  explicit Elimination(int n) : row_(n), diagonal_(n, 0.0), place_(n, -1), u_(n) {}

  void add(int i, int j, double value) {
    if (i == j)
      diagonal_[i] += value;
    else
      row_[i].push_back({j, value});
  }
  /// Of the unknowns given.
  Inertia run(const std::vector<int>& unknowns) {
    for (const int k : unknowns) {
      merge(row_[k]);
      left_.insert({degree(k), k});
    }
    while (!left_.empty()) {
      const Block p = choose();
      count(p);
      eliminate(p);
      if (work_ > most_work)
        fail(ExitCode::solver,
             "the signs of pivots of a matrix of {} unknowns would take more than {:.0e} operations",
             unknowns.size(), most_work);
    }
    return found_;
  }

 private:
  struct Entry {
    int column;
    double value;
  };
  /// One unknown, or two.
  struct Block {
    int i, j = -1;
  };

  int degree(int k) const { return static_cast<int>(row_[k].size()); }

  static void merge(std::vector<Entry>& row) {
    std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
    std::size_t out = 0;
    for (const Entry& e : row) {
      if (out > 0 && row[out - 1].column == e.column)
        row[out - 1].value += e.value;
      else
        row[out++] = e;
    }
    row.resize(out);
  }

  double entry(int i, int j) const {
    for (const Entry& e : row_[i])
      if (e.column == j) return e.value;
    return 0;
  }
  /// The largest of a row beside the diagonal and the column `but`.
  Entry largest(int i, int but = -1) const {
    Entry out{-1, 0};
    for (const Entry& e : row_[i])
      if (e.column != but && std::abs(e.value) > std::abs(out.value)) out = e;
    return out;
  }
  bool good(int k) const {
    const double beside = std::abs(largest(k).value);
    return std::abs(diagonal_[k]) >= part_of_column * beside ||
           std::max(std::abs(diagonal_[k]), beside) <= rounding;
  }
  /// |B⁻¹| (largest of each row beside B) ≤ 1 / part_of_column.
  bool good(const Block& p, double a) const {
    const double det = diagonal_[p.i] * diagonal_[p.j] - a * a;
    const double of_i = std::abs(largest(p.i, p.j).value), of_j = std::abs(largest(p.j, p.i).value);
    const double most = std::abs(det) / part_of_column;
    return det != 0 && std::abs(diagonal_[p.j]) * of_i + std::abs(a) * of_j <= most &&
           std::abs(a) * of_i + std::abs(diagonal_[p.i]) * of_j <= most;
  }
  /// The neighbour of fewest entries with which it is a pivot; −1: none.
  int partner(int k) const {
    int best = -1;
    for (const Entry& e : row_[k])
      if (e.value != 0 && (best < 0 || degree(e.column) < degree(best)) && good({k, e.column}, e.value))
        best = e.column;
    return best;
  }

  /// Among the unknowns of fewest entries; where none of them is good, by a search that always ends: L. V.
  /// Foster's rook pivoting.
  Block choose() const {
    constexpr int most = 16;
    int looked_at = 0;
    for (auto at = left_.begin(); at != left_.end() && looked_at < most; ++at, ++looked_at) {
      const int k = at->second;
      if (good(k)) return {k};
      if (const int j = partner(k); j >= 0) return {k, j};
    }
    constexpr double part = 0.64;  // that bounds growth by pivots of one and of two alike
    for (int k = left_.begin()->second;;) {
      const Entry beside = largest(k);
      if (std::abs(diagonal_[k]) >= part * std::abs(beside.value)) return {k};
      const int j = beside.column;
      const double of_j = std::abs(largest(j).value);
      if (std::abs(diagonal_[j]) >= part * of_j) return {j};
      if (of_j <= std::abs(beside.value)) return {k, j};
      k = j;
    }
  }

  void count(const Block& p) {
    const auto one = [&](double value) { ++(value > 0 ? found_.positive : found_.negative); };
    if (p.j < 0) {
      if (std::abs(diagonal_[p.i]) <= rounding && std::abs(largest(p.i).value) <= rounding)
        ++found_.zero;
      else
        one(diagonal_[p.i]);
      return;
    }
    const double a = entry(p.i, p.j), det = diagonal_[p.i] * diagonal_[p.j] - a * a;
    one(det < 0 ? 1 : diagonal_[p.i]);
    one(det < 0 ? -1 : diagonal_[p.i]);
  }

  /// A ← A − U B⁻¹ Uᵀ of the neighbours, U their columns of the pivot.
  void eliminate(const Block& p) {
    double inverse[3] = {0, 0, 0};  // of ii, ij, jj
    const double a = p.j < 0 ? 0.0 : entry(p.i, p.j);
    if (p.j >= 0) {
      const double det = diagonal_[p.i] * diagonal_[p.j] - a * a;
      inverse[0] = diagonal_[p.j] / det;
      inverse[1] = -a / det;
      inverse[2] = diagonal_[p.i] / det;
    } else if (std::abs(diagonal_[p.i]) > rounding) {
      inverse[0] = 1 / diagonal_[p.i];
    }
    near_.clear();
    const auto take = [&](int pivot, int part) {
      if (pivot < 0) return;
      left_.erase({degree(pivot), pivot});
      for (const Entry& e : row_[pivot]) {
        if (e.column == p.i || e.column == p.j) continue;
        if (place_[e.column] < 0) {
          place_[e.column] = 0;
          near_.push_back(e.column);
          u_[e.column] = {0, 0};
        }
        (part == 0 ? u_[e.column].first : u_[e.column].second) = e.value;
      }
    };
    take(p.i, 0);
    take(p.j, 1);
    for (const int k : near_) place_[k] = -1;
    for (const int i : near_) update(i, p, inverse);
    for (const int k : {p.i, p.j})
      if (k >= 0) std::vector<Entry>().swap(row_[k]);
  }

  void update(int i, const Block& p, const double (&inverse)[3]) {
    std::vector<Entry>& row = row_[i];
    left_.erase({degree(i), i});
    std::erase_if(row, [&](const Entry& e) { return e.column == p.i || e.column == p.j; });
    for (std::size_t k = 0; k < row.size(); ++k) place_[row[k].column] = static_cast<int>(k);
    work_ += static_cast<double>(row.size() + near_.size());
    const auto [x, y] = u_[i];
    for (const int j : near_) {
      const auto [v, w] = u_[j];
      const double change = -(x * v * inverse[0] + (x * w + y * v) * inverse[1] + y * w * inverse[2]);
      if (i == j)
        diagonal_[i] += change;
      else if (place_[j] >= 0)
        row[place_[j]].value += change;
      else
        row.push_back({j, change});
    }
    for (const Entry& e : row) place_[e.column] = -1;
    left_.insert({degree(i), i});
  }

  std::vector<std::vector<Entry>> row_;
  std::vector<double> diagonal_;
  std::set<std::pair<int, int>> left_;  ///< number of entries, unknown
  std::vector<int> place_;              ///< per column: of the row at hand
  std::vector<std::pair<double, double>> u_;
  std::vector<int> near_;
  double work_ = 0;
  Inertia found_;
};

}  // namespace

SymmetricPart::SymmetricPart(const SparsePattern& pattern, std::vector<unsigned char> taken)
    : pattern_(pattern), taken_(std::move(taken)) {}

std::vector<double> SymmetricPart::scaling(std::span<const double> values) const {
  std::vector<double> d(pattern_.n, 1.0), size(pattern_.n);
  for (int pass = 0; pass < 4; ++pass) {
    std::fill(size.begin(), size.end(), 0.0);
    for (int j = 0; j < pattern_.n; ++j)
      for (int k = pattern_.column_start[j]; taken_[j] && k < pattern_.column_start[j + 1]; ++k) {
        const int i = pattern_.row[k];
        if (!taken_[i]) continue;
        const double v = std::abs(values[k]) * d[i] * d[j];
        size[i] = std::max(size[i], v);
        size[j] = std::max(size[j], v);
      }
    for (int j = 0; j < pattern_.n; ++j)
      if (size[j] > 0) d[j] *= std::exp2(-std::round(0.5 * std::log2(size[j])));
  }
  return d;
}

Asymmetry SymmetricPart::asymmetry(std::span<const double> values, std::span<const double> scaled_by) const {
  const std::vector<double> d = scaling(scaled_by);
  const auto value = [&](int i, int j) {
    const auto begin = pattern_.row.begin() + pattern_.column_start[j],
               end = pattern_.row.begin() + pattern_.column_start[j + 1],
               at = std::lower_bound(begin, end, i);
    return at != end && *at == i ? values[at - pattern_.row.begin()] : 0.0;
  };
  Asymmetry out;
  for (int j = 0; j < pattern_.n; ++j)
    for (int k = pattern_.column_start[j]; taken_[j] && k < pattern_.column_start[j + 1]; ++k) {
      const int i = pattern_.row[k];
      if (!taken_[i] || i == j) continue;
      const double size = std::abs(values[k] - value(j, i)) * d[i] * d[j];
      if (size > out.size) out = {size, i, j};
    }
  return out;
}

Inertia SymmetricPart::inertia(std::span<const double> values) const {
  const std::vector<double> d = scaling(values);
  Elimination elimination(pattern_.n);
  std::vector<int> unknowns;
  for (int j = 0; j < pattern_.n; ++j) {
    if (!taken_[j]) continue;
    unknowns.push_back(j);
    for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
      const int i = pattern_.row[k];
      if (!taken_[i] || values[k] == 0) continue;
      const double half = 0.5 * d[i] * d[j] * values[k];
      elimination.add(i, j, half);
      elimination.add(j, i, half);
    }
  }
  return elimination.run(unknowns);
}

}  // namespace trammel
