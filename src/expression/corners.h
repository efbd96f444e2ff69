// Times at which a function of time jumps, or its slope does, where the argument of ABS, IF and the like is
// not affine in time: |sin ωt| at its zeros. expression/break_points.h knows the others without a search.
#pragma once

#include <vector>

#include "expression/evaluate.h"

namespace trammel {

/// Whether a tape is a scalar function of time alone that may have corners at times which are no breaks: by
/// ABS, IF, MOD and the like of what is not affine, or √(x²). Not with ACOS, ASIN or data of INTERP.
bool may_have_corners(const Tape& tape);

/// Between two times, which are steps of a method apart and not more.
struct TimeSpan {
  double begin, end;
};

/// The first time in a span at which such a tape jumps by more than `jump`, or its slope does; infinite where
/// it does nowhere. A narrow bump between two corners, less than an eighth of the span, may be missed.
/// Infinite, too, where the function has no value, or is so rough that 4000 evaluations tell none.
/// registers: scratch, which grows to the tape's.
double first_corner(const Tape& tape, const TapeTables& tables, TimeSpan span, double jump,
                    std::vector<TimeJet>& registers);

}  // namespace trammel
