// Reduction of finite-element models: against the full matrices, theory, and direct sums.
#include "flexible/reduction.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "../support/beam_body.h"
#include "../support/block_mesh.h"
#include "base/diagnostics.h"
#include "flexible/consistent_invariants.h"

namespace trammel::reduction_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Block;
using test::dense;

constexpr double turn = 2 * std::numbers::pi;

/// Frequencies [cycles/time] above those of rigid motions of K x = ω² M x.
VectorXd elastic_frequencies(const MatrixXd& K, const MatrixXd& M, int rigid = 6) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(K, M, Eigen::EigenvaluesOnly);
  return modes.eigenvalues().tail(K.rows() - rigid).cwiseMax(0).cwiseSqrt() / turn;
}

ReductionOptions options_of(std::vector<int> nodes, std::vector<Spider> spiders = {}, int modes = 20) {
  ReductionOptions out;
  out.interface_nodes = std::move(nodes);
  out.spiders = std::move(spiders);
  out.modes = modes;
  return out;
}
std::vector<int> both_corners(const Block& block) {
  std::vector<int> out = block.corners(0);
  for (const int id : block.corners(block.nx)) out.push_back(id);
  return out;
}
Spider spider_at(const Block& block, int id, int i, bool rigid) {
  return {id, {block.size.x * i / block.nx, 0, 0}, block.face(i), rigid};
}

/// Displacement and rotation of a node by a unit load of the modes there: Σ φ_a φ_b / k, with other nodes
/// held or not.
MatrixXd shapes_at(const ModalBody& body, const std::vector<int>& ids, bool rotations) {
  const int each = rotations ? 6 : 3;
  MatrixXd out(each * ids.size(), body.modes);
  for (std::size_t n = 0; n < ids.size(); ++n) {
    const std::size_t p = static_cast<std::size_t>(body.node(ids[n])) * body.modes;
    for (int j = 0; j < body.modes; ++j)
      for (int i = 0; i < each; ++i)
        out(each * n + i, j) = i < 3 ? body.translation[p + j][i] : body.rotation[p + j][i - 3];
  }
  return out;
}
/// The same with the six rigid motions in front, about the origin.
MatrixXd with_rigid(const ModalBody& body, const std::vector<int>& ids, bool rotations) {
  const MatrixXd shapes = shapes_at(body, ids, rotations);
  const int each = rotations ? 6 : 3;
  MatrixXd out = MatrixXd::Zero(shapes.rows(), 6 + shapes.cols());
  out.rightCols(shapes.cols()) = shapes;
  for (std::size_t n = 0; n < ids.size(); ++n)
    for (int i = 0; i < 3; ++i) {
      Vec3d axis{};
      axis[i] = 1;
      const Vec3d moved = cross(axis, body.position[body.node(ids[n])]);
      out(each * n + i, i) = 1;
      for (int d = 0; d < 3; ++d) out(each * n + d, 3 + i) = moved[d];
      if (rotations) out(each * n + 3 + i, 3 + i) = 1;
    }
  return out;
}
/// Displacements at `loaded` by unit loads there with `held` fixed, of the modes and rigid motions.
MatrixXd flexibility(const ModalBody& body, const std::vector<int>& held, const std::vector<int>& loaded,
                     bool rotations) {
  const MatrixXd H = with_rigid(body, held, rotations), L = with_rigid(body, loaded, rotations);
  const Eigen::Index n = 6 + body.modes, m = H.rows();
  MatrixXd K = MatrixXd::Zero(n + m, n + m), f = MatrixXd::Zero(n + m, L.rows());
  for (int j = 0; j < body.modes; ++j)
    K(6 + j, 6 + j) = body.stiffness[static_cast<std::size_t>(j) * body.modes + j];
  // Held displacements weigh as stiffness does, so that pivots can be compared.
  const double size = K.diagonal().maxCoeff();
  K.topRightCorner(n, m) = size * H.transpose();
  K.bottomLeftCorner(m, n) = size * H;
  f.topRows(n) = L.transpose();
  return L * K.fullPivLu().solve(f).topRows(n);
}

TEST(Reduction, keeps_the_free_frequencies) {
  const Block block;
  const FullModel model = block.model();
  const VectorXd full =
      elastic_frequencies(dense(model.pattern, model.stiffness), dense(model.pattern, model.mass));
  const Reduction r = reduce(model, options_of(both_corners(block)));
  EXPECT_EQ(r.motions, 24);
  EXPECT_EQ(r.body.modes, 24 - 6 + 20 + 12 - r.dependent);
  for (int k = 0; k < 10; ++k) {
    EXPECT_GE(r.body.frequency[k], full[k] * (1 - 1e-9)) << "by Rayleigh none is below";
    EXPECT_LE(r.body.frequency[k], full[k] * 1.001) << k;
  }
}

TEST(Reduction, without_an_interface_has_the_free_modes) {
  const Block block;
  const FullModel model = block.model();
  const VectorXd full =
      elastic_frequencies(dense(model.pattern, model.stiffness), dense(model.pattern, model.mass));
  const Reduction r = reduce(model, options_of({}, {}, 12));
  ASSERT_EQ(r.body.modes, 12);
  for (int k = 0; k < 12; ++k) EXPECT_NEAR(r.body.frequency[k] / full[k], 1, 1e-9) << k;
}

TEST(Reduction, is_exact_at_rest_at_its_interface) {
  const Block block;
  const FullModel model = block.model();
  const ModalBody body = reduce(model, options_of(both_corners(block), {}, 5)).body;
  const MatrixXd modal = flexibility(body, block.corners(0), block.corners(block.nx), false);
  std::vector<int> free, at;
  for (int u = 0; u < model.unknowns(); ++u) {
    const std::vector<int> held = block.corners(0);
    if (std::find(held.begin(), held.end(), u / 3 + 1) == held.end()) free.push_back(u);
  }
  for (const int id : block.corners(block.nx))
    for (int d = 0; d < 3; ++d)
      at.push_back(static_cast<int>(std::find(free.begin(), free.end(), 3 * (id - 1) + d) - free.begin()));
  const MatrixXd inverse = dense(model.pattern, model.stiffness)(free, free)
                               .ldlt()
                               .solve(MatrixXd::Identity(static_cast<Eigen::Index>(free.size()),
                                                         static_cast<Eigen::Index>(free.size())));
  const MatrixXd full = inverse(at, at);
  EXPECT_LT((modal - full).cwiseAbs().maxCoeff(), 1e-8 * full.cwiseAbs().maxCoeff());
}

/// Displacements of the block's unknowns by those that are left when both ends are rigid.
MatrixXd tied(const Block& block, const FullModel& model) {
  const int inner = 3 * (block.nx - 1) * block.layer();
  MatrixXd T = MatrixXd::Zero(model.unknowns(), inner + 12);
  for (int k = 0; k < inner; ++k) T(3 * block.layer() + k, k) = 1;
  for (const int end : {0, 1})
    for (int i = 0; i < 6; ++i) {
      const std::vector<double> u = rigid_motion(model, i, {block.size.x * end, 0, 0});
      for (const int id : block.face(end * block.nx))
        for (int d = 0; d < 3; ++d) T(3 * (id - 1) + d, inner + 6 * end + i) = u[3 * (id - 1) + d];
    }
  return T;
}

TEST(Reduction, of_rigid_spiders_is_that_of_tied_nodes) {
  const Block block;
  const FullModel model = block.model();
  const MatrixXd T = tied(block, model), K = T.transpose() * dense(model.pattern, model.stiffness) * T,
                 M = T.transpose() * dense(model.pattern, model.mass) * T;
  const VectorXd full = elastic_frequencies(K, M);
  const Reduction r = reduce(
      model, options_of({}, {spider_at(block, 1001, 0, true), spider_at(block, 1002, block.nx, true)}));
  ASSERT_EQ(r.body.modes, 12 - 6 + 20 + 12 - r.dependent);
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(r.body.frequency[k] / full[k], 1, 1e-3) << k;
  // Forces and moments at one end, the other held.
  const Eigen::Index n = K.rows();
  std::vector<int> free;
  for (int k = 0; k < n - 12; ++k) free.push_back(k);
  for (int k = 0; k < 6; ++k) free.push_back(static_cast<int>(n) - 6 + k);
  const MatrixXd k_free = K(free, free);
  const MatrixXd flexible = k_free.ldlt().solve(MatrixXd::Identity(n - 6, n - 6)).bottomRightCorner(6, 6);
  const MatrixXd modal = flexibility(r.body, {1001}, {1002}, true);
  const VectorXd size = flexible.diagonal().cwiseSqrt();
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b)
      EXPECT_NEAR(modal(a, b), flexible(a, b), 1e-8 * size[a] * size[b]) << a << ' ' << b;
}

TEST(Reduction, of_averaged_spiders_stiffens_nothing) {
  const Block block;
  const FullModel model = block.model();
  const VectorXd full =
      elastic_frequencies(dense(model.pattern, model.stiffness), dense(model.pattern, model.mass));
  const Reduction r = reduce(
      model, options_of({}, {spider_at(block, 1001, 0, false), spider_at(block, 1002, block.nx, false)}));
  ASSERT_EQ(r.body.modes, 12 - 6 + 20 + 12 - r.dependent);
  for (int k = 0; k < 10; ++k) {
    EXPECT_GE(r.body.frequency[k], full[k] * (1 - 1e-9));
    EXPECT_LE(r.body.frequency[k], full[k] * 1.001) << k;
  }
  // A force at the point is one on its nodes in equal parts, a moment what turns their mean: one end held by
  // its mean, which multipliers do in the full model.
  std::vector<int> ends[2];
  for (const int e : {0, 1})
    for (const int id : block.face(e * block.nx)) ends[e].push_back(id - 1);
  MatrixXd B[2];
  for (const int e : {0, 1}) {
    const MeanMotion mean = mean_motion(model, ends[e], {block.size.x * e, 0, 0});
    B[e] = MatrixXd::Zero(6, model.unknowns());
    for (std::size_t k = 0; k < mean.node.size(); ++k)
      for (int i = 0; i < 6; ++i)
        for (int d = 0; d < 3; ++d) B[e](i, 3 * mean.node[k] + d) = mean.weight[k][i][d];
  }
  const Eigen::Index n = model.unknowns();
  MatrixXd A = MatrixXd::Zero(n + 6, n + 6), f = MatrixXd::Zero(n + 6, 6);
  A.topLeftCorner(n, n) = dense(model.pattern, model.stiffness);
  const double size = A.diagonal().maxCoeff();
  A.topRightCorner(n, 6) = size * B[0].transpose();
  A.bottomLeftCorner(6, n) = size * B[0];
  f.topRows(n) = B[1].transpose();
  const MatrixXd flexible = B[1] * A.partialPivLu().solve(f).topRows(n);
  const MatrixXd modal = flexibility(r.body, {1001}, {1002}, true);
  const VectorXd scale = flexible.diagonal().cwiseSqrt();
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b)
      EXPECT_NEAR(modal(a, b), flexible(a, b), 1e-8 * scale[a] * scale[b]) << a << ' ' << b;
}

TEST(Reduction, has_the_mass_of_the_solid) {
  const Block block;
  const ModalBody body = reduce(block.model(), options_of(both_corners(block), {}, 4)).body;
  const double m = block.mass(), a = block.size.x, b = block.size.y, c = block.size.z;
  const Invariants& in = body.invariants;
  EXPECT_NEAR(in.mass, m, 1e-12 * m);
  EXPECT_LT(norm(in.first - Vec3d{m * a / 2, 0, 0}), 1e-12 * m * a);
  const Mat3d inertia =
      Mat3d::diagonal(m * (b * b + c * c) / 12, m * (a * a / 3 + c * c / 12), m * (a * a / 3 + b * b / 12));
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(in.I7.m[k], inertia.m[k], 1e-12 * m * a * a);
  const double size = std::sqrt(m);  // of I3 of modes with mass 1
  for (int j = 0; j < body.modes; ++j) {
    EXPECT_LT(norm(in.I3[j]), 1e-10 * size) << "modes are orthogonal to the motions of the frame";
    EXPECT_LT(norm(in.I4[j]), 1e-10 * size * a);
    for (int k = 0; k < body.modes; ++k)
      EXPECT_NEAR(in.I6[j * body.modes + k], j == k, 1e-9) << j << ' ' << k;
  }
}

/// ½ u̇ᵀ M u̇ at random positions and velocities of frame and modes, against the sum of invariants.
TEST(Reduction, has_the_kinetic_energy_of_its_elements) {
  Block block;
  block.nx = 4, block.ny = 1, block.nz = 1;
  const FullModel model = block.model();
  const MatrixXd M = dense(model.pattern, model.mass);
  constexpr int modes = 5;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> shapes(static_cast<std::size_t>(model.unknowns()) * modes);
  for (double& x : shapes) x = uniform(random);
  const Invariants in = consistent_invariants(model, shapes, modes);
  const auto vector = [&] { return Vec3d{uniform(random), uniform(random), uniform(random)}; };
  for (int round = 0; round < 10; ++round) {
    const Vec3d v = vector(), w = vector();
    double q[modes], rate[modes];
    for (int j = 0; j < modes; ++j) q[j] = uniform(random), rate[j] = uniform(random);
    VectorXd velocity(model.unknowns());
    for (int p = 0; p < model.nodes(); ++p) {
      Vec3d at = model.position[p], moving{};
      for (int j = 0; j < modes; ++j)
        for (int d = 0; d < 3; ++d) {
          const double phi = shapes[static_cast<std::size_t>(j) * model.unknowns() + 3 * p + d];
          at[d] += phi * q[j];
          moving[d] += phi * rate[j];
        }
      const Vec3d u = v + cross(w, at) + moving;
      for (int d = 0; d < 3; ++d) velocity[3 * p + d] = u[d];
    }
    const double direct = 0.5 * velocity.dot(M * velocity);
    Vec3d c = in.first, rate_of_c{}, spin{};
    Mat3d J = in.I7;
    double energy = 0.5 * in.mass * dot(v, v);
    for (int j = 0; j < modes; ++j) {
      c += q[j] * in.I3[j];
      rate_of_c += rate[j] * in.I3[j];
      spin += rate[j] * in.I4[j];
      J = J - q[j] * (in.I8[j] + transpose(in.I8[j]));
      for (int k = 0; k < modes; ++k) {
        const int pair = j * modes + k;
        spin += q[j] * rate[k] * in.I5[pair];
        J = J - (q[j] * q[k]) * in.I9[pair];
        energy += 0.5 * rate[j] * rate[k] * in.I6[pair];
      }
    }
    energy += dot(v, cross(w, c) + rate_of_c) + 0.5 * dot(w, J * w) + dot(w, spin);
    EXPECT_NEAR(energy, direct, 1e-12 * direct);
  }
}

/// A beam of finite elements with rotations as a full model; its mass is diagonal.
FullModel model_of(const test::Beam& beam, const std::vector<int>& without = {}) {
  FullModel out;
  out.source = "beam.inp";
  std::vector<int> place;
  for (int p = 0; p < beam.nodes(); ++p) {
    out.node_id.push_back(p + 1);
    out.position.push_back({p * beam.element(), 0, 0});
    out.first.push_back(out.unknowns());
    for (int d = 0; d < 6; ++d) {
      const bool left_out = std::find(without.begin(), without.end(), 6 * p + d) != without.end();
      place.push_back(left_out ? -1 : out.unknowns());
      if (!left_out) out.direction.push_back(static_cast<unsigned char>(d));
    }
  }
  out.first.push_back(out.unknowns());
  const MatrixXd K = beam.stiffness();
  const VectorXd M = beam.masses();
  std::vector<MatrixEntry> k, m;
  for (int r = 0; r < K.rows(); ++r) {
    if (place[r] < 0) continue;
    m.push_back({place[r], place[r], M[r]});
    for (int c = r; c < K.rows(); ++c)
      if (place[c] >= 0 && K(r, c) != 0) k.push_back({place[r], place[c], K(r, c)});
  }
  set_matrices(out, std::move(k), std::move(m));
  return out;
}

TEST(Reduction, of_lumped_masses_has_their_invariants) {
  test::Beam beam;
  beam.elements = 6;
  ReductionOptions options = options_of({1, 7}, {}, 4);
  options.all_nodes = true;
  const ModalBody body = reduce(model_of(beam), options).body;
  const Invariants in = body.invariants, lumped = lumped_invariants(body);
  EXPECT_NEAR(in.mass, lumped.mass, 1e-12 * in.mass);
  EXPECT_LT(norm(in.first - lumped.first), 1e-12 * in.mass);
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(in.I7.m[k], lumped.I7.m[k], 1e-12 * in.mass);
  for (int j = 0; j < body.modes; ++j) {
    EXPECT_LT(norm(in.I3[j] - lumped.I3[j]), 1e-11);
    EXPECT_LT(norm(in.I4[j] - lumped.I4[j]), 1e-11);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(in.I8[j].m[i], lumped.I8[j].m[i], 1e-11);
    for (int k = 0; k < body.modes; ++k) {
      const int pair = j * body.modes + k;
      EXPECT_LT(norm(in.I5[pair] - lumped.I5[pair]), 1e-11);
      EXPECT_NEAR(in.I6[pair], lumped.I6[pair], 1e-11);
      for (int i = 0; i < 9; ++i) EXPECT_NEAR(in.I9[pair].m[i], lumped.I9[pair].m[i], 1e-11);
    }
  }
}

/// The first ten bending frequencies of Euler's beam, f = (βL)² √(EI/ρA) / (2π L²): a tolerance of 0.2 % is
/// what 160 elements with lumped masses and their rotary inertia, slender as they are, differ from it.
TEST(Reduction, of_a_beam_has_the_frequencies_of_theory) {
  test::Beam beam;
  beam.elements = 160;
  beam.area = 1e-4, beam.Iy = beam.Iz = 1e-4 * 1e-6 / 12,
  beam.torsion = 2 * beam.Iy;  // 1 mm thick in bending
  const double unit =
      std::sqrt(beam.E * beam.Iz / (beam.density * beam.area)) / (turn * beam.length * beam.length);
  ReductionOptions options = options_of({1, 161}, {}, 30);
  const ModalBody body = reduce(model_of(beam), options).body;
  const double ends[2][5] = {{4.730040745, 7.853204624, 10.99560784, 14.13716549, 17.27875966},
                             {1.875104069, 4.694091133, 7.854757438, 10.99554073, 14.13716839}};
  for (int k = 0; k < 10; ++k) {  // free: each twice, about y and z
    const int pair = k;
    const double beta = pair < 5 ? ends[0][pair] : (2 * (pair + 1) + 1) * std::numbers::pi / 2;
    for (const int about : {0, 1})
      EXPECT_NEAR(body.frequency[2 * k + about] / (beta * beta * unit), 1, 2e-3) << "free " << k + 1;
  }
  const auto constrained = [&](const std::vector<int>& ids, const std::vector<int>& held_rows) {
    const MatrixXd all = with_rigid(body, ids, true);
    const MatrixXd H = all(held_rows, Eigen::all);
    const MatrixXd Z = H.fullPivLu().kernel();
    // Of rigid motions the mass about the origin; modes are orthogonal to these.
    MatrixXd K = MatrixXd::Zero(all.cols(), all.cols()), M = MatrixXd::Identity(all.cols(), all.cols());
    for (int j = 0; j < body.modes; ++j)
      K(6 + j, 6 + j) = body.stiffness[static_cast<std::size_t>(j) * body.modes + j];
    const Mat3d first = skew(body.invariants.first);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        M(r, c) = r == c ? body.invariants.mass : 0;
        M(3 + r, 3 + c) = body.invariants.I7(r, c);
        M(r, 3 + c) = M(3 + c, r) = -first(r, c);  // e_r·(e_c × s) summed
      }
    return elastic_frequencies(Z.transpose() * K * Z, Z.transpose() * M * Z, 0);
  };
  const VectorXd clamped = constrained({1}, {0, 1, 2, 3, 4, 5});
  const VectorXd supported = constrained({1, 161}, {0, 1, 2, 3, 7, 8});
  for (int k = 0; k < 10; ++k) {
    const double beta = k < 5 ? ends[1][k] : (2 * (k + 1) - 1) * std::numbers::pi / 2;
    const double pinned = (k + 1) * std::numbers::pi;
    for (const int about : {0, 1}) {
      EXPECT_NEAR(clamped[2 * k + about] / (beta * beta * unit), 1, 2e-3) << "clamped " << k + 1;
      EXPECT_NEAR(supported[2 * k + about] / (pinned * pinned * unit), 1, 2e-3) << "supported " << k + 1;
    }
  }
}

TEST(Reduction, takes_modes_up_to_a_frequency) {
  const Block block;
  const FullModel model = block.model();
  ReductionOptions options = options_of(both_corners(block), {}, 40);
  const std::vector<double> all = reduce(model, options).normal;
  options.to_frequency = 0.5 * (all[23] + all[24]);  // more than the first 20
  const std::vector<double> below = reduce(model, options).normal;
  ASSERT_EQ(below.size(), 24u);
  for (std::size_t k = 0; k < below.size(); ++k) EXPECT_NEAR(below[k] / all[k], 1, 1e-8);
}

TEST(Reduction, is_exact_at_rest_where_attachment_was_asked_for) {
  const Block block;
  const FullModel model = block.model();
  const int loaded = block.face(block.nx / 2)[4];
  const std::vector<int> held = both_corners(block);
  std::vector<int> free;
  for (int u = 0; u < model.unknowns(); ++u)
    if (std::find(held.begin(), held.end(), u / 3 + 1) == held.end()) free.push_back(u);
  const auto at = std::find(free.begin(), free.end(), 3 * (loaded - 1) + 2) - free.begin();
  VectorXd f = VectorXd::Zero(static_cast<Eigen::Index>(free.size()));
  f[at] = 1;
  const double full = dense(model.pattern, model.stiffness)(free, free).ldlt().solve(f)[at];
  ReductionOptions options = options_of(held, {}, 3);
  options.nodes = {loaded};
  options.inertia = 0;
  const double without = flexibility(reduce(model, options).body, held, {loaded}, false)(2, 2);
  options.attachment = {loaded};
  const Reduction with = reduce(model, options);
  EXPECT_EQ(with.attached, 3);
  EXPECT_NEAR(flexibility(with.body, held, {loaded}, false)(2, 2) / full, 1, 1e-8);
  EXPECT_LT(without, 0.99 * full) << "the test does not see it";
}

/// Nodes of solids turn as their neighbours do: at the axis of a slender block in its first bending mode by
/// the slope of the axis, which differences of its displacements give to 1 %.
TEST(Reduction, turns_nodes_that_have_no_rotations) {
  Block block;
  block.nx = 40;
  ReductionOptions options = options_of(both_corners(block), {}, 10);
  options.all_nodes = true;
  const Reduction r = reduce(block.model(), options);
  EXPECT_EQ(r.unturned, 0);
  const ModalBody& body = r.body;
  const auto axis = [&](int i) { return body.node(block.face(i)[block.layer() / 2]); };
  for (const int i : {3, 10, 31}) {
    const auto shape = [&](const std::vector<Vec3d>& of, int k) {
      return of[static_cast<std::size_t>(axis(k)) * body.modes];
    };
    const double h = block.size.x / block.nx;
    const Vec3d slope = (0.5 / h) * (shape(body.translation, i + 1) - shape(body.translation, i - 1));
    const Vec3d turned = shape(body.rotation, i);
    EXPECT_NEAR(turned.z, slope.y, 0.01 * norm(slope) + 1e-9);
    EXPECT_NEAR(turned.y, -slope.z, 0.01 * norm(slope) + 1e-9);
  }
}

std::string refusal(const FullModel& model, const ReductionOptions& options) {
  try {
    reduce(model, options);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "accepted";
}

TEST(Reduction, refusals) {
  const Block block;
  const FullModel model = block.model();
  EXPECT_EQ(refusal(model, options_of({1, 999})), "block.inp: there is no node 999 with unknowns");
  EXPECT_EQ(refusal(model, options_of({1, 1})), "block.inp: node 1 belongs to 1 and to 1 of the interface");
  EXPECT_NE(refusal(model, options_of({1})).find("the interface does not hold the model: direction "),
            std::string::npos);
  EXPECT_NE(refusal(model, options_of({1, 3})).find("the interface does not hold the model: direction "),
            std::string::npos)
      << "two nodes: it turns about the line between them";
  EXPECT_EQ(refusal(model, options_of({}, {{1001, {}, {1, 2, 3}, true}})),
            "block.inp: the nodes of 1001 lie on a line: they do not say how it turns");
  EXPECT_EQ(refusal(model, options_of({}, {{5, {}, block.face(0), true}})),
            "block.inp: node 5 has unknowns of its own and cannot stand for others");
  // Euler's beam with one end held.
  EXPECT_NE(refusal(model_of({}, {0, 1, 2, 3, 4, 5}), options_of({17}))
                .find("a flexible body is free. Take supports (*BOUNDARY, springs to ground) out"),
            std::string::npos);
  FullModel wrong = block.model();
  EXPECT_THROW(set_matrices(wrong, {{0, 1, 2.0}, {1, 0, 3.0}}, {}), Failure);
}

}  // namespace
}  // namespace trammel::reduction_test
