// Evaluates tapes: values, and all first derivatives by one reverse sweep.
//
// Instantiated here for double, for Dual<double, 1> and Dual<double, 6> (their gradients are Hessian columns)
// and, values only, for TimeJet. Device code, and code for other scalars, includes
// expression/evaluate_definitions.h.
#pragma once

#include <span>
#include <string>

#include "expression/delay_buffer.h"
#include "expression/eval_error.h"
#include "expression/ops.h"
#include "expression/spline_table.h"
#include "expression/tape.h"

namespace trammel {

/// A tape as plain pointers, for host and device.
struct TapeView {
  const Instruction* code = nullptr;
  const double* constants = nullptr;
  const double* coefficients = nullptr;
  const int* arguments = nullptr;
  const Leaf* leaves = nullptr;
  const int* results = nullptr;
  const int* splines = nullptr;
  const DelaySlot* delays = nullptr;
  const UserFunction* const* users = nullptr;  ///< of the host
  int size = 0;                                ///< number of instructions = number of registers
  int n_results = 0;
  int n_markers = 0, n_states = 0, n_rates = 0;
  bool only_shown = false;  ///< Tape::only_shown
};
TapeView view(const Tape& tape);

/// The data tables of the model that expressions read.
struct TapeTables {
  const SplineView* splines = nullptr;  ///< [model's spline tables]
  const DelayView* delays = nullptr;    ///< [model's delay buffers]
};

/// Inputs of a tape. Arrays but those in `tables` are gathered for this tape, in the order of its lists.
template <class T>
struct TapeInputs {
  const MarkerKinematics<T>* markers = nullptr;  ///< [Tape::markers], global axes
  const T* states = nullptr;                     ///< [Tape::states]
  const T* rates = nullptr;                      ///< [Tape::rates]
  T time{};
  int mode =
      4;  ///< MODE: 1 kinematics, 3 initial conditions, 4 dynamics, 5 statics, 6 quasi-statics, 7 linear
  const double* angles =
      nullptr;  ///< [Tape::angles] last accepted values of AX, AY, AZ; null: principal values
  TapeTables tables;
  /// Branches of IF that are not selected are evaluated too; what has no value is NaN, and the evaluation
  /// goes on.
  bool every_branch = false;
};

/// Outcome of an evaluation. error != none: `instruction` has no value, and neither has the tape. Warnings
/// with a valid value are -1 or the first instruction concerned: `extrapolated` read a spline outside its
/// data (the caller warns once per spline); `infinite_derivative` has a partial derivative that is not finite
/// and was replaced by 0 (SQRT at 0); `zero_by_zero` is a 0/0, replaced by 0, in a tape that is only shown.
struct TapeStatus {
  EvalError error = EvalError::none;
  int instruction = -1;
  int extrapolated = -1;
  int infinite_derivative = -1;
  int zero_by_zero = -1;
  TRAMMEL_HD bool ok() const { return error == EvalError::none; }
};

/// What an evaluation left.
struct TapeRegisters {
  const double* value;
  const MarkerKinematics<double>* marker;  ///< of the tape
};

/// d result / d input. Per marker 18 numbers: (δr, δθ, δv, δω, δa, δα) in global axes, δA = [δθ]× A.
template <class T>
struct TapeGradient {
  T* markers = nullptr;  ///< [Tape::markers][18]
  T* states = nullptr;   ///< [Tape::states]
  T* rates = nullptr;    ///< [Tape::rates]
  T time{};
};

/// Evaluates all results. registers: TapeView::size scalars; result k is registers[tape.results[k]]. Branches
/// of IF that are not selected are skipped, unless every one is asked for. T may be a dual number: a
/// derivative that is not finite is then an error (EvalError::infinite_derivative).
template <class T>
TRAMMEL_CALLED TapeStatus evaluate(const TapeView& tape, const TapeInputs<T>& in, T* registers);

/// Overwrites `out` with the gradient of result `result` (index in Tape::results), after an evaluation with
/// the same inputs and registers that was ok(). adjoints: scratch of TapeView::size scalars. Where there is
/// no derivative: that of the branch from which the value was taken; 0 for the magnitudes DM, VM, WM ... at
/// 0.
template <class T>
TRAMMEL_CALLED TapeStatus gradient(const TapeView& tape, const TapeInputs<T>& in, const T* registers,
                                   T* adjoints, int result, TapeGradient<T>& out);

/// A function of time with two derivatives: value x.v.v, first x.d[0].v = x.v.d[0], second x.d[0].d[0].
using TimeJet = Dual<Dual<double, 1>, 1>;
TimeJet time_jet(double value, double rate = 1.0, double second = 0.0);
struct TimeDerivatives {
  double value = 0, first = 0, second = 0;
};
inline TimeDerivatives derivatives(const TimeJet& x) {
  return {x.v.v, x.d[0].v, x.d[0].d[0]};
}

#if !defined(__CUDACC__)
extern template TapeStatus evaluate(const TapeView&, const TapeInputs<double>&, double*);
extern template TapeStatus evaluate(const TapeView&, const TapeInputs<Dual<double, 1>>&, Dual<double, 1>*);
extern template TapeStatus evaluate(const TapeView&, const TapeInputs<Dual<double, 6>>&, Dual<double, 6>*);
extern template TapeStatus evaluate(const TapeView&, const TapeInputs<TimeJet>&, TimeJet*);
extern template TapeStatus gradient(const TapeView&, const TapeInputs<double>&, const double*, double*, int,
                                    TapeGradient<double>&);
extern template TapeStatus gradient(const TapeView&, const TapeInputs<Dual<double, 1>>&,
                                    const Dual<double, 1>*, Dual<double, 1>*, int,
                                    TapeGradient<Dual<double, 1>>&);
extern template TapeStatus gradient(const TapeView&, const TapeInputs<Dual<double, 6>>&,
                                    const Dual<double, 6>*, Dual<double, 6>*, int,
                                    TapeGradient<Dual<double, 6>>&);
#endif

// ---- for the host: these allocate and are not used inside a step

/// Value, first and second time derivative of a scalar tape that reads only time (and MODE, splines). Throws
/// Failure(ExitCode::solver) naming the function and its position.
TimeDerivatives evaluate_in_time(const Tape& tape, double time, int mode = 4, const TapeTables& tables = {});

/// The value of a scalar tape with Tape::constant().
double constant_value(const Tape& tape);

// ---- messages

/// "square root of a negative number"
std::string_view error_text(EvalError error);

/// `SQRT(-3.5): square root of a negative number`, `EXP(1234.5) overflows`, `1 / 0: division by zero`
std::string failure_text(Op op, std::span<const double> arguments, EvalError error);

/// `SQRT(-3.5): square root of a negative number, at column 8 of "1 + SQRT(DX(1,2))"`; with argument values
/// if registers are given. "" for a status without error.
std::string describe(const Tape& tape, const TapeStatus& status, const double* registers = nullptr);

/// `0/0 at column 8 of "DX(1,2)/DY(1,2)"`, for TapeStatus::zero_by_zero.
std::string describe_zero_by_zero(const Tape& tape, const TapeStatus& status);

/// The spline of TapeStatus::extrapolated and the point at which it was read (INVPSD: z = 0, x the end of its
/// band that lies outside).
struct SplineRange {
  int spline = 0;  ///< index in the model's spline tables
  double x = 0, z = 0;
};
SplineRange extrapolated_spline(const Tape& tape, const TapeStatus& status, const double* registers,
                                const TapeTables& tables);

}  // namespace trammel
