#include "cli/mass_table.h"

#include "geometry/volume.h"

namespace trammel {

namespace {

/// The number as text; 0 where it is below rounding of `beside`, the size of the quantity.
std::string number(double x, double beside) {
  return fmt::format("{:.6g}", std::abs(x) < 1e-12 * beside ? 0 : x);
}

/// The moments of inertia about x, y, z and, where they are not 0, the integrals ∫ xy, ∫ xz, ∫ yz, in the
/// order of IP.
std::string inertia_text(const Mat3d& J) {
  const double size = J(0, 0) + J(1, 1) + J(2, 2);
  std::string text;
  for (int k = 0; k < 3; ++k) text += (k == 0 ? "" : ", ") + number(J(k, k), size);
  const double products[3] = {-J(0, 1), -J(0, 2), -J(1, 2)};
  bool any = false;
  for (const double p : products) any = any || std::abs(p) > 1e-12 * size;
  if (any)
    for (const double p : products) text += ", " + number(p, size);
  return text;
}

std::string solid_text(const std::string& name, const MeshMass& mass, double density, const Mat3d& inertia) {
  const double factor = density > 0 ? density : 1,
               length = std::cbrt(std::abs(mass.volume)) + norm(mass.centroid);
  const Vec3d& c = mass.centroid;
  std::string text = fmt::format("\n    {:<24} volume {:.6g}", name, mass.volume);
  if (density > 0) text += fmt::format(", mass {:.6g}", density * mass.volume);
  return text + fmt::format(", centroid {}, {}, {}, inertia {}", number(c.x, length), number(c.y, length),
                            number(c.z, length), inertia_text(factor * inertia));
}

std::string comparison(const PartSolids& part, const MeshMass& all, double density) {
  if (!(part.mass > 0) || !(all.volume > 0)) return {};
  if (!(density > 0)) return fmt::format("\n    MASS over volume: {:.6g}", part.mass / all.volume);
  constexpr double far_off = 1.25;
  const double ratio = part.mass / (density * all.volume);
  if (ratio < far_off && ratio > 1 / far_off) return {};
  return fmt::format("\n    MASS={:.6g} is {:.3g} times that of its shapes at density {:.6g}", part.mass,
                     ratio, density);
}

std::string part_text(const PartSolids& part, double density) {
  std::string text = "\n  " + part.name;
  if (part.mass > 0) text += fmt::format(": MASS={:.6g}, IP={}", part.mass, inertia_text(part.inertia));
  MeshMass all{};
  int counted = 0;
  for (const SolidMass& solid : part.solids) {
    const std::string name = fmt::format("{} {}", solid.graphics->label(), solid.graphics->chosen("shape"));
    if (!solid.reason.empty()) {
      text += fmt::format("\n    {:<24} no volume: {}", name, solid.reason);
      continue;
    }
    text += solid_text(name, solid.mass, density, solid.mass.inertia);
    all = sum_of(all, solid.mass);
    ++counted;
  }
  if (counted > 1) text += solid_text("together", all, density, all.inertia);
  if (counted > 0 && part.mass > 0)
    text += fmt::format("\n    {:<24} {}", "about the centre of mass",
                        inertia_text((density > 0 ? density : 1) * inertia_about(all, {})));
  return text + comparison(part, all, density);
}

}  // namespace

std::string mass_table(const std::vector<PartSolids>& parts, double density) {
  if (parts.empty()) return "no GRAPHICS with a volume";
  std::string text =
      "solids, in the axes of their parts: centroid from the centre of mass, inertia about the centroid" +
      std::string(density > 0 ? "" : " per density") + ", xx, yy, zz and where there are any xy, xz, yz";
  for (const PartSolids& part : parts) text += part_text(part, density);
  return text;
}

}  // namespace trammel
