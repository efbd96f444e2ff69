// COUPLER and GEAR: one linear equation between displacements of joints.
#include <cmath>

#include "model/resolver.h"

namespace trammel {

/// A displacement of a joint, AZ or DZ of its I in its J, with a factor.
struct Compiler::JointFreedom {
  int I = 0, J = 0;  ///< markers
  bool rotation = false;
  double factor = 0;
};

/// The freedoms of a joint about and along z of J; none, after an error, where it has no such.
std::vector<Compiler::JointFreedom> Compiler::freedoms_of(const Statement& s, int joint) const {
  const Statement* j = statements_.find("JOINT", joint);
  if (!j) return {};
  const std::string_view type = j->chosen("type");
  const int I = marker_index(*j, "I"), J = marker_index(*j, "J");
  std::vector<JointFreedom> freedoms;
  if (const JointType* known = find_joint_type("JOINT", type)) {
    if (known->turns()) freedoms.push_back({I, J, true});
    if (known->slides()) freedoms.push_back({I, J, false});
  }
  if (!freedoms.empty()) return freedoms;
  diagnostics_.error(s.find("JOINTS")->where,
                     "{}: JOINT/{} is {}; it must be REVOLUTE, TRANSLATIONAL or CYLINDRICAL", s.label(),
                     joint, type);
  return {};
}

/// Σ factor q − (its value in the assembled configuration) = 0.
void Compiler::add_coupling(const Statement& s, const std::vector<JointFreedom>& terms) {
  ModelResolver resolver(*this);
  TapeBuilder builder;
  Register sum = builder.constant(0);
  for (const JointFreedom& t : terms) {
    const Register q = t.rotation ? builder.measure(Measure::az, t.I, t.J, 0, 0, 0,
                                                    resolver.angle_counter(Measure::az, t.I, t.J))
                                  : builder.measure(Measure::dz, t.I, t.J, t.J);
    sum = builder.add(sum, builder.mul(builder.constant(t.factor), q));
  }
  GeneralConstraint g;
  g.name = name_of(s);
  g.tape = static_cast<int>(model_.tapes.size());
  model_.tapes.push_back(builder.finish(TapeValue::scalar(sum), "sum of joint displacements"));
  model_.tape_name.push_back(s.label());
  model_.tape_in_equations.push_back(1);
  g.reporting_marker = terms[0].I;
  g.phases = phase_all & ~phase_position;
  g.offset = model_.offsets++;
  g.row = model_.multipliers++;
  model_.general_constraints.push_back(g);
}

void Compiler::compile_couplers() {
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword != "COUPLER") continue;
    const Argument *joints = s.find("JOINTS"), *scales = s.find("SCALES"), *types = s.find("TYPE");
    if (!joints || !scales) continue;
    const std::size_t n = joints->numbers.size();
    std::vector<double> factor = scales->numbers;
    if (factor.size() + 1 == n) factor.insert(factor.begin(), 1.0);
    std::vector<JointFreedom> terms;
    for (std::size_t k = 0; k < n && factor.size() == n; ++k) {
      const int joint = static_cast<int>(joints->numbers[k]);
      std::vector<JointFreedom> freedoms = freedoms_of(s, joint);
      if (freedoms.empty()) continue;
      if (freedoms.size() > 1 && !types) {
        diagnostics_.error(joints->where, "{}: JOINT/{} is {}; say by TYPE which of its displacements",
                           s.label(), joint, statements_.find("JOINT", joint)->chosen("type"));
        continue;
      }
      if (types && k < types->words.size())
        std::erase_if(freedoms,
                      [&](const JointFreedom& f) { return f.rotation != (types->words[k] == "ROTATIONAL"); });
      if (freedoms.empty()) {
        diagnostics_.error(types->where, "{}: JOINT/{} has no {} freedom", s.label(), joint,
                           types->words[k] == "ROTATIONAL" ? "rotational" : "translational");
        continue;
      }
      freedoms[0].factor = factor[k];
      terms.push_back(freedoms[0]);
    }
    if (terms.size() == n) add_coupling(s, terms);
  }
}

/// Velocity of a gear along ẑ_CV at the mesh, seen in the carrier, per unit rate of its joint:
/// ẑ_CV·(ẑ_J × (r_CV − r_J)) of a turning, ẑ_CV·ẑ_J of a sliding one.
void Compiler::compile_gears() {
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword != "GEAR") continue;
    const Argument* joints = s.find("JOINTS");
    if (!joints || joints->numbers.size() != 2) continue;
    const Marker& cv = model_.markers[marker_index(s, "CV")];
    std::vector<JointFreedom> terms;
    bool good = true;
    for (int k = 0; k < 2; ++k) {
      const int joint = static_cast<int>(joints->numbers[k]);
      const std::vector<JointFreedom> freedoms = freedoms_of(s, joint);
      if (freedoms.empty()) {
        good = false;
        continue;
      }
      bool drives = false;
      for (JointFreedom f : freedoms) {
        const Marker& J = model_.markers[f.J];
        if (J.body != cv.body) {
          diagnostics_.error(
              s.find("CV")->where,
              "{}: marker {}, J of JOINT/{}, and CV={} are on different bodies; both must be on "
              "the carrier",
              s.label(), J.id, joint, cv.id);
          good = false;
          drives = true;
          break;
        }
        const Vec3d z = J.A.column(2), common = cv.A.column(2), arm = cv.s - J.s;
        const double lever = dot(common, f.rotation ? cross(z, arm) : z);
        const double size = f.rotation ? norm(arm) : 1.0;
        if (std::abs(lever) <= 1e-12 * size) continue;  // rounding of the axes
        f.factor = k == 0 ? lever : -lever;
        terms.push_back(f);
        drives = true;
      }
      if (drives) continue;
      good = false;
      diagnostics_.error(
          s.find("CV")->where,
          "{}: JOINT/{} does not move its gear along z of CV={}; put CV where the teeth mesh, z "
          "along their common velocity",
          s.label(), joint, cv.id);
    }
    if (good && terms.size() >= 2) add_coupling(s, terms);
  }
}

}  // namespace trammel
