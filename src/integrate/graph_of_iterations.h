// Iterations of the corrector as a graph on a device (integrate/judge_iteration.h): what the program does of
// it.
#pragma once

#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "device_api/executor.h"
#include "integrate/equations.h"
#include "integrate/judge_iteration.h"

namespace trammel {

/// Of whatever method.
class AnyGraphOfIterations {
 public:
  virtual ~AnyGraphOfIterations() = default;
};

/// The graph of one method's iterations with the equations of one model:
///     while again:
///       equations, norms of the residual, decisions
///       if factor: tangent, factorization
///       if solve: solution, decisions
///       if apply: correction, its norms, those of the local error, decisions
template <class Method>
class GraphOfIterations : public AnyGraphOfIterations {
 public:
  GraphOfIterations(RecordableEquations& equations, Executor& run)
      : equations_(equations), run_(run), device_(run.device()) {}

  /// Runs it with data and arrays of `core`. Returns whether the iteration is ended; if not, it is to go on
  /// at `at`.
  template <class Core>
  bool run(Core& core, CorrectionProgress& correction, NewtonPlace& at, NewtonVerdict& verdict) {
    tabulate(core, correction.h);
    if (!graph_ || !table_.fits() || equations_.version() != version_) record(core.motion);
    const Data before{core, correction, at};
    write(before);
    device_.run(graph_);
    Data after;
    device_.download(&after, there_.data(), sizeof after);
    static_cast<StepData<Method>&>(core) = after.steps;
    correction = after.correction;
    at = after.at;
    verdict = after.verdict;
    equations_.iterated(after.steps.counters.jacobians - before.steps.counters.jacobians,
                        after.steps.counters.iterations - before.steps.counters.iterations);
    return !after.left;
  }

 private:
  using Data = GraphedIterations<Method>;
  static_assert(std::is_trivially_copyable_v<Data>);

  /// What the norms find here is of no use: they are asked by a copy.
  template <class Core>
  void tabulate(const Core& core, double h) {
    Core asking(core, core.run);
    run_.tabulate(table_, [&] { asking.tabulate_iteration(h, [&] { run_.end_part(); }); });
  }

  // Data, questions and arguments lie on the device one after the other.
  static constexpr std::size_t aligned(std::size_t size) {
    return (size + LaunchTable::alignment - 1) / LaunchTable::alignment * LaunchTable::alignment;
  }
  std::size_t questions_at() const { return aligned(sizeof(Data)); }
  std::size_t table_at() const {
    return aligned(questions_at() + table_.questions().size() * sizeof(Question));
  }

  void write(const Data& data) {
    std::memcpy(here_.data(), &data, sizeof data);
    std::memcpy(here_.data() + questions_at(), table_.questions().data(),
                table_.questions().size() * sizeof(Question));
    std::memcpy(here_.data() + table_at(), table_.data(), table_.size());
    device_.upload(there_.data(), here_.data(), here_.size());
  }

  void record(const StepMotion& motion) {
    graph_ = nullptr;
    here_.resize(table_at() + table_.size());
    if (there_.size() < here_.size()) there_ = DeviceArray<unsigned char>(device_, here_.size());
    version_ = equations_.version();
    graph_ = device_.graph([&] { device_.section(&data()->again, true, [&] { record_iteration(motion); }); });
  }

  void record_iteration(const StepMotion& motion) {
    IterationFindings found{};
    found.most_ratio = 1 / equations_.guard().pivot;
    found.most_error = equations_.guard().target;
    found.note = equations_.record_evaluation(motion.residual);
    table_.launch_part(0, device_, table());
    judge(NewtonPart::evaluate, found);
    device_.section(&data()->factor, false, [&] { found.pivot = equations_.record_matrix(); });
    device_.section(&data()->solve, false, [&] {
      table_.launch_part(1, device_, table());
      found.solution = equations_.record_solution(motion.residual, motion.correction);
      judge(NewtonPart::correct, found);
    });
    device_.section(&data()->apply, false, [&] {
      table_.launch_part(2, device_, table());
      judge(NewtonPart::apply, found);
    });
  }

  void judge(NewtonPart part, const IterationFindings& found) {
    const HindsightView view{equations_.places(), equations_.cos_theta(), equations_.differential(),
                             reinterpret_cast<const Question*>(there_.data() + questions_at()),
                             static_cast<int>(table_.questions().size())};
    device_.launch(JudgeIteration<Method>{data(), view, found, part}, 1);
  }

  Data* data() { return reinterpret_cast<Data*>(there_.data()); }
  const unsigned char* table() const { return there_.data() + table_at(); }

  RecordableEquations& equations_;
  Executor& run_;
  Device& device_;
  LaunchTable table_;
  DeviceArray<unsigned char> there_;
  std::vector<unsigned char> here_;
  std::shared_ptr<void> graph_;
  long version_ = 0;  ///< of the equations, that the graph was recorded with
};

}  // namespace trammel
