// Iterations of a step as a graph that decides by itself, against those where the program decides: the same
// bits, whatever leaves the graph.
#include <cstring>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "device_api/launch_table.h"
#include "integrate/judge_defect.h"
#include "integrate/judge_iteration.h"
#include "integrate/methods/hht.h"
#include "step_cases.h"

namespace trammel {
namespace {

using namespace test;

const ModelDecks models{TRAMMEL_SOURCE_DIR "/models/"};

/// What is wrong with the answers that a kernel of decisions gets.
enum class Fault { none, pivots, solutions, questions_of_corrections, all_questions, notes };

const TrammelDeviceApi& real = load_backend("host");
Fault fault = Fault::none;
const Place bad_note{9, 0};

template <class Judge>
bool spoil(int kernel, const void* arguments, Judge& out) {
  if (kernel != real.find_kernel(Judge::name, sizeof(Judge))) return false;
  std::memcpy(&out, arguments, sizeof out);
  if (fault == Fault::pivots) out.found.most_ratio = 0;
  if (fault == Fault::solutions) out.found.most_error = -1;
  if (fault == Fault::notes) out.found.note = &bad_note;
  if (fault == Fault::all_questions) out.view.questions = 0;
  if (fault == Fault::questions_of_corrections && out.part != NewtonPart::evaluate) out.view.questions = 0;
  return true;
}

/// The back end host, whose kernels of decisions get spoilt answers; without sections where `sections` is
/// false.
const TrammelDeviceApi& table(bool sections) {
  static const TrammelDeviceApi with = [] {
    TrammelDeviceApi api = real;
    api.launch = [](void* context, int kernel, const void* arguments, int items, std::size_t shared) {
      JudgeIteration<HhtMethod> iteration;
      JudgeDefect<HhtMethod> defect;
      if (spoil(kernel, arguments, iteration)) return real.launch(context, kernel, &iteration, items, shared);
      if (spoil(kernel, arguments, defect)) return real.launch(context, kernel, &defect, items, shared);
      return real.launch(context, kernel, arguments, items, shared);
    };
    return api;
  }();
  static const TrammelDeviceApi without = [] {
    TrammelDeviceApi api = real;
    api.describe = [](int device, TrammelDeviceInfo* info) {
      const int status = real.describe(device, info);
      std::strcpy(info->no_sections, "graphs have no conditions here");
      return status;
    };
    return api;
  }();
  return sections ? with : without;
}

struct Steps : Outcome {
  long submitted;  ///< kernels and graphs
};
Steps steps_of(const Case& c, bool sections) {
  const auto device = std::make_shared<Device>(table(sections), 0);
  const Outcome out = simulate(c.deck, c.end, 10, device);
  return {out, device->counters().submitted};
}

void expect_same(const Outcome& graph, const Outcome& program) {
  EXPECT_EQ(graph.values, program.values);
  EXPECT_EQ(graph.counters.steps, program.counters.steps);
  EXPECT_EQ(graph.counters.iterations, program.counters.iterations);
  EXPECT_EQ(graph.counters.jacobians, program.counters.jacobians);
  EXPECT_EQ(graph.counters.rejected_error, program.counters.rejected_error);
  EXPECT_EQ(graph.counters.rejected_corrector, program.counters.rejected_corrector);
  EXPECT_EQ(graph.counters.rounding, program.counters.rounding);
  EXPECT_EQ(graph.warnings, program.warnings);
}

class Graph : public testing::Test {
 protected:
  void TearDown() override { fault = Fault::none; }
};

TEST_F(Graph, gives_the_bits_of_the_program) {
  for (const Case& c : cases(models)) {
    SCOPED_TRACE(c.name);
    const Steps graph = steps_of(c, true), program = steps_of(c, false);
    expect_same(graph, program);
    EXPECT_EQ(graph.counters.evaluations, program.counters.evaluations);
  }
}

// A pivot or a solution that is refused, a function without a value, a question that was not asked, before
// and after the correction was applied: the program goes on from there, and evaluates again at most.
TEST_F(Graph, is_left_to_the_program_at_the_same_place) {
  for (const Case& c : cases(models)) {
    if (c.deck.size() > 20'000) continue;  // time
    const Steps program = steps_of(c, false), graph = steps_of(c, true);
    EXPECT_LT(graph.submitted, program.submitted);
    for (const Fault what : {Fault::pivots, Fault::solutions, Fault::questions_of_corrections,
                             Fault::all_questions, Fault::notes}) {
      SCOPED_TRACE(c.name + (" " + std::to_string(static_cast<int>(what))));
      fault = what;
      const Steps left = steps_of(c, true);
      expect_same(left, program);
      EXPECT_GT(left.submitted, graph.submitted) << "nothing has left the graph";
      fault = Fault::none;
    }
  }
}

// The table of docs/device.md.
TEST_F(Graph, asks_less_of_the_program) {
  for (const int links : {5, 150}) {
    const auto asked = [links](bool sections) {
      const Asked a = ask_of_steps(chain_of(links), 0.1, links == 5 ? 2.0 : 1.0,
                                   std::make_shared<Device>(table(sections), 0), nullptr);
      RecordProperty(
          fmt::format("{}_links_{}", links, sections ? "graph" : "program"),
          fmt::format("{:.2f} submitted for an iteration, {:.2f} answers for a step",
                      a.submitted / double(a.counters.iterations), a.answers / double(a.counters.steps)));
      return a;
    };
    const Asked graph = asked(true), program = asked(false);
    EXPECT_LT(3 * graph.submitted, program.submitted);
    EXPECT_LT(3 * graph.answers, program.answers);
  }
}

TEST_F(Graph, says_why_the_program_decides) {
  const auto why = [](const TrammelDeviceApi& api, const TrammelSolverApi* solver) {
    Diagnostics diagnostics;
    ComputeSettings compute;
    compute.device = std::make_shared<Device>(api, 0);
    compute.device_solver = solver;
    Session session(compile(parse_dataset(chain_of(3), "deck", diagnostics), diagnostics), {}, {}, compute);
    session.run(dynamics_analysis, {0.01, 1});
    return session.systems().on_device()->why_program_decides();
  };
  EXPECT_EQ(why(table(true), nullptr), "");
  EXPECT_EQ(why(table(false), nullptr), "graphs have no conditions here");
  EXPECT_EQ(why(table(true), &load_solver("host", "cusolver_rf")),
            "its graphs cannot have solutions by cusolver_rf");
}

}  // namespace
}  // namespace trammel
