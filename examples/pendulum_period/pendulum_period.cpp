// The period of a pendulum for several lengths and amplitudes, against T = 4 K(sin α/2) / ω, ω² = g l m / (J
// + m l²). One model, changed for every case. Exit code 1 where a period is off by more than 1e-6.
#include <trammel/trammel.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace {

constexpr double mass = 2, inertia = 0.01, g = 9.81;

// The rod's marker 21 is its pin, at the origin of ground; ψ turns about the Z axis of the hinge.
const char* const deck =
    "pendulum\nACCGRAV/JGRAV=-9.81\nINTEGRATOR/HHT,ERROR=1E-11\n"
    "PART/1,GROUND\nMARKER/11,PART=1\n"
    "PART/2,MASS=2,CM=20,IP=0.01,0.01,0.01\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=0,1,0\n"
    "JOINT/1,REVOLUTE,I=21,J=11\nEND\n";

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

// Four times the time from rest to the lowest point: a zero of the cubic between two records.
double period(double length, double amplitude) {
  trammel::Options options;
  options.changes = {"MARKER/21.QP=0," + number(length) + ",0",
                     "PART/2.QG=" + number(length * std::sin(amplitude)) + "," +
                         number(-length * std::cos(amplitude)) + ",0",
                     "PART/2.REULER=" + number(amplitude) + ",0,0"};
  trammel::Model model = trammel::Model::of_text(deck, options);
  const std::size_t x = model.channel("PART/2.X"), v = model.channel("PART/2.VX");
  double t0 = 0, x0 = 0, v0 = 0, quarter = 0;
  model.on_record([&](double t, std::span<const double> values) {
    const double h = t - t0, x1 = values[x], v1 = values[v];
    if (t > 0 && x1 <= 0) {
      double s = x0 / (x0 - x1);
      for (int k = 0; k < 20; ++k) {  // Newton
        const double c = 3 * (x1 - x0) - h * (2 * v0 + v1), d = 2 * (x0 - x1) + h * (v0 + v1);
        s -= (x0 + s * (h * v0 + s * (c + s * d))) / (h * v0 + s * (2 * c + s * 3 * d));
      }
      quarter = t0 + s * h;
      return false;
    }
    t0 = t, x0 = x1, v0 = v1;
    return true;
  });
  model.advance(20, 0.01);
  return 4 * quarter;
}

}  // namespace

int main() {
  int wrong = 0;
  std::printf("Trammel %s\nlength [m]  amplitude [deg]  period [s]   closed form  relative error\n",
              trammel::version().c_str());
  try {
    for (const double length : {0.5, 1.0, 2.0})
      for (const double degrees : {5.0, 60.0, 150.0}) {
        const double amplitude = degrees * std::acos(-1.0) / 180;
        const double omega = std::sqrt(g * length * mass / (inertia + mass * length * length));
        const double exact = 4 * std::comp_ellint_1(std::sin(amplitude / 2)) / omega;
        const double found = period(length, amplitude), error = found / exact - 1;
        std::printf("%10.2f  %15.0f  %10.7f   %11.7f  %14.1e\n", length, degrees, found, exact, error);
        wrong += !(std::abs(error) < 1e-6);
      }
  } catch (const trammel::Error& error) {
    std::printf("%s\n", error.what());
    return error.status();
  }
  return wrong > 0;
}
