// Times at which a function expression changes its law: the ends of a STEP, the zero of an IF, the end of a
// spline's data. Integration methods that take such a time inside a step lose their order there.
//
// Registers that are affine in time, u = u0 + slope (t − t0), are followed through the tape from a time t0
// on; where two of them meet, at the ends of a STEP say, is a break. What depends on the motion, or on time
// in another way, is not known ahead and has no breaks.
#pragma once

#include <span>
#include <vector>

#include "expression/tape.h"

namespace trammel {

/// The first time after t (by more than rounding) at which a result of the tape may change its law; infinite
/// where there is none that is known. splines: the model's, to which Tape::splines refers. What reads the
/// function asks for its first `derivatives` as well, the place of a motion for two, as accelerations are to
/// be smooth: then those points of a spline, too, at which one of these jumps. Straight lines (INTERP with
/// METHOD 1) are continuous, Akima's spline has one continuous derivative, a cubic one has two.
double next_break(const Tape& tape, std::span<const SplineTable> splines, double t, int derivatives = 0);

/// Of each register of a tape as a polynomial in TIME: 0 where it is constant in an analysis, 1 where it is
/// affine, 2 of all others.
std::vector<int> degrees_in_time(const Tape& tape);

}  // namespace trammel
