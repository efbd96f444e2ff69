#include "flexible/solid_elements.h"

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "math/dual.h"

namespace trammel {

namespace {

using Family = SolidKind::Family;
using Eigen::MatrixXd;
using Place = std::array<double, 3>;  ///< ξ, η, ζ

const double gauss = 1 / std::sqrt(3.0);

// Natural coordinates of nodes: −1 to 1 along each axis of a brick; r, s, t ≥ 0, r + s + t ≤ 1 of a
// tetrahedron; r, s of a triangle and −1 to 1 of a wedge. Nodes between corners follow these, in the order of
// the edges of solid_topology().

constexpr Place brick_corners[] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
constexpr Place tetrahedron_corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr Place wedge_corners[] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};

std::span<const Place> corner_places(Family family) {
  switch (family) {
    case Family::tetrahedron4:
    case Family::tetrahedron10:
      return tetrahedron_corners;
    case Family::wedge6:
    case Family::wedge15:
      return wedge_corners;
    default:
      return brick_corners;
  }
}

std::vector<Place> places_of_nodes(const SolidKind& kind) {
  const std::span<const Place> corners = corner_places(kind.family);
  const SolidTopology topology = solid_topology(kind.family);
  std::vector<Place> out(corners.begin(), corners.end());
  for (int e = 0; kind.nodes > topology.corners && e < static_cast<int>(topology.edges.size()); ++e) {
    const Place &a = corners[topology.edges[e][0]], &b = corners[topology.edges[e][1]];
    out.push_back({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2});
  }
  return out;
}

/// Shape functions N of all nodes at ξ.
template <class T>
void shape_functions(Family family, const T* x, T* N) {
  const auto edges = solid_topology(family).edges;
  switch (family) {
    case Family::tetrahedron4:
    case Family::tetrahedron10: {
      const T L[4] = {T(1.0) - x[0] - x[1] - x[2], x[0], x[1], x[2]};
      const bool quadratic = family == Family::tetrahedron10;
      for (int a = 0; a < 4; ++a) N[a] = quadratic ? L[a] * (2.0 * L[a] - 1.0) : L[a];
      for (int e = 0; quadratic && e < 6; ++e) N[4 + e] = 4.0 * L[edges[e][0]] * L[edges[e][1]];
      return;
    }
    case Family::wedge6:
    case Family::wedge15: {
      const T L[3] = {T(1.0) - x[0] - x[1], x[0], x[1]}, side[2] = {1.0 - x[2], 1.0 + x[2]};
      const T middle = 1.0 - x[2] * x[2];
      const bool quadratic = family == Family::wedge15;
      for (int a = 0; a < 6; ++a) {
        const T &l = L[a % 3], &s = side[a / 3];
        N[a] = quadratic ? T(0.5 * l * ((2.0 * l - 1.0) * s - middle)) : T(0.5 * l * s);
      }
      for (int e = 0; quadratic && e < 9; ++e) {
        const int a = edges[e][0], b = edges[e][1];
        N[6 + e] = e < 6 ? T(2.0 * L[a % 3] * L[b % 3] * side[a / 3]) : T(L[a] * middle);
      }
      return;
    }
    default:
      break;
  }
  const bool quadratic = family == Family::brick20;
  for (int a = 0; a < 8; ++a) {
    const Place& s = brick_corners[a];
    const T p = s[0] * x[0], q = s[1] * x[1], r = s[2] * x[2];
    N[a] = 0.125 * (1.0 + p) * (1.0 + q) * (1.0 + r);
    if (quadratic) N[a] = N[a] * (p + q + r - 2.0);
  }
  for (int e = 0; quadratic && e < 12; ++e) {
    const Place &a = brick_corners[edges[e][0]], &b = brick_corners[edges[e][1]];
    T product(0.25);
    for (int i = 0; i < 3; ++i)
      product = product * (a[i] != b[i] ? T(1.0 - x[i] * x[i]) : T(1.0 + a[i] * x[i]));
    N[8 + e] = product;
  }
}

/// The places in an element at which strains are taken.
std::vector<Place> sampling_points(const SolidKind& kind) {
  std::vector<Place> out;
  switch (kind.family) {
    case Family::tetrahedron4:
      return {{0.25, 0.25, 0.25}};
    case Family::tetrahedron10: {
      const double a = (5 - std::sqrt(5.0)) / 20, b = 1 - 3 * a;
      return {{a, a, a}, {b, a, a}, {a, b, a}, {a, a, b}};
    }
    case Family::wedge6:
      return {{1 / 3.0, 1 / 3.0, -gauss}, {1 / 3.0, 1 / 3.0, gauss}};
    case Family::wedge15:
      for (const double z : {-gauss, gauss})
        for (const auto& [r, s] : {std::pair{1 / 6.0, 1 / 6.0}, {2 / 3.0, 1 / 6.0}, {1 / 6.0, 2 / 3.0}})
          out.push_back({r, s, z});
      return out;
    default:
      break;
  }
  if (kind.one_point) return {{0, 0, 0}};
  for (const Place& s : brick_corners) out.push_back({gauss * s[0], gauss * s[1], gauss * s[2]});
  return out;
}

/// The terms of the polynomial through as many points as sampling_points() has.
std::vector<double> polynomial(Family family, std::size_t points, const Place& x) {
  if (points == 1) return {1};
  switch (family) {
    case Family::tetrahedron10:
      return {1, x[0], x[1], x[2]};
    case Family::wedge6:
      return {1, x[2]};
    case Family::wedge15:
      return {1, x[0], x[1], x[2], x[0] * x[2], x[1] * x[2]};
    default:
      return {1, x[0], x[1], x[2], x[0] * x[1], x[1] * x[2], x[2] * x[0], x[0] * x[1] * x[2]};
  }
}

/// Rows are the weights of the values at points `from` in the polynomial's value at each of `to`.
MatrixXd continuation(Family family, const std::vector<Place>& from, const std::vector<Place>& to) {
  const auto terms = [&](const std::vector<Place>& at) {
    MatrixXd out(at.size(), from.size());
    for (std::size_t p = 0; p < at.size(); ++p) {
      const std::vector<double> term = polynomial(family, from.size(), at[p]);
      for (std::size_t k = 0; k < term.size(); ++k) out(p, k) = term[k];
    }
    return out;
  };
  return terms(to) * terms(from).inverse();
}

/// ∂N/∂ξ of all nodes.
std::vector<Vec3d> derivatives(const SolidKind& kind, const double* at) {
  using D = Dual<double, 3>;
  const D x[3] = {D::variable(at[0], 0), D::variable(at[1], 1), D::variable(at[2], 2)};
  std::vector<D> N(kind.nodes);
  shape_functions(kind.family, x, N.data());
  std::vector<Vec3d> out;
  for (const D& n : N) out.push_back({n.d[0], n.d[1], n.d[2]});
  return out;
}

/// ∂x/∂ξ.
Eigen::Matrix3d jacobian(const Vec3d* nodes, const std::vector<Vec3d>& by_place) {
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
  for (std::size_t a = 0; a < by_place.size(); ++a)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) J(i, k) += nodes[a][i] * by_place[a][k];
  return J;
}

/// ∂/∂x = (∂x/∂ξ)⁻ᵀ ∂/∂ξ.
Vec3d in_space(const Eigen::Matrix3d& inverse, const Vec3d& by_place) {
  Vec3d out{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) out[i] += inverse(k, i) * by_place[k];
  return out;
}

/// Adds the strain of the displacement field u N with the gradient g of N.
void add_strain(const double* u, const Vec3d& g, double* e) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    e[i] += u[i] * g[i];
    e[3 + i] += 0.5 * (u[i] * g[j] + u[j] * g[i]);
  }
}

}  // namespace

void Elasticity::stress(const double* strain, double* out) const {
  const double mean = lame() * (strain[0] + strain[1] + strain[2]), twice = 2 * shear();
  for (int c = 0; c < tensor_components; ++c) out[c] = twice * strain[c] + (c < 3 ? mean : 0.0);
}

SolidStrains::SolidStrains(const SolidKind& kind) : kind_(&kind) {
  const std::vector<Place> from = sampling_points(kind), to = places_of_nodes(kind);
  for (const Place& at : from) {
    Point& point = points_.emplace_back();
    std::copy_n(at.data(), 3, point.at);
    point.by_place = derivatives(kind, at.data());
    point.gradient.resize(kind.nodes);
  }
  const MatrixXd weights = continuation(kind.family, from, to);
  for (Eigen::Index a = 0; a < weights.rows(); ++a)
    for (Eigen::Index p = 0; p < weights.cols(); ++p) continued_.push_back(weights(a, p));
}

bool SolidStrains::place(const Vec3d* nodes, const Elasticity& material) {
  for (Point& point : points_) {
    const Eigen::Matrix3d J = jacobian(nodes, point.by_place);
    point.volume = J.determinant();
    if (!(point.volume > 0)) return false;
    const Eigen::Matrix3d inverse = J.inverse();
    for (int a = 0; a < kind_->nodes; ++a) point.gradient[a] = in_space(inverse, point.by_place[a]);
  }
  return !kind_->incompatible || place_bubbles(nodes, material);
}

/// The bending shapes P_i = 1 − ξ_i² have amplitudes α_i (3 each) that no other element sees, so that
///   ∫ B_αᵀ D (B u + B_α α) dV = 0,   ∇P_i = (det J₀ / det J) J₀⁻ᵀ ∂P_i/∂ξ,   J₀ = ∂x/∂ξ in the middle
/// (Taylor, Beresford and Wilson, A non-conforming element for stress analysis, IJNME 10, 1976).
bool SolidStrains::place_bubbles(const Vec3d* nodes, const Elasticity& material) {
  constexpr double middle[3] = {0, 0, 0};
  const Eigen::Matrix3d J = jacobian(nodes, derivatives(*kind_, middle));
  const double volume = J.determinant();
  if (!(volume > 0)) return false;
  const Eigen::Matrix3d inverse = J.inverse();
  const int columns = 3 * kind_->nodes;
  MatrixXd own = MatrixXd::Zero(9, 9), coupled = MatrixXd::Zero(9, columns);
  // B of the amplitudes and of the displacements, and D of tensor strains whose shears count twice.
  MatrixXd bubble(tensor_components, 9), displaced(tensor_components, columns);
  const auto strain_of = [](const Vec3d& gradient, int direction, auto&& column) {
    double u[3] = {0, 0, 0}, e[tensor_components] = {};
    u[direction] = 1;
    add_strain(u, gradient, e);
    for (int c = 0; c < tensor_components; ++c) column[c] = e[c];
  };
  for (Point& point : points_) {
    for (int i = 0; i < 3; ++i) {
      Vec3d by_place{};
      by_place[i] = -2 * point.at[i];
      point.bubble[i] = (volume / point.volume) * in_space(inverse, by_place);
      for (int d = 0; d < 3; ++d) strain_of(point.bubble[i], d, bubble.col(3 * i + d));
    }
    for (int a = 0; a < kind_->nodes; ++a)
      for (int d = 0; d < 3; ++d) strain_of(point.gradient[a], d, displaced.col(3 * a + d));
    MatrixXd stressed(tensor_components, 9);
    for (int k = 0; k < 9; ++k) {
      material.stress(bubble.col(k).data(), stressed.col(k).data());
      stressed.col(k).tail(3) *= 2;
    }
    own += point.volume * stressed.transpose() * bubble;
    coupled += point.volume * stressed.transpose() * displaced;
  }
  const MatrixXd bend = -own.ldlt().solve(coupled);
  bend_.assign(static_cast<std::size_t>(9) * columns, 0.0);
  for (int k = 0; k < 9; ++k)
    for (int c = 0; c < columns; ++c) bend_[static_cast<std::size_t>(k) * columns + c] = bend(k, c);
  return true;
}

void SolidStrains::strain_at(const Point& point, const double* moved, const double* bent,
                             double* strain) const {
  std::fill_n(strain, tensor_components, 0.0);
  for (int a = 0; a < kind_->nodes; ++a) add_strain(moved + 3 * a, point.gradient[a], strain);
  for (int i = 0; bent && i < 3; ++i) add_strain(bent + 3 * i, point.bubble[i], strain);
}

void SolidStrains::at_nodes(const double* moved, double* strain) const {
  double bent[9];
  const int columns = 3 * kind_->nodes;
  for (int k = 0; kind_->incompatible && k < 9; ++k) {
    bent[k] = 0;
    for (int c = 0; c < columns; ++c) bent[k] += bend_[static_cast<std::size_t>(k) * columns + c] * moved[c];
  }
  std::fill_n(strain, tensor_components * kind_->nodes, 0.0);
  for (std::size_t p = 0; p < points_.size(); ++p) {
    double e[tensor_components];
    strain_at(points_[p], moved, kind_->incompatible ? bent : nullptr, e);
    for (int a = 0; a < kind_->nodes; ++a)
      for (int c = 0; c < tensor_components; ++c)
        strain[tensor_components * a + c] += continued_[a * points_.size() + p] * e[c];
  }
}

}  // namespace trammel
