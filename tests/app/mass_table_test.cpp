// `info --mass`: what the shapes of a deck weigh, beside its parts.
#include <gtest/gtest.h>

#include "support.h"

using namespace trammel_test;

namespace mass_table_test {
namespace {

/// A ball of radius 1 with a box of 1 × 2 × 3 three above it, on a part whose marker 20 at its centre of mass
/// is turned by 90 degrees about z from the part.
constexpr const char* deck =
    "masses\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
    "PART/2, MASS=100, IP=1,2,3, CM=20\nMARKER/20, PART=2, REULER=90D,0,0\n"
    "MARKER/21, PART=2, QP=-0.5,-1,1.5\nGRAPHICS/1, PLANE, RM=10\n"
    "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=2, YSCALE=2, ZSCALE=2\nGRAPHICS/3, BOX, CORNER=21, X=1, Y=2, Z=3\n"
    "GRAPHICS/4, CYLINDER, CM=20, LENGTH=1\nGRAPHICS/5, CIRCLE, CM=20, RADIUS=1\nEND\n";

TEST(MassTable, volumes_and_masses) {
  Folder f;
  f.write("deck.adm", deck);
  const Outcome plain = run(f, {"info", "deck.adm", "--mass"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  const auto has = [](const Outcome& o, const std::string& text) {
    EXPECT_NE(o.out.find(text), std::string::npos) << text << "\n" << o.out;
  };
  // 4π/3, and 2/5 of it; 6 (y² + z²)/12 and so on; the axes of marker 20 are not those of the part.
  has(plain, "  PART/2: MASS=100, IP=2, 1, 3\n");
  has(plain,
      "    GRAPHICS/2 ELLIPSOID     volume 4.18879, centroid 0, 0, 0, inertia 1.67552, 1.67552, 1.67552\n");
  has(plain, "    GRAPHICS/3 BOX           volume 6, centroid 0, 0, 3, inertia 6.5, 5, 2.5\n");
  has(plain,
      "    GRAPHICS/4 CYLINDER      no volume: GRAPHICS/4: RADIUS is missing, and its volume needs it\n");
  has(plain, "    together                 volume 10.1888, centroid 0, 0, 1.76665, ");
  // 6.5 + 6·9 + 1.67552 and so on.
  has(plain, "    about the centre of mass 62.1755, 60.6755, 4.17552\n");
  has(plain, "    MASS over volume: 9.81471\n");
  EXPECT_EQ(plain.out.find("GRAPHICS/5"), std::string::npos);
  EXPECT_EQ(plain.out.find("GRAPHICS/1"), std::string::npos);
  const Outcome dense = run(f, {"info", "deck.adm", "--mass", "--density", "2"});
  has(dense, "    GRAPHICS/3 BOX           volume 6, mass 12, centroid 0, 0, 3, inertia 13, 10, 5\n");
  has(dense, "    MASS=100 is 4.91 times that of its shapes at density 2\n");
  // What is nearly right is no news.
  EXPECT_EQ(run(f, {"info", "deck.adm", "--mass", "--density", "9"}).out.find(" times "), std::string::npos);
  EXPECT_NE(run(f, {"info", "deck.adm", "--density", "9"}).code, 0);
}

}  // namespace
}  // namespace mass_table_test
