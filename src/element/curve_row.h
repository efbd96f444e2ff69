// Rows of PTCV and CVCV: a point of I on a curve of J, a curve of I that touches a curve of J.
//
// Where on the curves the contact is follows from the poses: α (and β on the other curve) is no unknown of
// the system, but is found in every evaluation from
//   PTCV  (d − c(α))·c'(α) = 0                           d = Aᵀ_J (r_I − r_J)
//   CVCV  p'(β) × q'(α) = 0,  (p(β) − q(α))·q'(α) = 0      in the x-y plane of J, p the curve of I
// by Newton's method from the parameters at the last accepted step. Derivatives of the rows of any order come
// from further steps of it with dual numbers.
#pragma once

#include "element/constraint_row.h"
#include "expression/curve_table.h"

namespace trammel {

/// The curves of an element and the last accepted parameters on them; PTCV has the one of J only.
struct CurveContact {
  const CurveTable *I = nullptr, *J = nullptr;
  double last_I = 0, last_J = 0;
};

/// Parameters at the contact.
struct ContactPlace {
  double I = 0, J = 0;
  bool found = true;  ///< false: the iteration did not converge
};
ContactPlace contact_place(const CurveContact& contact, const Pose<double>& I, const Pose<double>& J);

/// φ, also as a jet in time; its gradient; weight × derivative of the gradient added to h, as row_hessian().
double curve_row_value(const ConstraintRow& row, const CurveContact& contact, const Pose<double>& I,
                       const Pose<double>& J);
using TimeScalar = Dual<Dual<double, 1>, 1>;
TimeScalar curve_row_value(const ConstraintRow& row, const CurveContact& contact, const Pose<TimeScalar>& I,
                           const Pose<TimeScalar>& J);
RowGradient<double> curve_row_gradient(const ConstraintRow& row, const CurveContact& contact,
                                       const Pose<double>& I, const Pose<double>& J);
void curve_row_hessian(const ConstraintRow& row, const CurveContact& contact, const Pose<double>& I,
                       const Pose<double>& J, double weight, double (&h)[12][12]);

/// The pair of parameters at which two curves touch, or are nearest, searched everywhere on both.
ContactPlace nearest_contact(const CurveContact& contact, const Pose<double>& I, const Pose<double>& J);

}  // namespace trammel
