// Flexible bodies in models that change between simulations, and what reads them: the nodes' own momenta, and
// the same deck said in another way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/beam_body.h"
#include "support.h"

using namespace trammel_test;
using namespace trammel;
using test::Beam;

namespace flexible_changes_test {
namespace {

const std::string head =
    "beam\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n";

Outcome run_job(const Folder& f, const std::string& deck, const std::string& commands) {
  f.write("beam.adm", head + deck + "END\n");
  f.write("job.acf", "beam\njob\n" + commands);
  return run(f, {"run", "job.acf"});
}

double last(const Folder& f, const std::string& channel) {
  return f.channel("job.nc", channel).back();
}
Vec3d last(const Folder& f, int request, int first) {
  Vec3d v;
  for (int k = 0; k < 3; ++k) v[k] = last(f, fmt::format("REQUEST/{}.F{}", request, first + k));
  return v;
}

/// Numbers of the modes of a body that take part: all that are not rigid.
std::vector<int> elastic_modes(const ModalBody& body) {
  std::vector<int> out;
  for (int j = 0; j < body.modes; ++j)
    if (body.frequency[j] > 1) out.push_back(j);
  return out;
}

/// A ball joint catches the end of a beam that moves freely: its impulse P on the first node is all that
/// changes momenta, ΔΣ m v = P, ΔΣ (s × m v + I ω) = s₁ × P, and of each mode ΔΣ (m φ·v + φ*·I ω) = φ₁·P.
TEST(FlexibleChanges, a_beam_is_caught_as_in_a_plastic_impact) {
  const Beam beam{.elements = 4};
  const ModalBody body = test::modes_of(beam, {1, 5}, 1);
  for (const bool modal : {true, false}) {
    Folder f;
    f.write("beam.mtx", write_mtx(body));
    std::string deck =
        "FLEX_BODY/2, MNF_FILE=beam.mtx, CRATIO=0, VX=1, VY=0.3, VZ=-0.2, WX=1, WY=2, WZ=-0.5" +
        std::string(modal ? "\n" : ", REPRESENTATION=RIGID\n") + "JOINT/1, SPHERICAL, I=21, J=1\n";
    for (int p = 1; p <= beam.nodes(); ++p)
      deck += fmt::format(
          "MARKER/{0}, FLEX_BODY=2, NODE_ID={1}\nREQUEST/{1}, "
          "F2=VX({0})\\F3=VY({0})\\F4=VZ({0})\\F6=WX({0})\\"
          "F7=WY({0})\\F8=WZ({0})\n",
          20 + p, p);
    const std::string before = "DEACTIVATE/JOINT, ID=1\nSIMULATE/DYNAMIC, END=1E-10, STEPS=1\n";
    std::vector<Vec3d> v, w;
    for (const std::string& commands :
         {before, before + "ACTIVATE/JOINT, ID=1\nSIMULATE/TRANSIENT, END=2E-10, STEPS=1\n"}) {
      const Outcome o = run_job(f, deck, commands);
      ASSERT_EQ(o.code, 0) << o.err;
      for (int p = 1; p <= beam.nodes(); ++p) v.push_back(last(f, p, 2)), w.push_back(last(f, p, 6));
    }
    const int n = beam.nodes();
    EXPECT_LT(norm(v[n]), 1e-8);  // what the motion of 1e-10 s changes: frequencies up to 1e5/s
    Vec3d impulse{}, moment{};
    for (int p = 0; p < n; ++p) {
      const Vec3d change = body.node_mass[p] * (v[n + p] - v[p]);
      impulse += change;
      moment += cross(body.position[p], change) + body.node_inertia[p] * (w[n + p] - w[p]);
    }
    const double unit = norm(impulse);
    EXPECT_GT(unit, 0.1 * beam.mass());
    EXPECT_LT(norm(moment), 1e-6 * unit);  // the first node is the origin
    if (!modal) continue;
    for (const int j : elastic_modes(body)) {
      double change = 0;
      for (int p = 0; p < n; ++p) {
        const int at = p * body.modes + j;
        change += body.node_mass[p] * dot(body.translation[at], v[n + p] - v[p]) +
                  dot(body.rotation[at], body.node_inertia[p] * (w[n + p] - w[p]));
      }
      EXPECT_NEAR(change, dot(body.translation[j], impulse), 1e-6 * unit) << j;
    }
  }
}

/// Modes and frame begin anew by their own arguments, each without the other.
TEST(FlexibleChanges, modes_and_frame_are_given_anew_apart) {
  const ModalBody body = test::modes_of({.elements = 4}, {1, 5}, 0);
  const std::vector<int> modes = elastic_modes(body);
  std::string first, second, rates;
  for (std::size_t j = 0; j < modes.size(); ++j)
    first += j == 0 ? "0.001" : ",0", second += j == 0 ? "0.002" : ",0", rates += j == 0 ? "5" : ",0";
  const int id = body.mode_id[modes[0]];
  const std::string deck = fmt::format(
      "FLEX_BODY/2, MNF_FILE=beam.mtx, VX=1, VY=0, VZ=0, WX=0, WY=0, WZ=0, DMODE={}\n"
      "MARKER/20, PART=1\nMARKER/21, FLEX_BODY=2, NODE_ID=1\n"
      "REQUEST/1, F2=Q(2,{})\\F3=QDOT(2,{})\n",
      first, id, id);
  const auto given = [&](const std::string& argument) {
    Folder f;
    f.write("beam.mtx", write_mtx(body));
    const Outcome o = run_job(f, deck,
                              "SIMULATE/DYNAMIC, END=1, STEPS=1\nFLEX_BODY/2, " + argument +
                                  "\nSIMULATE/DYNAMIC, END=1.000000001, STEPS=1\n");
    EXPECT_EQ(o.code, 0) << o.err;
    return std::array{last(f, "FLEX_BODY/2.X"), last(f, "FLEX_BODY/2.VX"), last(f, "REQUEST/1.F2"),
                      last(f, "REQUEST/1.F3")};
  };
  constexpr double little = 1e-5;  // by 1e-9 s of motion
  const auto as_it_was = given("VM=1");
  const auto by_modes = given("DMODE=" + second);
  EXPECT_NEAR(by_modes[0], 1, little);
  EXPECT_NEAR(by_modes[1], 1, little);
  EXPECT_NEAR(by_modes[2], 0.002, little);
  const auto by_rates = given("VMODE=" + rates);
  EXPECT_NEAR(by_rates[0], 1, little);
  EXPECT_NEAR(by_rates[2], as_it_was[2], little);
  EXPECT_NEAR(by_rates[3], 5, 1e-3);  // less what 1e-9 s of an acceleration of 2 ζ ω 5 takes, ω up to 1e5/s
  EXPECT_LT(std::abs(as_it_was[3]), 1);
  const auto by_frame = given("QG=5,0,0");
  EXPECT_NEAR(by_frame[0], 5, little);
  EXPECT_NEAR(by_frame[2], as_it_was[2], little);
}

/// Forces that requests and sensors read, whatever modal coordinates are read behind them.
TEST(FlexibleChanges, requests_and_sensors_read_the_same_in_any_order) {
  const ModalBody body = test::modes_of({.elements = 4}, {1, 5}, 0);
  const int id = body.mode_id[elastic_modes(body)[0]];
  const std::string forces =
      "REQUEST/{}, F2=FX(21,1)\\F3=FY(21,1)\\F4=FZ(21,1)\\F6=TX(21,1)\\F7=TY(21,1)\\F8=TZ(21,1)\n";
  const std::string deck =
      "ACCGRAV/JGRAV=-10\nFLEX_BODY/2, MNF_FILE=beam.mtx\nMARKER/21, FLEX_BODY=2, NODE_ID=1\nJOINT/1, FIXED, "
      "I=21, J=1\n" +
      fmt::format(fmt::runtime(forces), 1) + fmt::format("REQUEST/2, F2=Q(2,{})\n", id) +
      fmt::format(fmt::runtime(forces), 3) +
      fmt::format(
          "SENSOR/1, FUNCTION=FY(21,1), GE, VALUE=40, ERROR=1E-3, HALT\nSENSOR/2, FUNCTION=QDDOT(2,{}), GE, "
          "VALUE=1E30, ERROR=1, HALT\n",
          id);
  Folder f;
  f.write("beam.mtx", write_mtx(body));
  const Outcome o = run_job(f, deck, "SIMULATE/STATIC\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const char* const channels[] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
  for (int k = 0; k < 6; ++k) {
    const double joint = last(f, std::string("JOINT/1.") + channels[k]);
    for (const int request : {1, 3})
      EXPECT_EQ(last(f, fmt::format("REQUEST/{}.F{}", request, k < 3 ? 2 + k : 3 + k)), joint) << channels[k];
  }
  EXPECT_GT(std::abs(last(f, "JOINT/1.FY")), 10);
  Folder halted;
  halted.write("beam.mtx", write_mtx(body));
  const Outcome ended = run_job(halted, deck, "SIMULATE/DYNAMIC, END=1, STEPS=10\n");
  EXPECT_LT(last(halted, "TIME"), 0.1) << ended.out;  // it swings beyond its static 31 N
}

/// Rates that VMODE does not give are 0 where the constraints allow: here the beam can turn as a whole.
TEST(FlexibleChanges, modal_rates_that_are_not_given_are_zero) {
  const ModalBody body = test::modes_of({.elements = 4}, {1, 5}, 0);
  const int modes = static_cast<int>(elastic_modes(body).size());
  std::string zeros = "0";
  for (int j = 1; j < modes; ++j) zeros += ",0";
  double rates[2];
  for (const bool given : {false, true}) {
    Folder f;
    f.write("beam.mtx", write_mtx(body));
    const Outcome o = run_job(f,
                              "FLEX_BODY/2, MNF_FILE=beam.mtx" + (given ? ", VMODE=" + zeros : "") +
                                  "\nMARKER/21, FLEX_BODY=2, NODE_ID=1\nMARKER/25, FLEX_BODY=2, "
                                  "NODE_ID=5\nJOINT/1, REVOLUTE, I=21, J=1\n"
                                  "PART/3, MASS=1, CM=31, IP=1,1,1, QG=1,0,0, VY=1\nMARKER/31, "
                                  "PART=3\nJOINT/2, SPHERICAL, I=25, J=31\n"
                                  "REQUEST/1, F2=WZ(21)\\F3=WZ(25)\n",
                              "SIMULATE/DYNAMIC, END=1E-9, STEPS=1\n");
    ASSERT_EQ(o.code, 0) << o.err;
    rates[given] = f.channel("job.nc", "REQUEST/1.F3").front();
    EXPECT_NEAR(f.channel("job.nc", "REQUEST/1.F2").front(), 1, 5e-4);
    EXPECT_NEAR(rates[given], 1, 5e-4);  // 0 with W = 1e5 of eight modes, beside parts with 1
  }
}

TEST(FlexibleChanges, nine_invariants_and_splines_of_damping) {
  const ModalBody body = test::modes_of({.elements = 4}, {1, 5}, 0);
  Folder f;
  f.write("beam.mtx", write_mtx(body));
  const Outcome few = run_job(f, "FLEX_BODY/2, MNF_FILE=beam.mtx, INVARIANTS=T:T:T\n",
                              "SIMULATE/DYNAMIC, END=1E-3, STEPS=1\n");
  EXPECT_EQ(few.code, 3);
  EXPECT_NE(few.err.find("INVARIANTS takes 9 values, found 3"), std::string::npos) << few.err;
  // A constant damping by a spline is that by a number.
  std::vector<double> x[2];
  for (const bool spline : {false, true}) {
    const Outcome o = run_job(f,
                              std::string("FLEX_BODY/2, MNF_FILE=beam.mtx, CRATIO=") +
                                  (spline ? "AKISPL(FXFREQ,0,1,0)" : "0.25") +
                                  "\nMARKER/21, FLEX_BODY=2, NODE_ID=1\nMARKER/25, FLEX_BODY=2, "
                                  "NODE_ID=5\nJOINT/1, FIXED, I=21, J=1\n"
                                  "SPLINE/1, X=0,1,2,3,1E9, "
                                  "Y=0.25,0.25,0.25,0.25,0.25\nACCGRAV/JGRAV=-10\nREQUEST/1, F2=DY(25,1)\n",
                              "SIMULATE/DYNAMIC, END=1E-2, STEPS=10\n");
    ASSERT_EQ(o.code, 0) << o.err;
    x[spline] = f.channel("job.nc", "REQUEST/1.F2");
  }
  for (std::size_t k = 0; k < x[0].size(); ++k) EXPECT_NEAR(x[1][k], x[0][k], 1e-9) << k;
}

}  // namespace
}  // namespace flexible_changes_test
