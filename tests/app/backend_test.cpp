// run --backend: the steps on a device, and what is said when there is none.
#include <gtest/gtest.h>

#include "support.h"

namespace backend_test {
namespace {

using namespace trammel_test;

/// A pendulum of 1 m that falls from the horizontal: at the lowest place v² = 2 g l, whatever computes it.
constexpr const char* pendulum =
    "pendulum\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/KGRAV=-9.80665\n"
    "PART/1,GROUND\nMARKER/10,PART=1,REULER=0,90D,0\n"
    "PART/2,MASS=2,CM=20,QG=1,0,0,IP=1E-9,1E-9,1E-9\nMARKER/20,PART=2\nMARKER/"
    "21,PART=2,QP=-1,0,0,REULER=0,90D,0\n"
    "JOINT/1,REVOLUTE,I=21,J=10\nREQUEST/1,F2=VM(20)**2+2*9.80665*DZ(20)\nINTEGRATOR/HHT,ERROR=1E-7\nEND\n";

TEST(Backend, host_runs_the_kernels_of_devices) {
  const Folder f;
  f.write("p.adm", pendulum);
  const Outcome o = run(f, {"run", "p.adm", "--end", "1", "--backend", "host"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const double energy : f.channel("p.nc", "REQUEST/1.F2"))
    EXPECT_NEAR(energy, 0, 2e-3);  // twice the energy of a kilogram; numerical damping at this ERROR
  EXPECT_NE(f.read("p.msg").find("Back end: host, processor, loops. The steps are computed there"),
            std::string::npos);
  EXPECT_EQ(f.json("p.status.json")["backend"], "host");
}

TEST(Backend, the_processor_is_the_default) {
  const Folder f;
  f.write("p.adm", pendulum);
  ASSERT_EQ(run(f, {"run", "p.adm", "--end", "0.1"}).code, 0);
  EXPECT_EQ(f.json("p.status.json")["backend"], "cpu");
}

TEST(Backend, without_the_device_says_why) {
  const Folder f;
  f.write("p.adm", pendulum);
  const Outcome o = run(f, {"run", "p.adm", "--end", "1", "--backend", "host", "--device", "7"});
  EXPECT_EQ(o.code, 8);
  EXPECT_NE(o.err.find("back end host: there is no device 7; there are 2"), std::string::npos) << o.err;
  EXPECT_EQ(f.list(), "p.adm") << "nothing was begun";
}

TEST(Backend, options_that_would_have_no_effect_are_refused) {
  const Folder f;
  f.write("p.adm", pendulum);
  const Outcome device = run(f, {"run", "p.adm", "--end", "1", "--device", "1"});
  EXPECT_EQ(device.code, 2);
  EXPECT_NE(device.err.find("--device 1 asks for --backend cuda or host as well"), std::string::npos)
      << device.err;
}

TEST(Backend, linear_solvers_belong_to_one) {
  const Folder f;
  f.write("p.adm", pendulum);
  const struct {
    const char *backend, *solver;
    int code;
    const char* text;
  } wrong[] = {
      {"host", "klu", 2,
       "--linear-solver klu is not for a device: it has device, its own (auto), and "
       "cusolver_rf, cudss"},
      {"host", "lapack", 2, "--linear-solver lapack is not for a device"},
      {"cpu", "cusolver_rf", 2,
       "--linear-solver cusolver_rf asks for --backend cuda as well: without it there "
       "are those of the processor, klu, multifrontal, blocks"},
      {"cpu", "device", 2, "--linear-solver device asks for --backend cuda as well"},
      {"cpu", "lapack", 2,
       "linear solver 'lapack' does not exist (this build has: klu, multifrontal, blocks)"},
      {"host", "cudss", 8,
       "linear solver cudss: back end host has none in its place; it is for --backend cuda"},
  };
  for (const auto& w : wrong) {
    const Outcome o =
        run(f, {"run", "p.adm", "--end", "1", "--backend", w.backend, "--linear-solver", w.solver});
    EXPECT_EQ(o.code, w.code) << w.solver;
    EXPECT_NE(o.err.find(w.text), std::string::npos) << o.err;
  }
  EXPECT_EQ(f.list(), "p.adm") << "nothing was begun";
}

TEST(Backend, the_linear_solver_in_use_is_told) {
  const Folder f;
  f.write("p.adm", pendulum);
  const struct {
    const char *asked, *used, *text;
  } cases[] = {
      {"device", "multifrontal", "MB: multifrontal elimination in the order of"},
      {"cusolver_rf", "cusolver_rf", "MB: cusolver_rf (the processor's, with fixed pivots) in the order of"}};
  for (const auto& c : cases) {
    const Outcome o = run(f, {"run", "p.adm", "--end", "1", "--backend", "host", "--linear-solver", c.asked});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(f.json("p.status.json")["linear_solver"], c.used);
    EXPECT_NE(f.read("p.msg").find(c.text), std::string::npos) << f.read("p.msg");
    for (const double energy : f.channel("p.nc", "REQUEST/1.F2")) EXPECT_NEAR(energy, 0, 2e-3) << c.asked;
  }
}

TEST(Backend, names_what_a_device_does_not_compute) {
  const Folder f;
  std::string deck = pendulum;
  deck.insert(deck.find("REQUEST"), "VARIABLE/4,FUNCTION=DELAY(TIME,TIME,0)\n");
  f.write("p.adm", deck);
  const Outcome o = run(f, {"run", "p.adm", "--end", "1", "--backend", "host"});
  EXPECT_EQ(o.code, 4);
  EXPECT_NE(
      o.err.find(
          "VARIABLE/4 FUNCTION (DELAY without a bound) is not computed on a device: run with --backend cpu"),
      std::string::npos)
      << o.err;
}

}  // namespace
}  // namespace backend_test
