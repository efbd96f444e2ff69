#include "advice/rules.h"

namespace trammel {

namespace {

using namespace advice;

constexpr AdviceRule table[] = {
    {"discontinuity", "8.3: 1, 5a, 6a",
     "ABS, MIN, MAX, DIM, MOD, SIGN, AINT, ANINT and IF that have a corner or jump within what their "
     "arguments "
     "can be, in what forces, motions, GCON, DIFF, LSE and TFSISO read, also through VARIABLE and ARRAY; not "
     "a "
     "corner that a power above 1 or a factor takes away, or that lies where STEP is constant",
     "At a corner or jump the integrator rejects steps, falls back to small ones and low order, and what it "
     "passes over is wrong.",
     "Use STEP5 or another smooth function over a width that the model can resolve.", discontinuity},
    {"division", "8.3: Miscellaneous c",
     "`/` whose denominator, and `**` below 0 whose base, can be 0 as far as bounds of TIME, constants and "
     "measures "
     "tell; not a distance that is above 1e-3 of the model's size at the start",
     "A division by zero ends the run, and near zero the function and its derivatives are huge.",
     "Add a small square, `x/(y**2+e**2)`, or choose a form that stays away from 0; MAX would bring a "
     "corner.",
     division},
    {"domain", "8.3: Miscellaneous c",
     "SQRT, LOG, LOG10, ASIN and ACOS whose argument at the start is within 1e-9 of its terms from where "
     "they "
     "end",
     "The slope is infinite there, and rounding alone can carry the argument outside, which ends the run.",
     "Keep the argument inside by a small constant, or use ATAN2, which is defined everywhere.", domain},
    {"motion-spline", "8.3: 1, 5b, 5c", "CUBSPL and CURVE in a MOTION of displacement",
     "A cubic spline has two continuous derivatives, so that the acceleration has corners and its rate "
     "jumps.",
     "Give the MOTION as VELOCITY with the spline of the velocity, which gains one order of smoothness.",
     motion_spline},
    {"motion-akima", "8.3: 5b, 5e", "AKISPL in a MOTION",
     "The second derivative of an Akima spline jumps at each point, which a displacement makes a jump of "
     "force.",
     "Use CUBSPL, best at the level of velocities; AKISPL is for forces.", motion_akima},
    {"motion-ramp", "8.3: 1, 5a", "STEP and HAVSIN in a MOTION of displacement",
     "Their second derivative jumps at both ends, so that accelerations and reactions jump.",
     "Use STEP5, whose acceleration is continuous, or give the ramp as VELOCITY.", motion_ramp},
    {"motion-state", "8.3: 5d",
     "measures, forces and states in what a MOTION reads, also through VARIABLE, ARRAY and DIFF",
     "A constraint that depends on the motion it makes is stiff, and its derivatives in time hold forces.",
     "Drive by a function of TIME, couple by COUPLER, GEAR or GCON, or use a force.", motion_state},
    {"velocity-frame", "8.3: 6c",
     "VX, VY, VZ, VXYZ without the fourth marker and VM without the third, where marker J is on a part that "
     "may "
     "turn",
     "The rate is taken in ground, so that turning of the part counts as velocity and is damped.",
     "Name the frame of the time derivatives, as a rule marker J again: `VX(12,25,25,25)`.", velocity_frame},
    {"damping-sign", "8.3: Debugging g",
     "SFORCE, VFORCE, VTORQUE, GFORCE: the derivative, at the start, by the velocity along which a component "
     "acts",
     "A force that grows with the velocity along which it acts feeds energy in, as damping with a wrong sign "
     "does.",
     "Turn the sign of the term in the velocity, unless it drives the model on purpose.", damping_sign},
    {"contact-exponent", "8.3: Miscellaneous g", "IMPACT, BISTOP and CONTACT with an exponent of 1 or below",
     "The force has a corner where the contact begins.",
     "Use an exponent of 1.5 to 2.2; the stiffness must be chosen anew, since its unit changes.",
     contact_exponent},
    {"contact-depth", "8.3: 7g",
     "IMPACT and BISTOP of lengths, CONTACT: a depth of full damping below 0.1 mm (in a small model, 1e-3 of "
     "its "
     "size) or "
     "above the size of the model",
     "Over a short depth the damping is a jump that forces extremely small steps; over a long one it never "
     "acts.",
     "Give a depth of a tenth to a thousandth of the bodies in contact, at least 0.1 mm.", contact_depth},
    {"contact-velocity", "8.3: 6c, Debugging g",
     "IMPACT and BISTOP of DX, DY, DZ, DM, AX, AY or AZ with another velocity than VX, VY, VZ, VR, WX, WY or "
     "WZ of the "
     "same markers and axis",
     "Damping by another velocity than that of the approach feeds energy in or brakes what should slide.",
     "Give the velocity that belongs to the first argument: VZ(i,j,k,k) to DZ(i,j,k), VR(i,j) to DM(i,j).",
     contact_velocity},
    {"contact-steps", "8.3: 7d",
     "models with IMPACT or BISTOP and no HMAX, if the output step is above 0.01 s",
     "A step may pass over a short contact as if it had not been.",
     "Give INTEGRATOR/HMAX=0.01 s to begin with, and 0.001 s if there are problems.", contact_steps},
    {"contact-start", "8.3: 7e, Integrators b; 8.1: c",
     "IMPACT or BISTOP with a force at the start and no HINIT",
     "A force that acts at once makes the first steps fail.",
     "Give a small INTEGRATOR/HINIT, 1E-7 s for instance; steps grow quickly where it is not needed.",
     contact_start},
    {"ramp-width", "8.3: 1",
     "STEP, STEP5, HAVSIN that run backwards, or over less than 1e-6 of what their argument runs over: of "
     "the "
     "simulations, the model's size, a radian, or these by the time of the simulations",
     "A ramp that no step resolves is a jump.", "Make the ramp as wide as the process that it stands for.",
     ramp_width},
    {"spline-range", "8.3: Miscellaneous b",
     "AKISPL and CUBSPL whose argument runs outside the data: by its bounds if these are known (TIME), else "
     "at "
     "the start; not with LINEAR_EXTRAPOLATE",
     "Outside the data a parabola through the last points goes on, which soon is far from what was measured.",
     "Extend the data beyond what is needed, or give LINEAR_EXTRAPOLATE.", spline_range},
    {"spline-data", "8.3: 1, 5f, 6b",
     "SPLINE with less than 5 points that are not on a straight line, with intervals that differ by more "
     "than "
     "1e3, or with a tenth of the change in less than 1e-3 of the range; CURVE with ORDER=2",
     "A spline overshoots beside steps and short intervals, and corners of straight lines cut steps.",
     "Spread points evenly and smooth the data before they become a SPLINE.", spline_data},
    {"small-mass", "8.3: 3b, 3d",
     "masses above 0 but below 1e-6 of the median, or below both 1e-3 of the median and 1e-7 of the largest",
     "Force by a tiny mass is a huge acceleration, at frequencies that the steps must follow.",
     "Add the mass to a neighbour, or hold the part completely by joints and give it no mass.", small_mass},
    {"small-inertia", "8.3: 3b",
     "moments of inertia of which the largest is below 1e-6 of mass times arm squared (of the markers that "
     "elements act on), or the least below 1e-6 of the largest",
     "A part that resists turning so little spins up at frequencies that the steps must follow.",
     "Give the moments that the part's shape has, or a POINT_MASS where turning does not matter.",
     small_inertia},
    {"dummy-part", "8.3: 3b, 3c",
     "parts without mass, or with a small one, on SPRINGDAMPER, BUSHING, BEAM, FIELD or NFORCE, with less "
     "equations of joints than freedoms",
     "An elastic force on a part without mass has nothing to accelerate: the equations are singular or "
     "stiff.",
     "Join the elastic element to the part behind it, or hold the part completely by joints.", dummy_part},
    {"redundant", "8.3: 4", "the redundant equations that the initial conditions find",
     "Which of them is dropped is arbitrary, and so are the reactions.",
     "Replace the joint by one that holds less; how the others share the load then follows.", redundant},
    {"gravity-unit", "8.3: 2", "ACCGRAV against UNITS: 9.80665 m/s^2 times a power of ten, to 0.5 per cent",
     "Weights that are wrong by powers of ten make everything else wrong.",
     "Give the acceleration in the length unit of the deck: 9806.65 in millimetres.", gravity_unit},
    {"length-unit", "8.3: 2a", "coordinates of markers at the start: up to 1e6 and more, or 1e-6 and less",
     "Large coordinates leave few digits to small motions, and tolerances of lengths do not fit.",
     "Choose a unit of length in which the model measures 1 to 1000.", length_unit},
    {"time-unit", "8.3: 2b", "all simulations together: 1e-3 and shorter, or 1e7 and longer",
     "Velocities and accelerations are then powers of ten apart from lengths.",
     "Choose the unit of time by the event: MILLISECONDS for an impact.", time_unit},
    {"force-unit", "8.3: 2", "the largest force or weight at the start: 1e9 and above, or 1e-9 and below",
     "Entries of the equations are then powers of ten apart, and corrections lose digits.",
     "Choose a unit of force in which forces measure 1e-3 to 1e6.", force_unit},
    {"extreme-number", "8.3: Miscellaneous a",
     "masses, inertias, stiffness, damping, and numbers in expressions: 1e15 and above, or 1e-15 and below "
     "but "
     "not 0",
     "Such numbers come from units that do not fit or from a trick, and make matrices nearly singular.",
     "Choose fitting units; for \"rigid\" use a joint, for \"none\" 0.", extreme_number},
    {"stiffness-spread", "8.3: 2, Miscellaneous a",
     "K, C, KT, CT of SPRINGDAMPER and BUSHING that differ by more than 1e10",
     "Beside the stiffest element the softest is lost in rounding, and the stiffest sets the steps.",
     "Replace what is nearly rigid by a joint, and leave out what is nearly nothing.", stiffness_spread},
    {"overdamped", "8.3: Miscellaneous e",
     "C above 100 times 2 SQRT(K m) of SPRINGDAMPER and BUSHING, m of both parts against each other; CT "
     "alike, "
     "with the largest moments of inertia",
     "The quick decay is hard to follow, and what remains creeps.",
     "Check the unit of C; a part of critical damping of 0.01 to 1 is usual.", overdamped},
    {"no-damping", "8.3: Miscellaneous d",
     "models with elastic elements and freedoms in which no force depends on a velocity",
     "Vibrations of high frequency never die off, and steps stay small for them.",
     "Add the moderate damping that each real part has, C or CRATIO, unless the model is a test without it.",
     no_damping},
    {"short-event", "8.3: Integrators d; 8.1: d2",
     "STEP, STEP5, HAVSIN and IF of TIME that begin and end within less than HMAX (if not given, the output "
     "step)",
     "A step may pass over the event as if it had not been.",
     "Give an HMAX below the length of the event, or end a simulation where it begins.", short_event},
    {"fast-wave", "8.3: Integrators d",
     "SIN, COS, SHF, FORCOS, FORSIN, SWEEP of TIME with a period below HMAX (if not given, the output step)",
     "A step may pass over a whole period, and the output shows a frequency that is not there.",
     "Give an HMAX of a tenth of the period, and an output step to match; check the unit of the frequency.",
     fast_wave},
    {"fast-mode", "8.3: Integrators d",
     "modes of FLEX_BODY with a period below HMAX (if not given, the output step) and less than half of "
     "critical damping",
     "What shakes such a mode makes the steps follow it, or, with a method that damps, is lost.",
     "Leave modes that the motion does not shake out by MODES_OFF, damp them by CRATIO, or give an HMAX of a "
     "tenth of the period.",
     fast_mode},
    {"tolerance", "8.1: e", "ERROR above 1e-2 or below 1e-13",
     "Too loose, results drift or the run fails; too tight, steps shrink until rounding decides.",
     "Begin with 1E-3 to 1E-5, and tighten by 10 until results stay.", tolerance},
    {"pattern", "8.1: h", "a PATTERN without F",
     "A new Jacobian in each iteration costs most of the run, and is seldom needed.",
     "Leave PATTERN out, or give PATTERN=F.", pattern},
};

}  // namespace

Range Subject::time_of(const std::vector<SimulationSpan>& simulations) {
  if (simulations.empty()) return {0, std::numeric_limits<double>::infinity()};
  return {simulations.front().begin, simulations.back().end};
}

double Subject::duration() const {
  const Range time = time_of(simulations);
  return time.bounded() ? time.width() : 0;
}

std::span<const AdviceRule> advice_rules() {
  return table;
}

std::vector<RuleFindings> advise(const Subject& subject) {
  std::vector<RuleFindings> list;
  for (const AdviceRule& rule : table) {
    RuleFindings found{&rule, {}};
    rule.find(subject, found.findings);
    if (found.findings.count > 0) list.push_back(std::move(found));
  }
  return list;
}

std::string rules_text() {
  std::string text;
  for (const AdviceRule& r : table)
    text += fmt::format("{}### {}\n\n- **looks at** {} (primer, {})\n- **why** {}\n- **mend** {}\n",
                        text.empty() ? "" : "\n", r.name, r.looks_at, r.source, r.why, r.mend);
  return text;
}

}  // namespace trammel
