// Values with which VARIABLEs and rates of DIFFs begin, before accelerations and reactions are solved for.
// Part of InitialConditions.
#include <algorithm>

#include "analysis/initial_conditions.h"
#include "model/explicit_order.h"

namespace trammel {

namespace {

/// Tapes that evaluations leave out as long as this stands.
class LeftOut {
 public:
  LeftOut(Assembler& assembler, const std::vector<char>& tapes) : assembler_(assembler) {
    assembler_.leave_out(tapes);
  }
  ~LeftOut() { assembler_.leave_out({}); }
  LeftOut(const LeftOut&) = delete;
  LeftOut& operator=(const LeftOut&) = delete;

 private:
  Assembler& assembler_;
};

}  // namespace

void take_function(const Model& model, int scalar, Assembler& assembler, State& state) {
  const Scalar& x = model.scalars[scalar];
  double value[3];
  assembler.tapes().values(x.tape, assembler.reads(), value);
  (x.differential() ? state.sdot : state.s)[scalar] = value[x.result];
}

/// What the functions of scalars give at the last evaluation, one after the other. An IC of a motion that
/// begins stays where the search begins.
void InitialConditions::begin_in_order(State& state, const std::vector<int>& scalars) {
  for (const int k : scalars) {
    const Scalar& x = model_.scalars[k];
    if (!x.differential() && given_.scalars[k].given && !goes_on_) continue;
    take_function(model_, k, assembler_, state);
  }
}

/// VARIABLEs and rates of DIFFs that follow from positions, velocities and values of DIFFs, each behind those
/// that it reads, so that no function reads a value that is not known yet.
void InitialConditions::begin_explicit_scalars(State& state) {
  begin_in_order(state, explicit_order(model_));
}

/// Those that follow from accelerations and reactions, and that nothing else depends on. Where their
/// functions have no value before these are known, as 1/FZ(2,1), these are found without them.
void InitialConditions::begin_followers(State& state, InitialReport& report) {
  const Followers scalars = followers(model_);
  const auto has_value = [&](int k) {
    double value[3];
    try {
      assembler_.tapes().values(model_.scalars[k].tape, assembler_.reads(), value);
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver) throw;
      return false;
    }
    return true;
  };
  if (std::ranges::all_of(scalars.all, has_value)) return;
  const std::vector<double> s = state.s, sdot = state.sdot;
  std::vector<char> tapes(model_.tapes.size(), 0);
  for (const int k : scalars.all) tapes[model_.scalars[k].tape] = 1;
  {
    const LeftOut without(assembler_, tapes);
    accelerations(state, report);
    assembler_.evaluate(state, before_dynamics);
  }
  for (const int k : scalars.all) state.s[k] = s[k], state.sdot[k] = sdot[k];
  begin_in_order(state, scalars.in_order);
}

}  // namespace trammel
