// Dampers, friction of joints, bushings and beams take energy: two parts that tumble, joined by one of them.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "../support/model_decks.h"
#include "energy_account.h"

namespace trammel::energy_elements_test {
namespace {

using namespace test;

struct Row {
  const char* name;
  const char* elements;
  double slow = 1;  ///< times the velocities: small deformations
  /// Growth that stays at any ERROR: laws of projected angles have a potential for small ones only; creep
  /// gives back what it stored, 1e-5 with a tenth of this MAX_STICTION_DEFORMATION.
  double left = 0;
};
const char* const friction =
    "MU_STATIC=0.5, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=0.01, MAX_STICTION_DEFORMATION=1E-3\n"
    ", PIN_RADIUS=0.05, BALL_RADIUS=0.05, FRICTION_ARM=0.05, INITIAL_OVERLAP=2\n";
const Row rows[] = {
    {"spring and damper", "SPRINGDAMPER/1, TRANSLATION, I=22, J=30, K=500, C=2, LENGTH=0.3\n"},
    {"spring", "SPRINGDAMPER/1, TRANSLATION, I=22, J=30, K=500, LENGTH=0.3\n"},
    {"torsion", "JOINT/1, REVOLUTE, I=21, J=31\nSPRINGDAMPER/1, ROTATION, I=21, J=31, KT=30, CT=0.1\n", 0.3},
    {"bushing", "BUSHING/1, I=21, J=31, K=4E4,3E4,5E4, C=4,3,5, KT=5E3,5E3,5E3, CT=0.5,0.5,0.5\n", 0.1, 2e-5},
    {"beam",
     "BEAM/1, I=23, J=31, LENGTH=0.5, AREA=1E-4, IXX=2E-9, IYY=1E-9, IZZ=1.5E-9, EMODULUS=2E11, "
     "GMODULUS=8E10\n"
     ", CRATIO=1E-4\n",
     0.1, 2e-5},
    {"friction REVOLUTE", "JOINT/1, REVOLUTE, I=21, J=31\nFRICTION/1, JOINT=1, ", 1, 2e-4},
    {"friction TRANSLATIONAL", "JOINT/1, TRANSLATIONAL, I=21, J=31\nFRICTION/1, JOINT=1, ", 1, 2e-4},
    {"friction CYLINDRICAL", "JOINT/1, CYLINDRICAL, I=21, J=31\nFRICTION/1, JOINT=1, ", 1, 2e-4},
    {"friction SPHERICAL", "JOINT/1, SPHERICAL, I=21, J=31\nFRICTION/1, JOINT=1, ", 1, 2e-4},
    {"friction HOOKE", "JOINT/1, HOOKE, I=21, J=31\nFRICTION/1, J_YOKE, JOINT=1, ", 1, 2e-4},
};

std::string pair_of(const Row& row) {
  const double v = row.slow;
  return "pair\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/9, "
         "PART=1\n" +
         fmt::format("PART/2, MASS=2, CM=20, IP=0.2,0.3,0.4, WX={}, WY={}, WZ={}, VX={}\n", 3 * v, -2 * v,
                     5 * v, v) +
         "MARKER/20, PART=2, QP=0.1,0.2,0\nMARKER/21, PART=2, REULER=10D,20D,30D\nMARKER/22, PART=2, "
         "QP=0.5,0,0.1\n" +
         "MARKER/23, PART=2, QP=" + list(0.5 * turned_313({M_PI / 18, M_PI / 9, M_PI / 6}).column(0)) +
         "\n, REULER=10D,20D,30D\n" +
         fmt::format("PART/3, MASS=1, CM=30, IP=0.1,0.2,0.15, WX={}, VZ={}\n", -v, v) +
         "MARKER/30, PART=3, QP=-0.2,0.1,0.1\nMARKER/31, PART=3, REULER=10D,20D,30D\n" + row.elements +
         (std::string(row.name).starts_with("friction") ? friction : "") + "END\n";
}

TEST(Energy, is_taken_by_dampers_and_friction) {
  for (const Row& row : rows)
    for (const char* method : {"GSTIFF, SI2", "HHT", "RADAU"}) {
      SCOPED_TRACE(std::string(row.name) + " by " + method);
      double grown[2], lost = 0;
      for (const bool fine : {false, true}) {
        const std::string deck =
            with_integrator(pair_of(row), std::string(method) + (fine ? ", ERROR=1E-9" : ", ERROR=1E-6"));
        Recording run(deck);
        run.simulation->run(dynamics_analysis, {1, 200});
        const Growth growth = growth_of(EnergyAccount(deck, run), run.time.size());
        grown[fine] = growth.grown, lost = growth.lost;
      }
      EXPECT_LT(grown[0], 2e-3);
      EXPECT_LE(grown[1],
                row.left + std::max(1e-9, 0.1 * grown[0]));  // falls as HHT's error does, and faster
      EXPECT_GT(lost, std::string(row.name) == "spring" ? -1e-6 : 0.01);
    }
}

}  // namespace
}  // namespace trammel::energy_elements_test
