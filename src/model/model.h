// The compiled model: immutable tables, resolved from a Description. No names are looked up after this.
//
// Unknowns, in this order:
//   coordinates  [0, coordinates)                   per body x, y, z of its centre of mass (global axes),
//                                                   then 3-1-3 angles of its frame (rigid bodies); of planar
//                                                   bodies x, y along the axes of the plane, and one angle;
//                                                   then the modal coordinates of flexible bodies
//   multipliers  [coordinates, + multipliers)       one per constraint row
//   scalars      [.., + scalars)                    VARIABLE, DIFF, motion states, force outputs
// Quantities are in the deck's units; mass and inertia are divided by the force consistency factor.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "element/applied_force.h"
#include "element/constraint_row.h"
#include "element/contact.h"
#include "element/curve_row.h"
#include "element/force_law.h"
#include "element/joint_types.h"
#include "element/multi_point_law.h"
#include "expression/tape.h"
#include "geometry/mesh_solid.h"
#include "geometry/planar_curve.h"
#include "model/body_block.h"
#include "model/element_name.h"
#include "model/initial_values.h"
#include "model/modal_numbers.h"
#include "model/plain.h"
#include "model/units.h"

namespace trammel {

/// A moving body. The body frame has its origin at the centre of mass and the axes of the part's own
/// frame (BCS); the z axis of a planar body is the normal of its plane.
struct Body : BodyBlock {
  ElementName name;
  double mass = 0;                  ///< mass / UCF
  Mat3d inertia;                    ///< about the centre of mass, body axes, / UCF
  Vec3d bcs;                        ///< origin of the BCS from the centre of mass, body axes
  int center_marker = 0;            ///< hidden marker at the centre of mass
  Mat3d cm_axes;                    ///< CM marker axes in body axes
  Mat3d plane = Mat3d::identity();  ///< axes of a planar body's plane in global axes, the third its normal
  double height = 0;                ///< of that plane above the origin, along the normal
};

/// FLEX_BODY.
struct FlexibleBody : ModalTables {
  ElementName name;
  std::string source;  ///< the file of its modes
};

/// When a constraint row holds; outside its phases its multiplier is 0 (unit diagonal).
enum Phase : unsigned {
  phase_position = 1,      ///< initial positions
  phase_velocity = 2,      ///< initial velocities
  phase_acceleration = 4,  ///< initial accelerations and reactions
  phase_dynamics = 8,      ///< every step
  phase_static = 64,       ///< equilibrium: rows that are linear in velocities say nothing there
  phase_all = 15 | phase_static,
  // Initial positions and velocities of a motion that begins: initial values of joints hold as well.
  phase_given_position = 16,
  phase_given_velocity = 32,
  phase_first_position = phase_position | phase_given_position,
  phase_first_velocity = phase_velocity | phase_given_velocity,
};

/// A number of an element that results show beside its wrench.
struct ShownValue {
  std::string name;
  bool velocity = false;
  int tape = -1, result = 0;  ///< an expression that nothing else reads,
  int scalar = -1;            ///< or a scalar; neither: 0, the element is not in force
};

/// What elements that put wrenches on markers have, unless they say otherwise:
///   for_ends(f)      f(marker) for I and J of each pair of markers, whose wrenches are 12 numbers F_I T_I
///                    F_J T_J
///   pairs()          how many pairs there are
///   part_marker(k)   where there are several: the marker that names the results of pair k
///   shown()          whether it is an entity of results
///   for_shown(f)     f(what) for each ShownValue beside its wrenches
///   for_tapes(f)     f(tape) for each tape that it alone reads
///   rate_tape()      of constraints: the tape whose derivatives in time their rows read, −1: none
struct WrenchElement {
  ElementName name;
  int pairs() const { return 1; }
  int part_marker(int) const { return -1; }
  bool shown() const { return true; }
  void for_tapes(auto) const {}
  void for_shown(auto) const {}
};
struct PairElement : WrenchElement {
  int I = 0, J = 0;  ///< markers
  void for_ends(auto f) const { f(I), f(J); }
};

/// JOINT, JPRIM, MOTION, PTCV, CVCV: rows between two markers. A motion subtracts f(t) or a scalar.
struct ConstraintElement : PairElement {
  int first_row = 0;  ///< index of its first multiplier (0-based among multipliers)
  int rows = 0;
  ConstraintRow row[6];
  std::string_view row_name[6];
  unsigned phases[6] = {phase_all, phase_all, phase_all, phase_all, phase_all, phase_all};
  int angle[6] = {-1, -1, -1, -1, -1, -1};     ///< revolution counter of angle rows
  int offset[6] = {-1, -1, -1, -1, -1, -1};    ///< State::offset taken from the assembled configuration
  double target[6] = {}, target_rate[6] = {};  ///< initial values (JOINT IC): φ − target, φ̇ − rate
  int tape = -1;                               ///< motion: index of its tape; f(t) at level `level`
  int level = 0;                               ///< 0 displacement, 1 velocity, 2 acceleration
  /// Scalar of a motion of level 1 or 2: its first state s (level 2: s, then ṡ); of level 0 whose f reads
  /// states: f; −1: none.
  int scalar = -1;
  bool has_icdisp = false;
  double icdisp = 0, icvel = 0;
  bool motion = false;
  int curves = -1;            ///< PTCV, CVCV: index in Model::curve_uses
  bool initial_only = false;  ///< a joint's initial value: not an element of its own in results
  Vec3d normal;  ///< of the plane in which I and J stay and which takes part of the reaction; else 0
  bool shown() const { return !initial_only; }
  int rate_tape() const { return motion ? tape : -1; }
  /// Where a motion follows a scalar, its tape belongs to the scalar.
  void for_tapes(auto f) const {
    if (tape >= 0 && scalar < 0) f(tape);
  }
};

/// GCON, COUPLER, GEAR: expression = 0; holonomic, or linear in velocities.
struct GeneralConstraint : WrenchElement {
  int row = 0;  ///< index of its multiplier
  int tape = 0;
  int reporting_marker = 0;  ///< I; of COUPLER and GEAR: I of the first joint
  bool pfaffian = false;
  unsigned phases = phase_all;
  int offset = -1;  ///< State::offset: the expression's value in the assembled configuration, −1: 0
  int rate_tape() const { return tape; }
  void for_ends(auto f) const { f(reporting_marker), f(reporting_marker); }
  void for_tapes(auto f) const { f(tape); }
};

/// SPRINGDAMPER, BUSHING, FIELD, BEAM.
struct Connector : PairElement {
  ForceLaw law;
  int angle = -1;  ///< first revolution counter of those that the law counts, −1: none
};

/// NFORCE and other forces on pairs of markers that depend on the motion of all of them.
struct MultiPointForce : WrenchElement {
  int law = 0;                     ///< which of MultiPointLaws
  std::vector<int> I, J;           ///< markers of its pairs
  std::vector<double> parameters;  ///< of the law
  int angle = 0, angles = 0;       ///< first of its revolution counters, how many
  int pairs() const { return static_cast<int>(I.size()); }
  int part_marker(int pair) const { return I[pair]; }
  void for_ends(auto f) const {
    for (int pair = 0; pair < pairs(); ++pair) f(I[pair]), f(J[pair]);
  }
};

/// CONTACT: I and J are at the centres of mass of both bodies, or ground; on a flexible body the marker, at a
/// node, to which its shapes are fixed.
struct ContactElement : PairElement {
  ContactLaw law;
  std::vector<PlacedShape> of_I, of_J;
  int creep = -1;  ///< STICTION: the first of three scalars for each pair of shapes
  std::vector<ShownValue> values;
  void for_shown(auto f) const {
    for (const ShownValue& value : values) f(value);
  }
};

/// CONTACT of many bodies: shapes in the order of their bodies. Every shape of IGEOM is held against every
/// shape of JGEOM on another body.
struct ContactGroup {
  struct Member {
    PlacedShape placed;
    int marker = 0;  ///< at the centre of mass of its body; on a flexible body its own at a node; or ground
    bool of_I = false, of_J = false;
  };
  ElementName name;
  ContactLaw law;
  std::vector<Member> shapes;
};
/// A moving body of a group: I is the marker of its shapes, J ground.
struct ContactMember : PairElement {
  int group = 0, first = 0, last = 0;  ///< its shapes [first, last) in the group
  bool shown() const { return false; }
};

/// SFORCE, VFORCE, VTORQUE, GFORCE, MFORCE, FRICTION. J of forces with components and of MFORCE: the
/// centre-of-mass marker of JFLOAT's body; I of MFORCE that of the frame.
struct ExpressionForce : PairElement {
  AppliedForce law;
  int RM = 0;
  int components[6] = {-1, -1, -1, -1, -1, -1};  ///< tape index per component, −1: zero
  int result[6] = {0, 0, 0, 0, 0, 0};            ///< which result of that tape
  int joint = -1;                                ///< FRICTION: in Model::constraint_elements
  double falls_beyond = 0, falls_until = 0;      ///< FRICTION: slips between which it falls; 0: it does not
  int flexible = -1;                             ///< MFORCE: in Model::flexible_bodies
  std::vector<double> load;        ///< MFORCE: force on each modal coordinate where its expression is 1
  std::vector<ShownValue> values;  ///< FRICTION: coefficient, velocity, regime, states; MFORCE: SCALE
  void for_shown(auto f) const {
    for (const ShownValue& value : values) f(value);
  }
  void for_tapes(auto f) const {
    for (const int tape : components)
      if (tape >= 0) f(tape);
  }
};

/// One scalar unknown and its equation.
struct Scalar {
  ElementName name;
  std::string part;  ///< which of several of its element: "X2" of an LSE; else ""
  ScalarKind kind = ScalarKind::variable;
  int tape = -1;
  int result = 0;
  bool static_hold = false;    ///< keeps its value in statics
  bool set_by_sensor = false;  ///< what SENVAL reads: constant until a sensor sets it
  bool differential() const { return has_rate(kind); }
  void for_tapes(auto f) const {
    if (tape >= 0) f(tape);
  }
  /// Of a state, above 0: errors that are small beside it are small, where a method holds velocities.
  double unit = 1;
  int element = -1;  ///< force_output: which pair of markers of all wrench elements; modal_output: coordinate
  int component = 0;  ///< force_output: 0..5 = FX..TZ on I, global axes; modal_output: 0..2 = q, q̇, q̈
};

/// A DELAY buffer.
struct Delay {
  int tape = 0;        ///< of its argument
  double longest = 0;  ///< how far it is ever looked back into; may be infinite
  int lag = -1;        ///< tape of the delay, −1: a constant
};

struct Request {
  ElementName name;
  int type = 5;                    ///< 1 displacement 2 velocity 3 acceleration 4 force 5 function
  int marker_i = 0, marker_j = 0;  ///< ids, for the request file
  std::string comment;
  std::vector<std::string> component_names;
  std::vector<int> tape;           ///< per component, −1: zero
  std::vector<int> slot;           ///< per component: 1..8, its place before CNAMES took any out
  std::vector<std::string> units;  ///< per component: CUNITS in lower case, or ""
};

/// SENSOR: acts when its expression f reaches a value V. See analysis/sensors.h.
struct Sensor {
  enum class Compare : unsigned char { equal, greater, less };
  ElementName name;
  int tape = -1;  ///< f
  Compare compare = Compare::equal;
  double value = 0, error = 0;  ///< V; how near f must be to it
  bool bisection = false;       ///< search the time by bisection
  bool halt = false, ends_command = false, print = false, codgen = false, restart = false;
  double output_step = 0, step_size = 0;  ///< DT, STEPSIZE; 0: not given
  int evaluate = -1;                      ///< tape of EVALUATE
  int scalar = -1;  ///< what SENVAL reads: a state without rate, set when the sensor acts
};

struct Model;

/// The scalars on which the derivatives in time of motions and general constraints depend, of those that are
/// explicit (Model::explicit_scalars()): VARIABLEs, each behind those that it reads, and states with a rate.
struct RateScalars {
  std::vector<int> variables, states;
};
RateScalars scalars_of_rates(const Model& model);

struct Model {
  std::string title;
  std::vector<Body> bodies;
  std::vector<FlexibleBody> flexible_bodies;
  int modal_coordinates = 0;  ///< of all flexible bodies: the last coordinates
  int first_modal() const { return coordinates - modal_coordinates; }
  /// Per coordinate, 0 but for quasi-static modes; empty: there are none. It is ε of theory.md (66c): where
  /// accelerations are solved for, a correction Δ of q̈_j moves q_j by εΔ, as if a small share of the mode's
  /// mass were left, so that loads, not its inertia, decide where it is.
  std::vector<double> settling;
  std::vector<NodePlace> nodes;     ///< nodes of flexible bodies at which markers are
  std::vector<double> node_shapes;  ///< 6 per mode of each node
  std::vector<Marker> markers;
  std::vector<ConstraintElement> constraint_elements;
  std::vector<GeneralConstraint> general_constraints;
  std::vector<Connector> connectors;
  std::vector<ExpressionForce> expression_forces;
  std::vector<MultiPointForce> multi_point_forces;
  std::vector<ContactElement> contacts;
  std::vector<ContactGroup> contact_groups;
  bool has_contacts() const { return !contacts.empty() || !contact_groups.empty(); }
  std::vector<ContactMember> contact_members;
  std::vector<std::shared_ptr<const SolidMesh>> solids;  ///< of contacts
  std::vector<std::shared_ptr<const PlanarCurve>> planar_curves;
  std::vector<std::shared_ptr<const UserFunction>> user_functions;  ///< that tapes point to
  std::vector<std::shared_ptr<const UserNormalForce>> user_forces;  ///< that laws of contacts point to
  std::vector<Scalar> scalars;
  std::vector<int> force_output;  ///< per pair of the wrench elements: its first force_output scalar or −1
  std::vector<Tape> tapes;
  std::vector<std::string> tape_name;            ///< per tape: "SFORCE/3 FUNCTION", for messages
  std::vector<unsigned char> tape_in_equations;  ///< per tape: read by the equations (else by requests)
  std::vector<AngleCounter> tape_angles;
  InitialValues initial;  ///< as the dataset gives them
  std::vector<Delay> delays;
  std::vector<SplineTable> splines;
  std::vector<CurveTable> curves;
  std::vector<CurveUse> curve_uses;
  std::vector<Request> requests;
  std::vector<Sensor> sensors;
  int coordinates = 0, multipliers = 0;
  int angles = 0;   ///< revolution counters
  int offsets = 0;  ///< offsets of rows and general constraints (screw, rack, COUPLER, GEAR)
  Vec3d gravity;

  double ucf = 1;  ///< units consistency factor: force·UCF = mass·acceleration
  Units units;

  /// The tables of elements that put wrenches on markers, in the order of their wrenches. The list of pools
  /// (assemble/pools/list.h) is held against it.
  auto wrench_tables() const {
    return std::tie(constraint_elements, general_constraints, connectors, expression_forces,
                    multi_point_forces, contacts, contact_members);
  }
  /// f(table) for each.
  template <class F>
  void for_wrench_tables(F f) const {
    std::apply([&](const auto&... table) { (f(table), ...); }, wrench_tables());
  }
  int scalar_count() const { return static_cast<int>(scalars.size()); }
  int unknowns() const { return coordinates + multipliers + scalar_count(); }
  int first_scalar() const { return coordinates + multipliers; }
  /// Per scalar: whether its value (VARIABLE) or its rate (DIFF) follows from positions, velocities and
  /// states of DIFFs alone, by evaluating expressions one after the other.
  std::vector<char> explicit_scalars() const;
  /// The first active contact with a curve of straight lines (ORDER=2), at whose corners velocities jump;
  /// nullptr: there is none.
  const ConstraintElement* contact_with_corners() const;
  /// "JOINT/3 Zi.Xj", "PART/2 Psi", "DIFF/4": the unknown and the equation that belong to an index. An
  /// equation of a VARIABLE that depends on itself says how: "VARIABLE/1, part of the circle VARIABLE/1 ->
  /// VARIABLE/1".
  std::string unknown_name(int unknown) const;
  std::string equation_name(int unknown) const;
  const std::string& tape_owner(int tape) const { return tape_name[tape]; }
};

}  // namespace trammel
