// Output between steps, and the published tables of the joint cases.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "bench.h"
#include "channels.h"
#include "table.h"

namespace trammel::output_test {
namespace {

struct Output {
  std::vector<std::vector<double>> part;  ///< positions, velocities of all parts per record
  double position = 0, velocity = 0;      ///< largest |φ| and |φ̇| at outputs
  long steps = 0;
};

Output run(const Model& model, double error, bool interpolate, double end, int records) {
  DynamicsSettings settings = settings_with_error(error);
  settings.interpolate = interpolate;
  Output out;
  Session* running = nullptr;
  SessionEvents events;
  std::vector<double> rows(model.multipliers);
  events.record = [&](double, StepKind, std::span<const double> v) {
    // The assembler was evaluated at the record's state just before.
    running->assembler().all_constraints(running->state(), rows);
    for (double r : rows) out.position = std::max(out.position, std::abs(r));
    running->assembler().constraints(running->state(), ConstraintLevel::velocity, rows);
    for (double r : rows) out.velocity = std::max(out.velocity, std::abs(r));
    std::vector<double> kept;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      for (int k : {0, 1, 2, 6, 7, 8, 9, 10, 11}) kept.push_back(v[18 * b + k]);
    out.part.push_back(std::move(kept));
  };
  Session simulation(model, settings, events);
  running = &simulation;
  simulation.run(dynamics_analysis, {end, records});
  out.steps = simulation.counters().steps;
  return out;
}

double largest_difference(const Output& a, const Output& b) {
  double largest = 0, size = 1;
  for (std::size_t k = 0; k < a.part.size(); ++k)
    for (std::size_t i = 0; i < a.part[k].size(); ++i) {
      largest = std::max(largest, std::abs(a.part[k][i] - b.part[k][i]));
      size = std::max(size, std::abs(a.part[k][i]));
    }
  return largest / size;
}

/// INTERPOLATE=ON and OFF are two runs with other steps: they agree as well as each agrees with the truth
/// (a run at ERROR/1000), and every record satisfies the constraints.
TEST(Output, between_steps) {
  struct Case {
    const char* name;
    Model (*make)();
    double end;
    int records;
  };
  const Case cases[] = {
      {"slider_crank", [] { return load_model("slider_crank/slider_crank.adm"); }, 1, 1000},
      {"spherical_pendulum", [] { return load_model("spherical_pendulum/spherical_pendulum.adm"); }, 1, 1000},
      {"andrews", [] { return load_model("andrews/andrews.adm"); }, 0.03, 1000},
  };
  Table table("interpolation", {"model", "ERROR", "ON to OFF", "ON to truth", "OFF to truth", "steps ON",
                                "steps OFF", "φ ON", "φ̇ ON", "φ OFF"});
  for (const Case& c : cases) {
    const Model model = c.make();
    for (const double error : {1e-6, 1e-8}) {
      const Output on = run(model, error, true, c.end, c.records),
                   off = run(model, error, false, c.end, c.records);
      const Output truth = run(model, error * 1e-3, false, c.end, c.records);
      const double between = largest_difference(on, off), on_error = largest_difference(on, truth),
                   off_error = largest_difference(off, truth);
      table.row({c.name, small(error), small(between), small(on_error), small(off_error),
                 std::to_string(on.steps), std::to_string(off.steps), small(on.position), small(on.velocity),
                 small(off.position)});
      EXPECT_LE(between, 1.5 * (on_error + off_error)) << c.name;
      // ε^{2/3} is the size of the global error; constants of the problem stand in front of it.
      EXPECT_LE(between, 300 * std::pow(error, 2.0 / 3)) << c.name;
      EXPECT_LE(on.position, 1e-12) << c.name;
      // A step ends where the corrector does, at a thousandth of ERROR in C h² |Δ|/√n, while φ is βh² Φq Δ:
      // β/C is 3.5 and √n 4.6 in Andrews, 0.016 ERROR. Twenty times that, for the norm of Φq and what an old
      // matrix leaves; 0.11 ERROR was measured.
      EXPECT_LE(off.position, 0.3 * error) << c.name;
    }
  }
}

/// Columns of a table: index, the channel to compare, group (position, velocity, acceleration, reaction),
/// and the place in the group's list of a Snapshot (−1: none).
struct Column {
  int at;
  std::string channel;
  int group, place;
};

std::vector<Column> columns_of_tables(bool gcon) {
  std::vector<Column> columns;
  for (int k = 0; k < 3; ++k) {
    const std::string axis(1, "XYZ"[k]);
    columns.push_back({1 + k, "REQUEST/1." + axis, 0, k});
    columns.push_back({4 + k, "REQUEST/2.V" + axis, 1, k});
    columns.push_back({14 + k, "REQUEST/2.W" + axis, 1, 3 + k});
    columns.push_back({7 + k, "REQUEST/3.ACC" + axis, 2, k});
    columns.push_back({17 + k, "REQUEST/3.WDT" + axis, 2, 3 + k});
    columns.push_back({20 + k, gcon ? "REQUEST/5.F" + axis : fmt::format("REQUEST/5.F{}", 2 + k), 3, -1});
    if (!gcon) columns.push_back({23 + k, fmt::format("REQUEST/5.F{}", 6 + k), 3, -1});
  }
  return columns;
}

/// The published tables of ADAMS, every row: positions and velocities to 1e-5, accelerations and
/// reactions to 1e-3, relative to max(1, |value|). A value of the table that is itself further than half
/// of that from the explicit reference solution is an error of the run that made the table; it is
/// counted, and the reference solution takes its place.
TEST(Output, joint_tables) {
  Table table("joint_tables",
              {"case", "rows", "position", "velocity", "acceleration", "reaction",
               "table to reference: velocity", "acceleration", "values of the table in error"});
  for (const char* name : {"Revolute_Case01", "Revolute_Case02", "Cylindrical_Case01", "Cylindrical_Case02",
                           "Prismatic_Case01", "Prismatic_Case02", "Distance_Case01", "Distance_Case03"}) {
    const std::string base = std::string("joint_cases/") + name;
    // Distance_Case03 can turn over and magnifies errors fiftyfold.
    const double tolerance = std::string_view(name) == "Distance_Case03" ? 1e-13 : 1e-11;
    const Records records = simulate(load_model(base + ".adm"), settings_with_error(tolerance), 5, 50);
    Bench bench(load_model(base + ".adm"));
    State exact = bench.initial;
    std::ifstream in(TRAMMEL_SOURCE_DIR "/models/" + base + ".csv");
    std::string line;
    std::getline(in, line);
    ASSERT_TRUE(
        line.starts_with("t,x,y,z,vx,vy,vz,ax,ay,az,e0,e1,e2,e3,wx,wy,wz,wdx,wdy,wdz,fx,fy,fz,tx,ty,tz"))
        << name;
    const bool gcon = records.channels.entities[1].type == "GCON";
    const std::vector<Column> columns = columns_of_tables(gcon);
    double error[4] = {}, own[4] = {};
    int rows = 0, in_error = 0;
    while (std::getline(in, line)) {
      std::vector<double> cells;
      std::stringstream stream(line);
      for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(std::stod(cell));
      if (cells[0] > 0) Reference(bench).advance(exact, cells[0], 20);
      const Snapshot snapshot = observe(bench, exact);
      const std::vector<double>& values = records.at(cells[0]);
      for (const Column& c : columns) {
        const double limit = c.group < 2 ? 1e-5 : 1e-3, size = std::max(1.0, std::abs(cells[c.at]));
        double expected = cells[c.at];
        if (c.place >= 0) {
          const double truth = group(snapshot, c.group)[c.place], e = std::abs(truth - expected) / size;
          own[c.group] = std::max(own[c.group], e);
          if (e > 0.5 * limit) {
            expected = truth;
            ++in_error;
          }
        }
        error[c.group] =
            std::max(error[c.group], std::abs(values[records.column(c.channel)] - expected) / size);
      }
      ++rows;
    }
    EXPECT_EQ(rows, 51) << name;
    EXPECT_LE(in_error, 10) << name;
    table.row({name, std::to_string(rows), small(error[0]), small(error[1]), small(error[2]), small(error[3]),
               small(own[1]), small(own[2]), std::to_string(in_error)});
    for (int g = 0; g < 4; ++g) EXPECT_LE(error[g], g < 2 ? 1e-5 : 1e-3) << name << " group " << g;
  }
}

}  // namespace
}  // namespace trammel::output_test
