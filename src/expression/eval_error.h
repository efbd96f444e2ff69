// Errors of the evaluation of expressions.
#pragma once

namespace trammel {

/// Why an instruction has no value. Texts: error_text() in expression/evaluate.h.
enum class EvalError : int {
  none,
  division_by_zero,
  square_root,          ///< SQRT of a negative number
  logarithm,            ///< LOG, LOG10 of a number that is not positive
  arc_domain,           ///< ASIN, ACOS outside [-1, 1]
  power,                ///< negative number to a non-integer power
  interval,             ///< STEP, STEP5, HAVSIN, SWEEP: x0 >= x1
  contact_parameter,    ///< IMPACT, BISTOP: stiffness, exponent, damping or ramp out of range
  coincident_markers,   ///< VR or INCANG where two markers coincide
  density,              ///< INVPSD: frequencies or count out of range
  curve_parameter,      ///< CURVE: alpha outside -1..1
  user_code,            ///< user code gave no number
  overflow,             ///< the result is not a finite number
  infinite_derivative,  ///< the value is finite, a derivative asked for is not
  count
};

}  // namespace trammel
