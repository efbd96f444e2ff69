// GEAR: two gears that turn or slide in a carrier mesh at a point of it.
//   p₁ q₁ = p₂ q₂,   p = ẑ_CV · (ẑ_J × (r_CV − r_J)) of a turning, ẑ_CV · ẑ_J of a sliding joint:
// velocity of the gear along ẑ_CV at the mesh, seen in the carrier, per unit rate of its joint.
#pragma once

#include <cmath>
#include <vector>

#include "element/coupling.h"
#include "language/field.h"
#include "math/vec3.h"

namespace trammel {

struct GearStatement {
  static constexpr Field fields[] = {
      {.name = "JOINTS",
       .kind = FieldKind::ids,
       .min_count = 2,
       .max_count = 2,
       .refers = "JOINT",
       .help = "joints of the two gears, I on the gear, J on the carrier",
       .required = true},
      {.name = "CV",
       .kind = FieldKind::id,
       .refers = "MARKER",
       .help = "marker on the carrier where the teeth mesh, z along their common velocity",
       .required = true},
  };
  static constexpr StatementSpec spec{
      .keyword = "GEAR",
      .fields = fields,
      .help = "Pair of gears.",
      .equation =
          "both gears move alike along z of CV: p1 q1 = p2 q2, p = z_CV . (z_J x (r_CV - r_J)) of a turning, "
          "z_CV . z_J of a sliding joint"};

  static void check(const auto& s, auto& diagnostics) {
    const auto* joints = s.find("JOINTS");
    if (joints && joints->numbers.size() == 2 && joints->numbers[0] == joints->numbers[1])
      diagnostics.error(joints->where, "{}: a joint is named twice", s.label());
  }

  static std::vector<JointDisplacement> read(const auto& s, auto& joints) {
    const auto* ids = s.find("JOINTS");
    if (!ids || ids->numbers.size() != 2) return {};
    std::vector<JointDisplacement> terms;
    bool good = true;
    for (int k = 0; k < 2; ++k) {
      const std::vector<JointDisplacement> moves =
          along_mesh(s, static_cast<int>(ids->numbers[k]), k == 0 ? 1.0 : -1.0, joints);
      good = good && !moves.empty();
      terms.insert(terms.end(), moves.begin(), moves.end());
    }
    if (!good) terms.clear();
    return terms;
  }

 private:
  /// The displacements of a joint that move its gear along ẑ_CV, with sign · p; none after an error.
  static std::vector<JointDisplacement> along_mesh(const auto& s, int joint, double sign, auto& joints) {
    constexpr double rounding_of_axes = 1e-12;
    const auto& cv = joints.marker("CV");
    const std::vector<JointDisplacement> displacements = joints.displacements(joint);
    std::vector<JointDisplacement> moves;
    for (JointDisplacement q : displacements) {
      const auto& J = joints.marker(q.J);
      if (J.body != cv.body) {
        joints.diagnostics.error(
            s.find("CV")->where,
            "{}: marker {}, J of JOINT/{}, and CV={} are on different bodies; both must be on "
            "the carrier",
            s.label(), J.id, joint, cv.id);
        return {};
      }
      const Vec3d z = J.A.column(2), common = cv.A.column(2), arm = cv.s - J.s;
      const double p = dot(common, q.turns ? cross(z, arm) : z), size = q.turns ? norm(arm) : 1.0;
      if (std::abs(p) <= rounding_of_axes * size) continue;
      q.factor = sign * p;
      moves.push_back(q);
    }
    if (moves.empty() && !displacements.empty())
      joints.diagnostics.error(
          s.find("CV")->where,
          "{}: JOINT/{} does not move its gear along z of CV={}; put CV where the teeth mesh, z "
          "along their common velocity",
          s.label(), joint, cv.id);
    return moves;
  }
};

}  // namespace trammel
