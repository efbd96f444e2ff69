// Contacts of many bodies and contacts without closed form on a device: which shapes are near, the equations,
// and whole simulations.
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "../assemble/pile.h"
#include "../support/each_device.h"
#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "assemble/device_assembler.h"

namespace trammel::contact_test {
namespace {

using namespace test;

class DeviceContactTest : public DeviceTest {
 protected:
  bool bits() const { return std::string(GetParam().backend) == "host"; }
};

// ---- what is near

struct Cloud {
  std::vector<BoundingBall> balls;
  std::vector<ShapeOfGroup> shapes;
};

/// Balls in a box that grows with their number, a few neighbours each; sizes over `octaves` powers of two,
/// some in the same place, every `endless`-th without end; of three groups, two to a body, some of I or J
/// alone.
Cloud cloud_of(int count, double octaves, int endless) {
  Random random(11);
  Cloud out;
  const double side = std::cbrt(count);
  for (int k = 0; k < count; ++k) {
    const double size = 0.6 * std::pow(2.0, -octaves * random.uniform(0, 1));
    const Vec3d place{random.uniform(0, side), random.uniform(0, side), random.uniform(0, side)};
    out.balls.push_back({k % 10 == 3 && k > 10 ? out.balls[k / 2].center : place,
                         endless > 0 && k % endless == 5 ? HUGE_VAL : size});
    out.shapes.push_back({out.balls.back().radius, k % 7 == 0 ? 1 : 0, k / 2, k % 3 > 0, k % 3 < 2});
  }
  return out;
}

Neighbours by_tree(const Cloud& cloud) {
  return near_balls(cloud.balls, [&](int a, int b) { return may_touch(cloud.shapes[a], cloud.shapes[b]); });
}

void expect_the_same(const Neighbours& there, const Neighbours& here) {
  EXPECT_EQ(there.start, here.start);
  EXPECT_EQ(there.other, here.other);
  EXPECT_EQ(there.pair, here.pair);
}

/// The tree on the processor finds the same pairs with the same numbers; of few, all are tried.
TEST_P(DeviceContactTest, finds_what_is_near) {
  for (const int count : {0, 1, 2, 100, 1000, 10'000, 100'000})
    for (const double octaves : {0.0, 10.0}) {
      if (count == 100'000 && (octaves == 0 || GetParam().index > 0)) continue;  // seconds each
      SCOPED_TRACE(fmt::format("{} balls of {} octaves", count, octaves));
      const Cloud cloud = cloud_of(count, octaves, count < 10'000 ? 97 : count / 3);
      DeviceNearBalls search(device(), cloud.shapes);
      DeviceNeighbours lists;
      const Neighbours there = search.find(cloud.balls, lists, nullptr);
      expect_the_same(there, by_tree(cloud));
      EXPECT_GE(there.size(), count < 1000 ? 0 : static_cast<std::size_t>(count) / 4);
      if (HasFailure() || count > 1000) continue;
      std::set<std::pair<int, int>> pairs;
      for (int a = 0; a < count; ++a)
        for (const int b : there.of(a)) pairs.insert({a, b});
      for (int a = 0; a < count; ++a)
        for (int b = 0; b < count; ++b) {
          const BoundingBall &p = cloud.balls[a], &q = cloud.balls[b];
          const bool near = a != b && may_touch(cloud.shapes[a], cloud.shapes[b]) &&
                            norm(p.center - q.center) <= p.radius + q.radius;
          EXPECT_EQ(pairs.contains({a, b}), near) << a << " " << b;
        }
    }
}

/// The rooms of one search serve the next, which may be smaller or larger.
TEST_P(DeviceContactTest, searches_again_in_the_same_rooms) {
  Cloud cloud = cloud_of(900, 3, 50);
  DeviceNearBalls search(device(), cloud.shapes);
  DeviceNeighbours lists;
  for (const double closer : {1.0, 0.5, 2.0, 0.3}) {
    for (BoundingBall& b : cloud.balls) b.center = closer * b.center;
    expect_the_same(search.find(cloud.balls, lists, nullptr), by_tree(cloud));
  }
}

/// Far from the origin, and wide apart: cells count from the first ball, and beyond the last one share it.
TEST_P(DeviceContactTest, finds_what_is_near_anywhere) {
  for (const double stretch : {1.0, 1e7}) {
    Cloud cloud = cloud_of(300, 2, 0);
    for (std::size_t k = 0; k < cloud.balls.size(); ++k) {
      Vec3d& c = cloud.balls[k].center;
      c.x = k % 3 == 0 ? stretch * c.x : c.x;
      c += Vec3d{3e6, -4e6, 5e6};
    }
    DeviceNearBalls search(device(), cloud.shapes);
    DeviceNeighbours lists;
    expect_the_same(search.find(cloud.balls, lists, nullptr), by_tree(cloud));
  }
}

/// A thousand and ten thousand balls side by side: what is looked at for a ball stays the same but for the
/// share of those at the walls. (Sorting is n log n by itself.)
TEST_P(DeviceContactTest, looks_grow_with_the_number_of_balls) {
  const auto looks_for_each = [&](int side) {
    Cloud cloud;
    for (int k = 0; k < side * side * side; ++k)
      cloud.balls.push_back({{1.0 * (k % side), 1.0 * (k / side % side), 1.0 * (k / side / side)}, 0.6});
    cloud.balls.push_back({{0, 0, -1}, HUGE_VAL});
    for (int k = 0; k < static_cast<int>(cloud.balls.size()); ++k)
      cloud.shapes.push_back({cloud.balls[k].radius, 0, k, true, true});
    DeviceNearBalls search(device(), cloud.shapes);
    DeviceNeighbours lists;
    long looks = 0;
    search.find(cloud.balls, lists, &looks);
    return static_cast<double>(looks) / static_cast<double>(cloud.balls.size());
  };
  const double few = looks_for_each(10);
  EXPECT_LT(looks_for_each(22), 1.5 * few);
  EXPECT_LT(few, 110);  // half of those in 27 cells of eight; all would be 500
}

// ---- equations

struct Equations {
  std::vector<double> residual, tangent;
};

Equations here(Assembler& assembler, const Model& model, const State& state, const Coefficients& c) {
  assembler.evaluate_equations(state, in_dynamics);
  Equations out{std::vector<double>(model.unknowns()), std::vector<double>(assembler.pattern().nonzeros())};
  assembler.residual(state, c, out.residual);
  assembler.tangent(state, c, out.tangent);
  return out;
}

/// Residual and tangent of a device, after an evaluation that stands.
Equations of_device(DeviceAssembler& assembler, const Model& model, const Assembler& host) {
  Device& device = assembler.device();
  DeviceArray<double> residual(device, model.unknowns());
  assembler.residual(residual.data());
  assembler.tangent();
  Equations out{std::vector<double>(model.unknowns()), std::vector<double>(host.pattern().nonzeros())};
  residual.download(out.residual);
  device.download(out.tangent.data(), assembler.values(), out.tangent.size() * sizeof(double));
  return out;
}

/// Evaluates until it stands; which reasons there were that it did not.
std::vector<Standing> evaluate_there(DeviceAssembler& assembler, const State& state, const Coefficients& c) {
  std::vector<Standing> reasons;
  assembler.upload(state);
  assembler.set_point({state.t, 4, c});
  DeviceAssembler::until_it_stands([&] {
    assembler.evaluate_equations();
    const Standing standing = assembler.check();
    if (standing != Standing::stands) reasons.push_back(standing);
    return standing;
  });
  return reasons;
}

/// Of a pile whose shapes leave their margins from one state to the next: the evaluation that finds this out
/// is told not to stand. The other assembler has never been on a device. Ellipsoids are meshes to each other.
TEST_P(DeviceContactTest, equations_of_groups_are_those_of_the_processor) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    const bool meshes = seed > 2;
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pile pile(random);
    const std::string deck = pile.parts + pile.one_group();
    const Model model =
        compile_text(meshes ? std::regex_replace(deck, std::regex("ZSCALE=[0-9.]+"), "ZSCALE=0.6") : deck);
    EXPECT_EQ(model.solids.empty(), !meshes);
    Assembler alone(model), host(model);
    DeviceAssembler assembler(device(), host, model);
    for (int k = 0; k < 3; ++k) {
      const State state = random_state(model, random);
      const Coefficients c = random_coefficients(random);
      const std::vector<Standing> reasons = evaluate_there(assembler, state, c);
      EXPECT_EQ(std::count(reasons.begin(), reasons.end(), Standing::room_lacked) > 0, meshes && k == 0) << k;
      const long followed = std::count(reasons.begin(), reasons.end(), Standing::list_was_old);
      EXPECT_TRUE(followed == 1 || (k > 0 && followed == 0)) << followed;
      EXPECT_EQ(assembler.check(), Standing::stands);
      alone.evaluate_equations(state, in_dynamics);
      ASSERT_EQ(alone.misses_what_is_near(), host.misses_what_is_near());
      if (alone.misses_what_is_near()) {
        ASSERT_EQ(alone.couple_what_is_near(), host.couple_what_is_near());
        assembler.take_structure();
      }
      ASSERT_EQ(host.pattern().nonzeros(), alone.pattern().nonzeros());
      const Equations expected = here(alone, model, state, c), there = of_device(assembler, model, host);
      expect_same(there.residual, expected.residual, bits());
      expect_same(there.tangent, expected.tangent, bits());
    }
  }
}

/// Two bodies about each other, with solids, and with curves in planes that are none in common.
const std::string two_bodies =
    "PART/1,GROUND\nMARKER/10,PART=1\nMARKER/11,PART=1,REULER=1,1.57,0\n"
    "PART/2,MASS=1.3,CM=20,IP=.3,.4,.5\nMARKER/20,PART=2\n"
    "MARKER/21,PART=2,QP=-2,-1.5,-2.5,REULER=.3,.5,.7\nMARKER/22,PART=2,QP=1,0,0\n"
    "PART/3,MASS=1.1,CM=30,IP=.5,.4,.3,QG=.8,-.6,.9\nMARKER/30,PART=3\n"
    "MARKER/31,PART=3,QP=-2.2,-2.3,-3.1\nMARKER/32,PART=3,QP=-1.8,-0.4,-1.1\nMARKER/"
    "33,PART=3,QP=-2.9,-2.4,-3.9\n"
    "MARKER/34,PART=3,QP=5,0,0\nMARKER/35,PART=3,QP=-3,4,0\nMARKER/36,PART=3,QP=-4,-5,0\n"
    "GRAPHICS/1,PLANE,RM=10\nGRAPHICS/2,EXTRUSION,RM=21,PROFILE_POINTS=0,0,4,0,4,1.5,1.5,1.5,1.5,4,0,4\n"
    ",LENGTH=5\nGRAPHICS/3,BOX,CORNER=31,X=4,Y=5,Z=6\nGRAPHICS/4,ELLIPSOID,CM=30,XSCALE=4,YSCALE=4,ZSCALE=4\n"
    "GRAPHICS/5,TORUS,CM=30,MAJOR=3,MINOR=1.5\n"
    "GRAPHICS/6,REVOLUTION,RM=20,PROFILE_POINTS=0,-1,3,-1,3,2,1,2,1,1,0,1\nGRAPHICS/7,POINT,RM=32\n"
    "GRAPHICS/8,BOX,CORNER=33,X=6,Y=6,Z=6\nGRAPHICS/9,PLANE,RM=11\n"
    "MATRIX/1,FULL,RORDER,ROWS=7,COLUMNS=3,VALUES=4,0,0,2,3,0,-2,2.5,0,-4,0.5,0\n,-2,-3,0,2,-2,0,4,0,0\n"
    "CURVE/1,CLOSED,MATRIX=1,CURVE_POINTS\nGRAPHICS/21,CURVE,CID=1,CRM=20\n"
    "GRAPHICS/22,CIRCLE,CM=22,RADIUS=3\nGRAPHICS/31,CIRCLE,CM=30,RADIUS=4\n"
    "GRAPHICS/32,OUTLINE=34,35,36,34\nGRAPHICS/33,CIRCLE,CM=30,RADIUS=3.5\n";
constexpr const char* impact = ",STIFFNESS=30,EXPONENT=1.6,DAMPING=2,DMAX=.8";
constexpr const char* rubbing =
    ",COULOMB_FRICTION=ON,MU_STATIC=.7,MU_DYNAMIC=.4\n,STICTION_TRANSITION_VELOCITY=1.5"
    ",FRICTION_TRANSITION_VELOCITY=4";

/// Every pair of kinds that is searched for its overlaps, either way around.
TEST_P(DeviceContactTest, equations_of_searches_are_those_of_the_processor) {
  for (const std::string pair : {"IGEOM=2,JGEOM=3",         "IGEOM=3,JGEOM=2",
                                 "IGEOM=2,JGEOM=1",         "IGEOM=1,JGEOM=6",
                                 "IGEOM=2,JGEOM=4",         "IGEOM=4,JGEOM=6",
                                 "IGEOM=7,JGEOM=2",         "IGEOM=6,JGEOM=5",
                                 "IGEOM=2,JGEOM=8,JFLIP=8", "IGEOM=8,JGEOM=6,IFLIP=8",
                                 "IGEOM=2,6,JGEOM=3,4,5,7", "IGEOM=2,JGEOM=3,4,STICTION=ON",
                                 "IGEOM=21,JGEOM=31",       "IGEOM=32,JGEOM=22",
                                 "IGEOM=22,JGEOM=31",       "IGEOM=22,JGEOM=33,JFLIP=33",
                                 "IGEOM=21,JGEOM=9",        "IGEOM=9,JGEOM=32",
                                 "IGEOM=7,JGEOM=21",        "IGEOM=21,22,JGEOM=31,32"}) {
    SCOPED_TRACE(pair);
    const bool sticks = pair.find("STICTION") != std::string::npos;
    const Model model =
        compile_text(two_bodies + "CONTACT/1," + pair + (sticks ? ",MAX_STICTION_DEFORMATION=2\n" : "\n") +
                     impact + rubbing + "\n");
    ASSERT_EQ(DeviceAssembler::refusal(model), "");
    Random random(7);
    Assembler alone(model), host(model);
    DeviceAssembler assembler(device(), host, model);
    std::vector<ContactIncident> incidents;
    std::size_t overlaps = 0;
    for (int k = 0; k < 8; ++k) {
      const State state = random_state(model, random);
      const Coefficients c = random_coefficients(random);
      evaluate_there(assembler, state, c);
      const Equations there = of_device(assembler, model, host), expected = here(alone, model, state, c);
      alone.contact_incidents(state, AnalysisMode::dynamics, incidents);
      overlaps += incidents.size();
      expect_same(there.residual, expected.residual, bits());
      expect_same(there.tangent, expected.tangent, bits());
    }
    EXPECT_GE(overlaps, 4u);
  }
}

/// Rooms are asked for where shapes come to each other, and once they are large enough nothing is repeated.
TEST_P(DeviceContactTest, rooms_of_searches_grow_when_asked) {
  const Model model = compile_text(two_bodies + "CONTACT/1,IGEOM=2,JGEOM=3\n" + impact +
                                   "\nCONTACT/2,IGEOM=21,JGEOM=31\n" + impact + "\n");
  Random random(3);
  Assembler host(model);
  DeviceAssembler assembler(device(), host, model);
  const State state = random_state(model, random);
  State far = state;
  far.q[0] += 1000;
  EXPECT_TRUE(evaluate_there(assembler, far, {}).empty());
  EXPECT_FALSE(evaluate_there(assembler, state, {}).empty());
  EXPECT_TRUE(evaluate_there(assembler, state, {}).empty());
}

TEST_P(DeviceContactTest, launches_do_not_grow_with_groups) {
  Random random(5);
  const Pile pile(random);
  const Model group = compile_text(pile.parts + pile.one_group()), none = compile_text(pile.parts);
  const auto launches = [&](const Model& model, const State& state) {
    Assembler host(model);
    DeviceAssembler assembler(device(), host, model);
    assembler.upload(state);
    const long before = device().counters().launches;
    assembler.evaluate_equations();
    const long evaluated = device().counters().launches;
    assembler.tangent();
    return std::pair(evaluated - before, device().counters().launches - evaluated);
  };
  const State state = random_state(group, random);
  const auto with = launches(group, state), without = launches(none, state);
  EXPECT_EQ(with.first - without.first, 3) << "places of shapes, wrenches of their pairs, their sums";
  EXPECT_LE(with.second - without.second, 2) << "the bodies of the group; values of several entries";
}

// ---- whole simulations

struct Outcome {
  std::vector<double> values;
  std::string messages;
  StepCounters counters;
};

Outcome simulate(const std::string& deck, double end, int steps, std::shared_ptr<Device> device,
                 double fixed_step = 0) {
  DynamicsSettings settings;
  settings.integrator.error = 1e-6;
  if (fixed_step > 0) {
    settings.integrator.hinit = settings.integrator.hmin = settings.integrator.hmax = fixed_step;
    settings.hmax_given = settings.hinit_given = true;
  }
  ComputeSettings compute;
  compute.device = std::move(device);
  Outcome out;
  SessionEvents told;
  told.record = [&](double, StepKind, std::span<const double> values) {
    out.values.insert(out.values.end(), values.begin(), values.end());
  };
  told.message = [&](std::string_view text) { out.messages += text; };
  Session simulation(compile_text(deck), settings, told, compute);
  simulation.run(dynamics_analysis, {end, steps});
  out.counters = simulation.counters();
  return out;
}

constexpr const char* ground = "UNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/1,PART=1\n";
constexpr const char* soft =
    ",STIFFNESS=2E4,EXPONENT=1.5,DAMPING=20,DMAX=1E-3,COULOMB_FRICTION=ON,MU_STATIC=.3\n,MU_DYNAMIC=.25"
    ",STICTION_TRANSITION_VELOCITY=.5,FRICTION_TRANSITION_VELOCITY=1\n";

/// Layers of balls of 0.1 m that fall onto a floor and onto each other, each with a velocity of its own.
std::string heap_of(int balls, int side) {
  Random random(3);
  std::string deck = std::string(ground) + "GRAPHICS/1,PLANE,RM=1\n";
  std::vector<int> ids;
  for (int k = 0; k < balls; ++k) {
    const int id = 10 + k, layer = k / (side * side);
    deck += fmt::format(
        "PART/{0},MASS=.5,CM={0},IP=5E-4,5E-4,5E-4,QG={1:.6f},{2:.6f},{3:.6f},VX={4:.4f},VZ=-2\nMARKER/"
        "{0},PART={0}\n"
        "GRAPHICS/{0},ELLIPSOID,CM={0},XSCALE=.1,YSCALE=.1,ZSCALE=.1\n",
        id, 0.102 * (k % side) + random.uniform(-1e-3, 1e-3),
        0.102 * (k / side % side) + random.uniform(-1e-3, 1e-3), 0.052 + 0.102 * layer,
        random.uniform(-3, 3));
    ids.push_back(id);
  }
  std::string all;
  for (std::size_t k = 0; k < ids.size(); ++k) all += fmt::format("{}{}", k % 16 ? "," : "\n,", ids[k]);
  return deck + "CONTACT/1,IGEOM=" + all.substr(2) + "\n,JGEOM=1" + all + "\n" + soft;
}

/// 48 balls that roll and jump over twelve wheels: 576 CONTACTs, of which those that are near have places in
/// the matrix.
std::string track() {
  std::string deck = ground;
  for (int j = 0; j < 12; ++j)
    deck += fmt::format(
        "PART/{0},MASS=5,CM={0}0,IP=.02,.02,.02,QG={1},0,0\nMARKER/{0}0,PART={0}\n"
        "MARKER/{0}1,PART={0},REULER=0,90D,0\nMARKER/{0}2,PART=1,QP={1},0,0,REULER=0,90D,0\n"
        "JOINT/{0},REVOLUTE,I={0}1,J={0}2\nGRAPHICS/{0},ELLIPSOID,CM={0}0,XSCALE=.2,YSCALE=.2,ZSCALE=.2\n",
        100 + j, 0.25 * j);
  for (int i = 0; i < 48; ++i)
    deck += fmt::format(
        "PART/{0},MASS=.2,CM={0}0,IP=1E-4,1E-4,1E-4,QG={1:.3f},.001,{2:.3f},VX=1\nMARKER/{0}0,PART={0}\n"
        "GRAPHICS/{0},ELLIPSOID,CM={0}0,XSCALE=.08,YSCALE=.08,ZSCALE=.08\n",
        200 + i, 0.09 * i - 0.5, 0.16 + 0.02 * (i % 3));
  int id = 0;
  for (int i = 0; i < 48; ++i)
    for (int j = 0; j < 12; ++j)
      deck += fmt::format("CONTACT/{},IGEOM={},JGEOM={}", ++id, 200 + i, 100 + j) + soft;
  return deck;
}

/// Answers of the linear systems differ by rounding; the couplings, their times and their number do not.
/// Values are as in step_test.cpp: ERROR^(2/3) of accelerations and reactions at most, as long as no decision
/// tips.
void expect_the_same_motion(const Outcome& there, const Outcome& here, double tolerance = 3e-5) {
  ASSERT_EQ(there.values.size(), here.values.size());
  double size = 1;
  for (const double x : here.values) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < here.values.size(); ++k)
    ASSERT_NEAR(there.values[k], here.values[k], tolerance * size) << k;
  EXPECT_NEAR(there.counters.steps, here.counters.steps, 0.02 * double(here.counters.steps) + 1);
}

long lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// In fixed steps, in which the processor does not look ahead either, what is near is the same at all times.
TEST_P(DeviceContactTest, many_contacts_are_coupled_as_they_come_near) {
  const bool whole = GetParam().index == 0;  // threads that wait for each other take long
  const double end = whole ? 0.1 : 0.01;
  const Outcome here = simulate(track(), end, 5, nullptr, 2.5e-4),
                there = simulate(track(), end, 5, shared(), 2.5e-4);
  expect_the_same_motion(there, here);
  EXPECT_NE(here.messages.find("contacts are near: a matrix of"), std::string::npos);
  EXPECT_GE(lines(here.messages), whole ? 2 : 1) << here.messages;
  EXPECT_EQ(there.messages, here.messages);
}

TEST_P(DeviceContactTest, a_heap_falls_as_on_the_processor) {
  const std::string deck = heap_of(GetParam().index > 0 ? 27 : 200, GetParam().index > 0 ? 3 : 6);
  const Outcome here = simulate(deck, 0.015, 3, nullptr, 1e-4),
                there = simulate(deck, 0.015, 3, shared(), 1e-4);
  expect_the_same_motion(there, here);
  EXPECT_NE(here.messages.find("contacts are near: a matrix of"), std::string::npos);
  EXPECT_EQ(there.messages, here.messages);
  EXPECT_GE(lines(here.messages), 2) << here.messages;
}

/// On every device of the processor, whose functions are those of each other.
TEST_P(DeviceContactTest, a_heap_has_the_same_bits_again) {
  const std::string deck = heap_of(27, 3);
  const auto other = bits() ? std::make_shared<Device>(load_backend("host"), 0) : shared();
  EXPECT_EQ(simulate(deck, 0.01, 3, other).values, simulate(deck, 0.01, 3, shared()).values);
}

/// A prism and a ring, which are meshes, and a ball fall onto each other, a wall and a floor; beside them a
/// cam, which is a curve, turns against a plane and a roller.
const std::string tumble =
    std::string(ground) +
    "GRAPHICS/1,PLANE,RM=1\nMARKER/2,PART=1,QP=-.5,-.5,0\nGRAPHICS/2,BOX,CORNER=2,X=1,Y=.52,Z=.1\n"
    "PART/10,MASS=1,CM=10,IP=4E-3,4E-3,4E-3,QG=0,0,.1,VX=.3,VZ=-1,WX=2,WY=1\nMARKER/10,PART=10\n"
    "MARKER/11,PART=10,QP=0,0,-.05\n"
    "GRAPHICS/10,EXTRUSION,RM=11,PROFILE_POINTS=0,0,.1,0,.1,.04,.04,.04,.04,.1,0,.1,LENGTH=.1\n"
    "PART/20,MASS=1,CM=20,IP=4E-3,4E-3,4E-3,QG=.02,.02,.21,WZ=3,VZ=-2\nMARKER/20,PART=20\n"
    "GRAPHICS/20,TORUS,CM=20,MAJOR=.08,MINOR=.05\n"
    "PART/30,MASS=.5,CM=30,IP=1E-3,1E-3,1E-3,QG=0,-.05,.33,VZ=-3\nMARKER/30,PART=30\n"
    "GRAPHICS/30,ELLIPSOID,CM=30,XSCALE=.1,YSCALE=.1,ZSCALE=.1\n"
    "CONTACT/1,IGEOM=10,JGEOM=1,2" +
    soft + "CONTACT/2,IGEOM=20,JGEOM=10" + soft + "CONTACT/3,IGEOM=30,JGEOM=10,20,2" + soft +
    "PART/40,MASS=1,CM=40,IP=.01,.01,.01,QG=3,0,0,WZ=20\nMARKER/40,PART=40\nMARKER/41,PART=1,QP=3,0,0\n"
    "JOINT/1,REVOLUTE,I=40,J=41\n"
    "MATRIX/"
    "1,FULL,RORDER,ROWS=7,COLUMNS=3,VALUES=.4,0,0,.2,.3,0,-.2,.25,0,-.4,.05,0,-.2,-.3,0,.2,-.2,0,.4,0,0\n"
    "CURVE/1,CLOSED,MATRIX=1,CURVE_POINTS\nGRAPHICS/40,CURVE,CID=1,CRM=40\n"
    "PART/50,MASS=.5,CM=50,IP=1E-3,1E-3,1E-3,QG=3.5,0,0\nMARKER/50,PART=50\n"
    "MARKER/51,PART=50,REULER=90D,90D,0\nMARKER/52,PART=1,QP=3,0,0,REULER=90D,90D,0\n"
    "JOINT/2,TRANSLATIONAL,I=51,J=52\nGRAPHICS/50,CIRCLE,CM=50,RADIUS=.12\n"
    "PART/60,MASS=.5,CM=60,IP=1E-3,1E-3,1E-3,QG=3,.33,0,VY=-1\nMARKER/60,PART=60\n"
    "MARKER/61,PART=60,REULER=0,90D,0\nMARKER/62,PART=1,QP=3,0,0,REULER=0,90D,0\n"
    "JOINT/3,TRANSLATIONAL,I=61,J=62\nGRAPHICS/60,PLANE,RM=61\n"
    "CONTACT/4,IGEOM=50,JGEOM=40" +
    soft + "CONTACT/5,IGEOM=40,JGEOM=60" + soft;

TEST_P(DeviceContactTest, searched_shapes_move_as_on_the_processor) {
  const double end = GetParam().index == 0 ? 0.1 : 0.01;
  const Outcome here = simulate(tumble, end, 5, nullptr, 2.5e-4),
                there = simulate(tumble, end, 5, shared(), 2.5e-4);
  // A decision tips in it, on the processor between its solvers, too: an iteration more or less. The
  // corrector leaves a thousandth of ERROR in positions, which over βh² is 0.06 of accelerations, of which
  // the largest is 750.
  expect_the_same_motion(there, here, 3e-4);
  EXPECT_EQ(there.messages, here.messages);
}

/// A heap of ellipsoids, each pair of which is searched as meshes.
TEST_P(DeviceContactTest, a_heap_of_meshes_falls_as_on_the_processor) {
  const std::string deck = std::regex_replace(heap_of(12, 2), std::regex("ZSCALE=.1"), "ZSCALE=.09");
  const double end = GetParam().index == 0 ? 0.015 : 0.003;
  const Outcome here = simulate(deck, end, 3, nullptr, 1e-4), there = simulate(deck, end, 3, shared(), 1e-4);
  expect_the_same_motion(there, here);
  EXPECT_EQ(there.messages, here.messages);
}

TRAMMEL_EVERY_DEVICE(DeviceContactTest);

}  // namespace
}  // namespace trammel::contact_test
