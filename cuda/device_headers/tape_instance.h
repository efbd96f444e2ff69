// What one thread of a tape kernel reads: the inputs of instance i, stored [instance][entry].
#pragma once

#include "expression/evaluate_definitions.h"

namespace trammel {

template <class T>
__device__ TapeInputs<T> inputs_of(const TapeView& tape, const TapeInputs<T>& all, long long i) {
  TapeInputs<T> in = all;
  in.markers += i * tape.n_markers;
  in.states += i * tape.n_states;
  in.rates += i * tape.n_rates;
  return in;
}

}  // namespace trammel
