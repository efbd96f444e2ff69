// The equations on a device against those of the processor, for every element that has a tangent.
#include <cmath>

#include <gtest/gtest.h>

#include "../assemble/flexible.h"
#include "../assemble/tangent_cases.h"
#include "../support/each_device.h"
#include "../support/model_decks.h"
#include "../support/temporary_file.h"
#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "assemble/device_assembler.h"
#include "dataset/reader.h"
#include "flexible/mtx_file.h"
#include "linear/host/dense_kernels.h"

namespace trammel::assembler_test {
namespace {

using namespace test;

struct Equations {
  std::vector<double> residual, tangent, angles;
  std::vector<double> rates[2];  ///< rows at velocity and at acceleration level
};

Equations on_processor(const Model& model, State state, const Coefficients& c) {
  Assembler assembler(model);
  assembler.evaluate_equations(state, in_dynamics);
  Equations out{
      std::vector<double>(model.unknowns()), std::vector<double>(assembler.pattern().nonzeros()), {}, {}};
  assembler.residual(state, c, out.residual);
  assembler.tangent(state, c, out.tangent);
  assembler.evaluate(state, in_dynamics);
  for (const ConstraintLevel level : {ConstraintLevel::velocity, ConstraintLevel::acceleration}) {
    std::vector<double>& rows = out.rates[level == ConstraintLevel::acceleration];
    rows.resize(model.multipliers);
    assembler.constraints(state, level, rows);
  }
  assembler.current_angles(state, state.angle);
  out.angles = state.angle;
  return out;
}

Equations on_device(Device& device, const Model& model, const State& state, const Coefficients& c) {
  Assembler host(model);
  DeviceAssembler assembler(device, host, model);
  assembler.hold_multipliers(state, phase_dynamics);
  assembler.upload(state);
  assembler.set_point({state.t, 4, c});
  DeviceArray<double> residual(device, model.unknowns());
  DeviceAssembler::until_it_stands([&] {
    assembler.evaluate_equations();
    return assembler.check();
  });
  assembler.residual(residual.data());
  assembler.tangent();
  Equations out{
      std::vector<double>(model.unknowns()), std::vector<double>(host.pattern().nonzeros()), {}, {}};
  assembler.evaluate_deep();
  DeviceArray<double> rows(device, model.multipliers);
  for (const int order : {1, 2}) {
    assembler.rates(order, rows.data());
    out.rates[order - 1].resize(model.multipliers);
    rows.download(out.rates[order - 1]);
  }
  assembler.keep_angles();
  residual.download(out.residual);
  device.download(out.tangent.data(), assembler.values(), out.tangent.size() * sizeof(double));
  State back(model);
  assembler.download(back);
  EXPECT_EQ(back.q, state.q);
  EXPECT_EQ(back.t, state.t);
  out.angles = back.angle;
  return out;
}

class DeviceAssemblerTest : public DeviceTest {};

/// Equations of both at two states of a model, one with rows that are dropped.
void compare(Device& device, const Model& model, Random& random, bool bits) {
  for (const bool masks : {false, true}) {
    State state = random_state(model, random);
    for (unsigned char& d : state.dropped) d = masks && random.uniform(0, 1) < 0.4;
    const Coefficients coefficients = random_coefficients(random);
    const Equations here = on_processor(model, state, coefficients),
                    there = on_device(device, model, state, coefficients);
    expect_same(there.residual, here.residual, bits);
    expect_same(there.tangent, here.tangent, bits);
    expect_same(there.angles, here.angles, bits);
    for (const int level : {0, 1}) expect_same(there.rates[level], here.rates[level], bits);
  }
}

TEST_P(DeviceAssemblerTest, computes_what_the_processor_does) {
  int compared = 0;
  for (const Case& c : tangent_cases()) {
    SCOPED_TRACE(c.name);
    Random random(7);
    const Model model = compile_text(c.bodies_deck(random) + c.deck);
    ASSERT_EQ(DeviceAssembler::refusal(model), "");
    ++compared;
    compare(device(), model, random, std::string(GetParam().backend) == "host");
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 600);
}

/// The same between two flexible bodies. Products of modes are fused on devices, on the processor where it
/// can.
TEST_P(DeviceAssemblerTest, computes_what_the_processor_does_of_flexible_bodies) {
  int sets = 0;
  const bool fused = &dense_kernels() != all_dense_kernels(sets)[0];
  int compared = 0;
  for (const Case& c : tangent_cases()) {
    if (c.bodies != CaseBodies::in_space) continue;
    SCOPED_TRACE(c.name);
    Random random(9);
    Model model = compile_text(c.bodies_deck(random) + c.deck);
    make_flexible(model, 0, 3, random);
    make_flexible(model, 1, 8, random);
    ASSERT_EQ(DeviceAssembler::refusal(model), "");
    ++compared;
    compare(device(), model, random, fused && std::string(GetParam().backend) == "host");
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 200);
}

/// What a deck may say of one: modes without inertia, damping of the file and of time, preload, a modal
/// force.
TEST_P(DeviceAssemblerTest, computes_quasi_static_modes_damping_and_loads) {
  int sets = 0;
  const bool bits =
      &dense_kernels() != all_dense_kernels(sets)[0] && std::string(GetParam().backend) == "host";
  Random random(3);
  Model model = compile_text(random_bodies(random) + everything);
  make_flexible(model, 1, 5, random);
  take_inertia(model, 2);
  damp_and_load(model, random);
  compare(device(), model, random, bits);

  ModalBody body = random_modal_body({}, 4, 6, random);
  body.loads.emplace_back();
  for (int j = 0; j < body.modes; ++j) body.loads[0].push_back(random.uniform(-1, 1));
  const TemporaryFile file("loaded.mtx", write_mtx(body));
  const Model loaded =
      compile_text(random_bodies(random) + "FLEX_BODY/9, MNF_FILE=" + file.path() +
                   "\nMARKER/90, FLEX_BODY=9, NODE_ID=100\nMFORCE/1, FLEX_BODY=9, CASE_INDEX=1, "
                   "SCALE=2+TIME\nSFORCE/1, TRANSLATION, I=90, J=12, FUNCTION=VR(90,12)-FM(90)\n");
  compare(device(), loaded, random, bits);
}

Model pendulum_with(const std::string& more) {
  return compile_text(
      "UNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\n"
      "MARKER/20,PART=2\nMARKER/21,PART=2,QP=1,0,0\nJOINT/1,REVOLUTE,I=10,J=21\n" +
      more);
}

double largest_of(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::abs(x));
  return largest;
}

/// The same in the midst of motions, where steps of the back ends have differed most: links with blocks of
/// states, and a flexible boom between joints that move it.
TEST_P(DeviceAssemblerTest, computes_what_the_processor_does_in_the_midst_of_motions) {
  const ModelDecks models{TRAMMEL_SOURCE_DIR "/models/"};
  int sets = 0;
  const bool fused = &dense_kernels() != all_dense_kernels(sets)[0];
  struct Motion {
    std::string deck;
    double end;
    bool bits;
  };
  for (const auto& [deck, end, bits] : {Motion{models.deck("flexible_chain/flexible_chain.adm"), 0.3, true},
                                        Motion{models.flexible("excavator_flexible"), 2.4, fused}}) {
    Diagnostics diagnostics;
    Model model = compile(parse_dataset(deck, "deck", diagnostics), diagnostics);
    diagnostics.stop_on_errors();
    DynamicsSettings settings;
    settings.integrator.error = 1e-6;
    Session session(std::move(model), settings, {});
    session.run(dynamics_analysis, {end, 10});
    // Accelerations and reactions, and a step of 1 ms.
    for (const Coefficients& c :
         {Coefficients::of_accelerations(), Coefficients{1.4, 8e-4, 4e-7, 8e-4, 1.4}}) {
      const Equations here = on_processor(session.model(), session.state(), c),
                      there = on_device(device(), session.model(), session.state(), c);
      const bool same_bits = bits && std::string(GetParam().backend) == "host";
      // In a motion residuals are what forces leave that reactions hold.
      State unheld = session.state();
      std::fill(unheld.lambda.begin(), unheld.lambda.end(), 0.0);
      const double forces = largest_of(on_processor(session.model(), unheld, c).residual);
      expect_same(there.residual, here.residual, same_bits, forces);
      expect_same(there.tangent, here.tangent, same_bits);
      // Rates of constraints are what is left of rates of coordinates, which they hold together.
      const double v = largest_of(session.state().v), terms[] = {v, largest_of(session.state().a) + v * v};
      for (const int level : {0, 1})
        expect_same(there.rates[level], here.rates[level], same_bits, terms[level]);
    }
  }
}

TEST_P(DeviceAssemblerTest, names_what_it_does_not_compute) {
  EXPECT_EQ(DeviceAssembler::refusal(pendulum_with("")), "");
  EXPECT_EQ(DeviceAssembler::refusal(pendulum_with("GCON/7,I=20,FUNCTION=DX(20,10)\n")), "");
  const Model model = pendulum_with("VARIABLE/7,FUNCTION=DELAY(TIME,TIME,0)\n");
  EXPECT_EQ(DeviceAssembler::refusal(model), "VARIABLE/7 FUNCTION (DELAY without a bound)");
  Assembler host(model);
  try {
    const DeviceAssembler assembler(device(), host, model);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::unsupported);
    EXPECT_EQ(
        std::string(failure.what()),
        "VARIABLE/7 FUNCTION (DELAY without a bound) is not computed on a device: run with --backend cpu");
  }
}

/// A function without a value must not go unnoticed, and the message is the processor's.
TEST_P(DeviceAssemblerTest, tells_of_functions_without_a_value) {
  const Model model =
      pendulum_with("SFORCE/3,TRANSLATION,I=20,J=10,FUNCTION=SQRT(0.5-TIME)\nVARIABLE/4,FUNCTION=TIME\n");
  Assembler host(model);
  State state(model);
  for (std::size_t k = 0; k < state.q.size(); ++k) state.q[k] = 0.4 + 0.1 * static_cast<double>(k);
  DeviceAssembler assembler(device(), host, model);
  assembler.upload(state);
  assembler.set_point({0.25, 4, {}});
  assembler.evaluate_equations();
  assembler.tangent();
  EXPECT_NO_THROW((void)assembler.check());
  assembler.set_point({0.75, 4, {}});
  assembler.evaluate_equations();
  try {
    (void)assembler.check();
    FAIL() << "the square root of a negative number was taken";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    const std::string text = failure.what();
    EXPECT_EQ(text.find("SFORCE/3"), 0u) << text;
    EXPECT_NE(text.find("at t = 0.75"), std::string::npos) << text;
  }
}

/// What is launched does not depend on the size of the model.
TEST_P(DeviceAssemblerTest, launches_are_few) {
  const Model model = pendulum_with("");
  Assembler host(model);
  State state(model);
  state.q = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  DeviceAssembler assembler(device(), host, model);
  assembler.upload(state);
  DeviceArray<double> residual(device(), model.unknowns());
  const long before = device().counters().launches;
  assembler.set_point({0, 4, {}});
  assembler.evaluate_equations();
  assembler.residual(residual.data());
  EXPECT_EQ(device().counters().launches - before, 6)
      << "point, bodies, rows, sums; residuals of bodies, rows";
  assembler.tangent();
  EXPECT_EQ(device().counters().launches - before, 10) << "variations, bodies, rows, shared values";
}

/// Flexible bodies take four more for an evaluation and eight for a tangent, whatever their number and size.
TEST_P(DeviceAssemblerTest, launches_of_flexible_bodies_are_few) {
  for (const int modes : {2, 30}) {
    Random random(5);
    Model model = compile_text(random_bodies(random) + "BUSHING/1, I=22, J=12, K=1,1,1, KT=1,1,1\n");
    State rigid = random_state(model, random);
    const auto launches = [&](const Model& of, const State& state) {
      Assembler host(of);
      DeviceAssembler assembler(device(), host, of);
      assembler.upload(state);
      DeviceArray<double> residual(device(), of.unknowns());
      const long begun = device().counters().launches;
      assembler.set_point({0, 4, {}});
      assembler.evaluate_equations();
      assembler.residual(residual.data());
      const long evaluated = device().counters().launches;
      assembler.tangent();
      return std::pair(evaluated - begun, device().counters().launches - evaluated);
    };
    const auto before = launches(model, rigid);
    make_flexible(model, 0, modes, random);
    make_flexible(model, 1, modes, random);
    const auto after = launches(model, random_state(model, random));
    EXPECT_EQ(after.first - before.first, 4) << "nodes, their shapes, rows of modes, rows of frames";
    EXPECT_EQ(after.second - before.second, 8)
        << "spins, variations and gradients of nodes; their sums, rows; modes, frames, entries of blocks";
  }
}

TRAMMEL_EVERY_DEVICE(DeviceAssemblerTest);

}  // namespace
}  // namespace trammel::assembler_test
