// What the equations of one configuration are computed from and into: plain pointers, on the processor or on
// a device. What all kinds of elements read is here; what one kind has for itself is in its pool's table
// (pools/). Functions work on one body, element or scalar; loops over them are the assembler's, or a
// device's.
#pragma once

#include "expression/evaluate.h"
#include "expression/marker_kinematics.h"
#include "model/body_block.h"
#include "model/plain.h"

namespace trammel {

/// How the variation of the unknown Δ of one analysis enters positions, velocities and accelerations:
///   δq = c Δ, δq̇ = b Δ, δq̈ = a Δ;  differential scalars δX = state Δ, δẊ = rate Δ.
struct Coefficients {
  double a = 1, b = 0, c = 0;
  double state = 0, rate = 1;
  bool settling = false;  ///< quasi-static modes follow loads: δq = settling Δ, theory.md (66c)
  /// Δ is a change of q̈ and Ẋ alone: initial accelerations.
  TRAMMEL_HD static constexpr Coefficients of_accelerations() { return {.settling = true}; }
  bool operator==(const Coefficients&) const = default;
};

/// Kinematics of one body, global axes. Point masses: A constant, w = alpha = 0, H unused. H of planar
/// bodies: body_motion.h.
struct BodyKinematics {
  Vec3d x, v, a;  ///< centre of mass
  Mat3d A;        ///< body axes in global axes
  Mat3d H;        ///< ω = H ε̇,  α = H ε̈ + Ḣ ε̇
  Vec3d w, alpha;
};

/// Variations of a body: δθ = P Δε, δω = V Δε, δα = Q Δε (3×3, global axes).
struct BodyVariation {
  Mat3d P, V, Q;
};

/// Motion of a node relative to the frame of its flexible body, global axes.
struct NodeMotion {
  Vec3d v, w;      ///< A u̇ and A T ϑ̇
  Vec3d a, alpha;  ///< A ü and A d(Tϑ̇)/dt
  Vec3d turn;      ///< ϑ, body axes
  Mat3d turning;   ///< A T(ϑ)
};
/// ∂(Tϑ̇)/∂ϑ, ∂(d(Tϑ̇)/dt)/∂ϑ and ∂(d(Tϑ̇)/dt)/∂ϑ̇ of a node.
struct SpinDerivatives {
  Mat3d spin, rate, rate_by_rate;
};
/// Displacement Aφ_j and rotation A T φ*_j of a node by a modal coordinate, global axes.
struct ModeShape {
  Vec3d r, turn;
};
/// Variation of a marker at a node by the unknown Δ of a modal coordinate, global axes: δr δθ δv δω δa δα.
struct ModeVariation {
  Vec3d by[6];
};

/// A marker of a moving body and how deep it is wanted: 0 position, 1 pose, 2 velocities, 3 accelerations.
struct WantedMarker {
  int marker, level;
};

/// Where a body's coordinates are: packed, for loops over all bodies.
struct BodyPlace : BodyBlock {
  /// Of a body without mass its moment of inertia J, half of the trace of its inertia about the centre of
  /// mass: its forces are measured as moments.
  double mass = 0;
  double height = 0;     ///< of the plane of a planar body above the origin
  int quasi_static = 0;  ///< number of modal coordinates without inertia, which are the last ones
  int frame = 0;         ///< of modes the body that is their frame, of a body itself
  double gyration = 0;   ///< radius √(J/m); of a body without mass 1
  int weighing_end = 0;  ///< of the translations that have mass, or of modes with inertia
  TRAMMEL_HD int moving_end() const { return angles() - quasi_static; }
};

/// What every evaluation reads of a Body.
struct BodyInertia : BodyBlock {
  bool coupled;  ///< has entries between all of x and ε, for initial positions or velocities
  double mass;
  Mat3d inertia;
};

/// A wrench that acts on a body: where its F, T are in `wrench`, and the marker on which it acts.
struct BodyWrench {
  int at, marker;
};

/// The equation of a Scalar. `wrench`: of a force output the index of its number in `wrench`; of a modal
/// output the coordinate, and then `result` is the order of its derivative in time.
struct ScalarItem {
  ScalarKind kind;
  int tape, result, wrench;
  TRAMMEL_HD bool differential() const { return has_rate(kind); }
};

/// A tape, and the numbers of the markers, scalars (states, rates) and angles that it reads.
struct TapeItem {
  TapeView view;
  const TapeMarker* markers;
  const int *states, *rates, *angles;
  int n_angles;
};

/// Room for one run of a tape: one for each marker, state, rate and angle of the tape, and two for each
/// instruction.
struct TapeScratch {
  MarkerKinematics<double>* markers;
  double *states, *rates, *angles, *registers, *adjoints;
};

/// The state that an evaluation reads; see State.
struct StateView {
  const double *q, *v, *a, *lambda, *s, *sdot;
  const OrientationBasis* basis;
  const double *angle, *offset;
};

/// Numbers of an evaluation that are not arrays.
struct EvaluationPoint {
  double t;
  int mode;  ///< AnalysisMode as the function MODE gives it
  Coefficients c;
};

/// Tables that never change, named as in the model.
struct AssemblyTables {
  int bodies, coordinates, multipliers, scalars;
  Vec3d gravity;
  const BodyPlace* place;
  const BodyInertia* inertia;
  const Marker* marker;
  int nodes;                      ///< number of nodes of flexible bodies at which markers are
  const FlexiblePlace* flexible;  ///< per flexible body
  const NodePlace* node;
  const double* node_shape;  ///< 6 per mode of each node: φ, φ* in body axes
  const double* settling;    ///< per coordinate, of quasi-static modes; null: there are none
  const ScalarItem* scalar;
  const TapeItem* tape;
  TapeTables tape_tables;
  const int* gradient_of;        ///< per marker of wrench elements: number of its node gradient, −1: none
  const int* force_output;       ///< per wrench element: its first force output among the scalars, −1: none
  const int* body_wrench_start;  ///< bodies + 1: into body_wrench
  const BodyWrench* body_wrench;
  TRAMMEL_HD int first_scalar() const { return coordinates + multipliers; }
};

/// A matrix value that several entries of the tangent make, and its slots [first, last).
struct SharedValue {
  int value, first, last;
};

/// What evaluations write.
struct AssemblyArrays {
  BodyKinematics* body;
  double* cos_theta;  ///< per body, 0 where it has no 3-1-3 angles
  BodyVariation* variation;
  MarkerKinematics<double>* marker;
  NodeMotion* node;               ///< per node
  SpinDerivatives* node_spin;     ///< per node, global axes
  ModeShape* mode_shape;          ///< per mode of each node
  ModeVariation* mode_variation;  ///< per mode of each node
  Vec3d* arm;                     ///< of a marker from its body's centre of mass, global axes
  double* tape_value;             ///< [3 k + r]: result r of tape k
  /// F_I T_I F_J T_J per wrench element, F T per marker of general constraints; global axes
  double* wrench;
  Vec3d *body_force, *body_moment;  ///< applied and constraint wrench about the centre of mass, global axes
  const unsigned char* masked;      ///< per multiplier: held at zero
  double* node_gradient;            ///< 6 × 18 each: of the wrench on a marker at a node, by its motion
  const double* modal_block;        ///< what node_gradient adds to the blocks of modes (modal_products.h)
};

struct AssemblyView {
  AssemblyTables table;
  AssemblyArrays array;
  StateView state;
  const EvaluationPoint* point;
};

TRAMMEL_HD inline Vec3d load(const double* p) {
  return {p[0], p[1], p[2]};
}

}  // namespace trammel
