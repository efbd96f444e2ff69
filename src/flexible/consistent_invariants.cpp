#include "flexible/consistent_invariants.h"

#include <Eigen/Dense>

#include <algorithm>

namespace trammel {

namespace {

using Eigen::Index;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Fields over the unknowns, by columns: e_i, e_i × s (with rotations e_i), φ_j, and e_i × φ_j, three each.
class Fields {
 public:
  Fields(const FullModel& model, const std::vector<double>& shapes, int modes)
      : model_(model), shapes_(shapes), modes_(modes) {}

  int count() const { return 6 + 4 * modes_; }
  /// Column of e_i, e_i × s, φ_j, e_i × φ_j.
  static int moved(int i) { return i; }
  static int turned(int i) { return 3 + i; }
  static int mode(int j) { return 6 + j; }
  int turned_mode(int j, int i) const { return 6 + modes_ + 3 * j + i; }

  /// Values of all fields at one unknown.
  void at(int u, double* out) const {
    const int p = model_.node_of(u), d = model_.direction[u];
    std::fill_n(out, count(), 0.0);
    for (int j = 0; j < modes_; ++j) out[mode(j)] = shape(u, j);
    if (d > 2) {
      out[turned(d - 3)] = 1;
      return;
    }
    out[moved(d)] = 1;
    put_turned(model_.position[p], d, out + 3);
    int place[3];
    for (int e = 0; e < 3; ++e) place[e] = model_.unknown(p, e);
    for (int j = 0; j < modes_; ++j) {
      Vec3d phi{};
      for (int e = 0; e < 3; ++e)
        if (place[e] >= 0) phi[e] = shape(place[e], j);
      put_turned(phi, d, out + turned_mode(j, 0));
    }
  }

 private:
  /// Component d of e_i × x for i = 0, 1, 2.
  static void put_turned(const Vec3d& x, int d, double* out) {
    const int a = (d + 1) % 3, b = (d + 2) % 3;  // (e_a × x)_d = x_b,  (e_b × x)_d = −x_a
    out[a] = x[b];
    out[b] = -x[a];
  }
  double shape(int u, int j) const { return shapes_[static_cast<std::size_t>(j) * model_.unknowns() + u]; }

  const FullModel& model_;
  const std::vector<double>& shapes_;
  int modes_;
};

/// Fᵀ M F, over blocks of unknowns.
Eigen::MatrixXd products(const FullModel& model, const Fields& fields) {
  constexpr int block = 512;
  const int n = model.unknowns(), count = fields.count();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(count, count);
  Rows here(block, count), loaded(block, count);
  Eigen::RowVectorXd other(count);
  std::vector<int> rows;
  std::vector<Index> place(n, -1);
  Rows around;
  for (int begin = 0; begin < n; begin += block) {
    const int size = std::min(block, n - begin);
    rows.clear();  // the unknowns to which the block is coupled
    const SparsePattern& all = model.pattern;
    for (int k = all.column_start[begin]; k < all.column_start[begin + size]; ++k)
      if (place[all.row[k]] < 0 && model.mass[k] != 0) {
        place[all.row[k]] = static_cast<Index>(rows.size());
        rows.push_back(all.row[k]);
      }
    around.resize(static_cast<Index>(rows.size()), count);
    for (std::size_t r = 0; r < rows.size(); ++r)
      fields.at(rows[r], around.row(static_cast<Index>(r)).data());
    loaded.topRows(size).setZero();
    for (int u = begin; u < begin + size; ++u) {
      fields.at(u, here.row(u - begin).data());
      for (int k = all.column_start[u]; k < all.column_start[u + 1]; ++k)
        if (model.mass[k] != 0) loaded.row(u - begin) += model.mass[k] * around.row(place[all.row[k]]);
    }
    sum.noalias() += here.topRows(size).transpose() * loaded.topRows(size);
    for (const int r : rows) place[r] = -1;
  }
  return 0.5 * (sum + sum.transpose());
}

}  // namespace

Invariants consistent_invariants(const FullModel& model, const std::vector<double>& shapes, int modes) {
  const Fields fields(model, shapes, modes);
  const Eigen::MatrixXd G = products(model, fields);
  Invariants out;
  std::fill(out.has + 1, out.has + 10, true);
  // Σ m (e_a × x)·(e_b × y) = e_aᵀ (Σ m x̃ᵀ ỹ) e_b
  const auto square = [&](auto row, auto column, double sign) {
    Mat3d m{};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) m(a, b) = sign * G(row(a), column(b));
    return m;
  };
  const auto body = [](int i) { return Fields::turned(i); };
  out.mass = (G(0, 0) + G(1, 1) + G(2, 2)) / 3;
  // for b = a + 1, e_a·(e_b × c) is component a + 2 of c
  for (int a = 0; a < 3; ++a)
    out.first[(a + 2) % 3] = 0.5 * (G(Fields::moved(a), Fields::turned((a + 1) % 3)) -
                                    G(Fields::moved((a + 1) % 3), Fields::turned(a)));
  out.I7 = square(body, body, 1);
  for (int j = 0; j < modes; ++j) {
    const auto mode_j = [&](int i) { return fields.turned_mode(j, i); };
    Vec3d moved{}, turned{};
    for (int i = 0; i < 3; ++i) {
      moved[i] = G(Fields::moved(i), Fields::mode(j));
      turned[i] = G(Fields::turned(i), Fields::mode(j));
    }
    out.I3.push_back(moved);
    out.I4.push_back(turned);
    out.I8.push_back(square(body, mode_j, -1));
    for (int k = 0; k < modes; ++k) {
      Vec3d pair{};
      for (int i = 0; i < 3; ++i) pair[i] = G(fields.turned_mode(j, i), Fields::mode(k));
      out.I5.push_back(pair);
      out.I6.push_back(G(Fields::mode(j), Fields::mode(k)));
      out.I9.push_back(square(
          mode_j, [&](int i) { return fields.turned_mode(k, i); }, -1));
    }
  }
  return out;
}

}  // namespace trammel
