#include "channels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

namespace trammel {

int Records::column(const std::string& name) const {
  int k = 0;
  for (const Entity& e : channels.entities)
    for (const Component& c : e.components) {
      if (e.name() + "." + c.name == name) return k;
      ++k;
    }
  ADD_FAILURE() << "no channel " << name;
  return 0;
}

const std::vector<double>& Records::at(double t) const {
  std::size_t k = 0;
  while (k + 1 < time.size() && std::abs(time[k] - t) > 1e-9 * std::max(1.0, t)) ++k;
  EXPECT_NEAR(time[k], t, 1e-9 * std::max(1.0, t)) << "no output there";
  return values[k];
}

DynamicsSettings settings_with_error(double error) {
  DynamicsSettings settings;
  settings.integrator.error = error;
  return settings;
}

Records simulate(const Model& model, const DynamicsSettings& settings, double end, int steps) {
  Records out;
  SessionEvents events;
  events.record = [&](double t, StepKind, std::span<const double> v) {
    out.time.push_back(t);
    out.values.emplace_back(v.begin(), v.end());
  };
  Session simulation(model, settings, events);
  simulation.run(dynamics_analysis, {end, steps});
  out.channels = simulation.channels();
  out.counters = simulation.counters();
  return out;
}

std::vector<Check> expected_values(const std::string& file,
                                   const std::function<bool(const std::string&)>& wanted) {
  std::ifstream in(TRAMMEL_SOURCE_DIR "/models/" + file);
  const nlohmann::json expected = nlohmann::json::parse(in);
  std::vector<Check> out;
  for (const auto& c : expected["checks"])
    if (wanted(c["channel"])) out.push_back({c["t"], c["channel"], c["value"]});
  EXPECT_FALSE(out.empty()) << file;
  return out;
}

std::string four_bar_dataset(int windows, bool folded) {
  std::string o =
      "Chain of four-bar windows\nUNITS/, FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
      "PART/1, GROUND\nMARKER/1, PART=1\n";
  const std::string inertia = "8.333333333333333E-2";
  for (int i = 0; i <= windows; ++i) {
    const int x = folded ? i % 2 : i;
    const char* const direction = folded && i % 2 ? ", REULER=180D,0,0" : "";
    const int rod = 2 + 2 * i, coupler = 3 + 2 * i;
    o += fmt::format("MARKER/{}, PART=1, QP={},0,0\n", 10 * rod + 9, x);
    o += fmt::format("PART/{0}, QG={1},0,0, MASS=1, CM={0}0, IP={2},1.0E-3,{2}, VX=0.5, VY=0, WZ=-1\n", rod,
                     x, inertia);
    o += fmt::format(
        "MARKER/{0}0, PART={0}, QP=0,0.5,0\nMARKER/{0}1, PART={0}\nMARKER/{0}2, PART={0}, QP=0,1,0\n", rod);
    o += fmt::format("JOINT/{0}, REVOLUTE, I={0}1, J={0}9\n", rod);
    if (i == windows) break;
    o += fmt::format("PART/{0}, QG={1},1,0{3}, MASS=1, CM={0}0, IP=1.0E-3,{2},{2}, VX=1, VY=0, WZ=0\n",
                     coupler, x, inertia, direction);
    o += fmt::format(
        "MARKER/{0}0, PART={0}, QP=0.5,0,0\nMARKER/{0}1, PART={0}\nMARKER/{0}2, PART={0}, QP=1,0,0\n",
        coupler);
    o += fmt::format("JOINT/{0}, REVOLUTE, I={0}1, J={1}2\n", coupler, rod);
    o += fmt::format("JPRIM/{0}, INLINE, I={0}2, J={1}2\n", coupler, rod + 2);
  }
  return o + "ACCGRAV/, JGRAV=-9.81\nREQUEST/1, F4=DX(22,1)\\, F6=DY(22,1)\\\nEND\n";
}

std::vector<double> four_bar_angles(int windows, double end, int intervals) {
  const double n = windows, a = 3 * 9.81 * (3 * n + 1) / (2 * (4 * n + 1)), h = end / intervals;
  double q = 0, v = 1;
  std::vector<double> out = {0.0};
  for (int k = 0; k < intervals; ++k) {
    // Stoermer's form of the extrapolated midpoint rule, n = 1, 2, 3, ... 8 substeps.
    double tq[8], tv[8];
    for (int j = 0; j < 8; ++j) {
      const int m = j + 1;
      const double dt = h / m;
      double x = q, d = dt * (v + 0.5 * dt * a * std::sin(q));
      for (int i = 1; i <= m; ++i) {
        x += d;
        if (i < m) d += dt * dt * a * std::sin(x);
      }
      tq[j] = x;
      tv[j] = d / dt + 0.5 * dt * a * std::sin(x);
      for (int i = j - 1; i >= 0; --i) {
        const double r = double(m) / (i + 1), f = 1 / (r * r - 1);
        tq[i] = tq[i + 1] + (tq[i + 1] - tq[i]) * f;
        tv[i] = tv[i + 1] + (tv[i + 1] - tv[i]) * f;
      }
    }
    q = tq[0];
    v = tv[0];
    out.push_back(q);
  }
  return out;
}

}  // namespace trammel
