// Overlaps in a plane against sums over triangles, closed forms and differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/planar_nearest.h"
#include "geometry/planar_overlap.h"
#include "geometry/planar_touch.h"
#include "placements.h"
#include "planar_curves.h"

namespace trammel::planar_test {
namespace {

using D3 = Dual<double, 3>;

struct Area {
  double area = 0;
  Vec2d moment;
};

/// Of two triangles with the sign of their product, by clipping one at the sides of the other.
Area common_triangle(const Vec2d (&a)[3], const Vec2d (&b)[3]) {
  const double sa = cross(a[1] - a[0], a[2] - a[0]), sb = cross(b[1] - b[0], b[2] - b[0]);
  Vec2d p[16], q[16];
  int n = 3;
  for (int k = 0; k < 3; ++k) p[k] = a[k];
  for (int side = 0; side < 3 && n > 0; ++side) {
    const Vec2d from = b[side], along = b[(side + 1) % 3] - from;
    int m = 0;
    for (int k = 0; k < n; ++k) {
      const Vec2d u = p[k], v = p[(k + 1) % n];
      const double du = cross(along, u - from) * sb, dv = cross(along, v - from) * sb;
      if (du >= 0) q[m++] = u;
      if ((du >= 0) != (dv >= 0)) q[m++] = u + (du / (du - dv)) * (v - u);
    }
    std::copy(q, q + m, p);
    n = m;
  }
  Area out;
  for (int k = 1; k + 1 < n; ++k) {
    const double part =
        0.5 * cross(p[k] - p[0], p[k + 1] - p[0]) * (sa * sb > 0 ? 1 : -1) * (sa > 0 ? 1 : -1);
    out.area += part;
    out.moment += (part / 3) * (p[0] + p[k] + p[k + 1]);
  }
  return out;
}

/// What two polygons have in common, as sums of triangles with one corner each in common.
Area brute_force(const std::vector<Vec2d>& P, const PlanarPose<double>& at, const std::vector<Vec2d>& Q) {
  Area out;
  const int n = static_cast<int>(P.size()), m = static_cast<int>(Q.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const Vec2d a[3] = {at.place({0, 0}), at.place(P[i]), at.place(P[(i + 1) % n])};
      const Vec2d b[3] = {{0, 0}, Q[j], Q[(j + 1) % m]};
      double low[2][2], high[2][2];
      for (int s = 0; s < 2; ++s) {
        const Vec2d* t = s ? b : a;
        low[s][0] = std::min({t[0].x, t[1].x, t[2].x}), high[s][0] = std::max({t[0].x, t[1].x, t[2].x});
        low[s][1] = std::min({t[0].y, t[1].y, t[2].y}), high[s][1] = std::max({t[0].y, t[1].y, t[2].y});
      }
      if (low[0][0] > high[1][0] || low[1][0] > high[0][0] || low[0][1] > high[1][1] ||
          low[1][1] > high[0][1])
        continue;
      const Area part = common_triangle(a, b);
      out.area += part.area;
      out.moment += part.moment;
    }
  if (at.mirror < 0) out.area = -out.area, out.moment = -out.moment;
  return out;
}

struct Bodies {
  const char* name;
  PlanarCurve curve;
  int fine;  ///< corners on a piece of the polygon that stands for it
};
std::vector<Bodies> bodies() {
  return {{"circle", circle(0.7), 40},
          {"square", polygon(star_points(4, 0.9, 0.9)), 1},
          {"star", polygon(star_points(10, 0.4, 1.1)), 1},
          {"lobes", lobes(24, 0.25, 3), 12}};
}

TEST(Planar, area_and_centroid_are_those_of_triangles) {
  Placements random;
  const std::vector<Bodies> all = bodies();
  PlanarOverlaps<double> search;
  int overlapping = 0;
  for (const Bodies& p : all)
    for (const Bodies& q : all) {
      const std::vector<Vec2d> P = corners(p.curve, p.fine), Q = corners(q.curve, q.fine);
      double worst = 0;
      for (int n = 0; n < 100; ++n) {
        const auto at =
            pose_at(random.number(-2, 2), random.number(-2, 2), random.number(-4, 4), n % 3 ? 1 : -1);
        double area = 0;
        Vec2d moment;
        for (const auto& x : search.find(p.curve, at, q.curve)) {
          area += x.area;
          moment += x.area * x.centroid;
          EXPECT_GT(x.depth, 0);
        }
        const Area expected = brute_force(P, at, Q);
        overlapping += area > 0;
        worst = std::max(worst, std::fabs(area - expected.area));
        // Polygons lose the area between chord and arc: of a circle in 480 corners 3e-5 of it.
        const double loss = p.fine > 1 || q.fine > 1 ? 4e-4 : 1e-12;
        ASSERT_NEAR(area, expected.area, loss) << p.name << ' ' << q.name << ' ' << n;
        ASSERT_NEAR(moment.x, expected.moment.x, loss) << p.name << ' ' << q.name << ' ' << n;
        ASSERT_NEAR(moment.y, expected.moment.y, loss) << p.name << ' ' << q.name << ' ' << n;
      }
      if (getenv("SHOW")) printf("%s %s %g\n", p.name, q.name, worst);
    }
  EXPECT_GT(overlapping, 500);
}

/// Where a line from a place leaves a polygon, nearest ahead.
double exit_of(const std::vector<Vec2d>& P, const PlanarPose<double>& at, const Vec2d& from,
               const Vec2d& along) {
  double best = HUGE_VAL;
  for (std::size_t k = 0; k < P.size(); ++k) {
    const Vec2d a = at.place(P[k]), b = at.place(P[(k + 1) % P.size()]), side = b - a;
    const double across = cross(along, side);
    if (!(at.mirror * across > 0)) continue;
    const double s = cross(a - from, side) / across, u = cross(a - from, along) / across;
    if (u >= 0 && u <= 1 && s > 0) best = std::min(best, s);
  }
  return best;
}

/// n is against the gradient of the common area, and the depth lies on the line along n through the centroid.
TEST(Planar, normal_and_depth_are_those_of_the_area) {
  Placements random;
  std::vector<PlanarCurve> all;
  all.push_back(polygon(star_points(4, 0.9, 0.9)));
  all.push_back(polygon(star_points(10, 0.4, 1.1)));
  all.push_back(polygon({{-1, -0.1}, {1, -0.2}, {0.9, 0.3}, {0.1, 0.1}, {-1.1, 0.2}}));
  PlanarOverlaps<double> search;
  int seen = 0;
  for (const PlanarCurve& p : all)
    for (const PlanarCurve& q : all) {
      const std::vector<Vec2d> P = corners(p, 1), Q = corners(q, 1);
      for (int n = 0; n < 6000; ++n) {
        const auto at =
            pose_at(random.number(-2, 2), random.number(-2, 2), random.number(-4, 4), n % 3 ? 1 : -1);
        const auto found = search.find(p, at, q);
        if (found.size() != 1) continue;
        const auto x = found[0];
        constexpr double h = 1e-6;
        const auto area = [&](double dx, double dy) {
          auto moved = at;
          moved.r += Vec2d{dx, dy};
          return brute_force(P, moved, Q).area;
        };
        const Vec2d slope{(area(h, 0) - area(-h, 0)) / (2 * h), (area(0, h) - area(0, -h)) / (2 * h)};
        if (norm(slope) < 1e-3) continue;  // one inside the other: no direction
        // Rounding of areas of 1 over 2e-6, and corners that a side passes between the two.
        ASSERT_LT(std::fabs(cross(x.normal, slope)), 3e-5 * std::max(1.0, norm(slope)) + 1e-5) << n;
        ASSERT_LT(dot(x.normal, slope), 0) << n;
        const double above = exit_of(Q, {}, x.centroid, x.normal),
                     below = exit_of(P, at, x.centroid, -x.normal);
        if (std::isfinite(above) && std::isfinite(below)) {
          ASSERT_NEAR(x.depth, above + below, 1e-9) << n;
          ASSERT_NEAR(norm(x.centroid + (0.5 * (above - below)) * x.normal - x.point), 0, 1e-9) << n;
        }
        ++seen;
      }
    }
  EXPECT_GT(seen, 10000);
}

/// Of two circles of radius r and R at the distance d, by the lens in closed form.
TEST(Planar, circles_are_those_of_the_lens) {
  Placements random;
  PlanarOverlaps<double> search;
  for (int n = 0; n < 10000; ++n) {
    const double r = std::exp(random.number(-3, 1)), R = std::exp(random.number(-3, 1)),
                 phi = random.number(-4, 4);
    const double thin = n % 2 ? std::exp(random.number(-18, -2)) : random.number(0, 1);
    const double d = r + R - thin * 2 * std::min(r, R);
    const auto found = search.find(
        circle(r), pose_at(d * std::cos(phi), d * std::sin(phi), random.number(-4, 4)), circle(R));
    ASSERT_EQ(found.size(), 1u) << n;
    const auto& x = found[0];
    const double size = r + R;
    EXPECT_NEAR(x.depth, r + R - d, 1e-13 * size) << n;
    // The chord between the places where they cross is good to rounding over its length.
    const double chord = 2 * std::sqrt(thin * std::min(r, R) * r * R / (r + R));
    EXPECT_NEAR(cross(x.normal, Vec2d{std::cos(phi), std::sin(phi)}), 0, 1e-15 * size / thin / chord + 1e-12)
        << n;
    const double a = std::acos((d * d + r * r - R * R) / (2 * d * r)),
                 b = std::acos((d * d + R * R - r * r) / (2 * d * R));
    const double lens = r * r * (a - std::sin(2 * a) / 2) + R * R * (b - std::sin(2 * b) / 2);
    if (thin > 1e-3) {
      EXPECT_NEAR(x.area / lens, 1, 1e-9) << n;
    }
  }
}

/// What depends on the pose, in a row.
template <class S>
std::vector<S> numbers(const PlanarOverlap<S>& x) {
  return {x.depth, x.normal.x, x.normal.y, x.point.x, x.point.y, x.area, x.centroid.x, x.centroid.y};
}

TEST(Planar, derivatives_are_those_of_differences) {
  Placements random;
  const std::vector<Bodies> all = bodies();
  PlanarOverlaps<double> search;
  PlanarOverlaps<D3> duals;
  int seen = 0;
  double worst = 0;
  for (const Bodies& p : all)
    for (const Bodies& q : all)
      for (int n = 0; n < 300; ++n) {
        const double x = random.number(-2, 2), y = random.number(-2, 2), angle = random.number(-4, 4);
        const double mirror = n % 3 ? 1 : -1;
        PlanarPose<D3> at;
        at.r = {D3::variable(x, 0), D3::variable(y, 1)};
        at.c = D3(std::cos(angle)), at.s = D3(std::sin(angle));
        at.c.d[2] = -std::sin(angle), at.s.d[2] = std::cos(angle);
        at.mirror = mirror;
        const auto found = duals.find(p.curve, at, q.curve);
        constexpr double h = 1e-6;
        for (int v = 0; v < 3; ++v) {
          const auto moved = [&](double by) {
            std::vector<std::vector<double>> out;
            for (const auto& o : search.find(
                     p.curve, pose_at(x + (v == 0) * by, y + (v == 1) * by, angle + (v == 2) * by, mirror),
                     q.curve))
              out.push_back(numbers(o));
            return out;
          };
          const auto after = moved(h), before = moved(-h), twice = moved(2 * h), half = moved(-2 * h);
          if (after.size() != found.size() || before.size() != found.size() || twice.size() != found.size() ||
              half.size() != found.size())
            continue;
          for (std::size_t k = 0; k < found.size(); ++k) {
            const auto exact = numbers(found[k]);
            for (std::size_t c = 0; c < exact.size(); ++c) {
              const double near = (after[k][c] - before[k][c]) / (2 * h),
                           far = (twice[k][c] - half[k][c]) / (4 * h);
              // Where the two differences differ an edge lies between.
              if (std::fabs(near - far) > 1e-7 * (1 + std::fabs(near))) continue;
              ++seen;
              worst = std::max(worst, std::fabs(exact[c].d[v] - near) / (1 + std::fabs(near)));
              ASSERT_NEAR(exact[c].d[v], near, 1e-6 * (1 + std::fabs(near)))
                  << p.name << ' ' << q.name << ' ' << n << ' ' << c;
            }
          }
        }
      }
  if (getenv("SHOW")) printf("%d %g\n", seen, worst);
  EXPECT_GT(seen, 20000);
}

TEST(Planar, the_other_way_around_it_is_the_same) {
  Placements random;
  const std::vector<Bodies> all = bodies();
  PlanarOverlaps<double> one, other;
  int seen = 0;
  for (const Bodies& p : all)
    for (const Bodies& q : all)
      for (int n = 0; n < 300; ++n) {
        const double mirror = n % 3 ? 1 : -1;
        const auto at = pose_at(random.number(-2, 2), random.number(-2, 2), random.number(-4, 4), mirror);
        PlanarPose<double> back = at;
        back.r = at.place_back({0, 0});
        back.s = -mirror * at.s;
        const auto x = one.find(p.curve, at, q.curve), y = other.find(q.curve, back, p.curve);
        ASSERT_EQ(x.size(), y.size());
        for (const auto& a : x) {
          double least = HUGE_VAL;
          for (const auto& b : y)
            least = std::min(least, std::fabs(a.depth - b.depth) + norm(a.point - at.place(b.point)) +
                                        norm(a.normal + at.turn(b.normal)));
          EXPECT_LT(least, 1e-9) << p.name << ' ' << q.name << ' ' << n;
          ++seen;
        }
      }
  EXPECT_GT(seen, 2000);
}

/// Two unit squares whose sides are parallel or lie in one line: what they have in common is a rectangle w ×
/// d, and the normal goes across its diagonal.
TEST(Planar, edges_in_one_line) {
  PlanarOverlaps<double> search;
  const PlanarCurve square = polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  Placements random;
  for (int n = 0; n < 10000; ++n) {
    const double shift = n % 4 == 0   ? 0
                         : n % 4 == 1 ? 0.5
                                      : random.number(-0.9, 0.9),
                 w = 1 - std::fabs(shift);
    const double d = n % 3 == 0 ? 0 : n % 3 == 1 ? random.number(1e-10, 1e-8) : random.number(0.01, 0.4);
    const double off = 0.1 * (n % 5) * random.number(0, 1), c = std::cos(off), s = std::sin(off);
    const auto turned = [&](double x, double y) { return Vec2d{c * x - s * y, s * x + c * y}; };
    const PlanarCurve second = polygon({{0, 0}, turned(1, 0), turned(1, 1), turned(0, 1)});
    const Vec2d place = turned(shift, 1 - d);
    const auto found = search.find(square, pose_at(place.x, place.y, off), second);
    if (d == 0) {  // what rounding and the shift against it leave
      for (const auto& x : found) EXPECT_LT(x.depth, 1e-11) << n;
      continue;
    }
    ASSERT_EQ(found.size(), 1u) << n;
    const PlanarOverlap<double>& x = found[0];
    EXPECT_NEAR(x.area, w * d, 1e-11) << n;
    if (shift == 0) {  // whose side is inside is open, and with it how far the normal leans
      EXPECT_GE(dot(x.normal, turned(0, 1)), 1 / std::hypot(d, 1) - 1e-11) << n;
      continue;
    }
    const double diagonal = std::hypot(w, d);
    const Vec2d normal = turned(std::copysign(d, shift) / diagonal, w / diagonal);
    EXPECT_NEAR(norm(x.normal - normal), 0, 2e-12 / w) << n;
    EXPECT_NEAR(x.depth, std::min(d / w, w / d) * diagonal, 1e-11) << n;
  }
}

/// A blob of cubics against a fine polygon on the true curve: the error of the cubics goes down with the
/// fourth power of their number.
TEST(Planar, cubics_come_nearer_to_the_curve_with_the_fourth_power) {
  PlanarOverlaps<double> search;
  const PlanarCurve plate = polygon({{-3, -3}, {0.35, -3}, {0.35, 3}, {-3, 3}});
  const auto at = pose_at(1.2, 0.3, 0.4);
  const auto area = [&](int count) { return search.find(lobes(count, 0.25, 3), at, plate)[0].area; };
  // The limit by quadrature of the true curve's polygon of many corners, error 1e-9.
  std::vector<Vec2d> fine;
  for (int k = 0; k < 100000; ++k) {
    const double phi = 2 * M_PI * k / 100000, r = 1 + 0.25 * std::cos(3 * phi);
    fine.push_back({r * std::cos(phi), r * std::sin(phi)});
  }
  const double exact = brute_force(fine, at, corners(plate, 1)).area;
  const double first = std::fabs(area(24) - exact), second = std::fabs(area(48) - exact),
               third = std::fabs(area(96) - exact);
  EXPECT_GT(first / second, 10);
  EXPECT_GT(second / third, 10);
  EXPECT_LT(third, 2e-6);  // h⁴/384 times the fourth derivative, 30, times the length
}

/// The nearest place of all places on the boundary, and derivatives by differences.
TEST(Planar, nearest_is_on_the_boundary_and_nothing_is_nearer) {
  Placements random;
  for (const Bodies& b : bodies()) {
    const std::vector<Vec2d> fine = corners(b.curve, 200);
    for (int n = 0; n < 3000; ++n) {
      const Vec2d p{random.number(-1.3, 1.3), random.number(-1.3, 1.3)};
      const PlanarNearest<double> at = nearest(view(b.curve), p);
      EXPECT_NEAR(norm(at.normal), 1, 1e-12);
      EXPECT_EQ(at.depth > 0, holds(b.curve, p)) << b.name << ' ' << n;
      if (at.depth < -0.5) continue;
      for (const Vec2d& q : fine) ASSERT_GE(norm(q - p), std::fabs(at.depth) - 1e-12) << b.name << ' ' << n;
      const Vec2d foot = p + at.depth * at.normal;
      EXPECT_NEAR(nearest(view(b.curve), foot).depth, 0, 1e-12) << b.name << ' ' << n;
      if (!(at.depth > 0)) continue;
      const PlanarNearest<D3> x =
          nearest(view(b.curve), Vec2<D3>{D3::variable(p.x, 0), D3::variable(p.y, 1)});
      constexpr double h = 1e-6;
      for (int v = 0; v < 2; ++v) {
        const Vec2d step{v == 0 ? h : 0, v == 1 ? h : 0};
        const auto after = nearest(view(b.curve), p + step), before = nearest(view(b.curve), p - step);
        if (norm(after.normal - before.normal) > 1e-4) continue;  // another place
        EXPECT_NEAR(x.depth.d[v], (after.depth - before.depth) / (2 * h), 1e-7);
        EXPECT_NEAR(x.normal.x.d[v], (after.normal.x - before.normal.x) / (2 * h), 1e-5);
        EXPECT_NEAR(x.normal.y.d[v], (after.normal.y - before.normal.y) / (2 * h), 1e-5);
      }
    }
  }
}

/// A circle in one that is solid outside, with little play, by the general search and in closed form.
TEST(Planar, a_pin_in_a_hole) {
  Placements random;
  PlanarOverlaps<double> search;
  for (int n = 0; n < 10000; ++n) {
    const double play = std::exp(random.number(-12, -1)), depth = play * std::exp(random.number(-8, 1));
    const double phi = random.number(-4, 4), d = play + depth;
    if (d > 0.5) continue;
    const auto found =
        search.find(circle(1 - play), pose_at(d * std::cos(phi), d * std::sin(phi), random.number(-4, 4)),
                    circle(1, true));
    ASSERT_EQ(found.size(), 1u) << n << ' ' << play << ' ' << depth;
    EXPECT_NEAR(found[0].depth, depth, 1e-13) << n;
    EXPECT_NEAR(norm(found[0].normal + Vec2d{std::cos(phi), std::sin(phi)}), 0, 1e-6) << n;
  }
}

/// A wall has its path as its face, is solid to the left of it, and as thick as a quarter of its length where
/// that does not fold.
TEST(Planar, open_curves_are_faces_of_walls) {
  double thickness = 0;
  PlanarPath straight;
  straight.add_line({0, 0}, {1, 0});
  straight.add_line({1, 0}, {4, 0});
  const PlanarCurve wall = make_planar_wall(straight, thickness);
  EXPECT_EQ(thickness, 1);
  EXPECT_NEAR(wall.area, 4, 1e-12);
  EXPECT_TRUE(holds(wall, {2, 0.9}));
  EXPECT_FALSE(holds(wall, {2, -0.1}));
  EXPECT_FALSE(holds(wall, {4.1, 0.5}));
  for (const double sweep : {0.5, 3.0, 5.0, -0.5, -3.0, -5.0}) {  // to the left is inside for sweep > 0
    PlanarPath arc;
    arc.add_arc({0, 0}, 1, 0.3, sweep);
    const PlanarCurve bent = make_planar_wall(arc, thickness);
    ASSERT_FALSE(bent.pieces.empty());
    EXPECT_LE(thickness, std::fabs(sweep) / 4);
    if (sweep > 0) {
      EXPECT_LT(thickness, 1);
    }
    for (int k = 1; k < 20; ++k) {
      const double phi = 0.3 + sweep * k / 20, step = 0.01 * (sweep > 0 ? -1 : 1);
      EXPECT_TRUE(holds(bent, (1 + step) * Vec2d{std::cos(phi), std::sin(phi)})) << sweep;
      EXPECT_FALSE(holds(bent, (1 - step) * Vec2d{std::cos(phi), std::sin(phi)})) << sweep;
    }
  }
  PlanarPath loop;  // crosses itself
  loop.add_line({0, 0}, {2, 0});
  loop.add_line({2, 0}, {2, 1});
  loop.add_line({2, 1}, {1, -1});
  EXPECT_TRUE(make_planar_wall(loop, thickness).pieces.empty());
}

}  // namespace
}  // namespace trammel::planar_test
