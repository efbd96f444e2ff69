// A random mechanism in one inclined plane, and what joints its axes allow.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "deck.h"

namespace trammel::test {

/// Of a marker of planar_bodies(), axes in those of the plane: `frame` after any turn about the normal.
inline std::string planar_marker(int id, const std::string& owner, const Mat3d& plane, const Vec3d& place,
                                 double angle, const Mat3d& frame) {
  return marker(id, owner, plane * place, plane * rotation_z(angle) * frame);
}

/// Ground (PART/1) and parts 2, 3, 4 that are PLANAR in one plane, which is inclined and off the origin.
/// Markers of part p, all at one height: p1 is the centre of mass; p2, p3 have z normal to the plane; p4, p5
/// have z in the plane, with x turned out of it about z alike; p6 has axes in no special direction, alike but
/// for turns about the normal. p7 has z in the plane and x along the normal. p9 floats.
inline std::string planar_bodies(Random& random) {
  const Mat3d plane = random.rotation();
  const Vec3d origin = random.vector(1);
  const Mat3d into_plane = rotation_x(std::acos(0.0)), skew = random.rotation();
  std::string deck = "UNITS/UCF=1\nACCGRAV/IGRAV=0.3, JGRAV=-0.5, KGRAV=0.2\nPART/1, GROUND\n";
  deck += marker(10, "PART = 1", origin, plane);
  for (int part = 1; part <= 4; ++part) {
    const bool ground = part == 1;
    const std::string owner = fmt::format("PART = {}", part);
    const Mat3d frame = ground ? plane : Mat3d::identity();
    const double turned = random.uniform(-3, 3);
    if (!ground) {
      deck +=
          fmt::format("PART/{0}, PLANAR, PLANE = 10\n, MASS = {1:.17g}, CM = {0}1, IP = 1, 1.2, {2:.17g}\n",
                      part, random.uniform(0.5, 2), random.uniform(0.3, 1));
      deck += fmt::format(", QG = {}\n, REULER = {}\n",
                          list(origin + plane * Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), 0}),
                          euler(plane * rotation_z(turned)));
      deck += marker(10 * part + 1, owner, {random.uniform(-1, 1), random.uniform(-1, 1), 0},
                     exponential(random.vector(1)));
    }
    const Mat3d axes[] = {{},
                          {},
                          Mat3d::identity(),
                          Mat3d::identity(),
                          into_plane * rotation_z(0.4),
                          into_plane * rotation_z(0.4),
                          skew,
                          into_plane * rotation_z(std::acos(0.0))};
    for (int k = 2; k <= 7; ++k) {
      Vec3d place{random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7), 0};
      if (ground) place = transpose_times(plane, origin) + place;
      deck += planar_marker(10 * part + k, owner, frame, place,
                            random.uniform(-0.4, 0.4) - (ground ? 0 : turned), axes[k]);
    }
    deck += fmt::format("MARKER/{0}9, PART = {0}, FLOATING\n", part);
  }
  return deck;
}

/// (name, deck) of constraints that move in the plane, alone and with their reactions read.
inline std::vector<std::pair<std::string, std::string>> planar_decks() {
  std::vector<std::pair<std::string, std::string>> list;
  const struct {
    const char *statement, *type;
    int I, J;  ///< which of the markers p2 to p7 of its parts
  } joints[] = {{"JOINT", "REVOLUTE", 2, 3},
                {"JOINT", "TRANSLATIONAL", 4, 5},
                {"JOINT", "CYLINDRICAL", 2, 3},
                {"JOINT", "CYLINDRICAL", 4, 5},
                {"JOINT", "SPHERICAL", 6, 6},
                {"JOINT", "UNIVERSAL", 4, 5},
                {"JOINT", "UNIVERSAL", 2, 5},
                {"JOINT", "HOOKE", 7, 7},
                {"JOINT", "CONVEL", 2, 3},
                {"JOINT", "CONVEL", 4, 5},
                {"JOINT", "PLANAR", 2, 3},
                {"JOINT", "PLANAR", 4, 5},
                {"JOINT", "FIXED", 6, 6},
                {"JOINT", "FIXED", 2, 3},
                {"JOINT", "RACKPIN, PD = 0.7", 2, 4},
                {"JOINT", "SCREW, PITCH = 0.4", 4, 5},
                {"JPRIM", "ATPOINT", 6, 4},
                {"JPRIM", "INLINE", 2, 3},
                {"JPRIM", "INLINE", 6, 4},
                {"JPRIM", "INPLANE", 2, 3},
                {"JPRIM", "INPLANE", 2, 5},
                {"JPRIM", "INPLANE", 2, 6},
                {"JPRIM", "ORIENTATION", 6, 6},
                {"JPRIM", "PARALLEL_AXES", 4, 5},
                {"JPRIM", "PARALLEL_AXES", 2, 3},
                {"JPRIM", "PERPENDICULAR", 4, 5}};
  int number = 0;
  for (const auto& j : joints) {
    const std::string type(j.type);
    const std::string name = fmt::format("{}_{}_{}", j.statement, type.substr(0, type.find(',')), ++number);
    for (const auto& [I, J, where] : {std::tuple{20 + j.I, 30 + j.J, ""},
                                      {20 + j.I, 10 + j.J, "_to_ground"},
                                      {10 + j.I, 20 + j.J, "_from_ground"}}) {
      const std::string joint = fmt::format("{}/1, {}, I = {}, J = {}\n", j.statement, type, I, J);
      list.emplace_back(name + where, joint);
      list.emplace_back(
          name + where + "_read",
          joint + fmt::format("VARIABLE/1, FUNCTION = {0}(1,0,2,22)*DX(42,12)+{0}(1,1,7,0)\n", j.statement));
    }
  }
  list.emplace_back("MOTION",
                    "JOINT/1, REVOLUTE, I = 22, J = 33\nJOINT/2, TRANSLATIONAL, I = 44, J = 15\nMOTION/1, "
                    "JOINT = 1, VELOCITY, FUNCTION = 0.2+TIME\nMOTION/2, JOINT = 2, FUNCTION = SIN(TIME)\n"
                    "VARIABLE/1, FUNCTION = MOTION(2,0,2,22)*MOTION(1,1,8,0)\n");
  list.emplace_back("JOINT_initial_values",
                    "JOINT/1, REVOLUTE, I = 22, J = 33, IC = 0.1, 0.2\nJOINT/2, "
                    "TRANSLATIONAL, I = 44, J = 15, IC = 0.3\n");
  list.emplace_back("GCON",
                    "GCON/1, FUNCTION = DX(22,33)*DY(22,13)-COS(AZ(32,42))+0.1*TIME\nGCON/2, FUNCTION = "
                    "VX(42,12)-DY(42,32)*WZ(22,12)\n");
  list.emplace_back("GEAR",
                    "JOINT/1, REVOLUTE, I = 32, J = 22\nJOINT/2, REVOLUTE, I = 43, J = 23\nGEAR/1, JOINTS = "
                    "1, 2, CV = 24\nCOUPLER/1, JOINTS = 1, 2, SCALES = -0.4\n");
  std::string bow, oval;
  for (int k = 0; k <= 16; ++k) {
    const double x = k - 8, a = std::acos(-1.0) * (k % 16) / 8;
    bow += fmt::format("{}{:.4f}, {:.4f}, 0", k == 0 ? "" : "\n, ", x, 4 + 0.05 * x * x);
    oval += fmt::format("{}{:.4f}, {:.4f}, 0", k == 0 ? "" : "\n, ", std::cos(a), 0.8 * std::sin(a));
  }
  const auto curve = [](int id, const std::string& values) {
    return fmt::format(
        "MATRIX/{0}, FULL, RORDER, ROWS = 17, COLUMNS = 3\n, VALUES = {1}\nCURVE/{0}, MATRIX = {0}, "
        "CURVE_POINTS\n",
        id, values);
  };
  const std::string curves = curve(1, bow) + curve(2, oval);
  list.emplace_back("PTCV", curves +
                                "PTCV/1, I = 22, JFLOAT = 39, RM = 33, CURVE = 1\nVARIABLE/1, FUNCTION = "
                                "PTCV(1,0,2,0)*FX(22)\n");
  list.emplace_back("PTCV_ground", curves + "PTCV/1, I = 22, JFLOAT = 19, RM = 12, CURVE = 1, VEL = 2\n");
  list.emplace_back("CVCV", curves +
                                "CVCV/1, ICURVE = 2, JCURVE = 1, IRM = 22, JRM = 33, IFLOAT = 29, JFLOAT = "
                                "39\nVARIABLE/1, FUNCTION = CVCV(1,0,2,0)+CVCV(1,1,3,43)\n");
  list.emplace_back("forces",
                    "SPRINGDAMPER/1, TRANSLATION, I = 22, J = 33, K = 3, C = 0.7, LENGTH = 0.4\nBUSHING/1, I "
                    "= 43, J = 12, K = 1,2,3, C = 0.1,0.2,0.3, KT = 4,5,6, CT = 0.4,0.5,0.6\nSFORCE/1, "
                    "ROTATION, I = 22, J = 33, FUNCTION = WDTZ(22,12)*AZ(22,33)+ACCX(43,12)\n");
  return list;
}

}  // namespace trammel::test
