// Elements out of force: their wrenches are 0, what they have of the system is λ = 0, and nothing of theirs
// is evaluated.
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "assemble/assembler.h"
#include "tangent_cases.h"

namespace trammel::inactive_test {
namespace {

using namespace test;

Model compile_inactive(const std::string& body) {
  static const std::set<std::string_view> elements{
      "JOINT", "JPRIM",   "MOTION", "PTCV",   "CVCV",   "GCON",   "COUPLER", "GEAR",   "SPRINGDAMPER",
      "FIELD", "BUSHING", "BEAM",   "GFORCE", "SFORCE", "VFORCE", "VTORQUE", "NFORCE", "CONTACT"};
  Diagnostics diagnostics;
  Description description = parse_dataset("title\n" + body + "END\n", "test.adm", diagnostics);
  for (Statement& s : description.statements)
    if (elements.contains(s.spec->keyword)) s.active = false;
  Model model = compile(description, diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

struct System {
  std::vector<double> residual;
  std::map<std::pair<int, int>, double> matrix;  ///< (row, column), entries that are not 0
};

System system_of(Assembler& assembler, const Model& model, const State& state, const Coefficients& c) {
  System s{std::vector<double>(model.unknowns()), {}};
  assembler.evaluate_equations(state, in_dynamics);
  assembler.residual(state, c, s.residual);
  const SparsePattern& p = assembler.pattern();
  std::vector<double> values(p.nonzeros());
  assembler.tangent(state, c, values);
  for (int column = 0; column < p.n; ++column)
    for (int k = p.column_start[column]; k < p.column_start[column + 1]; ++k)
      if (values[k] != 0) s.matrix[{p.row[k], column}] = values[k];
  return s;
}

/// What is left of a model are its bodies.
TEST(Inactive, elements_have_no_part_in_the_system) {
  for (const Case& c : tangent_cases()) {
    SCOPED_TRACE(c.name);
    Random random(5);
    const std::string bodies = c.bodies_deck(random);
    const Model model = compile_inactive(bodies + c.deck), bare = compile_text(bodies);
    const State state = random_state(model, random);
    State of_bodies(bare);
    of_bodies.q = state.q, of_bodies.v = state.v, of_bodies.a = state.a, of_bodies.basis = state.basis;
    Assembler assembler(model), plain(bare);
    const Coefficients coefficients = random_coefficients(random);
    const System left = system_of(assembler, model, state, coefficients),
                 alone = system_of(plain, bare, of_bodies, coefficients);
    for (const double w : assembler.wrenches()) ASSERT_EQ(w, 0);
    const int n = model.coordinates, scalars = model.first_scalar();
    for (int i = 0; i < n; ++i) EXPECT_EQ(left.residual[i], alone.residual[i]);
    for (int i = 0; i < model.multipliers; ++i) EXPECT_EQ(left.residual[n + i], state.lambda[i]);
    for (const auto& [at, value] : left.matrix) {
      const auto [row, column] = at;
      if (row < n && column < n)
        EXPECT_EQ(value, alone.matrix.at(at)) << row << ' ' << column;
      else if (row < scalars && column < scalars)
        EXPECT_TRUE(row == column && value == 1) << row << ' ' << column << ' ' << value;
      else if (row < scalars)
        ADD_FAILURE() << "equation " << row << " reads scalar " << column - scalars;
    }
    for (const auto& [at, value] : alone.matrix) EXPECT_TRUE(left.matrix.contains(at));
    if (HasFailure()) return;
  }
}

/// Functions without a value, and a force along the line of two markers at one place.
TEST(Inactive, functions_and_directions_without_a_value_are_not_evaluated) {
  const std::string deck =
      "UNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\nPART/"
      "2,MASS=1,CM=20,IP=1,1,1\n"
      "MARKER/11,PART=1,QP=0.1,0.2,0.3\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=1,0,0\nJOINT/"
      "1,REVOLUTE,I=10,J=21\n"
      "GCON/7,I=20,FUNCTION=SQRT(-1-DX(20,10)**2)\nMOTION/8,JOINT=1,ROTATION,FUNCTION=LOG(-1-TIME)\n"
      "SFORCE/3,TRANSLATION,I=20,J=10,FUNCTION=SQRT(-1-TIME)\n"
      "DIFF/1,IC=1,FUNCTION=-DIF(1)\nMOTION/9,I=20,J=11,X,VELOCITY,FUNCTION=LOG(-1-TIME)\n"
      "MOTION/11,I=20,J=11,Z,ACCELERATION,FUNCTION=LOG(-1-TIME)\n"
      "MOTION/10,I=20,J=11,Y,FUNCTION=DIF(1)*LOG(-1-TIME)\n"
      "SPRINGDAMPER/4,TRANSLATION,I=20,J=11,K=1\n";
  const Model model = compile_inactive(deck);
  Assembler assembler(model);
  State state(model);
  state.q = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  state.s.assign(state.s.size(), 7);
  state.sdot.assign(state.sdot.size(), 3);
  std::vector<double> rows(model.multipliers), r(model.unknowns());
  assembler.evaluate(state, in_dynamics);
  assembler.residual(state, {1, 0.1, 0.01}, r);
  for (const double row : r) EXPECT_TRUE(std::isfinite(row));
  for (int k = 0; k < model.scalar_count(); ++k) {  // V = 0 of a motion of states, Ẋ = 0 of the others
    const ElementName& name = model.scalars[k].name;
    if (name.type != "MOTION") continue;
    EXPECT_EQ(r[model.first_scalar() + k], name.id == 10 ? 7 : 3) << name.id;
  }
  for (const ConstraintLevel level :
       {ConstraintLevel::position, ConstraintLevel::velocity, ConstraintLevel::acceleration}) {
    assembler.constraints(state, level, rows);
    for (const double row : rows) EXPECT_EQ(row, 0);
  }
  for (const double w : assembler.wrenches()) EXPECT_EQ(w, 0);
}

}  // namespace
}  // namespace trammel::inactive_test
