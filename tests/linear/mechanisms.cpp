#include "mechanisms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>
#include "linear/scaling.h"

namespace trammel::test {

Mechanism chain(int bodies, int rows) {
  Mechanism m{"chain", bodies, {}, {}, {}};
  for (int i = 0; i < bodies; ++i) m.joints.push_back({i - 1, i, rows});
  return m;
}

Mechanism closed_chain(int bodies, int rows) {
  Mechanism m{"closed chain", bodies, {}, {}, {}};
  for (int i = 0; i < bodies; ++i) m.joints.push_back({i, (i + 1) % bodies, rows});
  return m;
}

Mechanism net(int side) {
  Mechanism m{"net", side * side, {}, {}, {}};
  for (int r = 0; r < side; ++r) {
    for (int c = 0; c < side; ++c) {
      const int b = r * side + c;
      if (c + 1 < side) m.joints.push_back({b, b + 1, 3});
      if (r + 1 < side) m.joints.push_back({b, b + side, 3});
    }
  }
  return m;
}

Mechanism tree(int bodies) {
  Mechanism m{"tree", bodies, {{-1, 0, 5}}, {}, {}};
  std::mt19937 random(5);
  std::vector<int> children(bodies, 0);
  for (int i = 1; i < bodies; ++i) {
    int parent;
    do {
      parent = i / 3 - 1 + static_cast<int>(random() % (i - std::max(0, i / 3 - 1)));
      parent = std::clamp(parent, 0, i - 1);
    } while (children[parent] >= 4);
    ++children[parent];
    m.joints.push_back({parent, i, 5});
  }
  return m;
}

Mechanism bushed_net(int side) {
  Mechanism m{"bushed net", side * side, {}, {}, {}};
  for (const Joint& j : net(side).joints) m.forces.emplace_back(j.a, j.b);
  return m;
}

namespace {

Mechanism tracked(const std::string& name, int count, int shoes, int contacts) {
  Mechanism m{name, 0, {}, {}, {}};
  for (int v = 0; v < count; ++v) {
    const int hull = m.bodies++;
    for (int side = 0; side < 2; ++side) {
      std::vector<int> wheel(9), shoe(shoes);
      for (int& w : wheel) {
        const int arm = m.bodies++;
        w = m.bodies++;
        m.joints.push_back({hull, arm, 5});
        m.joints.push_back({arm, w, 5});
        m.forces.emplace_back(hull, arm);
      }
      for (int& s : shoe) s = m.bodies++;
      for (int k = 0; k + 1 < shoes; ++k) m.joints.push_back({shoe[k], shoe[k + 1], 5});
      m.joints.push_back({shoe[shoes - 1], shoe[0], 3});
      for (int w = 0; w < 9; ++w) {
        for (int k = 0; k < contacts; ++k) m.forces.emplace_back(wheel[w], shoe[(w * shoes / 9 + k) % shoes]);
      }
    }
  }
  return m;
}

}  // namespace

Mechanism vehicles(int count, int shoes) {
  return tracked("vehicles", count, shoes, 4);
}

Mechanism coupled_vehicles(int count, int shoes) {
  return tracked("coupled vehicles", count, shoes, shoes);
}

Mechanism flexible_chain(int bodies, int modes) {
  Mechanism m = chain(bodies, 5);
  m.name = "flexible chain";
  m.modes = modes;
  return m;
}

Mechanism star(int arms) {
  Mechanism m{"star", 1, {}, {}, {}};
  for (int k = 0; k < arms; ++k) {
    m.joints.push_back({0, m.bodies, 5});
    m.joints.push_back({m.bodies, m.bodies + 1, 5});
    m.bodies += 2;
  }
  return m;
}

Mechanism ladder(int windows) {
  Mechanism m{"ladder", 0, {}, {}, {}};
  int post = m.bodies++;
  m.joints.push_back({-1, post, 3});
  for (int k = 0; k < windows; ++k) {
    const int bar = m.bodies++, next = m.bodies++;
    m.joints.push_back({post, bar, 3});
    m.joints.push_back({bar, next, 3});
    m.joints.push_back({-1, next, 3});
    post = next;
  }
  return m;
}

Mechanism controlled_chain(int bodies) {
  Mechanism m = chain(bodies, 5);
  m.name = "controlled chain";
  for (int i = 0; i + 1 < bodies; i += 2) m.forces.emplace_back(i, i + 1);
  for (int i = 0; i < bodies; i += 3) m.scalars.push_back(i);
  return m;
}

std::vector<Mechanism> topologies(int unknowns) {
  const auto side = [](double bodies) { return std::max(2, static_cast<int>(std::sqrt(bodies))); };
  const int n = unknowns;
  return {chain(n / 9),   closed_chain(n / 9),       net(side(n / 12.0)),
          tree(n / 11),   bushed_net(side(n / 6.0)), star(n / 22),
          ladder(n / 21), controlled_chain(n / 12),  vehicles(std::max(1, n / 2000), n < 500 ? 18 : 80)};
}

std::vector<Mechanism> heavy_topologies() {
  return {flexible_chain(9, 100), coupled_vehicles(1, 80)};
}

namespace {

using Vec = std::array<double, 3>;
using Mat = std::array<double, 9>;

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double operator()() { return 2.0 * engine() / 4294967295.0 - 1.0; }
  Vec vec() {
    const double a = (*this)(), b = (*this)(), c = (*this)();
    return {a, b, c};
  }
};

Mat multiply(const Mat& a, const Mat& b) {
  Mat c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
  return c;
}

/// Rotation by the vector w (Rodrigues).
Mat rotation(const Vec& w) {
  const double angle = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const double s = angle > 0 ? std::sin(angle) / angle : 1,
               c = angle > 0 ? (1 - std::cos(angle)) / angle / angle : 0.5;
  const Mat k{0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
  const Mat k2 = multiply(k, k);
  Mat r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < 9; ++i) r[i] += s * k[i] + c * k2[i];
  return r;
}

struct Triplets {
  std::vector<std::tuple<int, int, double>> list;
  void add(int i, int j, double v) { list.emplace_back(j, i, v); }
};

void compress(int n, Triplets& triplets, System& system) {
  std::stable_sort(triplets.list.begin(), triplets.list.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  system.pattern.n = n;
  system.pattern.column_start.assign(n + 1, 0);
  int last_column = -1, last_row = -1;
  for (const auto& [j, i, v] : triplets.list) {
    if (i == last_row && j == last_column) {
      system.values.back() += v;
    } else {
      system.pattern.row.push_back(i);
      system.values.push_back(v);
      ++system.pattern.column_start[j + 1];
      last_row = i, last_column = j;
    }
  }
  for (int j = 0; j < n; ++j) system.pattern.column_start[j + 1] += system.pattern.column_start[j];
}

void add_body(Triplets& t, int first, const Mat& orientation, const Variation& v, Random& random,
              Random& change) {
  const double mass = v.mass * (1 + 0.5 * random()) * (1 + v.values * change());
  for (int k = 0; k < 3; ++k) t.add(first + k, first + k, mass);
  const Vec spread = random.vec();
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      double inertia = 0;
      for (int k = 0; k < 3; ++k) {
        inertia += orientation[3 * r + k] * (0.1 + 0.05 * spread[k]) * orientation[3 * c + k];
      }
      inertia += v.unsymmetric * random() * (1 + v.values * change());
      t.add(first + 3 + r, first + 3 + c, v.mass * v.length * v.length * inertia);
    }
  }
}

/// Unit modal masses and a full unsymmetric rest, small enough to keep the block positive definite.
void add_modes(Triplets& t, int first, int modes, const Variation& v, Random& random, Random& change) {
  for (int r = 0; r < 6 + modes; ++r) {
    for (int c = 0; c < 6 + modes; ++c) {
      if (r < 6 && c < 6) continue;
      const double x = 0.03 / modes * random() * (1 + v.values * change());
      t.add(first + r, first + c, v.mass * ((r == c ? 1 : 0) + x));
    }
  }
}

void add_force(Triplets& t, int a, int b, const Variation& v, Random& random, Random& change) {
  double direction[2][12];
  for (auto& d : direction)
    for (double& x : d) x = random();
  for (int r = 0; r < 12; ++r) {
    for (int c = 0; c < 12; ++c) {
      double k = direction[0][r] * direction[0][c] + direction[1][r] * direction[1][c] + 0.04 * random();
      k *= v.stiffness * (1 + v.values * change()) * (r % 6 < 3 ? 1 : v.length) * (c % 6 < 3 ? 1 : v.length);
      t.add((r < 6 ? a : b) + r % 6, (c < 6 ? a : b) + c % 6, k);
    }
  }
}

/// Rows of one joint on one body: [ sign I, -sign R skew(arm) ] and sign r^T R for the rotational rows.
void add_joint_side(Triplets& t, int row, int body, int rows, double sign, bool active,
                    const Mat& orientation, int modes, const Variation& v, Random& random) {
  const auto both = [&](int i, int j, double x) {
    t.add(i, j, active ? x : 0.0);
    t.add(j, i, active ? x : 0.0);
  };
  const Vec arm = random.vec();
  const Mat skew{0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0};
  const Mat turned = multiply(orientation, skew);
  for (int r = 0; r < std::min(rows, 3); ++r) {
    both(row + r, body + r, sign);
    for (int c = 0; c < 3; ++c) both(row + r, body + 3 + c, -sign * v.length * turned[3 * r + c]);
  }
  for (int r = 3; r < rows; ++r) {
    const Vec axis = random.vec();
    for (int c = 0; c < 3; ++c) {
      double x = 0;
      for (int k = 0; k < 3; ++k) x += orientation[3 * k + c] * axis[k];
      both(row + r, body + 3 + c, sign * x);
    }
  }
  for (int r = 0; modes > 0 && r < rows; ++r) {
    for (int c = 0; c < modes; ++c) both(row + r, body + 6 + c, 0.2 * sign * random());
    // All rows of a joint act on the same coordinates: stored zeros where a rigid body has none.
    for (int c = 0; c < 3; ++c)
      if (r != c) both(row + r, body + c, 0.0);
  }
}

}  // namespace

System make_system(const Mechanism& m, const Variation& v, unsigned seed) {
  System system;
  Triplets t;
  Random random(seed), change(seed * 7919 + 13), choice(seed + 1);
  auto& vertices = system.graph.vertices;
  auto& edges = system.graph.edges;
  int n = 0;
  const int size = 6 + m.modes;
  const auto vertex = [&](VertexKind kind, int count) {
    vertices.push_back({kind, n, count});
    n += count;
    return static_cast<int>(vertices.size()) - 1;
  };
  std::vector<Mat> orientation(m.bodies);
  for (int b = 0; b < m.bodies; ++b) {
    vertex(VertexKind::body, size);
    Vec start = random.vec(), turn = change.vec();
    for (double& x : start) x *= 3;
    for (double& x : turn) x *= v.rotation;
    orientation[b] = multiply(rotation(turn), rotation(start));
    add_body(t, size * b, orientation[b], v, random, change);
    if (m.modes > 0) add_modes(t, size * b, m.modes, v, random, change);
  }
  for (const auto& [a, b] : m.forces) {
    edges.emplace_back(a, b);
    add_force(t, size * a, size * b, v, random, change);
  }
  for (int b : m.scalars) {
    const int x = n;
    edges.emplace_back(vertex(VertexKind::scalar, 1), b);
    t.add(x, x, 1);
    for (int k = 0; k < 6; ++k) {
      t.add(x, size * b + k, 0.1 * random());
      t.add(size * b + k, x, 0.1 * random());
    }
  }
  const int first_multiplier = n;
  for (const Joint& j : m.joints) {
    const int row = n, c = vertex(VertexKind::constraint, j.rows);
    const bool active = choice() * 0.5 + 0.5 >= v.inactive;
    for (int r = 0; r < j.rows; ++r) t.add(row + r, row + r, active ? 0.0 : 1.0);
    if (j.a >= 0) {
      edges.emplace_back(c, j.a);
      add_joint_side(t, row, size * j.a, j.rows, -1, active, orientation[j.a], m.modes, v, random);
    }
    edges.emplace_back(c, j.b);
    add_joint_side(t, row, size * j.b, j.rows, 1, active, orientation[j.b], m.modes, v, random);
  }
  system.multipliers = n - first_multiplier;
  compress(n, t, system);
  return system;
}

double row_residual(const SparsePattern& a, const std::vector<double>& values, const std::vector<double>& x,
                    const std::vector<double>& b) {
  std::vector<long double> r(b.begin(), b.end()), w(a.n);
  for (int i = 0; i < a.n; ++i) w[i] = std::fabs(b[i]);
  for (int j = 0; j < a.n; ++j) {
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      const long double term = static_cast<long double>(values[k]) * x[j];
      r[a.row[k]] -= term;
      w[a.row[k]] += std::fabs(term);
    }
  }
  double worst = 0;
  for (int i = 0; i < a.n; ++i) {
    if (w[i] > 0) worst = std::max(worst, static_cast<double>(std::fabs(r[i]) / w[i]));
    if (!std::isfinite(static_cast<double>(w[i]))) return INFINITY;
  }
  return worst;
}

double residual(const SparsePattern& a, const std::vector<double>& values, const std::vector<double>& x,
                const std::vector<double>& b) {
  std::vector<long double> r(b.begin(), b.end());
  long double largest_a = 0, largest_x = 0, largest_b = 0, largest_r = 0;
  for (int j = 0; j < a.n; ++j) {
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      r[a.row[k]] -= static_cast<long double>(values[k]) * x[j];
      largest_a = std::max(largest_a, std::fabs(static_cast<long double>(values[k])));
    }
    largest_x = std::max(largest_x, std::fabs(static_cast<long double>(x[j])));
    largest_b = std::max(largest_b, std::fabs(static_cast<long double>(b[j])));
  }
  for (long double v : r) largest_r = std::max(largest_r, std::isfinite(v) ? std::fabs(v) : INFINITY);
  return static_cast<double>(largest_r / (largest_a * largest_x + largest_b));
}

std::vector<double> scaled(const System& s) {
  const Scaling scaling = kkt_scaling(s.pattern, s.values.data(), s.graph);
  std::vector<double> v(s.values);
  for (int j = 0; j < s.pattern.n; ++j)
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k)
      v[k] *= scaling.row[s.pattern.row[k]] * scaling.column[j];
  return v;
}

std::vector<double> some_vector(int n) {
  std::vector<double> b(n);
  for (int i = 0; i < n; ++i) b[i] = std::sin(1.0 + i);
  return b;
}

}  // namespace trammel::test
