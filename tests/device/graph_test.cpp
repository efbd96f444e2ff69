// Iterations of a step as a graph that decides by itself, against those where the program decides: the same
// bits, whatever leaves the graph.
#include <cstring>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "device_api/launch_table.h"
#include "integrate/device_equations.h"
#include "integrate/judge_defect.h"
#include "integrate/judge_iteration.h"
#include "integrate/methods/bdf.h"
#include "integrate/methods/hht.h"
#include "integrate/methods/newmark.h"
#include "step_cases.h"

namespace trammel::graph_test {
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

/// Launches a kernel of decisions with answers that are spoilt. False: it is none of these.
template <class... Judge>
bool launch_spoilt(void* context, int kernel, const void* arguments, int items, std::size_t shared,
                   int& status) {
  const auto launch = [&](auto judge) {
    return spoil(kernel, arguments, judge) &&
           (status = real.launch(context, kernel, &judge, items, shared), true);
  };
  return (launch(Judge{}) || ...);
}

/// The back end host, whose kernels of decisions get spoilt answers; without sections where `sections` is
/// false.
const TrammelDeviceApi& table(bool sections) {
  static const TrammelDeviceApi with = [] {
    TrammelDeviceApi api = real;
    api.launch = [](void* context, int kernel, const void* arguments, int items, std::size_t shared) {
      int status = 0;
      const bool spoilt =
          launch_spoilt<JudgeIteration<HhtMethod>, JudgeDefect<HhtMethod>, JudgeIteration<BdfMethod>,
                        JudgeIteration<NewmarkMethod>>(context, kernel, arguments, items, shared, status);
      return spoilt ? status : real.launch(context, kernel, arguments, items, shared);
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
Steps steps_of(const StepCase& c, bool sections, const IntegratorOptions& integrator) {
  const auto device = std::make_shared<Device>(table(sections), 0);
  const Outcome out = simulate(c.deck, c.end, 10, device, nullptr, integrator);
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
  for (const StepCase& c : cases(models))
    for (const Formulas& method : methods_for(c)) {
      SCOPED_TRACE(fmt::format("{}, {}", c.name, method.name));
      const Steps graph = steps_of(c, true, method.options), program = steps_of(c, false, method.options);
      expect_same(graph, program);
      EXPECT_EQ(graph.counters.evaluations, program.counters.evaluations);
      EXPECT_LT(graph.submitted, program.submitted);
    }
}

// A pivot or a solution that is refused, a function without a value, a question that was not asked, before
// and after the correction was applied: the program goes on from there, and evaluates again at most.
TEST_F(Graph, is_left_to_the_program_at_the_same_place) {
  for (const StepCase& c : cases(models))
    for (const Formulas& method : methods_for(c)) {
      // time: all cases with HHT, those with states of each kind with all methods
      const bool quick = std::strcmp(c.name, "states") == 0 || std::strcmp(c.name, "motions") == 0;
      if (c.deck.size() > 20'000 || (!quick && std::strcmp(method.name, "HHT") != 0)) continue;
      const Steps program = steps_of(c, false, method.options), graph = steps_of(c, true, method.options);
      for (const Fault what : {Fault::pivots, Fault::solutions, Fault::questions_of_corrections,
                               Fault::all_questions, Fault::notes}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", c.name, method.name, static_cast<int>(what)));
        fault = what;
        const Steps left = steps_of(c, true, method.options);
        expect_same(left, program);
        EXPECT_GT(left.submitted, graph.submitted) << "nothing has left the graph";
        fault = Fault::none;
      }
    }
}

// The table of docs/device.md. The program begins a step of SI2 with an answer, chooses the order of a BDF by
// one and ends each step by one.
TEST_F(Graph, asks_less_of_the_program) {
  struct Bound {
    Formulas method;
    double submitted, answers;  ///< of the program's own decisions, over those of graphs, at least
  };
  for (const Bound& bound : {Bound{{"HHT", {}}, 3, 3},
                             {{"GSTIFF_I3", {.method = "GSTIFF"}}, 2, 2},
                             {{"GSTIFF_SI2", {.method = "GSTIFF", .stabilized = true}}, 2, 2}})
    for (const int links : {5, 150}) {
      const auto asked = [&](bool sections) {
        const Asked a =
            ask_of_steps(chain_of(links), 0.1, links == 5 ? 2.0 : 1.0,
                         std::make_shared<Device>(table(sections), 0), nullptr, bound.method.options);
        RecordProperty(
            fmt::format("{}_{}_links_{}", bound.method.name, links, sections ? "graph" : "program"),
            fmt::format("{:.2f} submitted for an iteration, {:.2f} answers for a step",
                        a.submitted / double(a.counters.iterations), a.answers / double(a.counters.steps)));
        return a;
      };
      const Asked graph = asked(true), program = asked(false);
      EXPECT_LT(bound.submitted * graph.submitted, program.submitted) << bound.method.name;
      EXPECT_LT(bound.answers * graph.answers, program.answers) << bound.method.name;
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
}  // namespace trammel::graph_test
