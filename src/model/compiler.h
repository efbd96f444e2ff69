// Working state of compile(): shared by the files that compile bodies, constraints, forces and requests.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

#include "base/diagnostics.h"
#include "dataset/statement_index.h"
#include "element/coupling.h"
#include "element/linear_system.h"
#include "expression/compile.h"
#include "model/modal_tables.h"
#include "model/model.h"

namespace trammel {

/// What an ARRAY holds.
enum class ArrayKind { numbers, states, outputs, inputs };
struct ArrayData {
  ArrayKind kind = ArrayKind::numbers;
  int size = 0;                 ///< 0 of states and outputs without SIZE until their system gives it
  std::vector<double> numbers;  ///< of kind numbers
  std::vector<int> variables;   ///< of kind inputs: ids
  int system = -1;              ///< states and outputs: index of the linear system they belong to
  int first_scalar = 0;         ///< and the scalar of the first entry
};

/// A MATRIX, by rows.
struct MatrixData {
  int rows = 0, columns = 0;
  std::vector<double> values;
  double operator()(int r, int c) const { return values[static_cast<std::size_t>(r) * columns + c]; }
};

/// A linear system among the scalars of a model: its states, then its outputs.
struct PlacedSystem {
  ElementName name;
  const Statement* statement = nullptr;
  int first_state = 0, first_output = 0;  ///< scalars
  std::vector<int> inputs;                ///< ids of VARIABLEs
  LinearSystem rows;
};

struct FrictionJoint;
struct SolidMass;
struct PartSolids;

/// A FRICTION and its joint.
struct PlacedFriction {
  const Statement *statement = nullptr, *joint = nullptr;
  const FrictionJoint* row = nullptr;  ///< of element/friction.h
  bool bristles = false;               ///< LUGRE
  int first_state = 0, states = 0;     ///< scalars: creep or deflection of the bristles
  int force = -1;                      ///< in Model::expression_forces
};

/// A shape that a CONTACT names, in the axes of its body at the centre of mass.
struct ContactShape {
  PlacedShape placed;
  int body = -1;
  int graphics = 0;  ///< id
};

class ModelResolver;
class UserSubroutine;
enum class UserForm;
struct UserSystem;
struct OfStatement;
struct UserData;

inline constexpr std::string_view expression_force_keywords[] = {"SFORCE", "VFORCE", "VTORQUE", "GFORCE",
                                                                 "MFORCE"};

/// Of a list of element files such as ForceStatements.
std::vector<std::string_view> keywords_of(auto list) {
  std::vector<std::string_view> keywords;
  list.for_each([&](auto statement) { keywords.push_back(statement.spec.keyword); });
  return keywords;
}

class Compiler {
 public:
  Compiler(const Description& description, Diagnostics& diagnostics)
      : description_(description), statements_(description), diagnostics_(diagnostics) {}
  Model run();
  /// Instead of run().
  std::vector<PartSolids> solids_of_parts();

 private:
  friend class ModelResolver;

  // bodies.cpp
  void compile_bodies();
  void compile_markers();
  void place_marker(const Statement& s, int depth);
  void finish_bodies();
  void read_inertia(const Statement& s, Body& body);
  void read_initial(const Statement& s, InitialBody& body);
  // flexible_bodies.cpp
  void compile_flexible_bodies();
  std::shared_ptr<const ModalBody> modal_body_of(const Statement& s);
  ModalChoice choose_modes(const Statement& s, const ModalBody& body);
  void select_modes(const Statement& s, const ModalBody& body, ModalChoice& choice);
  void start_modes(const Statement& s, const ModalChoice& choice, const FlexibleBody& f);
  void place_on_node(const Statement& s, int flexible);
  void add_node(int flexible, Marker& marker, int node);
  int modal_output(const FlexibleBody& f, int mode, int order);
  // modal_damping.cpp
  void damp_modes(const Statement& s, const ModalBody& body, const ModalChoice& choice, FlexibleBody& f);
  void damp_by_ratio(const Statement& s, FlexibleBody& f);
  double default_damping_ratio(double frequency) const;
  int damping_ratio(const Statement& s, const Argument& given, double frequency, int mode, double& ratio);
  void damp_by_file(const Statement& s, const ModalBody& body, const ModalChoice& choice, FlexibleBody& f);
  void damp_frame(const Statement& s, const ModalBody& body, const ModalChoice& choice, FlexibleBody& f);
  void take_inertia_of_fast_modes(const Statement& s, FlexibleBody& f);
  void tell_fast_modes_that_move_mass(const Statement& s, const FlexibleBody& f, const Body& frame);
  // modal_forces.cpp
  ExpressionForce modal_force(const Statement& s);
  void load_modes(const Statement& s, int flexible, ExpressionForce& f);
  // planar.cpp
  void lay_in_plane(const Statement& s, Body& body, InitialBody& initial);
  void check_planar_velocity(const Statement& s, const Body& body, const InitialBody& initial);
  const Body* plane_of(int I, int J) const;
  bool curves_in_plane(const ConstraintElement& e, const Vec3d& normal);
  void keep_planar_rows(ConstraintElement& e);
  // constraints.cpp
  void compile_joints();
  void add_joint_initial_values(const Statement& s, const ConstraintElement& joint);
  void compile_motions();
  bool motion_coordinate(const Statement& s, ConstraintElement& e);
  void compile_general_constraints();
  void warn_of_unknown_rates();
  // motion_functions.cpp
  void check_motion_functions();
  /// Constraints that one function makes of their statements.
  struct ConstraintKind {
    std::vector<std::string_view> keywords;
    void (Compiler::*compile)();
    bool has_ends = true;  ///< between two markers, so that expressions may read their reactions there
  };
  /// In the order of the tables of constraints, and of their wrenches.
  static const std::vector<ConstraintKind>& constraint_kinds();
  // couplings.cpp
  void compile_couplings();
  class CoupledJoints;
  void add_coupling(const Statement& s, const std::vector<JointDisplacement>& terms);
  // curves.cpp
  void compile_curves();
  void compile_curve_constraints();
  void compile_ptcv(const Statement& s);
  void compile_cvcv(const Statement& s);
  const CurveTable* curve_of(const Statement& s, std::string_view argument, CurveUse& use, bool of_I);
  bool carried_by(const Statement& s, std::string_view marker, std::string_view floating) const;
  Pose<double> given_pose(int marker) const;
  int add_rows(ConstraintElement element);
  Mat3d given_axes(int marker) const;
  // forces.cpp
  void compile_connectors();
  void compile_expression_forces();
  class NamedValues;
  void compile_multi_point_forces();
  // user_subroutines.cpp
  std::shared_ptr<UserSubroutine> user_code(
      const Statement& s, const Argument& call, const std::string& routine, const std::string& subroutine,
      int results, UserForm form, const UserSystem& system,
      const std::function<std::shared_ptr<void>(const OfStatement&)>& statement);
  void compile_user_system(const PlacedSystem& system);
  std::vector<int> user_tapes(const Statement& s, const Argument& call, bool in_equations);
  int user_tape(const UserSubroutine& code, int first, int results, const Statement& s, const Argument& call,
                bool in_equations);
  std::shared_ptr<const UserData> user_data();
  void note_idle_routines();
  // user_code.cpp
  std::string folder_of_deck() const;
  std::vector<double> user_constants(const Statement& s, const Argument& call);
  UserNormalForce::Side user_side(const Statement& s, std::string_view argument, int side) const;
  const UserNormalForce* user_normal_force(const Statement& s);
  // contacts.cpp
  void compile_contacts();
  ContactLaw contact_law(const Statement& s);
  void read_normal_law(const Statement& s, ContactLaw& law);
  double needed(const Statement& s, std::string_view name, std::string_view why);
  double millimeter_per_second() const;
  std::optional<ContactShape> contact_shape(const Statement& contact, int side, int id);
  std::vector<ContactShape> shapes_of(const Statement& s, std::string_view argument);
  void refuse_other_elements(const Statement& graphics, const std::string& path) const;
  int flat_sides(const Statement& contact, const Statement& graphics);
  TriangleMesh mesh_of(const Statement& contact, const Statement& graphics, const PlacedShape& placed);
  void add_meshes(const Statement& s, std::vector<ContactShape>& shapes,
                  const std::vector<ContactShape>& others);
  void add_contact_group(const Statement& s, const std::vector<ContactShape>& of_I,
                         const std::vector<ContactShape>& of_J);
  void reserve_contact_states();
  void take_creep(ContactElement& contact);
  std::vector<int> contact_bodies(const Statement& s, std::string_view argument) const;
  /// Whether it is of more than two bodies: no pair of markers with one force.
  bool is_contact_group(const Statement& s) const;
  int center_of(int body) const;
  int contact_marker_of(const Statement& graphics) const;
  int contact_marker(const Statement& s, std::string_view argument) const;
  // solid_masses.cpp
  SolidMass solid_mass(const Statement& s, int& body);
  // contact_curves.cpp
  struct DrawnShape {  ///< a shape of a CONTACT in a plane
    const Statement* graphics;
    PlacedShape* shape;
    PlanarPath path;     ///< empty: it is no curve, or after an error
    Pose<double> start;  ///< of its frame, where the deck places it
    Vec3d middle;        ///< of the path, there
    bool flipped = false;
  };
  PlanarPath draw_curve(const Statement& contact, const Statement& g, PlacedShape& placed);
  PlanarPath draw_outline(const Statement& contact, const Statement& g, PlacedShape& placed);
  std::vector<DrawnShape> draw_side(const Statement& s, std::string_view argument,
                                    std::vector<PlacedShape>& shapes, const Pose<double>& body);
  PlanarCurve wall_of(const Statement& contact, const DrawnShape& d, const DrawnShape& other);
  void add_curve(const Statement& s, const DrawnShape& d, const DrawnShape& other);
  void check_sides(const Statement& s, const DrawnShape& d, const DrawnShape& other);
  void check_common_plane(const Statement& s, const std::vector<DrawnShape>& shapes);
  void add_curves(const Statement& s, ContactElement& c);
  // profiles.cpp
  TriangleMesh mesh_of_profile(const Statement& contact, const Statement& graphics);
  // frictions.cpp
  void reserve_friction_states();
  void compile_frictions();
  void compile_shown_frictions();
  /// Errors of a state z are judged beside the deflection at which its surfaces let go.
  void hold_to_deflection(Scalar& z, double greatest);
  const FrictionJoint* friction_row(const Statement& s, const Statement& joint);
  void note_idle_friction_arguments(const PlacedFriction& f);
  double friction_start(const PlacedFriction& f) const;
  template <class Finish>
  int friction_tape(const PlacedFriction& f, std::string_view what, bool in_equations, Finish finish);
  // data.cpp
  void compile_arrays();
  void compile_matrices();
  void compile_splines();
  // systems.cpp
  void compile_scalars();
  void add_scalar(const Scalar& scalar, const InitialScalar& initial = {}) {
    model_.scalars.push_back(scalar);
    model_.initial.scalars.push_back(initial);
  }
  void compile_scalar_tapes();
  class SystemValues;
  void add_system(const Statement& s, LinearSystem rows, const SystemValues& arrays);
  void note_idle_arrays();
  void find_algebraic_states();
  /// The ARRAY that an argument names, if it is of that kind; else nullptr, after an error if it is given.
  ArrayData* array_of(const Statement& s, std::string_view argument, ArrayKind kind);
  /// The MATRIX that an argument names, if it has that size; else nullptr, after an error if it is given.
  const MatrixData* matrix_of(const Statement& s, std::string_view argument, int rows, int columns,
                              const std::string& why);
  /// The MATRIX that an argument names; nullptr where there is none.
  const MatrixData* find_matrix(const Statement& s, std::string_view argument) const;
  Register system_row(const PlacedSystem& system, const LinearRow& row, ModelResolver& resolver,
                      TapeBuilder& builder);
  // sensors.cpp
  void reserve_sensor_values();
  void compile_sensors();
  void number_wrenches();
  // shown.cpp
  void mark_shown_expressions();
  // activity.cpp
  bool is_active(const Statement& s) const;
  void leave_out_inactive();
  // requests.cpp
  void compile_requests();
  std::string request_unit(const Statement& s, const Location& where, const std::string& word);

  /// Tape of an expression argument (index in Model::tapes), or −1 after reporting an error.
  int compile_tape(const Statement& s, const Argument& a, ResultKind kind, bool in_equations);
  int compile_text(const Statement& s, const std::string& text, const std::string& what,
                   const Location& where, ResultKind kind, bool in_equations);
  /// Index in Model::tapes; `what` of the statement it is.
  int add_tape(Tape tape, const Statement& s, std::string_view what, bool in_equations);
  /// −1, after the report of an expression that has no tape.
  int report_no_tape(Diagnostic error);
  int compile_with(Resolver& resolver, const Statement& s, const std::string& text, const std::string& what,
                   const Location& where, ResultKind kind, bool in_equations);
  void list_force_ends();
  void list_contact_ends();
  /// First of the six force outputs of a wrench element, made on demand.
  int force_output(int wrench_element, const ElementName& name);
  int marker_index(const Statement& s, std::string_view argument, int fallback = 0) const;
  int marker_at(int id, int fallback = 0) const;
  ElementName name_of(const Statement& s) const;

  /// For what an expression names and the model does not have. Throws Failure(input); where the statement
  /// exists, with a mistake of its own, or is absent, follows_ says so.
  [[noreturn]] void not_there(std::string_view statement, int id);
  /// Whether a linear system of the deck names an ARRAY as its states or outputs.
  bool has_system(int array) const;

  const Description& description_;
  const StatementIndex statements_;  ///< of it
  Diagnostics& diagnostics_;
  Model model_;

  struct PartFrame {  ///< BCS of a part in ground and its body (−1: ground)
    int body = -1;
    Vec3d origin;
    Mat3d axes = Mat3d::identity();
  };
  struct LocalMarker {  ///< marker in the BCS of its owner, and whether it floats
    PartFrame* owner = nullptr;
    Vec3d position;
    Mat3d axes = Mat3d::identity();
    bool floating = false, placed = false;
    int flexible = -1, node = -1;  ///< of a node: index in Model::flexible_bodies, node of its ModalBody
    int index = -1;                ///< in Model::markers; −1: floating, or of no body
  };
  ByStatement<PartFrame> parts_{statements_.table("PART")}, point_masses_{statements_.table("POINT_MASS")},
      flexible_frames_{statements_.table("FLEX_BODY")};
  ByStatement<LocalMarker> local_{statements_.table("MARKER")};
  struct PlacedModes {  ///< of a FLEX_BODY, in the order of Model::flexible_bodies
    std::shared_ptr<const ModalBody> modes;
    ModalChoice choice;
  };
  std::vector<PlacedModes> placed_modes_;
  std::set<int> told_of_rotations_;                  ///< flexible bodies
  std::map<std::pair<int, int>, int> modal_output_;  ///< (coordinate, order of the derivative) → scalar
  std::map<int, int> flexible_;                      ///< id → index in Model::flexible_bodies
  double size_ = 0;  ///< largest distance of a part from the origin or of a marker from its part's
  std::unordered_map<int, int> scalar_of_variable_, scalar_of_diff_, scalar_of_sensor_, spline_of_;
  std::unordered_map<int, int> solid_of_;            ///< id of GRAPHICS → index in Model::solids
  std::unordered_map<int, int> curve_of_;            ///< id → index in Model::curves
  std::map<std::pair<int, int>, int> curve_spline_;  ///< (id of CURVE, coordinate) → index in Model::splines
  std::map<int, ArrayData> arrays_;
  std::map<int, MatrixData> matrices_;
  std::vector<PlacedSystem> systems_;
  std::vector<PlacedFriction> frictions_;
  std::shared_ptr<const UserData> user_data_;   ///< from the first user subroutine on
  std::unordered_map<int, int> contact_creep_;  ///< id of CONTACT → first scalar of its creep
  std::vector<int> force_output_;               ///< per wrench element: first of its outputs or −1
  std::vector<std::pair<int, const Statement*>> pending_scalars_;
  struct ForceEnds {  ///< what FX(i,j) looks for: ids of I and J per wrench element
    int wrench = 0, I = 0, J = 0;
    int table_I = -1, table_J = -1;  ///< CONTACT: in Model::markers, without ids
    bool constraint = false, action_only = false, floating_j = false;
    bool floating_i = false;  ///< CVCV: reported at the contact, where it has no torque
    bool one_sided = false;   ///< reported on I whatever J: GCON, which has none
    const Statement* statement = nullptr;
  };
  std::vector<ForceEnds> ends_;
  class EndsIndex;  // resolver.cpp
  /// Of ends_, from the first expression on that reads a force.
  std::shared_ptr<const EndsIndex> ends_index_;
  std::map<std::tuple<int, int, int>, int> angle_of_;  ///< (axis, I, J) → revolution counter
  bool requests_ = false;  ///< compiling requests: forces are read from the wrench table
  /// Number of the table's first entry among the states of tapes, until all scalars are known and it follows
  /// these (number_wrenches()).
  static constexpr int first_wrench_number = 1 << 28;
  /// Compiling constraints: a VARIABLE's expression stands in place of VARVAL, so that its derivatives are
  /// part of the constraint's.
  bool constraints_ = false;
  std::vector<int> taken_in_;  ///< ids of the VARIABLEs whose expressions are being taken in
  int taken_in_count_ = 0;     ///< how many were, for the present constraint
  bool follows_ = false;       ///< the present expression fails because of another statement's mistake
  std::vector<Diagnostic> following_;  ///< of such expressions: reported where there is no other mistake
};

}  // namespace trammel
