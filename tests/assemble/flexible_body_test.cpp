// Flexible bodies: their inertia forces against the motion of their nodes, and their tangent.
#include <gtest/gtest.h>

#include "check_tangent.h"
#include "flexible.h"
#include "math/rotation.h"
#include "tangent_cases.h"

namespace trammel::flexible_body_test {
namespace {

using namespace test;

using Jet = Dual<Dual<double, 1>, 1>;

Jet jet(double x, double v, double a) {
  Jet j(x);
  j.v.d[0] = v;
  j.d[0].v = v;
  j.d[0].d[0] = a;
  return j;
}

/// Position of a node by the unknowns of its body, on any scalar.
template <class T>
Vec3<T> node_position(const OrientationBasis& basis, const ModalBody& body, const FlexibleBody& f, int node,
                      const std::vector<T>& u) {
  Vec3<T> s;
  for (int i = 0; i < 3; ++i) {
    s[i] = body.position[node][i];
    for (int j = 0; j < f.modes; ++j)
      s[i] += u[6 + j] * (body.translation[node * body.modes + j][i] / f.size[j]);
  }
  const auto times = [](const Mat3d& m, const Vec3<T>& v) {
    Vec3<T> out;
    for (int i = 0; i < 3; ++i) out[i] = m(i, 0) * v[0] + m(i, 1) * v[1] + m(i, 2) * v[2];
    return out;
  };
  const auto about = [](int axis, const T& angle, const Vec3<T>& v) {
    using std::cos, std::sin;
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    Vec3<T> out = v;
    out[a] = cos(angle) * v[a] - sin(angle) * v[b];
    out[b] = sin(angle) * v[a] + cos(angle) * v[b];
    return out;
  };
  const Vec3<T> turned = about(2, u[3], about(0, u[4], about(2, u[5], times(basis.R, s))));
  return Vec3<T>{u[0], u[1], u[2]} + times(basis.G, turned);
}

/// Σ m ∂r/∂u·(r̈ − g) over the nodes, by differentiating their positions: the inertia forces.
TEST(FlexibleBody, has_the_inertia_of_its_nodes) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    Model model = compile_text(random_bodies(random));
    const ModalBody modal = make_flexible(model, 1, 4, random);
    const FlexibleBody& f = model.flexible_bodies[0];
    const Body& frame = model.bodies[1];
    const State state = random_state(model, random);
    std::vector<int> at;
    for (int k = 0; k < 6; ++k) at.push_back(frame.first + k);
    for (int j = 0; j < f.modes; ++j) at.push_back(f.first + j);
    std::vector<Jet> in_time;
    for (const int k : at) in_time.push_back(jet(state.q[k], state.v[k], state.a[k]));
    std::vector<double> expected(at.size());
    for (int p = 0; p < modal.nodes(); ++p) {
      const Vec3<Jet> r = node_position(state.basis[1], modal, f, p, in_time);
      for (std::size_t k = 0; k < at.size(); ++k) {
        using D = Dual<double, 1>;
        std::vector<D> u(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) u[i] = state.q[at[i]];
        u[k].d[0] = 1;
        const Vec3<D> moved = node_position(state.basis[1], modal, f, p, u);
        for (int i = 0; i < 3; ++i)
          expected[k] += modal.node_mass[p] * moved[i].d[0] * (r[i].d[0].d[0] - model.gravity[i]);
      }
    }
    for (int j = 0; j < f.modes; ++j)
      for (int k = 0; k < f.modes; ++k)
        expected[6 + j] += modal.stiffness[j * f.modes + k] / (f.size[j] * f.size[k]) * state.q[at[6 + k]] +
                           f.damping[j * f.modes + k] * state.v[at[6 + k]];
    Assembler assembler(model);
    assembler.evaluate(state, in_dynamics);
    std::vector<double> r(model.unknowns());
    assembler.residual(state, random_coefficients(random), r);
    double size = 0;
    for (const double x : expected) size = std::max(size, std::abs(x));
    // rounding of sums of some hundred products
    for (std::size_t k = 0; k < at.size(); ++k)
      EXPECT_NEAR(r[at[k]], expected[k], 1e-12 * size) << model.equation_name(at[k]);
  }
}

class FlexibleTangent : public ::testing::TestWithParam<Case> {};

/// Every element between bodies of which two are flexible, with its markers at nodes.
TEST_P(FlexibleTangent, is_the_derivative_of_the_residual) {
  for (const std::uint32_t seed : {1u, 2u}) {
    SCOPED_TRACE(seed);
    Random random(100 + seed);
    Model model = compile_text(GetParam().bodies_deck(random) + GetParam().deck);
    make_flexible(model, 0, 3, random);
    make_flexible(model, 1, 8, random);
    check_tangent(model, seed, seed == 2, 2e-4);  // shapes move nodes three times as far as coordinates do
    if (HasFailure()) return;
  }
}

Cases cases_in_space() {
  Cases list;
  for (const Case& c : tangent_cases())
    if (c.bodies == CaseBodies::in_space) list.push_back(c);
  return list;
}
INSTANTIATE_TEST_SUITE_P(all, FlexibleTangent, testing::ValuesIn(cases_in_space()),
                         [](const auto& parameter) { return parameter.param.name; });

/// Without inertia means: the forces are those of a state in which these modes have no rate and acceleration,
/// but for their damping.
TEST(FlexibleBody, has_modes_without_inertia) {
  Random random(11);
  Model model = compile_text(random_bodies(random) + everything);
  make_flexible(model, 1, 5, random);
  const State state = random_state(model, random);
  const auto residual = [&](const State& at) {
    Assembler assembler(model);
    assembler.evaluate(at, in_dynamics);
    std::vector<double> r(model.unknowns());
    assembler.residual(at, {}, r);
    return r;
  };
  // Elements at the nodes read rates and accelerations besides: what they do is in both.
  const auto inertia = [&](const State& at) {
    std::vector<double> out = residual(at);
    Model light = model;
    FlexibleBody& f = light.flexible_bodies[0];
    f.momentum.clear(), f.spin.clear(), f.spin_by_q.clear(), f.inertia1.clear(), f.inertia2.clear();
    std::fill(f.mass.begin(), f.mass.end(), 0.0);
    Assembler assembler(light);
    assembler.evaluate(at, in_dynamics);
    std::vector<double> without(light.unknowns());
    assembler.residual(at, {}, without);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] -= without[k];
    return out;
  };
  const FlexibleBody& f = model.flexible_bodies[0];
  State still = state;
  for (int j = 3; j < f.modes; ++j) still.v[f.first + j] = still.a[f.first + j] = 0;
  std::vector<double> expected = inertia(still);
  for (int j = 3; j < f.modes; ++j)  // their rows have no M q̈ of the others either
    for (int k = 0; k < 3; ++k) expected[f.first + j] -= f.mass[j * f.modes + k] * state.a[f.first + k];
  take_inertia(model, 2);
  const std::vector<double> found = inertia(state);
  for (int k = 0; k < model.coordinates; ++k)
    EXPECT_NEAR(found[k], expected[k], 1e-12) << model.equation_name(k);  // rounding of numbers of size 1
}

TEST(FlexibleBody, has_the_tangent_of_modes_without_inertia) {
  for (const std::uint32_t seed : {5u, 6u}) {
    Random random(seed);
    Model model = compile_text(random_bodies(random) + everything);
    make_flexible(model, 1, 5, random);
    take_inertia(model, 2);
    check_tangent(model, seed, false, 2e-4);
  }
}

/// Where accelerations are solved for, a change of the acceleration of such a mode moves its coordinate by
/// `settling`: the columns of the tangent, against differences of the residual.
TEST(FlexibleBody, has_modes_that_settle_where_accelerations_are_solved_for) {
  Random random(8);
  Model model =
      compile_text(random_bodies(random) +
                   "JOINT/1, REVOLUTE, I = 22, J = 12\nJOINT/2, UNIVERSAL, I = 23, J = 32\n"
                   "BUSHING/1, I = 42, J = 33, K = 1,2,3, C = 0.1,0.2,0.3, KT = 4,5,6, CT = 0.4,0.5,0.6\n"
                   "VFORCE/3, I = 32, JFLOAT = 19, FX = DX(33,22)*VY(32,12)\\\n");
  make_flexible(model, 1, 5, random);
  take_inertia(model, 2);
  State state = random_state(model, random);
  Assembler assembler(model);
  assembler.evaluate(state, in_dynamics);
  assembler.current_angles(state, state.angle);
  assembler.evaluate(state, in_dynamics);
  std::vector<double> values(assembler.pattern().nonzeros());
  assembler.tangent(state, Coefficients::of_accelerations(), values);
  const Dense tangent = dense(assembler.pattern(), values);
  const FlexibleBody& f = model.flexible_bodies[0];
  for (int j = f.dynamic; j < f.modes; ++j) {
    const int column = f.first + j;
    const Vector d = derivative(
        [&](double x) {
          State moved = state;
          moved.q[column] += model.settling[column] * x;
          moved.a[column] += x;
          Vector r{std::vector<double>(model.unknowns())};
          assembler.evaluate(moved, in_dynamics);
          assembler.residual(moved, {}, r.x);
          return r;
        },
        1e-3);
    for (int row = 0; row < model.coordinates; ++row)
      EXPECT_NEAR(tangent[row][column], d.x[row], 1e-8) << model.equation_name(row);
  }
}

/// What INVARIANTS leaves out is left out of the tangent, too.
TEST(FlexibleBody, has_the_tangent_of_the_invariants_that_are_used) {
  for (const int left_out : {3, 4, 5, 8, 9}) {
    SCOPED_TRACE(left_out);
    Random random(7);
    Model model = compile_text(random_bodies(random) + everything);
    std::array<bool, 10> used;
    used.fill(true);
    used[left_out] = false;
    make_flexible(model, 1, 3, random, used);
    check_tangent(model, 3, false);
  }
}

/// One dense block, but between the translations of the frame, and nothing else.
TEST(FlexibleBody, has_one_block_of_the_matrix) {
  for (const int modes : {5, 11}) {
    Random random(32);
    Model model =
        compile_text("UNITS/UCF=1\nPART/1, GROUND\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n");
    make_flexible(model, 0, modes, random);
    const int n = 6 + modes;
    EXPECT_EQ(Assembler(model).pattern().nonzeros(), n * n - 6);
  }
}

/// What is lost without an invariant grows with the amplitude of the modes, their rates and accelerations: in
/// the equations of the frame and in those of the modes with its power in (66) there. All are homogeneous in
/// it, so that halves give the order to rounding.
TEST(FlexibleBody, lacks_an_invariant_by_its_order_in_the_amplitude) {
  struct Order {
    int invariant;
    double frame, modes;
  };
  for (const Order& order : {Order{3, 1, 0}, {4, 1, 0}, {5, 2, 1}, {8, 1, 0}, {9, 2, 1}}) {
    SCOPED_TRACE(order.invariant);
    const auto lost = [&](double amplitude) {
      std::vector<double> residual[2];
      int frame = 0, first = 0;
      for (const bool all : {true, false}) {
        Random random(31);
        Model model = compile_text(random_bodies(random));
        std::array<bool, 10> used;
        used.fill(true);
        used[order.invariant] = all;
        make_flexible(model, 1, 4, random, used);
        State state = random_state(model, random);
        for (auto* x : {&state.q, &state.v, &state.a})
          for (int k = model.first_modal(); k < model.coordinates; ++k) (*x)[k] *= amplitude;
        Assembler assembler(model);
        assembler.evaluate(state, in_dynamics);
        std::vector<double>& r = residual[all];
        r.resize(model.unknowns());
        assembler.residual(state, {}, r);
        frame = model.bodies[1].first, first = model.first_modal();
      }
      const auto norm_of = [&](int begin, int end) {
        double sum = 0;
        for (int k = begin; k < end; ++k)
          sum += (residual[1][k] - residual[0][k]) * (residual[1][k] - residual[0][k]);
        return std::sqrt(sum);
      };
      return std::pair(norm_of(frame, frame + 6), norm_of(first, first + 4));
    };
    const auto whole = lost(0.5), half = lost(0.25);
    EXPECT_NEAR(std::log2(whole.first / half.first), order.frame, 1e-9);
    EXPECT_NEAR(std::log2(whole.second / half.second), order.modes, 1e-9);
  }
}

}  // namespace
}  // namespace trammel::flexible_body_test
