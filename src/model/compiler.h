// Working state of compile(): shared by the files that compile bodies, constraints, forces and requests.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>

#include "expression/compile.h"
#include "model/compile.h"

namespace trammel {

class Compiler {
 public:
  Compiler(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics) {}
  Model run();

 private:
  friend class ModelResolver;

  // bodies.cpp
  void compile_bodies();
  void compile_markers();
  void place_marker(const Statement& s, int depth);
  void finish_bodies();
  void read_inertia(const Statement& s, Body& body);
  void read_initial(const Statement& s, Body& body);
  // constraints.cpp
  void compile_joints();
  void add_joint_initial_values(const Statement& s, const RowElement& joint);
  void compile_motions();
  bool motion_coordinate(const Statement& s, RowElement& e);
  void compile_general_constraints();
  int add_rows(RowElement element);
  Mat3d given_axes(int marker) const;
  // forces.cpp
  void compile_law_forces();
  void compile_expression_forces();
  void compile_scalars();
  void compile_scalar_tapes();
  void compile_splines();
  // requests.cpp
  void compile_requests();

  /// Tape of an expression argument (index in Model::tapes), or −1 after reporting an error.
  int compile_tape(const Statement& s, const Argument& a, ResultKind kind, bool in_equations);
  int compile_text(const Statement& s, const std::string& text, const std::string& what,
                   const Location& where, ResultKind kind, bool in_equations);
  void list_force_ends();
  /// First of the six force outputs of a wrench element, made on demand.
  int force_output(int wrench_element, const ElementName& name);
  int marker_index(const Statement& s, std::string_view argument, int fallback = 0) const;
  ElementName name_of(const Statement& s) const;

  const Description& description_;
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
  };
  std::map<int, PartFrame> parts_, point_masses_;
  std::unordered_map<int, LocalMarker> local_;  ///< by marker id
  std::unordered_map<int, const Statement*> marker_statement_;
  std::unordered_map<int, int> marker_;  ///< id → index in Model::markers
  std::unordered_map<int, int> scalar_of_variable_, scalar_of_diff_, spline_of_;
  std::vector<int> force_output_;  ///< per wrench element: first of its outputs or −1
  std::vector<std::pair<int, const Statement*>> pending_scalars_;
  struct ForceEnds {  ///< what FX(i,j) looks for: ids of I and J per wrench element
    int wrench = 0, I = 0, J = 0;
    bool constraint = false, action_only = false, floating_j = false;
    bool one_sided = false;  ///< reported on I whatever J: GCON, action-only forces
    ElementName name;
  };
  std::vector<ForceEnds> ends_;
  std::map<std::tuple<int, int, int>, int> angle_of_;  ///< (axis, I, J) → revolution counter
  bool requests_ = false;  ///< compiling requests: forces are read from the wrench table
};

}  // namespace trammel
