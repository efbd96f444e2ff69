// Running a tape: values, and all first derivatives by one reverse sweep.
//
// Instantiated here for double, for Dual<double, 1> and Dual<double, 6> (gradients of these are Hessian
// columns) and, values only, for TimeJet. Code that compiles for a device, or for another scalar, includes
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

/// A tape as the interpreter reads it: plain pointers, host or device.
struct TapeView {
  const Instruction* code = nullptr;
  const double* constants = nullptr;
  const double* coefficients = nullptr;
  const int* arguments = nullptr;
  const Leaf* leaves = nullptr;
  const int* results = nullptr;
  const int* splines = nullptr;
  const DelaySlot* delays = nullptr;
  int size = 0;  ///< instructions = registers
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

/// What a tape reads. Arrays are gathered for this tape, except the tables.
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
};

/// How an evaluation went. error != none: `instruction` has no value, and neither has the tape.
/// Notes that leave the values in force: `extrapolated`, first instruction that read a spline outside its
/// data (-1: none; the caller warns once per spline); `infinite_derivative`, first instruction one of whose
/// partial derivatives is not finite and was taken as 0 (-1: none): SQRT at 0; `zero_by_zero`, first division
/// 0/0 of a tape that is only shown, taken as 0 (-1: none).
struct TapeStatus {
  EvalError error = EvalError::none;
  int instruction = -1;
  int extrapolated = -1;
  int infinite_derivative = -1;
  int zero_by_zero = -1;
  TRAMMEL_HD bool ok() const { return error == EvalError::none; }
};

/// d result / d input. Marker blocks of 18: (δr, δθ, δv, δω, δa, δα) in global axes, δA = [δθ]× A.
template <class T>
struct TapeGradient {
  T* markers = nullptr;  ///< [Tape::markers][18]
  T* states = nullptr;   ///< [Tape::states]
  T* rates = nullptr;    ///< [Tape::rates]
  T time{};
};

/// Evaluates all results. registers: room for TapeView::size scalars; result k is
/// registers[tape.results[k]]. Branches of IF that are not selected are not evaluated. T may be a dual
/// number: then a derivative that is not finite is an error (EvalError::infinite_derivative).
template <class T>
TRAMMEL_HD TapeStatus evaluate(const TapeView& tape, const TapeInputs<T>& in, T* registers);

/// Overwrites `out` with the gradient of result `result` (position in Tape::results), after an evaluation
/// with the same inputs and registers that was ok(). adjoints: room for TapeView::size scalars.
/// Convention where a derivative does not exist: that of the branch the value was taken from; 0 for the
/// magnitudes DM, VM, WM ... at 0.
template <class T>
TRAMMEL_HD TapeStatus gradient(const TapeView& tape, const TapeInputs<T>& in, const T* registers, T* adjoints,
                               int result, TapeGradient<T>& out);

/// A function of time with two derivatives: x.v.v, its rate x.d[0].v = x.v.d[0], x.d[0].d[0].
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

// ---- host conveniences, which allocate; not for inside a step

/// Value, first and second time derivative of a scalar tape that reads only time (and MODE, splines).
/// Throws Failure(ExitCode::solver) that says which function failed, where.
TimeDerivatives evaluate_in_time(const Tape& tape, double time, int mode = 4, const TapeTables& tables = {});

/// The number of a scalar tape with Tape::constant().
double constant_value(const Tape& tape);

// ---- messages

/// "square root of a negative number"
std::string_view error_text(EvalError error);

/// `SQRT(-3.5): square root of a negative number`, `EXP(1234.5) overflows`, `1 / 0: division by zero`
std::string failure_text(Op op, std::span<const double> arguments, EvalError error);

/// `SQRT(-3.5): square root of a negative number, at column 8 of "1 + SQRT(DX(1,2))"`; the arguments are
/// shown when registers are given. "" for a status without error.
std::string describe(const Tape& tape, const TapeStatus& status, const double* registers = nullptr);

/// `0/0 at column 8 of "DX(1,2)/DY(1,2)"`, of TapeStatus::zero_by_zero.
std::string describe_zero_by_zero(const Tape& tape, const TapeStatus& status);

/// The spline that TapeStatus::extrapolated speaks of, and where it was read (INVPSD: z = 0, x the end of
/// its band that lies outside).
struct SplineRange {
  int spline = 0;  ///< index in the model's spline tables
  double x = 0, z = 0;
};
SplineRange extrapolated_spline(const Tape& tape, const TapeStatus& status, const double* registers,
                                const TapeTables& tables);

}  // namespace trammel
