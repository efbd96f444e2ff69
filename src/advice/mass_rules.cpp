// Rules on masses and inertias.
#include <algorithm>
#include <cmath>

#include "advice/rules.h"
#include "math/symmetric.h"

namespace trammel::advice {

namespace {

/// Below this, above 0, a mass is small beside the others of the model: 1e-6 of their median, or both 1e-3 of
/// it and 1e-7 of the largest, where a bolt of a lorry still is none.
double smallest_mass(const Model& model) {
  std::vector<double> masses;
  for (const Body& b : model.bodies)
    if (b.mass > 0) masses.push_back(b.mass);
  if (masses.empty()) return 0;
  std::sort(masses.begin(), masses.end());
  const double median = masses[masses.size() / 2];
  return std::max(1e-6 * median, std::min(1e-3 * median, 1e-7 * masses.back()));
}

/// Per body: distance from its centre of mass of the farthest marker that an element acts on.
std::vector<double> arms_of(const Model& model) {
  std::vector<double> arm(model.bodies.size(), 0);
  model.for_wrench_tables([&](const auto& table) {
    for (const auto& element : table)
      element.for_ends([&](int marker) {
        const Marker& m = model.markers[marker];
        if (m.body >= 0) arm[m.body] = std::max(arm[m.body], norm(m.s));
      });
  });
  return arm;
}

/// Per body: how many equations of constraints hold it.
std::vector<int> equations_on(const Model& model) {
  std::vector<int> count(model.bodies.size(), 0);
  for (const ConstraintElement& e : model.constraint_elements)
    for (int marker : {e.I, e.J})
      if (e.name.active && !e.initial_only && model.markers[marker].body >= 0)
        count[model.markers[marker].body] += e.rows;
  return count;
}

}  // namespace

void small_mass(const Subject& s, Findings& f) {
  const double least = smallest_mass(s.model);
  for (const Body& b : s.model.bodies)
    if (b.mass > 0 && b.mass < least)
      f.add(b.name.where, "{}: its mass {:.3g} is far below those of the other parts", label_of(b.name),
            b.mass * s.model.ucf);
}

void small_inertia(const Subject& s, Findings& f) {
  constexpr double small = 1e-6, rounding = 1e-14;
  const std::vector<double> arms = arms_of(s.model);
  for (std::size_t k = 0; k < s.model.bodies.size(); ++k) {
    const Body& b = s.model.bodies[k];
    if (!b.turns() || !(b.mass > 0)) continue;
    const double normal_moment = b.inertia(2, 2);
    const Vec3d moments =
        b.planar() ? Vec3d{normal_moment, normal_moment, normal_moment} : eigenvalues(b.inertia);
    const double beside_arm = b.mass * arms[k] * arms[k];
    if (moments.z > 0 && moments.z < small * beside_arm)
      f.add(b.name.where,
            "{}: its largest moment of inertia {:.3g} is below 1e-6 of mass times arm squared, {:.3g}",
            label_of(b.name), moments.z * s.model.ucf, beside_arm * s.model.ucf);
    else if (moments.x > rounding * moments.z && moments.x < small * moments.z)
      f.add(b.name.where, "{}: its least moment of inertia {:.3g} is below 1e-6 of the largest, {:.3g}",
            label_of(b.name), moments.x * s.model.ucf, moments.z * s.model.ucf);
  }
}

void dummy_part(const Subject& s, Findings& f) {
  const double least = smallest_mass(s.model);
  const std::vector<int> equations = equations_on(s.model);
  std::vector<const ElementName*> compliant(s.model.bodies.size(), nullptr);
  const auto note = [&](const auto& table) {
    for (const auto& element : table)
      if (element.name.active)
        element.for_ends([&](int marker) {
          const int body = s.model.markers[marker].body;
          if (body >= 0 && !compliant[body]) compliant[body] = &element.name;
        });
  };
  note(s.model.connectors);
  note(s.model.multi_point_forces);
  for (std::size_t k = 0; k < s.model.bodies.size(); ++k) {
    const Body& b = s.model.bodies[k];
    if (!compliant[k] || equations[k] >= b.count() || (b.mass > 0 && !(b.mass < least))) continue;
    f.add(b.name.where, "{}: of mass {:.3g}, hangs on {}; joints hold {} of its {} freedoms",
          label_of(b.name), b.mass * s.model.ucf, label_of(*compliant[k]), equations[k], b.count());
  }
}

}  // namespace trammel::advice
