// The expression interpreter on the device: the reverse sweep for doubles and duals (Hessian columns).
#include "tape_instance.h"

using namespace trammel;

namespace {

template <class T>
__device__ void gradient_instance(const TapeView& tape, const TapeInputs<T>& all, const T* registers,
                                  T* adjoints, TapeGradient<T>* out, TapeStatus* status, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const long long at = static_cast<long long>(i) * tape.size;
  status[i] = gradient(tape, inputs_of(tape, all, i), registers + at, adjoints + at, 0, out[i]);
}

using D6 = Dual<double, 6>;

}  // namespace

extern "C" __global__ void tape_gradient_double(TapeView tape, TapeInputs<double> in, const double* registers,
                                                double* adjoints, TapeGradient<double>* out,
                                                TapeStatus* status, int n) {
  gradient_instance(tape, in, registers, adjoints, out, status, n);
}

extern "C" __global__ void tape_gradient_dual_6(TapeView tape, TapeInputs<D6> in, const D6* registers,
                                                D6* adjoints, TapeGradient<D6>* out, TapeStatus* status,
                                                int n) {
  gradient_instance(tape, in, registers, adjoints, out, status, n);
}
