// The list of solvers, by name (linear/solver.h).
#include "base/diagnostics.h"
#include "linear/host/blocks.h"
#include "linear/host/klu_solver.h"
#include "linear/host/multifrontal.h"
#include "linear/solver.h"

namespace trammel {

namespace {

std::vector<SolverKind>& registry() {
  static std::vector<SolverKind> list{
      {"klu", make_klu_solver}, {"multifrontal", make_multifrontal_solver}, {"blocks", make_block_solver}};
  return list;
}

}  // namespace

const std::vector<SolverKind>& linear_solvers() {
  return registry();
}

void register_linear_solver(const SolverKind& kind) {
  for (SolverKind& known : registry()) {
    if (known.name == kind.name) {
      known = kind;
      return;
    }
  }
  registry().push_back(kind);
}

std::string linear_solver_names() {
  std::string names;
  for (const SolverKind& kind : linear_solvers()) names += names.empty() ? kind.name : ", " + kind.name;
  return names;
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name) {
  for (const SolverKind& kind : linear_solvers())
    if (kind.name == name) return kind.make();
  fail(ExitCode::usage, "linear solver '{}' does not exist (this build has: {})", name,
       linear_solver_names());
}

}  // namespace trammel
