// Definitions of evaluate() and gradient() for any scalar, host and device.
#pragma once

#include "expression/arguments.h"
#include "expression/evaluate.h"
#include "expression/measures.h"
#if !defined(__CUDACC__)
#include "expression/user_function.h"
#endif

namespace trammel {

namespace functions {

/// Reads of splines, delay buffers and spectral densities.
template <class S>
TRAMMEL_HD S look_up(Op op, const S* x, const TapeView& tape, const TapeTables& tables, EvalError& error,
                     bool& outside) {
  const auto at = [x](int k) { return value_of(x[k]); };
  switch (op) {
    case Op::akispl:
    case Op::cubspl:
    case Op::linspl: {
      const SplineView& spline = tables.splines[tape.splines[static_cast<int>(at(2))]];
      const SplineKind kind = op == Op::akispl   ? SplineKind::akima
                              : op == Op::cubspl ? SplineKind::cubic
                                                 : SplineKind::straight;
      const S y = spline_value(spline, kind, x[0], x[1], static_cast<int>(at(3)), outside);
      if (spline.bounded && outside) {
        outside = false;
        // An alpha computed at the end of its range may exceed it by rounding.
        if (at(0) < spline.x[0] - 1e-9 || at(0) > spline.x[spline.nx - 1] + 1e-9)
          error = EvalError::curve_parameter;
      }
      return y;
    }
    case Op::delay:
      return delayed_value(tables.delays[tape.delays[static_cast<int>(at(3))].buffer], x[0], x[1], x[2]);
    case Op::invpsd:
      return invpsd(tables.splines[tape.splines[static_cast<int>(at(1))]], x[0], at(2), at(3),
                    static_cast<int>(at(4)), static_cast<int>(at(5)), static_cast<long long>(at(6)), outside,
                    error);
    default:
      return S(0.0);
  }
}

/// Step functions, series and contact forces.
template <class S>
TRAMMEL_HD S apply_shape(Op op, const S* x, int n, const TapeView& tape, const TapeTables& tables,
                         EvalError& error, bool& outside) {
  using std::sin;
  switch (op) {
    case Op::step:
      return step(x[0], x[1], x[2], x[3], x[4], error);
    case Op::step5:
      return step5(x[0], x[1], x[2], x[3], x[4], error);
    case Op::havsin:
      return havsin(x[0], x[1], x[2], x[3], x[4], error);
    case Op::poly:
      return poly(x[0], x[1], x + 2, n - 2);
    case Op::shf:
      return x[2] * S(sin(x[3] * (x[0] - x[1]) - x[4])) + (n > 5 ? x[5] : S(0.0));
    case Op::cheby:
      return cheby(x[0], x[1], x + 2, n - 2);
    case Op::forcos:
      return fourier(x[0], x[1], x[2], x + 3, n - 3, false);
    case Op::forsin:
      return fourier(x[0], x[1], x[2], x + 3, n - 3, true);
    case Op::sweep:
      return sweep(x[0], x[1], x[2], x[3], x[4], x[5], x[6], error);
    case Op::impact:
      return impact(x[0], x[1], x[2], x[3], x[4], x[5], x[6], error);
    case Op::bistop:
      return bistop(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], error);
    default:
      return look_up(op, x, tape, tables, error, outside);
  }
}

/// Elementary functions.
template <class S>
TRAMMEL_HD S apply_elementary(Op op, const S* x, int n, const TapeView& tape, const TapeTables& tables,
                              EvalError& error, bool& outside) {
  using std::atan, std::cos, std::cosh, std::exp, std::sin, std::sinh, std::tan, std::tanh;
  switch (op) {
    case Op::acos:
      return arc(x[0], true, error);
    case Op::asin:
      return arc(x[0], false, error);
    case Op::atan:
      return atan(x[0]);
    case Op::atan2:
      return arc_tangent2(x[0], x[1]);
    case Op::cos:
      return cos(x[0]);
    case Op::sin:
      return sin(x[0]);
    case Op::tan:
      return tan(x[0]);
    case Op::cosh:
      return cosh(x[0]);
    case Op::sinh:
      return sinh(x[0]);
    case Op::tanh:
      return tanh(x[0]);
    case Op::exp:
      return exp(x[0]);
    case Op::log:
      return logarithm(x[0], false, error);
    case Op::log10:
      return logarithm(x[0], true, error);
    case Op::sqrt:
      return square_root(x[0], error);
    default:
      return apply_shape(op, x, n, tape, tables, error, outside);
  }
}

/// Computes one pure operation or table read on its n arguments x: the only definition of an operation's
/// value; derivatives come from calling it with dual numbers.
template <class S>
TRAMMEL_HD S apply(Op op, const S* x, int n, const TapeView& tape, const TapeTables& tables, EvalError& error,
                   bool& outside) {
  using std::fabs;
  const auto at = [x](int k) { return value_of(x[k]); };
  switch (op) {
    case Op::neg:
      return -x[0];
    case Op::add:
      return x[0] + x[1];
    case Op::sub:
      return x[0] - x[1];
    case Op::mul:
      return x[0] * x[1];
    case Op::div:
      return divide(x[0], x[1], error);
    case Op::pow:
      return checked_power(x[0], x[1], error);
    case Op::abs:
      return fabs(x[0]);
    case Op::aint:
      return S(std::trunc(at(0)));
    case Op::anint:
      return S(std::round(at(0)));
    case Op::dim:
      return at(0) > at(1) ? S(x[0] - x[1]) : S(0.0);
    case Op::max:
      return at(0) >= at(1) ? x[0] : x[1];
    case Op::min:
      return at(0) <= at(1) ? x[0] : x[1];
    case Op::mod:
      return modulo(x[0], x[1], error);
    case Op::sign:
      return (at(0) < 0) == (at(1) < 0) ? x[0] : S(-x[0]);
    default:
      return apply_elementary(op, x, n, tape, tables, error, outside);
  }
}

/// Index of the argument of select (1, 2 or 3) for the sign of e.
TRAMMEL_HD inline int chosen(double e) {
  return e < 0 ? 1 : (e > 0 ? 3 : 2);
}

template <class T>
TRAMMEL_HD T leaf_value(const Leaf& leaf, const TapeInputs<T>& in, EvalError& error) {
  switch (leaf.measure) {
    case Measure::time:
      return in.time;
    case Measure::mode:
      return T(static_cast<double>(in.mode));
    case Measure::state:
      return in.states[leaf.index];
    case Measure::rate:
      return in.rates[leaf.index];
    default:
      break;
  }
  const MarkerKinematics<T>* m[4];
  for (int k = 0; k < 4; ++k) m[k] = in.markers + leaf.marker[k];
  const bool counted = is_axis_angle(leaf.measure) && in.angles != nullptr;
  return measure_value(leaf.measure, leaf.component, m, counted ? in.angles[leaf.index] : 0.0, error);
}

template <class T>
TRAMMEL_HD void leaf_gradient(const Leaf& leaf, const TapeInputs<T>& in, const T& s, TapeGradient<T>& out) {
  switch (leaf.measure) {
    case Measure::time:
      out.time = out.time + s;
      return;
    case Measure::mode:
      return;
    case Measure::state:
      out.states[leaf.index] = out.states[leaf.index] + s;
      return;
    case Measure::rate:
      out.rates[leaf.index] = out.rates[leaf.index] + s;
      return;
    default:
      break;
  }
  const MarkerKinematics<T>* m[4];
  T* block[4];
  for (int k = 0; k < 4; ++k) {
    m[k] = in.markers + leaf.marker[k];
    block[k] = out.markers + 18 * leaf.marker[k];
  }
  measure_gradient(leaf.measure, leaf.component, m, s, block);
}

/// Σ c_k s_k with four partial sums (shorter chains of dependent additions), in a fixed order.
template <class T>
TRAMMEL_HD T linear_value(const double* c, const T* s, int n) {
  T sum[4] = {};
  int k = 0;
  for (; k + 4 <= n; k += 4)
    for (int p = 0; p < 4; ++p) sum[p] = sum[p] + c[k + p] * s[k + p];
  for (; k < n; ++k) sum[0] = sum[0] + c[k] * s[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Adds adjoint × c_k, the gradient of linear_value(), to out.
template <class T>
TRAMMEL_HD void linear_gradient(const double* c, int n, const T& adjoint, T* out) {
  for (int k = 0; k < n; ++k) out[k] = out[k] + c[k] * adjoint;
}

/// Evaluates one function instruction with room for at most `Room` arguments.
template <int Room, class T>
TRAMMEL_HD T call(const TapeView& tape, const Instruction& i, const TapeTables& tables, const T* registers,
                  EvalError& error, bool& outside) {
  T x[Room];
  for (int k = 0; k < i.n; ++k) x[k] = registers[argument_of(tape, i, k)];
  return apply(static_cast<Op>(i.op), x, i.n, tape, tables, error, outside);
}

/// Adds adjoint × ∂(instruction)/∂(argument) for each argument that is not constant. Returns false when a
/// partial derivative was not finite and 0 was taken.
template <int Room, class T>
TRAMMEL_HD bool call_reverse(const TapeView& tape, const Instruction& i, const TapeTables& tables,
                             const T* registers, T* adjoints, const T& adjoint) {
  Dual<T, 1> x[Room];
  for (int k = 0; k < i.n; ++k) x[k].v = registers[argument_of(tape, i, k)];
  bool finite = true;
  for (int k = 0; k < i.n; ++k) {
    const int r = argument_of(tape, i, k);
    if (static_cast<Op>(tape.code[r].op) == Op::constant) continue;
    x[k].d[0] = T(1.0);
    EvalError error = EvalError::none;
    bool outside = false;
    const T partial = apply(static_cast<Op>(i.op), x, i.n, tape, tables, error, outside).d[0];
    x[k].d[0] = T(0.0);
    if (all_finite(partial))
      adjoints[r] = adjoints[r] + adjoint * partial;
    else
      finite = false;
  }
  return finite;
}

#if !defined(__CUDACC__)
/// The function that an instruction of user code calls, and the number of its result.
template <class T>
struct UserResult {
  const UserFunction& function;
  int number;
  UserResult(const TapeView& tape, const Instruction& i, const T* registers)
      : function(*tape.users[static_cast<int>(value_of(registers[argument_of(tape, i, i.n - 2)]))]),
        number(static_cast<int>(value_of(registers[argument_of(tape, i, i.n - 1)]))) {}
};

/// Its arguments, and TIME.
template <class T>
const T* user_arguments(const TapeView& tape, const Instruction& i, const T* registers) {
  thread_local std::vector<T> x;
  x.resize(i.n - 2);
  for (int k = 0; k < i.n - 2; ++k) x[k] = registers[argument_of(tape, i, k)];
  return x.data();
}

template <class T>
T call_user(const TapeView& tape, const Instruction& i, const T* registers, EvalError& error) {
  const UserResult<T> result(tape, i, registers);
  const T value = user_value(result.function, result.number, user_arguments(tape, i, registers));
  if (!all_finite(value_of(value))) error = EvalError::user_code;
  return value;
}

template <class T>
bool call_user_reverse(const TapeView& tape, const Instruction& i, const T* registers, T* adjoints,
                       const T& adjoint) {
  const UserResult<T> result(tape, i, registers);
  const T* x = user_arguments(tape, i, registers);
  bool finite = true;
  for (int k = 0; k < i.n - 2; ++k) {
    const T partial = user_slope(result.function, result.number, k, x);
    T& to = adjoints[argument_of(tape, i, k)];
    if (all_finite(partial))
      to = to + adjoint * partial;
    else
      finite = false;
  }
  return finite;
}
#endif

/// Evaluates one function instruction.
template <class T>
TRAMMEL_HD T call(const TapeView& tape, const Instruction& i, const TapeTables& tables, const T* registers,
                  EvalError& error, bool& outside) {
#if !defined(__CUDACC__)
  if (static_cast<Op>(i.op) == Op::user) return call_user(tape, i, registers, error);
#endif
  return i.n <= 3   ? call<3>(tape, i, tables, registers, error, outside)
         : i.n <= 8 ? call<8>(tape, i, tables, registers, error, outside)
                    : call<max_op_arguments>(tape, i, tables, registers, error, outside);
}

/// Its share in the adjoints of its arguments; false where a partial derivative was not finite.
template <class T>
TRAMMEL_HD bool call_reverse(const TapeView& tape, const Instruction& i, const TapeTables& tables,
                             const T* registers, T* adjoints, const T& adjoint) {
#if !defined(__CUDACC__)
  if (static_cast<Op>(i.op) == Op::user) return call_user_reverse(tape, i, registers, adjoints, adjoint);
#endif
  return i.n <= 3   ? call_reverse<3>(tape, i, tables, registers, adjoints, adjoint)
         : i.n <= 8 ? call_reverse<8>(tape, i, tables, registers, adjoints, adjoint)
                    : call_reverse<max_op_arguments>(tape, i, tables, registers, adjoints, adjoint);
}

}  // namespace functions

template <class T>
TRAMMEL_CALLED TapeStatus evaluate(const TapeView& tape, const TapeInputs<T>& in, T* registers) {
  TapeStatus status;
  for (int pc = 0; pc < tape.size;) {
    const Instruction& i = tape.code[pc];
    EvalError error = EvalError::none;
    bool outside = false;
    int next = pc + 1;
    switch (static_cast<Op>(i.op)) {
      case Op::constant:
        registers[pc] = T(tape.constants[i.a]);
        break;
      case Op::leaf:
        registers[pc] = functions::leaf_value(tape.leaves[i.a], in, error);
        break;
      case Op::linear:
        registers[pc] = functions::linear_value(tape.coefficients + i.a, in.states + i.c, i.b);
        break;
      case Op::branch: {
        const int choice = functions::chosen(value_of(registers[i.a]));
        if (!in.every_branch) next = choice == 1 ? next : (choice == 2 ? i.b : i.c);
        break;
      }
      case Op::jump:
        if (!in.every_branch) next = i.a;
        break;
      case Op::select: {
        const int* list = tape.arguments + i.a;
        registers[pc] = registers[list[functions::chosen(value_of(registers[list[0]]))]];
        break;
      }
      default:
        registers[pc] = functions::call(tape, i, in.tables, registers, error, outside);
    }
    const Op op = static_cast<Op>(i.op);
    if (error == EvalError::none && op != Op::branch && op != Op::jump &&
        !functions::all_finite(registers[pc]))
      error = functions::all_finite(value_of(registers[pc])) ? EvalError::infinite_derivative
                                                             : EvalError::overflow;
    if (outside && status.extrapolated < 0) status.extrapolated = pc;
    if (tape.only_shown && error == EvalError::division_by_zero && op == Op::div &&
        value_of(registers[i.a]) == 0) {
      error = EvalError::none;
      if (status.zero_by_zero < 0) status.zero_by_zero = pc;
    }
    if (error != EvalError::none && in.every_branch) {
      registers[pc] = T(NAN);
    } else if (error != EvalError::none) {
      status.error = error;
      status.instruction = pc;
      return status;
    }
    pc = next;
  }
  return status;
}

template <class T>
TRAMMEL_CALLED TapeStatus gradient(const TapeView& tape, const TapeInputs<T>& in, const T* registers,
                                   T* adjoints, int result, TapeGradient<T>& out) {
  TapeStatus status;
  for (int k = 0; k < 18 * tape.n_markers; ++k) out.markers[k] = T(0.0);
  for (int k = 0; k < tape.n_states; ++k) out.states[k] = T(0.0);
  for (int k = 0; k < tape.n_rates; ++k) out.rates[k] = T(0.0);
  out.time = T(0.0);
  const int top = tape.results[result];
  for (int k = 0; k <= top; ++k) adjoints[k] = T(0.0);
  adjoints[top] = T(1.0);
  // Adjoints of branches that were not taken stay zero.
  for (int pc = top; pc >= 0; --pc) {
    const T adjoint = adjoints[pc];
    if (functions::is_zero(adjoint)) continue;
    const Instruction& i = tape.code[pc];
    bool finite = true;
    switch (static_cast<Op>(i.op)) {
      case Op::constant:
      case Op::branch:
      case Op::jump:
        break;
      case Op::leaf:
        functions::leaf_gradient(tape.leaves[i.a], in, adjoint, out);
        break;
      case Op::linear:
        functions::linear_gradient(tape.coefficients + i.a, i.b, adjoint, out.states + i.c);
        break;
      case Op::select: {
        const int* list = tape.arguments + i.a;
        const int from = list[functions::chosen(value_of(registers[list[0]]))];
        adjoints[from] = adjoints[from] + adjoint;
        break;
      }
      default:
        finite = functions::call_reverse(tape, i, in.tables, registers, adjoints, adjoint);
    }
    if (!finite && status.infinite_derivative < 0) status.infinite_derivative = pc;
  }
  return status;
}

}  // namespace trammel
