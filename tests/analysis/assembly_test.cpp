// Initial positions of mechanisms whose joints are broken: assembled, with every EXACT coordinate kept or
// told with how much it changed, or refused with the joints named.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "../support/random.h"
#include "../support/simulate.h"
#include "math/rotation.h"

namespace trammel::assembly_test {
namespace {

using namespace test;

/// A chain of bodies on spherical, universal, revolute and cylindrical joints, closed by ball joints on
/// ground or open, assembled at first; then every part is displaced and turned, and coordinates are EXACT.
class BrokenMechanism {
 public:
  explicit BrokenMechanism(unsigned seed) : random_(seed) {
    const int n = 1 + static_cast<int>(random_.uniform(1, 6));
    Vec3d at{};
    for (int b = 0; b < n; ++b) {
      const Vec3d end = at + random_.vector(1);
      add_part(b, at, end);
      at = end;
    }
    if (random_.uniform(0, 1) < 0.6) {
      ground(at, {}, 900);
      joints_ += fmt::format("JOINT/90,SPHERICAL,I={},J=900\n", 10 * (n + 1) + 2);
    }
  }
  std::string deck() const {
    return "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\n" + parts_ +
           joints_ + "END\n";
  }
  /// As given: part, coordinate (0 ... 5), value.
  struct Exact {
    int part, coordinate;
    double value;
  };
  std::vector<Exact> exact;

 private:
  void ground(const Vec3d& at, const Vec3d& angles, int id) {
    parts_ += fmt::format("MARKER/{},PART=1,QP={:.17g},{:.17g},{:.17g},REULER={:.17g},{:.17g},{:.17g}\n", id,
                          at.x, at.y, at.z, angles.x, angles.y, angles.z);
  }
  /// The part's frame lies in its first joint, which has the same axes in both bodies.
  void add_part(int b, const Vec3d& at, const Vec3d& end) {
    const int id = b + 2;
    const double size = norm(end - at);
    const Vec3d shift = 0.3 * size * random_.vector(1), turn = 0.3 * random_.vector(1);
    const Mat3d A = rotation_vector(turn);
    const Vec3d angles = angles_313(A), origin = at + shift;
    const Vec3d tip = end - at;  // assembled, the part's axes are those of ground
    std::string names;
    const char* words[] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};
    const double values[] = {origin.x, origin.y, origin.z, angles.x, angles.y, angles.z};
    for (int k = 0; k < 6; ++k) {
      if (random_.uniform(0, 1) > 0.06) continue;
      names += (names.empty() ? ",EXACT=" : ":") + std::string(words[k]);
      exact.push_back({id, k, values[k]});
    }
    parts_ += fmt::format(
        "PART/{0},QG={1:.17g},{2:.17g},{3:.17g},REULER={4:.17g},{5:.17g},{6:.17g},MASS=1,CM={7},IP=1,1,1{8}\n"
        "MARKER/{7},PART={0},QP={9:.17g},{10:.17g},{11:.17g}\n",
        id, origin.x, origin.y, origin.z, angles.x, angles.y, angles.z, 10 * id, names, tip.x / 2, tip.y / 2,
        tip.z / 2);
    const Vec3d axes = random_.vector(3);
    const bool universal = random_.uniform(0, 1) < 0.25;
    const char* types[] = {"SPHERICAL", "REVOLUTE", "CYLINDRICAL", "SPHERICAL"};
    const char* type = universal ? "UNIVERSAL" : types[static_cast<int>(random_.uniform(0, 4))];
    const auto marker = [&](int marker_id, int part, const Vec3d& p, const Vec3d& e) {
      parts_ += fmt::format("MARKER/{},PART={},QP={:.17g},{:.17g},{:.17g},REULER={:.17g},{:.17g},{:.17g}\n",
                            marker_id, part, p.x, p.y, p.z, e.x, e.y, e.z);
    };
    // The first axes of a universal joint are at right angles.
    const Mat3d own = rotation_313(axes);
    const Vec3d other = universal ? angles_313(own * rotation_vector({1.5707963267948966, 0, 0})) : axes;
    marker(10 * id + 1, id, {}, axes);
    marker(10 * id + 2, id, tip, {});
    marker(10 * id + 3, b == 0 ? 1 : id - 1, b == 0 ? at : last_tip_, other);
    last_tip_ = tip;
    joints_ += fmt::format("JOINT/{},{},I={},J={}\n", id, type, 10 * id + 1, 10 * id + 3);
  }

  Random random_;
  std::string parts_, joints_;
  Vec3d last_tip_{};
};

/// Text of the note about EXACT coordinates; "": none.
std::string note_of_exact(const Recording& r) {
  for (const std::string& note : r.simulation->report().notes)
    if (note.find("EXACT") != std::string::npos) return note;
  return {};
}

/// By how much a note says that a coordinate of a part has changed [length; rad]; 0: it does not name it.
double told(const std::string& note, int part, int coordinate, const char* name) {
  const std::size_t begin = note.find(fmt::format("PART/{}:", part));
  if (begin == std::string::npos) return 0;
  const std::string of_part = note.substr(begin, note.find_first_of(";", begin) - begin);
  const std::string words = fmt::format(" {} by ", name);
  const std::size_t at = of_part.find(words);
  if (at == std::string::npos) return 0;
  return std::stod(of_part.substr(at + words.size())) * (coordinate < 3 ? 1 : M_PI / 180);
}

/// Checks each EXACT coordinate of a result: kept, or told with the amount. Returns whether all are kept.
bool check_exact(const BrokenMechanism& model, const Recording& r) {
  constexpr const char* names[] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};
  constexpr double rounding =
      1e-11;  // of some ten corrections of parts of 1 m, at angles of 0.1 rad and more
  const std::string note = note_of_exact(r);
  bool all = true;
  for (const BrokenMechanism::Exact& e : model.exact) {
    const char* name = names[e.coordinate];
    const double now = r.at(0, fmt::format("PART/{}", e.part), name);
    const double change = e.coordinate < 3 ? now - e.value : std::remainder(now - e.value, 2 * M_PI);
    const double said = told(note, e.part, e.coordinate, name);
    EXPECT_NEAR(change, said, rounding + 1e-5 * std::abs(change)) << e.part << name << " " << note;
    all = all && said == 0;
  }
  EXPECT_EQ(all, note.empty()) << note;
  return all;
}

TEST(Assembly, broken_mechanisms_are_assembled_or_refused_by_name) {
  int assembled = 0, with_exact = 0, kept = 0;
  std::vector<unsigned> seeds(1000);
  std::iota(seeds.begin(), seeds.end(), 0u);
  // Of 40,000, those whose iteration leaves out a row on the way that does not depend on others at its end,
  // and misses there by up to 0.08 where it does not go on.
  for (const unsigned seed :
       {8014, 8024, 8606, 10699, 11202, 11731, 11846, 16450, 20324, 30501, 30893, 31187, 33116, 38340})
    seeds.push_back(seed);
  // And those where an EXACT coordinate moves by 1e-8 to 2e-6 where it is held back and not drawn.
  for (const unsigned seed : {3688, 12824, 26825, 37419}) seeds.push_back(seed);
  for (const unsigned seed : seeds) {
    SCOPED_TRACE(seed);
    const BrokenMechanism model(seed);
    Recording r(model.deck());
    try {
      r.simulation->run(initial_analysis);
    } catch (const Failure& failure) {
      ASSERT_EQ(failure.code(), ExitCode::solver);
      ASSERT_NE(std::string(failure.what()).find("JOINT/"), std::string::npos) << failure.what();
      continue;
    }
    ++assembled;
    std::vector<double> phi(r.simulation->model().multipliers);
    Assembler& assembler = r.simulation->assembler();
    assembler.evaluate_constraints(r.simulation->state(), in_dynamics);
    assembler.constraints(r.simulation->state(), ConstraintLevel::position, phi);
    for (const double x : phi) ASSERT_NEAR(x, 0, 1e-9);
    with_exact += !model.exact.empty();
    kept += check_exact(model, r) && !model.exact.empty();
    if (testing::Test::HasFailure()) return;
  }
  // All but four of those in the lists can be assembled; of two thirds EXACT asks for what joints allow.
  EXPECT_GE(assembled, 1014);
  EXPECT_GT(kept, 0.65 * with_exact);
  RecordProperty("assembled", assembled);
  RecordProperty("with_exact", with_exact);
  RecordProperty("kept", kept);
}

/// Centres of the parts of a deck after assembly.
std::vector<double> assembled(const std::string& deck) {
  Recording r(deck);
  r.simulation->initialize();
  r.simulation->run(initial_analysis);
  std::vector<double> places;
  for (const char* part : {"PART/2", "PART/3", "PART/4"})
    for (const char* coordinate : {"X", "Y"}) places.push_back(r.at(0, part, coordinate));
  return places;
}

// A joint's initial velocity is a row beside the joint's own; it does not make its arms count twice in the
// length by which turns are weighed against displacements.
TEST(Assembly, initial_velocities_move_no_part) {
  const std::string four_bar =
      "four-bar that does not "
      "close\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\n"
      "MARKER/11,PART=1\nMARKER/12,PART=1,QP=2,0,0\n"
      "PART/2,MASS=1,CM=20,IP=.1,.1,.1\nMARKER/20,PART=2,QP=.2,.1,0\nMARKER/21,PART=2\nMARKER/"
      "22,PART=2,QP=.4,0,0\n"
      "PART/3,MASS=1,CM=30,IP=.1,.1,.1,QG=.45,0,0,REULER=.9,0,0\nMARKER/30,PART=3,QP=1,0,0\nMARKER/"
      "31,PART=3\n"
      "MARKER/32,PART=3,QP=2,0,0\n"
      "PART/4,MASS=1,CM=40,IP=.1,.1,.1,QG=2,0,0,REULER=1.7,0,0\nMARKER/40,PART=4,QP=.8,0,0\nMARKER/"
      "41,PART=4\n"
      "MARKER/42,PART=4,QP=1.6,0,0\n"
      "JOINT/2,REVOLUTE,I=31,J=22\nJOINT/3,REVOLUTE,I=32,J=42\nJOINT/4,REVOLUTE,I=41,J=12\n"
      "JOINT/1,REVOLUTE,I=21,J=11";
  const std::vector<double> still = assembled(four_bar + "\nEND\n"),
                            moving = assembled(four_bar + ",IC=3\nEND\n");
  ASSERT_EQ(still.size(), moving.size());
  for (std::size_t k = 0; k < still.size(); ++k) EXPECT_NEAR(still[k], moving[k], 1e-12) << k;  // rounding
}

}  // namespace
}  // namespace trammel::assembly_test
