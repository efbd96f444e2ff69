// A force that the model does not have: its wrenches and its part of the tangent, among random bodies.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "assemble/tangent_writer.h"
#include "random_model.h"

namespace trammel::test {

class OneForce : public ::testing::Test {
 protected:
  Random random{3};
  Model model = compile_text(random_bodies(random));
  State state = random_state(model, random);
  Assembler assembler{model};
  std::vector<std::pair<int, int>> pairs;           ///< its markers I, J
  std::function<void(const AssemblyView&)> wrench;  ///< writes the wrenches of its pairs

  int index_of(int id) const {
    int m = 0;
    while (model.markers[m].id != id) ++m;
    return m;
  }
  const MarkerKinematics<double>& marker(int index) { return assembler.kinematics().marker(index); }

  /// The 12 numbers of each pair.
  std::vector<double> wrenches_at(const State& at) {
    assembler.evaluate(at, in_dynamics);
    const EvaluationPoint point{0, 4, {}};
    wrench(view(at, point));
    return wrenches_;
  }

  /// What carries wrenches to the coordinates of the bodies in a state: H and arms.
  struct Lever {
    Mat3d H;
    Vec3d arm;
  };
  std::vector<Lever> levers_at(const State& at) {
    assembler.evaluate(at, in_dynamics);
    std::vector<Lever> out;
    for (const auto& [I, J] : pairs)
      for (const int m : {I, J}) {
        const int b = model.markers[m].body;
        out.push_back({b < 0 ? Mat3d() : assembler.kinematics().body(b).H, assembler.kinematics().arm(m)});
      }
    return out;
  }
  /// Generalized forces: f, and Hᵀ(t + s × f), on the bodies of all markers.
  std::vector<double> generalized(const State& at, const std::vector<Lever>& levers) {
    const std::vector<double> w = wrenches_at(at);
    std::vector<double> q(model.coordinates);
    for (std::size_t e = 0; e < levers.size(); ++e) {
      const int b = model.markers[e % 2 == 0 ? pairs[e / 2].first : pairs[e / 2].second].body;
      if (b < 0) continue;
      const Body& body = model.bodies[b];
      const Vec3d f = load(w.data() + 6 * e), t = load(w.data() + 6 * e + 3) + cross(levers[e].arm, f),
                  turn = transpose_times(levers[e].H, t);
      for (int k = 0; k < 3; ++k) {
        q[body.first + k] += f[k];
        if (body.turns()) q[body.angles() + k] += turn[k];
      }
    }
    return q;
  }

  /// Holds what tangent(writer) writes against differences of the generalized forces. The writer leaves what
  /// turns with the axes of a body alone to the bodies (H and the arm, from the total wrench), so both are
  /// held: the wrench alone changes.
  template <class Tangent>
  void expect_tangent(Tangent tangent) {
    const Coefficients c = random_coefficients(random);
    const std::vector<Lever> levers = levers_at(state);
    wrenches_at(state);
    std::vector<double> values(assembler.pattern().nonzeros());
    assembler.tangent(state, c, values);  // variations of the bodies by their coordinates
    const EvaluationPoint point{0, 4, c};
    const AssemblyView w = view(state, point);
    const int n = model.coordinates;
    DenseSink sink;
    sink.m.assign(n, std::vector<double>(n));
    TangentWriter writer(w, sink);
    tangent(writer);
    for (int column = 0; column < n; ++column) {
      const Vector d = derivative(
          [&](double h) { return Vector{generalized(along(model, state, c, column, h), levers)}; });
      // Error of the differences: h^4 f^(5)/30 with h = 1e-3 and fifth derivatives of size 1e4 at most.
      for (int row = 0; row < n; ++row)
        EXPECT_NEAR(sink.m[row][column], -d.x[row], 1e-8) << row << ' ' << column;
    }
  }

  /// Room to work in, as lanes have it.
  struct Room {
    std::vector<double> all;
    double* room(int n) {
      all.resize(n);
      return all.data();
    }
  };

 private:
  /// The entries of the tangent, summed in a dense matrix.
  struct DenseSink : Room {
    Dense m;
    bool numbers() const { return true; }
    void put(int row, int column, double value) { m[row][column] += value; }
  };

  AssemblyView view(const State& at, const EvaluationPoint& point) {
    wrenches_.assign(12 * pairs.size(), 0.0);
    outputs_.assign(pairs.size(), -1);
    AssemblyView w = assembler.view(at, point);
    w.array.wrench = wrenches_.data();
    w.table.force_output = outputs_.data();
    return w;
  }

  std::vector<double> wrenches_;
  std::vector<int> outputs_;  ///< expressions that read it: none
};

}  // namespace trammel::test
