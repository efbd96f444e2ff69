// Instantiations for duals; apart from evaluate.cpp so that the two compile in parallel.
#include "expression/evaluate_definitions.h"

namespace trammel {

template <int N>
using D = Dual<double, N>;
template TapeStatus evaluate(const TapeView&, const TapeInputs<D<1>>&, D<1>*);
template TapeStatus evaluate(const TapeView&, const TapeInputs<D<6>>&, D<6>*);
template TapeStatus gradient(const TapeView&, const TapeInputs<D<1>>&, const D<1>*, D<1>*, int,
                             TapeGradient<D<1>>&);
template TapeStatus gradient(const TapeView&, const TapeInputs<D<6>>&, const D<6>*, D<6>*, int,
                             TapeGradient<D<6>>&);

}  // namespace trammel
