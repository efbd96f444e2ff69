// Normal forces of contacts by user code (tests/user_contact): the same motion as by the program's own laws,
// and what is said where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "../assemble/check_tangent.h"
#include "../support/simulate.h"
#include "assemble/device_assembler.h"

namespace trammel::user_contact_test {
namespace {

using namespace test;

const std::string library = TRAMMEL_USER_CODE "/user_contact";

/// A ball of radius 0.1 and mass 2 on the plane z = 0.
std::string deck(const std::string& start, const std::string& law, const std::string& more = "") {
  return "user code\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
         "MARKER/1, PART=1\nGRAPHICS/1, PLANE, RM=1\nPART/2, MASS=2, IP=0.008,0.008,0.008, CM=20, " +
         start +
         "\nMARKER/20, PART=2\nGRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
         "CONTACT/7, IGEOM=2, JGEOM=1, " +
         law + "\n" + more + "END\n";
}
std::string user(const std::string& numbers, const std::string& function) {
  return fmt::format("NORMAL_FUNCTION=USER({})\\\n, NORMAL_ROUTINE={}{}{}", numbers, library,
                     function.empty() ? "" : "::", function);
}
/// What a deck is refused with.
std::string refusal(const std::string& text, ExitCode code = ExitCode::input) {
  try {
    Recording r(text, "folder/of/test.adm");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), code) << failure.what();
    return failure.what();
  }
  return "accepted";
}
void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas not: " << part;
}

constexpr const char* coulomb =
    "\n, COULOMB_FRICTION=ON, MU_STATIC=0.3, MU_DYNAMIC=0.25, STICTION_TRANSITION_VELOCITY=0.01"
    ", FRICTION_TRANSITION_VELOCITY=0.05";

TEST(UserContact, impact_in_user_code_moves_as_impact) {
  // Where damping takes all of IMPACT's force a step ends, which of user code is not known: damped the same
  // steps are prescribed.
  const struct {
    const char* method;
    double damping;
  } cases[] = {{"RADAU, ERROR=1E-10", 0},
               {"GSTIFF, SI2, ERROR=1E-8", 0},
               {"ABAM, ERROR=1E-10", 0},
               {"HHT, ERROR=1E-9, HINIT=1E-4, HMIN=1E-4, HMAX=1E-4", 100},
               {"HHT, ERROR=1E-9, HINIT=2E-5, HMIN=2E-5, HMAX=2E-5", 3}};
  for (const auto& c : cases) {
    const std::string more = fmt::format("ACCGRAV/KGRAV=-9.81\nINTEGRATOR/{}\n", c.method);
    const auto run = [&](const std::string& law) {
      auto r = std::make_unique<Recording>(deck("QG=0,0,0.15, VX=1, WZ=2", law + coulomb, more));
      r->simulation->run(dynamics_analysis, {0.4, 40});
      return r;
    };
    const auto own =
        run(fmt::format("IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING={}, DMAX=1E-3", c.damping));
    // By C's interface by name and without, and by Fortran's.
    for (const char* function : {"Cnfsub", "", "cnfsub", "CNFSUB"}) {
      SCOPED_TRACE(std::string(c.method) + " " + function);
      const auto by_user = run(user(fmt::format("1E5,1.5,{},1E-3", c.damping), function));
      double deepest = 0;
      for (std::size_t n = 0; n < own->time.size(); ++n) {
        for (const char* x : {"X", "Z", "VX", "VZ", "WY"})
          EXPECT_NEAR(by_user->at(n, "PART/2", x), own->at(n, "PART/2", x), 1e-9) << x << " " << n;
        deepest = std::max(deepest, own->at(n, "CONTACT/7", "DEPTH"));
      }
      EXPECT_GT(deepest, 1e-3);
    }
  }
}

/// The law of docs/user_code.md, F = k g^e (1 + a ġ): from speed v a body comes back with u,
/// log((1 + a v)/(1 − a u)) = a (v + u), whatever k, e and the mass.
TEST(UserContact, the_pages_law_gives_back_what_it_says) {
  for (const double speed : {0.1, 1.0, 3.0}) {
    constexpr double a = 0.2;
    Recording r(deck(fmt::format("QG=0,0,0.101, VZ={}", -speed), user("1E5,1.5,0.2", "Hunt_crossley"),
                     "INTEGRATOR/RADAU, ERROR=1E-12\n"));
    r.simulation->run(dynamics_analysis, {0.02 / speed + 0.1, 10});
    double low = 0, high = speed;
    for (int k = 0; k < 60; ++k) {
      const double u = (low + high) / 2;
      (std::log((1 + a * speed) / (1 - a * u)) < a * (speed + u) ? low : high) = u;
    }
    EXPECT_NEAR(r.at(10, "PART/2", "VZ"), low, 1e-6 * speed) << speed;
    EXPECT_LT(low, (1 - a * speed / 3) * speed);
  }
}

/// A ball of radius 1 in a plane, always deep.
TEST(UserContact, tangent_is_that_of_the_force) {
  const std::string body =
      "PART/1, GROUND\nMARKER/1, PART=1, QP=0.1,0.2,0.3, REULER=0.3,0.4,0.5\nGRAPHICS/1, PLANE, RM=1\n"
      "PART/2, MASS=2, IP=0.8,0.9,1, CM=20, QG=0.1,0.2,0.4, REULER=0.3,1.1,0.5\nMARKER/20, PART=2\n"
      "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=2, YSCALE=2, ZSCALE=2\nCONTACT/7, IGEOM=2, JGEOM=1, ";
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    const Model model =
        compile_text(body + (seed % 2 == 0 ? user("20,2,3,5", "Cnfsub") : user("20,3,-2,4", "Places")) +
                     "\n, COULOMB_FRICTION=ON, MU_STATIC=0.3, MU_DYNAMIC=0.25\n"
                     ", STICTION_TRANSITION_VELOCITY=20, FRICTION_TRANSITION_VELOCITY=40\n");
    check_tangent(model, seed, false);
    Random random(seed);
    const State state = random_state(model, random);
    Assembler assembler(model);
    assembler.evaluate(state, in_dynamics);
    ContactOverlaps overlaps;
    assembler.overlaps({&overlaps, 1});
    EXPECT_GT(overlaps.depth, 0.2);
  }
}

/// With the time, which is the force's own: a ball held at the depth d takes (k + k' t) d.
TEST(UserContact, code_is_told_the_time_and_the_statement) {
  Recording r(deck("QG=0,0,0.098", user("1E4,3E4", "Growing"),
                   "JOINT/1, FIXED, I=20, J=9\nMARKER/9, PART=1, "
                   "QP=0,0,0.098\n"));
  r.simulation->run(dynamics_analysis, {1, 4});
  for (std::size_t n = 0; n < r.time.size(); ++n)
    EXPECT_NEAR(r.at(n, "CONTACT/7", "FZ"), (1e4 + 3e4 * r.time[n]) * 0.002, 1e-9);
  Recording told(deck("QG=0,0,0.098", user("", "Told")));
  told.simulation->run(dynamics_analysis, {1e-6, 1});
  EXPECT_NEAR(told.at(0, "CONTACT/7", "FZ"), 72010, 1e-9);
}

/// The points of both surfaces, from the markers of their shapes: of a ball on a turned part that is 2 mm
/// deep in a box.
TEST(UserContact, code_is_told_the_points) {
  const Mat3d part = rotation_313(Vec3d{0.3, 0.4, 0.5}), axes = part * rotation_313(Vec3d{0.1, 0.2, 0.7});
  const Vec3d center{0.3, 0.2, 0.098}, shape{0.01, 0.02, -0.03};
  const Vec3d of_I = transpose_times(axes, Vec3d{0, 0, -0.1}),  // its lowest place
      of_J{0.3 + 1, 0.2 + 2, 1};
  for (int k = 0; k < 6; ++k) {
    Recording r(
        "points\nUNITS/UCF=1\nPART/1, GROUND\nMARKER/1, PART=1, QP=-1,-2,-1\n"
        "GRAPHICS/1, BOX, CORNER=1, X=4, Y=4, Z=1\nPART/2, MASS=2, IP=1,1,1, CM=20, REULER=0.3,0.4,0.5\n, "
        "QG=" +
        list(center - part * shape) +
        "\nMARKER/20, PART=2, QP=0.05,0.06,0.07\nMARKER/21, PART=2, QP=" + list(shape) +
        ", REULER=0.1,0.2,0.7\nGRAPHICS/2, ELLIPSOID, CM=21, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
        "CONTACT/7, IGEOM=2, JGEOM=1, " +
        user(std::to_string(k), "Place") + "\nEND\n");
    r.simulation->run(dynamics_analysis, {1e-6, 1});
    EXPECT_NEAR(r.at(0, "CONTACT/7", "FZ"), k < 3 ? of_I[k] : of_J[k - 3], 1e-12) << k;
  }
}

TEST(UserContact, no_number_ends_with_the_contacts_name) {
  const struct {
    const char *function, *start;
  } cases[] = {{"Shallow", "QG=0,0,0.12, VZ=-1"}, {"Vectorial", "QG=0,0,0.099"}, {"Area", "QG=0,0,0.099"}};
  for (const auto& c : cases) {
    try {
      Recording r(deck(c.start, user("1E5,1E-3", c.function)));
      r.simulation->run(dynamics_analysis, {0.1, 1});
      FAIL() << c.function;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::solver);
      expect_in(failure.what(), "CONTACT/7: its NORMAL_FUNCTION (" + library + ".so: " + c.function +
                                    ") gives no force at t = ");
    }
  }
}

TEST(UserContact, what_cannot_be_loaded_is_told) {
  const auto with = [](const std::string& routine, const std::string& call = "USER(1)") {
    return refusal(deck("QG=0,0,1", fmt::format("NORMAL_FUNCTION={}\\\n, NORMAL_ROUTINE={}", call, routine)));
  };
  expect_in(with("nowhere::Cnfsub"),
            "CONTACT/7: NORMAL_ROUTINE=nowhere::Cnfsub: there is no nowhere.so or libnowhere.so beside the "
            "deck (folder/of) nor where the loader looks (LD_LIBRARY_PATH=");
  expect_in(with("nowhere.dll::Cnfsub"), "there is no nowhere.so or libnowhere.so");
  expect_in(with("/nowhere/code::Cnfsub"), "there is no /nowhere/code.so beside the deck (folder/of)");
  expect_in(with(library + "::Cffsub"), library + ".so has no function Cffsub; a name in both cases");
  expect_in(with(library + "::other"), library + ".so has no function other_, other, OTHER; a name");
  expect_in(with(library, "USER(1,K)"),
            "CONTACT/7: NORMAL_FUNCTION=USER(...) takes numbers, and 'K' is none");
  expect_in(with(library, "2*DZ(20,1)"), "NORMAL_FUNCTION takes USER(...) with numbers, not '2*DZ(20,1)'");
  expect_in(refusal(deck("QG=0,0,1", "NORMAL_FUNCTION=USER(1)")), "NORMAL_ROUTINE");
  // A file that is no library, in the loader's words.
  const std::filesystem::path text = std::filesystem::temp_directory_path() / "no_library.so";
  std::ofstream(text) << "text\n";
  expect_in(with(text.string() + "::Cnfsub"), text.string() + " cannot be loaded: ");
  std::filesystem::remove(text);
}

TEST(UserContact, is_refused_where_it_cannot_be_called) {
  expect_in(refusal("user code\nUNITS/UCF=1\nPART/1, GROUND\nPART/2, MASS=1, IP=1,1,1, CM=20\nMARKER/20, "
                    "PART=2\nPART/3, MASS=1, IP=1,1,1, CM=30\nMARKER/30, PART=3\n"
                    "PART/4, MASS=1, IP=1,1,1, CM=40\nMARKER/40, PART=4\n"
                    "GRAPHICS/2, POINT, RM=20\nGRAPHICS/3, ELLIPSOID, CM=30, XSCALE=1, YSCALE=1, ZSCALE=1\n"
                    "GRAPHICS/4, ELLIPSOID, CM=40, XSCALE=1, YSCALE=1, ZSCALE=1\n"
                    "CONTACT/7, IGEOM=2, JGEOM=3,4, " +
                        user("1,1,1,1", "Cnfsub") + "\nEND\n",
                    ExitCode::unsupported),
            "CONTACT/7: NORMAL_FUNCTION between more than two bodies; give a CONTACT for each two");
  const std::string text = deck("QG=0,0,1", user("1,1,1,1", "Cnfsub"));
  const Model model =
      compile_text(text.substr(text.find('\n') + 1, text.rfind("END\n") - text.find('\n') - 1));
  EXPECT_EQ(DeviceAssembler::refusal(model), "CONTACT/7 (user code)");
}

TEST(UserContact, numbers_of_other_laws_are_told_to_have_no_effect) {
  Diagnostics diagnostics;
  compile(parse_dataset(deck("QG=0,0,1", user("1E5,1.5,100,1E-3", "Cnfsub") + ", STIFFNESS=3, DMAX=2"),
                        "test.adm", diagnostics),
          diagnostics);
  std::string told;
  for (const Diagnostic& d : diagnostics.list()) told += d.text + "\n";
  for (const char* name : {"STIFFNESS", "DMAX"})
    expect_in(told, fmt::format("CONTACT/7: {} has no effect beside NORMAL_FUNCTION", name));
}

}  // namespace
}  // namespace trammel::user_contact_test
