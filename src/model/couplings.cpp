// Couplings of joints: one linear equation between their displacements.
#include "element/coupling_statements.h"
#include "model/resolver.h"

namespace trammel {

/// The joints that a statement names, as CouplingStatements read them.
class Compiler::CoupledJoints {
 public:
  CoupledJoints(Compiler& compiler, const Statement& s)
      : diagnostics(compiler.diagnostics_), c_(compiler), s_(s) {}

  std::string_view type(int joint) const { return c_.statements_.find("JOINT", joint)->chosen("type"); }
  const Marker& marker(int place) const { return c_.model_.markers[place]; }
  const Marker& marker(std::string_view argument) const { return marker(c_.marker_index(s_, argument)); }
  std::vector<JointDisplacement> displacements(int joint) const {
    const Statement* j = c_.statements_.find("JOINT", joint);
    if (!j) return {};
    const int I = c_.marker_index(*j, "I"), J = c_.marker_index(*j, "J");
    std::vector<JointDisplacement> q;
    if (const JointType* known = find_joint_type("JOINT", type(joint))) {
      if (known->turns()) q.push_back({I, J, true});
      if (known->slides()) q.push_back({I, J, false});
    }
    if (q.empty())
      diagnostics.error(s_.find("JOINTS")->where,
                        "{}: JOINT/{} is {}; it must be REVOLUTE, TRANSLATIONAL or CYLINDRICAL", s_.label(),
                        joint, type(joint));
    return q;
  }

  Diagnostics& diagnostics;

 private:
  Compiler& c_;
  const Statement& s_;
};

/// Σ factor q − (its value in the assembled configuration) = 0.
void Compiler::add_coupling(const Statement& s, const std::vector<JointDisplacement>& terms) {
  ModelResolver resolver(*this);
  TapeBuilder builder;
  Register sum = builder.constant(0);
  for (const JointDisplacement& t : terms) {
    const Register q = t.turns ? builder.measure(Measure::az, t.I, t.J, 0, 0, 0,
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

void Compiler::compile_couplings() {
  for (const Statement& s : statements_.all(keywords_of(CouplingStatements())))
    CouplingStatements::for_each([&]<class Coupling>(Coupling) {
      if (Coupling::spec.keyword != s.spec->keyword) return;
      CoupledJoints joints(*this, s);
      const std::vector<JointDisplacement> terms = Coupling::read(s, joints);
      if (!terms.empty()) add_coupling(s, terms);
    });
}

}  // namespace trammel
