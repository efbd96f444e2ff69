// The expression interpreter on the device: values of one tape for many inputs.
#include "tape_instance.h"

using namespace trammel;

namespace {

template <class T>
__device__ void evaluate_instance(const TapeView& tape, const TapeInputs<T>& all, T* registers,
                                  TapeStatus* status, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  status[i] = evaluate(tape, inputs_of(tape, all, i), registers + static_cast<long long>(i) * tape.size);
}

using D6 = Dual<double, 6>;

}  // namespace

extern "C" __global__ void tape_value_double(TapeView tape, TapeInputs<double> in, double* registers,
                                             TapeStatus* status, int n) {
  evaluate_instance(tape, in, registers, status, n);
}

extern "C" __global__ void tape_value_dual_6(TapeView tape, TapeInputs<D6> in, D6* registers,
                                             TapeStatus* status, int n) {
  evaluate_instance(tape, in, registers, status, n);
}
