// A flyball governor, and its motion in two coordinates of its own.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace trammel::test {

/// A shaft turns freely about the vertical z axis. At its top, a from the axis, two arms hang on pins at an
/// angle α from the vertical; links of length l hold, at l along each arm, a sleeve that slides along the
/// shaft on a spring and a damper.
struct Governor {
  static constexpr double g = 9.81, a = 0.05, l = 0.5, spring = 800, damper = 30, free_length = 0.7;
  static constexpr double arm_mass = 3, arm_centre = 0.5, arm_axial = 0.02, arm_across = 0.15;
  static constexpr double link_mass = 0.8, link_axial = 0.001, link_across = 0.02;
  static constexpr double sleeve_mass = 4, sleeve_inertia = 0.05, shaft_inertia = 0.4;
  static constexpr double alpha0 = 0.5, speed0 = 8;

  static std::string deck(const std::string& settings) {
    constexpr double right = std::numbers::pi / 2;
    const double drop = 2 * l * std::cos(alpha0);
    std::string out = fmt::format(
        "governor\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/KGRAV=-9.81\n"
        "PART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=5,CM=20,IP=.3,.3,{:.17g},WZ={:.17g}\nMARKER/20,PART=2\n"
        "MARKER/21,PART=2\nJOINT/1,REVOLUTE,I=21,J=1\nPART/"
        "3,QG=0,0,{:.17g},MASS={:.17g},CM=30,IP=.03,.03,{:.17g}\n"
        "MARKER/30,PART=3\nMARKER/31,PART=3\nJOINT/2,TRANSLATIONAL,I=31,J=21\n",
        shaft_inertia, speed0, -drop, sleeve_mass, sleeve_inertia);
    // Frames of bars: x along the bar, z normal to the plane of the linkage.
    for (const int side : {1, -1}) {
      const int arm = side > 0 ? 40 : 60, link = arm + 10;
      const auto bar = [&](int id, double height, double angle, double mass, double centre, double axial,
                           double across, int holder) {
        out += fmt::format(
            "PART/"
            "{0},QG={1:.17g},0,{2:.17g},REULER=0,90D,{3:.17g},MASS={4:.17g},CM={0},IP={5:.17g},{6:.17g},{6:."
            "17g}\n"
            "MARKER/{0},PART={0},QP={7:.17g},0,0\nMARKER/{8},PART={0}\nMARKER/"
            "{9},PART={10},QP={1:.17g},0,0,REULER=0,90D,0\n"
            "JOINT/{0},REVOLUTE,I={8},J={9}\nMARKER/{11},PART={0},QP={12:.17g},0,0\n",
            id, side * a, height, angle, mass, axial, across, centre, id + 1, id + 2, holder, id + 3, l);
      };
      bar(arm, 0, -right + side * alpha0, arm_mass, arm_centre, arm_axial, arm_across, 2);
      bar(link, -drop, right - side * alpha0, link_mass, l / 2, link_axial, link_across, 3);
      out += fmt::format("JPRIM/{},INLINE,I={},J={}\n", arm, link + 3, arm + 3);
    }
    return out +
           fmt::format(
               "SFORCE/1,TRANSLATION,I=30,J=1,FUNCTION=-{:.17g}*(DM(30,1)-{:.17g})-{:.17g}*VR(30,1)\n",
               spring, free_length, damper) +
           "REQUEST/1,F2=DZ(30,1)\\F3=WZ(21,1)\n" + settings + "END\n";
  }

  /// With I(α) about the shaft, m(α) of α̇, s = 2 l cos α of the sleeve:
  ///     I φ̇ = L,   m α̈ = ½ I' φ̇² − ½ m' α̇² − V' − c s'² α̇.
  static std::array<double, 2> rates(double momentum, const std::array<double, 2>& y) {
    const double S = std::sin(y[0]), C = std::cos(y[0]), u = y[1];
    const double arm_radius = a + arm_centre * S, link_radius = a + 0.5 * l * S;
    const double inertia =
        shaft_inertia + sleeve_inertia +
        2 * (arm_axial * C * C + arm_across * S * S + arm_mass * arm_radius * arm_radius) +
        2 * (link_axial * C * C + link_across * S * S + link_mass * link_radius * link_radius);
    const double inertia_rate =
        4 * ((arm_across - arm_axial + link_across - link_axial) * S * C +
             arm_mass * arm_radius * arm_centre * C + link_mass * link_radius * 0.5 * l * C);
    const double m = 2 * (arm_across + arm_mass * arm_centre * arm_centre) +
                     2 * (link_across + link_mass * l * l * (0.25 * C * C + 2.25 * S * S)) +
                     sleeve_mass * 4 * l * l * S * S;
    const double m_rate = 8 * link_mass * l * l * S * C + 8 * sleeve_mass * l * l * S * C;
    const double s = 2 * l * C, s_rate = -2 * l * S;
    const double V_rate = 2 * arm_mass * g * arm_centre * S + 3 * link_mass * g * l * S +
                          sleeve_mass * g * 2 * l * S + spring * (s - free_length) * s_rate;
    const double w = momentum / inertia;
    return {u,
            (0.5 * inertia_rate * w * w - 0.5 * m_rate * u * u - V_rate - damper * s_rate * s_rate * u) / m};
  }
  static double inertia_at_start() {
    const double S = std::sin(alpha0), C = std::cos(alpha0);
    const double r = a + arm_centre * S, q = a + 0.5 * l * S;
    return shaft_inertia + sleeve_inertia + 2 * (arm_axial * C * C + arm_across * S * S + arm_mass * r * r) +
           2 * (link_axial * C * C + link_across * S * S + link_mass * q * q);
  }
  /// z of the sleeve at time t, by Runge-Kutta of order 4 in steps of h.
  static double sleeve(double t, double h) {
    using Y = std::array<double, 2>;
    const double momentum = speed0 * inertia_at_start();
    Y y{alpha0, 0};
    const long steps = std::lround(t / h);
    const auto at = [](const Y& a_, double k, const Y& b) { return Y{a_[0] + k * b[0], a_[1] + k * b[1]}; };
    for (long k = 0; k < steps; ++k) {
      const Y k1 = rates(momentum, y), k2 = rates(momentum, at(y, h / 2, k1)),
              k3 = rates(momentum, at(y, h / 2, k2)), k4 = rates(momentum, at(y, h, k3));
      for (int i = 0; i < 2; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return -2 * l * std::cos(y[0]);
  }
};

}  // namespace trammel::test
