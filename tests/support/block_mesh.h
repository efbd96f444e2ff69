// A block of trilinear solid elements, for tests of flexible bodies.
#pragma once

#include <fmt/format.h>
#include <Eigen/Dense>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "flexible/full_model.h"
#include "flexible/inp_file.h"

namespace trammel::test {

/// A box from (0, −b/2, −c/2) to (a, b/2, c/2), cut into nx × ny × nz elements of eight nodes. Nodes are
/// numbered from 1, x fastest last: all of the face x = 0 first.
struct Block {
  Vec3d size{1, 0.06, 0.04};
  int nx = 12, ny = 2, nz = 2;
  double E = 2e11, poisson = 0.3, density = 7800;

  int layer() const { return (ny + 1) * (nz + 1); }
  int nodes() const { return (nx + 1) * layer(); }
  double mass() const { return density * size.x * size.y * size.z; }
  Vec3d position(int p) const {
    const int i = p / layer(), j = p % layer() / (nz + 1), k = p % (nz + 1);
    return {size.x * i / nx, size.y * (double(j) / ny - 0.5), size.z * (double(k) / nz - 0.5)};
  }
  /// Ids of the nodes at x = 0 (0) up to x = a (nx).
  std::vector<int> face(int i) const {
    std::vector<int> out;
    for (int k = 0; k < layer(); ++k) out.push_back(i * layer() + k + 1);
    return out;
  }
  /// Ids of the four corners of such a face.
  std::vector<int> corners(int i) const {
    const int first = i * layer() + 1;
    return {first, first + nz, first + ny * (nz + 1), first + layer() - 1};
  }

  using Element = Eigen::Matrix<double, 24, 24>;
  /// Stiffness and consistent mass of one element, by 2 × 2 × 2 points.
  void element(Element& K, Element& M) const {
    const double h[3] = {size.x / nx, size.y / ny, size.z / nz}, g = 1 / std::sqrt(3.0);
    const double volume = h[0] * h[1] * h[2] / 8;
    Eigen::Matrix<double, 6, 6> D = Eigen::Matrix<double, 6, 6>::Zero();
    const double lame = E * poisson / ((1 + poisson) * (1 - 2 * poisson)), G = E / (2 * (1 + poisson));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) D(i, j) = lame + (i == j ? 2 * G : 0);
      D(3 + i, 3 + i) = G;
    }
    K.setZero();
    M.setZero();
    for (int point = 0; point < 8; ++point) {
      const double at[3] = {point & 4 ? g : -g, point & 2 ? g : -g, point & 1 ? g : -g};
      Eigen::Matrix<double, 6, 24> B = Eigen::Matrix<double, 6, 24>::Zero();
      double N[8];
      for (int a = 0; a < 8; ++a) {
        const double s[3] = {a & 4 ? 1.0 : -1.0, a & 2 ? 1.0 : -1.0, a & 1 ? 1.0 : -1.0};
        double d[3];
        N[a] = (1 + s[0] * at[0]) * (1 + s[1] * at[1]) * (1 + s[2] * at[2]) / 8;
        for (int i = 0; i < 3; ++i)
          d[i] = s[i] * (1 + s[(i + 1) % 3] * at[(i + 1) % 3]) * (1 + s[(i + 2) % 3] * at[(i + 2) % 3]) / 8 *
                 2 / h[i];
        for (int i = 0; i < 3; ++i) {
          B(i, 3 * a + i) = d[i];
          B(3 + i, 3 * a + i) = d[(i + 1) % 3];
          B(3 + i, 3 * a + (i + 1) % 3) = d[i];
        }
      }
      K += volume * B.transpose() * D * B;
      for (int a = 0; a < 8; ++a)
        for (int b = 0; b < 8; ++b)
          for (int i = 0; i < 3; ++i) M(3 * a + i, 3 * b + i) += volume * density * N[a] * N[b];
    }
  }
  /// Indices of an element's nodes, as a counts in element().
  std::vector<int> nodes_of(int i, int j, int k) const {
    std::vector<int> out;
    for (int a = 0; a < 8; ++a)
      out.push_back((i + (a >> 2)) * layer() + (j + (a >> 1 & 1)) * (nz + 1) + k + (a & 1));
    return out;
  }

  FullModel model() const {
    FullModel out;
    out.source = "block.inp";
    for (int p = 0; p < nodes(); ++p) {
      out.node_id.push_back(p + 1);
      out.position.push_back(position(p));
      out.first.push_back(3 * p);
      for (unsigned char d = 0; d < 3; ++d) out.direction.push_back(d);
    }
    out.first.push_back(3 * nodes());
    // Rows of a node by its at most 27 neighbours: elements are alike, so their blocks are added up by place.
    Element K, M;
    element(K, M);
    std::vector<std::vector<double>> k_of(static_cast<std::size_t>(nodes()) * 27), m_of(k_of.size());
    const auto slot = [&](int p, int q) {
      const auto of = [&](int n) {
        return std::array<int, 3>{n / layer(), n % layer() / (nz + 1), n % (nz + 1)};
      };
      const auto a = of(p), b = of(q);
      return static_cast<std::size_t>(27) * p + 9 * (b[0] - a[0] + 1) + 3 * (b[1] - a[1] + 1) + b[2] - a[2] +
             1;
    };
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        for (int k = 0; k < nz; ++k) {
          const std::vector<int> node = nodes_of(i, j, k);
          for (int a = 0; a < 8; ++a)
            for (int b = 0; b < 8; ++b) {
              if (node[a] > node[b]) continue;
              const std::size_t at = slot(node[a], node[b]);
              k_of[at].resize(9);
              m_of[at].resize(9);
              for (int r = 0; r < 9; ++r) {
                k_of[at][r] += K(3 * a + r / 3, 3 * b + r % 3);
                m_of[at][r] += M(3 * a + r / 3, 3 * b + r % 3);
              }
            }
        }
    std::vector<MatrixEntry> stiffness, masses;
    for (int p = 0; p < nodes(); ++p)
      for (std::size_t s = 0; s < 27; ++s) {
        const std::size_t at = 27 * static_cast<std::size_t>(p) + s;
        if (k_of[at].empty()) continue;
        const int q = p + (static_cast<int>(s) / 9 - 1) * layer() +
                      (static_cast<int>(s) / 3 % 3 - 1) * (nz + 1) + static_cast<int>(s) % 3 - 1;
        for (int r = 0; r < 9; ++r) {
          if (p == q && r / 3 > r % 3) continue;
          stiffness.push_back({3 * p + r / 3, 3 * q + r % 3, k_of[at][r]});
          if (m_of[at][r] != 0) masses.push_back({3 * p + r / 3, 3 * q + r % 3, m_of[at][r]});
        }
      }
    set_matrices(out, std::move(stiffness), std::move(masses));
    return out;
  }

  /// The same for CalculiX (C3D8), with sets END0 and END1; `step` is appended.
  std::string inp(const std::string& step) const {
    std::string out = "*NODE, NSET=ALL\n";
    for (int p = 0; p < nodes(); ++p) {
      const Vec3d s = position(p);
      out += fmt::format("{}, {:.15g}, {:.15g}, {:.15g}\n", p + 1, s.x, s.y, s.z);
    }
    out += "*ELEMENT, TYPE=C3D8, ELSET=BLOCK\n";
    int id = 0;
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        for (int k = 0; k < nz; ++k) {
          const std::vector<int> n = nodes_of(i, j, k);
          out += fmt::format("{}", ++id);
          for (const int a : {0, 4, 6, 2, 1, 5, 7, 3}) out += fmt::format(", {}", n[a] + 1);
          out += "\n";
        }
    for (const int end : {0, 1}) {
      out += fmt::format("*NSET, NSET=END{}\n", end);
      for (const int n : face(end * nx)) out += fmt::format("{},\n", n);
    }
    return out +
           fmt::format(
               "*MATERIAL, NAME=M\n*ELASTIC\n{}, {}\n*DENSITY\n{}\n*SOLID SECTION, ELSET=BLOCK, MATERIAL=M\n",
               E, poisson, density) +
           step;
  }
};

/// A matrix of a model with three unknowns per node as *MATRIX GENERATE writes it, one triangle.
inline std::string node_matrix(const FullModel& model, const std::vector<double>& values) {
  std::string out;
  for (int c = 0; c < model.unknowns(); ++c)
    for (int k = model.pattern.column_start[c]; k < model.pattern.column_start[c + 1]; ++k)
      if (const int r = model.pattern.row[k]; r <= c)
        out += fmt::format("{},{}, {},{}, {:.17g}\n", model.node_id[r / 3], r % 3 + 1, model.node_id[c / 3],
                           c % 3 + 1, values[k]);
  return out;
}

/// The matrices with all their zeros.
inline Eigen::MatrixXd dense(const SparsePattern& pattern, const std::vector<double>& values) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(pattern.n, pattern.n);
  for (int c = 0; c < pattern.n; ++c)
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k)
      out(pattern.row[k], c) = values[k];
  return out;
}

}  // namespace trammel::test
