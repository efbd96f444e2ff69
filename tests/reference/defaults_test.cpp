// The defaults that the field tables state are those of the program: an argument that is written out with its
// default changes no bit of anything that can be observed, and written out with another value it changes
// something.
#include <gtest/gtest.h>

#include <set>

#include "../support/simulate.h"
#include "base/text.h"
#include "dataset/registry.h"
#include "session/output_statements.h"

namespace trammel::test::defaults_test {
namespace {

constexpr double output_step = 0.01;

/// A statement in which an argument has a default, and another value of it; "" where no other one works.
struct Case {
  std::string_view keyword, argument;
  std::string statement;  ///< without the argument
  std::string other;
  std::string rest{};  ///< further lines that it needs
};

std::string whole_deck(const std::string& lines) {
  return "title\nPART/1, GROUND\nMARKER/10, PART = 1\nMARKER/11, PART = 1, QP = 0.1, 0.2, 0.3, REULER = 0.3, "
         "0.4, 0.5\nPART/2, MASS = 2, CM = 20, IP = 1, 1.1, 1.2, QG = 1, 0.2, 0.1, REULER = 0.1, 0.2, 0.3\n"
         ", VX = 0.3, WX = 0.2, WY = 0.5\nMARKER/20, PART = 2\nMARKER/21, PART = 2, QP = 0.2, 0.1, 0, REULER "
         "= 0.2, 0.3, 0.4\n" +
         lines + "END\n";
}

Description read(const std::string& deck, Diagnostics& diagnostics) {
  Description description = parse_dataset(deck, "deck.adm", diagnostics);
  diagnostics.stop_on_errors();
  return description;
}

void add(std::vector<double>& out, const DynamicsSettings& settings) {
  const IntegratorOptions o = with_output_step(settings, output_step);
  const InitialOptions& i = settings.initial;
  out.insert(out.end(),
             {o.error, o.hmin, o.hmax, o.hinit, o.alpha, o.beta, o.gamma, double(o.maxit),
              double(o.predictor_order), double(o.modified_corrector), double(settings.interpolate),
              double(settings.break_points), i.error, double(i.maxit), i.tlimit, i.alimit, double(i.amaxit)});
  const KinematicsOptions& k = settings.kinematics;
  const EquilibriumOptions& e = settings.equilibrium;
  out.insert(out.end(), {k.error, double(k.maxit), k.tlimit, k.alimit, k.hmax, double(e.method), e.alimit,
                         e.tlimit, e.error, e.imbalance, double(e.maxit), e.stability, e.global_damping,
                         e.settling_time, e.acceleration_error, e.kinetic_energy_error});
  for (char c : e.pattern) out.push_back(c);
  for (char c : o.pattern) out.push_back(c);
}

/// Settings, options of files, sensors, and every record of two short steps of output.
std::vector<double> observed(const std::string& lines) {
  const std::string deck = whole_deck(lines);
  Diagnostics diagnostics;
  const Description description = read(deck, diagnostics);
  std::vector<double> out;
  add(out, read_settings(description, diagnostics));
  for (const auto& scale : table_options(description.find("OUTPUT")).scale)
    out.insert(out.end(), std::begin(scale), std::end(scale));
  out.push_back(results_options(description.find("RESULTS")).digits);
  for (const Sensor& sensor : compile(description, diagnostics).sensors) out.push_back(sensor.error);
  Recording run(deck);
  run.simulation->run(dynamics_analysis, {2 * output_step, 2, 0});
  for (const std::vector<double>& record : run.values) out.insert(out.end(), record.begin(), record.end());
  return out;
}

const std::string ends = ", I = 21, J = 11";
const std::string floating = "MARKER/19, PART = 1, FLOATING\n";
const std::string held = "MARKER/30, PART = 3\nJOINT/1, FIXED, I = 30, J = 21\n";
const std::string free_mass = ", MASS = 3, CM = 30, IP = 1, 2, 2, VY = 1, WX = 0.3, WY = 1";
const std::string measured = "REQUEST/1, F2 = DX(12,20)\\F3 = AZ(12,20)\\F4 = AX(12,20)\n";
const std::string beam = ", LENGTH = 1, IXX = 1, IYY = 2, IZZ = 3, AREA = 4, EMODULUS = 5, GMODULUS = 6";
const std::string stiffness =
    "KMATRIX = 1,0,0,0,0,0, 0,2,0,0,0,0, 0,0,3,0,0,0, 0,0,0,4,0,0\n, 0,0,0,0,5,0, 0,0,0,0,0,6";
const std::string nodes =
    "MATRIX/1, SPARSE, ROWS = 6, COLUMNS = 6, I = 1, 2, 3, J = 1, 2, 3, VALUES = 4, 5, 6\n";
const std::string points =
    "MATRIX/1, FULL, RORDER, ROWS = 6, COLUMNS = 3, VALUES = 0,0,0, 1,2,0, 2,-1,1, 3,4,0, 4,0,2, 0,0,0\n"
    "REQUEST/1, F2 = CURVE(0.3, 0, 1, 1)\\F3 = CURVE(0.3, 0, 2, 1)\n";

const std::string balls =
    "GRAPHICS/1, ELLIPSOID, CM = 20, XSCALE = 1, YSCALE = 1, ZSCALE = 1\nGRAPHICS/2, PLANE, RM = 11\n";
const std::string slip =
    "\n, MU_STATIC = 0.5, MU_DYNAMIC = 0.4, STICTION_TRANSITION_VELOCITY = 1"
    "\n, FRICTION_TRANSITION_VELOCITY = 2";
const std::string friction = "FRICTION/1, JOINT = 1, MU_STATIC = 0.5, MU_DYNAMIC = 0.3";
/// A flexible bar and what shows the motion of its far end.
const std::string flexible =
    "FLEX_BODY/3, MNF_FILE = " TRAMMEL_SOURCE_DIR "/models/flexible_slider_crank/coupler.mtx, WZ = 3";
const std::string at_its_end =
    "MARKER/31, FLEX_BODY = 3, NODE_ID = 1\nMARKER/32, FLEX_BODY = 3, NODE_ID = 2\n"
    "REQUEST/1, F2 = DX(32,10)\\, F3 = DY(32,10)\\, F4 = DZ(32,10)\n";
const std::string on_a_ball = "JOINT/1, SPHERICAL, I = 31, J = 11\n" + at_its_end;

/// PART/2 on ground, loaded in all directions.
std::string loaded(const std::string& joint) {
  return "MARKER/12, PART = 1, QP = 1, 0.2, 0.1, REULER = 0.1, 0.2, 0.3\nJOINT/1, I = 20, J = 12, " + joint +
         "\nACCGRAV/IGRAV = 3, JGRAV = 2, KGRAV = -9\nMARKER/19, PART = 1, FLOATING\nVTORQUE/1, I = 20, "
         "JFLOAT = 19\n"
         ", TX = 1\\\n, TY = 2\\\n, TZ = 3\n";
}
const std::string slow = loaded("TRANSLATIONAL, IC = 0.02"), quick = loaded("TRANSLATIONAL, IC = 0.12");
const std::string hinge = loaded("REVOLUTE, IC = 0.02"), ball = loaded("SPHERICAL");

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"ACCGRAV", "IGRAV", "ACCGRAV/JGRAV = 1", "2"},
      {"ACCGRAV", "JGRAV", "ACCGRAV/KGRAV = 1", "2"},
      {"ACCGRAV", "KGRAV", "ACCGRAV/IGRAV = 1", "2"},
      {"CONTACT", "DAMPING", "CONTACT/1, IGEOM = 1, JGEOM = 2, STIFFNESS = 5, EXPONENT = 2, DMAX = 0.1", "1",
       balls},
      {"CONTACT", "COULOMB_FRICTION", "CONTACT/1, IGEOM = 1, JGEOM = 2, STIFFNESS = 5, EXPONENT = 2" + slip,
       "ON", balls},
      {"CONTACT", "STICTION",
       "CONTACT/1, IGEOM = 1, JGEOM = 2, STIFFNESS = 5, EXPONENT = 2, COULOMB_FRICTION = ON" + slip, "ON",
       balls},
      {"CONTACT", "MAX_STICTION_DEFORMATION",
       "CONTACT/1, IGEOM = 1, JGEOM = 2, STIFFNESS = 5, EXPONENT = 2, COULOMB_FRICTION = ON, STICTION = ON" +
           slip,
       "0.02", balls},
      {"GRAPHICS", "ANGLE", "GRAPHICS/1, REVOLUTION, RM = 20, PROFILE_POINTS = 0,-1, 1,-1, 1,1, 0,1", "90D",
       "GRAPHICS/2, PLANE, RM = 11\nCONTACT/1, IGEOM = 1, JGEOM = 2, STIFFNESS = 5, EXPONENT = 2\n"},
      {"JOINT", "FRICTION",
       "JOINT/1, REVOLUTE, I = 20, J = 11, IC = 1, MU_STAT_ROT = 0.5, MU_DYN_ROT = 0.3, INNER_RADIUS = 0.1",
       "ON", "ACCGRAV/JGRAV = -9\n"},
      {"PART", "MASS", "PART/3, CM = 30", "1", held},
      {"PART", "IP", "PART/3, MASS = 1, CM = 30", "1, 1, 1", held},
      {"PART", "QG", "PART/3" + free_mass, "1, 2, 3", "MARKER/30, PART = 3\n"},
      {"PART", "REULER", "PART/3" + free_mass, "0.1, 0.2, 0.3", "MARKER/30, PART = 3\n"},
      {"POINT_MASS", "MASS", "POINT_MASS/3, CM = 30", "1",
       "MARKER/30, POINT_MASS = 3\nJOINT/1, SPHERICAL, I = 30, J = 21\n"},
      {"POINT_MASS", "QG", "POINT_MASS/3, MASS = 1, CM = 30", "1, 2, 3", "MARKER/30, POINT_MASS = 3\n"},
      {"POINT_MASS", "REULER", "POINT_MASS/3, MASS = 1, CM = 30", "0.1, 0.2, 0.3",
       "MARKER/30, POINT_MASS = 3\nREQUEST/1, F2 = AZ(30,20)\\F3 = AX(30,20)\n"},
      {"FLEX_BODY", "QG", flexible, "1, 2, 3", at_its_end},
      {"FLEX_BODY", "REULER", flexible, "0.1, 0.2, 0.3", on_a_ball},
      {"FLEX_BODY", "REPRESENTATION", flexible, "RIGID", "ACCGRAV/JGRAV = -9.81\n" + on_a_ball},
      {"FLEX_BODY", "GENERALIZED_DAMPING", flexible, "", on_a_ball},  // its file has no damping
      {"MARKER", "QP", "MARKER/12, PART = 1", "1, 2, 3", measured},
      {"MARKER", "REULER", "MARKER/12, PART = 1", "0.1, 0.2, 0.3", measured},
      {"SPRINGDAMPER", "K", "SPRINGDAMPER/1, TRANSLATION, C = 1" + ends, "2"},
      {"SPRINGDAMPER", "C", "SPRINGDAMPER/1, TRANSLATION, K = 1" + ends, "2"},
      {"SPRINGDAMPER", "LENGTH", "SPRINGDAMPER/1, TRANSLATION, K = 1" + ends, "2"},
      {"SPRINGDAMPER", "FORCE", "SPRINGDAMPER/1, TRANSLATION, K = 1" + ends, "2"},
      {"SPRINGDAMPER", "KT", "SPRINGDAMPER/1, ROTATION, CT = 1" + ends, "2"},
      {"SPRINGDAMPER", "CT", "SPRINGDAMPER/1, ROTATION, KT = 1" + ends, "2"},
      {"SPRINGDAMPER", "ANGLE", "SPRINGDAMPER/1, ROTATION, KT = 1" + ends, "2"},
      {"SPRINGDAMPER", "TORQUE", "SPRINGDAMPER/1, ROTATION, KT = 1" + ends, "2"},
      {"VFORCE", "FX", "VFORCE/1, I = 21, JFLOAT = 19, FY = 1", "2", floating},
      {"VFORCE", "FY", "VFORCE/1, I = 21, JFLOAT = 19, FX = 1", "2", floating},
      {"VFORCE", "FZ", "VFORCE/1, I = 21, JFLOAT = 19, FX = 1", "2", floating},
      {"VTORQUE", "TX", "VTORQUE/1, I = 21, JFLOAT = 19, TY = 1", "2", floating},
      {"VTORQUE", "TY", "VTORQUE/1, I = 21, JFLOAT = 19, TX = 1", "2", floating},
      {"VTORQUE", "TZ", "VTORQUE/1, I = 21, JFLOAT = 19, TX = 1", "2", floating},
      {"GFORCE", "FX", "GFORCE/1, I = 21, JFLOAT = 19, TX = 1", "2", floating},
      {"GFORCE", "FY", "GFORCE/1, I = 21, JFLOAT = 19, TX = 1", "2", floating},
      {"GFORCE", "FZ", "GFORCE/1, I = 21, JFLOAT = 19, TX = 1", "2", floating},
      {"GFORCE", "TX", "GFORCE/1, I = 21, JFLOAT = 19, FX = 1", "2", floating},
      {"GFORCE", "TY", "GFORCE/1, I = 21, JFLOAT = 19, FX = 1", "2", floating},
      {"GFORCE", "TZ", "GFORCE/1, I = 21, JFLOAT = 19, FX = 1", "2", floating},
      {"BUSHING", "K", "BUSHING/1, C = 1, 1, 1" + ends, "1, 2, 3"},
      {"BUSHING", "C", "BUSHING/1, K = 1, 1, 1" + ends, "1, 2, 3"},
      {"BUSHING", "KT", "BUSHING/1, K = 1, 1, 1" + ends, "1, 2, 3"},
      {"BUSHING", "CT", "BUSHING/1, K = 1, 1, 1" + ends, "1, 2, 3"},
      {"BUSHING", "FORCE", "BUSHING/1, K = 1, 1, 1" + ends, "1, 2, 3"},
      {"BUSHING", "TORQUE", "BUSHING/1, K = 1, 1, 1" + ends, "1, 2, 3"},
      {"BEAM", "ASY", "BEAM/1" + ends + beam, "1.2"},
      {"BEAM", "ASZ", "BEAM/1" + ends + beam, "1.2"},
      {"BEAM", "CRATIO", "BEAM/1" + ends + beam, "0.1"},
      {"BEAM", "FORMULATION", "BEAM/1" + ends + beam, ""},
      {"FIELD", "CRATIO", "FIELD/1" + ends + ", " + stiffness, "0.1"},
      {"FIELD", "FORCE", "FIELD/1" + ends + ", " + stiffness, "1, 2, 3, 4, 5, 6"},
      {"FIELD", "LENGTH", "FIELD/1" + ends + ", " + stiffness, "1, 2, 3, 0.1, 0.2, 0.3"},
      {"FIELD", "FORMULATION", "FIELD/1" + ends + ", " + stiffness, ""},
      {"NFORCE", "CRATIO", "NFORCE/1, IMARKERS = 21, J = 11, KMATRIX = 1", "0.1", nodes},
      {"FRICTION", "FORMULATION", friction, "LUGRE", slow},
      {"FRICTION", "STICTION_TRANSITION_VELOCITY", friction, "0.3", slow},
      {"FRICTION", "TRANSITION_VELOCITY_COEFFICIENT", friction, "2", quick},
      {"FRICTION", "MAX_STICTION_DEFORMATION", friction, "0.02", slow},
      {"FRICTION", "EFFECT", friction, "SLIDING", slow},
      {"FRICTION", "INPUTS", friction, "NONE", slow},
      {"FRICTION", "PIN_RADIUS", friction, "2", hinge},
      {"FRICTION", "FRICTION_ARM", friction, "2", hinge},
      {"FRICTION", "BENDING_REACTION_ARM", friction, "2", hinge},
      {"FRICTION", "BALL_RADIUS", friction, "2", ball},
      {"FRICTION", "REACTION_ARM", friction, "2", slow},
      {"FRICTION", "INITIAL_OVERLAP", friction, "2", slow},
      {"FRICTION", "OVERLAP_DELTA", friction + ", INITIAL_OVERLAP = 2", "INCREASE", slow},
      {"FRICTION", "FRICTION_FORCE_PRELOAD", friction, "3", slow},
      {"FRICTION", "FRICTION_TORQUE_PRELOAD", friction, "3", hinge},
      // Two roots, −1 and 2: the one nearer to IC is found.
      {"VARIABLE", "IC", "VARIABLE/1, FUNCTION = VARVAL(1)**2-2", "3", "REQUEST/1, F2 = VARVAL(1)\n"},
      {"DIFF", "IC", "DIFF/1, FUNCTION = 1-DIF(1)", "3", "REQUEST/1, F2 = DIF(1)\n"},
      {"CURVE", "ORDER", "CURVE/1, OPEN, MATRIX = 1, CURVE_POINTS", "2", points},
      {"SENSOR", "ERROR", "SENSOR/1, FUNCTION = TIME, EQ, VALUE = 10, PRINT", "0.1"},
      {"OUTPUT", "DSCALE", "OUTPUT/PRINT", "2"},
      {"OUTPUT", "VSCALE", "OUTPUT/PRINT", "2"},
      {"OUTPUT", "ASCALE", "OUTPUT/PRINT", "2"},
      {"OUTPUT", "FSCALE", "OUTPUT/PRINT", "2"},
      {"RESULTS", "DECIMALPLACES", "RESULTS/XRF", "5"},
      {"IC", "ERROR", "IC/LIST", "1E-9"},
      {"IC", "MAXIT", "IC/LIST", "26"},
      {"IC", "TLIMIT", "IC/LIST", "100"},
      {"IC", "ALIMIT", "IC/LIST", "20D"},
      {"IC", "AMAXIT", "IC/LIST", "26"},
      {"KINEMATICS", "ERROR", "KINEMATICS/LIST", "1E-5"},
      {"KINEMATICS", "MAXIT", "KINEMATICS/LIST", "26"},
      {"KINEMATICS", "TLIMIT", "KINEMATICS/LIST", "100"},
      {"KINEMATICS", "ALIMIT", "KINEMATICS/LIST", "20D"},
      {"EQUILIBRIUM", "ALIMIT", "EQUILIBRIUM/LIST", "20D"},
      {"EQUILIBRIUM", "TLIMIT", "EQUILIBRIUM/LIST", "100"},
      {"EQUILIBRIUM", "ERROR", "EQUILIBRIUM/LIST", "1E-5"},
      {"EQUILIBRIUM", "IMBALANCE", "EQUILIBRIUM/LIST", "1E-5"},
      {"EQUILIBRIUM", "MAXIT", "EQUILIBRIUM/LIST", "26"},
      {"EQUILIBRIUM", "PATTERN", "EQUILIBRIUM/LIST", "F"},
      {"EQUILIBRIUM", "STABILITY", "EQUILIBRIUM/LIST", "0.1"},
      {"EQUILIBRIUM", "GLOBAL_DAMPING", "EQUILIBRIUM/DYNAMIC", "0.1"},
      {"EQUILIBRIUM", "ACCELERATION_ERROR", "EQUILIBRIUM/DYNAMIC", "0.1"},
      {"EQUILIBRIUM", "KINETIC_ENERGY_ERROR", "EQUILIBRIUM/DYNAMIC", "0.1"},
      {"INTEGRATOR", "MAXIT", "INTEGRATOR/HHT", "11"},
      {"INTEGRATOR", "CORRECTOR", "INTEGRATOR/HHT", "MODIFIED"},
      {"INTEGRATOR", "JACOBIAN", "INTEGRATOR/NEWMARK", "MASS"},
      {"INTEGRATOR", "INTERPOLATE", "INTEGRATOR/HHT", "ON"},
      {"INTEGRATOR", "BREAK_POINTS", "INTEGRATOR/HHT", "OFF"},
      {"INTEGRATOR", "ALPHA", "INTEGRATOR/HHT", "-0.1"},
  };
  return list;
}

/// Arguments whose default is no value that could be written, or that only another integrator reads: tested
/// below.
const std::set<std::pair<std::string_view, std::string_view>> tested_apart = {
    {"INTEGRATOR", "ERROR"},   {"INTEGRATOR", "HMAX"},  {"INTEGRATOR", "HINIT"}, {"INTEGRATOR", "BETA"},
    {"EQUILIBRIUM", "METHOD"}, {"INTEGRATOR", "GAMMA"}, {"LINEAR", "NEAR"},      {"LINEAR", "FORMAT"}};

/// Arguments that are read and change nothing, whatever their value: the run says so of each.
const std::vector<std::pair<std::string_view, std::string_view>> idle = {
    {"KINEMATICS", "PATTERN"}, {"KINEMATICS", "APATTERN"}, {"KINEMATICS", "AERROR"},
    {"KINEMATICS", "AMAXIT"},  {"EQUILIBRIUM", "ATOL"},    {"EQUILIBRIUM", "RTOL"},
    {"EQUILIBRIUM", "MAXITL"}, {"EQUILIBRIUM", "ETA"},     {"EQUILIBRIUM", "ETAMAX"},
    {"IC", "PATTERN"},         {"IC", "VERROR"},           {"IC", "AERROR"},
    {"IC", "APATTERN"},        {"INTEGRATOR", "KMAX"},     {"INTEGRATOR", "ADAPTIVITY"},
    {"INTEGRATOR", "FIXIT"},   {"INTEGRATOR", "HRATIO"},   {"INTEGRATOR", "MAXERR"}};

const Field* field_of(std::string_view keyword, std::string_view name) {
  for (const auto& table : {dataset_statements(), command_statements()})
    for (const StatementSpec& spec : table)
      for (const Field& field : spec.fields)
        if (spec.keyword == keyword && field.name == name) return &field;
  return nullptr;
}

std::string default_of(std::string_view keyword, std::string_view name) {
  const Field* field = field_of(keyword, name);
  EXPECT_TRUE(field && !field->default_value.empty()) << keyword << ' ' << name << " has no default";
  return field ? std::string(field->default_value) : "";
}

TEST(Defaults, written_out_they_change_nothing) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(std::string(c.keyword) + " " + std::string(c.argument));
    const std::string with = c.statement + "\n, " + std::string(c.argument) + " = ", rest = "\n" + c.rest;
    try {
      const std::vector<double> without = observed(c.statement + rest);
      EXPECT_EQ(without, observed(with + default_of(c.keyword, c.argument) + rest));
      if (!c.other.empty()) {
        EXPECT_NE(without, observed(with + c.other + rest)) << "the test does not see it";
      }
    } catch (const std::exception& failure) {
      ADD_FAILURE() << failure.what();
    }
  }
}

/// Defaults that the tables state in words: "(default)", "ground if absent", "zero if absent".
TEST(Defaults, in_words_written_out_they_change_nothing) {
  struct Words {
    std::string statement, written, other, rest;
  };
  const std::string zeros =
      nodes + "ARRAY/1, NUMBERS = 0, 0, 0, 0, 0, 0\nARRAY/2, NUMBERS = 1, 2, 3, 4, 5, 6\n";
  const std::string nodal = "NFORCE/1, IMARKERS = 21, J = 11, KMATRIX = 1";
  const std::string system =
      "ARRAY/3, X\nARRAY/1, IC, NUMBERS = 0\nARRAY/2, IC, NUMBERS = 1\nMATRIX/1, FULL, RORDER, ROWS = 1, "
      "COLUMNS = "
      "1, VALUES = -2\nREQUEST/1, F2 = ARYVAL(3, 1)\n";
  const Words list[] = {
      {"VFORCE/1, I = 21, JFLOAT = 19, FX = 1", "RM = 10", "RM = 11", floating},
      {"VTORQUE/1, I = 21, JFLOAT = 19, TX = 1", "RM = 10", "RM = 11", floating},
      {"GFORCE/1, I = 21, JFLOAT = 19, FX = 1, TX = 1", "RM = 10", "RM = 11", floating},
      {"REQUEST/1, DISPLACEMENT, I = 21", "J = 10", "J = 11", ""},
      {"REQUEST/1, DISPLACEMENT, I = 21, J = 11", "RM = 10", "RM = 11", ""},
      {"PART/3" + free_mass, "IM = 30", "IM = 31",
       "MARKER/30, PART = 3\nMARKER/31, PART = 3, QP = 0.1, 0, 0, REULER = 1, 1, 0\n"},
      {nodal, "FORCE = 1", "FORCE = 2", zeros},
      {nodal, "LENGTH = 1", "LENGTH = 2", zeros},
      {"LSE/1, X = 3, A = 1", "IC = 1", "IC = 2", system},
      {"MOTION/1, I = 21, J = 11, X, FUNCTION = 0.5+TIME", "DISPLACEMENT", "VELOCITY", ""},
      {"CURVE/1, MATRIX = 1, CURVE_POINTS", "OPEN", "CLOSED", points},
      {"INTEGRATOR/GSTIFF", "I3", "", ""},
  };
  for (const Words& w : list) {
    SCOPED_TRACE(w.statement + ": " + w.written);
    try {
      const std::vector<double> without = observed(w.statement + "\n" + w.rest);
      EXPECT_EQ(without, observed(w.statement + ", " + w.written + "\n" + w.rest));
      if (!w.other.empty()) {
        EXPECT_NE(without, observed(w.statement + ", " + w.other + "\n" + w.rest))
            << "the test does not see it";
      }
    } catch (const std::exception& failure) {
      ADD_FAILURE() << failure.what();
    }
  }
}

TEST(Defaults, no_statement_is_one_without_arguments) {
  for (const char* statement : {"IC/LIST\n", "INTEGRATOR/MAXIT = 10\n", "OUTPUT/PRINT\n", "RESULTS/XRF\n"})
    EXPECT_EQ(observed(""), observed(statement)) << statement;
}

/// Every default of a table is tested here, but for statements and arguments that the program does not use.
TEST(Defaults, none_is_left_out) {
  std::set<std::pair<std::string_view, std::string_view>> tested = tested_apart;
  for (const Case& c : cases()) tested.emplace(c.keyword, c.argument);
  tested.insert(idle.begin(), idle.end());
  for (const auto& [keyword, argument] : tested) default_of(keyword, argument);
  for (const auto& table : {dataset_statements(), command_statements()})
    for (const StatementSpec& spec : table) {
      if (spec.support == Support::no_effect || spec.support == Support::unsupported) continue;
      for (const Field& field : spec.fields) {
        const bool used = field.support == Support::works || field.support == Support::kept;
        if (!field.default_value.empty() && used) {
          EXPECT_TRUE(tested.contains({spec.keyword, field.name})) << spec.keyword << ' ' << field.name;
        }
      }
    }
}

DynamicsSettings settings_of(const std::string& lines) {
  Diagnostics diagnostics;
  const Description description = read(whole_deck(lines), diagnostics);
  DynamicsSettings settings = read_settings(description, diagnostics, true);
  diagnostics.stop_on_errors();
  return settings;
}

TEST(Defaults, idle_arguments_are_told) {
  for (const auto& [keyword, argument] : idle) {
    const std::string name(keyword), text(argument);
    const std::string statement = name + (name == "INTEGRATOR" ? "/HHT" : "/LIST");
    const std::vector<std::string> told =
        settings_of(statement + ", " + text + " = " + (text == "KMAX" ? "2" : default_of(keyword, argument)) +
                    "\n")
            .idle;
    ASSERT_EQ(told.size(), 1u) << name << ' ' << text;
    EXPECT_NE(told[0].find(text), std::string::npos) << told[0];
  }
}

std::vector<double> numbers_of(const DynamicsSettings& settings) {
  std::vector<double> out;
  add(out, settings);
  return out;
}

/// "1E-3 (1E-5 for HHT and NEWMARK; 1E-8 where none is named)": one for BDF, Radau and explicit ones, one for
/// the two named, one for statements of other arguments alone.
TEST(Defaults, tolerance_of_each_integrator) {
  const std::string text = default_of("INTEGRATOR", "ERROR");
  const std::size_t bracket = text.find(" (");
  ASSERT_NE(bracket, std::string::npos);
  const std::string two = " for HHT and NEWMARK; ", none = " where none is named)";
  ASSERT_NE(text.find(two), std::string::npos);
  ASSERT_TRUE(text.ends_with(none));
  const std::size_t third = text.find(two) + two.size();
  const std::string unnamed = text.substr(third, text.size() - none.size() - third);
  EXPECT_EQ(numbers_of(settings_of("INTEGRATOR/MAXIT = 10\n")),
            numbers_of(settings_of("INTEGRATOR/ERROR = " + unnamed + "\n")));
  const std::string bdf = text.substr(0, bracket);
  const std::string second_order = text.substr(bracket + 2, text.find(" for ") - bracket - 2);
  for (const auto& [type, value] : {std::pair<std::string, std::string>{"HHT", second_order},
                                    {"NEWMARK", second_order},
                                    {"GSTIFF", bdf},
                                    {"WSTIFF", bdf},
                                    {"RADAU", bdf},
                                    {"RKF45", bdf},
                                    {"ABAM", bdf}}) {
    const std::string statement = "INTEGRATOR/" + type;
    EXPECT_EQ(numbers_of(settings_of(statement + "\n")),
              numbers_of(settings_of(statement + ", ERROR = " + value + "\n")))
        << type;
    EXPECT_NE(numbers_of(settings_of(statement + "\n")),
              numbers_of(settings_of(statement + ", ERROR = 1E-7\n")))
        << type;
  }
}

/// "ORIGINAL, and FUNNEL where that fails".
TEST(Defaults, method_of_statics) {
  EXPECT_EQ(default_of("EQUILIBRIUM", "METHOD"), "ORIGINAL, and FUNNEL where that fails");
  EXPECT_EQ(settings_of("EQUILIBRIUM/LIST\n").equilibrium.method, StaticMethod::automatic);
  EXPECT_EQ(settings_of("EQUILIBRIUM/METHOD = ORIGINAL\n").equilibrium.method, StaticMethod::original);
}

/// "output step" and "HMAX/20".
TEST(Defaults, step_sizes) {
  ASSERT_EQ(default_of("INTEGRATOR", "HMAX"), "output step");
  ASSERT_EQ(default_of("INTEGRATOR", "HINIT"), "HMAX/20");
  const auto options = [](const std::string& statement) {
    return with_output_step(settings_of(statement + "\n"), output_step);
  };
  EXPECT_EQ(options("INTEGRATOR/HHT").hmax, output_step);
  EXPECT_EQ(options("INTEGRATOR/HHT").hinit, output_step / 20);
  EXPECT_EQ(options("INTEGRATOR/HHT, HMAX = 0.5").hinit, 0.5 / 20);
}

/// BETA is held against the least that keeps Newmark's formulas stable with GAMMA; as the defaults of both
/// do.
TEST(Defaults, parameters_of_newmark) {
  const std::string beta = default_of("INTEGRATOR", "BETA"), gamma = default_of("INTEGRATOR", "GAMMA");
  const auto said = [](const std::string& arguments) {
    Diagnostics diagnostics;
    parse_dataset(whole_deck("INTEGRATOR/NEWMARK, " + arguments + "\n"), "deck.adm", diagnostics);
    std::string text;
    for (const Diagnostic& d : diagnostics.list()) text += d.text + "\n";
    return text;
  };
  EXPECT_EQ(said("BETA = " + beta + ", GAMMA = " + gamma), "");
  EXPECT_EQ(said("BETA = " + beta), "");
  EXPECT_NE(said("BETA = 0.3"), "");
  EXPECT_EQ(said("BETA = 0.3"), said("BETA = 0.3, GAMMA = " + gamma));
}

}  // namespace
}  // namespace trammel::test::defaults_test
