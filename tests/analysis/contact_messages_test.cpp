// Shapes and contacts with one mistake each, and the message that is expected for it.
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel {
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

/// A picture needs no solid.
TEST(ContactMessages, shapes_of_no_contact_are_pictures) {
  EXPECT_EQ(message_of("GRAPHICS/2, EXTRUSION, RM=20, PATH=20,21\nGRAPHICS/3, REVOLUTION, RM=20, SIDES=1"),
            "");
}

}  // namespace
}  // namespace trammel
