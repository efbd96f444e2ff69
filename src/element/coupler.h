// COUPLER: two or three joints move in a fixed ratio.
//   r₁ q₁ + r₂ q₂ (+ r₃ q₃) = const
#pragma once

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "element/coupling.h"
#include "language/rows.h"

namespace trammel {

struct CouplerStatement {
  static constexpr Field fields[] = {
      {.name = "JOINTS",
       .kind = FieldKind::ids,
       .min_count = 2,
       .max_count = 3,
       .refers = "JOINT",
       .help = "the joints that are coupled",
       .required = true},
      {.name = "SCALES",
       .kind = FieldKind::real,
       .max_count = 3,
       .help = "a factor for each joint; that of the first may be left out and is 1",
       .group = "law:scales",
       .required = true},
      statements::user_function("law:user"),
      {.name = "TYPE",
       .kind = FieldKind::choices,
       .max_count = 3,
       .choices = "TRANSLATIONAL|ROTATIONAL",
       .help = "which freedom of each joint; CYLINDRICAL joints need it"},
      {.name = "ROUTINE",
       .kind = FieldKind::text,
       .max_count = 3,
       .help = "user subroutines",
       .support = Support::unsupported},
  };
  static constexpr StatementSpec spec{
      .keyword = "COUPLER",
      .fields = fields,
      .help = "Couples the displacements of two or three joints.",
      .equation = "r1 q1 + r2 q2 [+ r3 q3] = 0, each q from the assembled configuration"};

  static void check(const auto& s, auto& diagnostics) {
    const auto *joints = s.find("JOINTS"), *scales = s.find("SCALES"), *types = s.find("TYPE");
    if (!joints) return;
    const std::size_t n = joints->numbers.size();
    if (std::set<double>(joints->numbers.begin(), joints->numbers.end()).size() < n)
      diagnostics.error(joints->where, "{}: a joint is named twice", s.label());
    if (scales && scales->numbers.size() != n && scales->numbers.size() + 1 != n)
      diagnostics.error(scales->where,
                        "{}: SCALES has {} values; {} joints take {} or, with 1 for the first, {}", s.label(),
                        scales->numbers.size(), n, n, n - 1);
    if (types && types->words.size() != n)
      diagnostics.error(types->where, "{}: TYPE has {} keywords; it must have {}, one for each joint",
                        s.label(), types->words.size(), n);
    if (scales && std::count(scales->numbers.begin(), scales->numbers.end(), 0.0) > 0)
      diagnostics.error(scales->where, "{}: a factor in SCALES is 0; leave that joint out", s.label());
  }

  static std::vector<JointDisplacement> read(const auto& s, auto& joints) {
    const auto *ids = s.find("JOINTS"), *scales = s.find("SCALES"), *types = s.find("TYPE");
    if (!ids || !scales) return {};
    const std::size_t n = ids->numbers.size();
    std::vector<double> factor = scales->numbers;
    if (factor.size() + 1 == n) factor.insert(factor.begin(), 1.0);
    if (factor.size() != n) return {};
    std::vector<JointDisplacement> terms;
    for (std::size_t k = 0; k < n; ++k) {
      const int id = static_cast<int>(ids->numbers[k]);
      std::vector<JointDisplacement> q = joints.displacements(id);
      if (q.empty()) continue;
      if (q.size() > 1 && !types) {
        joints.diagnostics.error(ids->where, "{}: JOINT/{} is {}; say by TYPE which of its displacements",
                                 s.label(), id, joints.type(id));
        continue;
      }
      if (types && k < types->words.size()) {
        const bool turns = types->words[k] == "ROTATIONAL";
        std::erase_if(q, [&](const JointDisplacement& d) { return d.turns != turns; });
        if (q.empty()) {
          joints.diagnostics.error(types->where, "{}: JOINT/{} has no {} freedom", s.label(), id,
                                   turns ? "rotational" : "translational");
          continue;
        }
      }
      terms.push_back(q[0]);
      terms.back().factor = factor[k];
    }
    if (terms.size() < n) terms.clear();
    return terms;
  }
};

}  // namespace trammel
