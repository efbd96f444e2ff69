// The expression interpreter on the device: values and gradients of one tape for many inputs.
#include "expression/evaluate_definitions.h"

using namespace trammel;

namespace {

/// Inputs of instance i: [instance][entry], registers and adjoints likewise.
template <class T>
__device__ TapeInputs<T> inputs_of(const TapeView& tape, const TapeInputs<T>& all, int i) {
  TapeInputs<T> in = all;
  in.markers += static_cast<long long>(i) * tape.n_markers;
  in.states += static_cast<long long>(i) * tape.n_states;
  in.rates += static_cast<long long>(i) * tape.n_rates;
  return in;
}

template <class T>
__device__ void evaluate_instance(const TapeView& tape, const TapeInputs<T>& all, T* registers, TapeStatus* status,
                                  int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  status[i] = evaluate(tape, inputs_of(tape, all, i), registers + static_cast<long long>(i) * tape.size);
}

template <class T>
__device__ void gradient_instance(const TapeView& tape, const TapeInputs<T>& all, const T* registers, T* adjoints,
                                  TapeGradient<T>* out, TapeStatus* status, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const long long at = static_cast<long long>(i) * tape.size;
  status[i] = gradient(tape, inputs_of(tape, all, i), registers + at, adjoints + at, 0, out[i]);
}

using D6 = Dual<double, 6>;

}  // namespace

extern "C" __global__ void tape_value_double(TapeView tape, TapeInputs<double> in, double* registers,
                                             TapeStatus* status, int n) {
  evaluate_instance(tape, in, registers, status, n);
}

extern "C" __global__ void tape_value_dual_6(TapeView tape, TapeInputs<D6> in, D6* registers, TapeStatus* status,
                                             int n) {
  evaluate_instance(tape, in, registers, status, n);
}

extern "C" __global__ void tape_gradient_double(TapeView tape, TapeInputs<double> in, const double* registers,
                                                double* adjoints, TapeGradient<double>* out, TapeStatus* status,
                                                int n) {
  gradient_instance(tape, in, registers, adjoints, out, status, n);
}

extern "C" __global__ void tape_gradient_dual_6(TapeView tape, TapeInputs<D6> in, const D6* registers, D6* adjoints,
                                                TapeGradient<D6>* out, TapeStatus* status, int n) {
  gradient_instance(tape, in, registers, adjoints, out, status, n);
}
