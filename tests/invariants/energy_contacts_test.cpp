// Contacts take energy and do not make it: bounces of every pair of shapes, heaps of balls and of other
// shapes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "../support/model_decks.h"
#include "../support/random.h"
#include "energy_account.h"

namespace trammel::energy_contacts_test {
namespace {

using namespace test;

const char* const head =
    "energy\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n";

/// Of a tenth of a metre, about the marker ID0.
const std::map<std::string, const char*> shapes = {
    {"ball", "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.1, YSCALE=0.1, ZSCALE=0.1\n"},
    {"ellipsoid", "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.14, YSCALE=0.08, ZSCALE=0.1\n"},
    {"box",
     "MARKER/{0}1, PART={0}, QP=-0.05,-0.03,-0.04\nGRAPHICS/{0}, BOX, CORNER={0}1, X=0.1, Y=0.06, Z=0.08\n"},
    {"cylinder",
     "MARKER/{0}1, PART={0}, QP=0,0,-0.04\nGRAPHICS/{0}, CYLINDER, CM={0}1, LENGTH=0.08, RADIUS=0.04\n"},
    {"frustum",
     "MARKER/{0}1, PART={0}, QP=0,0,-0.04\nGRAPHICS/{0}, FRUSTUM, CM={0}1, LENGTH=0.08, TOP=0.03, "
     "BOTTOM=0.05\n"},
    {"torus", "GRAPHICS/{0}, TORUS, CM={0}0, MAJOR=0.04, MINOR=0.02\n"}};

std::string body(int id, const Vec3d& at, const Vec3d& v, const std::string& shape, Random& random) {
  const Vec3d w = random.vector(3);
  return fmt::format("PART/{0}, MASS=1, IP=0.001,0.0012,0.0016, CM={0}0\n, QG={1}\n, REULER={2}\n", id,
                     list(at), euler(random.rotation())) +
         fmt::format(", VX={:.17g}, VY={:.17g}, VZ={:.17g}, WX={:.17g}, WY={:.17g}, WZ={:.17g}\n", v.x, v.y,
                     v.z, w.x, w.y, w.z) +
         fmt::format("MARKER/{0}0, PART={0}\n", id) + fmt::format(fmt::runtime(shapes.at(shape)), id);
}

struct Motion {
  Motion(const std::string& text, const std::string& integrator, double end, int outputs)
      : deck(with_integrator(text, integrator)), recording(deck) {
    recording.simulation->run(dynamics_analysis, {end, outputs});
    account = std::make_unique<EnergyAccount>(deck, recording);
  }
  std::size_t records() const { return recording.time.size(); }
  bool touching(std::size_t n) const { return !recording.incidents[n].empty(); }
  double largest_kinetic() const {
    double most = 0;
    for (std::size_t n = 0; n < records(); ++n) most = std::max(most, account->kinetic(n));
    return most;
  }
  /// Without what contacts store.
  double mechanical(std::size_t n) const { return account->total(n) - account->contacts(n); }

  const std::string deck;
  Recording recording;
  std::unique_ptr<EnergyAccount> account;
};

/// What one body gains that falls on another, or on the ground, over the kinetic energy before: a contact
/// from its begin to its end. No number where they still touch at the end.
double bounce(const char* a, const char* b, const char* law, const char* integrator, Random& random) {
  const bool on_ground = std::string(b) == "plane";
  std::string deck = head + body(2, {0, 0, on_ground ? 0.1 : 0.16}, {0.2, 0.1, -1}, a, random);
  deck += on_ground ? "GRAPHICS/3, PLANE, RM=1\n" : body(3, random.vector(0.01), {}, b, random);
  const Motion run(deck + fmt::format("CONTACT/1, IGEOM=2, JGEOM=3, {}\nEND\n", law), integrator, 0.15, 150);
  const std::size_t last = run.records() - 1;
  bool touched = false;
  for (std::size_t n = 0; n <= last; ++n) touched |= run.touching(n);
  if (!touched || run.touching(last)) return NAN;
  return (run.account->total(last) - run.account->total(0)) / run.account->kinetic(0);
}

struct Pair {
  const char *a, *b;
};
const Pair of_balls[] = {
    {"ball", "plane"}, {"ball", "box"}, {"ball", "cylinder"}, {"ball", "torus"}, {"ball", "ellipsoid"}};
const Pair of_others[] = {{"ellipsoid", "plane"}, {"box", "plane"},           {"cylinder", "plane"},
                          {"frustum", "plane"},   {"torus", "plane"},         {"box", "box"},
                          {"cylinder", "box"},    {"ellipsoid", "ellipsoid"}, {"torus", "box"}};
constexpr int bounces = 12;

/// The depth of a ball is a distance, whose gradient is the normal: without damping its force has a
/// potential.
TEST(Energy, stays_when_balls_bounce_without_damping) {
  constexpr const char* law = "IMPACT, STIFFNESS=1E6, EXPONENT=1.5, DAMPING=0, DMAX=1E-4";
  for (const Pair& pair : of_balls) {
    SCOPED_TRACE(std::string(pair.a) + " " + pair.b);
    double coarse = 0, fine = 0;
    Random at_coarse(11), at_fine(11);
    for (int n = 0; n < bounces; ++n) {
      coarse = std::max(coarse, std::fabs(bounce(pair.a, pair.b, law, "RADAU, ERROR=1E-6", at_coarse)));
      fine = std::max(fine, std::fabs(bounce(pair.a, pair.b, law, "RADAU, ERROR=1E-10", at_fine)));
    }
    // Steps end where solids meet and part, where their error is that of a law with a corner: it falls more
    // slowly.
    EXPECT_LT(coarse, 2e-4);
    EXPECT_LT(fine, 2e-6);
    EXPECT_LT(fine, 0.3 * coarse);
  }
}

/// Over a whole contact. Between shapes other than balls the point of the force moves about on the body, and
/// what is stored depends on the way there as well (theory.md, 13): without damping there is no law for each
/// bounce.
TEST(Energy, of_damped_bounces_is_lost) {
  for (const char* law :
       {"IMPACT, STIFFNESS=1E6, EXPONENT=1.5, DAMPING=100, DMAX=1E-4",
        "IMPACT, STIFFNESS=1E6, EXPONENT=1.5, DAMPING=100, DMAX=1E-4\n, COULOMB_FRICTION=ON, "
        "MU_STATIC=0.5, MU_DYNAMIC=0.4\n, STICTION_TRANSITION_VELOCITY=0.01, "
        "FRICTION_TRANSITION_VELOCITY=0.05"}) {
    const auto compare = [&](const Pair& pair) {
      SCOPED_TRACE(std::string(pair.a) + " " + pair.b);
      Random random(11);
      int over = 0;
      for (int n = 0; n < bounces; ++n) {
        const double gain = bounce(pair.a, pair.b, law, "GSTIFF, SI2, ERROR=1E-6", random);
        if (std::isnan(gain)) continue;
        ++over;
        EXPECT_LT(gain, 0) << n;
      }
      EXPECT_GE(over, bounces / 3);
    };
    for (const Pair& pair : of_balls) compare(pair);
    for (const Pair& pair : of_others) compare(pair);
  }
}

/// Five bodies that fall into a pit of five planes; a CONTACT for each two.
std::string heap(const std::array<const char*, 5>& kinds, const std::string& law) {
  constexpr const char* walls[] = {"0,0,0", "90D,50D,0", "-90D,50D,0", "180D,50D,0", "0,50D,0"};
  Random random(3);
  std::string deck = std::string(head) + "ACCGRAV/KGRAV=-9.81\n";
  std::vector<int> others;
  for (int k = 0; k < 5; ++k) {
    deck += fmt::format("MARKER/{0}, PART=1, REULER={1}\nGRAPHICS/{0}, PLANE, RM={0}\n", 501 + k, walls[k]);
    others.push_back(501 + k);
  }
  int contacts = 0;
  for (int k = 0; k < 5; ++k) {
    const Vec3d at = Vec3d{0, 0, 0.12 + 0.13 * k} + random.vector(0.02);
    deck += body(10 + k, at, random.vector(0.5), kinds[k], random);
    for (const int j : others)
      deck += fmt::format("CONTACT/{}, IGEOM={}, JGEOM={}, {}\n", ++contacts, 10 + k, j, law);
    others.push_back(10 + k);
  }
  return deck + "END\n";
}

const char* const normal_laws[] = {"IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=30, DMAX=1E-3",
                                   "POISSON, PENALTY=1E5, RESTITUTION_COEFFICIENT=0.6"};
const char* const coulomb =
    "\n, COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.4\n, STICTION_TRANSITION_VELOCITY=0.01, "
    "FRICTION_TRANSITION_VELOCITY=0.05";
const char* const stiction = ", STICTION=ON, MAX_STICTION_DEFORMATION=1E-4";

const std::string frictions[] = {"", coulomb, std::string(coulomb) + stiction};

/// The most that friction takes is none with a creep: that gives back what it stored.
void expect_friction_to_brake(const Motion& run) {
  for (std::size_t n = 0; n < run.records(); ++n)
    EXPECT_LE(run.account->contact_power(n, &ContactIncident::friction), 0) << run.recording.time[n];
}

struct Method {
  const char* name;
  double most;  ///< growth at ERROR = 1E-8 over the largest kinetic energy; HHT's is of lower order
};
const Method methods[] = {{"GSTIFF, SI2", 1e-8}, {"HHT", 5e-5}, {"RADAU", 1e-8}};

TEST(Energy, of_heaps_of_balls_does_not_grow) {
  for (const std::string law : normal_laws)
    for (const std::string& friction : frictions)
      for (const Method& method : methods) {
        SCOPED_TRACE(law + friction + " by " + method.name);
        double grown[2];
        for (const bool fine : {false, true}) {
          const std::string deck = heap({"ball", "ball", "ball", "ball", "ball"}, law + friction);
          const Motion run(deck, std::string(method.name) + (fine ? ", ERROR=1E-8" : ", ERROR=1E-5"), 0.5,
                           500);
          const Growth growth = growth_of(*run.account, run.records());
          grown[fine] = growth.grown;
          EXPECT_GT(growth.lost, 0.5);
          if (friction.find(stiction) == std::string::npos) expect_friction_to_brake(run);
        }
        EXPECT_LE(grown[1], method.most);
        EXPECT_LE(grown[1], std::max(1e-9, 0.1 * grown[0]));
      }
}

/// The power of the forces at the outputs, summed over them, is what the bodies have lost. By the trapezoidal
/// rule: a contact of some milliseconds has fifty outputs, h²/12 of the force's second derivative and the
/// kinks at its ends are some 1e-4 of each, over tens of contacts.
TEST(Energy, of_heaps_of_shapes_is_the_work_of_their_contacts) {
  for (const std::string law : normal_laws)
    for (const std::string& friction : frictions) {
      SCOPED_TRACE(law + friction);
      const Motion run(heap({"ball", "box", "ellipsoid", "cylinder", "box"}, law + friction),
                       "GSTIFF, SI2, ERROR=1E-6", 0.5, 5000);
      EXPECT_LT(imbalance_of(*run.account, run.recording), 1.5e-3);
      const double rounding = 1e-12 * run.largest_kinetic();
      for (std::size_t n = 1; n < run.records(); ++n)
        EXPECT_LE(run.mechanical(n), run.mechanical(0) + rounding) << run.recording.time[n];
      EXPECT_LT(run.mechanical(run.records() - 1), run.mechanical(0) - 0.5 * run.largest_kinetic());
      if (friction.find(stiction) == std::string::npos) expect_friction_to_brake(run);
    }
}

}  // namespace
}  // namespace trammel::energy_contacts_test
