// Parts in a plane against the same parts in space: equal motions and reactions, in all analyses and methods.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::planar_test {
namespace {

using namespace test;

const std::string head =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/IGRAV=1, JGRAV=-9, KGRAV=-2\n"
    "PART/1, GROUND\n";

/// The planes that are tried: that of ground, and one off the origin that no axis of ground lies in.
struct Plane {
  Vec3d origin;
  Mat3d axes;
};
const Plane planes[] = {{{}, Mat3d::identity()}, {{0.3, -0.2, 0.5}, exponential({0.7, 0.4, -0.9})}};

/// A mechanism in a plane or, of the same statements, in space, where its joints have no redundant equations.
class Mechanism {
 public:
  Mechanism(const Plane& plane, bool planar) : plane_(plane), planar_(planar) {
    text_ = head + marker(10, "PART=1", plane.origin, plane.axes);
  }
  /// A bar of 0.1 kg a metre and more between two points of the plane: markers 10 id (middle), 10 id + 1 and
  /// 10 id + 2 (ends), z along the normal; z of 10 id + 3, in the middle, is along the bar.
  void bar(int id, const Vec3d& from, const Vec3d& to, const std::string& more = "") {
    const Vec3d way = to - from;
    const double length = norm(way);
    text_ += fmt::format(
        "PART/{0}{1}, MASS={2:.17g}, CM={0}0\n, IP=1E-3, {3:.17g}, {3:.17g}\n, QG={4}\n, REULER={5}{6}\n", id,
        planar_ ? ", PLANAR, PLANE=10" : "", 0.1 + 0.5 * length, 0.04 * length * length, list(place(from)),
        euler(plane_.axes * rotation_z(std::atan2(way.y, way.x))), more);
    const std::string owner = fmt::format("PART={}", id);
    text_ += marker(10 * id, owner, {length / 2, 0, 0}, Mat3d::identity());
    text_ += marker(10 * id + 1, owner, {}, Mat3d::identity());
    text_ += marker(10 * id + 2, owner, {length, 0, 0}, Mat3d::identity());
    text_ += marker(10 * id + 3, owner, {length / 2, 0, 0},
                    rotation_z(std::acos(0.0)) * rotation_x(std::acos(0.0)));
  }
  void ground_marker(int id, const Vec3d& at, const Mat3d& axes = Mat3d::identity()) {
    text_ += marker(id, "PART=1", place(at), plane_.axes * axes);
  }
  void add(const std::string& text) { text_ += text + "\n"; }
  /// A joint, of one type in the plane and of another, without equations too many, in space.
  void joint(int id, const char* in_plane, const char* in_space, int I, int J) {
    text_ += fmt::format("JOINT/{}, {}, I={}, J={}\n", id, planar_ ? in_plane : in_space, I, J);
  }
  std::string deck(const std::string& integrator) const { return text_ + integrator + "\nEND\n"; }

 private:
  Vec3d place(const Vec3d& p) const { return plane_.origin + plane_.axes * p; }
  Plane plane_;
  bool planar_;
  std::string text_;
};

/// Three links in a row, the middle one not hinged at the ends of others but on a bar, with a spring.
Mechanism chain(const Plane& plane, bool planar) {
  Mechanism m(plane, planar);
  m.bar(2, {0, 0, 0}, {0.3, 0.1, 0});
  m.bar(3, {0.3, 0.1, 0}, {0.5, -0.1, 0});
  m.bar(4, {0.5, -0.1, 0}, {0.9, 0, 0});
  m.joint(1, "REVOLUTE", "REVOLUTE", 21, 10);
  m.joint(2, "REVOLUTE", "REVOLUTE", 31, 22);
  m.joint(3, "REVOLUTE", "REVOLUTE", 41, 32);
  m.add("SPRINGDAMPER/1, TRANSLATION, I=42, J=21, K=8, C=0.2, LENGTH=0.5");
  m.add("SFORCE/1, ROTATION, I=40, J=30, FUNCTION=-0.1*AZ(40,30)-0.01*WZ(40,30)");
  return m;
}

/// A crank that turns, a rod, and a slide along x; in space the rod has a ball and a cylinder less.
Mechanism slider_crank(const Plane& plane, bool planar, const char* motion) {
  Mechanism m(plane, planar);
  m.bar(2, {0, 0, 0}, {0.06, 0.08, 0});
  m.bar(3, {0.06, 0.08, 0}, {0.36, 0, 0});
  m.bar(4, {0.36, 0, 0}, {0.46, 0, 0});
  m.ground_marker(12, {0.3, 0, 0}, rotation_z(std::acos(0.0)) * rotation_x(std::acos(0.0)));
  m.joint(1, "REVOLUTE", "REVOLUTE", 21, 10);
  m.joint(2, "REVOLUTE", "SPHERICAL", 31, 22);
  m.joint(3, "UNIVERSAL", "UNIVERSAL", 32, 44);
  m.add("MARKER/44, PART=4, RM=41, REULER=0,90D,0");
  m.joint(4, "TRANSLATIONAL", "TRANSLATIONAL", 43, 12);
  m.add(motion);
  m.add("SPRINGDAMPER/1, TRANSLATION, I=40, J=12, K=50, C=2, LENGTH=0.1");
  return m;
}

/// A crank-rocker; in space its four axes are parallel, and a ball and a sleeve leave three equations out.
Mechanism four_bar(const Plane& plane, bool planar, const char* motion) {
  Mechanism m(plane, planar);
  const Vec3d crank{0.06, 0.08, 0}, rocker{0.36, 0.25, 0}, bearing{0.4, 0, 0};
  m.bar(2, {0, 0, 0}, crank);
  m.bar(3, crank, rocker);
  m.bar(4, bearing, rocker);
  m.ground_marker(12, bearing);
  m.joint(1, "REVOLUTE", "REVOLUTE", 21, 10);
  m.joint(2, "REVOLUTE", "SPHERICAL", 31, 22);
  m.joint(3, "REVOLUTE", "CYLINDRICAL", 32, 42);
  m.joint(4, "REVOLUTE", "REVOLUTE", 41, 12);
  m.add(motion);
  return m;
}

/// Channels of parts beside each other, as parts of the largest of their kind (X Y Z, ...): the largest
/// difference.
double difference_of_parts(const Recording& a, const Recording& b) {
  double largest = 0;
  const char* const kinds[][3] = {{"X", "Y", "Z"},
                                  {"VX", "VY", "VZ"},
                                  {"WX", "WY", "WZ"},
                                  {"ACCX", "ACCY", "ACCZ"},
                                  {"WDX", "WDY", "WDZ"}};
  for (const auto& kind : kinds) {
    double size = 0, off = 0;
    for (std::size_t k = 0; k < a.values.size(); ++k)
      for (const char* part : {"PART/2", "PART/3", "PART/4"}) {
        const Vec3d x = a.vector(k, part, kind[0], kind[1], kind[2]);
        size = std::max(size, norm(x));
        off = std::max(off, norm(x - b.vector(k, part, kind[0], kind[1], kind[2])));
      }
    largest = std::max(largest, off / size);
  }
  return largest;
}

/// Forces in the plane of the joints, as a part of the largest.
double difference_of_forces(const Recording& a, const Recording& b, const Plane& plane, int joints) {
  double size = 0, off = 0;
  const Vec3d n = plane.axes.column(2);
  for (std::size_t k = 0; k < a.values.size(); ++k)
    for (int j = 1; j <= joints; ++j) {
      const std::string name = fmt::format("JOINT/{}", j);
      const Vec3d f = a.vector(k, name, "FX", "FY", "FZ"), g = b.vector(k, name, "FX", "FY", "FZ");
      size = std::max(size, norm(f));
      off = std::max(off, norm(f - dot(n, f) * n - g));
    }
  return off / size;
}

struct Method {
  const char* integrator;
  double allowed;  ///< of what parts do, and of forces, as a part of the largest
};

void PrintTo(const Method& m, std::ostream* out) {
  *out << m.integrator;
}

class PlanarMethods : public ::testing::TestWithParam<Method> {};

TEST_P(PlanarMethods, move_planar_parts_as_parts_in_space) {
  for (const Plane& plane : planes) {
    std::vector<std::unique_ptr<Recording>> runs;
    for (const bool planar : {false, true}) {
      runs.push_back(std::make_unique<Recording>(
          chain(plane, planar).deck(std::string("INTEGRATOR/") + GetParam().integrator)));
      runs.back()->simulation->run(dynamics_analysis, {1, 50});
    }
    EXPECT_EQ(runs[0]->simulation->model().unknowns(), 3 * 11);
    EXPECT_EQ(runs[1]->simulation->model().unknowns(), 3 * 5);
    EXPECT_LT(difference_of_parts(*runs[0], *runs[1]), GetParam().allowed);
    EXPECT_LT(difference_of_forces(*runs[0], *runs[1], plane, 3), GetParam().allowed);
  }
}

/// With steps of one size both models have the same formulas in the same angle, for the third axis of the
/// angles in space is that of the rotation: what is left is the corrector's tolerance, a thousandth of ERROR,
/// by 1/(βh²) = 4e6 in accelerations. Methods that choose their steps keep ERROR in a step, a thousand times
/// that in the motion, and in index 3 lose 1/h of it in accelerations and forces.
INSTANTIATE_TEST_SUITE_P(
    all, PlanarMethods,
    testing::Values(Method{"HHT, ERROR=1E-12, HINIT=1E-3, HMIN=1E-3, HMAX=1E-3", 4e-8},
                    Method{"NEWMARK, ERROR=1E-12, HINIT=1E-3, HMIN=1E-3, HMAX=1E-3", 4e-8},
                    Method{"GSTIFF, ERROR=1E-9", 1e-3}, Method{"GSTIFF, SI2, ERROR=1E-8", 1e-5},
                    Method{"GSTIFF, SI1, ERROR=1E-8", 1e-5}, Method{"WSTIFF, SI2, ERROR=1E-8", 1e-5},
                    Method{"RADAU, ERROR=1E-8", 1e-5}, Method{"ABAM, ERROR=1E-8", 1e-5},
                    Method{"RKF45, ERROR=1E-8", 1e-5}));

/// Kinematics: no integration, so that what is left is the rounding of positions to 1e-13, by two
/// derivatives.
TEST(Planar, kinematics_of_linkages_are_those_in_space) {
  const char* motion = "MOTION/1, JOINT=1, FUNCTION=0.92729521800161219+4*TIME+0.3*SIN(7*TIME)";
  for (const auto& linkage : {slider_crank, four_bar})
    for (const Plane& plane : planes) {
      std::vector<std::unique_ptr<Recording>> runs;
      for (const bool planar : {false, true}) {
        runs.push_back(std::make_unique<Recording>(
            linkage(plane, planar, motion).deck("KINEMATICS/ERROR=1E-12\nIC/ERROR=1E-12")));
        runs.back()->simulation->run(kinematics_analysis, {2, 100});
      }
      EXPECT_EQ(runs[1]->simulation->model().unknowns(), 9 + 9);
      EXPECT_LT(difference_of_parts(*runs[0], *runs[1]), 1e-12);
      EXPECT_LT(difference_of_forces(*runs[0], *runs[1], plane, 4), 1e-12);
      const InitialReport& report = runs[1]->simulation->initialize();
      EXPECT_TRUE(report.redundant.empty());
      EXPECT_EQ(report.degrees_of_freedom, 0);
    }
}

/// Equilibria are solved to 1e-10 and better of the forces.
TEST(Planar, equilibrium_of_a_chain_is_that_in_space) {
  for (const char* method : {"", "EQUILIBRIUM/METHOD=FUNNEL"})
    for (const Plane& plane : planes) {
      std::vector<std::unique_ptr<Recording>> runs;
      for (const bool planar : {false, true}) {
        runs.push_back(std::make_unique<Recording>(chain(plane, planar).deck(method)));
        runs.back()->simulation->run(statics_analysis);
      }
      Recording &space = *runs[0], &flat = *runs[1];
      const std::size_t last = space.values.size() - 1, flat_last = flat.values.size() - 1;
      for (const char* part : {"PART/2", "PART/3", "PART/4"})
        EXPECT_LT(norm(space.vector(last, part, "X", "Y", "Z") - flat.vector(flat_last, part, "X", "Y", "Z")),
                  1e-7);
    }
}

/// A crank in an inclined plane drives a slide in space by a rod on balls, which may spin about its length.
TEST(Planar, parts_drive_others_in_space) {
  const Mat3d axes = exponential({0.7, 0.4, -0.9});
  std::vector<std::unique_ptr<Recording>> runs;
  for (const bool planar : {false, true}) {
    Mechanism m({{}, axes}, planar);
    m.bar(2, {0, 0, 0}, {0.06, 0.08, 0}, ", WZ=5");
    const Vec3d from = axes * Vec3d{0.06, 0.08, 0}, to{0.3, 0.4, 0.5};
    const double length = norm(to - from);
    const Vec3d x = (1 / length) * (to - from), some = cross(x, Vec3d{0, 0, 1}), y = (1 / norm(some)) * some;
    m.add(fmt::format("PART/3, MASS=0.5, CM=30, IP=1E-2, 2E-2, 2E-2, QG={}\n, REULER={}", list(from),
                      euler(Mat3d::from_columns(x, y, cross(x, y)))));
    m.add(fmt::format(
        "MARKER/30, PART=3, QP={:.17g}, 0, 0\nMARKER/31, PART=3\nMARKER/32, PART=3, QP={:.17g}, 0, 0",
        0.5 * length, length));
    m.add(fmt::format(
        "PART/4, MASS=0.6, CM=40, IP=2E-2, 2E-2, 2E-2\n, QG={}\nMARKER/40, PART=4\nMARKER/14, PART=1, "
        "QP={}, REULER=0.2, 0.3, 0\nMARKER/41, PART=4, REULER=0.2, 0.3, 0",
        list(to), list(to)));
    m.add(
        "JOINT/1, REVOLUTE, I=21, J=10\nJOINT/2, SPHERICAL, I=31, J=22\nJOINT/3, SPHERICAL, I=32, "
        "J=40\nJOINT/4, "
        "TRANSLATIONAL, I=41, J=14");
    m.add(
        "SPRINGDAMPER/1, TRANSLATION, I=40, J=10, K=50, C=1, LENGTH=0.6\nBUSHING/1, I=22, J=30, K=1, 2, 3, "
        "C=0.1, "
        "0.1, 0.1, KT=0, 0, 0, CT=0, 0, 0");
    runs.push_back(
        std::make_unique<Recording>(m.deck("INTEGRATOR/HHT, ERROR=1E-12, HINIT=1E-3, HMIN=1E-3, HMAX=1E-3")));
    runs.back()->simulation->run(dynamics_analysis, {0.5, 50});
  }
  const InitialReport& report = runs[1]->simulation->initialize();
  EXPECT_TRUE(report.redundant.empty());
  EXPECT_EQ(report.degrees_of_freedom, runs[0]->simulation->initialize().degrees_of_freedom);
  EXPECT_EQ(runs[1]->simulation->model().coordinates, 3 + 6 + 6);
  // The same formulas but for the basis of the angles of the rod, which is changed at other times: 1e-12 of a
  // step's error, by a thousand steps and 1/(βh²).
  EXPECT_LT(difference_of_parts(*runs[0], *runs[1]), 1e-6);
  // The ball between crank and rod carries what holds the rod in space; of the crank's bearing the plane
  // does.
  double size = 0, off = 0;
  for (std::size_t k = 0; k < runs[0]->values.size(); ++k) {
    const Vec3d f = runs[0]->vector(k, "JOINT/2", "FX", "FY", "FZ");
    size = std::max(size, norm(f));
    off = std::max(off, norm(f - runs[1]->vector(k, "JOINT/2", "FX", "FY", "FZ")));
  }
  EXPECT_LT(off, 1e-6 * size);
}

/// Two bars given apart: where assembly puts the first, along the axes of the plane, and by which angle. The
/// least corrections of parts in space that lie in a plane are those in the plane.
TEST(Planar, exact_coordinates_are_along_the_plane) {
  for (const char* exact : {"", ", EXACT=X", ", EXACT=X:Y", ", EXACT=PSI"}) {
    std::vector<Vec3d> places;
    for (const auto& [plane, planar] : {std::pair{planes[0], false}, {planes[0], true}, {planes[1], true}}) {
      Mechanism m(plane, planar);
      m.bar(2, {0.1, 0.2, 0}, {0.4, 0.6, 0}, exact);
      m.bar(3, {0.5, 0.6, 0}, {0.9, 0.6, 0});
      m.ground_marker(14, {0, 0.7, 0}, rotation_z(std::acos(0.0)) * rotation_x(std::acos(0.0)));
      m.add("JOINT/1, REVOLUTE, I=31, J=22\nJPRIM/2, INLINE, I=32, J=14");
      Recording r(m.deck(""));
      r.simulation->initialize();
      const BodyKinematics& k = r.simulation->assembler().kinematics().body(0);
      const Vec3d x = transpose_times(plane.axes, k.A.column(0)),
                  at = transpose_times(plane.axes,
                                       k.x + k.A * r.simulation->model().bodies[0].bcs - plane.origin);
      places.push_back({at.x, at.y, std::atan2(x.y, x.x)});
    }
    // Rounding by the weight of an exact coordinate, 1e10 of that of others.
    EXPECT_LT(norm(places[1] - places[0]), 1e-6) << exact;
    EXPECT_LT(norm(places[2] - places[0]), 1e-6) << exact;
    EXPECT_GT(norm(places[0] - Vec3d{0.1, 0.2, std::atan2(4, 3)}), 1e-3) << exact;
    if (std::string(exact) == ", EXACT=PSI") {
      EXPECT_NEAR(places[0].z, std::atan2(4, 3), 1e-9);
    }
  }
}

}  // namespace
}  // namespace trammel::planar_test
