// CONTACT with shapes that are fixed to nodes of flexible bodies: against forces between the same markers.
#include <gtest/gtest.h>

#include "../support/beam_body.h"
#include "../support/simulate.h"
#include "flexible/modal_file.h"

namespace trammel::flexible_contact_test {
namespace {

using namespace test;

/// A beam that is held at one end, and a ball that falls on the other.
class FlexibleContact : public testing::Test {
 protected:
  const Beam beam{.elements = 6};
  const TemporaryFile file{"contact.mtx", write_mtx(modes_of(beam, {1, 7}, 4))};
  const std::string head =
      "contact\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "FLEX_BODY/2, MNF_FILE=" +
      file.path() +
      "\nMARKER/21, FLEX_BODY=2, NODE_ID=1\nMARKER/22, FLEX_BODY=2, NODE_ID=7\nJOINT/1, FIXED, I=21, J=1\n" +
      fmt::format("PART/3, MASS=0.2, IP=1E-4,1E-4,1E-4, CM=30, VY=-0.5, QG={:.17g},0.031,0.002\n",
                  beam.length) +
      "MARKER/30, PART=3\nINTEGRATOR/RADAU, ERROR=1E-11\n"
      "GRAPHICS/1, ELLIPSOID, CM=30, XSCALE=0.04, YSCALE=0.04, ZSCALE=0.04\n"
      "GRAPHICS/2, ELLIPSOID, CM=22, XSCALE=0.02, YSCALE=0.02, ZSCALE=0.02\n";
  const std::string law = ", STIFFNESS=1E5, EXPONENT=1.5, DAMPING=10, DMAX=1E-4";
  static constexpr const char* tip = "REQUEST/1, F2=DY(22,1)\\, F3=DZ(22,1)\\, F4=DY(30,1)\nEND\n";

  std::unique_ptr<Recording> run(const std::string& contact) {
    auto r = std::make_unique<Recording>(head + contact + tip);
    r->simulation->run(dynamics_analysis, {0.04, 20});
    return r;
  }
};

/// Two balls push each other along the line of their middles, as IMPACT of their distance does; the ball that
/// is fixed to the node goes with it.
TEST_F(FlexibleContact, of_balls_is_impact_of_their_distance) {
  const auto force =
      run("SFORCE/1, TRANSLATION, I=30, J=22, FUNCTION=IMPACT(DM(30,22),VR(30,22),0.03,1E5,1.5,10,1E-4)\n");
  double deflected = 0, back = -1;
  for (std::size_t n = 0; n < force->time.size(); ++n) {
    deflected = std::max(deflected, std::fabs(force->at(n, "REQUEST/1", "F2")));
    back = force->at(n, "PART/3", "VY");
  }
  EXPECT_GT(deflected, 1e-4);
  EXPECT_GT(back, -0.45);  // it was struck
  // The list of one CONTACT, of either order, and a CONTACT of more than two bodies.
  for (const std::string& contact : std::vector<std::string>{
           "CONTACT/1, IGEOM=1, JGEOM=2" + law + "\n", "CONTACT/1, IGEOM=2, JGEOM=1" + law + "\n",
           "PART/4, MASS=1, IP=1,1,1, CM=40, QG=0,5,0\nMARKER/40, PART=4\nGRAPHICS/4, POINT, RM=40\n"
           "CONTACT/1, IGEOM=1,2,4, JGEOM=1,2,4" +
               law + "\n"}) {
    const auto r = run(contact);
    for (std::size_t n = 0; n < r->time.size(); ++n)
      for (const char* f : {"F2", "F3", "F4"})
        // Both follow ERROR, which a blow of 0.5 m/s magnifies by a few; without the node's motion 1e-3.
        EXPECT_NEAR(r->at(n, "REQUEST/1", f), force->at(n, "REQUEST/1", f), 2e-7) << contact << n << " " << f;
  }
}

TEST_F(FlexibleContact, what_it_cannot_take_is_told) {
  const auto message = [&](const std::string& contact) {
    try {
      run(contact);
    } catch (const Failure& failure) {
      return fmt::format("{} {}", static_cast<int>(failure.code()), failure.what());
    }
    return std::string();
  };
  EXPECT_NE(message("GRAPHICS/3, POINT, RM=21\nCONTACT/1, IGEOM=3, JGEOM=2" + law + "\n")
                .find("3 test.adm:15: CONTACT/1: the shapes of IGEOM and JGEOM are on one body; contact is "
                      "between two"),
            std::string::npos);
  EXPECT_NE(
      message("GRAPHICS/3, POINT, RM=21\nCONTACT/1, IGEOM=1, JGEOM=2,3" + law + "\n")
          .find("4 test.adm:15: CONTACT/1: GRAPHICS/2 and GRAPHICS/3 of JGEOM are at different markers of "
                "FLEX_BODY/2, which move against each other; give a CONTACT for each"),
      std::string::npos);
  EXPECT_NE(
      message("GRAPHICS/3, CIRCLE, CM=30, RADIUS=1\nGRAPHICS/4, POINT, RM=22\n"
              "CONTACT/1, IGEOM=3, JGEOM=4" +
              law + "\n")
          .find("4 test.adm:16: CONTACT/1: GRAPHICS/3 is CIRCLE, in a plane, and no shape of a FLEX_BODY "
                "touches it"),
      std::string::npos);
}

}  // namespace
}  // namespace trammel::flexible_contact_test
