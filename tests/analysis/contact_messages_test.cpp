// Shapes and contacts with one mistake each and the message that is expected for it; warnings of contacts
// while they run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../support/contact_decks.h"
#include "../support/simulate.h"

namespace trammel::contact_messages_test {
namespace {

using namespace test;

/// Exit code and message for a deck whose line 7 is what `body` begins with.
std::string message_of(const std::string& body) {
  try {
    Recording r(
        "contact\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
        "PART=1\n"
        "PART/2, MASS=1, IP=1,1,1, CM=20\nMARKER/20, PART=2\n" +
        body + "\nEND\n");
    return "";
  } catch (const Failure& failure) {
    return fmt::format("{} {}", static_cast<int>(failure.code()), failure.what());
  }
}

constexpr const char* on_plane =
    "\nGRAPHICS/1, PLANE, RM=1\nMARKER/21, PART=2, QP=1,0,0\nMARKER/22, PART=2, QP=0,0,1\nMARKER/11, PART=1\n"
    "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1";

struct WrongShape {
  const char *shape, *message;
};

const WrongShape wrong_profiles[] = {
    {"EXTRUSION, RM=20, LENGTH=1", "PROFILE or PROFILE_POINTS is missing; the corners of its profile"},
    {"EXTRUSION, RM=20, PROFILE_POINTS=0,0,1,0,1,1", "LENGTH is missing, or 0"},
    {"EXTRUSION, RM=20, PROFILE_POINTS=0,0,1,0,1, LENGTH=1",
     "PROFILE_POINTS takes two numbers for each corner; there are 5"},
    {"EXTRUSION, RM=20, PROFILE_POINTS=0,0,1,0, LENGTH=1",
     "a profile of 2 points; from 3 to 1000 are supported"},
    {"EXTRUSION, RM=20, PROFILE_POINTS=0,0,1,1,1,0,0,1, LENGTH=1",
     "its profile meets itself: the side after point 1 and the one after point 3"},
    {"EXTRUSION, RM=20, PROFILE=20,21,22, LENGTH=1",
     "corner 3 of its profile is off the x-y plane of RM, by 1"},
    {"EXTRUSION, RM=20, PROFILE=20,21,11, LENGTH=1", "marker 11 of its profile is not on the body of RM"},
    {"REVOLUTION, RM=20, PROFILE_POINTS=-1,0,1,0,1,1", "radius -1 of a profile is negative"},
    {"REVOLUTION, RM=20, PROFILE_POINTS=1,0,2,0,1,1, ANGLE=400D",
     "an angle of 400 degrees; it must be above 0 and at most 360"},
    {"REVOLUTION, RM=20, PROFILE_POINTS=1,0,2,0,1,1, ANGLE=0",
     "an angle of 0 degrees; it must be above 0 and at most 360"},
    {"REVOLUTION, RM=20, PROFILE_POINTS=1,0,2,0,1,1, SIDES=2",
     "SIDES=2 must be a whole number from 3 to 1000"}};

TEST(ContactMessages, profiles) {
  for (const auto& [shape, message] : wrong_profiles)
    EXPECT_NE(message_of(std::string("GRAPHICS/2, ") + shape + on_plane)
                  .find(fmt::format("3 test.adm:7: GRAPHICS/2: {} (for CONTACT/1)", message)),
              std::string::npos)
        << message_of(std::string("GRAPHICS/2, ") + shape + on_plane);
  EXPECT_NE(
      message_of(std::string("GRAPHICS/2, EXTRUSION, RM=20, PROFILE=20,21,22, PATH=20,21") + on_plane)
          .find(
              "4 test.adm:12: CONTACT/1: GRAPHICS/2 has a PATH; give a straight one by LENGTH, or the solid "
              "as EXTERNAL"),
      std::string::npos);
}

struct WrongContact {
  const char *statements, *message;
};

/// Statements 2 of a ball and 1 of a plane stand before them.
const WrongContact wrong_contacts[] = {
    {"CONTACT/1, IGEOM=2, JGEOM=3, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, POINT, RM=20",
     "3 test.adm:9: CONTACT/1: the shapes of IGEOM and JGEOM are on one body; contact is between two"},
    {"CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1, COULOMB_FRICTION=ON, MU_STATIC=0.1, "
     "MU_DYNAMIC=0.2\n, "
     "STICTION_TRANSITION_VELOCITY=1, FRICTION_TRANSITION_VELOCITY=2",
     "3 test.adm:9: CONTACT/1: MU_STATIC=0.1 is below MU_DYNAMIC=0.2; friction at rest is the greater"},
    {"CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1, COULOMB_FRICTION=ON, MU_STATIC=0.2, "
     "MU_DYNAMIC=0.1\n, "
     "STICTION_TRANSITION_VELOCITY=2, FRICTION_TRANSITION_VELOCITY=2",
     "3 test.adm:9: CONTACT/1: FRICTION_TRANSITION_VELOCITY=2 must be above STICTION_TRANSITION_VELOCITY=2"},
    {"CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1, COULOMB_FRICTION=ON, MU_STATIC=0.2",
     "3 test.adm:9: CONTACT/1: MU_DYNAMIC is missing, which COULOMB_FRICTION needs"},
    {"CONTACT/1, IGEOM=2, JGEOM=1, EXPONENT=1",
     "3 test.adm:9: CONTACT/1: STIFFNESS is missing, which IMPACT needs"},
    {"CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1, DAMPING=1",
     "3 test.adm:9: CONTACT/1: DMAX is missing, which DAMPING needs"},
    {"CONTACT/1, IGEOM=2, JGEOM=1, JFLIP=2, STIFFNESS=1, EXPONENT=1",
     "4 test.adm:9: CONTACT/1: GRAPHICS/2 of JFLIP is not in JGEOM"},
    {"CONTACT/1, IGEOM=2, IFLIP=2, 1, JGEOM=4, STIFFNESS=1, EXPONENT=1\nGRAPHICS/4, POINT, RM=1",
     "4 test.adm:9: CONTACT/1: GRAPHICS/1 of IFLIP is not in IGEOM"},
    {"CONTACT/1, IGEOM=3, IFLIP=3, JGEOM=4, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, POINT, RM=20\n"
     "GRAPHICS/4, POINT, RM=1",
     "4 test.adm:9: CONTACT/1: IFLIP turns curves and makes solids holes; GRAPHICS/3 is POINT, which has no "
     "inside"},
    {"CONTACT/1, IGEOM=2, IFLIP=2, JGEOM=1, STIFFNESS=1, EXPONENT=1",
     "4 test.adm:9: CONTACT/1: contact of the hole GRAPHICS/2 with a PLANE, which have no end, is not "
     "supported"},
    {"CONTACT/1, IGEOM=2, IFLIP=2, JGEOM=3, JFLIP=3, STIFFNESS=1, EXPONENT=1\n"
     "GRAPHICS/3, CYLINDER, CM=1, RADIUS=1, LENGTH=1",
     "4 test.adm:9: CONTACT/1: contact of the hole GRAPHICS/2 with the hole GRAPHICS/3, which have no end, "
     "is not "
     "supported"},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, CYLINDER, CM=20, RADIUS=0, LENGTH=1",
     "3 test.adm:10: GRAPHICS/3: RADIUS=0 is out of range; it must be >0"},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, CYLINDER, CM=20, RADIUS=1, LENGTH=0",
     "3 test.adm:10: GRAPHICS/3: it has no volume, and CONTACT/1 needs a solid"},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, FRUSTUM, CM=20, BOTTOM=0, TOP=0, "
     "LENGTH=1",
     "3 test.adm:10: GRAPHICS/3: it has no volume, and CONTACT/1 needs a solid"},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, BOX, CORNER=20, X=1, Y=0, Z=1",
     "3 test.adm:10: GRAPHICS/3: an edge of it is 0, and CONTACT/1 needs a solid"},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, TORUS, CM=20, MAJOR=1, MINOR=1",
     "3 test.adm:10: GRAPHICS/3: MINOR=1 must be below MAJOR=1: its tube meets itself, and CONTACT/1 needs a "
     "solid"},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1",
     "3 test.adm:10: GRAPHICS/3: ZSCALE is missing, and CONTACT/1 needs it"},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, SPRINGDAMPER",
     "4 test.adm:9: CONTACT/1: GRAPHICS/3 is no shape of contact: SPRINGDAMPER; it is between ELLIPSOID, "
     "POINT, BOX, "
     "CYLINDER, FRUSTUM, TORUS, PLANE, EXTRUSION, REVOLUTION and EXTERNAL, or in a plane between CIRCLE, "
     "ARC, OUTLINE, "
     "CURVE, POINT and PLANE"},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, SPHERE, CM=20",
     "4 test.adm:9: CONTACT/1: GRAPHICS/3 is no shape of contact: it names none that is known; it is between "
     "ELLIPSOID, "},
    {"CONTACT/1, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1\n"
     "GRAPHICS/3, CYLINDER, CM=20, RADIUS=1, LENGTH=1, RANGLE=90D",
     "4 test.adm:9: CONTACT/1: GRAPHICS/3 is a sector of 90 degrees, and contact is with all of it; leave "
     "RANGLE out, or give the solid as REVOLUTION with ANGLE or as EXTERNAL"},
    {"CONTACT/1, IGEOM=2,2, JGEOM=1, STIFFNESS=1, EXPONENT=1",
     "3 test.adm:9: CONTACT/1: GRAPHICS/2 is named twice in IGEOM; name each shape once"},
    {"CONTACT/1, IGEOM=2, JGEOM=1,3,1, STIFFNESS=1, EXPONENT=1\nGRAPHICS/3, POINT, RM=1",
     "3 test.adm:9: CONTACT/1: GRAPHICS/1 is named twice in JGEOM; name each shape once"},
    {"CONTACT/1, IGEOM=2, JGEOM=1, NORMAL_FUNCTION=USER(1)", "NORMAL_FUNCTION"},
    {"CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=0",
     "3 test.adm:9: CONTACT/1: EXPONENT=0 is out of range; it must be >0"}};

TEST(ContactMessages, contacts) {
  for (const auto& [statements, message] : wrong_contacts) {
    const std::string got = message_of(
        "GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, "
        "ZSCALE=1\n" +
        std::string(statements));
    EXPECT_NE(got.find(message), std::string::npos) << got;
  }
}

/// What is told of a deck that can be computed, as "line: text".
std::string told_of(const std::string& body) {
  Diagnostics diagnostics;
  compile(parse_dataset("contact\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
                        "MARKER/1, PART=1\nPART/2, MASS=1, IP=1,1,1, CM=20\nMARKER/20, PART=2\n" +
                            body + "\nEND\n",
                        "test.adm", diagnostics),
          diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  std::string text;
  for (const Diagnostic& d : diagnostics.list()) text += fmt::format("{}: {}\n", d.where.line, d.text);
  return text;
}

/// A pin whose middle is in a hole is where it belongs, and the hole where the pin is.
TEST(ContactMessages, a_pin_in_a_hole_is_not_in_a_solid) {
  const auto told = [](const char* flip) {
    return told_of(
        fmt::format("GRAPHICS/1, CIRCLE, CM=1, RADIUS=0.02\nGRAPHICS/2, CIRCLE, CM=20, RADIUS=0.0215\n"
                    "CONTACT/1, IGEOM=1, JGEOM=2{}, STIFFNESS=1, EXPONENT=1",
                    flip));
  };
  EXPECT_EQ(told(", JFLIP=2"), "");
  EXPECT_NE(told("").find("starts in the solid of"), std::string::npos);
}

TEST(ContactMessages, arguments_of_another_law_and_of_friction_that_is_off) {
  const auto told = [](const std::string& arguments) {
    return told_of(
        "GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1\n"
        "CONTACT/1, IGEOM=2, JGEOM=1, " +
        arguments);
  };
  const std::string impact = "STIFFNESS=1, EXPONENT=1.5, DAMPING=1, DMAX=1",
                    poisson = "PENALTY=1, RESTITUTION_COEFFICIENT=0.5",
                    friction =
                        ", MU_STATIC=0.2, MU_DYNAMIC=0.1, STICTION_TRANSITION_VELOCITY=1, "
                        "FRICTION_TRANSITION_VELOCITY=2";
  const auto warning = [](const char* name, const char* why) {
    return fmt::format("9: CONTACT/1: {} has no effect {}\n", name, why);
  };
  EXPECT_EQ(told(impact), "");
  EXPECT_EQ(told(poisson), "");
  std::string expected;
  for (const char* name : {"STIFFNESS", "EXPONENT", "DAMPING", "DMAX"})
    expected += warning(name, "with the law POISSON");
  EXPECT_EQ(told("POISSON, " + poisson + ", " + impact), expected);
  expected.clear();
  for (const char* name : {"PENALTY", "RESTITUTION_COEFFICIENT"})
    expected += warning(name, "with the law IMPACT");
  EXPECT_EQ(told("IMPACT, " + poisson + ", " + impact), expected);
  EXPECT_EQ(told(poisson + ", " + impact), expected);
  expected.clear();
  for (const char* name :
       {"MU_STATIC", "MU_DYNAMIC", "STICTION_TRANSITION_VELOCITY", "FRICTION_TRANSITION_VELOCITY"})
    expected += warning(name, "without COULOMB_FRICTION");
  EXPECT_EQ(told(impact + friction), expected);
  EXPECT_EQ(told(impact + friction + ", COULOMB_FRICTION=OFF"), "");  // which says it
  EXPECT_EQ(told(impact + friction + ", COULOMB_FRICTION=ON, MAX_STICTION_DEFORMATION=0.1"),
            warning("MAX_STICTION_DEFORMATION", "without STICTION=ON"));
  EXPECT_EQ(told(impact + friction + ", COULOMB_FRICTION=ON, STICTION=ON, MAX_STICTION_DEFORMATION=0.1"), "");
}

TEST(ContactMessages, what_can_be_computed_but_is_told) {
  EXPECT_NE(
      told_of("GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, POINT, RM=20\n"
              "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=0.5")
          .find("9: CONTACT/1: EXPONENT=0.5 below 1 is infinitely stiff at the first touch; 1.5 is that of "
                "two balls\n"),
      std::string::npos);
  const std::string
      round =
          "GRAPHICS/1, CYLINDER, CM=1, RADIUS=1, LENGTH=1\nGRAPHICS/2, CYLINDER, CM=20, RADIUS=1, LENGTH=1",
      together = "\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1.5";
  EXPECT_NE(told_of(round + together)
                .find("9: CONTACT/1: GRAPHICS/1 is taken as a solid with 32 flat sides about its "
                      "axis, 0.48 % of its radius between them and the circle: it rolls over edges"),
            std::string::npos);
  EXPECT_NE(message_of(round + ", SIDES=1001" + together)
                .find("8: GRAPHICS/2: SIDES=1001 must be a whole number, 1000 at most"),
            std::string::npos);
  // All the way round is no sector.
  EXPECT_EQ(told_of("GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, CYLINDER, CM=20, RADIUS=1, LENGTH=1, RANGLE=360D\n"
                    "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1.5"),
            "");
}

/// Beside a Parasolid file lies the same shape as a mesh, which is taken and told: as if it had been named.
TEST(ContactMessages, a_mesh_beside_a_file_that_cannot_be_read_is_taken) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string stem = (folder / "beside_parasolid").string();
  std::ofstream(stem + ".obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const auto body = [&](const char* end) {
    return "GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, EXTERNAL, RM=20, FILE=" + stem + end +
           "\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1.5";
  };
  for (const char* end : {".xmt_txt", ".x_t"}) {
    EXPECT_EQ(told_of(body(end)), fmt::format("8: GRAPHICS/2: the shape of {}.obj is taken\n", stem));
    std::ofstream(stem + end)
        << "**ABCDEFGHIJKLMNOPQRSTUVWXYZ";  // it makes no difference whether it is there
    EXPECT_EQ(told_of(body(end)), fmt::format("8: GRAPHICS/2: the shape of {}.obj is taken\n", stem));
    std::filesystem::remove(stem + end);
  }
  EXPECT_EQ(told_of(body(".obj")), "");
  std::filesystem::remove(stem + ".obj");
  EXPECT_NE(message_of(body(".x_t"))
                .find("GRAPHICS/2 is EXTERNAL, a Parasolid file, which only Parasolid reads; "
                      "put its shape beside it as .stl, .obj or .shl"),
            std::string::npos);
}

/// The ELEMENTs of one file: parts by their names, files of their own, and no guess where there is neither.
TEST(ContactMessages, elements_of_one_file) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string stem = (folder / "elements_of_one").string();
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const std::string low = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
                    high = "f 5 7 6\nf 5 6 8\nf 6 7 8\nf 5 8 7\n";
  const std::string body = "GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, EXTERNAL, RM=20, FILE=" + stem +
                           ".xmt_txt, ELEMENT=SOLID2\n" + "GRAPHICS/3, EXTERNAL, RM=20, FILE=" + stem +
                           ".xmt_txt, ELEMENT=SOLID3\n" +
                           "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1.5\n"
                           "CONTACT/2, IGEOM=3, JGEOM=1, STIFFNESS=1, EXPONENT=1.5";
  const auto write = [&](const std::string& end, const std::string& text) {
    std::ofstream(stem + end) << text;
  };
  write(".obj", corners + "v 0 0 5\nv 1 0 5\nv 0 1 5\nv 0 0 6\n" + low + high);
  EXPECT_NE(
      message_of(body).find("elements_of_one.obj has no part called SOLID2, and GRAPHICS/3 is another "
                            "element of it; call its parts by their names (o SOLID2 in .obj, solid SOLID2 in "
                            ".stl) or put elements_of_one_SOLID2.obj beside it"),
      std::string::npos)
      << message_of(body);
  write(".obj", corners + "v 0 0 5\nv 1 0 5\nv 0 1 5\nv 0 0 6\no solid2\n" + low + "o Solid3\n" + high);
  EXPECT_EQ(message_of(body), "");
  write("_SOLID3.obj", corners + low);
  write("_SOLID3.obj", corners + low);
  write(".obj", corners + low);  // it is left for SOLID2 alone, which needs no name then
  EXPECT_EQ(message_of(body), "");
  write("_SOLID2.obj", corners + low);
  EXPECT_EQ(message_of(body), "");
  for (const char* end : {".obj", "_SOLID2.obj", "_SOLID3.obj"}) std::filesystem::remove(stem + end);
}

struct WrongFile {
  const char *end, *text, *message;
};

const WrongFile wrong_files[] = {
    {".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "the surface is not closed: 3 edges of one face only"},
    {".obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n", "nan"},
    {".shl", "4 4 1\n0 0 0\n1 0 0\n0 1 inf\n0 0 1\n3 1 3 2\n3 1 2 4\n3 2 3 4\n3 1 4 3\n", "inf"}};

TEST(ContactMessages, files) {
  for (const auto& [end, text, message] : wrong_files) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("wrong_mesh" + std::string(end))).string();
    std::ofstream(path) << text;
    const std::string got = message_of("GRAPHICS/2, EXTERNAL, RM=20, FILE=" + path + on_plane);
    EXPECT_EQ(got.substr(0, 2), "3 ") << got;
    EXPECT_NE(got.find("CONTACT/1: GRAPHICS/2: "), std::string::npos) << got;
    EXPECT_NE(got.find(message), std::string::npos) << got;
    std::filesystem::remove(path);
  }
}

/// Faces that are turned inward are turned back, and the solid is the same.
TEST(ContactMessages, inverted_faces_are_turned) {
  const std::string path = (std::filesystem::temp_directory_path() / "inverted_mesh.obj").string();
  const auto force = [&](const char* faces) {
    std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" << faces;
    Recording r(
        "contact\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
        "MARKER/1, PART=1\nPART/2, MASS=1, IP=1,1,1, CM=20, QG=0,0,-0.1\nMARKER/20, PART=2\n"
        "GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, EXTERNAL, RM=20, FILE=" +
        path + "\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1\nEND\n");
    r.simulation->run(dynamics_analysis, {1e-6, 1});
    return r.at(0, "CONTACT/1", "FZ");
  };
  const double outward = force("f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  EXPECT_NEAR(outward, 0.1, 1e-9);
  EXPECT_EQ(force("f 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n"), outward);
  EXPECT_EQ(force("f 1 3 2\nf 1 4 2\nf 2 3 4\nf 1 4 3\n"), outward);
  std::filesystem::remove(path);
}

/// What is misspelt would be missing in the shape; of a picture it is kept.
TEST(ContactMessages, arguments_that_a_shape_does_not_have) {
  const std::string tube = "GRAPHICS/2, REVOLUTION, RM=20, PROFILE_POINTS=1,0,2,0,1,1";
  EXPECT_NE(
      message_of(tube + ", ANGEL=300D" + on_plane)
          .find("3 test.adm:7: GRAPHICS/2: unknown argument 'ANGEL' of a shape that CONTACT/1 takes; did "
                "you mean ANGLE? GRAPHICS has ELLIPSOID, BOX, "),
      std::string::npos)
      << message_of(tube + ", ANGEL=300D" + on_plane);
  EXPECT_NE(
      message_of(tube + "\n, BAR" + on_plane).find("3 test.adm:8: GRAPHICS/2: unknown argument 'BAR' of"),
      std::string::npos);
  EXPECT_NE(message_of(tube + ", XM=3" + on_plane)
                .find("GRAPHICS/2: argument 'XM' of a shape that CONTACT/1 takes is ambiguous: XMIN or XMAX"),
            std::string::npos)
      << message_of(tube + ", XM=3" + on_plane);
  EXPECT_EQ(message_of(tube + ", ANGLE=300D" + on_plane), "");
  EXPECT_EQ(message_of(tube + ", ANGEL=300D"), "");
}

/// Of the other shapes every length and marker is told, of a picture none.
TEST(ContactMessages, arguments_of_other_shapes) {
  const std::string law = "\nGRAPHICS/1, PLANE, RM=1\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1";
  const std::pair<std::string, std::string> shapes[] = {
      {"ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1", "RM=20, X=1, Y=1, Z=1, LENGTH=1"},
      {"BOX, CORNER=20, X=1, Y=1, Z=1", "CM=20, XSCALE=1, YSCALE=1, ZSCALE=1"},
      {"CYLINDER, CM=20, LENGTH=1, RADIUS=1, SIDES=40", "BOTTOM=1, TOP=1, ANGLE=90D"},
      {"FRUSTUM, CM=20, LENGTH=1, BOTTOM=1, TOP=1, RANGLE=360D", "RADIUS=1, MINOR=1"},
      {"TORUS, CM=20, MAJOR=2, MINOR=1, SIDES=40", "CORNER=20, PROFILE=20"},
      {"EXTRUSION, RM=20, LENGTH=1, PROFILE_POINTS=0,0,1,0,1,1", "ANGLE=90D, FILE=a.stl"},
      {"REVOLUTION, RM=20, ANGLE=90D, PROFILE_POINTS=1,0,2,0,1,1", "LENGTH=1, ELEMENT=a"},
  };
  for (const auto& [shape, others] : shapes) {
    const std::string name = shape.substr(0, shape.find(','));
    EXPECT_EQ(told_of("GRAPHICS/2, " + shape + law), "") << shape;
    std::string expected, list = others + ",";
    for (std::size_t end; (end = list.find(',')) != std::string::npos; list.erase(0, end + 2))
      expected += fmt::format("7: GRAPHICS/2: {} has no effect in shape {}, which CONTACT/1 takes\n",
                              list.substr(0, list.find('=')), name);
    EXPECT_EQ(told_of("GRAPHICS/2, " + shape + ", " + others + law), expected);
    EXPECT_EQ(told_of("GRAPHICS/2, " + shape + ", " + others), "") << shape;
  }
}

/// A picture needs no solid.
TEST(ContactMessages, shapes_of_no_contact_are_pictures) {
  EXPECT_EQ(message_of("GRAPHICS/2, EXTRUSION, RM=20, PATH=20,21\nGRAPHICS/3, REVOLUTION, RM=20, SIDES=1"),
            "");
}

/// A ball on a plate that shakes so fast that steps of their own size (fixed) find it now in contact, now
/// not.
TEST(Contact, chatter_is_told_by_name) {
  const auto warnings = [](double amplitude) {
    Recording r(deck("PART/3, MASS=1, IP=1,1,1, CM=30\nMARKER/30, PART=3\nGRAPHICS/1, PLANE, RM=30\n" +
                     ball("QG=0,0,0.1") +
                     "JOINT/1, TRANSLATIONAL, I=30, J=1\nMOTION/1, JOINT=1, TRANSLATION, FUNCTION=" +
                     fmt::format("{}*COS(6283*TIME)\n", amplitude) +
                     "ACCGRAV/KGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E7, EXPONENT=1, "
                     "DAMPING=100, DMAX=1E-5\nINTEGRATOR/RKF45, ERROR=1E-1, HMAX=5E-4\n"));
    r.simulation->run(dynamics_analysis, {0.3, 3});
    std::string all;
    for (const std::string& w : r.warnings) all += w + "\n";
    return all;
  };
  EXPECT_NE(warnings(3e-6).find("CONTACT/1 chatters at time "), std::string::npos);
  EXPECT_EQ(warnings(1e-9).find("chatters"), std::string::npos);
}

/// A ball of 0.2 m and a plate of 2 mm: half of 0.101 m, the radii of balls inside them, in a step of 1 ms.
TEST(Contact, fixed_steps_say_once_from_what_speed_on_they_pass_it) {
  const auto warnings = [](const std::string& integrator) {
    Recording r(
        deck("GRAPHICS/1, BOX, CORNER=12, X=2, Y=2, Z=0.002\nMARKER/12, PART=1, QP=-1,-1,0\n"
             "GRAPHICS/3, PLANE, RM=1\n" +
             ball("QG=0,0,1") +
             "CONTACT/1, IGEOM=2, JGEOM=3, STIFFNESS=1E4, EXPONENT=1.5, DMAX=1E-3\n"
             "CONTACT/2, IGEOM=2, JGEOM=1, STIFFNESS=1E4, EXPONENT=1.5, DMAX=1E-3\nINTEGRATOR/" +
             integrator + "\n"));
    r.simulation->run(dynamics_analysis, {0.005, 1});
    r.simulation->run(dynamics_analysis, {0.01, 1});
    return r.warnings;
  };
  EXPECT_EQ(warnings("HHT, HMAX=1E-3"), std::vector<std::string>{});
  const std::vector<std::string> fixed = warnings("HHT, HMAX=1E-3, HMIN=1E-3, HINIT=1E-3");
  ASSERT_EQ(fixed.size(), 1u);
  EXPECT_EQ(
      fixed[0],
      "Steps of a fixed size, here 0.001, do not end for contacts, nor where IMPACT, BISTOP and IF change: "
      "what comes and goes within a step is not seen. From a speed of 50.5 on the shapes of CONTACT/2 go "
      "into each other by half of their thickness of 0.101 in one step, and may pass.");
}

TEST(Contact, files_are_told_about) {
  const auto message = [](const std::string& shape) {
    try {
      Recording r(deck("PART/2, MASS=1, IP=1,1,1, CM=20\nMARKER/20, PART=2\nGRAPHICS/1, PLANE, RM=1\n" +
                       shape + "\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1\n"));
      return std::string();
    } catch (const Failure& failure) {
      return fmt::format("{} {}", static_cast<int>(failure.code()), failure.what());
    }
  };
  EXPECT_NE(message("GRAPHICS/2, EXTERNAL, RM=20, FILE=cam.xmt_txt")
                .find("4 test.adm:9: CONTACT/1: GRAPHICS/2 is "
                      "EXTERNAL, a Parasolid file"),
            std::string::npos);
  EXPECT_NE(message("GRAPHICS/2, PLANE, RM=20").find("which have no end, is not supported"),
            std::string::npos);
  EXPECT_NE(
      message("GRAPHICS/2, CYLINDER, CM=20, LENGTH=1").find("3 test.adm:8: GRAPHICS/2: RADIUS is missing"),
      std::string::npos);
  const std::string path = (std::filesystem::temp_directory_path() / "open.obj").string();
  std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_NE(message("GRAPHICS/2, EXTERNAL, RM=20, FILE=" + path).find("CONTACT/1: GRAPHICS/2: "),
            std::string::npos);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace trammel::contact_messages_test
