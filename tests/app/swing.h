// A pendulum as a deck, and its own equation of motion.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace trammel_test {

/// A rod of 1 m and 1 kg at a pin in the origin, released level; gravity along −Y.
struct Swing {
  static constexpr double gravity = 9.81, centre = 0.5, mass = 1, inertia = 0.02;

  static std::string deck() {
    return "A pendulum\n"
           "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
           "PART/1, GROUND\nMARKER/1, PART=1\n"
           "PART/2, MASS=1, CM=21, IP=0.02,0.02,0.02, QG=0.5,0,0\n"
           "MARKER/21, PART=2\nMARKER/22, PART=2, QP=-0.5,0,0\n"
           "JOINT/1, REVOLUTE, I=22, J=1\nACCGRAV/JGRAV=-9.81\nEND\n";
  }

  /// Angle below the level and its rate at times k·interval, k = 0 ... n, by RK4 with steps whose error is
  /// rounding (1e-4 s: h⁵ times derivatives of order 1e4 is 1e-16).
  struct Point {
    double angle, rate;
  };
  static std::vector<Point> motion(double interval, int n) {
    constexpr double longest = 1e-4;
    const int inner = static_cast<int>(std::ceil(interval / longest));
    const double h = interval / inner;
    std::vector<Point> out{{0, 0}};
    Point p{0, 0};
    for (int k = 0; k < n * inner; ++k) {
      const Point k1 = rate(p), k2 = rate(moved(p, k1, h / 2)), k3 = rate(moved(p, k2, h / 2)),
                  k4 = rate(moved(p, k3, h));
      p.angle += h / 6 * (k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle);
      p.rate += h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate);
      if ((k + 1) % inner == 0) out.push_back(p);
    }
    return out;
  }
  static Point rate(Point p) {
    return {p.rate, mass * gravity * centre * std::cos(p.angle) / (inertia + mass * centre * centre)};
  }
  static Point moved(Point p, Point by, double h) { return {p.angle + h * by.angle, p.rate + h * by.rate}; }

  static double x(Point p) { return centre * std::cos(p.angle); }
  static double y(Point p) { return -centre * std::sin(p.angle); }
  static double vx(Point p) { return -centre * std::sin(p.angle) * p.rate; }
  static double ay(Point p) {
    return centre * (std::sin(p.angle) * p.rate * p.rate - std::cos(p.angle) * rate(p).rate);
  }
};

/// Two such rods, one below the other, both level: chaotic.
inline std::string double_pendulum() {
  return "Two pendulums\n"
         "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
         "PART/1, GROUND\nMARKER/1, PART=1\n"
         "PART/2, MASS=1, CM=21, IP=0.01,0.01,0.01, QG=0.5,0,0\n"
         "MARKER/21, PART=2\nMARKER/22, PART=2, QP=-0.5,0,0\nMARKER/23, PART=2, QP=0.5,0,0\n"
         "PART/3, MASS=1, CM=31, IP=0.01,0.01,0.01, QG=1.5,0,0\n"
         "MARKER/31, PART=3\nMARKER/32, PART=3, QP=-0.5,0,0\n"
         "JOINT/1, REVOLUTE, I=22, J=1\nJOINT/2, REVOLUTE, I=32, J=23\nACCGRAV/JGRAV=-9.81\nEND\n";
}

}  // namespace trammel_test
