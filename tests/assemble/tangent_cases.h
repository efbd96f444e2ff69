// One deck for every element that has a tangent, each to be put behind random_bodies().
#pragma once

#include "../support/planar_decks.h"
#include "element_cases.h"
#include "random_model.h"

namespace trammel::test {

/// What is behind which bodies: those of random_bodies(), with two of them in planes of their own, or those
/// of planar_bodies().
enum class CaseBodies { in_space, in_crossing_planes, in_one_plane };

struct Case {
  std::string name, deck;
  CaseBodies bodies = CaseBodies::in_space;
  std::string bodies_deck(Random& random) const {
    return bodies == CaseBodies::in_one_plane
               ? planar_bodies(random)
               : random_bodies(random, bodies == CaseBodies::in_crossing_planes ? 2 : 0);
  }
};

inline void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

inline std::string joint_line(const char* statement, const std::string& type, const std::string& extra, int i,
                              int j) {
  return fmt::format("{}/1, {}{}\n, I = {}\n, J = {}\n", statement, type, extra, i, j);
}

using Cases = std::vector<Case>;

/// Every joint and primitive: between parts, to ground on either side, to the point mass.
inline void add_joints(Cases& list) {
  const auto add = [&](const std::string& name, const std::string& deck) { list.push_back({name, deck}); };
  for (const JointType& type : joint_types) {
    const std::string name(type.name);
    const std::string extra = name == "RACKPIN" ? ", PD = 0.7" : name == "SCREW" ? ", PITCH = 0.4" : "";
    const std::string statement(type.statement);
    const int across = name == "RACKPIN" ? 4 : 0;  // travel about at right angles to the spin axis
    add(statement + "_" + name, joint_line(statement.c_str(), name, extra, 22, 33 + across));
    add(statement + "_" + name + "_to_ground", joint_line(statement.c_str(), name, extra, 22, 13 + across));
    add(statement + "_" + name + "_from_ground", joint_line(statement.c_str(), name, extra, 12, 23 + across));
  }
  add("JPRIM_ATPOINT_point_mass", "JPRIM/1, ATPOINT, I = 51, J = 22\n");
  add("JPRIM_INLINE_point_mass", "JPRIM/1, INLINE, I = 51, J = 22\n");
}

/// Motions of joints and markers, in three levels.
inline void add_motions(Cases& list) {
  const auto add = [&](const std::string& name, const std::string& deck) { list.push_back({name, deck}); };
  const struct {
    const char *level, *name;
  } levels[] = {{"", "displacement"},
                {", VELOCITY, ICDISP = 0.1", "velocity"},
                {", VELOCITY", "velocity_free"},
                {", ACCELERATION, ICDISP = 0.1, ICVEL = 0.2", "acceleration"},
                {", ACCELERATION", "acceleration_free"}};
  for (const auto& level : levels) {
    const std::string function = fmt::format("{}, FUNCTION = 0.3*SIN(2*TIME)+TIME**2\n", level.level);
    const std::string joint = "JOINT/1, CYLINDRICAL, I = 22, J = 33\n";
    add(fmt::format("MOTION_rotation_{}", level.name), joint + "MOTION/1, JOINT = 1, ROTATION" + function);
    add(fmt::format("MOTION_translation_{}", level.name),
        joint + "MOTION/1, JOINT = 1, TRANSLATION" + function);
    for (const char* axis : {"X", "Y", "Z", "B1", "B2", "B3"})
      add(fmt::format("MOTION_{}_{}", axis, level.name),
          fmt::format("MOTION/1, I = 22, J = 33, {}{}", axis, function));
  }
  // Functions of states: these read positions and velocities themselves.
  const std::string states =
      "DIFF/1, IC = 0.3, FUNCTION = SIN(TIME)-2*DIF(1)+0.2*VARVAL(2)\nVARIABLE/1, FUNCTION = DIF(1)**2+TIME\n"
      "VARIABLE/2, FUNCTION = DX(22,33)*DIF(1)\nARRAY/1, X\nARRAY/2, U, VARIABLES = 2\nARRAY/3, Y\n"
      "TFSISO/1, X = 1, U = 2, Y = 3, NUMERATOR = 1, DENOMINATOR = 1, 0.5, 0.1\n";
  add("MOTION_displacement_of_states",
      states + "MOTION/1, I = 42, J = 33, Z, FUNCTION = 0.4*VARVAL(1)*ARYVAL(1,1)+SIN(DIF(1))\n");
  add("MOTION_velocity_of_states",
      states + "MOTION/1, I = 42, J = 33, B3, VELOCITY, FUNCTION = VARVAL(2)*DIF(1)+ARYVAL(3,1)\n");
  add("MOTION_acceleration_of_states",
      states +
          "VARIABLE/3, FUNCTION = VX(22,33)\nMOTION/1, I = 42, J = 33, X, ACCELERATION, FUNCTION = "
          "VARVAL(2)+VARVAL(3)*DIF1(1)\n");
  add("MOTION_to_ground", "MOTION/1, I = 22, J = 12, B3, VELOCITY, FUNCTION = TIME\n");
}

inline void add_general_constraints(Cases& list) {
  const auto add = [&](const std::string& name, const std::string& deck) { list.push_back({name, deck}); };
  add("GCON_holonomic", "GCON/1, FUNCTION = DX(22,33,43)*DY(22,12)-COS(PITCH(32,42))+0.1*TIME\n");
  add("GCON_holonomic_one_body", "GCON/1, FUNCTION = DX(22,12)**2+DY(22,12)**2-AX(22,12)\n");
  add("GCON_holonomic_two_markers_of_a_body", "GCON/1, I = 22, FUNCTION = DX(22,33)*DZ(23,33)-0.2\n");
  add("GCON_velocity", "GCON/1, FUNCTION = VX(22,33,43)-0.3*SIN(DX(22,12))*WY(32,42)+DX(22,43)*VZ(32,12)\n");
  add("GCON_velocity_to_ground", "GCON/1, I = 22, FUNCTION = VY(22,12,23)-0.2*WZ(22,12,22)\n");
  add("GCON_reads_state", "DIFF/1, FUNCTION = -DIF(1)\nGCON/1, FUNCTION = DX(22,12)*DIF(1)-0.2\n");
  add("GCON_reads_many_states",
      "DIFF/1, FUNCTION = -DIF(1)\nVARIABLE/1, FUNCTION = DIF(1)**2+0.1*TIME\nGCON/1, I = 22, FUNCTION = "
      "DX(22,12)*DIF(1)*VARVAL(1)-DY(22,33)*VARVAL(1)**2\nSFORCE/1, TRANSLATION, I = 42, J = 33, FUNCTION = "
      "FX(22)*TZ(22)\n");
  add("GCON_velocity_reads_state",
      "DIFF/1, FUNCTION = -DIF(1)\nGCON/1, FUNCTION = VX(22,33)*DIF(1)+DX(22,33)\n");
  add("GCON_point_mass", "GCON/1, FUNCTION = DM(51,22)-0.5+DX(51)*DX(33)\n");
}

const std::string bushing =
    ", K = 1,2,3, C = 0.1,0.2,0.3, KT = 4,5,6, CT = 0.4,0.5,0.6, FORCE = 1,2,3, TORQUE = 0.1,0.2,0.3\n";

inline void add_laws(Cases& list) {
  const auto add = [&](const std::string& name, const std::string& deck) { list.push_back({name, deck}); };
  add("SPRINGDAMPER_translation",
      "SPRINGDAMPER/1, TRANSLATION, I = 22, J = 33, K = 3, C = 0.7, LENGTH = 0.4, FORCE = 0.3\n");
  add("SPRINGDAMPER_translation_ground",
      "SPRINGDAMPER/1, TRANSLATION, I = 12, J = 33, K = 3, C = 0.7, LENGTH = 0.4\n");
  add("SPRINGDAMPER_translation_point_mass",
      "SPRINGDAMPER/1, TRANSLATION, I = 51, J = 33, K = 3, C = 0.7, LENGTH = 0.4\n");
  add("SPRINGDAMPER_rotation",
      "SPRINGDAMPER/1, ROTATION, I = 22, J = 33, KT = 3, CT = 0.7, ANGLE = 0.4, TORQUE = 0.2\n");
  add("SPRINGDAMPER_rotation_ground", "SPRINGDAMPER/1, ROTATION, I = 22, J = 12, KT = 3, CT = 0.7\n");
  add("BUSHING", "BUSHING/1, I = 22, J = 33" + bushing);
  add("BUSHING_ground", "BUSHING/1, I = 12, J = 33" + bushing);
}

/// Expression forces and scalar equations with all that they may read.
inline void add_expressions(Cases& list) {
  const auto add = [&](const std::string& name, const std::string& deck) { list.push_back({name, deck}); };
  const struct {
    const char *name, *text;
  } expressions[] = {
      {"time", "2*SIN(TIME)"},
      {"position", "DX(22,43,33)*DM(32,12)+0.3*AZ(22,33)+0.1*YAW(22,32)"},
      {"velocity", "VR(22,43)-0.4*VX(32,12,43,33)*WZ(42,12,22)+0.2*VM(22,33)"},
      {"acceleration", "0.3*ACCX(22,43,33)+0.1*WDTZ(32,12,22)-0.05*ACCM(42,12)"},
      {"transcendental",
       "STEP(DX(22,33),-3,0.1,3,0.9)*EXP(-DM(22,33))+IMPACT(DM(22,33),VR(22,33),3,2,1.5,0.3,0.1)"},
  };
  for (const auto& e : expressions) {
    const std::string text = std::string(e.text) + "\n", name = e.name;
    add("SFORCE_translation_" + name, "SFORCE/1, TRANSLATION, I = 22, J = 33, FUNCTION = " + text);
    add("SFORCE_translation_action_only_" + name,
        "SFORCE/1, TRANSLATION, ACTIONONLY, I = 22, J = 33, FUNCTION = " + text);
    add("SFORCE_rotation_" + name, "SFORCE/1, ROTATION, I = 22, J = 33, FUNCTION = " + text);
    add("SFORCE_rotation_action_only_" + name,
        "SFORCE/1, ROTATION, ACTIONONLY, I = 22, J = 33, FUNCTION = " + text);
    add("VFORCE_" + name,
        fmt::format("VFORCE/1, I = 22, JFLOAT = 39, RM = 43\n, FX = {0}\\\n, FZ = 1-({0})**2\n", e.text));
    add("VTORQUE_" + name,
        fmt::format("VTORQUE/1, I = 22, JFLOAT = 39, RM = 43\n, TY = {0}\\\n, TZ = 0.4*({0})\n", e.text));
    add("GFORCE_" + name, fmt::format("GFORCE/1, I = 22, JFLOAT = 39, RM = 33\n, FX = {0}\\\n, FY = 0.3\\\n, "
                                      "TX = COS({0})\\\n, TZ = 0.2*TIME\n",
                                      e.text));
    add("GFORCE_ground_" + name,
        fmt::format("GFORCE/1, I = 22, JFLOAT = 19\n, FX = {0}\\\n, TY = {0}\n", e.text));
    add("VARIABLE_" + name,
        fmt::format(
            "VARIABLE/1, FUNCTION = {}\nSFORCE/1, TRANSLATION, I = 22, J = 33, FUNCTION = VARVAL(1)**2\n",
            e.text));
    add("DIFF_" + name, fmt::format("DIFF/1, FUNCTION = {}-DIF(1)**2\nSFORCE/1, TRANSLATION, I = 22, J = 33, "
                                    "FUNCTION = DIF(1)*DIF1(1)\n",
                                    e.text));
    add("DIFF_implicit_" + name,
        fmt::format("DIFF/1, IMPLICIT, FUNCTION = DIF1(1)*(2+DIF(1)**2)+{}\n", e.text));
  }
  add("VARIABLE_chain",
      "VARIABLE/1, FUNCTION = VARVAL(2)*DX(22,33)\nVARIABLE/2, FUNCTION = DIF(1)+VARVAL(1)**2*0.1\nDIFF/1, "
      "FUNCTION = VARVAL(1)-DIF(2)*DIF1(2)\nDIFF/2, FUNCTION = DIF(1)*VX(22,33)\n");
  add("VFORCE_point_mass", "VFORCE/1, I = 51, JFLOAT = 29, RM = 33\n, FX = DX(51,22)\\\n, FY = VY(51,33)\n");
  add("VFORCE_same_body_frame", "VFORCE/1, I = 22, JFLOAT = 39, RM = 22\n, FX = VX(22,12,22)\n");
}

/// Forces that read forces: every kind of element as the source.
inline void add_readers(Cases& list) {
  const auto add = [&](const std::string& name, const std::string& deck) { list.push_back({name, deck}); };
  const struct {
    const char *name, *element, *function;
  } readers[] = {
      {"JOINT_on_I", "JOINT/1, REVOLUTE, I = 32, J = 43\n", "JOINT(1,0,2,22)+JOINT(1,0,5,0)"},
      {"JOINT_on_J", "JOINT/1, CYLINDRICAL, I = 32, J = 43\n", "JOINT(1,1,3,22)+JOINT(1,1,8,0)"},
      {"JPRIM", "JPRIM/1, INPLANE, I = 32, J = 43\n", "JPRIM(1,0,1,0)"},
      {"MOTION", "JOINT/1, REVOLUTE, I = 32, J = 43\nMOTION/1, JOINT = 1, FUNCTION = TIME\n",
       "MOTION(1,0,8,43)"},
      {"SFORCE", "SFORCE/2, TRANSLATION, I = 32, J = 43, FUNCTION = DX(32,43)*VX(22,12)\n",
       "SFORCE(2,0,1,0)"},
      {"SFORCE_on_J", "SFORCE/2, ROTATION, I = 32, J = 43, FUNCTION = DX(32,43)*VX(22,12)\n",
       "SFORCE(2,1,8,22)"},
      {"VFORCE", "VFORCE/2, I = 32, JFLOAT = 19, RM = 42\n, FX = DX(32,43)*VX(22,12)\n", "VFORCE(2,0,2,22)"},
      {"VTORQ", "VTORQUE/2, I = 32, JFLOAT = 19, RM = 42\n, TX = DX(32,43)*VX(22,12)\n", "VTORQ(2,0,6,22)"},
      {"GFORCE", "GFORCE/2, I = 32, JFLOAT = 19, RM = 42\n, FX = DX(32,43)\\\n, TX = VX(22,12)\n",
       "GFORCE(2,0,2,22)*GFORCE(2,1,7,0)"},
      {"BUSH", "BUSHING/1, I = 32, J = 43" /* values follow */, "BUSH(1,0,2,22)+BUSH(1,1,7,0)"},
      {"SPDP", "SPRINGDAMPER/1, TRANSLATION, I = 32, J = 43, K = 3, C = 0.7\n", "SPDP(1,0,1,0)"},
      {"FX",
       "JOINT/1, REVOLUTE, I = 32, J = 43\nSPRINGDAMPER/1, TRANSLATION, I = 32, J = 43, K = 3, C = 0.7\n",
       "FX(32,43,22)+TM(32)+FM(43,32)"},
      {"FX_of_GCON", "GCON/1, I = 32, FUNCTION = DX(32,43,22)*DY(32,12)-0.1\n", "FX(32,0,22)+TZ(32)"},
      {"FX_of_velocity_GCON", "GCON/1, I = 32, FUNCTION = VX(32,43,22)-DY(32,12)*VZ(32,12)\n", "FY(32,0,22)"},
  };
  for (const auto& r : readers) {
    const std::string element = std::string(r.element) + (std::string(r.name) == "BUSH" ? bushing : "");
    add(std::string("reads_") + r.name,
        element + fmt::format("SFORCE/1, TRANSLATION, I = 22, J = 33, FUNCTION = {}\n", r.function));
    add(std::string("VARIABLE_reads_") + r.name,
        element + fmt::format("VARIABLE/1, FUNCTION = {}\n", r.function));
  }
}

/// A mechanism with many of them at once.
inline const char* const everything = R"(JOINT/1, REVOLUTE, I = 22, J = 12
JOINT/2, UNIVERSAL, I = 23, J = 32
JPRIM/3, INLINE, I = 51, J = 33
MOTION/1, JOINT = 1, VELOCITY, FUNCTION = 0.2+TIME
GCON/1, FUNCTION = DX(42,32)-DY(22,12)**2
GCON/2, FUNCTION = VX(42,12)-DY(42,32)*WZ(22,12)
SPRINGDAMPER/1, TRANSLATION, I = 43, J = 12, K = 2, C = 0.1, LENGTH = 0.3
SPRINGDAMPER/2, ROTATION, I = 43, J = 13, KT = 2, CT = 0.1
BUSHING/1, I = 42, J = 33, K = 1,2,3, C = 0.1,0.2,0.3, KT = 4,5,6, CT = 0.4,0.5,0.6
VARIABLE/1, FUNCTION = JOINT(1,0,1,0)+VARVAL(2)
VARIABLE/2, FUNCTION = DIF(1)*FM(43)
DIFF/1, FUNCTION = VARVAL(1)-DIF(1)
SFORCE/1, TRANSLATION, I = 43, J = 22, FUNCTION = VARVAL(1)*VR(43,22)+ACCX(43,12)
GFORCE/2, I = 43, JFLOAT = 29, RM = 33
, FX = VARVAL(2)\
, TX = SFORCE(1,0,1,0)
VFORCE/3, I = 51, JFLOAT = 19
, FX = DX(51,22)*DIF1(1)
)";

/// Whether an element joins one of the first parts to ground: with its random axes it does not fit where such
/// a part is planar.
inline bool joins_to_ground(const Case& c) {
  const bool grounded = c.name.find("ground") != std::string::npos;
  return (grounded && c.deck.find("MOTION/") == std::string::npos) || c.name == "everything" ||
         c.name.starts_with("COUPLER");
}

inline Cases tangent_cases() {
  Cases list{{"bodies_alone", ""}, {"everything", everything}};
  for (const auto& more :
       {add_joints, add_motions, add_general_constraints, add_laws, add_expressions, add_readers})
    more(list);
  for (const auto& [name, deck] : element_decks()) list.push_back({name, deck});
  for (std::size_t k = 0, in_space = list.size(); k < in_space; ++k)
    if (!joins_to_ground(list[k]))
      list.push_back({list[k].name + "_in_crossing_planes", list[k].deck, CaseBodies::in_crossing_planes});
  for (const auto& [name, deck] : planar_decks())
    list.push_back({name + "_in_one_plane", deck, CaseBodies::in_one_plane});
  return list;
}

}  // namespace trammel::test
