// Evaluates the tapes of a model at a configuration: values, gradients, time jets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assemble/kinematics.h"
#include "expression/evaluate.h"
#include "model/state.h"

namespace trammel {

/// What tapes read at a configuration.
struct TapeReads {
  const State* state = nullptr;
  const Kinematics* kinematics = nullptr;
  const double* wrenches = nullptr;  ///< 12 per wrench element; requests read reactions from here
  int mode = 4;                      ///< value of the function MODE (AnalysisMode)
};

struct TapeDerivativeRoom;
struct TapeSources;

class TapeRunner {
 public:
  explicit TapeRunner(const Model& model);
  ~TapeRunner();

  /// Values of all results of tape `index`; a function outside its domain throws Failure(solver)
  /// naming element, expression and time.
  void values(int index, const TapeReads& reads, double* results);
  /// All registers of an evaluation; NaN: of branches not taken, and from a function without a value on.
  /// `every_branch`: these are evaluated too.
  TapeRegisters registers(int index, const TapeReads& reads, bool every_branch);
  /// Value and first derivatives of one result.
  double gradient(int index, int result, const TapeReads& reads, const TapeDerivativeRoom& out);
  /// Value, first and second total time derivative along the motion, as far as `order` asks for. States move
  /// as their equations say, Ẋ = e, Ẍ = ė (Model::explicit_scalars); others as s + ṡ t.
  void jet(int index, int result, const TapeReads& reads, double (&value)[3], int order = 2);
  /// Second derivatives of a constraint expression: for tape markers p, w the 6×6 block
  /// ∂(∂e/∂(r,θ)_p or, velocity level, ∂e/∂(v,ω)_p)/∂(r,θ)_w, row-major, at [p * markers + w].
  void hessian(int index, const TapeReads& reads, bool velocity_level, std::vector<double>& blocks);

  /// The same with respect to the states that the tape reads: 6 numbers for tape marker p and tape state k at
  /// [6 (p * states + k)].
  void state_hessian(int index, const TapeReads& reads, bool velocity_level, std::vector<double>& blocks);

  /// From now on values() and gradient() of these tapes (1 per tape) are 0 whatever they read; empty: of
  /// none.
  void leave_out(std::vector<char> tapes) { left_out_ = std::move(tapes); }

  /// Appends (t, value) of every DELAY argument, and drops what no look-back reaches any more; called when a
  /// step is accepted.
  void accept(const TapeReads& reads, State& state);

  /// All tapes as the interpreter reads them.
  const std::vector<TapeItem>& items() const { return items_; }
  /// The splines of the model, and its delay buffers as they are in `state`.
  TapeTables tables(const State& state);

  /// Called (if set) when a spline is read outside its data.
  std::function<void(const SplineRange&)> on_extrapolation;
  /// Called (if set) with the index of a tape that does not act on the motion (Tape::only_shown) and in which
  /// 0/0 was taken as 0, and the place of the quotient.
  std::function<void(int, const std::string&)> on_zero_by_zero;

 private:
  struct Scratch;
  using Jet = Kinematics::Jet;
  bool is_left_out(int index) const { return !left_out_.empty() && left_out_[index] != 0; }
  void run(int index, const TapeReads& reads);
  TapeSources sources_of(int index, const TapeReads& reads);
  template <class Sweep>
  void second_derivatives(int index, const TapeReads& reads, Sweep sweep);
  Jet jet_of(int index, int result, const TapeReads& reads, int order);
  Jet state_jet(const TapeReads& reads, int index, int order);
  Jet rate_jet(const TapeReads& reads, int index, int order);
  double state_value(const TapeReads& reads, int index) const;
  [[noreturn]] void fail_evaluation(int index, const TapeReads& reads, const std::string& text) const;

  const Model& model_;
  std::unique_ptr<Scratch> scratch_;
  std::vector<TapeItem> items_;
  TapeInputs<double> inputs_;
  std::vector<char> explicit_;  ///< Model::explicit_scalars()
  std::vector<char> left_out_;
};

}  // namespace trammel
