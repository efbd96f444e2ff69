// Decks of elements that are made of matrices, arrays and other elements, for random_bodies().
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "random_model.h"

namespace trammel::test {

/// "1.5, -0.3, ..." folded by lines.
inline std::string numbers(Random& random, int count) {
  std::string text;
  for (int k = 0; k < count; ++k)
    text += fmt::format("{}{:.3f}", k == 0 ? "" : k % 6 == 0 ? "\n, " : ", ", random.uniform(-2, 2));
  return text;
}

inline std::string full_matrix(int id, int rows, int columns, Random& random) {
  return fmt::format("MATRIX/{}, FULL, {}, ROWS = {}, COLUMNS = {}\n, VALUES = {}\n", id,
                     id % 2 == 0 ? "RORDER" : "CORDER", rows, columns, numbers(random, rows * columns));
}

/// Friction in every joint that may have it, in each of its regimes (by V), with each formulation; creep and
/// deflections of random_state() are beyond the free part where Δ is small. Read by others, too.
inline void add_frictions(auto add) {
  const struct {
    const char *name, *joint, *arguments;
  } joints[] = {{"revolute", "REVOLUTE", ""},
                {"translational", "TRANSLATIONAL", ", OVERLAP_DELTA = DECREASE, INITIAL_OVERLAP = 4"},
                {"cylindrical", "CYLINDRICAL", ", OVERLAP_DELTA = INCREASE, INITIAL_OVERLAP = 5"},
                {"spherical", "SPHERICAL", ", BALL_RADIUS = 0.6"},
                {"hooke", "HOOKE", ", I_YOKE, MAX_FRICTION_TORQUE = 0.2"},
                {"universal", "UNIVERSAL", ", J_YOKE"}};
  const std::pair<const char*, const char*> laws[] = {
      {"stuck", ", STICTION_TRANSITION_VELOCITY = 15, MAX_STICTION_DEFORMATION = 3"},
      {"held", ", STICTION_TRANSITION_VELOCITY = 15, MAX_STICTION_DEFORMATION = 0.7"},
      {"between",
       ", STICTION_TRANSITION_VELOCITY = 0.01, TRANSITION_VELOCITY_COEFFICIENT = 2000\n, "
       "MAX_STICTION_DEFORMATION = 0.7"},
      {"sliding", ", STICTION_TRANSITION_VELOCITY = 0.01, EFFECT = SLIDING"},
      {"bristles",
       ", FORMULATION = LUGRE, BRISTLE_STIFFNESS = 2, BRISTLE_DAMPING = 0.3, VISCOUS_DAMPING = 0.1\n, "
       "STRIBECK_VELOCITY = 3, DECAY_EXPONENT = 1.5"}};
  for (const auto& joint : joints)
    for (const auto& [law, numbers] : laws)
      add(fmt::format("FRICTION_{}_{}", joint.name, law),
          fmt::format("JOINT/1, {}, I = 22, J = 33\nFRICTION/1, JOINT = 1, MU_STATIC = 0.4, MU_DYNAMIC = "
                      "0.3\n{}\n{}\n",
                      joint.joint, joint.arguments, numbers));
  add("FRICTION_read_to_ground",
      "JOINT/1, CYLINDRICAL, I = 22, J = 12\nFRICTION/1, JOINT = 1, MU_STATIC = 0.4, MU_DYNAMIC = 0.3\n, "
      "PIN_RADIUS = 0.3, FRICTION_FORCE_PRELOAD = 0.2, FRICTION_TORQUE_PRELOAD = 0.1\nVARIABLE/1, FUNCTION = "
      "FRICTION(1,0,4,22)+FRICTION(1,1,8,0)*FRICTION(1,0,9,0)+FRICTION(1,0,10,0)*FRICTION(1,0,13,0)\n");
}

/// (name, deck) of every form of FIELD, BEAM, NFORCE, FRICTION, COUPLER, GEAR, LSE, TFSISO, alone and read by
/// others.
inline std::vector<std::pair<std::string, std::string>> element_decks() {
  std::vector<std::pair<std::string, std::string>> list;
  Random random(77);
  const auto add = [&](const std::string& name, const std::string& deck) { list.emplace_back(name, deck); };
  // ---- elastic
  const std::string matrices =
      fmt::format("\n, KMATRIX = {}\n, CMATRIX = {}\n, FORCE = {}\n, LENGTH = {}\n", numbers(random, 36),
                  numbers(random, 36), numbers(random, 6), numbers(random, 6));
  add("FIELD", "FIELD/1, I = 22, J = 33" + matrices);
  add("FIELD_ground", "FIELD/1, I = 12, J = 33" + matrices);
  add("FIELD_point_mass", "FIELD/1, I = 51, J = 33" + matrices);
  add("FIELD_ratio", "FIELD/1, I = 22, J = 33, CRATIO = 0.3\n, KMATRIX = " + numbers(random, 36) + "\n");
  add("FIELD_read", "FIELD/1, I = 22, J = 33" + matrices +
                        "VARIABLE/1, FUNCTION = FIELD(1,0,2,43)+FIELD(1,1,7,0)*FX(33,22)\n");
  const std::string beam =
      ", LENGTH = 0.7, IXX = 0.3, IYY = 0.2, IZZ = 0.1, AREA = 0.6, EMODULUS = 2, GMODULUS = 0.8";
  add("BEAM", "BEAM/1, I = 22, J = 33" + beam + "\n");
  add("BEAM_shear", "BEAM/1, I = 22, J = 13\n" + beam + "\n, ASY = 1.2, ASZ = 1.1, CRATIO = 0.2\n");
  add("BEAM_damping_matrix",
      "BEAM/1, I = 12, J = 33\n" + beam + "\n, CMATRIX = " + numbers(random, 21) + "\n");
  add("BEAM_read", "BEAM/1, I = 22, J = 33\n" + beam + "\nDIFF/1, FUNCTION = BEAM(1,0,8,0)-BEAM(1,1,3,43)\n");
  const std::string law = full_matrix(1, 18, 18, random) + full_matrix(2, 18, 18, random) +
                          "ARRAY/1, NUMBERS = " + numbers(random, 18) +
                          "\nARRAY/2, SIZE = 18, NUMBERS = " + numbers(random, 18) + "\n";
  add("NFORCE",
      law + "NFORCE/1, IMARKERS = 22, 43, 51, J = 33, KMATRIX = 1, CMATRIX = 2, FORCE = 1, LENGTH = 2\n");
  add("NFORCE_two_on_one_body", law + "NFORCE/1, IMARKERS = 22, 23, 12, J = 33, KMATRIX = 1, CRATIO = 0.4\n");
  add("NFORCE_on_ground", law + "NFORCE/1, IMARKERS = 22, 32, 42, J = 12, KMATRIX = 2, CMATRIX = 1\n");
  add("NFORCE_read",
      law +
          "NFORCE/1, IMARKERS = 22, 43, 51, J = 33, KMATRIX = 1, CMATRIX = 2\nVARIABLE/1, FUNCTION "
          "= NFORCE(1,43,2,22)+NFORCE(1,33,8,0)*TZ(22,33)\n");
  // ---- contact: shapes that overlap in random places, and two that do not
  const std::string impact = "\n, STIFFNESS = 30, EXPONENT = 1.6, DAMPING = 2, DMAX = 0.8";
  const std::string slip =
      "\n, COULOMB_FRICTION = ON, MU_STATIC = 0.7, MU_DYNAMIC = 0.4"
      "\n, STICTION_TRANSITION_VELOCITY = 1.5, FRICTION_TRANSITION_VELOCITY = 4";
  const std::string shapes =
      "MARKER/139, PART = 3, QP = -2.2, 2.3, -3.1\nMARKER/138, PART = 3, QP = 0.3, -0.2, 3.4, REULER = 1, "
      "0.3, "
      "2\n"
      "GRAPHICS/1, ELLIPSOID, CM = 22, XSCALE = 6, YSCALE = 6, ZSCALE = 6\nGRAPHICS/2, ELLIPSOID, CM = 23, "
      "XSCALE = 4, YSCALE = 7, ZSCALE = 5\nGRAPHICS/3, BOX, CORNER = 139, X = 4, Y = -5, Z = 6\nGRAPHICS/4, "
      "FRUSTUM, CM = 138, LENGTH = -7, BOTTOM = 3, TOP = 2\nGRAPHICS/5, TORUS, CM = 32, MAJOR = 3, MINOR = "
      "2\n"
      "GRAPHICS/6, PLANE, RM = 12\nGRAPHICS/7, POINT, RM = 42\n";
  add("CONTACT_balls_and_solids", shapes + "CONTACT/1, IGEOM = 1, JGEOM = 3, 4, 5" + impact + slip + "\n");
  add("CONTACT_solids_and_ball", shapes + "CONTACT/1, IGEOM = 3, 4, JGEOM = 1" + impact + slip + "\n");
  add("CONTACT_on_ground", shapes + "CONTACT/1, IGEOM = 1, 2, JGEOM = 6" + impact + slip + "\n");
  add("CONTACT_ground_on", shapes + "CONTACT/1, IGEOM = 6, JGEOM = 3" + impact +
                               "\nCONTACT/2, IGEOM = 7, JGEOM = "
                               "4" +
                               impact + slip + "\n");
  add("CONTACT_restitution",
      shapes + "CONTACT/1, IGEOM = 2, JGEOM = 6, POISSON, PENALTY = 20, RESTITUTION_COEFFICIENT = 0.6\n");
  add("CONTACT_round_on_ground", shapes + "CONTACT/1, IGEOM = 4, 5, JGEOM = 6" + impact + slip +
                                     "\nCONTACT/2, IGEOM = 6, JGEOM = 4" + impact + "\n");
  add("CONTACT_in_holes", shapes + "CONTACT/1, IGEOM = 7, JGEOM = 3, 4, 5, JFLIP = 3, 4, 5" + impact + slip +
                              "\nCONTACT/2, IGEOM = 3, 4, IFLIP = 4, JGEOM = 1" + impact + "\n");
  const std::string sticks = slip + ", STICTION = ON, MAX_STICTION_DEFORMATION = 2";
  add("CONTACT_sticking", shapes + "CONTACT/1, IGEOM = 1, 2, JGEOM = 6" + impact + sticks + "\n");
  add("CONTACT_sticking_balls", shapes + "CONTACT/1, IGEOM = 1, JGEOM = 3, 4, 5" + impact + sticks + "\n");
  // Of few faces: where an edge comes to another, the second derivative jumps.
  add("CONTACT_of_meshes", shapes +
                               "MARKER/129, PART = 2, QP = 0.4, -0.3, 0.2, REULER = 0.3, 0.5, 0.7\n"
                               "GRAPHICS/8, BOX, CORNER = 129, X = 5, Y = 4, Z = 6\n"
                               "CONTACT/1, IGEOM = 8, JGEOM = 3" +
                               impact + slip + "\n");
  // In planes that are none in common: what counts is seen along the normal of one.
  const std::string curve_shapes =
      "MATRIX/9, FULL, RORDER, ROWS = 7, COLUMNS = 3, VALUES = 4, 0, 0, 2, 3, 0, -2, 2.5, 0, -4, 0.5, 0\n"
      ", -2, -3, 0, 2, -2, 0, 4, 0, 0\nCURVE/9, CLOSED, MATRIX = 9, CURVE_POINTS\n"
      "GRAPHICS/9, CURVE, CID = 9, CRM = 22\nGRAPHICS/10, CIRCLE, CM = 138, RADIUS = 4\n"
      "MARKER/136, PART = 3, QP = 5, 0, 0\nMARKER/135, PART = 3, QP = -3, 4, 0\n"
      "MARKER/134, PART = 3, QP = -4, -5, 0\nGRAPHICS/11, OUTLINE = 136, 135, 134, 136\n";
  add("CONTACT_in_a_plane",
      shapes + curve_shapes + "CONTACT/1, IGEOM = 9, JGEOM = 10, 11" + impact + slip + "\n");
  // The z axis of the PLANE is far from the normal of the curve, where what is seen along it changes fast.
  add("CONTACT_of_curves_with_others",
      shapes + curve_shapes + "MARKER/118, PART = 1, REULER = 1, 1.57, 0\nGRAPHICS/12, PLANE, RM = 118\n" +
          "CONTACT/1, IGEOM = 12, JGEOM = 9" + impact + slip + "\nCONTACT/2, IGEOM = 7, JGEOM = 10" + impact +
          "\n");
  add("CONTACT_read", shapes + "CONTACT/1, IGEOM = 1, JGEOM = 3, 4" + impact + slip +
                          "\nVARIABLE/1, FUNCTION = CONTACT(1,0,2,43)+CONTACT(1,1,7,0)\n");
  add_frictions(add);
  // ---- couplings
  const std::string joints =
      "JOINT/1, REVOLUTE, I = 22, J = 32\nJOINT/2, TRANSLATIONAL, I = 33, J = 12\nJOINT/3, CYLINDRICAL, I = "
      "42, J = "
      "23\n";
  add("COUPLER", joints + "COUPLER/1, JOINTS = 1, 2, SCALES = -0.4\n");
  add("COUPLER_three", joints + "COUPLER/1, JOINTS = 1, 2, 3, SCALES = 0.5, -0.7, 0.3, TYPE = R:T:T\n");
  add("COUPLER_rotation", joints + "COUPLER/1, JOINTS = 3, 1, SCALES = 2, 3, TYPE = ROT:ROTATION\n");
  const std::string gears =
      "JOINT/1, REVOLUTE, I = 32, J = 22\nJOINT/2, REVOLUTE, I = 43, J = 23\nJOINT/3, CYLINDRICAL, I = 42, J "
      "= 22\n";
  add("GEAR", gears + "GEAR/1, JOINTS = 1, 2, CV = 27\n");
  add("GEAR_cylindrical", gears + "GEAR/1, JOINTS = 3, 1, CV = 27\n");
  // ---- curves
  // A gentle curve in space, a closed one, an ellipse and a long bow above it, all seen from near the origin.
  std::string points;
  for (int k = -4; k <= 4; ++k)
    points += fmt::format("{}{}, {:.3f}, {:.3f}", k == -4 ? "" : "\n, ", k, 0.05 * k * k + 0.02 * k,
                          0.01 * k * k * k);
  std::string ring, oval, bow;
  for (int k = 0; k <= 16; ++k) {
    const double a = std::acos(-1.0) * (k % 16) / 8, x = k - 8;
    const char* head = k == 0 ? "" : "\n, ";
    ring += fmt::format("{}{:.4f}, {:.4f}, {:.4f}", head, 5 * std::cos(a), 4 * std::sin(a),
                        0.5 * std::sin(2 * a));
    oval += fmt::format("{}{:.4f}, {:.4f}, 0", head, std::cos(a), 0.8 * std::sin(a));
    bow += fmt::format("{}{:.4f}, {:.4f}, 0", head, x, 4 + 0.05 * x * x);
  }
  const auto points_of = [](int id, int rows, const std::string& values) {
    return fmt::format("MATRIX/{}, FULL, RORDER, ROWS = {}, COLUMNS = 3\n, VALUES = {}\n", id, rows, values);
  };
  const std::string curves =
      points_of(1, 9, points) + points_of(2, 17, ring) + points_of(3, 17, oval) + points_of(4, 17, bow) +
      "CURVE/1, OPEN, MATRIX = 1, CURVE_POINTS\nCURVE/2, CLOSED, MATRIX = 2, CURVE_POINTS, "
      "ORDER = 4\nCURVE/3, CLOSED, MATRIX = 3, CURVE_POINTS\nCURVE/4, MATRIX = 4, "
      "CURVE_POINTS\n";
  add("PTCV", curves + "PTCV/1, I = 22, JFLOAT = 39, RM = 33, CURVE = 1\n");
  add("PTCV_closed", curves + "PTCV/1, I = 23, JFLOAT = 49, RM = 42, CURVE = 2\n");
  add("PTCV_ground", curves + "PTCV/1, I = 51, JFLOAT = 19, RM = 12, CURVE = 1\n");
  add("PTCV_from_ground",
      curves + "PTCV/1, I = 12, JFLOAT = 39, RM = 32, CURVE = 1, DISP = 0.5, 0, 0, ICM = 33\n");
  add("PTCV_read", curves +
                       "PTCV/1, I = 22, JFLOAT = 39, RM = 33, CURVE = 1, VEL = 2\nVARIABLE/1, FUNCTION = "
                       "PTCV(1,0,2,0)+PTCV(1,1,7,43)*FX(22)\n");
  add("CVCV", curves + "CVCV/1, ICURVE = 3, JCURVE = 4, IRM = 22, JRM = 33, IFLOAT = 29, JFLOAT = 39\n");
  add("CVCV_ground",
      curves + "CVCV/1, ICURVE = 4, JCURVE = 3, IRM = 12, JRM = 33, IFLOAT = 19, JFLOAT = 39\n");
  add("CVCV_read", curves +
                       "CVCV/1, ICURVE = 3, JCURVE = 4, IRM = 22, JRM = 33, IFLOAT = 29, JFLOAT = "
                       "39\nVARIABLE/1, FUNCTION = CVCV(1,0,2,0)+CVCV(1,1,3,43)+CVCV(1,0,8,43)\n");
  add("CURVE_function", curves +
                            "SFORCE/1, TRANSLATION, I = 22, J = 33, FUNCTION = "
                            "CURVE(0.1*DX(22,12),0,2,1)*CURVE(0.1*VX(22,33),1,3,2)+CURVE(0.2,2,1,3)\n");
  // ---- linear systems
  const std::string arrays =
      "ARRAY/1, X, SIZE = 3\nARRAY/2, Y, SIZE = 2\nARRAY/3, U, SIZE = 2, VARIABLES = 1, 2\nARRAY/4, IC, "
      "NUMBERS = "
      "0.1, 0.2, -0.3\nVARIABLE/1, FUNCTION = DX(22,33)*ARYVAL(1,2)\nVARIABLE/2, FUNCTION = VX(42,12)+TIME\n";
  const std::string lse = full_matrix(1, 3, 3, random) + full_matrix(2, 3, 2, random) +
                          full_matrix(3, 2, 3, random) + full_matrix(4, 2, 2, random) + arrays +
                          "LSE/1, X = 1, A = 1, B = 2, U = 3, C = 3, Y = 2, D = 4, IC = 4\n";
  add("LSE", lse + "SFORCE/1, TRANSLATION, I = 22, J = 33, FUNCTION = ARYVAL(2,1)*ARYVAL(1,3)-ARYVAL(3,2)\n");
  add("LSE_in_constraint", lse + "GCON/1, FUNCTION = DX(22,12)*ARYVAL(1,1)-ARYVAL(1,3)*DY(22,33)\n");
  add("LSE_output_in_constraint", lse + "GCON/1, FUNCTION = DX(22,12)*ARYVAL(1,1)-ARYVAL(2,1)*DY(22,33)\n");
  add("LSE_without_inputs",
      "MATRIX/1, SPARSE, I = 1, 2, J = 2, 1, VALUES = 1, -4\nARRAY/1, X, SIZE = 2\nLSE/1, X = 1, "
      "A = 1\nSFORCE/1, TRANSLATION, I = 22, J = 33, FUNCTION = ARYVAL(1,1)\n");
  add("TFSISO",
      "ARRAY/1, X, SIZE = 3\nARRAY/2, Y, SIZE = 1\nARRAY/3, U, VARIABLES = 1\nVARIABLE/1, FUNCTION = "
      "DX(22,33)\nTFSISO/1, X = 1, U = 3, Y = 2, NUMERATOR = 0.3, 0.1, 0, 0.7, DENOMINATOR = 1.2, 0, 0.8, "
      "0.5\nSFORCE/1, TRANSLATION, I = 22, J = 33, FUNCTION = ARYVAL(2,1)*VR(22,33)\n");
  add("TFSISO_in_constraint",
      "ARRAY/1, X, SIZE = 1\nARRAY/2, Y, SIZE = 1\nARRAY/3, U, VARIABLES = 1\nVARIABLE/1, FUNCTION = "
      "DX(22,33)+0.3*AZ(42,12)\nTFSISO/1, X = 1, U = 3, Y = 2, NUMERATOR = 0.3, 0.1, DENOMINATOR = 1.2, "
      "0.5\nGCON/1, I = 22, FUNCTION = DY(22,12)*ARYVAL(2,1)-ARYVAL(3,1)\n");
  add("PINVAL",
      "VARIABLE/1, FUNCTION = DX(22,33)\nPINPUT/1, VARIABLES = 1\nPOUTPUT/2, VARIABLES = 1, 1\nSFORCE/1, "
      "TRANSLATION, I = 22, J = 33, FUNCTION = PINVAL(1,1)+POUVAL(2,2)**2\n");
  // ---- beams of other formulations (at the end, so that the numbers above stay)
  add("BEAM_string", "BEAM/1, I = 22, J = 33, FORMULATION = STRING, CRATIO = 0.3\n" + beam + "\n");
  add("BEAM_string_damping_matrix", "BEAM/1, I = 12, J = 33, FORMULATION = STRING\n" + beam +
                                        "\n, ASY = 1.2, CMATRIX = " + numbers(random, 21) + "\n");
  add("BEAM_nonlinear", "BEAM/1, I = 22, J = 33, FORMULATION = NONLINEAR, CRATIO = 0.3\n" + beam + "\n");
  add("BEAM_nonlinear_damping_matrix", "BEAM/1, I = 12, J = 33, FORMULATION = NONLINEAR\n" + beam +
                                           "\n, CMATRIX = " + numbers(random, 21) + "\n");
  add("BEAM_nonlinear_read", "BEAM/1, I = 23, J = 42, FORMULATION = NONLINEAR\n" + beam +
                                 "\nVARIABLE/1, FUNCTION = BEAM(1,0,8,0)-BEAM(1,1,3,43)*FX(42,23)\n");
  return list;
}

}  // namespace trammel::test
