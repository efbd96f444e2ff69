#include "linkages.h"

#include <cmath>
#include <random>

namespace trammel::test {
namespace {

Point operator-(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Point unit(const Point& a) {
  const double s = 1 / std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  return {a[0] * s, a[1] * s, a[2] * s};
}

/// A fixed general rotation (the quaternion (1, 2, 3, 4) / sqrt(30)), so that nothing lies along an axis.
Point turn(const Point& p) {
  const double w = 1 / std::sqrt(30.0), x = 2 * w, y = 3 * w, z = 4 * w;
  return {(1 - 2 * (y * y + z * z)) * p[0] + 2 * (x * y - w * z) * p[1] + 2 * (x * z + w * y) * p[2],
          2 * (x * y + w * z) * p[0] + (1 - 2 * (x * x + z * z)) * p[1] + 2 * (y * z - w * x) * p[2],
          2 * (x * z - w * y) * p[0] + 2 * (y * z + w * x) * p[1] + (1 - 2 * (x * x + y * y)) * p[2]};
}

}  // namespace

int Linkage::body(const Point& at) {
  at_.push_back(at);
  for (int k = 0; k < 6; ++k) rows_.body.push_back(bodies() - 1);
  rows_.columns += 6;
  return bodies() - 1;
}

void Linkage::row(int a, int b, const Point& linear, const Point& angular_a, const Point& angular_b) {
  for (int side = 0; side < 2; ++side) {
    const int body = side ? b : a;
    if (body < 0) continue;
    const double sign = side ? 1 : -1;
    const Point& angular = side ? angular_b : angular_a;
    for (int k = 0; k < 3; ++k) rows_.column.push_back(6 * body + k), rows_.value.push_back(sign * linear[k]);
    for (int k = 0; k < 3; ++k)
      rows_.column.push_back(6 * body + 3 + k), rows_.value.push_back(sign * angular[k]);
  }
  rows_.row_start.push_back(static_cast<int>(rows_.column.size()));
  rows_.group.push_back(groups_);
}

// u . (v + omega x s) = u . v + (s x u) . omega
void Linkage::point_rows(int a, int b, const Point& at) {
  for (int k = 0; k < 3; ++k) {
    Point u{0, 0, 0};
    u[k] = 1;
    const Point on_a = a >= 0 ? cross(at - at_[a], u) : u, on_b = b >= 0 ? cross(at - at_[b], u) : u;
    row(a, b, u, on_a, on_b);
  }
}

void Linkage::spherical(int a, int b, const Point& at) {
  point_rows(a, b, at);
  ++groups_;
}

void Linkage::revolute(int a, int b, const Point& at, const Point& axis) {
  point_rows(a, b, at);
  const Point u = unit(axis);
  const Point s = unit(cross(u, std::fabs(u[0]) < 0.7 ? Point{1, 0, 0} : Point{0, 1, 0})), t = cross(u, s);
  row(a, b, {0, 0, 0}, s, s);
  row(a, b, {0, 0, 0}, t, t);
  ++groups_;
}

void Linkage::rotation_motion(int a, int b, const Point& axis) {
  const Point u = unit(axis);
  row(a, b, {0, 0, 0}, u, u);
  ++groups_;
}

void Linkage::disguised_ball(int other, int body, const Point& at) {
  const size_t first = rows_.value.size();
  point_rows(other, body, at);
  for (size_t k = first; k < rows_.value.size(); ++k) {
    if (rows_.column[k] / 6 == other) rows_.value[k] = 0;
  }
  ++groups_;
}

void Linkage::empty_row() {
  rows_.row_start.push_back(static_cast<int>(rows_.column.size()));
  rows_.group.push_back(groups_++);
}

Linkage four_bars(int windows, double size) {
  Linkage m;
  const Point axis = turn({0, 0, 1});
  const double x = 0.6 * size, y = 0.8 * size;  // the posts lean: a general position
  const auto base = [&](int k) { return turn({k * size, 0, 0}); };
  const auto top = [&](int k) { return turn({k * size + x, y, 0}); };
  int post = m.body(turn({0.5 * x, 0.5 * y, 0}));
  m.revolute(-1, post, base(0), axis);
  for (int k = 0; k < windows; ++k) {
    const int bar = m.body(turn({(k + 0.5) * size + x, y, 0}));
    const int next = m.body(turn({(k + 1) * size + 0.5 * x, 0.5 * y, 0}));
    m.revolute(post, bar, top(k), axis);
    m.revolute(bar, next, top(k + 1), axis);
    m.revolute(-1, next, base(k + 1), axis);
    post = next;
  }
  return m;
}

Linkage bricard() {
  Linkage m;
  const Point at[6] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}, {0, 0, 0}};
  const Point axis[6] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  for (int k = 0; k < 5; ++k) m.body(turn(at[k]));
  for (int k = 0; k < 6; ++k) m.revolute(k - 1, k < 5 ? k : -1, turn(at[k]), turn(axis[k]));
  return m;
}

Linkage frame_with_arms(int arms, bool closed) {
  Linkage m;
  std::mt19937 random(3);
  const auto number = [&] { return random() / 4294967296.0; };
  const int frame = m.body({0, 0, 0});
  for (int k = 0; k < arms; ++k) {
    const Point p{10 * number(), 10 * number(), number()}, u{number(), number(), 1};
    const Point w = unit(cross(u, {1, 0, 0})), v = unit(cross(w, u));
    const auto in_plane = [&](double a, double b) {
      return Point{p[0] + a * v[0] + b * w[0], p[1] + a * v[1] + b * w[1], p[2] + a * v[2] + b * w[2]};
    };
    const int lower = m.body(in_plane(0.1, 0.5)), upper = m.body(in_plane(0.7, 1.1));
    m.revolute(frame, lower, p, u);
    m.revolute(lower, upper, in_plane(0.2, 1), u);
    if (!closed) continue;
    const int last = m.body(in_plane(1.2, 0.4));
    m.revolute(upper, last, in_plane(1.3, 1.2), u);
    m.revolute(last, frame, in_plane(1.1, 0), u);
  }
  return m;
}

Linkage serial_chain(int bodies) {
  Linkage m;
  std::mt19937 random(11);
  const auto number = [&] { return random() / 2147483648.0 - 1; };
  Point hinge{0, 0, 0};
  for (int k = 0; k < bodies; ++k) {
    const Point next{hinge[0] + 1, hinge[1] + number(), hinge[2] + number()};
    const int b =
        m.body({0.5 * (hinge[0] + next[0]), 0.5 * (hinge[1] + next[1]), 0.5 * (hinge[2] + next[2])});
    const Point axis{number(), number(), number()};
    m.revolute(b - 1, b, hinge, axis);
    hinge = next;
  }
  return m;
}

Linkage door(double angle) {
  Linkage m;
  const int leaf = m.body({0.5, 0.1, 0.6});
  m.revolute(-1, leaf, {0, 0, 0}, {0, 0, 1});
  m.revolute(-1, leaf, {0, 0, 1}, {std::sin(angle) * 0.6, std::sin(angle) * 0.8, std::cos(angle)});
  return m;
}

Linkage random_linkage(int bodies, int joints, bool planar, unsigned seed) {
  Linkage m;
  std::mt19937 random(seed);
  const auto number = [&] { return random() / 2147483648.0 - 1; };
  const auto point = [&] {
    const double x = number(), y = number(), z = number();
    return turn({x, y, planar ? 0 : z});
  };
  for (int b = 0; b < bodies; ++b) m.body(point());
  for (int j = 0; j < joints; ++j) {
    const int b = j < bodies ? j : static_cast<int>(random() % bodies);
    const int a = static_cast<int>(random() % (b + 1)) - 1;  // ground or an earlier body
    const Point at = point(), axis = planar ? turn({0, 0, 1}) : point();
    if (!planar && random() % 3 == 0) {
      m.spherical(a, b, at);
    } else {
      m.revolute(a, b, at, axis);
    }
  }
  return m;
}

Linkage disguised_ground(int arms) {
  Linkage m = frame_with_arms(arms, false);
  for (int k = 0; k < arms; ++k) m.disguised_ball(0, 1 + 2 * k, {0.3 * k, std::cos(k), std::sin(2.0 * k)});
  return m;
}

}  // namespace trammel::test
