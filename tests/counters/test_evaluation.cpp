// evaluate_equations() leaves out markers that only results read. Held to evaluate(), bit by bit, on every
// model: an assembler that never saw the other markers must give the same equations.
#include <gtest/gtest.h>

#include <filesystem>

#include "../support/deck.h"
#include "analysis/session.h"
#include "dataset/reader.h"
#include "model/compile.h"

namespace fs = std::filesystem;
using namespace trammel;

namespace test_evaluation {
namespace {

std::vector<fs::path> datasets() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(TRAMMEL_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".adm") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

struct Equations {
  std::vector<double> residual, matrix, angles, delayed;
};

Equations equations(const Model& model, State state, bool all_markers) {
  Assembler assembler(model);
  if (all_markers)
    assembler.evaluate(state, in_dynamics);
  else
    assembler.evaluate_equations(state, in_dynamics);
  const Coefficients c{1.4, 8e-4, 4e-7, 8e-4, 1.4};  // those of HHT at h = 1 ms
  Equations out{std::vector<double>(model.unknowns()),
                std::vector<double>(assembler.pattern().nonzeros()),
                state.angle,
                {}};
  assembler.residual(state, c, out.residual);
  assembler.tangent(state, c, out.matrix);
  assembler.current_angles(state, out.angles);
  state.t += 1;
  assembler.tapes().accept(assembler.reads(), state);
  for (const DelayBuffer& d : state.delays) out.delayed.push_back(d.values().back());
  return out;
}

void compare(Model model, const DynamicsSettings& settings) {
  Session simulation(std::move(model), settings, {});
  simulation.initialize();
  State state = simulation.state();
  // Away from the start, where velocities and accelerations are zero and would hide what they multiply.
  for (auto* v : {&state.q, &state.v, &state.a, &state.lambda, &state.s, &state.sdot})
    for (std::size_t k = 0; k < v->size(); ++k) (*v)[k] += 1e-3 * std::sin(1.0 + double(k));
  const Equations all = equations(simulation.model(), state, true),
                  some = equations(simulation.model(), state, false);
  EXPECT_EQ(all.residual, some.residual);
  EXPECT_EQ(all.matrix, some.matrix);
  EXPECT_EQ(all.angles, some.angles);
  EXPECT_EQ(all.delayed, some.delayed);
}

class Evaluation : public testing::TestWithParam<fs::path> {};

TEST_P(Evaluation, of_the_equations_is_the_same_without_other_markers) {
  Diagnostics diagnostics;
  const Description description = read_dataset(GetParam().string(), diagnostics);
  Model model = compile(description, diagnostics);
  const DynamicsSettings settings = read_settings(description, diagnostics);
  diagnostics.stop_on_errors();
  compare(std::move(model), settings);
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  return info.param.stem().string();
}
INSTANTIATE_TEST_SUITE_P(models, Evaluation, testing::ValuesIn(datasets()), test_name);

// What the models lack: accelerations and delays in equations, angles and delays that only a request reads.
TEST(Evaluation, of_deep_measures_is_the_same_without_other_markers) {
  const char* deck = R"(UNITS/UCF=1
PART/1, GROUND
MARKER/10, PART = 1
MARKER/11, PART = 1, QP = 0.1, 0.2, 0.3, REULER = 0.1, 0.2, 0.3
PART/2, MASS = 1, CM = 20, IP = 1, 2, 2.5, VX = 0.3, WY = 0.2, WX = 0.4
MARKER/20, PART = 2
MARKER/21, PART = 2, QP = 0.4, 0.1, 0.2, REULER = 0.3, 0.1, 0.2
MARKER/22, PART = 2, QP = -0.3, 0.2, 0.1, REULER = 0.2, 0.3, 0.4
MARKER/23, PART = 2, QP = -0.2, 0.5, 0.1, REULER = 0.5, 0.3, 0.4
MARKER/24, PART = 2, QP = -0.1, 0.4, 0.1, REULER = 0.5, 0.6, 0.4
MARKER/25, PART = 2, QP = -0.6, 0.3, 0.2, REULER = 0.4, 0.6, 0.4
SFORCE/1, TRANSLATION, ACTIONONLY, I = 20, J = 10, FUNCTION = 0.1*ACCX(21,11)+0.2*WDTY(22,11)
VARIABLE/1, FUNCTION = DELAY(VX(23,11), 0.1, 0)
MARKER/26, PART = 2, QP = -0.7, 0.3, 0.2, REULER = 0.4, 0.6, 0.8
REQUEST/1, F2 = AZ(24,11)\, F3 = ACCX(25,11)\, F4 = DELAY(VX(26,11), 0.1, 0)
)";
  compare(test::compile_text(deck), {});
}

}  // namespace
}  // namespace test_evaluation
