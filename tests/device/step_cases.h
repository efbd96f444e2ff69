// Models whose steps are taken on devices by several tests, and whole simulations of them.
#pragma once

#include <string>
#include <vector>

#include "../support/model_decks.h"
#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "dataset/reader.h"
#include "model/compile.h"

namespace trammel::test {

struct Outcome {
  std::vector<double> values;  ///< all records, one after the other
  StepCounters counters;
  int warnings = 0;
};

inline Outcome simulate(const std::string& deck, double end, int steps, std::shared_ptr<Device> device,
                        const TrammelSolverApi* solver = nullptr,
                        const IntegratorOptions& integrator = {.error = 1e-6}) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(deck, "deck", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  DynamicsSettings settings;
  settings.integrator = integrator;
  ComputeSettings compute;
  compute.device = std::move(device);
  compute.device_solver = solver;
  Outcome out;
  SessionEvents told;
  told.record = [&](double, StepKind, std::span<const double> values) {
    out.values.insert(out.values.end(), values.begin(), values.end());
  };
  told.warning = [&](const std::string&) { ++out.warnings; };
  Session simulation(std::move(model), settings, told, compute);
  simulation.run(dynamics_analysis, {0.6 * end, steps});
  simulation.run(dynamics_analysis, {end, steps});
  out.counters = simulation.counters();
  return out;
}

inline constexpr const char* states =
    "UNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,2,3\n"
    "MARKER/20,PART=2,QP=1,0,0\nMARKER/21,PART=2\nJOINT/1,SPHERICAL,I=21,J=10\n"
    "PART/3,MASS=.5,CM=30,IP=1,1,1,QG=2,0,0\nMARKER/30,PART=3\nMARKER/31,PART=3,QP=0,.2,0\n"
    "BUSHING/1,I=31,J=20,K=80,90,100,C=1,1,1,KT=9,8,7,CT=.1,.1,.1\n"
    "VARIABLE/1,FUNCTION=SIN(3*TIME)*DX(20,10)\nDIFF/1,IC=.1,FUNCTION=VARVAL(1)-2*DIF(1)\n"
    "SFORCE/1,TRANSLATION,I=30,J=10,FUNCTION=DIF(1)*VR(30,10)-DM(30,10)\n";
inline constexpr const char* spinning =
    "UNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,2,3,WX=.05,WY=6,WZ=.05\n"
    "MARKER/20,PART=2\nMARKER/21,PART=2,QP=.1,.2,.3\nSPRINGDAMPER/"
    "1,TRANSLATION,I=21,J=10,K=5,C=.1,LENGTH=.1\n";

/// A force by an algebraic state, and an expression that is 0/0 at the start and only shown.
inline constexpr const char* algebraic =
    "UNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,2,3\n"
    "MARKER/20,PART=2\nMARKER/21,PART=2,QP=.1,.2,.3\nDIFF/1,IC=.5,FUNCTION=DX(20,10)-DIF(1)\n"
    "DIFF/2,IMPLICIT,FUNCTION=DIF(2)**3+DIF(2)-DIF(1)-DZ(21,10)\n"
    "SFORCE/1,TRANSLATION,ACTIONONLY,I=21,J=20,FUNCTION=-9*DIF(2)\nVARIABLE/1,FUNCTION=VX(20)/VZ(20)\n";

/// Motions of all levels whose functions read states of each kind.
inline constexpr const char* motions =
    "UNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,2,3\n"
    "MARKER/20,PART=2\nMARKER/21,PART=2,QP=.1,.2,.3\nDIFF/1,IC=.5,FUNCTION=VARVAL(1)-DIF(1)\n"
    "VARIABLE/1,FUNCTION=SIN(3*TIME)\nVARIABLE/2,FUNCTION=DIF(1)**2+VARVAL(1)\nARRAY/1,X\nARRAY/"
    "2,U,VARIABLES=1\n"
    "ARRAY/3,Y\nTFSISO/1,X=1,U=2,Y=3,NUMERATOR=1,DENOMINATOR=1,.5,.1\nMOTION/"
    "1,I=20,J=10,X,FUNCTION=VARVAL(2)\n"
    "MOTION/2,I=20,J=10,Y,VELOCITY,ICDISP=0,FUNCTION=ARYVAL(3,1)+DY(20,10)*DIF(1)\n"
    "MOTION/3,I=20,J=10,Z,ACCELERATION,ICDISP=0,ICVEL=1,FUNCTION=VARVAL(2)-DIF1(1)+VZ(20,10)\n";

/// A motion whose steps change, sensors that cut steps, a spline that is read outside its data, records
/// between steps.
inline constexpr const char* event_lines =
    "UNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1,REULER=0,90D,0\n"
    "PART/2,MASS=1,CM=20,IP=1,2,3\nMARKER/20,PART=2,QP=1,0,0\nMARKER/21,PART=2,REULER=0,90D,0\n"
    "JOINT/1,REVOLUTE,I=21,J=10\nMOTION/1,JOINT=1,ROTATION,FUNCTION=3*TIME**2\n"
    "PART/3,MASS=.5,CM=30,IP=.1,.1,.1,QG=2,0,0\nMARKER/30,PART=3\n"
    "SPRINGDAMPER/1,TRANSLATION,I=30,J=20,K=80,C=1,LENGTH=1\n"
    "SPLINE/1,X=0,.1,.2,.3,Y=0,1,0,1\nSFORCE/1,TRANSLATION,I=30,J=10,FUNCTION=AKISPL(TIME,0,1)\n"
    "SENSOR/1,FUNCTION=TIME,VALUE=.33,ERROR=1E-9,RESTART\nSENSOR/"
    "2,FUNCTION=TIME,VALUE=.47,ERROR=1E-9,CODGEN\n"
    "REQUEST/1,F2=AZ(20,10)\n";

/// A force and a request by what a part did some time ago; the history outgrows its room.
inline constexpr const char* delays =
    "UNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,2,3,QG=1,0,0\n"
    "MARKER/20,PART=2\nVARIABLE/1,FUNCTION=DELAY(DX(20,10),0.3,1)\n"
    "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=10,FUNCTION=-20*DELAY(DZ(20,10),0.1,0.5)-VARVAL(1)\n"
    "REQUEST/1,F2=DELAY(VZ(20),0.2,0)\n";

/// Markers of three parts in one linear force, and constraints by expressions.
inline constexpr const char* nodal =
    "UNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1\nPART/"
    "2,MASS=1,CM=20,IP=1,2,3,QG=.1,0,0\n"
    "MARKER/20,PART=2\nPART/3,MASS=2,CM=30,IP=1,1,2,QG=0,.1,0\nMARKER/30,PART=3\nDIFF/"
    "1,IC=0,FUNCTION=COS(2*TIME)\n"
    "MATRIX/1,FULL=RORDER,ROWS=12,COLUMNS=12,VALUES={}\nNFORCE/1,IMARKERS=20,30,J=10,KMATRIX=1,CRATIO=0.02\n"
    "GCON/1,I=20,FUNCTION=DX(20,10)+DX(30,10)-0.1-0.05*DIF(1)\nGCON/"
    "2,I=30,FUNCTION=VY(20,10)+0.5*VZ(30,10)\n";

inline std::string nodal_deck() {
  std::string values;
  for (int k = 0; k < 144; ++k)
    values += fmt::format("{}{}",
                          k == 0        ? ""
                          : k % 12 == 0 ? "\n,"
                                        : ",",
                          k / 12 == k % 12 ? 60
                          : k % 7 == 3     ? 4
                                           : 0);
  return "nodal\n" + fmt::format(fmt::runtime(nodal), values) + "END\n";
}

struct StepCase {
  const char* name;
  std::string deck;
  double end;
};
inline std::vector<StepCase> cases(const ModelDecks& models) {
  return {{"slider_crank", models.deck("slider_crank/slider_crank.adm"), 0.5},
          {"andrews", models.deck("andrews/andrews.adm"), 0.03},
          {"states", std::string("states\n") + states + "END\n", 0.5},
          {"algebraic", std::string("algebraic\n") + algebraic + "END\n", 1.0},
          {"motions", std::string("motions\n") + motions + "END\n", 1.0},
          {"events", std::string("events\n") + event_lines + "END\n", 1.7},
          {"planar_belt", models.deck("planar_belt/planar_belt.adm"), 0.3},
          {"geared_drive", models.deck("geared_drive/geared_drive.adm"), 0.1},
          {"cams", models.deck("cams/cams.adm"), 0.1},
          {"nodal", nodal_deck(), 0.5},
          {"vehicle_frame", models.flexible("vehicle_frame"), 0.2},
          {"four_bar_flexible", models.flexible("four_bar_flexible"), 0.2},
          {"quasi_static", models.flexible("four_bar_flexible", ", DYNAMIC_LIMIT = 3000"), 0.2},
          {"delays", std::string("delays\n") + delays + "END\n", 2.0},
          {"spinning", std::string("spinning\n") + spinning + "END\n", 4.0}};
}

/// Methods whose iterations are graphs, by the names that tests tell.
struct Formulas {
  const char* name;
  IntegratorOptions options;
};
inline std::vector<Formulas> methods_for(const StepCase& c) {
  const double h = c.end / 500;  // of Newmark's method; at 1e-3 s Andrews' mechanism ends
  // SI1: at 1E-4 it follows the undamped vibrations of flexible bodies, of 38 kHz, in 120,000 steps
  const double of_accelerations = c.deck.find("FLEX_BODY") == std::string::npos ? 1e-4 : 1e-2;
  return {
      {"HHT", {.error = 1e-6}},
      {"GSTIFF I3", {.method = "GSTIFF", .error = 1e-4}},
      {"WSTIFF SI2", {.method = "WSTIFF", .error = 1e-5, .stabilized = true}},
      {"GSTIFF SI1",
       {.method = "GSTIFF", .error = of_accelerations, .stabilized = true, .controls_accelerations = true}},
      {"NEWMARK", {.method = "NEWMARK", .hmin = h, .hmax = h, .hinit = h}}};
}

/// Links that hang on spherical joints, side by side at the start.
inline std::string chain_of(int links) {
  std::string deck = "chain\nUNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/1,PART=1\n";
  for (int k = 2; k < links + 2; ++k)
    deck += fmt::format(
        "PART/{0},MASS=1,CM={0}0,IP=.1,.1,.1,QG={1},0,0\nMARKER/{0}0,PART={0}\nMARKER/"
        "{0}1,PART={0},QP=-.5,0,0\n"
        "MARKER/{0}2,PART={0},QP=.5,0,0\nJOINT/{0},SPHERICAL,I={0}1,J={2}\n",
        k, k - 1.5, k == 2 ? "1" : fmt::format("{}2", k - 1));
  return deck + "END\n";
}

/// What the program submits, and waits for, of steps alone.
struct Asked {
  StepCounters counters;
  double submitted, answers;
};

inline Asked ask_of_steps(const std::string& deck, double from, double to, std::shared_ptr<Device> device,
                          const TrammelSolverApi* solver, const IntegratorOptions& integrator = {}) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(deck, "deck", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  DynamicsSettings settings;
  settings.integrator = integrator;
  ComputeSettings compute;
  compute.device = device;
  compute.device_solver = solver;
  Session session(std::move(model), settings, {}, compute);
  session.run(dynamics_analysis, {from, 1});
  const StepCounters first = session.counters();
  const DeviceCounters before = device->counters();
  session.run(dynamics_analysis, {to, 1});
  const DeviceCounters after = device->counters();
  StepCounters counters = session.counters();
  counters.steps -= first.steps;
  counters.iterations -= first.iterations;
  counters.jacobians -= first.jacobians;
  counters.evaluations -= first.evaluations;
  counters.rejected_error -= first.rejected_error;
  counters.rejected_corrector -= first.rejected_corrector;
  return {counters, static_cast<double>(after.submitted - before.submitted),
          static_cast<double>(after.answers - before.answers)};
}

}  // namespace trammel::test
