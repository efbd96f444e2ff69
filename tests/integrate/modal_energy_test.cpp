// Steps at whose end the kinetic energy of a flexible body would be negative for some motions.
#include <gtest/gtest.h>

#include "../assemble/flexible.h"
#include "../assemble/random_model.h"
#include "integrate/equations.h"

namespace trammel::modal_energy_test {
namespace {

using namespace test;

/// Where the body is next to undeformed its inertia is that of its nodes; a hundred times as far it is linear
/// in q without invariants 5 and 9, negative in one of the directions of any mode, and with all of them as
/// good as before.
TEST(ModalEnergy, ends_a_step_where_it_would_be_negative) {
  for (const bool all : {false, true}) {
    Random random(3);
    Model model = compile_text(random_bodies(random));
    std::array<bool, 10> used;
    used.fill(true);
    used[5] = used[9] = all;
    make_flexible(model, 1, 4, random, used);
    State state = random_state(model, random);
    Assembler assembler(model);
    GuardedSystem system;
    HostEquations equations(model, assembler, system);
    const auto accept = [&](double amplitude) {
      State deformed = state;
      for (int k = model.first_modal(); k < model.coordinates; ++k) deformed.q[k] *= amplitude;
      assembler.evaluate_equations(deformed, in_dynamics);
      equations.accept(deformed);
    };
    EXPECT_NO_THROW(accept(0.01));
    if (all) {
      EXPECT_NO_THROW(accept(100));
      continue;
    }
    try {
      accept(100);
      ADD_FAILURE() << "the step was accepted";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::solver);
      EXPECT_NE(std::string(failure.what()).find("invariant 9 is left out"), std::string::npos)
          << failure.what();
    }
  }
}

}  // namespace
}  // namespace trammel::modal_energy_test
