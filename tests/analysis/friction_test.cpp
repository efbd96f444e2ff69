// FRICTION in joints, held against closed forms and quadrature of the law in one coordinate.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "../support/simulate.h"
#include "math/rotation.h"

namespace trammel::friction_test {
namespace {

using namespace test;

constexpr const char* methods[] = {"GSTIFF, ERROR=1E-8", "GSTIFF, SI2, ERROR=1E-8", "HHT, ERROR=1E-9",
                                   "WSTIFF, ERROR=1E-8"};
constexpr double g = 9.81;

/// One part, 2, on ground: joint markers 2 and 1, whose axes are turned by `euler`.
std::string deck(const std::string& gravity, const std::string& part, const std::string& joint,
                 const std::string& friction, const std::string& integrator, const std::string& more = "",
                 const std::string& euler = "0, 0, 0") {
  return "friction\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/" + gravity +
         "\nPART/1, GROUND\nMARKER/1, PART=1, REULER=" + euler + "\nMARKER/9, PART=1\nPART/2, CM=3, " + part +
         "\nMARKER/2, PART=2, REULER=" + euler + "\nJOINT/1, " + joint + ", I=2, J=1\nFRICTION/1, JOINT=1, " +
         friction + "\n" + more + "INTEGRATOR/" + integrator + "\nEND\n";
}
constexpr const char* centred = "\nMARKER/3, PART=2";
/// Along x of ground.
constexpr const char* along_x = "90D, 90D, 0D";

/// What the deck's coefficient is at a slip velocity without creep, by STEP as documented.
double coefficient(double v, double V, double C, double mu_s, double mu_d) {
  const auto step = [](double x, double x0, double h0, double x1, double h1) {
    const double d = std::clamp((x - x0) / (x1 - x0), 0.0, 1.0);
    return h0 + (h1 - h0) * d * d * (3 - 2 * d);
  };
  if (std::abs(v) < V) return step(v, -V, -mu_s, V, mu_s);
  return std::copysign(step(std::abs(v), V, mu_s, C * V, mu_d), v);
}

/// v at the time t of v̇ = f(v), by Runge-Kutta of order 4 with n steps.
double velocity_after(double v, double t, const std::function<double(double)>& f, int n) {
  const double h = t / n;
  for (int k = 0; k < n; ++k) {
    const double k1 = f(v), k2 = f(v + h / 2 * k1), k3 = f(v + h / 2 * k2), k4 = f(v + h * k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return v;
}

/// Newton would say that a block of v0 slides v0²/(2 μ g) on a level plane; below V the path is V²/(μ g) at
/// most.
TEST(Friction, a_block_stops_after_the_exact_distance) {
  for (const char* method : methods) {
    const double mu = 0.3, V = 1e-4, v0 = 2;
    Recording r(
        deck("KGRAV=-9.81", fmt::format("MASS=2, IP=1,1,1, VX={}", v0) + centred, "TRANSLATIONAL",
             fmt::format("MU_STATIC=0.3, MU_DYNAMIC=0.3, STICTION_TRANSITION_VELOCITY={}, EFFECT=SLIDING", V),
             method, "", along_x));
    r.simulation->run(dynamics_analysis, {1, 20});
    const std::size_t last = r.time.size() - 1;
    EXPECT_NEAR(r.at(last, "PART/2", "X"), v0 * v0 / (2 * mu * g), 1e-6) << method;
    EXPECT_NEAR(r.at(last, "PART/2", "VX"), 0, 1e-8) << method;
    const double t = 0.5;
    EXPECT_NEAR(r.at(10, "PART/2", "X"), v0 * t - mu * g * t * t / 2, 1e-6) << method;
    EXPECT_NEAR(r.at(10, "FRICTION/1", "FX"), -mu * 2 * g, 1e-6) << method;
    EXPECT_NEAR(r.at(10, "FRICTION/1", "MU"), mu, 1e-12) << method;
    EXPECT_NEAR(r.at(10, "FRICTION/1", "VELOCITY"), r.at(10, "PART/2", "VX"), 1e-14) << method;
    EXPECT_EQ(r.at(10, "FRICTION/1", "REGIME"), 2) << method;
  }
}

/// Below the limit it rests where the creep bears the weight, above it slides with g (sin − μ_d cos).
TEST(Friction, both_sides_of_the_limit_on_an_incline) {
  for (const char* method : methods)
    for (const double slope : {0.30, 0.45}) {  // tangent of the incline; MU_STATIC = 0.4
      const double c = 1 / std::sqrt(1 + slope * slope), s = slope * c, most = 1e-3;
      Recording r(deck(fmt::format("IGRAV={:.17g}, KGRAV={:.17g}", g * s, -g * c),
                       std::string("MASS=2, IP=1,1,1") + centred, "TRANSLATIONAL",
                       fmt::format("MU_STATIC=0.4, MU_DYNAMIC=0.35, STICTION_TRANSITION_VELOCITY=0.01, "
                                   "MAX_STICTION_DEFORMATION={}",
                                   most),
                       method, "", along_x));
      r.simulation->run(dynamics_analysis, {2, 20});
      const std::size_t last = r.time.size() - 1;
      if (slope > 0.4) {
        const double a = g * (s - 0.35 * c), dt = r.time[last] - r.time[10];
        EXPECT_NEAR(r.at(last, "PART/2", "VX") - r.at(10, "PART/2", "VX"), a * dt, 1e-6) << method;
        continue;
      }
      double low = 0, high = 1;  // of Δ/Δmax, whose STEP is slope/μ_s
      for (int k = 0; k < 60; ++k) {
        const double d = (low + high) / 2;
        (d * (3 - d * d) / 2 < slope / 0.4 ? low : high) = d;
      }
      EXPECT_NEAR(r.at(last, "FRICTION/1", "FX"), -2 * g * s, 1e-5) << method;
      EXPECT_NEAR(r.at(last, "FRICTION/1", "CREEP"), low * most, 1e-6 * most) << method;
      // z grows with x below 0.9 Δ; each has its own errors of ERROR, in some tens of steps.
      EXPECT_NEAR(r.at(last, "PART/2", "X"), low * most, 3e-8) << method;
      EXPECT_EQ(r.at(last, "FRICTION/1", "REGIME"), 0) << method;
    }
}

/// A shaft across gravity that bears its weight, an axial force and the moment of an overhung mass,
/// preloaded: its speed by quadrature, through all regimes.
TEST(Friction, a_shaft_slows_down_as_quadrature_says) {
  const double m = 2, J = 0.05, arm = 0.3, pin = 0.02, axial = 5, preload = 0.1, V = 0.2, C = 1.6, mu_s = 0.5,
               mu_d = 0.3;
  const double bearing = 0.7 * axial + pin * m * g + pin / 0.4 * m * g * arm;
  const auto slowed = [&](double w) {
    return -coefficient(pin * w, V, C, mu_s, mu_d) / mu_s * (mu_s * bearing + preload) / J;
  };
  for (const char* method : methods) {
    Recording r(deck(
        "IGRAV=-9.81", fmt::format("MASS={}, IP=1,1,{}, WZ=40\nMARKER/3, PART=2, QP=0,0,{}", m, J, arm),
        "REVOLUTE",
        fmt::format("MU_STATIC={}, MU_DYNAMIC={}, STICTION_TRANSITION_VELOCITY={}, "
                    "TRANSITION_VELOCITY_COEFFICIENT={}, EFFECT=SLIDING\n, PIN_RADIUS={}, FRICTION_ARM=0.7, "
                    "BENDING_REACTION_ARM=0.4, FRICTION_TORQUE_PRELOAD={}",
                    mu_s, mu_d, V, C, pin, preload),
        method, "VFORCE/1, I=3, JFLOAT=8, RM=9, FX=0\\FY=0\\FZ=5\nMARKER/8, PART=1, FLOATING\n"));
    r.simulation->run(dynamics_analysis, {1.2, 12});
    for (std::size_t k = 1; k < r.time.size(); ++k)
      EXPECT_NEAR(r.at(k, "PART/2", "WZ"), velocity_after(40, r.time[k], slowed, 20000), 1e-4)
          << method << " " << k;
    EXPECT_NEAR(r.at(1, "FRICTION/1", "TZ"), -mu_d / mu_s * (mu_s * bearing + preload), 1e-6) << method;
    EXPECT_LT(pin * r.at(r.time.size() - 1, "PART/2", "WZ"), V);  // has come to the innermost regime
  }
}

/// A ball of equal moments of inertia: the axis stays, its speed falls evenly.
TEST(Friction, of_a_ball_is_about_the_axis_of_its_turning) {
  const double m = 2, J = 0.05, radius = 0.03, mu = 0.25;
  const Vec3d w0{10, -20, 5};
  const double size = norm(w0);
  for (const char* law : {"EFFECT=SLIDING", "EFFECT=ALL", "FORMULATION=LUGRE, BRISTLE_STIFFNESS=1E4"})
    for (const char* method : methods) {
      Recording r(deck("KGRAV=-9.81",
                       fmt::format("MASS={0}, IP={1},{1},{1}, WX=10, WY=-20, WZ=5", m, J) + centred,
                       "SPHERICAL",
                       fmt::format("MU_STATIC={0}, MU_DYNAMIC={0}, STICTION_TRANSITION_VELOCITY=1E-3, "
                                   "MAX_STICTION_DEFORMATION=1E-4, BALL_RADIUS={1}, {2}",
                                   mu, radius, law),
                       method));
      r.simulation->run(dynamics_analysis, {1, 4});
      const double left = size - mu * radius * m * g / J * 1;
      ASSERT_GT(left, 1);
      const Vec3d w = r.vector(4, "PART/2", "WX", "WY", "WZ"), expected = (left / size) * w0;
      // Bristles bend to μ/σ₀ = 2.5e-5 before they slip: 1e-3 rad at the ball, of friction growing evenly.
      const double allowed = std::string(law).starts_with("FORM") ? 1e-3 : 1e-5;
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(w[k], expected[k], allowed) << law << " " << method;
    }
}

/// A sleeve with J = m R²: force and torque share the slip of the surface, whose direction stays.
TEST(Friction, of_a_sleeve_is_along_the_slip_of_its_surface) {
  const double m = 2, R = 0.1, mu = 0.3, vz = 1.5, w = 20;
  const double slip = std::hypot(vz, R * w);
  for (const char* method : methods) {
    Recording r(deck("IGRAV=-9.81",
                     fmt::format("MASS={}, IP=1,1,{}, VZ={}, WZ={}", m, m * R * R, vz, w) + centred,
                     "CYLINDRICAL",
                     fmt::format("MU_STATIC={0}, MU_DYNAMIC={0}, STICTION_TRANSITION_VELOCITY=1E-3, "
                                 "MAX_STICTION_DEFORMATION=1E-4, PIN_RADIUS={1}",
                                 mu, R),
                     method));
    r.simulation->run(dynamics_analysis, {0.5, 5});
    const double left = 1 - mu * g * 0.5 / slip;
    EXPECT_NEAR(r.at(5, "PART/2", "VZ"), left * vz, 1e-5) << method;
    EXPECT_NEAR(r.at(5, "PART/2", "WZ"), left * w, 1e-4) << method;
    EXPECT_NEAR(r.at(5, "FRICTION/1", "FZ"), -mu * m * g * vz / slip, 1e-5) << method;
    EXPECT_NEAR(r.at(5, "FRICTION/1", "TZ"), -R * mu * m * g * R * w / slip, 1e-6) << method;
  }
}

/// A part that turns about the arm of the cross in I: friction of the yoke of I slows it, that of J does not.
TEST(Friction, of_a_yoke_is_about_its_arm) {
  const double m = 2, J = 0.1, R = 0.02, mu = 0.3;
  for (const bool of_I : {true, false}) {
    Recording r(deck(
        "KGRAV=-9.81", fmt::format("MASS={0}, IP={1},{1},{1}, WX=20", m, J) + centred, "HOOKE",
        fmt::format("{0}, MU_STATIC={1}, MU_DYNAMIC={1}, STICTION_TRANSITION_VELOCITY=1E-3, PIN_RADIUS={2}, "
                    "INPUTS=REACTION_FORCE, EFFECT=SLIDING",
                    of_I ? "I_YOKE" : "J_YOKE", mu, R),
        "GSTIFF, ERROR=1E-8"));
    r.simulation->run(dynamics_analysis, {1, 10});
    // The cross of I keeps its arm x across the weight: all of it is radial.
    EXPECT_NEAR(r.at(10, "PART/2", "WX"), 20 - (of_I ? mu * R * m * g / J : 0), 1e-6);
    EXPECT_NEAR(r.at(10, "FRICTION/1", "TX"), of_I ? -mu * R * m * g : 0, 1e-9);
  }
}

/// Pulled slowly, bristles bend as dz/dx = 1 − σ₀ z/μ_s: x = −(μ_s/σ₀) log(1 − F/(μ_s N)).
TEST(Friction, bristles_give_way_as_their_law_says) {
  const double m = 2, mu = 0.4, sigma = 200;
  for (const char* method : {"GSTIFF, ERROR=1E-7", "HHT, ERROR=1E-8"}) {
    Recording r(deck("KGRAV=-9.81", std::string("MASS=2, IP=1,1,1") + centred, "TRANSLATIONAL",
                     fmt::format("FORMULATION=LUGRE, MU_STATIC={}, MU_DYNAMIC={}, BRISTLE_STIFFNESS={}, "
                                 "BRISTLE_DAMPING=2, STRIBECK_VELOCITY=10",
                                 mu, mu, sigma),
                     method,
                     "VFORCE/1, I=3, JFLOAT=8, RM=9, FX=TIME/20\\FY=0\\FZ=0\nMARKER/8, PART=1, FLOATING\n",
                     along_x));
    r.simulation->run(dynamics_analysis, {140, 140});
    for (int k : {20, 80, 120, 140}) {
      const double share = r.time[k] / 20 / (mu * m * g);
      // Damping and inertia of 5e-2 N/s: σ₁ v N of the force, v = 3e-4 m/s at most.
      EXPECT_NEAR(r.at(k, "PART/2", "X"), -mu / sigma * std::log(1 - share), 1.5e-2 * mu / sigma)
          << method << " " << k;
      EXPECT_NEAR(r.at(k, "FRICTION/1", "BRISTLE"), mu / sigma * share, 1.5e-2 * mu / sigma)
          << method << " " << k;
    }
    r.simulation->run(dynamics_analysis, {170, 30});  // past the limit of 7.848 N at 156.96 s
    EXPECT_GT(r.at(r.time.size() - 1, "PART/2", "X"), 1) << method;
  }
}

/// Driven at a velocity, LUGRE settles at g(v) + σ₂ v.
TEST(Friction, bristles_in_steady_sliding) {
  const double mu_s = 0.5, mu_d = 0.3, v = 0.05, vs = 0.04, m = 2;
  Recording r(
      deck("KGRAV=-9.81", std::string("MASS=2, IP=1,1,1, VX=0.05") + centred, "TRANSLATIONAL",
           "FORMULATION=LUGRE, MU_STATIC=0.5, MU_DYNAMIC=0.3, BRISTLE_STIFFNESS=1E3, VISCOUS_DAMPING=0.2, "
           "STRIBECK_VELOCITY=0.04, DECAY_EXPONENT=1.5",
           "GSTIFF, ERROR=1E-7", "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=0.05*TIME\n", along_x));
  r.simulation->run(dynamics_analysis, {1, 10});
  const double force = m * g * (mu_d + (mu_s - mu_d) * std::exp(-std::pow(v / vs, 1.5)) + 0.2 * v);
  EXPECT_NEAR(r.at(10, "FRICTION/1", "FX"), -force, 1e-6);
  EXPECT_NEAR(r.at(10, "MOTION/1", "FX"), force, 1e-6);
}

/// With the creep that dynamics left, friction stays in statics, unless it is inactive there.
TEST(Friction, statics_with_and_without_it) {
  for (const bool inactive : {false, true}) {
    Recording r(deck("IGRAV=1, KGRAV=-9.81", std::string("MASS=2, IP=1,1,1") + centred, "TRANSLATIONAL",
                     std::string("MU_STATIC=0.4, MU_DYNAMIC=0.3, STICTION_TRANSITION_VELOCITY=0.01, "
                                 "MAX_STICTION_DEFORMATION=1E-3") +
                         (inactive ? ", INACTIVE_DURING=STATIC" : ""),
                     "GSTIFF, ERROR=1E-7", "BUSHING/1, I=3, J=9, K=10,0,0, C=0,0,0, KT=0,0,0, CT=0,0,0\n",
                     along_x));
    r.simulation->run(dynamics_analysis, {2, 4});
    const double stuck = r.at(4, "PART/2", "X");
    EXPECT_LT(stuck, 1e-3);
    r.simulation->run(statics_analysis);
    const std::size_t last = r.time.size() - 1;
    EXPECT_NEAR(r.at(last, "PART/2", "X"), inactive ? 2 * 1 / 10.0 : stuck, 1e-6);
    EXPECT_NEAR(r.at(last, "FRICTION/1", "FX"), inactive ? 0 : -2 + 10 * stuck, 1e-5);
  }
}

/// Two free parts in a joint: what friction does to one it does to the other, and it takes energy only.
TEST(Friction, keeps_momenta_and_takes_energy) {
  for (const char* joint : {"CYLINDRICAL", "REVOLUTE", "TRANSLATIONAL", "SPHERICAL", "HOOKE"}) {
    const std::string yoke = std::string(joint) == "HOOKE" ? "J_YOKE, " : "";
    Recording r(
        std::string(
            "pair\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/9, "
            "PART=1\n"
            "PART/2, MASS=2, CM=20, IP=0.2,0.3,0.4, WX=3, WY=-2, WZ=5, VX=1\nMARKER/20, PART=2, "
            "QP=0.1,0.2,0\n"
            "MARKER/21, PART=2, REULER=10D,20D,30D\n"
            "PART/3, MASS=1, CM=30, IP=0.1,0.2,0.15, WX=-1, VZ=1\nMARKER/30, PART=3, QP=-0.2,0.1,0.1\n"
            "MARKER/31, PART=3, REULER=10D,20D,30D\nJOINT/1, ") +
        joint + ", I=21, J=31\nFRICTION/1, " + yoke +
        "JOINT=1, MU_STATIC=0.5, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=0.01, EFFECT=SLIDING\n"
        ", PIN_RADIUS=0.05, BALL_RADIUS=0.05, FRICTION_ARM=0.05, INITIAL_OVERLAP=0.5\nINTEGRATOR/GSTIFF, "
        "SI2, ERROR=1E-9, "
        "HMAX=1E-2\nEND\n");
    r.simulation->run(dynamics_analysis, {1, 50});
    const auto momenta = [&](std::size_t k) {
      Vec3d p{}, l{};
      double energy = 0;
      for (int part : {2, 3}) {
        const std::string name = fmt::format("PART/{}", part);
        const Body& body = r.simulation->model().bodies[part - 2];
        const Vec3d x = r.vector(k, name, "X", "Y", "Z"), w = r.vector(k, name, "WX", "WY", "WZ"),
                    e = r.vector(k, name, "PSI", "THETA", "PHI");
        const Mat3d A = rotation_313(e);
        const Vec3d s = A * body.bcs, center = x - s, v = r.vector(k, name, "VX", "VY", "VZ") - cross(w, s);
        const Vec3d spin = A * (body.inertia * transpose_times(A, w));
        p += body.mass * v;
        l += cross(center, body.mass * v) + spin;
        energy += 0.5 * body.mass * dot(v, v) + 0.5 * dot(w, spin);
      }
      return std::tuple(p, l, energy);
    };
    const auto [p0, l0, e0] = momenta(0);
    double before = e0;
    for (std::size_t k = 1; k < r.time.size(); ++k) {
      const auto [p, l, e] = momenta(k);
      EXPECT_LT(norm(p - p0), 1e-6) << joint;
      EXPECT_LT(norm(l - l0), 1e-6) << joint;
      EXPECT_LT(e, before + 1e-8) << joint;
      before = e;
    }
    EXPECT_LT(before, 0.999 * e0) << joint;  // it did take some
  }
}

TEST(Friction, bounds_and_what_is_out_of_force) {
  const auto force = [](const std::string& more, const std::string& after = "") {
    Recording r(deck("KGRAV=-9.81", std::string("MASS=2, IP=1,1,1, VX=1") + centred, "TRANSLATIONAL",
                     "MU_STATIC=0.3, MU_DYNAMIC=0.2" + more, "GSTIFF", after, along_x));
    r.simulation->run(dynamics_analysis, {0.01, 1});
    return r.at(1, "FRICTION/1", "FX");
  };
  const double w = 2 * g;
  EXPECT_NEAR(force(""), -0.2 * w, 1e-9);
  EXPECT_NEAR(force(", MAX_FRICTION_FORCE=1.5"), -1.5, 1e-12);
  EXPECT_NEAR(force(", INPUTS=PRELOAD, FRICTION_FORCE_PRELOAD=3"), -0.2 / 0.3 * 3, 1e-12);
  EXPECT_NEAR(force(", INPUTS=NONE, FRICTION_FORCE_PRELOAD=3"), 0, 1e-12);
  EXPECT_NEAR(force(", EFFECT=STICTION"), 0, 1e-12);
}

/// Of two equal joints one bears all: the other's friction is told to be unsure, and is nothing.
TEST(Friction, of_a_joint_with_redundant_equations_is_told) {
  Recording r(deck("KGRAV=-9.81", std::string("MASS=2, IP=1,1,1, VX=1") + centred, "TRANSLATIONAL",
                   "MU_STATIC=0.3, MU_DYNAMIC=0.2", "GSTIFF",
                   "JOINT/2, TRANSLATIONAL, I=2, J=1\nFRICTION/2, JOINT=2, MU_STATIC=0.3, MU_DYNAMIC=0.2\n",
                   along_x));
  r.simulation->run(dynamics_analysis, {0.01, 1});
  int told = 0;
  for (const std::string& text : r.simulation->report().notes)
    told += text.find("are redundant and bear nothing") != std::string::npos;
  EXPECT_EQ(told, 1);
  EXPECT_NEAR(r.at(1, "FRICTION/1", "FX") + r.at(1, "FRICTION/2", "FX"), -0.2 * 2 * g, 1e-6);
}

/// A stuck block whose friction goes out of force slides freely; its creep waits.
TEST(Friction, out_of_force_it_does_nothing) {
  const std::string text =
      deck("IGRAV=1, KGRAV=-9.81", std::string("MASS=2, IP=1,1,1") + centred, "TRANSLATIONAL",
           "MU_STATIC=0.3, MU_DYNAMIC=0.2", "GSTIFF, ERROR=1E-7",
           "REQUEST/1, F1=FRICTION(1,0,9,0)\\F2=FRICTION(1,1,2,0)\\F3=FRICTION(1,0,12,0)\\"
           "F4=FRICTION(1,0,10,0)\\F5=FRICTION(1,0,11,0)\n",
           along_x);
  for (const bool active : {true, false}) {
    Diagnostics diagnostics;
    Description description = parse_dataset(text, "test.adm", diagnostics);
    for (Statement& s : description.statements)
      if (s.spec->keyword == "FRICTION") s.active = active;
    Recording r(text);
    Model model = compile(description, diagnostics);
    SessionEvents events;
    events.record = [&](double t, StepKind, std::span<const double> v) {
      r.time.push_back(t);
      r.values.emplace_back(v.begin(), v.end());
    };
    r.simulation = std::make_unique<Session>(std::move(model), read_settings(description, diagnostics),
                                             std::move(events));
    r.simulation->run(dynamics_analysis, {1, 2});
    const double creep = r.at(2, "FRICTION/1", "CREEP");
    EXPECT_NEAR(r.at(2, "PART/2", "VX"), active ? 0 : 1, 1e-6);
    EXPECT_NEAR(r.at(2, "FRICTION/1", "FX"), active ? -2 : 0, 1e-6);
    EXPECT_NEAR(r.at(2, "FRICTION/1", "MU"), active ? 2 / (2 * g) : 0, 1e-6);
    EXPECT_EQ(r.at(2, "REQUEST/1", "F1"), r.at(2, "FRICTION/1", "MU"));
    EXPECT_NEAR(r.at(2, "REQUEST/1", "F2"), active ? 2 : 0, 1e-6);
    EXPECT_EQ(r.at(2, "REQUEST/1", "F3"), creep);
    EXPECT_EQ(creep > 0, active);
    EXPECT_EQ(r.at(2, "REQUEST/1", "F4"), r.at(2, "FRICTION/1", "VELOCITY"));
    EXPECT_EQ(r.at(2, "REQUEST/1", "F5"), 0);
  }
}

}  // namespace
}  // namespace trammel::friction_test
