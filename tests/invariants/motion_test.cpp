// The same mechanism told in other words moves in the same way: other ids and order, another place in space,
// other units.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

#include "../support/simulate.h"

namespace trammel::motion_test {
namespace {

using namespace test;

/// How a deck is told.
struct Telling {
  std::function<int(int)> id = [](int k) { return k; };
  std::uint32_t shuffle = 0;       ///< seed of the statement order; 0: as written
  Mat3d turn = Mat3d::identity();  ///< x → place + turn x
  Vec3d place;
  double length = 1, mass = 1, force = 1;  ///< units per metre, kilogram, newton
  std::string units = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n";
};

/// Replaces every @number by its id.
std::string with_ids(const std::string& text, const Telling& t) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '@') {
      out += text[k];
      continue;
    }
    int number = 0;
    while (k + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[k + 1])))
      number = 10 * number + (text[++k] - '0');
    out += std::to_string(t.id(number));
  }
  return out;
}

/// A driven arm, a link on a universal joint, a body held by a bushing and a spring, a point mass on springs;
/// forces that read positions, velocities, states and a joint's reaction. Assembled and consistent as given.
std::string tell(const Telling& t) {
  Random random(5);
  const double L = t.length, M = t.mass, F = t.force;
  std::vector<std::string> s;
  const auto global = [&](const Vec3d& x) { return list(L * (t.place + t.turn * x)); };
  const auto axes = [&](const Mat3d& a) { return euler(t.turn * a); };
  const auto part = [&](int id, double mass, const Vec3d& origin, const Mat3d& frame, const Vec3d& ip,
                        const std::string& more) {
    s.push_back(
        fmt::format("PART/@{0}, MASS = {1:.17g}, CM = @{0}1\n, IP = {2}\n, QG = {3}\n, REULER = {4}\n{5}", id,
                    M * mass, list(M * L * L * ip), global(origin), axes(frame), more));
  };
  const auto on = [&](int id, const Vec3d& p, const Mat3d& a) {
    s.push_back(fmt::format("MARKER/@{}, PART = @{}\n, QP = {}\n, REULER = {}\n", id, id / 10, list(L * p),
                            euler(a)));
  };
  const Vec3d g = L * (t.turn * Vec3d{0.7, -9.81, 1.1});
  s.push_back(fmt::format("ACCGRAV/IGRAV = {:.17g}, JGRAV = {:.17g}, KGRAV = {:.17g}\n", g.x, g.y, g.z));
  s.push_back("PART/@1, GROUND\n");
  const Vec3d base{0.1, 0.2, 0.3}, anchor{2, 0.4, 0.5};
  const Mat3d base_axes = random.rotation();
  s.push_back(
      fmt::format("MARKER/@11, PART = @1\n, QP = {}\n, REULER = {}\n", global(base), axes(base_axes)));
  s.push_back(fmt::format("MARKER/@12, PART = @1\n, QP = {}\n, REULER = {}\n", global(anchor),
                          axes(random.rotation())));
  // Arm: its frame is that of the hinge.
  part(2, 2, base, base_axes, {0.2, 0.3, 0.25}, "");
  on(21, {0.5, 0.1, 0}, Mat3d::identity());
  on(22, {}, Mat3d::identity());
  const Mat3d cross_axes = random.rotation();
  on(23, {1, 0, 0.1}, cross_axes);
  // Link: z of 32 at right angles to z of 23, same point.
  const Vec3d joint = base + base_axes * Vec3d{1, 0, 0.1};
  const Mat3d link = base_axes * cross_axes * rotation_x(std::acos(0.0));
  part(3, 1.5, joint, link, {0.1, 0.2, 0.15}, "");
  on(31, {0.2, 0.3, 0}, Mat3d::identity());
  on(32, {}, Mat3d::identity());
  on(33, {0.4, 0.6, 0.1}, random.rotation());
  s.push_back("MARKER/@39, PART = @3, FLOATING\n");
  // Free body.
  const Vec3d v = L * (t.turn * Vec3d{0.3, -0.2, 0.4});
  part(4, 0.8, {1.2, 0.9, 0.3}, random.rotation(), {0.1, 0.12, 0.17},
       fmt::format(", VX = {:.17g}, VY = {:.17g}, VZ = {:.17g}, WX = 1, WY = 0.5, WZ = -2\n", v.x, v.y, v.z));
  on(41, {}, random.rotation());
  on(42, {0.2, 0.1, -0.1}, random.rotation());
  on(43, {-0.1, 0.3, 0.2}, random.rotation());
  s.push_back(
      fmt::format("POINT_MASS/@5, MASS = {:.17g}, CM = @51\n, QG = {}\n", M * 0.6, global({0.5, 1.2, 0.1})));
  s.push_back("MARKER/@51, POINT_MASS = @5\n");
  s.push_back("JOINT/@1, REVOLUTE, I = @22, J = @11\n");
  s.push_back("JOINT/@2, UNIVERSAL, I = @32, J = @23\n");
  s.push_back("MOTION/@1, JOINT = @1, FUNCTION = 0.3*(1-COS(2*TIME))\n");
  const auto triple = [](double scale, const Vec3d& x) { return list(scale * x); };
  s.push_back(fmt::format("BUSHING/@1, I = @42, J = @33\n, K = {}\n, C = {}\n, KT = {}\n, CT = {}\n",
                          triple(F / L, {90, 60, 75}), triple(F / L, {1, 2, 1.5}), triple(F * L, {2, 3, 1}),
                          triple(F * L, {0.1, 0.05, 0.07})));
  s.push_back(fmt::format(
      "SPRINGDAMPER/@1, TRANSLATION, I = @43, J = @12, K = {:.17g}, C = {:.17g}, LENGTH = {:.17g}\n",
      F / L * 70, F / L * 0.7, L * 0.5));
  s.push_back(fmt::format(
      "SPRINGDAMPER/@2, TRANSLATION, I = @51, J = @33, K = {:.17g}, C = {:.17g}, LENGTH = {:.17g}\n",
      F / L * 50, F / L * 0.4, L * 0.6));
  s.push_back(fmt::format("SPRINGDAMPER/@3, TRANSLATION, I = @11, J = @51, K = {:.17g}, LENGTH = {:.17g}\n",
                          F / L * 40, L * 0.8));
  s.push_back(fmt::format("VARIABLE/@1, FUNCTION = DX(@43,@11,@11)/{0:.17g}+VR(@43,@12)/{0:.17g}\n", L));
  s.push_back("DIFF/@1, IC = 0.2, FUNCTION = VARVAL(@1)-2*DIF(@1)\n");
  s.push_back(
      fmt::format("GFORCE/@1, I = @43, JFLOAT = @39, RM = @11\n, FX = {0:.17g}*SIN(3*TIME)\\\n, FY = "
                  "{0:.17g}*DIF(@1)\\\n, TZ = {1:.17g}*JOINT(@2,0,1,0)\n",
                  F * 2, L * 0.02));
  s.push_back(fmt::format("SFORCE/@1, ROTATION, I = @32, J = @23, FUNCTION = {:.17g}*WZ(@32,@23,@23)\n",
                          -0.05 * F * L));
  if (t.shuffle) {
    Random order(t.shuffle);
    for (std::size_t k = s.size() - 1; k > 0; --k)
      std::swap(s[k], s[static_cast<std::size_t>(order.uniform(0, static_cast<double>(k) + 1))]);
  }
  std::string deck = "title\n" + t.units;
  for (const std::string& line : s) deck += with_ids(line, t);
  // Fixed steps: the same instants in every telling. ERROR sets the corrector's tolerance, 1e-14.
  deck +=
      "INTEGRATOR/HHT, ERROR = 1E-11, ALPHA = -0.1, HINIT = 2E-3, HMIN = 2E-3, HMAX = 2E-3, PATTERN = "
      "T\nEND\n";
  return deck;
}

struct Told {
  explicit Told(const Telling& t) : telling(t), recording(tell(t)) {
    recording.simulation->run(dynamics_analysis, {1.0, 10});
  }
  std::string name(const std::string& type, int id) const {
    return type + "/" + std::to_string(telling.id(id));
  }
  const Telling telling;
  Recording recording;
};

/// Part positions and velocities, reactions, states: back in metres, newtons and the frame of the first
/// telling.
void expect_same_motion(const Told& a, const Told& b, double tolerance) {
  ASSERT_EQ(a.recording.time.size(), 11u);
  ASSERT_EQ(b.recording.time.size(), 11u);
  const auto back = [](const Told& x, const Vec3d& v, double unit) {
    return transpose(x.telling.turn) * ((1 / unit) * v);
  };
  const auto get = [&](const Told& x, std::size_t k, const char* type, int id, const char* c1, const char* c2,
                       const char* c3, double unit) {
    return back(x, x.recording.vector(k, x.name(type, id), c1, c2, c3), unit);
  };
  double moved = 0;
  for (std::size_t k = 0; k < 11; ++k) {
    for (int part = 2; part <= 4; ++part) {
      const auto place = [&](const Told& x) {
        return transpose(x.telling.turn) *
               ((1 / x.telling.length) * x.recording.vector(k, x.name("PART", part), "X", "Y", "Z") -
                x.telling.place);
      };
      EXPECT_LT(norm(place(a) - place(b)), tolerance) << "PART/" << part << " record " << k;
      const Vec3d va = get(a, k, "PART", part, "VX", "VY", "VZ", a.telling.length),
                  vb = get(b, k, "PART", part, "VX", "VY", "VZ", b.telling.length);
      EXPECT_LT(norm(va - vb), 10 * tolerance) << "PART/" << part << " record " << k;
      moved = std::max(moved, norm(va));
    }
    for (int joint = 1; joint <= 2; ++joint) {
      const Vec3d fa = get(a, k, "JOINT", joint, "FX", "FY", "FZ", a.telling.force),
                  fb = get(b, k, "JOINT", joint, "FX", "FY", "FZ", b.telling.force);
      EXPECT_LT(norm(fa - fb), 1e3 * tolerance)
          << "JOINT/" << joint << " record " << k;  // forces of 10 to 100 N
      const double ua = a.telling.force * a.telling.length, ub = b.telling.force * b.telling.length;
      const Vec3d ta = get(a, k, "JOINT", joint, "TX", "TY", "TZ", ua),
                  tb = get(b, k, "JOINT", joint, "TX", "TY", "TZ", ub);
      EXPECT_LT(norm(ta - tb), 1e3 * tolerance) << "JOINT/" << joint << " record " << k;
    }
  }
  EXPECT_GT(moved, 0.5);  // something happens
}

TEST(SameMotion, under_permutation_of_ids_and_statements) {
  const Told plain{Telling{}};
  for (std::uint32_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    std::map<int, int> ids;
    Telling t;
    std::vector<int> pool;
    for (int k = 1; k < 100; ++k) pool.push_back(k);
    for (std::size_t k = pool.size() - 1; k > 0; --k)
      std::swap(pool[k], pool[static_cast<std::size_t>(random.uniform(0, static_cast<double>(k) + 1))]);
    t.id = [pool](int k) { return pool[static_cast<std::size_t>(k - 1)]; };
    t.shuffle = seed + 10;
    // Other summation orders and pivots: rounding and the corrector's 1e-14, over 500 steps.
    expect_same_motion(plain, Told(t), 1e-9);
  }
}

TEST(SameMotion, under_rotation_and_translation_of_the_whole_model) {
  const Told plain{Telling{}};
  for (std::uint32_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    Telling t;
    t.turn = random.rotation();
    t.place = random.vector(5);
    // Bases of the angles turn with the model, so the discrete equations are the same up to rounding.
    expect_same_motion(plain, Told(t), 1e-9);
  }
}

TEST(SameMotion, in_other_units) {
  const Told plain{Telling{}};
  Telling mm;  // UCF 1000
  mm.length = 1000;
  mm.units = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n";
  expect_same_motion(plain, Told(mm), 1e-9);
  Telling tonne;
  tonne.length = 1000;
  tonne.mass = 1e-3;
  tonne.units = "UNITS/FORCE=NEWTON, MASS=TONNE, LENGTH=MILLIMETER, TIME=SECOND\n";
  expect_same_motion(plain, Told(tonne), 1e-9);
  Telling pounds;
  pounds.length = 1 / 0.0254;
  pounds.mass = 1 / 0.45359237;
  pounds.force = 1 / (0.45359237 * 9.80665);
  pounds.units = "UNITS/SYSTEM=IPS\n";
  expect_same_motion(plain, Told(pounds), 1e-9);
}

}  // namespace
}  // namespace trammel::motion_test
