// Constraints that hold for axes of one sense and for opposite ones: which of both assembly took is told.
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::opposite_markers_test {
namespace {

using namespace test;

/// The note on opposite axes of a part whose marker is turned from ground's, which a constraint holds; ""
/// without one.
std::string note_of(const std::string& constraint, const std::string& angles) {
  Recording r(
      "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\n"
      "PART/2,MASS=1,CM=3,IP=1,1,1\nMARKER/1,PART=1,REULER=0.4,0.8,1.1\nMARKER/2,PART=2,REULER=" +
      angles + "\nMARKER/3,PART=2\n" + constraint + ",I=2,J=1\nEND\n");
  for (const std::string& note : r.simulation->initialize().notes)
    if (note.find("opposite") != std::string::npos) return note;
  return "";
}

// Of 3-1-3 angles (ψ, θ, φ), φ + π is half a turn about z. One about x is R_z(ψ) R_x(θ) R_z(φ) R_x(π) =
// R_z(ψ + π) R_x(π − θ) R_z(π − φ), and both after each other are one about y.
constexpr const char* alike = "0.4,0.8,1.1";
constexpr const char* about_z = "0.4,0.8,4.24159265358979";
constexpr const char* about_x = "3.54159265358979,2.34159265358979,2.04159265358979";
constexpr const char* about_y = "3.54159265358979,2.34159265358979,-1.1";

TEST(OppositeMarkers, AreNamedWithTheAxisOfTheHalfTurn) {
  for (const char* constraint : {"JOINT/7,FIXED", "JOINT/7,TRANSLATIONAL", "JPRIM/7,ORIENTATION"}) {
    const std::string name = std::string(constraint).substr(0, std::string(constraint).find(','));
    EXPECT_EQ(note_of(constraint, alike), "") << constraint;
    for (const auto& [angles, axis] : {std::pair{about_x, "x"}, {about_y, "y"}, {about_z, "z"}}) {
      EXPECT_NE(
          note_of(constraint, angles).find(name + " (MARKER/2 half a turn about " + axis + " from MARKER/1)"),
          std::string::npos)
          << constraint << ", " << axis << ": " << note_of(constraint, angles);
    }
  }
}

// By a right angle from both, assembly decides: what is nearer.
TEST(OppositeMarkers, AreWhatIsNearerToTheDataset) {
  EXPECT_EQ(note_of("JOINT/7,FIXED", "0.4,0.8,2.5"), "");   // 80 degrees about z
  EXPECT_NE(note_of("JOINT/7,FIXED", "0.4,0.8,2.84"), "");  // 100 degrees
}

TEST(OppositeMarkers, OfJointsThatTurnAreNotNamed) {
  for (const char* joint : {"JOINT/7,REVOLUTE", "JOINT/7,CYLINDRICAL", "JOINT/7,PLANAR", "JOINT/7,SPHERICAL"})
    for (const char* angles : {alike, about_x, about_y, about_z})
      EXPECT_EQ(note_of(joint, angles), "") << joint;
}

}  // namespace
}  // namespace trammel::opposite_markers_test
