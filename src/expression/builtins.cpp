#include "expression/builtins.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace trammel {

namespace {

using K = BuiltinKind;
constexpr Op no_op = Op::constant;
constexpr Measure no_measure = Measure::time;

constexpr Builtin math_row(std::string_view name, Op op, int n, std::string_view signature,
                           std::string_view formula, std::string_view help) {
  return {name, K::op, op, no_measure, n, n, "e", signature, formula, help};
}
constexpr Builtin general_row(std::string_view name, Op op, int min, int max, std::string_view signature,
                              std::string_view formula, std::string_view help) {
  return {name, K::op, op, no_measure, min, max, "e", signature, formula, help};
}
constexpr Builtin measure_row(std::string_view name, Measure m, int min, int max, std::string_view roles,
                              std::string_view signature, std::string_view formula, std::string_view help) {
  return {name, K::measure, no_op, m, min, max, roles, signature, formula, help};
}
constexpr Builtin vector_row(std::string_view name, Measure m, int max, std::string_view roles,
                             std::string_view signature, std::string_view formula) {
  return {name,    K::vector_measure,
          no_op,   m,
          1,       max,
          roles,   signature,
          formula, "Vector; for FXYZ and TXYZ of forces."};
}
constexpr Builtin axis_row(std::string_view name, Measure m, std::string_view signature,
                           std::string_view formula) {
  return {name, K::unit_axis, no_op,     m,       1,
          2,    "ij",         signature, formula, "Vector; for FXYZ and TXYZ of forces."};
}
constexpr Builtin system_row(std::string_view name, int min, int max, std::string_view roles,
                             std::string_view signature, std::string_view formula, std::string_view help) {
  return {name, K::system, no_op, no_measure, min, max, roles, signature, formula, help};
}
constexpr Builtin refused(Builtin row) {
  row.supported = false;
  return row;
}
constexpr std::string_view force_help =
    "What acts at marker i from the elements between i and j; a GCON at i counts for every j, an ACTIONONLY "
    "force for its J. j omitted or 0: from all forces and constraints that name i, but for COUPLER, GEAR and "
    "CONTACT.";
constexpr std::string_view element_help =
    "jflag 0: on the I marker, 1: on the J marker. comp 1 FM, 2 FX, 3 FY, 4 FZ, 5 TM, 6 TX, 7 TY, 8 TZ in "
    "axes "
    "of rm.";
constexpr Builtin force_row(std::string_view name, int max, std::string_view signature,
                            std::string_view formula) {
  return system_row(name, 1, max, "n", signature, formula, force_help);
}
constexpr Builtin element_row(std::string_view name, std::string_view signature, std::string_view formula) {
  return system_row(name, 4, 4, "n", signature, formula, element_help);
}

constexpr std::string_view mod_help = "The sign of a. Jumps; wrap an angle with MOD(AZ(i,j)+PI, 2*PI)-PI.";
constexpr std::string_view angle_help =
    "Counts revolutions. A rotation angle only while the other two rotations are zero; where it is not "
    "defined it keeps its last value.";
constexpr std::string_view euler_help =
    "Body 3-1-3 angle of A, i seen from j. At sin THETA = 0: PHI = 0, PSI = atan2(A21, A11).";
constexpr std::string_view velocity_help = "Differentiated in frame l, along an axis of k.";
constexpr std::string_view acceleration_help =
    "Second derivative in frame l, along an axis of k. In a force law it makes the residual read "
    "accelerations.";
constexpr std::string_view ramp_help = "Constant outside x0 < x < x1.";

constexpr Builtin table[] = {
    // ---- mathematical functions
    math_row("ABS", Op::abs, 1, "ABS(x)", "|x|", "Kink at 0."),
    math_row("ACOS", Op::acos, 1, "ACOS(x)", "arc cosine, 0..PI", "Needs |x| <= 1."),
    math_row("AINT", Op::aint, 1, "AINT(x)", "x without its fraction, towards 0", "Jumps."),
    math_row("ANINT", Op::anint, 1, "ANINT(x)", "nearest whole number, halves away from 0", "Jumps."),
    math_row("ASIN", Op::asin, 1, "ASIN(x)", "arc sine, -PI/2..PI/2", "Needs |x| <= 1."),
    math_row("ATAN", Op::atan, 1, "ATAN(x)", "arc tangent, -PI/2..PI/2", ""),
    math_row("ATAN2", Op::atan2, 2, "ATAN2(y, x)", "angle of the point (x, y), -PI..PI",
             "0 for y = x = 0, with derivative 0."),
    math_row("COS", Op::cos, 1, "COS(x)", "cosine", "x in radians."),
    math_row("COSH", Op::cosh, 1, "COSH(x)", "hyperbolic cosine", ""),
    math_row("DIM", Op::dim, 2, "DIM(a, b)", "max(a - b, 0)", "Kink at a = b."),
    math_row("EXP", Op::exp, 1, "EXP(x)", "e to the power x", ""),
    math_row("LOG", Op::log, 1, "LOG(x)", "natural logarithm", "Needs x > 0."),
    math_row("LOG10", Op::log10, 1, "LOG10(x)", "logarithm to base 10", "Needs x > 0."),
    math_row("MAX", Op::max, 2, "MAX(a, b)", "the greater one", "Kink at a = b."),
    math_row("MIN", Op::min, 2, "MIN(a, b)", "the smaller one", "Kink at a = b."),
    math_row("MOD", Op::mod, 2, "MOD(a, b)", "a - b AINT(a/b)", mod_help),
    math_row("SIGN", Op::sign, 2, "SIGN(a, b)", "|a| with the sign of b", "b = 0 counts as positive."),
    math_row("SIN", Op::sin, 1, "SIN(x)", "sine", "x in radians."),
    math_row("SINH", Op::sinh, 1, "SINH(x)", "hyperbolic sine", ""),
    math_row("SQRT", Op::sqrt, 1, "SQRT(x)", "square root", "Needs x >= 0; infinite slope at 0."),
    math_row("TAN", Op::tan, 1, "TAN(x)", "tangent", "x in radians."),
    math_row("TANH", Op::tanh, 1, "TANH(x)", "hyperbolic tangent", ""),

    // ---- general functions; D = (x-x0)/(x1-x0)
    general_row(
        "BISTOP", Op::bistop, 8, 8, "BISTOP(x, xdot, x1, x2, k, e, cmax, d)",
        "x < x1: max(0, k (x1-x)**e - STEP(x, x1-d, cmax, x1, 0) xdot); x > x2: min(0, -k (x-x2)**e - "
        "STEP(x, x2, 0, x2+d, cmax) xdot); else 0",
        "Stops on both sides; k, cmax >= 0, e, d > 0; e > 1 for a force with a continuous slope."),
    general_row("CHEBY", Op::cheby, 3, 33, "CHEBY(x, x0, a0, ..., a30)", "sum of a_j T_j(x-x0)",
                "Chebyshev polynomials: T0 = 1, T1 = u, T_j = 2 u T_{j-1} - T_{j-2}."),
    general_row("FORCOS", Op::forcos, 4, 34, "FORCOS(x, x0, w, a0, ..., a30)",
                "a0 + sum over j >= 1 of a_j COS(j w (x-x0))", "Fourier cosine series; a0 is not halved."),
    general_row("FORSIN", Op::forsin, 4, 34, "FORSIN(x, x0, w, a0, ..., a30)",
                "a0 + sum over j >= 1 of a_j SIN(j w (x-x0))", "Fourier sine series; a0 is not halved."),
    general_row("HAVSIN", Op::havsin, 5, 5, "HAVSIN(x, x0, h0, x1, h1)",
                "(h0+h1)/2 + (h1-h0)/2 SIN(PI D - PI/2)", ramp_help),
    general_row("IMPACT", Op::impact, 7, 7, "IMPACT(x, xdot, x1, k, e, cmax, d)",
                "x < x1: max(0, k (x1-x)**e - STEP(x, x1-d, cmax, x1, 0) xdot); else 0",
                "One-sided contact; k, cmax >= 0, e, d > 0; e > 1 for a force with a continuous slope."),
    {"INVPSD", K::density, Op::invpsd, no_measure, 7, 7, "enccnnn",
     "INVPSD(x, spline, f0, f1, nf, linlog, seed)",
     "sum over nf bands of SQRT(2 S(f_k) df_k) SIN(2 PI f_k x + phase_k)",
     "Random signal whose mean square is the area under the spline S; bands equal (linlog 0) or of equal "
     "ratio "
     "(1); phases from SplitMix64 of seed and k."},
    general_row("POLY", Op::poly, 3, 33, "POLY(x, x0, a0, ..., a30)", "sum of a_j (x-x0)**j", ""),
    general_row("SHF", Op::shf, 5, 6, "SHF(x, x0, a, w, phi[, b])", "a SIN(w (x-x0) - phi) + b",
                "Simple harmonic function."),
    general_row("STEP", Op::step, 5, 5, "STEP(x, x0, h0, x1, h1)", "h0 + (h1-h0) D**2 (3 - 2 D)",
                "Constant outside x0 < x < x1; the second derivative jumps at both ends."),
    general_row("STEP5", Op::step5, 5, 5, "STEP5(x, x0, h0, x1, h1)",
                "h0 + (h1-h0) D**3 (10 - 15 D + 6 D**2)",
                "Constant outside x0 < x < x1; two continuous derivatives."),
    general_row("SWEEP", Op::sweep, 7, 7, "SWEEP(x, a, x0, f0, x1, f1, dx)",
                "a STEP5(x, x0, 0, x0+dx, 1) SIN(2 PI phase(x))",
                "Frequency f0 (cycles per x) up to x0, f1 from x1, linear between, with continuous phase."),

    // ---- splines and memory
    {"AKISPL", K::spline, Op::akispl, no_measure, 3, 4, "eenn", "AKISPL(x, z, id[, iord])",
     "Akima spline through SPLINE/id, or derivative iord = 0, 1, 2 in x",
     "z = 0 for a curve; surfaces are linear in z and have no derivatives. Outside the data: parabola "
     "through the "
     "end's three points, or the tangent (LINEAR_EXTRAPOLATE)."},
    {"CUBSPL", K::spline, Op::cubspl, no_measure, 3, 4, "eenn", "CUBSPL(x, z, id[, iord])",
     "cubic spline (not-a-knot) through SPLINE/id, or derivative iord = 0, 1, 2 in x", "As AKISPL."},
    {"INTERP", K::history, Op::linspl, no_measure, 3, 4, "ennn", "INTERP(x, method, id[, iord])",
     "time history SPLINE/id with FILE at x, or derivative iord = 0, 1, 2 in x",
     "method 1: straight lines; 3: the cubic spline of CUBSPL. Outside the data: the value of the end, or "
     "the "
     "tangent (LINEAR_EXTRAPOLATE)."},
    {"DELAY", K::delay, Op::delay, no_measure, 3, 4, "eeen", "DELAY(e, delay, history[, id])",
     "e at TIME - delay; history where that is before 0; e at rest (statics)",
     "A negative delay counts as 0. Interpolates accepted values; inside the present step also the present "
     "value."},

    // ---- kinematic measures
    measure_row("DX", Measure::dx, 1, 3, "ijk", "DX(i[, j][, k])", "(R_i - R_j) . x_k", "Displacement."),
    measure_row("DY", Measure::dy, 1, 3, "ijk", "DY(i[, j][, k])", "(R_i - R_j) . y_k", "Displacement."),
    measure_row("DZ", Measure::dz, 1, 3, "ijk", "DZ(i[, j][, k])", "(R_i - R_j) . z_k", "Displacement."),
    measure_row("DM", Measure::dm, 1, 2, "ij", "DM(i[, j])", "|R_i - R_j|", "Distance; no derivative at 0."),
    measure_row("AX", Measure::ax, 1, 2, "ij", "AX(i[, j])", "atan2(-z_i . y_j, z_i . z_j)", angle_help),
    measure_row("AY", Measure::ay, 1, 2, "ij", "AY(i[, j])", "atan2(z_i . x_j, z_i . z_j)", angle_help),
    measure_row("AZ", Measure::az, 1, 2, "ij", "AZ(i[, j])", "atan2(x_i . y_j, x_i . x_j)", angle_help),
    measure_row("PSI", Measure::psi, 1, 2, "ij", "PSI(i[, j])", "atan2(A13, -A23)", euler_help),
    measure_row("THETA", Measure::theta, 1, 2, "ij", "THETA(i[, j])", "acos A33", euler_help),
    measure_row("PHI", Measure::phi, 1, 2, "ij", "PHI(i[, j])", "atan2(A31, A32)", euler_help),
    measure_row("YAW", Measure::yaw, 1, 2, "ij", "YAW(i[, j])", "atan2(A21, A11)", "Body 3-2-1 angle."),
    measure_row("PITCH", Measure::pitch, 1, 2, "ij", "PITCH(i[, j])", "asin A31",
                "Minus the second body 3-2-1 angle."),
    measure_row("ROLL", Measure::roll, 1, 2, "ij", "ROLL(i[, j])", "atan2(A32, A33)", "Body 3-2-1 angle."),
    measure_row("INCANG", Measure::incang, 3, 3, "ijk", "INCANG(i, j, k)",
                "angle at J between the lines J-I and J-K, 0..PI",
                "Not defined where J coincides with I or K."),
    measure_row("VX", Measure::vx, 1, 4, "ijkl", "VX(i[, j][, k][, l])", "d/dt(R_i - R_j) . x_k",
                velocity_help),
    measure_row("VY", Measure::vy, 1, 4, "ijkl", "VY(i[, j][, k][, l])", "d/dt(R_i - R_j) . y_k",
                velocity_help),
    measure_row("VZ", Measure::vz, 1, 4, "ijkl", "VZ(i[, j][, k][, l])", "d/dt(R_i - R_j) . z_k",
                velocity_help),
    measure_row("VM", Measure::vm, 1, 3, "ijl", "VM(i[, j][, l])", "|d/dt(R_i - R_j)|",
                "No derivative at 0."),
    measure_row("VR", Measure::vr, 1, 3, "ijl", "VR(i[, j][, l])", "d/dt |R_i - R_j|",
                "Positive while separating; not defined where the markers coincide."),
    measure_row("WX", Measure::wx, 1, 3, "ijk", "WX(i[, j][, k])", "(w_i - w_j) . x_k", "Angular velocity."),
    measure_row("WY", Measure::wy, 1, 3, "ijk", "WY(i[, j][, k])", "(w_i - w_j) . y_k", "Angular velocity."),
    measure_row("WZ", Measure::wz, 1, 3, "ijk", "WZ(i[, j][, k])", "(w_i - w_j) . z_k", "Angular velocity."),
    measure_row("WM", Measure::wm, 1, 2, "ij", "WM(i[, j])", "|w_i - w_j|", "No derivative at 0."),
    measure_row("ACCX", Measure::accx, 1, 4, "ijkl", "ACCX(i[, j][, k][, l])", "d2/dt2(R_i - R_j) . x_k",
                acceleration_help),
    measure_row("ACCY", Measure::accy, 1, 4, "ijkl", "ACCY(i[, j][, k][, l])", "d2/dt2(R_i - R_j) . y_k",
                acceleration_help),
    measure_row("ACCZ", Measure::accz, 1, 4, "ijkl", "ACCZ(i[, j][, k][, l])", "d2/dt2(R_i - R_j) . z_k",
                acceleration_help),
    measure_row("ACCM", Measure::accm, 1, 3, "ijl", "ACCM(i[, j][, l])", "|d2/dt2(R_i - R_j)|",
                "No derivative at 0."),
    measure_row("WDTX", Measure::wdtx, 1, 4, "ijkl", "WDTX(i[, j][, k][, l])", "d/dt(w_i - w_j) . x_k",
                acceleration_help),
    measure_row("WDTY", Measure::wdty, 1, 4, "ijkl", "WDTY(i[, j][, k][, l])", "d/dt(w_i - w_j) . y_k",
                acceleration_help),
    measure_row("WDTZ", Measure::wdtz, 1, 4, "ijkl", "WDTZ(i[, j][, k][, l])", "d/dt(w_i - w_j) . z_k",
                acceleration_help),
    measure_row("WDTM", Measure::wdtm, 1, 3, "ijl", "WDTM(i[, j][, l])", "|d/dt(w_i - w_j)|",
                "No derivative at 0."),
    vector_row("DXYZ", Measure::dx, 3, "ijk", "DXYZ(i[, j][, k])", "[DX, DY, DZ](i, j, k)"),
    vector_row("VXYZ", Measure::vx, 4, "ijkl", "VXYZ(i[, j][, k][, l])", "[VX, VY, VZ](i, j, k, l)"),
    vector_row("WXYZ", Measure::wx, 3, "ijk", "WXYZ(i[, j][, k])", "[WX, WY, WZ](i, j, k)"),
    vector_row("ACCXYZ", Measure::accx, 4, "ijkl", "ACCXYZ(i[, j][, k][, l])",
               "[ACCX, ACCY, ACCZ](i, j, k, l)"),
    vector_row("WDTXYZ", Measure::wdtx, 4, "ijkl", "WDTXYZ(i[, j][, k][, l])",
               "[WDTX, WDTY, WDTZ](i, j, k, l)"),
    axis_row("UVX", Measure::uvx, "UVX(i[, j])", "x axis of i in components along the axes of j"),
    axis_row("UVY", Measure::uvy, "UVY(i[, j])", "y axis of i in components along the axes of j"),
    axis_row("UVZ", Measure::uvz, "UVZ(i[, j])", "z axis of i in components along the axes of j"),
    {"ORIENT", K::orientation, no_op, Measure::euler_parameter, 3, 4, "nnij", "ORIENT(s, c, i[, j])",
     "component c of the orientation of i in j, in system s: 11 PSI, THETA, PHI; 25 AX, AY, AZ; 26 YAW, "
     "PITCH, ROLL; "
     "27 Euler parameters e_0..e_3; 28 Rodrigues parameters e_k/e_0; 29 direction cosines, those of x_i with "
     "the axes of j, then y_i, z_i",
     "Other systems are refused. The Euler parameters are those of PSI, THETA, PHI: e_0 = cos(THETA/2) "
     "cos((PSI + PHI)/2) may be negative."},

    // ---- forces
    force_row("FX", 3, "FX(i[, j][, k])", "force along x_k"),
    force_row("FY", 3, "FY(i[, j][, k])", "force along y_k"),
    force_row("FZ", 3, "FZ(i[, j][, k])", "force along z_k"),
    force_row("FM", 2, "FM(i[, j])", "magnitude of the force"),
    force_row("TX", 3, "TX(i[, j][, k])", "torque along x_k"),
    force_row("TY", 3, "TY(i[, j][, k])", "torque along y_k"),
    force_row("TZ", 3, "TZ(i[, j][, k])", "torque along z_k"),
    force_row("TM", 2, "TM(i[, j])", "magnitude of the torque"),
    force_row("FXYZ", 3, "FXYZ(i[, j][, k])", "[FX, FY, FZ](i, j, k)"),
    force_row("TXYZ", 3, "TXYZ(i[, j][, k])", "[TX, TY, TZ](i, j, k)"),
    element_row("JOINT", "JOINT(id, jflag, comp, rm)", "reaction of a joint"),
    element_row("JPRIM", "JPRIM(id, jflag, comp, rm)", "reaction of a joint primitive"),
    element_row("MOTION", "MOTION(id, jflag, comp, rm)", "force of a motion"),
    element_row("SFORCE", "SFORCE(id, jflag, comp, rm)", "force of an SFORCE"),
    element_row("VFORCE", "VFORCE(id, jflag, comp, rm)", "force of a VFORCE"),
    element_row("VTORQ", "VTORQ(id, jflag, comp, rm)", "torque of a VTORQUE"),
    element_row("GFORCE", "GFORCE(id, jflag, comp, rm)", "force of a GFORCE"),
    element_row("BUSH", "BUSH(id, jflag, comp, rm)", "force of a BUSHING"),
    element_row("BEAM", "BEAM(id, jflag, comp, rm)", "force of a BEAM"),
    element_row("FIELD", "FIELD(id, jflag, comp, rm)", "force of a FIELD"),
    element_row("SPDP", "SPDP(id, jflag, comp, rm)", "force of a SPRINGDAMPER"),
    element_row("PTCV", "PTCV(id, jflag, comp, rm)",
                "reaction of a point-on-curve constraint; jflag 1: curve"),
    element_row("CVCV", "CVCV(id, jflag, comp, rm)", "reaction of a curve-on-curve constraint"),
    element_row("CONTACT", "CONTACT(id, jflag, comp, rm)",
                "force of a CONTACT, all places together; torques about the centre of mass of the body"),
    system_row(
        "FRICTION", 4, 4, "n", "FRICTION(id, jflag, comp, rm)", "friction force of a joint",
        "comp as for JOINT; 9 coefficient, 10 slip velocity (with signs where the joint slips one way), "
        "11 regime (0 may stick, 1 between, 2 slides), from 12 on creep or deflection of the bristles."),
    system_row("NFORCE", 4, 4, "n", "NFORCE(id, marker, comp, rm)", "force of an NFORCE at a marker",
               "comp as for JOINT."),

    // ---- other elements
    system_row("VARVAL", 1, 1, "n", "VARVAL(id)", "value of VARIABLE/id", ""),
    system_row("ARYVAL", 2, 2, "n", "ARYVAL(id, comp)", "component of ARRAY/id, counted from 1", ""),
    system_row("DIF", 1, 1, "n", "DIF(id)", "state of DIFF/id", ""),
    system_row("DIF1", 1, 1, "n", "DIF1(id)", "time derivative of the state of DIFF/id", ""),
    system_row("PINVAL", 2, 2, "n", "PINVAL(id, comp)", "component of PINPUT/id, counted from 1", ""),
    system_row("POUVAL", 2, 2, "n", "POUVAL(id, comp)", "component of POUTPUT/id, counted from 1", ""),
    system_row("Q", 2, 2, "n", "Q(id, mode)", "modal coordinate of FLEX_BODY/id",
               "mode is its number in the file of the body."),
    system_row("QDOT", 2, 2, "n", "QDOT(id, mode)", "its rate", ""),
    system_row("QDDOT", 2, 2, "n", "QDDOT(id, mode)", "its second derivative", ""),
    system_row("SENVAL", 1, 1, "n", "SENVAL(id)",
               "what SENSOR/id evaluated when it last became active, 0 before", ""),
    system_row("CURVE", 4, 4, "ennn", "CURVE(alpha, iord, comp, id)",
               "coordinate comp of CURVE/id, or its derivative iord", "comp 1 x, 2 y, 3 z."),
    refused(system_row("FXFREQ", 0, 0, "n", "FXFREQ", "frequency of a flexible body's mode",
                       "Only in the damping of a flexible body.")),
    refused(system_row("FXMODE", 0, 0, "n", "FXMODE", "number of a flexible body's mode",
                       "Only in the damping of a flexible body.")),
    refused(system_row("USER", 1, 30, "c", "USER(r1[, ..., r30])", "value of a user subroutine",
                       "Works as the whole FUNCTION of a force, VARIABLE, DIFF, REQUEST or SENSOR "
                       "(docs/user_subroutines.md), "
                       "refused as a part of an expression.")),
};

constexpr ParameterRule rules[] = {
    {ParameterRule::less, Op::step, 1, 3, "x0 must be less than x1"},
    {ParameterRule::less, Op::step5, 1, 3, "x0 must be less than x1"},
    {ParameterRule::less, Op::havsin, 1, 3, "x0 must be less than x1"},
    {ParameterRule::less, Op::sweep, 2, 4, "x0 must be less than x1"},
    {ParameterRule::positive, Op::sweep, 6, 0, "the start-up length dx must be positive"},
    {ParameterRule::not_negative, Op::impact, 3, 0, "the stiffness k must not be negative"},
    {ParameterRule::positive, Op::impact, 4, 0, "the exponent e must be positive"},
    {ParameterRule::not_negative, Op::impact, 5, 0, "the damping cmax must not be negative"},
    {ParameterRule::positive, Op::impact, 6, 0, "the penetration d must be positive"},
    {ParameterRule::less, Op::bistop, 2, 3, "x1 must be less than x2"},
    {ParameterRule::not_negative, Op::bistop, 4, 0, "the stiffness k must not be negative"},
    {ParameterRule::positive, Op::bistop, 5, 0, "the exponent e must be positive"},
    {ParameterRule::not_negative, Op::bistop, 6, 0, "the damping cmax must not be negative"},
    {ParameterRule::positive, Op::bistop, 7, 0, "the penetration d must be positive"},
    {ParameterRule::less, Op::invpsd, 2, 3, "f0 must be less than f1"},
    {ParameterRule::not_negative, Op::invpsd, 2, 0, "f0 must not be negative"},
    {ParameterRule::positive, Op::invpsd, 4, 0, "nf must be positive"},
};

}  // namespace

std::span<const Builtin> builtins() {
  return table;
}
std::span<const ParameterRule> parameter_rules() {
  return rules;
}

const Builtin* find_builtin(std::string_view name) {
  for (const Builtin& row : table)
    if (row.name == name) return &row;
  return nullptr;
}

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> names{"TIME", "MODE", "PI", "RTOD", "DTOR", "IF"};
  for (const Builtin& row : table) names.push_back(row.name);
  return names;
}

namespace {

/// A chapter and its first function; the table is in the order of chapters.
struct Chapter {
  std::string_view first, title;
};

constexpr Chapter chapters[] = {
    {"ABS", "Mathematical functions"}, {"BISTOP", "General functions"},
    {"AKISPL", "Splines and memory"},  {"DX", "Displacements, velocities, accelerations"},
    {"FX", "Functions of forces"},     {"VARVAL", "Values of other elements"},
};

constexpr std::string_view table_head = "| function | value | notes |\n|---|---|---|\n";

std::string in_table(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

}  // namespace

std::string function_reference() {
  std::string text = "### Constants, time, choice\n\n";
  text += table_head;
  text +=
      "| `TIME`, `MODE` | time; 1 kinematics, 3 initial conditions, 4 dynamics, 5 statics, 6 quasi-statics, "
      "7 linear | |\n";
  text += "| `PI`, `RTOD`, `DTOR` | π, 180/π, π/180 | |\n";
  text +=
      "| `IF(e: a, b, c)` | a if e < 0, b if e = 0, c if e > 0 | Only the chosen one is evaluated; jumps are "
      "not located in time. |\n";
  for (const Builtin& row : table) {
    for (const Chapter& chapter : chapters)
      if (chapter.first == row.name) text += fmt::format("\n### {}\n\n{}", chapter.title, table_head);
    text += fmt::format("| `{}` | {} | {}{}{} |\n", row.signature, in_table(row.formula),
                        row.supported ? "" : "**refused**", row.supported || row.help.empty() ? "" : ". ",
                        in_table(row.help));
  }
  return text;
}

}  // namespace trammel
